import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  errorMessage,
  InvalidArgumentError,
  isAlive,
  makeFolder,
  makePrivate,
  NotFoundError,
  StorageError,
  withoutTilde,
} from '@causantic/domain';
import type { InspectInput } from './embed-task.js';
import { Embedder } from './embedder.js';
import { download, noSuchFile, remoteFile, type RemoteFile } from './file-download.js';
import { builtInModel, folderNameOf, readInstalled, type InstalledModel } from './model-folder.js';
import {
  CONFIG_FILES,
  derivedSpec,
  modelRegistry,
  registeredModel,
  registeredSpec,
  USUAL_ONNX_FILES,
  type GraphOutput,
  type RepositoryConfig,
} from './model-registry.js';
import { externalFiles } from './onnx-tensors.js';
import { MODEL_FILES, readModelSpec, unusablePart, type ModelSpec } from './model-spec.js';
import { measureScale } from './similarity-scale.js';
import { defineTask } from '../pool/task.js';
import { WorkerPool } from '../pool/worker-pool.js';

export interface InstallOptions {
  /** A name in {@link modelRegistry}, a Hugging Face id (`owner/name`), or a folder with a model. */
  idOrPath: string;
  modelsDir: string;
  /** Default: HF_ENDPOINT, else https://huggingface.co. */
  endpoint?: string;
  onProgress?: ((doneBytes: number, totalBytes: number) => void) | undefined;
}

const inspectGraph = defineTask<InspectInput, GraphOutput[]>(
  new URL('./embed-task.js', import.meta.url),
  'inspectGraph',
);

/**
 * Installs a model in `modelsDir`, as a folder that {@link Embedder.open} accepts, replacing one with the same id. Until
 * it is complete and has embedded a text it stays in a folder beside, where an interrupted download is resumed next
 * time.
 *
 * @throws InvalidArgumentError for what is neither a name, an id nor a path; NotFoundError for an id or a folder without a model
 * @throws ComputeError MODEL_MISSING if the server cannot be reached or sends wrong data, or the model cannot be loaded;
 *   TASK_FAILED if its output differs from its description
 * @throws StorageError BUSY while another process installs it
 */
export async function installModel(options: InstallOptions): Promise<InstalledModel> {
  const { modelsDir } = options;
  const idOrPath = withoutTilde(options.idOrPath); // Not every shell does that: Windows' own does not.
  const isFolder = /^[./~]|^[A-Za-z]:[\\/]/.test(idOrPath) || existsSync(join(idOrPath, 'tokenizer.json'));
  const id = isFolder ? basename(resolve(idOrPath)) : idOrPath;
  checkId(id, isFolder);
  const staging = join(modelsDir, `.${folderNameOf(id)}.part`);
  // Not in the folder, which whoever waits would see disappear.
  const claimed = join(modelsDir, `.${folderNameOf(id)}.pid`);
  makeFolder(modelsDir);
  claim(claimed, id);
  try {
    makeFolder(staging);
    const spec = isFolder
      ? await copied(id, resolve(idOrPath), staging)
      : await downloaded(id, staging, options);
    const target = join(modelsDir, folderNameOf(spec.id));
    const data = await dataFilesOf(join(staging, 'model.onnx'));
    await removeFrom(staging, (name) => ![...MODEL_FILES, ...data].includes(name));
    // Like all else in the home; a copy has the mode of its original.
    for (const name of await readdir(staging)) makePrivate(join(staging, name));
    await replaceFolder(target, staging);
    return await readInstalled(target);
  } finally {
    // It stays where it holds what a download goes on from, and is gone where the model is complete.
    await rmdir(staging).catch(() => undefined);
    await rm(claimed, { force: true });
  }
}

async function copied(id: string, folder: string, staging: string): Promise<ModelSpec> {
  await removeFrom(staging, () => true);
  return orNothing(staging, async () => {
    await copyModel(folder, staging);
    return describe(id, staging);
  });
}

async function downloaded(id: string, staging: string, options: InstallOptions): Promise<ModelSpec> {
  // An interrupted download goes on from what is large; the rest is made of it, or may be gone from the server.
  const small = ['model.json', ...Object.values(CONFIG_FILES).map(localName)];
  await removeFrom(staging, (name) => small.includes(name));
  await downloadModel(id, staging, options);
  return orNothing(staging, () => describe(id, staging));
}

/** Of what fails here nobody could go on: a large copy would stay on a disk that may be full. */
async function orNothing(staging: string, work: () => Promise<ModelSpec>): Promise<ModelSpec> {
  try {
    return await work();
  } catch (error) {
    await rm(staging, { recursive: true });
    throw error;
  }
}

/**
 * Writes this process's number to a file that no other process has: two would write into each other's downloads.
 * Synchronous, so that hardly anybody sees the file before the number is in it.
 */
