import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ComputeError, errorMessage, NotFoundError } from '@causantic/domain';
import { defaultModelDir } from '../default-model.js';
import { readModelSpec, type ModelSpec } from './model-spec.js';

export interface InstalledModel extends ModelSpec {
  modelDir: string;
  bytes: number;
}

/** The folder name for a model's id, which may contain anything if it comes from a file. */
export function folderNameOf(id: string): string {
  return id.replaceAll('/', '--').replace(/[^\w.-]|^\.+/g, '-');
}

/** The installed models, by id; incomplete ones are left out. */
export async function listModels(modelsDir: string): Promise<InstalledModel[]> {
  if (!existsSync(modelsDir)) return [];
  const names = (await readdir(modelsDir)).filter((name) => !name.startsWith('.')).sort();
  const models = await Promise.all(
    names.map((name) => readInstalled(join(modelsDir, name)).catch(undefinedIfMissing)),
  );
  return models.filter((model) => model !== undefined);
}

/** @throws ComputeError MODEL_MISSING */
export async function readInstalled(modelDir: string): Promise<InstalledModel> {
  const spec = await readModelSpec(modelDir);
  const files = await readdir(modelDir);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(modelDir, file))).size));
  return { ...spec, modelDir, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** The model that comes with the package. */
export function builtInModel(): Promise<InstalledModel> {
  return readInstalled(defaultModelDir());
}

/**
 * A model that can be used: an installed one, or the built-in one for its id or null.
 *
 * @throws ComputeError MODEL_MISSING
 */
export async function findModel(modelsDir: string, id: string | null): Promise<InstalledModel> {
  const builtIn = await builtInModel();
  if (id === null || id === builtIn.id) return builtIn;
  const modelDir = join(modelsDir, folderNameOf(id));
  const reading = readInstalled(modelDir).then((model) => ofThatId(model, id));
  return reading.catch((cause: unknown) => {
    const message = `The embedding model "${id}" is not installed, or incomplete: ${errorMessage(cause)}`;
    throw new ComputeError('MODEL_MISSING', message, { data: { id, modelDir }, cause });
  });
}

/** Several ids have one folder, as `owner/name` and `owner--name`; where case does not count, more do. */
function ofThatId(model: InstalledModel, id: string): InstalledModel {
  if (model.id === id) return model;
  throw new Error(`its folder holds "${model.id}".`);
}

/** @throws NotFoundError when no model of that id is installed */
export async function removeModel(modelsDir: string, id: string): Promise<void> {
  const model = (await listModels(modelsDir)).find((installed) => installed.id === id);
  if (!model) throw new NotFoundError(`The model "${id}" is not installed.`, { data: { id, modelsDir } });
  await rm(model.modelDir, { recursive: true });
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof ComputeError && error.code === 'MODEL_MISSING') return undefined;
  throw error;
}
