import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddingKind, EmbeddingModel } from './embedding-model.js';
import { readModelSpec, type ModelSpec } from './model-spec.js';
import { onnxTensors } from './onnx-tensors.js';
import { loadTokenizer, tokensOf, type Tokenizer, type WeighedTokens } from './tokenizer.js';
import { scaleToUnitLength } from './unit-length.js';

/** Texts between two checks for cancellation. */
const BATCH_TEXTS = 32;

/**
 * A model without layers, computed here in the way its graph does: a text is the sum of its tokens' int8 rows,
 * each times the token's weight, times one scale per dimension, normalized to unit length.
 */
export class StaticModel implements EmbeddingModel {
  private constructor(
    private readonly spec: ModelSpec,
    /** Tokens × dim. */
    private readonly rows: Int8Array,
    private readonly scale: Float32Array,
    private readonly tokenizer: Tokenizer,
  ) {}

  /**
   * @returns undefined for a model of another kind
   * @throws ComputeError MODEL_MISSING
   */
  static async load(modelDir: string): Promise<StaticModel | undefined> {
    const spec = await readModelSpec(modelDir);
    const tensors = onnxTensors(await readFile(join(modelDir, 'model.onnx')));
    const rows = tensors.get('rows');
    const scale = tensors.get('scale');
    if (rows === undefined || scale?.length !== spec.dim * Float32Array.BYTES_PER_ELEMENT) return undefined;
    return new StaticModel(
      spec,
      new Int8Array(rows.buffer, rows.byteOffset, rows.length),
      new Float32Array(Uint8Array.from(scale).buffer),
      await loadTokenizer(modelDir, spec),
    );
  }

  async embed(
    texts: readonly string[],
    kind: EmbeddingKind,
    betweenBatches: (done: number) => void,
  ): Promise<Float32Array<ArrayBuffer>> {
    const { dim } = this.spec;
    const vectors = new Float32Array(texts.length * dim);
    for (const [row, tokens] of tokensOf(texts, kind, this.tokenizer, this.spec).entries()) {
      if (tokens.isKnown) this.sum(tokens, vectors.subarray(row * dim, (row + 1) * dim));
      const done = row + 1;
      if (done % BATCH_TEXTS === 0 || done === texts.length) betweenBatches(done);
    }
    return vectors;
  }

  async release(): Promise<void> {
    // Nothing native is held.
  }

  private sum({ ids, weights }: WeighedTokens, target: Float32Array): void {
    const { rows, scale } = this;
    const sums = new Int32Array(target.length);
    for (const [i, id] of ids.entries()) {
      const start = id * sums.length;
      const weight = weights[i]!;
      for (let j = 0; j < sums.length; j++) sums[j]! += weight * rows[start + j]!;
    }
    for (let j = 0; j < sums.length; j++) target[j] = sums[j]! * scale[j]!;
    scaleToUnitLength(target);
  }
}