function claim(path: string, id: string): void {
  const before = ownerOf(path);
  if (before !== undefined && (before === process.pid || !isAlive(before))) rmSync(path, { force: true });
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') {
      rmSync(path, { force: true }); // A full disk leaves an empty one.
      throw cause;
    }
    const pid = ownerOf(path);
    const who = pid === undefined ? 'Another process' : `Process ${pid}`;
    const message = `${who} is installing ${id}. If that is not so, delete ${path}.`;
    throw new StorageError('BUSY', message, { data: { path, pid }, cause });
  }
}

/** Undefined where no process has the file, or one is just writing its number. */
function ownerOf(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8')) || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function removeFrom(folder: string, isUnwanted: (name: string) => boolean): Promise<void> {
  const unwanted = (await readdir(folder)).filter(isUnwanted);
  for (const name of unwanted) await rm(join(folder, name), { recursive: true });
}

/** A graph whose constants are in other files is small. */
const MOST_BYTES_WITH_DATA_FILES = 256 * 1024 * 1024;

/** The names of the files beside a graph that hold constants of it. */
async function dataFilesOf(graph: string): Promise<string[]> {
  if ((await stat(graph)).size > MOST_BYTES_WITH_DATA_FILES) return [];
  const files = externalFiles(await readFile(graph));
  // Nothing outside the model's folder, and none of its other files, nor what is noted beside a download.
  const isSafe = (file: string): boolean =>
    /^\w[\w.-]*$/.test(file) && !/^model\.onnx$|\.(?:json|etag)$/i.test(file);
  const unsafe = files.find((file) => !isSafe(file));
  if (unsafe !== undefined)
    throw unusablePart(graph, new Error(`it names the file ${JSON.stringify(unsafe)}`));
  return files;
}

