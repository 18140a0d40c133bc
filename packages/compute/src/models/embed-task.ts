import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ComputeError, NativeModuleError } from '@causantic/domain';
import type { EmbeddingKind, EmbeddingModel } from './embedding-model.js';
import type { GraphOutput } from './model-registry.js';
import { MODEL_FILES } from './model-spec.js';
import { inspectOutputs, OnnxModel } from './onnx-model.js';
import { StaticModel } from './static-model.js';
import { transferred, type TaskContext } from '../pool/task.js';

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
const loaded = new Map<string, Promise<EmbeddingModel>>();

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

async function modelAt(modelDir: string): Promise<EmbeddingModel> {
  const times = MODEL_FILES.map((file) => timeOf(join(modelDir, file)));
  const key = [modelDir, ...times].join('#');
  const known = loaded.get(key);
  if (known) return known;
  await releaseOldest();
  const loading = loadModel(modelDir);
  loaded.set(key, loading);
  loading.catch(() => loaded.delete(key));
  return loading;
}

/**
 * The model in a folder. ONNX Runtime has no build for Macs with Intel's processors and for musl (Alpine): a static
 * model, as the built-in one is, does without it there.
 *
 * @throws ComputeError MODEL_MISSING
 * @throws NativeModuleError for any other model where ONNX Runtime does not load
 */
async function loadModel(modelDir: string): Promise<EmbeddingModel> {
  try {
    return await OnnxModel.load(modelDir);
  } catch (error) {
    const model = error instanceof NativeModuleError ? await StaticModel.load(modelDir) : undefined;
    if (model === undefined) throw error;
    return model;
  }
}

/** NaN for a file that is not there: loading says it better. At once, for every question waits for it. */
function timeOf(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return NaN;
  }
}

async function releaseOldest(): Promise<void> {
  for (const [key, model] of loaded) {
    if (loaded.size < MAX_LOADED_MODELS) return;
    loaded.delete(key);
    await (await model).release();
  }
}
