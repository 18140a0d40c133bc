import { expect, onTestFinished, test } from 'vitest';
import { chunkDraft, turnDraft } from '../../../test/drafts.js';
import { Store } from '../src/index.js';
import { storeTurns } from './sessions.js';

test('the newest chunks that name a thing are found, in all projects or one, by each of its names', () => {
  const store = Store.open(':memory:');
  onTestFinished(() => store.close());
  const projects = ['/mill', '/shop', '/mill'];
  projects.forEach((path, n) => storeTurns(store, `s${n}`, [turnDraft(0, [chunkDraft(0, 'x')])], path));
  const ids = store.forgetting.ids({});
  for (const id of ids) store.entities.put(id, [{ kind: 'file', name: 'src/Till.ts', aliases: ['till.ts'] }]);
  const [till, ...others] = store.entities.named(['src/till.ts', 'till.ts', 'Till.ts', 'none'], 9);
  expect([till?.name, others]).toEqual(['src/Till.ts', []]);
  expect(store.entities.named(['src/till.ts'], 9)).toEqual([till]);
  const naming = (projectId: number | undefined, limit: number): number[] =>
    store.entities.chunksNaming(till!.id, projectId, limit);
  expect(naming(undefined, 2)).toEqual([ids[2], ids[1]]);
  expect(naming(1, 9)).toEqual([ids[2], ids[0]]);
  expect(naming(1, 1)).toEqual([ids[2]]);
  expect(naming(2, 9)).toEqual([ids[1]]);
  store.forgetting.delete(ids);
  expect(store.entities.named(['till.ts'], 9)).toEqual([]);
});

test('things that one name stands for crowd out none of another name, nor those of one project those of another', () => {
  const store = Store.open(':memory:');
  onTestFinished(() => store.close());
  for (const path of ['/mill', '/shop']) storeTurns(store, path, [turnDraft(0, [chunkDraft(0, 'x')])], path);
  const [mill, shop] = store.forgetting.ids({});
  const readme = (name: string) => ({ kind: 'file', name, aliases: ['readme.md'] });
  store.entities.put(mill!, ['a/readme.md', 'b/readme.md', 'c/readme.md'].map(readme));
  store.entities.put(shop!, [readme('d/readme.md'), { kind: 'symbol', name: 'ring', aliases: [] }]);
  const named = (projectId?: number): string[] =>
    store.entities.named(['readme.md', 'ring'], 2, projectId).map(({ name }) => name);
  expect(named()).toEqual(['a/readme.md', 'b/readme.md', 'ring']);
  expect(named(1)).toEqual(['a/readme.md', 'b/readme.md']);
  expect(named(2)).toEqual(['d/readme.md', 'ring']);
});
