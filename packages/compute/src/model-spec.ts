import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ComputeError, errorMessage } from '@causantic/domain';

/** How the vectors of a text's tokens become one: their mean, the first token's, or done in the graph already. */
export type Pooling = 'mean' | 'cls' | 'none';

/** What `model.json` beside `model.onnx` and `tokenizer.json` says. */
export interface ModelSpec {
  id: string;
  dim: number;
  pooling: Pooling;
  /** Put before a question. */
  queryPrefix: string;
  /** Put before a text that questions are compared with. */
  passagePrefix: string;
  /** Longer texts are cut here, special tokens included. */
  maxTokens: number;
  /** Whether vectors must be scaled to length 1 here. */
  normalize: boolean;
  /** The graph's output to use. */
  outputName: string;
}

export const MODEL_FILES = ['model.json', 'model.onnx', 'tokenizer.json'] as const;

/**
 * Reads and checks a model's folder; loads no native code.
 *
 * @throws ComputeError MODEL_MISSING when a file is absent or `model.json` is not right
 */
export async function readModelSpec(modelDir: string): Promise<ModelSpec> {
  for (const file of MODEL_FILES) {
    await access(join(modelDir, file)).catch((error: unknown) => {
      throw modelMissing(modelDir, `${file} is missing`, error);
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
  for (const key of ['dim', 'maxTokens'] as const) {
    if (!Number.isInteger(spec[key]) || spec[key] < 1)
      return `"${key}" must be a whole number greater than 0`;
  }
  if (!['mean', 'cls', 'none'].includes(spec.pooling)) return '"pooling" must be mean, cls or none';
  if (typeof spec.normalize !== 'boolean') return '"normalize" must be true or false';
  return undefined;
}

/** For a file of a model that is there and cannot be used. */
export function unusablePart(path: string, cause: unknown): ComputeError {
  const message = `The embedding model's ${path} is damaged or of an unknown kind: ${errorMessage(cause)}`;
  return new ComputeError('MODEL_MISSING', message, { data: { path }, cause });
}

function modelMissing(modelDir: string, reason: string, cause: unknown): ComputeError {
  const message = `No usable embedding model in ${modelDir}: ${reason}.`;
  return new ComputeError('MODEL_MISSING', message, { data: { modelDir, reason }, cause });
}
