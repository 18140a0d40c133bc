/**
 * Times the map of real folders; build the packages first.
 *
 *   node bench/repomap.bench.mjs FOLDER...
 *
 * prints one JSON object: per folder the cold run as a ratio to a bare loop that reads, parses and queries the same
 * files with tree-sitter (both in a process of their own, on as many threads, grammars and queries loaded anew), the
 * warm run after a restart and in the same process, the run after one file changed, and the peak memory.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WorkerPool } from '@causantic/compute';
import TreeSitter from 'tree-sitter';
import { listFiles } from '../dist/file-listing.js';
import { GRAMMARS } from '../dist/grammars.js';
import { buildRepoMap } from '../dist/index.js';
import { LANGUAGES, languageOfContent } from '../dist/languages.js';
import { looksGenerated, looksMinified } from '../dist/left-out-files.js';
import { decodeSource } from '../dist/source-text.js';

const WARM_RUNS = 5;
const modes = { bare, cold, warm };
const [mode, ...rest] = process.argv.slice(2);
if (mode in modes) console.log(JSON.stringify(await modes[mode](...rest)));
else console.log(JSON.stringify([mode, ...rest].map(measure), null, 2));

function measure(folder) {
  const cacheDir = mkdtempSync(join(tmpdir(), 'repomap-bench-'));
  try {
    const bareRun = child('bare', folder);
    const coldRun = child('cold', folder, cacheDir);
    const warmRun = child('warm', folder, cacheDir);
    return {
      folder,
      bareMs: bareRun.ms,
      bareCpuMs: bareRun.cpuMs,
      speedOfBare: round(bareRun.ms / coldRun.coldMs),
      speedOfBareByCpu: round(bareRun.cpuMs / coldRun.coldCpuMs),
      ...coldRun,
      ...warmRun,
    };
  } finally {
    rmSync(cacheDir, { recursive: true, force: true });
  }
}

function child(...args) {
  const result = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...args], {
    maxBuffer: 1 << 26,
  });
  if (result.status !== 0) throw new Error(String(result.stderr));
  return JSON.parse(String(result.stdout));
}

/** One thread: what the parser itself costs, with nothing done to what it finds. */
async function bare(folder) {
  const startedAt = performance.now();
  const before = cpuMs();
  const loaded = new Map();
  let captures = 0;
  for (const path of listFiles(folder).paths) {
    const text = decodeSource(readFileSync(join(folder, path)));
    if (text === undefined || looksGenerated(text) || looksMinified(text)) continue;
    const number = languageOfContent(path, text);
    const grammar = number === undefined ? undefined : GRAMMARS[LANGUAGES[number].name];
    if (grammar === undefined) continue;
    if (!loaded.has(grammar)) {
      const language = await grammar.load();
      const parser = new TreeSitter();
      parser.setLanguage(language);
      loaded.set(grammar, { parser, query: new TreeSitter.Query(language, grammar.query) });
    }
    const { parser, query } = loaded.get(grammar);
    const tree = parser.parse(text, null, { bufferSize: text.length + 1 });
    captures += query.captures(tree.rootNode).length;
  }
  return { ms: round(performance.now() - startedAt), cpuMs: round(cpuMs() - before), captures };
}

/** A server's pool and tokenizer are there already; grammars are not. */
async function startedPool() {
  const pool = new WorkerPool({ threads: 1 });
  const root = mkdtempSync(join(tmpdir(), 'repomap-bench-start-'));
  writeFileSync(join(root, 'start.lua'), 'function start() end\n');
  await buildRepoMap({ root, pool });
  rmSync(root, { recursive: true });
  return pool;
}

async function cold(root, cacheDir) {
  const pool = await startedPool();
  const before = cpuMs();
  const { map, ms } = await timed({ root, cacheDir, pool });
  const coldCpuMs = round(cpuMs() - before);
  await pool.close();
  const { files, definitions, references } = map;
  return {
    files,
    definitions,
    references,
    coldMs: ms,
    coldCpuMs,
    peakMemoryMb: round(process.resourceUsage().maxRSS / 1024),
  };
}

async function warm(root, cacheDir) {
  const pool = new WorkerPool({ threads: 1 });
  const first = await timed({ root, cacheDir, pool });
  const runs = [];
  for (let i = 0; i < WARM_RUNS; i++) runs.push((await timed({ root, cacheDir, pool })).ms);
  const changes = [];
  for (let i = 0; i < WARM_RUNS; i++)
    changes.push(await oneChanged(root, cacheDir, pool, first.map.shownFiles[0]));
  await pool.close();
  return {
    restartedMs: first.ms,
    warmMs: median(runs),
    firstChangedMs: changes[0],
    changedMs: median(changes),
  };
}

/** Its lines move, and back: two changes; the first loads the grammar. */
async function oneChanged(root, cacheDir, pool, file) {
  const path = join(root, file);
  const before = readFileSync(path);
  try {
    appendFileSync(path, '\n');
    const { map, ms } = await timed({ root, cacheDir, pool });
    if (map.parsedFiles !== 1) throw new Error(`${map.parsedFiles} files were read again`);
    return ms;
  } finally {
    writeFileSync(path, before);
    await timed({ root, cacheDir, pool });
  }
}

async function timed(options) {
  const startedAt = performance.now();
  const map = await buildRepoMap(options);
  return { map, ms: round(performance.now() - startedAt) };
}

/** Of all threads since the process began: unlike the time on the clock, hardly moved by what else is running. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return round((user + system) / 1000);
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

function round(value) {
  return Math.round(value * 100) / 100;
}
