import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInModel, defaultModelDir, Embedder, type ModelSpec, WorkerPool } from '@causantic/compute';
// As built: the workers are found beside the module that starts them.
import { embedChunks, updateTopics } from '@causantic/ingest';
import type { Store } from '@causantic/storage';
import { expect, it, onTestFinished } from 'vitest';
import { ingested } from './ingested.js';
import { Recording, sessionId, temporaryFolder } from './recording.js';

const ALIKE = 'all-alike';
/** How long the part is that all its vectors have in common, beside the built-in model's. */
const COMMON = 2;

const SUBJECTS = {
  till: 'It rounds the price of each order to cents.',
  font: 'A page loads it late and jumps.',
  login: 'The cookie of the session is set by the server.',
};

/** About each subject there are two topics, nearly copies of each other. */
function talk(): Recording {
  const made = new Recording(sessionId(1));
  made.user('What is for dinner on Monday?').answer('Noodles with cheese. '.repeat(20));
  for (const ending of ['again', 'today', 'for Ada', 'in review', 'as asked', 'before lunch', 'once more']) {
    for (const [subject, saying] of Object.entries(SUBJECTS)) {
      for (const problem of ['slow', 'broken'])
        made
          .user(`Why is the ${subject} ${problem} ${ending}?`)
          .answer(`${saying} `.repeat(24) + `It was ${problem}. `.repeat(8));
    }
  }
  made.user('Shall we have dessert?').answer('Yes, bake a cake. '.repeat(20));
  return made;
}

/** A home in which a model is installed that finds all texts more alike than the built-in one does, in the same order. */
function homeWithAlike(builtIn: ModelSpec): string {
  const home = temporaryFolder();
  const folder = join(home, 'models', ALIKE);
  mkdirSync(folder, { recursive: true });
  for (const file of ['model.onnx', 'tokenizer.json']) writeFileSync(join(folder, file), '');
  const passages = 1 - (1 - 0.193) / (1 + COMMON ** 2);
  const similarity = {
    unrelated: 0.8,
    related: 0.9,
    acrossLanguages: 0.8,
    unrelatedAcrossLanguages: 0.8,
    passages,
  };
  const spec: ModelSpec = { ...builtIn, id: ALIKE, dim: builtIn.dim + 1, similarity };
  writeFileSync(join(folder, 'model.json'), JSON.stringify(spec));
  return home;
}

/** Gives all chunks the vectors of that model, made of those of the built-in one, or those alone. */
async function embed(store: Store, embedder: Embedder, isAlike: boolean): Promise<void> {
  await embedChunks(store, embedder);
  const { id, dim } = embedder.model;
  if (isAlike) {
    const ids = [...store.vectors.ids(id, 1)];
    const vectors = store.vectors.get(id, ids, dim);
    const length = Math.hypot(1, COMMON);
    const alike = Float32Array.from({ length: ids.length * (dim + 1) }, (_, at) => {
      const column = at % (dim + 1);
      return (column === dim ? COMMON : vectors[Math.floor(at / (dim + 1)) * dim + column]!) / length;
    });
    store.vectors.put(ALIKE, ids, alike);
  }
  store.embedding.serve(isAlike ? ALIKE : id);
}

it('topics, their members and their links are the same where a model finds all texts more alike', async () => {
  const pool = new WorkerPool({ threads: 1 });
  onTestFinished(() => pool.close());
  const embedder = await Embedder.open({ pool, modelDir: defaultModelDir() });
  const home = homeWithAlike(await builtInModel());
  const found: unknown[] = [];
  for (const isAlike of [false, true]) {
    const made = talk();
    const { store: memory, path } = ingested(made);
    const { store } = memory;
    const updated = async () => {
      await embed(store, embedder, isAlike);
      await updateTopics(store, { pool, home });
      const ids = [...store.chunks.walk({}, 'oldest')].map(({ id }) => id);
      const links = store.edges.startingAt(ids).filter(({ type }) => type === 'topic');
      return { links, members: [...store.clusters.members(store.clusters.ofProject(1).map(({ id }) => id))] };
    };
    const first = await updated();
    expect(first.links.length).toBeGreaterThan(3);
    expect(first.members.length).toBeGreaterThan(2);
    const from = made.lines.length;
    made.user('Why is the till slow tomorrow?').answer(`${SUBJECTS.till} `.repeat(8));
    made.user('What is for dinner on Sunday?').answer('Pancakes with butter. '.repeat(60));
    made.appendTo(path, from);
    memory.ingest(path);
    found.push([first, await updated()]);
  }
  expect(found[1]).toEqual(found[0]);
});
