import { join } from 'node:path';
import { asNativeModuleError } from '@causantic/domain';
import type * as OnnxRuntime from 'onnxruntime-node';
import type { EmbeddingKind, EmbeddingModel } from './embedding-model.js';
import type { GraphOutput } from './model-registry.js';
import { refuseTelemetry } from '../no-telemetry.js';
import { readModelSpec, unusablePart, type ModelSpec } from './model-spec.js';
import {
  loadTokenizer,
  tokensOf,
  weighedAlike,
  type TextTokens,
  type Tokenizer,
  type WeighedTokens,
} from './tokenizer.js';
import { scaleToUnitLength } from './unit-length.js';

/** Maximum tokens per batch, padding included. Padding is computed like text, so a batch has texts of similar length. */
const BATCH_TOKENS = 4096;

type Runtime = typeof OnnxRuntime;

/** A model as ONNX Runtime computes it: each run blocks its thread in native code. */
export class OnnxModel implements EmbeddingModel {
  private constructor(
    private readonly spec: ModelSpec,
    private readonly runtime: Runtime,
    private readonly session: OnnxRuntime.InferenceSession,
    private readonly tokenizer: Tokenizer,
  ) {}

  /** @throws ComputeError MODEL_MISSING; NativeModuleError */
  static async load(modelDir: string): Promise<OnnxModel> {
    const spec = await readModelSpec(modelDir);
    // Before the session, which nobody would release if it failed.
    const tokenizer = await loadTokenizer(modelDir, spec);
    const { runtime, session } = await openSession(modelDir);
    return new OnnxModel(spec, runtime, session, tokenizer);
  }

  async embed(
    texts: readonly string[],
    kind: EmbeddingKind,
    betweenBatches: (done: number) => void,
  ): Promise<Float32Array<ArrayBuffer>> {
    const encoded = tokensOf(texts, kind, this.tokenizer, this.spec);
    const vectors = new Float32Array(texts.length * this.spec.dim);
    let done = 0;
    for (const rows of batchesOfLikeLength(encoded)) {
      await this.embedBatch(encoded, rows, vectors);
      betweenBatches((done += rows.length));
    }
    encoded.forEach(({ isKnown }, row) => {
      if (!isKnown) vectors.fill(0, row * this.spec.dim, (row + 1) * this.spec.dim);
    });
    return vectors;
  }

  async release(): Promise<void> {
    await this.session.release();
  }

  private async embedBatch(encoded: TextTokens[], rows: number[], vectors: Float32Array): Promise<void> {
    const batch = rows.map((row) => encoded[row]!);
    const length = Math.max(1, ...batch.map(({ ids }) => ids.length));
    const feeds = feedsOf(this.runtime, this.session, batch, length);
    const outputs = await this.session.run(feeds, [this.spec.outputName]);
    const output = outputs[this.spec.outputName]!;
    this.checkShape(output, rows.length, length);
    const hidden = output.data as Float32Array;
    rows.forEach((row, position) => {
      const target = vectors.subarray(row * this.spec.dim, (row + 1) * this.spec.dim);
      this.pool(hidden, position, length, encoded[row]!.ids.length, target);
      if (this.spec.normalize) scaleToUnitLength(target);
    });
    output.dispose();
  }

  private checkShape(output: OnnxRuntime.Tensor, count: number, length: number): void {
    const expected = this.spec.pooling === 'none' ? [count, this.spec.dim] : [count, length, this.spec.dim];
    if (output.dims.join() === expected.join() && output.type === 'float32') return;
    throw new Error(
      `The model ${this.spec.id} returns ${output.type} [${output.dims.join(', ')}] as "${this.spec.outputName}", ` +
        `where float32 [${expected.join(', ')}] was expected: its model.json is wrong.`,
    );
  }

  private pool(
    hidden: Float32Array,
    position: number,
    length: number,
    tokens: number,
    target: Float32Array,
  ): void {
    const { dim, pooling } = this.spec;
    const start = position * dim * (pooling === 'none' ? 1 : length);
    if (pooling !== 'mean') {
      target.set(hidden.subarray(start, start + dim));
      return;
    }
    for (let token = 0, at = start; token < tokens; token++) {
      for (let j = 0; j < dim; j++) target[j]! += hidden[at++]!;
    }
    for (let j = 0; j < dim; j++) target[j]! /= Math.max(1, tokens);
  }
}

async function openSession(
  modelDir: string,
): Promise<{ runtime: Runtime; session: OnnxRuntime.InferenceSession }> {
  refuseTelemetry();
  const runtime = await import('onnxruntime-node').catch((error: unknown) => {
    throw asNativeModuleError(error, 'onnxruntime-node');
  });
  const path = join(modelDir, 'model.onnx');
  const session = await runtime.InferenceSession.create(path, {
    intraOpNumThreads: 1, // The pool's workers are the parallelism; a thread pool in each would fight over the cores.
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 4, // What goes wrong is thrown; on stderr it would only come twice.
  }).catch((error: unknown) => {
    throw unusablePart(path, error);
  });
  return { runtime, session };
}

/** All outputs of the graph in `modelDir` for one short text; needs no model.json. */
export async function inspectOutputs(modelDir: string): Promise<GraphOutput[]> {
  const ids = (await loadTokenizer(modelDir)).encode('a text to try the model with', 16);
  const { runtime, session } = await openSession(modelDir);
  try {
    const outputs = await session.run(feedsOf(runtime, session, [weighedAlike(ids)], ids.length));
    return Object.entries(outputs).map(([name, { dims }]) => ({ name, dims: [...dims] }));
  } finally {
    await session.release();
  }
}

/** Only the inputs that the graph has, padded to `length`: not every model takes token types. */
function feedsOf(
  runtime: Runtime,
  session: OnnxRuntime.InferenceSession,
  batch: WeighedTokens[],
  length: number,
): Record<string, OnnxRuntime.Tensor> {
  const ids = new BigInt64Array(batch.length * length);
  const mask = new BigInt64Array(batch.length * length);
  batch.forEach((tokens, row) => {
    tokens.ids.forEach((id, column) => {
      ids[row * length + column] = BigInt(id);
      mask[row * length + column] = BigInt(tokens.weights[column]!);
    });
  });
  const data: Record<string, BigInt64Array> = { input_ids: ids, attention_mask: mask };
  const tensorOf = (name: string) =>
    new runtime.Tensor('int64', data[name] ?? new BigInt64Array(ids.length), [batch.length, length]);
  return Object.fromEntries(session.inputNames.map((name) => [name, tensorOf(name)]));
}

/** Rows by length, cut into batches that hold at most {@link BATCH_TOKENS}, padding included, or a single text. */
function batchesOfLikeLength(encoded: TextTokens[]): number[][] {
  const lengths = encoded.map(({ ids }) => ids.length);
  const byLength = lengths.map((_, row) => row).sort((a, b) => lengths[a]! - lengths[b]!);
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const row of byLength) {
    if (batch.length > 0 && (batch.length + 1) * lengths[row]! > BATCH_TOKENS) {
      batches.push(batch);
      batch = [];
    }
    batch.push(row);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
