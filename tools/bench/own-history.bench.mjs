/**
 * Measures reading and searching transcripts of one's own, with the prompts in them as questions: synthetic text has no
 * pasted logs and no long questions. Reads them into a folder of its own, which is deleted. Prints one JSON object.
 *
 *   node tools/bench/own-history.bench.mjs --transcripts FOLDER [--starts 12]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Store } from '@causantic/storage';
import { runMeasured } from './measured-process.mjs';
import { quantiles, rounded } from './quantiles.mjs';
import { ServerProcess } from './server-process.mjs';

const appsFolder = fileURLToPath(new URL('../../apps/', import.meta.url));
const serverProgram = join(appsFolder, 'mcp-server', 'bin', 'causantic.mjs');
const reindexProgram = join(appsFolder, 'reindex', 'bin', 'causantic-reindex.mjs');

const mostQuestions = 300;
/** What somebody types; the rest of a long prompt is mostly pasted. */
const questionCharacters = 200;

const { values } = parseArgs({
  options: { transcripts: { type: 'string', default: '' }, starts: { type: 'string', default: '12' } },
});
const home = mkdtempSync(join(tmpdir(), 'causantic-bench-'));
try {
  console.log(JSON.stringify(await measure(values.transcripts, Number(values.starts)), null, 2));
} finally {
  rmSync(home, { recursive: true, force: true });
}

/**
 * @param {string} source
 * @param {number} starts
 */
async function measure(source, starts) {
  const env = { CAUSANTIC_HOME: home };
  const read = await runMeasured([reindexProgram, '--source', source, '--json'], env);
  const { files, bytes, chunks, vectors, seconds } = JSON.parse(read.lastLine);
  const questions = promptsOf(join(home, 'memory.db'));
  const initializeMs = /** @type {number[]} */ ([]);
  for (let i = 0; i < starts; i++) {
    const server = await ServerProcess.start(serverProgram, env);
    initializeMs.push(server.startMs);
    await server.close();
  }
  const server = await ServerProcess.start(serverProgram, env);
  try {
    const [first, ...others] = questions;
    const firstSearchMs = first === undefined ? 0 : await server.millisecondsOf(...search(first));
    const times = /** @type {number[]} */ ([]);
    for (const question of others) times.push(await server.millisecondsOf(...search(question)));
    return {
      ingest: {
        megabytes: rounded(bytes / 1e6),
        files,
        chunks,
        vectors,
        readingMegabytesPerSecond: rounded(bytes / 1e6 / seconds),
        peakHeapMegabytes: rounded(read.peakHeapMegabytes),
      },
      initialize: quantiles(initializeMs),
      firstSearchMs: rounded(firstSearchMs),
      search: { searches: times.length, ...quantiles(times) },
      serverMemoryMegabytes: server.memoryMegabytes(),
    };
  } finally {
    await server.close();
  }
}

/**
 * Evenly spread over the history, oldest first.
 *
 * @param {string} database
 * @returns {string[]}
 */
function promptsOf(database) {
  const store = Store.open(database);
  const prompts = /** @type {string[]} */ ([]);
  for (const { text, spans } of store.chunks.walk({}, 'oldest')) {
    const said = spans.find(({ speaker }) => speaker === 'user');
    if (said) prompts.push(text.slice(said.start, Math.min(said.end, said.start + questionCharacters)));
  }
  store.close();
  const step = Math.max(1, prompts.length / mostQuestions);
  return Array.from(
    { length: Math.min(prompts.length, mostQuestions) },
    (_, i) => prompts[Math.floor(i * step)] ?? '',
  );
}

/**
 * @param {string} query
 * @returns {[method: string, params: object]}
 */
function search(query) {
  return ['tools/call', { name: 'search', arguments: { query } }];
}
