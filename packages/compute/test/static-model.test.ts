import { defaultModelDir } from '@causantic/compute';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { itWithOnnxRuntime } from '../../../test/onnx-runtime.js';
import { OnnxModel } from '../src/models/onnx-model.js';
import { StaticModel } from '../src/models/static-model.js';

const paragraphs = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8').split('\n\n');
const texts = [
  ...paragraphs,
  '',
  '⚓',
  '使用Docker部署 수리',
  paragraphs.join(' ').repeat(20),
  `${'parser '.repeat(300)}cache`,
];

describe('a static model without ONNX Runtime', () => {
  itWithOnnxRuntime('gives the vectors that ONNX Runtime gives', async () => {
    const runtime = await OnnxModel.load(defaultModelDir());
    const expected = await runtime.embed(texts, 'passage', () => undefined);
    await runtime.release();
    const model = await StaticModel.load(defaultModelDir());
    const vectors = await model!.embed(texts, 'passage', () => undefined);
    expect(vectors).toHaveLength(expected.length);
    const differences = vectors.map((value, i) => Math.abs(value - expected[i]!));
    expect(Math.max(...differences)).toBeLessThan(1e-6);
  });

  const textsInOtherLanguages = async (Model: typeof OnnxModel | typeof StaticModel): Promise<void> => {
    const model = await Model.load(defaultModelDir());
    const queries = ['لماذا يفشل البناء؟', 'γιατί αποτυγχάνει;', 'Why does the البناء fail?'];
    const vectors = await model!.embed(queries, 'query', () => undefined);
    await model!.release();
    const dim = vectors.length / queries.length;
    const isZero = queries.map((_, i) =>
      vectors.subarray(i * dim, (i + 1) * dim).every((value) => value === 0),
    );
    expect(isZero).toEqual([true, true, false]);
  };
  it('a text of which the model knows little is like nothing', () => textsInOtherLanguages(StaticModel));
  itWithOnnxRuntime('nor has it a vector with ONNX Runtime', () => textsInOtherLanguages(OnnxModel));

  const repeatedWords = async (Model: typeof OnnxModel | typeof StaticModel): Promise<void> => {
    const model = await Model.load(defaultModelDir());
    const repeats = [1, 4, 9];
    const words = ['parser', 'cache', ...repeats.map((count) => `${'parser '.repeat(count)}cache`)];
    const vectors = await model!.embed(words, 'passage', () => undefined);
    await model!.release();
    const dim = vectors.length / words.length;
    const [parser, cache, ...mixed] = words.map((_, i) => vectors.subarray(i * dim, (i + 1) * dim));
    const shares = mixed.map((vector) => shareOfFirst(vector, parser!, cache!));
    expect(shares.map((share) => Math.round((100 * share) / shares[0]!) / 100)).toEqual([1, 2, 3]);
  };
  it('counts a word by the square root of how often it stands there', () => repeatedWords(StaticModel));
  itWithOnnxRuntime('counts it so with ONNX Runtime', () => repeatedWords(OnnxModel));

  it('tells how far it is, and stops when that is wished', async () => {
    const model = await StaticModel.load(defaultModelDir());
    const progress: number[] = [];
    const many = Array.from({ length: 70 }, (_, i) => `text ${i}`);
    await model!.embed(many, 'query', (done) => progress.push(done));
    expect(progress).toEqual([32, 64, 70]);
    const stop = (): never => {
      throw new Error('enough');
    };
    await expect(model!.embed(many, 'query', stop)).rejects.toThrow('enough');
  });

  it('is none where the graph has layers', async () => {
    expect(await StaticModel.load(join(import.meta.dirname, 'fixtures', 'tiny-transformer'))).toBeUndefined();
  });
});

/** x / y of x · a + y · b, which is the vector; a and b have length 1. */
function shareOfFirst(vector: Float32Array, a: Float32Array, b: Float32Array): number {
  const ab = dot(a, b);
  return (dot(vector, a) - ab * dot(vector, b)) / (dot(vector, b) - ab * dot(vector, a));
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}
