import { ComputeError } from '@causantic/domain';
import { OnnxModel, type EmbeddingKind } from './onnx-model.js';
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

async function modelAt(modelDir: string): Promise<OnnxModel> {
  const known = loaded.get(modelDir);
  if (known) return known;
  await releaseOldest();
  const loading = OnnxModel.load(modelDir);
  loaded.set(modelDir, loading);
  loading.catch(() => loaded.delete(modelDir));
  return loading;
}

async function releaseOldest(): Promise<void> {
  for (const [modelDir, model] of loaded) {
    if (loaded.size < MAX_LOADED_MODELS) return;
    loaded.delete(modelDir);
    await (await model).release();
  }
}
