/**
 * Measures reading and searching transcripts of one's own, with the prompts in them as questions: synthetic text has no
 * pasted logs and no long questions. Reads them into a folder of its own, which is deleted. Prints one JSON object.
 *
 *   node tools/bench/own-history.bench.mjs --transcripts FOLDER [--starts 12]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Store } from '@causantic/storage';
import { reindex, throwAwayFolder } from './programs.mjs';
import { search, ServerProcess } from './server-process.mjs';
import { quantiles, rounded } from './times.mjs';

const mostQuestions = 300;
/** What somebody types; the rest of a long prompt is mostly pasted. */
const questionCharacters = 200;

const { values } = parseArgs({
  options: { transcripts: { type: 'string', default: '' }, starts: { type: 'string', default: '12' } },
});
const home = throwAwayFolder();
console.log(JSON.stringify(await measure(values.transcripts, Number(values.starts)), null, 2));

/**
 * @param {string} source
 * @param {number} starts
 */
async function measure(source, starts) {
  const read = await reindex(home, source);
  const { files, bytes, chunks, vectors, seconds } = JSON.parse(read.lastLine);
  const questions = promptsOf(join(home, 'memory.db'));
  const initializeMs = /** @type {number[]} */ ([]);
  for (let i = 0; i < starts; i++) {
    const server = await ServerProcess.start(home);
    initializeMs.push(server.startMs);
    await server.close();
  }
  const server = await ServerProcess.start(home);
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
