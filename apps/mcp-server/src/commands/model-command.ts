import { join } from 'node:path';
import type { Command } from 'commander';
import { quoted } from '@causantic/claude-code';
import {
  builtInModel,
  findModel,
  installModel,
  listModels,
  modelsFolder,
  modelsInUse,
  openEmbedder,
  removeModel,
  WorkerPool,
  type InstalledModel,
} from '@causantic/compute';
import {
  counted,
  errorMessage,
  InvalidArgumentError,
  megabytes,
  NotFoundError,
  print,
} from '@causantic/domain';
import { StepBar } from '@causantic/domain/step-bar';
import { removeIndexFiles } from '@causantic/retrieval';
import { installing, listedModels, type Memory, tableOf } from '../model-list.js';
import { withServices } from '../open-memory.js';

/** `causantic model list|install|use|remove`: which model makes the vectors that search by meaning needs. */
export function addModelCommand(program: Command): void {
  const model = program
    .command('model')
    .description('List, install and choose embedding models: the built-in one, or any other in ONNX form.');
  const run = (work: (memory: Memory) => Promise<string>): Promise<void> =>
    withServices(async (services) => print(await work(services.context())));
  model
    .command('list')
    .description('List models that are installed or known by name, and the one in use.')
    .option('--json', 'print the list as JSON')
    .action(({ json }: { json?: boolean }) =>
      run(async (memory) => {
        const rows = await listedModels(memory);
        return json ? JSON.stringify(rows, null, 2) : tableOf(rows);
      }),
    );
  model
    .command('install')
    .description('Install a model by a name from the list, by its Hugging Face id, or from a folder.')
    .argument('<model>', 'name, owner/name, or path of a folder with tokenizer.json and model.onnx')
    .action((id: string) => run((memory) => install(memory, id)));
  model
    .command('use')
    .description(
      'Make vectors with this model from now on. Search uses the old vectors until all new ones exist.',
    )
    .argument('<model>', 'an installed model, or the built-in one')
    .action((id: string) => run((memory) => use(memory, id)));
  model
    .command('remove')
    .description('Delete an installed model that is not in use.')
    .argument('<model>', 'an installed model')
    .action((id: string) => run((memory) => remove(memory, id)));
}

async function install({ store, home }: Memory, idOrPath: string): Promise<string> {
  if (idOrPath === (await builtInModel()).id) {
    return `${idOrPath} is built in; there is nothing to install.`;
  }
  const bar = new StepBar();
  try {
    const onProgress = (done: number, total: number): void =>
      bar.show(`Downloading ${megabytes(total)}`, done, total);
    const model = await installModel({ idOrPath, modelsDir: modelsFolder(home), onProgress });
    await takeInstalled({ store, home }, model);
    const size = `${model.dim} dimensions, ${megabytes(model.bytes)}`;
    return `Installed ${model.id} (${size}). To use it: causantic model use ${quoted(model.id)}`;
  } finally {
    bar.stop();
  }
}

/** Vectors of one model are of no use to another of the same name, and what the cosines of the same mean was measured anew. */
async function takeInstalled(
  { store, home }: Pick<Memory, 'store' | 'home'>,
  { id }: InstalledModel,
): Promise<void> {
  if (store.vectors.models().includes(id)) {
    const { makesStoredVectors } = await import('@causantic/ingest');
    const pool = new WorkerPool({ threads: 1 });
    try {
      if (await makesStoredVectors(store, await openEmbedder(id, { pool, home }))) {
        store.clusters.expire();
      } else {
        store.vectors.dropAll(id);
        // Its index files would be taken for those of the new vectors: the chunks are the same.
        removeIndexFiles(join(home, 'indexes'), { except: store.vectors.models() });
      }
    } finally {
      await pool.close();
    }
  }
  const { chosen, serving } = store.embedding.state();
  // Whoever uses the one that was replaced, or waits for this one, opens this one.
  if (id === chosen || id === serving) store.embedding.choose(chosen);
}

async function use({ store, home }: Memory, id: string): Promise<string> {
  const builtIn = await builtInModel();
  await findModel(modelsFolder(home), id).catch((cause: unknown) => {
    throw new NotFoundError(`${errorMessage(cause)} To install it: ${installing(id)}`, { cause });
  });
  const chosen = id === builtIn.id ? null : id;
  if (store.embedding.state().chosen !== chosen) store.embedding.choose(chosen);
  const pending = store.vectors.countPending(id);
  if (pending === 0) return `Using ${id}. All chunks have its vectors.`;
  const { searched } = await modelsInUse(store.embedding.state());
  const isThere = await findModel(modelsFolder(home), searched).then(
    () => true,
    () => false,
  );
  const meanwhile = isThere ? searched : 'words alone';
  return [
    `Using ${id}. Its vectors are still missing for ${counted(pending, 'chunk')}.`,
    'A running server makes them in the background; causantic-reindex makes them now.',
    ...(searched === id ? [] : [`Until then, search uses ${meanwhile}.`]),
  ].join('\n');
}

async function remove({ store, home }: Memory, id: string): Promise<string> {
  const builtIn = await builtInModel();
  if (id === builtIn.id)
    throw new InvalidArgumentError('model', id, 'an installed model, not the built-in one');
  const { searched, wanted } = await modelsInUse(store.embedding.state());
  if (id === searched || id === wanted) {
    const advice =
      id === wanted
        ? `choose another first: causantic model use ${builtIn.id}`
        : `it is in use until all vectors of ${wanted} exist`;
    throw new InvalidArgumentError('model', id, `a model that is not in use (${advice})`);
  }
  const isKnown = (await listModels(modelsFolder(home))).some((model) => model.id === id);
  if (isKnown || !store.vectors.models().includes(id)) await removeModel(modelsFolder(home), id);
  const chunks = store.vectors.dropAll(id);
  return `Removed ${id}${chunks > 0 ? ` and its vectors for ${counted(chunks, 'chunk')}` : ''}.`;
}
