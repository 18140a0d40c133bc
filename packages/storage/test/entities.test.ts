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
