import { defaultModelDir, Embedder, WorkerPool } from '@causantic/compute';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddingKind } from '../src/models/embedding-model.js';
import {
  asOfBuiltIn,
  BUILT_IN_SCALE,
  cosineOfPassages,
  knowsOtherLanguages,
  measureScale,
} from '../src/models/similarity-scale.js';

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
    for (const part of ['unrelated', 'related', 'acrossLanguages', 'passages'] as const)
      expect(scale[part]).toBeCloseTo(BUILT_IN_SCALE[part], 2);
    expect(embedder.similarity(0.4)).toBe(0.4);
    expect(embedder.cosineOfPassages(0.8)).toBe(0.8);
    expect(embedder.knowsOtherLanguages).toBe(false);
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
    const scale = { unrelated: 1, related: 1, acrossLanguages: 1, passages: 1 };
    expect(asOfBuiltIn(0.9, scale)).toBe(-1);
    expect(asOfBuiltIn(1, scale)).toBe(1);
    expect(knowsOtherLanguages(scale)).toBe(false);
  });

  it.each([
    [{ unrelated: 0.74, related: 0.86, acrossLanguages: 0.83, passages: 0.8 }, true],
    [{ unrelated: 0.74, related: 0.86, acrossLanguages: 0.76, passages: 0.8 }, false],
    [BUILT_IN_SCALE, false],
  ])('tells whether it knows other languages: %j', (scale, knows) => {
    expect(knowsOtherLanguages(scale)).toBe(knows);
  });
});
