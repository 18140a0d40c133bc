import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ComputeError } from '@causantic/domain';
import type { GraphOutput } from './model-registry.js';
import { MODEL_FILES } from './model-spec.js';
import { inspectOutputs, OnnxModel, type EmbeddingKind } from './onnx-model.js';
import { transferred, type TaskContext } from './task.js';

export interface EmbedInput {
  modelDir: string;
  texts: readonly string[];
  kind: EmbeddingKind;
}

export interface EmbedOutput {
  vectors: Float32Array<ArrayBuffer>;
  /** Time in the model and its tokenizer, without loading them: what batch sizes are tuned by. */
  embedMs: number;
}

/** While models are being switched a query still needs the old one. */
const MAX_LOADED_MODELS = 2;

/** By folder and the times of its files: a model may be replaced while the worker lives. */
const loaded = new Map<string, Promise<OnnxModel>>();

/** Runs in a pool's worker; the model stays loaded there. */
export async function embedTexts(
  { modelDir, texts, kind }: EmbedInput,
  context: TaskContext,
): Promise<EmbedOutput> {
  const model = await modelAt(modelDir);
  const startedAtMs = performance.now();
  const vectors = await model.embed(texts, kind, (done) => {
    context.progress(done, texts.length);
    if (context.cancelled()) throw new ComputeError('ABORTED', 'The embedding was cancelled.');
  });
  return transferred({ vectors, embedMs: performance.now() - startedAtMs }, [vectors.buffer]);
}

export interface InspectInput {
  modelDir: string;
}

/** What a graph gives for one text: how a model of which nothing else is known gets its description. */
export async function inspectGraph({ modelDir }: InspectInput): Promise<GraphOutput[]> {
  return inspectOutputs(modelDir);
}

async function modelAt(modelDir: string): Promise<OnnxModel> {
  const times = await Promise.all(MODEL_FILES.map((file) => timeOf(join(modelDir, file))));
  const key = [modelDir, ...times].join('#');
  const known = loaded.get(key);
  if (known) return known;
  await releaseOldest();
  const loading = OnnxModel.load(modelDir);
  loaded.set(key, loading);
  loading.catch(() => loaded.delete(key));
  return loading;
}

/** NaN for a file that is not there: loading says it better. */
async function timeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => NaN,
  );
}

async function releaseOldest(): Promise<void> {
  for (const [key, model] of loaded) {
    if (loaded.size < MAX_LOADED_MODELS) return;
    loaded.delete(key);
    await (await model).release();
  }
}
