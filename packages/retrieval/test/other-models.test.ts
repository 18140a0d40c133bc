import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { type ModelSpec, WorkerPool } from '@causantic/compute';
import { search } from '@causantic/retrieval';
import { itWithOnnxRuntime } from '../../../test/onnx-runtime.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { byMeaning, embeddedMemory } from './embedded-memory.js';

const TINY_MODEL = join(import.meta.dirname, '../../compute/test/fixtures/tiny-static');
const PASSAGES = ['the parser failed at last', 'test pass after test, again'];
const QUESTION = 'warum scheiterte der zerleger';

const pool = new WorkerPool({ threads: 1 });

afterAll(() => pool.close());

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** A model to which these German words mean what the English ones do. */
function modelOfTwoLanguages(similarity: NonNullable<ModelSpec['similarity']>): string {
  const folder = join(temporaryFolder(), 'model');
  cpSync(TINY_MODEL, folder, { recursive: true });
  const tokenizer = readJson(join(folder, 'tokenizer.json')) as { model: { vocab: Record<string, number> } };
  const { vocab } = tokenizer.model;
  const german = { warum: 'the', der: 'the', zerleger: 'parser', scheiterte: 'failed' };
  for (const [word, english] of Object.entries(german)) vocab[word] = vocab[english]!;
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  const spec = readJson(join(folder, 'model.json')) as ModelSpec;
  writeFileSync(join(folder, 'model.json'), JSON.stringify({ ...spec, similarity }));
  return folder;
}

const memoryWith = (similarity: NonNullable<ModelSpec['similarity']>) =>
  embeddedMemory(PASSAGES, pool, modelOfTwoLanguages(similarity));

/** Like multilingual-e5-small: questions in another language are less alike than English ones to all English texts. */
const MULTILINGUAL = { unrelated: 0.75, related: 0.85, acrossLanguages: 0.8, passages: 0.8 };

itWithOnnxRuntime.each([
  ['is answered where the model knows it', 0.7, [PASSAGES[0]]],
  ['is not, where it does not', 0.78, []],
])('a question in another language than the memory %s', async (_, unrelatedAcrossLanguages, found) => {
  const { store, semantic } = await memoryWith({ ...MULTILINGUAL, unrelatedAcrossLanguages });
  const { hits } = await search(byMeaning(store, semantic), {
    query: QUESTION,
    scope: {},
    budgetTokens: 2_000,
  });
  expect(hits.slice(0, 1).map(({ chunk }) => chunk.text)).toEqual(found);
});

itWithOnnxRuntime.each([
  ['from a model that finds few texts alike', 0.1, [PASSAGES[0]]],
  ['from one that finds all alike', 0.95, []],
])('a limit of similarity holds for cosines %s', async (_, unrelated, found) => {
  const { store, semantic } = await memoryWith({
    unrelated,
    related: 1,
    acrossLanguages: 0,
    unrelatedAcrossLanguages: 0,
    passages: 1,
  });
  const ids = [1, 2];
  const similar = await semantic.similarAmong('the parser failed at', {
    projectId: 1,
    ids,
    minSimilarity: 0.6,
  });
  expect(store.chunks.get(similar.ids).map(({ text }) => text)).toEqual(found);
});
