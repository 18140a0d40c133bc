/**
 * Times the map of real folders; build the packages first.
 *
 *   node bench/repomap.bench.mjs [--rounds N] [--threads N] FOLDER...
 *
 * prints one JSON object a folder. A cold map and a bare loop (bare-loop.mjs) over the same files take turns, each in a
 * process of its own, N times (3). Both are timed from a started process whose worker threads have not started, so each
 * pays for its threads, for tree-sitter, grammars and queries; the bare loop is told its files, the map finds them and
 * writes its cache. Besides: warm after a restart and in the same process, after one file changed, and peak memory.
 * Times are on the clock, beside them processor time of all threads, which other work on the machine moves less.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { lookAtFiles } from '../dist/files/file-listing.js';
import { GRAMMARS } from '../dist/extraction/grammars.js';
import { LANGUAGES, languageOfContent } from '../dist/extraction/languages.js';
import { looksGenerated, looksMinified } from '../dist/files/left-out-files.js';
import { readSource } from '../dist/extraction/source-text.js';
import { bundleMap, loadBundledMap } from './bundled-map.mjs';

const WARM_RUNS = 7;
const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    threads: { type: 'string', default: '1' },
    mode: { type: 'string' },
  },
});
const threads = Number(options.threads);
const modes = { bare, cold, warm };
if (options.mode) console.log(JSON.stringify(await modes[options.mode](...positionals)));
else {
  await bundleMap();
  console.log(JSON.stringify(positionals.map(measure), null, 2));
}

function measure(folder) {
  const rounds = Array.from({ length: Number(options.rounds) }, () => {
    const cacheDir = mkdtempSync(join(tmpdir(), 'repomap-bench-'));
    return { cacheDir, bare: child('bare', folder), cold: child('cold', folder, cacheDir) };
  });
  const warmRun = child('warm', folder, rounds[0].cacheDir);
  for (const { cacheDir } of rounds) rmSync(cacheDir, { recursive: true, force: true });
  const { files, parsedByTreeSitter, definitions, references } = { ...rounds[0].cold, ...rounds[0].bare };
  return {
    folder,
    files,
    parsedByTreeSitter,
    definitions,
    references,
    speedOfBare: ratio(rounds, 'ms'),
    speedOfBareByCpu: ratio(rounds, 'cpuMs'),
    bare: summary(rounds.map((round) => round.bare)),
    cold: summary(rounds.map((round) => round.cold)),
    peakMemoryMb: Math.max(...rounds.map((round) => round.cold.peakMemoryMb)),
    ...warmRun,
  };
}

/** Of the quickest run of each, and pair by pair. */
function ratio(rounds, unit) {
  const quickest = (kind) => Math.min(...rounds.map((round) => round[kind][unit]));
  return {
    ofQuickest: round(quickest('bare') / quickest('cold')),
    median: median(rounds.map((each) => round(each.bare[unit] / each.cold[unit]))),
  };
}

function summary(runs) {
  const of = (unit) => ({
    min: Math.min(...runs.map((run) => run[unit])),
    median: median(runs.map((run) => run[unit])),
  });
  return { ms: of('ms'), cpuMs: of('cpuMs') };
}

function child(mode, ...args) {
  const command = [fileURLToPath(import.meta.url), '--mode', mode, '--threads', String(threads), ...args];
  const result = spawnSync(process.execPath, command, { maxBuffer: 1 << 26 });
  if (result.status !== 0) throw new Error(String(result.stderr));
  return JSON.parse(String(result.stdout));
}

async function bare(folder) {
  const files = await filesForTreeSitter(folder);
  const next = new Int32Array(new SharedArrayBuffer(4));
  const { ms, cpuMs } = await timed(() => {
    const loops = Array.from({ length: threads }, () => bareLoop({ files, next }));
    return Promise.all(loops);
  });
  return { ms, cpuMs, parsedByTreeSitter: files.length };
}

function bareLoop(workerData) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./bare-loop.mjs', import.meta.url), { workerData });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** The files that the map parses, found beforehand. */
async function filesForTreeSitter(folder) {
  const { listing } = await lookAtFiles(folder, { cancelled: () => false }).actual;
  return listing.paths.flatMap((name) => {
    const path = join(folder, name);
    const { text } = readSource(path);
    if (text === undefined || looksGenerated(text) || looksMinified(text)) return [];
    const language = LANGUAGES[languageOfContent(name, text)]?.name;
    return language in GRAMMARS ? [{ path, language }] : [];
  });
}

async function cold(root, cacheDir) {
  const { buildRepoMap, WorkerPool } = await loadBundledMap();
  const pool = new WorkerPool({ threads });
  const { value: map, ...times } = await timed(() => buildRepoMap({ root, cacheDir, pool }));
  const { files, definitions, references } = map;
  const peakMemoryMb = Math.round(process.resourceUsage().maxRSS / 1024);
  await pool.close();
  return { ...times, files, definitions, references, peakMemoryMb };
}

async function warm(root, cacheDir) {
  const { buildRepoMap, WorkerPool } = await loadBundledMap();
  const pool = new WorkerPool({ threads });
  const map = () => timed(() => buildRepoMap({ root, cacheDir, pool }));
  const first = await map();
  const runs = [];
  for (let i = 0; i < WARM_RUNS; i++) runs.push(await map());
  const file = join(root, first.value.shownFiles[0]);
  const changes = [];
  for (let i = 0; i < WARM_RUNS; i++) changes.push(...(await changedAndBack(file, map)));
  const peakMemoryMb = Math.round(process.resourceUsage().maxRSS / 1024);
  await pool.close();
  return {
    restartedMs: first.ms,
    warm: summary(runs),
    firstChangedMs: changes[0].ms,
    changed: summary(changes.slice(1)),
    warmPeakMemoryMb: peakMemoryMb,
  };
}

/** A new definition that is mentioned, at the end; then it is gone again. */
async function changedAndBack(path, map) {
  const before = readFileSync(path);
  const restore = () => writeFileSync(path, before);
  // Whoever has waited enough finds the file as it was.
  const stop = () => {
    restore();
    process.exit(1);
  };
  for (const signal of ENDINGS) process.once(signal, stop);
  const changes = [];
  try {
    appendFileSync(path, '\nclass AddedForTheBenchmark {}\n');
    changes.push(await map());
  } finally {
    restore();
    for (const signal of ENDINGS) process.off(signal, stop);
  }
  changes.push(await map());
  for (const { value } of changes)
    if (value.parsedFiles !== 1) throw new Error(`${value.parsedFiles} files were read again`);
  return changes;
}

async function timed(run) {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  const value = await run();
  const { user, system } = process.cpuUsage(before);
  return { value, ms: round(performance.now() - startedAt), cpuMs: round((user + system) / 1000) };
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

function round(value) {
  return Math.round(value * 100) / 100;
}
