import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';
import { Store } from '../src/index.js';
import { holding, storeTurns } from './sessions.js';

let store: Store;

beforeEach(() => {
  store = Store.open(':memory:');
  onTestFinished(() => store.close());
  for (const name of ['one', 'two', 'three'])
    storeTurns(store, name, [turnDraft(0, [chunkDraft(0, `the ${name} mill`)])], `/${name}`);
});

const idOf = (slug: string): number => store.projects.findBySlug(slug)!.id;

test('who joins projects one after another finds all under each of their names', () => {
  const [one, two, three] = [idOf('one'), idOf('two'), idOf('three')];
  store.projects.join(one, two);
  store.projects.join(two, three);
  expect([idOf('one'), idOf('two'), idOf('three')]).toEqual([three, three, three]);
  expect(store.projects.findByPath('/one')!.id).toBe(three);
  expect(store.projects.folders(three)).toEqual(['/three', '/one', '/two']);
  expect(store.projects.list().map(({ slug, chunks }) => [slug, chunks])).toEqual([['three', 3]]);
  expect(holding(store, 'mill', three)).toHaveLength(3);
  expect(store.integrityIssues()).toEqual([]);
});

test('a project that another one joined is linked anew, and the topics of the other are gone', () => {
  const [one, two] = [idOf('one'), idOf('two')];
  for (const id of [one, two, idOf('three')]) store.edges.write(id, () => undefined);
  const [chunkId] = store.forgetting.ids({ projectId: one });
  const cluster = { id: null, label: 'mill', medoidId: chunkId!, centroid: Float32Array.of(1, 0) };
  const members = [{ chunkId: chunkId!, cluster: 0, probability: 1 }];
  store.clusters.replace({ projectId: one, modelId: 'm', clusters: [cluster], members });
  expect(store.edges.unlinkedProjects()).toEqual([]);
  store.projects.join(one, two);
  expect(store.edges.unlinkedProjects()).toEqual([two]);
  expect(store.clusters.ofProject(one)).toEqual([]);
});

test('a folder is of the project that was last worked on from it, and that of a joined project of the other', () => {
  for (const [uuid, name] of [
    ['first', 'two'],
    ['second', 'one'],
  ] as const)
    store.transcripts.write(`/${uuid}.jsonl`, (writer) =>
      writer.putSession(sessionDraft(uuid, { cwd: '/work' }), { path: `/${name}`, name }),
    );
  const [one, three] = [idOf('one'), idOf('three')];
  const projectOf = (folder: string) =>
    store.sessions.folders().find(({ path }) => path === folder)?.projectId;
  expect(store.sessions.projectOfFolder('/work')).toBe(one);
  expect(projectOf('/work')).toBe(one);
  expect(projectOf('/one')).toBe(one);
  store.projects.join(one, three);
  expect(projectOf('/one')).toBe(three);
});

test('joined sessions keep their vectors, and other projects their sessions', () => {
  const [one, two, three] = [idOf('one'), idOf('two'), idOf('three')];
  store.vectors.put('m', store.forgetting.ids({}), new Float32Array(6));
  store.projects.join(one, two);
  expect(store.vectors.countPending('m')).toBe(0);
  expect([two, three].map((id) => store.vectors.ids('m', id).length)).toEqual([2, 1]);
  expect([two, three].map((projectId) => store.sessions.list({ projectId }).length)).toEqual([2, 1]);
});

test('thoughts are found by no word in the other project either', () => {
  const thought = chunkDraft(0, 'a thought about the mill', { kind: 'thinking' });
  storeTurns(store, 'four', [turnDraft(0, [thought])], '/one');
  store.projects.join(idOf('one'), idOf('two'));
  expect(holding(store, 'mill')).toHaveLength(3);
  expect(holding(store, 'thought')).toEqual([]);
});

test('where a session goes to another project, as its folder becomes known, both are linked anew', () => {
  const [one, two, three] = [idOf('one'), idOf('two'), idOf('three')];
  storeTurns(store, 'four', [turnDraft(0, [chunkDraft(0, 'the fourth mill')])], '/one');
  for (const id of [one, two, three]) store.edges.write(id, () => undefined);
  store.transcripts.write('/four.jsonl', (writer) =>
    writer.putSession(sessionDraft('four', { cwd: '/two' }), { path: '/two', name: 'two' }),
  );
  expect(store.edges.unlinkedProjects()).toEqual([one, two]);
});
