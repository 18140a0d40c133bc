import { ComputeError, InvalidArgumentError } from '@causantic/domain';
import type { EmbedInput, EmbedOutput } from './embed-task.js';
import { readModelSpec, type ModelSpec } from './model-spec.js';
import type { EmbeddingKind } from './embedding-model.js';
import { asOfBuiltIn, asOfBuiltInAcrossLanguages, cosineOfPassages } from './similarity-scale.js';
import { defineTask } from '../pool/task.js';
import type { WorkerPool } from '../pool/worker-pool.js';

export interface EmbedOptions {
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

const embedTexts = defineTask<EmbedInput, EmbedOutput>(
  new URL('./embed-task.js', import.meta.url),
  'embedTexts',
);

/** How long a batch may take, whatever the model's speed: a query waits at most for the running batch. */
const TARGET_BATCH_MS = 40;
const FIRST_BATCH_TEXTS = 8;
const MAX_BATCH_TEXTS = 256;
/** About what a thread needs to start and to load the model, which it then holds in 50 MB or more. */
const WORTH_A_THREAD_MS = 250;

/** Turns texts into vectors with one model, in the workers of a pool. */
export class Embedder {
  private batchTexts = FIRST_BATCH_TEXTS;
  private msPerText = 0;

  private constructor(
    /** The pool whose workers embed. */
    readonly pool: WorkerPool,
    private readonly modelDir: string,
    private readonly spec: ModelSpec,
  ) {}

  /**
   * Checks the model's folder. The model itself is loaded for the first text.
   *
   * @throws ComputeError MODEL_MISSING
   */
  static async open({ pool, modelDir }: { pool: WorkerPool; modelDir: string }): Promise<Embedder> {
    return new Embedder(pool, modelDir, await readModelSpec(modelDir));
  }

  get model(): { id: string; dim: number; maxTokens: number } {
    const { id, dim, maxTokens } = this.spec;
    return { id, dim, maxTokens };
  }

  /** Whether it has learnt Cyrillic, Hangul, Chinese and Japanese, Spanish, Portuguese, French and German from translations. */
  get knowsTaughtLanguages(): boolean {
    return this.spec.otherScripts !== undefined;
  }

  /** What two texts of this cosine are to each other, on the built-in model's scale: one limit then fits all models. */
  similarity(cosine: number): number {
    return asOfBuiltIn(cosine, this.spec.similarity);
  }

  /** The same for a question in another language than the text; undefined if the model does not know other languages. */
  similarityAcrossLanguages(cosine: number): number | undefined {
    return asOfBuiltInAcrossLanguages(cosine, this.spec.similarity);
  }

  /** The cosine of two passages that have this one with the built-in model: its limits, for vectors as they are. */
  cosineOfPassages(ofBuiltIn: number): number {
    return cosineOfPassages(ofBuiltIn, this.spec.similarity);
  }

  /**
   * Embeds texts. A query goes before waiting passages.
   *
   * @returns one unit vector per text in the order of the texts, n × dim, row-major; all zeros for a text of which the
   *   model knows less than half
   * @throws ComputeError ABORTED if the signal fires; and errors of the pool and the model
   */
  async embed(
    texts: readonly string[],
    kind: EmbeddingKind,
    options: EmbedOptions = {},
  ): Promise<Float32Array<ArrayBuffer>> {
    if (kind !== 'query' && kind !== 'passage')
      throw new InvalidArgumentError('kind', kind, '"query" or "passage"');
    const vectors = new Float32Array(texts.length * this.spec.dim);
    let taken = 0;
    let done = 0;
    const embedUntilNoneIsLeft = async () => {
      while (taken < texts.length) {
        const start = taken;
        taken = Math.min(texts.length, start + this.batchTexts);
        vectors.set(await this.embedBatch(texts.slice(start, taken), kind, options), start * this.spec.dim);
        done += taken - start;
        options.onProgress?.(done, texts.length);
      }
    };
    const lanes = Array.from({ length: this.lanesFor(texts.length) }, embedUntilNoneIsLeft);
    await Promise.all(lanes).finally(() => (taken = texts.length)); // After a failure no lane starts another batch.
    return vectors;
  }

  /** The threads among which texts are divided: one until it is known how long a text takes. */
  private lanesFor(texts: number): number {
    const lanes = Math.ceil((texts * this.msPerText) / WORTH_A_THREAD_MS);
    return Math.max(1, Math.min(this.pool.threads, lanes));
  }

  private async embedBatch(
    texts: string[],
    kind: EmbeddingKind,
    options: EmbedOptions,
  ): Promise<Float32Array> {
    const priority = kind === 'query' ? 'interactive' : 'batch';
    const input = { modelDir: this.modelDir, texts, kind };
    const output = await this.pool.runWhenRoom(embedTexts, input, {
      priority,
      ...(options.signal && { signal: options.signal }),
    });
    if (output.vectors.length !== texts.length * this.spec.dim)
      throw new ComputeError(
        'MODEL_MISSING',
        `The model in ${this.modelDir} was replaced by one of another width.`,
      );
    this.tuneBatch(texts.length, output.embedMs);
    return output.vectors;
  }

  private tuneBatch(texts: number, embedMs: number): void {
    this.msPerText = embedMs / texts;
    const wanted = Math.round((texts * TARGET_BATCH_MS) / Math.max(embedMs, 0.1));
    const bounded = Math.min(wanted, this.batchTexts * 2, MAX_BATCH_TEXTS);
    if (texts >= this.batchTexts / 2 || bounded < this.batchTexts) this.batchTexts = Math.max(1, bounded);
  }
}
