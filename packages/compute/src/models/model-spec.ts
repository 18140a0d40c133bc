import { access, constants, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ComputeError, errorMessage, errorReason, isObject } from '@causantic/domain';
import { BUILT_IN_SCALE, type SimilarityScale } from './similarity-scale.js';

/** How the vectors of a text's tokens become one: their mean, the first token's, or already done in the graph. */
export type Pooling = 'mean' | 'cls' | 'none';

/** The contents of `model.json`, beside `model.onnx` and `tokenizer.json`. */
export interface ModelSpec {
  id: string;
  dim: number;
  pooling: Pooling;
  /**
   * `sqrt-counts`: a token counts by the square root of how often it stands in the text, for a graph that adds up what its
   * `attention_mask` weighs. Without it, every token counts each time.
   */
  tokenWeights?: 'sqrt-counts';
  /**
   * `unprefixed`: besides English, the model was taught Cyrillic, Hangul, Chinese and Japanese, and words of Spanish, Portuguese,
   * French and German. Its WordPiece vocabulary has the pieces of those scripts without the prefix of a word's further pieces,
   * and those words with `</w>` behind them.
   */
  otherScripts?: 'unprefixed';
  /** Prefix for a question. */
  queryPrefix: string;
  /** Prefix for a text that questions are compared with. */
  passagePrefix: string;
  /** Maximum number of tokens, special tokens included; longer texts are cut. */
  maxTokens: number;
  /** Whether we must scale vectors to length 1. */
  normalize: boolean;
  /** The graph's output to use. */
  outputName: string;
  /** What its cosines mean; without it, as much as the built-in model's. */
  similarity?: SimilarityScale;
}

const SCALE_PARTS = Object.keys(BUILT_IN_SCALE);

export const MODEL_FILES = ['model.json', 'model.onnx', 'tokenizer.json'] as const;

/**
 * Reads and checks a model's folder; loads no native code.
 *
 * @throws ComputeError MODEL_MISSING if a file is missing or not readable, or `model.json` is invalid
 */
export async function readModelSpec(modelDir: string): Promise<ModelSpec> {
  for (const file of MODEL_FILES) {
    await access(join(modelDir, file), constants.R_OK).catch((error: unknown) => {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const problem = isMissing ? 'is missing' : `cannot be read: ${errorReason(error)}`;
      throw modelMissing(modelDir, `${file} ${problem}`, error);
    });
  }
  return parseModelSpec(await readFile(join(modelDir, 'model.json'), 'utf8'), modelDir);
}

function parseModelSpec(json: string, modelDir: string): ModelSpec {
  try {
    const spec = JSON.parse(json) as ModelSpec;
    const problem = problemOf(spec);
    if (problem) throw new Error(problem);
    return spec;
  } catch (error) {
    throw modelMissing(modelDir, `model.json is invalid: ${errorMessage(error)}`, error);
  }
}

function problemOf(spec: ModelSpec): string | undefined {
  const expected = {
    id: 'string',
    queryPrefix: 'string',
    passagePrefix: 'string',
    outputName: 'string',
  } as const;
  for (const [key, type] of Object.entries(expected)) {
    if (typeof spec[key as keyof typeof expected] !== type) return `"${key}" must be a ${type}`;
  }
  if (spec.id === '') return '"id" must not be empty'; // It names the model's folder.
  for (const key of ['dim', 'maxTokens'] as const) {
    if (!Number.isInteger(spec[key]) || spec[key] < 1)
      return `"${key}" must be a whole number greater than 0`;
  }
  if (!['mean', 'cls', 'none'].includes(spec.pooling)) return '"pooling" must be mean, cls or none';
  if (spec.tokenWeights !== undefined && spec.tokenWeights !== 'sqrt-counts')
    return '"tokenWeights" must be sqrt-counts, or left out';
  if (spec.tokenWeights !== undefined && spec.pooling !== 'none')
    return '"tokenWeights" needs a "pooling" of none';
  if (spec.otherScripts !== undefined && spec.otherScripts !== 'unprefixed')
    return '"otherScripts" must be unprefixed, or left out';
  if (typeof spec.normalize !== 'boolean') return '"normalize" must be true or false';
  if (spec.similarity !== undefined && !isScale(spec.similarity))
    return `"similarity" must have cosines as ${SCALE_PARTS.join(', ')}`;
  return undefined;
}

function isScale(value: unknown): value is SimilarityScale {
  if (!isObject(value)) return false;
  const isCosine = (part: unknown): boolean => typeof part === 'number' && Math.abs(part) <= 1;
  return SCALE_PARTS.every((part) => isCosine(value[part]));
}

/** For a file of a model that exists but cannot be used. */
export function unusablePart(path: string, cause: unknown): ComputeError {
  const message = `The embedding model's ${path} is damaged or of an unknown kind: ${errorMessage(cause)}`;
  return new ComputeError('MODEL_MISSING', message, { data: { path }, cause });
}

function modelMissing(modelDir: string, reason: string, cause: unknown): ComputeError {
  const message = `No usable embedding model in ${modelDir}: ${reason}.`;
  return new ComputeError('MODEL_MISSING', message, { data: { modelDir, reason }, cause });
}
