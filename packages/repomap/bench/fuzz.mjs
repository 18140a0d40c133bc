/**
 * Feeds every extractor truncated, shuffled and random bytes of real files; build the package first.
 *
 *   node bench/fuzz.mjs SECONDS FOLDER...
 *
 * runs for so many seconds over the folders' files and prints, as JSON, per language the inputs given, the longest
 * time one took, and what failed; exits with 1 if anything but a time limit failed. The seed is fixed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GRAMMARS } from '../dist/grammars.js';
import { listFiles } from '../dist/file-listing.js';
import { LANGUAGES, languageOfContent } from '../dist/languages.js';
import { ParseTimeoutError } from '../dist/parse-timeout.js';
import { extractWithRegex } from '../dist/regex-extractor.js';
import { TreeSitterExtractor } from '../dist/tree-sitter-extractor.js';

const TIMEOUT_MS = 2000;
const MAX_SAMPLES = 40;
const [seconds, ...folders] = process.argv.slice(2);
const random = seeded(12345);
const treeSitter = new TreeSitterExtractor(TIMEOUT_MS);
const samples = samplesByLanguage();
const report = {};
const endsAt = performance.now() + Number(seconds) * 1000;
const memoryBefore = process.memoryUsage.rss();
while (performance.now() < endsAt)
  for (const [name, texts] of samples) await tryOne(name, mutated(pick(texts)));
const memoryMb = Math.round((process.memoryUsage.rss() - memoryBefore) / 1e6);
console.log(JSON.stringify({ memoryGrowthMb: memoryMb, languages: report }, null, 2));
process.exitCode = Object.values(report).some(({ failures }) => failures.length > 0) ? 1 : 0;

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

function samplesByLanguage() {
  const found = new Map(LANGUAGES.map(({ name }) => [name, []]));
  for (const folder of folders) {
    for (const path of (await listFiles(folder)).listing.paths) {
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
