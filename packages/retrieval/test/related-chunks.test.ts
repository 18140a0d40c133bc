import { expect, it } from 'vitest';
import { searchEntities } from '../src/matching/entity-search.js';
import { RANKING_WEIGHTS, type RankingWeights, search } from '../src/index.js';
import { bestFirst } from '../src/ranking/best-scored.js';
import { scoresOverEdges } from '../src/ranking/related-chunks.js';
import { Memory, type Told } from './memory.js';

const FILLER = Array.from({ length: 30 }, (_, i) => `Remark ${i} about the weather in the harbour`);

/** A session that speaks of tills, one far away that does in other words, and much about nothing. */
function told(extra: Told = { text: 'Cents are lost when amounts are added up' }) {
  const memory = new Memory();
  const [till] = memory.session('shop', ['The till rounds prices wrongly', ...FILLER]);
  const [other] = memory.session('shop', [extra, ...FILLER]);
  return { memory, till: till!, other: other! };
}

function topicOf({ store }: Memory, ...chunkIds: number[]): void {
  store.clusters.replace({
    projectId: 1,
    modelId: 'm',
    clusters: [{ id: null, label: 'tills', medoidId: chunkIds[0]!, centroid: Float32Array.of(1, 0) }],
    members: chunkIds.map((chunkId) => ({ chunkId, cluster: 0, probability: 1 })),
  });
}

async function sourcesFound(memory: Memory, weights: Partial<RankingWeights> = {}, agentIds?: number[]) {
  const context = { ...memory.context, weights: { ...RANKING_WEIGHTS, ...weights } };
  const scope = { projectId: 1, ...(agentIds && { agentIds }) };
  const { hits } = await search(context, { query: 'till rounds prices', scope, budgetTokens: 5_000 });
  return new Map(hits.map(({ chunk, sources }) => [chunk.id, sources]));
}

it('a chunk of the same topic is found though it shares no word with the question', async () => {
  const { memory, till, other } = told();
  expect((await sourcesFound(memory, { cluster: 0.5 })).has(other)).toBe(false);
  topicOf(memory, till, other);
  expect((await sourcesFound(memory, { cluster: 0.5 })).get(other)).toEqual(['cluster']);
  expect((await sourcesFound(memory, { cluster: 0 })).has(other)).toBe(false);
});

/** Two sessions that say the same, the earlier of which comes first. */
function toldTwice() {
  const memory = new Memory();
  const [till] = memory.session('shop', ['The till rounds prices wrongly', ...FILLER]);
  const [older] = memory.session('shop', ['Prices of the harbour', ...FILLER]);
  const [newer] = memory.session('shop', ['Prices of the harbour', ...FILLER]);
  const order = async () =>
    [...(await sourcesFound(memory)).keys()].filter((id) => id === older || id === newer);
  return { memory, till: till!, older: older!, newer: newer!, order };
}

it('of two chunks that say the same, the one of a good topic comes first', async () => {
  const { memory, till, older, newer, order } = toldTwice();
  expect(await order()).toEqual([older, newer]);
  topicOf(memory, till, newer);
  expect(await order()).toEqual([newer, older]);
});

it('of two chunks that say the same, the one that names a thing of the question comes first', async () => {
  const { memory, older, newer, order } = toldTwice();
  expect(await order()).toEqual([older, newer]);
  memory.store.entities.put(newer, [{ kind: 'file', name: 'src/rounding.ts', aliases: ['till'] }]);
  expect(await order()).toEqual([newer, older]);
});

it('a chunk alone in its topic is not its own relative', async () => {
  const { memory, till } = told();
  topicOf(memory, till);
  expect((await sourcesFound(memory)).get(till)).toEqual(['keyword']);
});

it('an edge leads to a chunk in both directions where its type has a weight', async () => {
  const { memory, till, other } = told();
  memory.link('file-path', till, other);
  expect((await sourcesFound(memory)).has(other)).toBe(false);
  expect((await sourcesFound(memory, { edges: { adjacent: 0.8 } })).has(other)).toBe(false);
  expect((await sourcesFound(memory, { edges: { 'file-path': 0.8 } })).get(other)).toEqual(['graph']);
});

it('what stands beside a good chunk is found though it shares no word with the question', async () => {
  const memory = new Memory();
  const [before, till, behind, far] = memory.session('shop', [
    'Cents are lost',
    'The till rounds prices wrongly',
    'when amounts are added up',
    'Lunch was good',
    ...FILLER,
  ]);
  const found = await sourcesFound(memory);
  expect([before, till, behind].map((id) => found.get(id!))).toEqual([['graph'], ['keyword'], ['graph']]);
  expect(found.has(far!)).toBe(false);
});

it('what an edge leads to in another project is not shown', async () => {
  const { memory, till } = told();
  const [elsewhere] = memory.session('mill', ['Cents are lost when amounts are added up', ...FILLER]);
  memory.link('adjacent', till, elsewhere!);
  expect((await sourcesFound(memory, { edges: { adjacent: 0.9 } })).has(elsewhere!)).toBe(false);
});

it('a few words of a long question are no answer, unless they name a thing', async () => {
  const memory = new Memory();
  memory.session('shop', ['The tide is low', 'The TillService is new', ...FILLER]);
  const absent = 'which gearbox of that lorry needs grease before winter holidays';
  const found = async (query: string): Promise<string[]> => {
    const { hits } = await search(memory.context, { query, scope: {}, budgetTokens: 5_000 });
    return hits.map(({ chunk }) => chunk.text);
  };
  expect(await found(`${absent} tide`)).toEqual([]);
  expect(await found('is the lorry beside the tide')).toContain('The tide is low');
  expect(await found(`${absent} TillService`)).toContain('The TillService is new');
});

