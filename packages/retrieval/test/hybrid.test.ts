import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { MessagePort } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { defaultModelDir, Embedder, WorkerPool } from '@causantic/compute';
import { embedChunks } from '@causantic/ingest';
import { RANKING_WEIGHTS, type RankingWeights, search, SemanticSearch } from '@causantic/retrieval';
import { Store } from '@causantic/storage';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';
import { byMeaning } from './embedded-memory.js';

const PASSAGES = [
  'The login page redirects forever because the session cookie is rejected by the browser.',
  'Postgres ran out of connections, so we raised the pool size to fifty.',
  'We renamed the colour variables of the stylesheet.',
  'The release script now signs the macOS binaries before uploading them.',
  'Which fruit dealers hold certificates? Executables: none. Apple: two of five.',
];

let folder: string;
let store: Store;
let pool: WorkerPool;
let embedder: Embedder;
let semantic: SemanticSearch | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causantic-hybrid-'));
  store = Store.open(join(folder, 'memory.db'));
  PASSAGES.forEach(writeSession);
  pool = new WorkerPool({ threads: 1 });
  embedder = await Embedder.open({ pool, modelDir: defaultModelDir() });
  await embedChunks(store, embedder);
});

beforeEach(async () => {
  await semantic?.close();
  semantic = undefined;
});

