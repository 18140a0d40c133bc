import { defaultModelDir, Embedder, WorkerPool } from '@causantic/compute';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddingKind } from '../src/models/embedding-model.js';
import {
  asOfBuiltIn,
  asOfBuiltInAcrossLanguages,
  BUILT_IN_SCALE,
  cosineOfPassages,
  knowsOtherLanguages,
  measureScale,
  type SimilarityScale,
} from '../src/models/similarity-scale.js';

const PARTS = Object.keys(BUILT_IN_SCALE) as (keyof SimilarityScale)[];

const pool = new WorkerPool({ threads: 1 });
let embedder: Embedder;

beforeAll(async () => {
  embedder = await Embedder.open({ pool, modelDir: defaultModelDir() });
});

afterAll(() => pool.close());

/** As a model for which all texts are alike: each vector has a large part in a direction of its own. */
async function embedAlike(texts: string[], kind: EmbeddingKind): Promise<Float32Array> {
  const { dim } = embedder.model;
  const vectors = await embedder.embed(texts, kind);
  const common = 1.4;
  const length = Math.sqrt(1 + common ** 2);
  return Float32Array.from({ length: texts.length * (dim + 1) }, (_, at) => {
    const column = at % (dim + 1);
    return (column === dim ? common : vectors[Math.floor(at / (dim + 1)) * dim + column]!) / length;
  });
}

describe('what the cosines of a model mean', () => {
  it('is measured by the built-in model', async () => {
    const scale = await measureScale((texts, kind) => embedder.embed(texts, kind));
    for (const part of PARTS) expect(scale[part]).toBeCloseTo(BUILT_IN_SCALE[part], 2);
    expect(embedder.similarity(0.4)).toBe(0.4);
    expect(embedder.cosineOfPassages(0.8)).toBe(0.8);
    expect(embedder.similarityAcrossLanguages(0.4)).toBeUndefined();
  });

  it('is the same for a model that finds all texts alike', async () => {
    const scale = await measureScale(embedAlike);
    expect(scale.unrelated).toBeGreaterThan(0.6);
    for (const part of ['unrelated', 'related'] as const)
      expect(asOfBuiltIn(scale[part], scale)).toBeCloseTo(BUILT_IN_SCALE[part], 2);
    expect(asOfBuiltIn(1, scale)).toBe(1);
    expect(cosineOfPassages(BUILT_IN_SCALE.passages, scale)).toBeCloseTo(scale.passages, 2);
    expect(cosineOfPassages(1, scale)).toBe(1);
  });

  it('stays within bounds, whatever a model finds', () => {
    const scale = { unrelated: 1, related: 1, acrossLanguages: 1, unrelatedAcrossLanguages: 1, passages: 1 };
    expect(asOfBuiltIn(0.9, scale)).toBe(-1);
    expect(asOfBuiltIn(1, scale)).toBe(1);
    expect(knowsOtherLanguages(scale)).toBe(false);
  });

  // As measured with multilingual-e5-small, e5-small-v2, bge-small-en, bge-small-zh-v1.5 and all-MiniLM-L6-v2.
  it.each([
    [[0.778, 0.837, 0.794, 0.744], true],
    [[0.749, 0.831, 0.667, 0.652], false],
    [[0.707, 0.818, 0.656, 0.637], false],
    [[0.547, 0.609, 0.426, 0.4], false],
    [[0.032, 0.446, 0.037, -0.002], false],
  ])('tells whether it knows other languages: %j', ([unrelated, related, across, unrelatedAcross], knows) => {
    const scale = {
      unrelated: unrelated!,
      related: related!,
      acrossLanguages: across!,
      unrelatedAcrossLanguages: unrelatedAcross!,
      passages: 0.8,
    };
    expect(knowsOtherLanguages(scale)).toBe(knows);
    expect(asOfBuiltInAcrossLanguages(1, scale)).toBe(knows ? 1 : undefined);
  });

  it('takes a question in another language for as similar as unrelated texts of that language', () => {
    const scale = {
      unrelated: 0.776,
      related: 0.834,
      acrossLanguages: 0.792,
      unrelatedAcrossLanguages: 0.742,
      passages: 0.8,
    };
    const unrelated = asOfBuiltInAcrossLanguages(scale.unrelatedAcrossLanguages, scale);
    expect(unrelated).toBeCloseTo(BUILT_IN_SCALE.unrelated, 6);
    expect(unrelated).toBeGreaterThan(asOfBuiltIn(scale.unrelatedAcrossLanguages, scale));
  });
});