it('a thing is found under another of its names', async () => {
  const { memory, other } = told();
  memory.store.entities.put(other, [{ kind: 'file', name: 'src/rounding.ts', aliases: ['till'] }]);
  expect((await sourcesFound(memory, { entity: 3 })).get(other)).toEqual(['entity']);
  expect((await sourcesFound(memory, { entity: 0 })).has(other)).toBe(false);
});

it('a commit is known by the beginning of its hash', () => {
  const { memory, other } = told();
  memory.store.entities.put(other, [{ kind: 'commit', name: 'a80692b', aliases: [] }]);
  expect([...searchEntities(memory.store, 'why is a80692bc41d5 slow', {}).keys()]).toEqual([other]);
});

it.each(['src/till.ts', 'src\\till.ts', '/home/ada/shop/src/till.ts', 'D:\\shop\\src\\till.ts'])(
  'a file is known by any path to it: %s',
  (path) => {
    const { memory, till, other } = told();
    memory.store.entities.put(other, [{ kind: 'file', name: 'src/till.ts', aliases: ['till.ts'] }]);
    memory.store.entities.put(till, [{ kind: 'file', name: 'old/till.ts', aliases: ['till.ts'] }]);
    expect([...searchEntities(memory.store, `what changed in ${path}?`, {}).keys()]).toEqual([other]);
  },
);

it('of the many things that have one name, the first few are enough', () => {
  const { memory } = told();
  const ids = memory.session(
    'shop',
    Array.from({ length: 18 }, (_, n) => `Page ${n}`),
  );
  for (const [n, id] of ids.entries())
    memory.store.entities.put(id, [{ kind: 'file', name: `${n}/README.md`, aliases: ['readme.md'] }]);
  expect([...searchEntities(memory.store, 'what changed in README.md?', {}).keys()]).toEqual(
    ids.slice(0, 16),
  );
});

it('what only the unread middle of a pasted page names is not looked up', () => {
  const { memory, other } = told();
  const aliases = ['ada lovelace'];
  memory.store.entities.put(other, [{ kind: 'person', name: 'Ada Lovelace', aliases }]);
  const named = (query: string): number[] => [...searchEntities(memory.store, query, {}).keys()];
  const page = 'noise '.repeat(1_000);
  expect(named(`Ada Lovelace ${page}`)).toEqual([other]);
  expect(named(`${page} Ada Lovelace`)).toEqual([other]);
  expect(named(`${page} Ada Lovelace ${page}`)).toEqual([]);
});

it('what is related to a chunk of an agent is shown only if it is of that agent', async () => {
  const memory = new Memory();
  const [till, plain] = memory.session('shop', [
    { text: 'The till rounds prices wrongly', agent: 'ada' },
    'Cents are lost when amounts are added up',
    ...FILLER,
  ]);
  topicOf(memory, till!, plain!);
  const agentId = memory.store.chunks.find(till!)!.agentId!;
  expect([...(await sourcesFound(memory, {}, [agentId])).keys()]).toEqual([till]);
});

it('what an agent says is found behind however many better chunks of others', async () => {
  const memory = new Memory();
  const ids = memory.session('shop', [
    ...Array.from({ length: 450 }, (_, i) => `The TillService calls itself, step ${i}`),
    ...Array.from({ length: 1_200 }, (_, i) => `Prices of week ${i}`),
    ...Array.from({ length: 3_000 }, (_, i) => `Remark ${i} about the weather in the harbour`),
    { text: 'Of the cellar, prices and weather', agent: 'ada' },
  ]);
  for (const id of ids.slice(0, 450))
    memory.store.entities.put(id, [{ kind: 'symbol', name: 'TillService', aliases: [] }]);
  const agentIds = [memory.store.chunks.find(ids.at(-1)!)!.agentId!];
  const request = { query: 'TillService prices', scope: { agentIds }, budgetTokens: 5_000 };
  const { hits } = await search(memory.context, request);
  expect(hits.map(({ chunk }) => chunk.id)).toEqual([ids.at(-1)]);
});

it.each(['thinking', 'meta', 'error'] as const)(
  'what stands beside a hit and is no talk is not found: %s',
  async (kind) => {
    const memory = new Memory();
    memory.session('shop', [
      'The till rounds prices wrongly',
      { text: 'Perhaps the cellar floods', kind },
      'Then let us look at it together',
    ]);
    const { hits } = await search(memory.context, { query: 'till prices', scope: {}, budgetTokens: 5_000 });
    expect(hits.map(({ chunk }) => chunk.text)).toEqual(['The till rounds prices wrongly']);
  },
);

it('of several edges to a chunk, the one from the best counts', () => {
  const { memory, till, other } = told();
  const [third] = memory.session('shop', ['The bell rings']);
  memory.link('adjacent', till, third!);
  memory.link('adjacent', other, third!);
  for (const scores of [
    [2, 1],
    [1, 2],
  ] as const) {
    const leading = [till, other].map((id, n) => ({ id, score: scores[n]! }));
    const related = scoresOverEdges(memory.store, leading.toSorted(bestFirst), { adjacent: 0.5 });
    expect(related.get(third!)).toBeCloseTo(2 * 0.5 * 0.9, 12);
  }
});