afterAll(async () => {
  await semantic?.close();
  await pool.close();
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

function writeSession(text: string, n: number): void {
  store.transcripts.write(`/${n}.jsonl`, (writer) => {
    writer.putSession(sessionDraft(`session-${n}`), { path: `/p${n % 2}`, name: `p${n % 2}` });
    const spans = [{ speaker: 'assistant' as const, start: 0, end: text.length }];
    const chunk = chunkDraft(0, text, { spans, tokens: 20, startTimeMs: n, endTimeMs: n });
    writer.putTurn(turnDraft(0, [chunk]));
  });
}

const indexes = (): string => join(folder, 'indexes');

async function ask(query: string, projectId?: number, weights?: RankingWeights) {
  semantic ??= await SemanticSearch.open(store, embedder, indexes());
  const opened = semantic;
  return search(
    { ...byMeaning(store, opened), now: () => performance.now(), ...(weights && { weights }) },
    { query, scope: projectId === undefined ? {} : { projectId }, budgetTokens: 2_000 },
  );
}

/** Shares no word with the passage about macOS, and all its words with the one about fruit. */
const PARAPHRASE = 'certificates for Apple executables';

it('finds a passage that shares no word with the question, and says that its meaning was found', async () => {
  const byWords = await search(
    { store, now: () => 0 },
    { query: PARAPHRASE, scope: {}, budgetTokens: 2_000 },
  );
  expect(byWords.hits.map((hit) => hit.chunk.text)).toEqual([PASSAGES[4]]);
  const { hits, diagnostics } = await ask(PARAPHRASE);
  expect(hits.find((hit) => hit.chunk.text === PASSAGES[3])?.sources).toEqual(['vector']);
  expect(diagnostics.degraded).toEqual([]);
});

it.each(['similarity', 'sessionSimilarity'] as const)(
  'its meaning counts by the weight of %s',
  async (weight) => {
    const none = { ...RANKING_WEIGHTS, fusion: [0], similarity: 0, sessionSimilarity: 0 };
    const textsWith = async (weights: RankingWeights): Promise<string[]> => {
      const { hits } = await ask(PARAPHRASE, undefined, weights);
      return hits.map(({ chunk }) => chunk.text);
    };
    expect(await textsWith(none)).not.toContain(PASSAGES[3]);
    const found = await textsWith({ ...none, [weight]: 1 });
    expect(found).toContain(PASSAGES[3]);
    // The last of the list is no nearer than any other text.
    expect(found).not.toContain(PASSAGES[2]);
  },
);

it('looks up words while the vectors are scanned', async () => {
  await ask(PARAPHRASE);
  let steps: string[] = [];
  const { postings } = store.keywords;
  const lookingUp = vi.spyOn(store.keywords, 'postings').mockImplementation((...query) => {
    steps.push('words');
    // As long as in a large memory.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    return postings.apply(store.keywords, query);
  });
  const { postMessage } = MessagePort.prototype;
  const posting = vi.spyOn(MessagePort.prototype, 'postMessage').mockImplementation(function (
    this: MessagePort,
    ...message
  ) {
    if (JSON.stringify(message[0]).includes('searchIndexes')) steps.push('scan');
    postMessage.apply(this, message);
  });
  // Words do not wait for a model that takes long, as on a busy machine.
  for (let tries = 0; tries < 50 && !(steps.includes('scan') && steps.at(-1) === 'words'); tries++) {
    steps = [];
    await ask(PARAPHRASE);
  }
  lookingUp.mockRestore();
  posting.mockRestore();
  expect(steps).toContain('scan');
  expect(steps.at(-1)).toBe('words');
});

it('looks for meaning only in the project asked for', async () => {
  const other = store.projects.findBySlug('p0')!.id;
  const { hits } = await ask('Postgres ran out of connections', other);
  expect(hits.map((hit) => hit.chunk.projectId).every((id) => id === other)).toBe(true);
  // Nearer ones of other projects take no places.
  const { ids } = await semantic!.nearest('Postgres ran out of connections', { projectId: other }, 1);
  expect(ids.map((id) => store.chunks.find(id)!.projectId)).toEqual([other]);
});

it.each(['deleted', 'truncated'])('answers the same when its index files are %s', async (damage) => {
  const before = await ask(PARAPHRASE);
  await semantic!.close();
  semantic = undefined;
  const files = readdirSync(indexes()).map((name) => join(indexes(), name));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    if (damage === 'deleted') rmSync(file);
    else truncateSync(file, 60);
  }
  const after = await ask(PARAPHRASE);
  expect(after.text).toBe(before.text);
});

it('finds every chunk above a similarity among those allowed', async () => {
  semantic = await SemanticSearch.open(store, embedder, indexes());
  const projectId = store.projects.findBySlug('p1')!.id;
  const ids = store.forgetting.ids({ projectId });
  const all = await semantic.similarAmong(PASSAGES[1]!, { projectId, ids, minSimilarity: -1 });
  expect(all.ids).toHaveLength(ids.length);
  const same = await semantic.similarAmong(PASSAGES[1]!, { projectId, ids, minSimilarity: 0.95 });
  expect(store.chunks.get(same.ids).map((chunk) => chunk.text)).toEqual([PASSAGES[1]]);
  const others = ids.filter((id) => id !== same.ids[0]);
  expect(
    (await semantic.similarAmong(PASSAGES[1]!, { projectId, ids: others, minSimilarity: 0.95 })).ids,
  ).toEqual([]);
  const none = await semantic.similarAmong(PASSAGES[1]!, { projectId, ids: [], minSimilarity: -1 });
  expect(none.ids).toEqual([]);
});

it.each(['--', '...', '*', '"', '=== — ==='])('finds nothing that means %s', async (query) => {
  await ask(PASSAGES[0]!);
  const allowed = { projectId: 1, ids: store.forgetting.ids({ projectId: 1 }), minSimilarity: -1 };
  expect(await semantic!.similarAmong(query, allowed)).toMatchObject({ ids: [], isUnderstood: true });
  expect((await ask(query)).hits).toEqual([]);
});

it('answers by words, and says so, when there is no model', async () => {
  const noModel = (): Promise<SemanticSearch> => Promise.reject(new Error('no model in this folder'));
  const context = { store, now: () => 0, semantic: noModel };
  const { hits, diagnostics } = await search(context, {
    query: 'session cookie',
    scope: {},
    budgetTokens: 2_000,
  });
  expect(hits[0]!.chunk.text).toBe(PASSAGES[0]);
  expect(hits[0]!.sources).toEqual(['keyword']);
  expect(diagnostics.degraded).toEqual(['vector: no model in this folder']);
});

it('waits for vectors as long as it is told, and no longer', async () => {
  const opened = (semantic = await SemanticSearch.open(store, embedder, indexes()));
  const late = () => setTimeout(200, opened);
  const degradedAfter = async (semanticPatienceMs: number) => {
    const context = { store, now: () => 0, semantic: late, semanticPatienceMs };
    const request = { query: PARAPHRASE, scope: {}, budgetTokens: 2_000 };
    return (await search(context, request)).diagnostics.degraded;
  };
  expect(await degradedAfter(20)).toEqual(['vector: no answer within 20 ms']);
  expect(await degradedAfter(60_000)).toEqual([]);
});

it('goes on embedding where it was stopped', async () => {
  store.vectors.dropAll(embedder.model.id);
  const stop = new AbortController();
  stop.abort();
  expect(await embedChunks(store, embedder, { signal: stop.signal })).toBe(0);
  const [first] = store.vectors.pending(embedder.model.id, 0, 1);
  store.vectors.put(embedder.model.id, [first!.id], await embedder.embed([first!.text], 'passage'));
  const progress: number[] = [];
  expect(await embedChunks(store, embedder, { onProgress: ({ done }) => progress.push(done) })).toBe(
    PASSAGES.length - 1,
  );
  expect(progress).toEqual([PASSAGES.length - 1]);
  expect(await embedChunks(store, embedder)).toBe(0);
});