/** What is replaced stays until the new folder is in its place; a kill in between leaves both beside it. */
async function replaceFolder(target: string, by: string): Promise<void> {
  const aside = join(dirname(target), `.${basename(target)}.old`);
  const replaces = existsSync(target);
  if (replaces) {
    await rm(aside, { recursive: true, force: true });
    await rename(target, aside);
  }
  try {
    await rename(by, target);
  } catch (error) {
    if (replaces) await rename(aside, target);
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}

function checkId(id: string, isFolder: boolean): void {
  if (registeredModel(id) || isFolder || /^[\w][\w.-]*\/[\w][\w.-]*$/.test(id)) return;
  const names = Object.keys(modelRegistry).join(', ');
  throw new InvalidArgumentError('model', id, `one of ${names}, a Hugging Face id (owner/name) or a folder`);
}

/** The local name of a repository's file; the graph always gets the same name. */
function localName(file: string): string {
  return file.endsWith('.onnx') ? 'model.onnx' : file.replaceAll('/', '-');
}

/** As all variables, this one is as good as unset where it is empty. */
export function modelHub(env: NodeJS.ProcessEnv): string {
  return env['HF_ENDPOINT'] || 'https://huggingface.co';
}

async function downloadModel(id: string, staging: string, options: InstallOptions): Promise<void> {
  const known = registeredModel(id);
  const repository = known?.repository ?? id;
  const endpoint = (options.endpoint ?? modelHub(process.env)).replace(/\/+$/, '');
  const find = async (files: readonly string[]): Promise<[string, RemoteFile] | undefined> => {
    for (const file of files) {
      const remote = await remoteFile(`${endpoint}/${repository}/resolve/main/${file}`);
      if (remote) return [localName(file), remote];
    }
    return undefined;
  };
  const onnxFiles = known?.onnxFiles ?? USUAL_ONNX_FILES;
  const [tokenizer, graph] = [await find(['tokenizer.json']), await find(onnxFiles)];
  if (!tokenizer || !graph)
    throw noSuchFile(repository, tokenizer ? onnxFiles : ['tokenizer.json'], endpoint);
  const configs = known ? [] : await Promise.all(Object.values(CONFIG_FILES).map((file) => find([file])));
  const files = [...configs.filter((found) => found !== undefined), tokenizer, graph];
  const doneBytes = await downloadAll(files, { staging, onProgress: options.onProgress, doneBytes: 0 });
  const names = await dataFilesOf(join(staging, graph[0]));
  const data = names.map(async (name): Promise<[string, RemoteFile]> => {
    const remote = await remoteFile(new URL(name, graph[1].url).href);
    if (!remote) throw noSuchFile(repository, [name], endpoint);
    return [name, remote];
  });
  await downloadAll(await Promise.all(data), { staging, onProgress: options.onProgress, doneBytes });
}

/** @returns the bytes that are there now, with those of before */
async function downloadAll(
  files: [string, RemoteFile][],
  {
    staging,
    onProgress,
    doneBytes,
  }: Pick<InstallOptions, 'onProgress'> & { staging: string; doneBytes: number },
): Promise<number> {
  const totalBytes = files.reduce((sum, [, { bytes }]) => sum + bytes, doneBytes);
  let before = doneBytes;
  for (const [name, remote] of files) {
    await download(remote, join(staging, name), (bytes) => onProgress?.(before + bytes, totalBytes));
    before += remote.bytes;
  }
  return totalBytes;
}

async function copyModel(folder: string, staging: string): Promise<void> {
  const graph = USUAL_ONNX_FILES.find((file) => existsSync(join(folder, file)));
  if (!graph || !existsSync(join(folder, 'tokenizer.json'))) {
    const message = `${folder} is not a model: it needs tokenizer.json and ${USUAL_ONNX_FILES.join(' or ')}.`;
    throw new NotFoundError(message, { data: { folder } });
  }
  const optional = ['model.json', ...Object.values(CONFIG_FILES)].filter((file) =>
    existsSync(join(folder, file)),
  );
  for (const file of ['tokenizer.json', graph, ...optional]) {
    await copyFile(join(folder, file), join(staging, localName(file)));
  }
  for (const name of await dataFilesOf(join(folder, graph))) {
    const path = join(folder, dirname(graph), name);
    if (!existsSync(path))
      throw new NotFoundError(`${folder} is not a whole model: ${graph} needs ${name} beside it.`, {
        data: { folder, name },
      });
    await copyFile(path, join(staging, name));
  }
}

/** Writes model.json if the model has none, and embeds a text, so that no broken model is installed. */
async function describe(id: string, staging: string): Promise<ModelSpec> {
  const path = join(staging, 'model.json');
  const isOurs = !existsSync(path);
  const pool = new WorkerPool({ threads: 1 }); // Its own, so that the model is not held twice afterwards.
  try {
    if (isOurs) {
      const outputs = await pool.run(inspectGraph, { modelDir: staging });
      await writeSpec(staging, await specOf(id, staging, outputs));
    }
    const spec = await readModelSpec(staging);
    if (spec.id === (await builtInModel()).id)
      throw new InvalidArgumentError(
        'model',
        spec.id,
        'another id, because this is the id of the built-in model',
      );
    await embedTrial(pool, staging, SHORT_TEXT);
    return await withScale(pool, staging, await withTokensItTakes(pool, staging, { spec, isOurs }));
  } finally {
    await pool.close();
  }
}

const SHORT_TEXT = 'a text to try the model with';
const FEWEST_TOKENS = 16;
const NOT_FINITE = 'its vectors are not numbers';
const OTHER_LENGTH = 'its vectors have another length than 1, so "normalize" must be true';

async function embedTrial(pool: WorkerPool, modelDir: string, text: string): Promise<void> {
  const vector = await (await Embedder.open({ pool, modelDir })).embed([text], 'query');
  if (!vector.every(Number.isFinite)) throw unusablePart(join(modelDir, 'model.onnx'), NOT_FINITE);
  const length = Math.hypot(...vector);
  // A text of which a model knows no word may have a vector of zeros.
  if (length !== 0 && Math.abs(length - 1) > 0.01)
    throw unusablePart(join(modelDir, 'model.json'), OTHER_LENGTH);
}

/**
 * Tries a text of the maximum length in the description. A description made here may have guessed too high, because not
 * every repository says how many positions its model has.
 */
async function withTokensItTakes(
  pool: WorkerPool,
  staging: string,
  { spec, isOurs }: { spec: ModelSpec; isOurs: boolean },
): Promise<ModelSpec> {
  try {
    await embedTrial(pool, staging, `${SHORT_TEXT} `.repeat(spec.maxTokens));
    return spec;
  } catch (error) {
    if (!isOurs || registeredModel(spec.id) || spec.maxTokens <= FEWEST_TOKENS) {
      const problem = `a text of ${spec.maxTokens} tokens ("maxTokens") fails: ${errorMessage(error)}`;
      throw unusablePart(join(staging, 'model.json'), new Error(problem, { cause: error }));
    }
    const shorter = { ...spec, maxTokens: Math.floor(spec.maxTokens / 2) };
    await writeSpec(staging, shorter);
    return withTokensItTakes(pool, staging, { spec: shorter, isOurs });
  }
}

async function withScale(pool: WorkerPool, staging: string, spec: ModelSpec): Promise<ModelSpec> {
  if (spec.similarity) return spec;
  const embedder = await Embedder.open({ pool, modelDir: staging });
  const similarity = await measureScale((texts, kind) => embedder.embed(texts, kind));
  await writeSpec(staging, { ...spec, similarity });
  return readModelSpec(staging);
}

async function writeSpec(modelDir: string, spec: ModelSpec): Promise<void> {
  await writeFile(join(modelDir, 'model.json'), JSON.stringify(spec, null, 2) + '\n');
}

async function specOf(id: string, staging: string, outputs: GraphOutput[]): Promise<ModelSpec> {
  const known = registeredModel(id);
  if (known) return registeredSpec(id, known, outputs);
  const parts = Object.entries(CONFIG_FILES).map(async ([part, file]) => {
    const path = join(staging, localName(file));
    return existsSync(path) ? [[part, await readJson(path, file)]] : [];
  });
  return derivedSpec(id, Object.fromEntries((await Promise.all(parts)).flat()) as RepositoryConfig, outputs);
}

async function readJson(path: string, name: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw unusablePart(name, error);
  }
}
