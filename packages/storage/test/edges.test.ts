import { expect, onTestFinished, test } from 'vitest';
import { chunkDraft, turnDraft } from '../../../test/drafts.js';
import { openSqlite } from '../src/database/sqlite.js';
import { Store } from '../src/index.js';
import { memoryPath, storeTurns } from './sessions.js';

/** A store with one session of three chunks; their ids. */
function storeWithChunks(): { store: Store; ids: [number, number, number] } {
  const store = Store.open(':memory:');
  onTestFinished(() => store.close());
  const chunks = ['one', 'two', 'three'].map((text, seq) => chunkDraft(seq, text));
  storeTurns(store, 's', [turnDraft(0, chunks)]);
  const ids = [...store.chunks.walk({}, 'oldest')].map(({ id }) => id) as [number, number, number];
  return { store, ids };
}

const edge = (from: number, to: number, type = 'adjacent') => ({ type, from, to, weight: 0.5 });

test('an edge is stored once, read from both ends, and gone with either chunk', async () => {
  const { store, ids } = storeWithChunks();
  const [a, b, c] = ids;
  const add = [edge(a, b), edge(b, c), edge(a, b), edge(a, b, 'topic')];
  for (let time = 0; time < 2; time++) store.edges.write(1, (writer) => writer.apply({ add, remove: [] }));
  expect(store.edges.startingAt([a])).toEqual([edge(a, b), edge(a, b, 'topic')]);
  expect(store.edges.endingAt([c, a])).toEqual([edge(b, c)]);
  expect(await store.edges.countByType()).toEqual({ adjacent: 2, topic: 1 });
  store.edges.write(1, (writer) => writer.apply({ add: [], remove: [edge(a, b, 'topic')] }));
  expect(await store.edges.countByType()).toEqual({ adjacent: 2 });
  store.forgetting.delete([b]);
  expect(await store.edges.countByType()).toEqual({});
});

test('edges of many chunks are counted with pauses', async () => {
  const path = memoryPath();
  const store = Store.open(path);
  const chunks = ['one', 'two'].map((text, seq) => chunkDraft(seq, text));
  storeTurns(store, 's1', [turnDraft(0, chunks)]);
  const plain = openSqlite(path);
  plain.exec("UPDATE sqlite_sequence SET seq = 100000 WHERE name = 'chunk'");
  plain.close();
  storeTurns(store, 's2', [turnDraft(0, chunks)]);
  const add = [edge(1, 2), edge(100_001, 100_002), edge(1, 100_001, 'topic'), edge(2, 100_001, 'brief')];
  store.edges.write(1, (writer) => writer.apply({ add, remove: [] }));
  let hadTurn = false;
  setImmediate(() => (hadTurn = true));
  expect(Object.entries(await store.edges.countByType())).toEqual([
    ['adjacent', 2],
    ['brief', 1],
    ['topic', 1],
  ]);
  expect(hadTurn).toBe(true);
  store.close();
});

test('a project is unlinked from a change of its chunks until its edges are written', () => {
  const { store, ids } = storeWithChunks();
  expect(store.edges.unlinkedProjects()).toEqual([1]);
  store.edges.write(1, (writer) => expect(writer.unlinkedSessions().map(({ uuid }) => uuid)).toEqual(['s']));
  expect(store.edges.unlinkedProjects()).toEqual([]);
  store.forgetting.delete([ids[0]]);
  expect(store.edges.unlinkedProjects()).toEqual([1]);
  expect(() =>
    store.edges.write(1, () => {
      throw new Error('killed');
    }),
  ).toThrow('killed');
  expect(store.edges.unlinkedProjects()).toEqual([1]);
  store.edges.write(1, () => undefined);
  store.edges.clear();
  expect(store.edges.unlinkedProjects()).toEqual([1]);
});
