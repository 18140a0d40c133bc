/**
 * Feeds every extractor truncated, shuffled and random bytes of real files; build the package first.
 *
 *   node bench/fuzz.mjs SECONDS FOLDER... [--seed N]
 *
 * runs for so many seconds over the folders' files and prints, as JSON, per language the inputs given, the longest
 * time one took, and what failed, and the process's memory ten times on the way; exits with 1 if anything but a time
 * limit failed. The same seed gives the same inputs. With `--expose-gc` memory is read after a collection.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GRAMMARS } from '../dist/extraction/grammars.js';
import { lookAtFiles } from '../dist/files/file-listing.js';
import { LANGUAGES, languageOfContent } from '../dist/extraction/languages.js';
import { ParseTimeoutError } from '../dist/extraction/parse-timeout.js';
import { extractWithRegex } from '../dist/extraction/regex-extractor.js';
import { TreeSitterExtractor } from '../dist/extraction/tree-sitter-extractor.js';

const TIMEOUT_MS = 2000;
const MAX_SAMPLES = 40;
const args = process.argv.slice(2);
const seedAt = args.indexOf('--seed');
const random = seeded(seedAt === -1 ? 12345 : Number(args.splice(seedAt, 2)[1]));
const [seconds, ...folders] = args;
const treeSitter = new TreeSitterExtractor(TIMEOUT_MS);
const samples = await samplesByLanguage();
const report = {};
const startedAt = performance.now();
const memory = [];
let round = 0;
while (performance.now() < startedAt + Number(seconds) * 1000) {
  for (const [name, texts] of samples) await tryOne(name, mutated(pick(texts)));
  // Native trees are freed in the event loop, as they are between the files of a batch.
  await new Promise(setImmediate);
  round++;
  if (performance.now() - startedAt > (memory.length * Number(seconds) * 1000) / 10) memory.push(memoryNow());
}
memory.push(memoryNow());
console.log(JSON.stringify({ rounds: round, memory, languages: report }, null, 2));
process.exitCode = Object.values(report).some(({ failures }) => failures.length > 0) ? 1 : 0;

function memoryNow() {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const megabytes = (bytes) => Math.round(bytes / 1e6);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return { seconds, rss: megabytes(rss), heap: megabytes(heapUsed), external: megabytes(external) };
}

async function tryOne(name, text) {
  const entry = (report[name] ??= { inputs: 0, longestMs: 0, timeouts: 0, failures: [] });
  const startedAt = performance.now();
  try {
    if (name in GRAMMARS) await treeSitter.extract(name, text);
    else extractWithRegex(name, text, TIMEOUT_MS);
  } catch (error) {
    if (error instanceof ParseTimeoutError) entry.timeouts++;
    else entry.failures.push(String(error));
  }
  entry.inputs++;
  entry.longestMs = Math.max(entry.longestMs, Math.round(performance.now() - startedAt));
}

async function samplesByLanguage() {
  const found = new Map(LANGUAGES.map(({ name }) => [name, []]));
  for (const folder of folders) {
    for (const path of (await lookAtFiles(folder, { cancelled: () => false }).actual).listing.paths) {
      const text = readFileSync(join(folder, path), 'utf8');
      const texts = found.get(LANGUAGES[languageOfContent(path, text)]?.name);
      if (texts !== undefined && texts.length < MAX_SAMPLES && text.length < 200_000) texts.push(text);
    }
  }
  return [...found].filter(([, texts]) => texts.length > 0);
}

function mutated(text) {
  const mutations = [
    () => text.slice(0, random(text.length)),
    () => text.slice(random(text.length)),
    () => shuffled(text.split('\n')).join('\n'),
    () => shuffled(text.split(/\b/)).join(''),
    () => replaced(text, 50),
    () => Array.from({ length: 2000 }, () => String.fromCharCode(random(0x3000))).join(''),
    () => text.replace(/[)}\]"'`]/g, (mark) => (random(4) === 0 ? '' : mark)),
    () => text.slice(0, 500).repeat(random(60) + 1),
  ];
  return pick(mutations)();
}

function replaced(text, count) {
  const characters = [...text];
  for (let i = 0; i < count; i++) characters[random(characters.length)] = String.fromCharCode(random(256));
  return characters.join('');
}

function shuffled(items) {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random(i + 1);
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}

function pick(items) {
  return items[random(items.length)];
}

/** Mulberry32: enough for inputs, and the same ones every time. */
function seeded(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, below);
  };
}
