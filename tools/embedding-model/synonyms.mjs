/**
 * Writes packages/retrieval/assets/synonyms.txt: for each word of the built-in model the words nearest to it in meaning,
 * so that a search by words can look these up as well. Takes some seven minutes.
 *
 *   npm run build && node tools/embedding-model/synonyms.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultModelDir, Embedder, WorkerPool } from '@causantic/compute';

const MIN_SIMILARITY = 0.5;
const MAX_SYNONYMS = 10;

/**
 * Forms of one word are one to the index, which stems: told by their beginning and about the same length.
 * @param {string} a
 * @param {string} b
 */
const isFormOf = (a, b) => a.slice(0, 4) === b.slice(0, 4) && Math.abs(a.length - b.length) <= 4;

const modelDir = defaultModelDir();
/** @type {{ model: { vocab: string[] } }} */
const { model } = JSON.parse(readFileSync(join(modelDir, 'tokenizer.json'), 'utf8'));
const words = model.vocab.filter((word) => /^[a-z]{3,}$/.test(word)).sort();
const pool = new WorkerPool({ threads: 1 });
const embedder = await Embedder.open({ pool, modelDir });
const vectors = await embedder.embed(words, 'passage');
await pool.close();

const lines = words.map((word, row) => [word, ...synonymsOf(word, row)]).filter((line) => line.length > 1);
writeFileSync(
  'packages/retrieval/assets/synonyms.txt',
  `${lines.map((line) => line.join(' ')).join('\n')}\n`,
);
console.log(`${lines.length} of ${words.length} words have synonyms.`);

/**
 * `email 72`: words with their cosines in percent, best first.
 * @param {string} word
 * @param {number} row
 */
function synonymsOf(word, row) {
  const near = words
    .map((near, other) => ({ word: near, similarity: other === row ? 0 : cosine(row, other) }))
    .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity);
  /** @type {typeof near} */
  const chosen = [];
  for (const other of near) {
    if (chosen.length === MAX_SYNONYMS) break;
    if ([word, ...chosen.map((each) => each.word)].some((each) => isFormOf(each, other.word))) continue;
    chosen.push(other);
  }
  return chosen.map((other) => `${other.word} ${Math.floor(other.similarity * 100)}`);
}

/**
 * @param {number} a
 * @param {number} b
 */
function cosine(a, b) {
  const dim = vectors.length / words.length;
  let sum = 0;
  for (let i = 0; i < dim; i++) sum += (vectors[a * dim + i] ?? 0) * (vectors[b * dim + i] ?? 0);
  return sum;
}
