import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';
import { SeededRandom } from '../../../test/seeded-random.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { foldedLetters } from '../src/words/folded-letters.js';
import { openSqlite } from '../src/database/sqlite.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChunkDraft, Speaker } from '@causantic/domain';
import { importArchive, type KeywordScope, Store, writeArchive } from '../src/index.js';
import { CHECKPOINT, storeSession } from './sessions.js';

let folder: string;
let path: string;
let store: Store;
/** A connection that knows nothing of the product. */
let plain: Database;

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'memory.db');
  store = Store.open(path);
  plain = openSqlite(path);
});
afterEach(() => {
  plain.close();
  store.close();
});

const WEIGHTS = { prompt: 1, said: 0.9, tools: 0.7, results: 0.2, words: 0.4 };
const SPEAKERS: Speaker[] = ['user', 'assistant', 'tool_use', 'tool_result', 'thinking'];
/** Stems, accents, names with inner capitals, numbers, what stands for a project in the index, letter pairs. */
const VOCABULARY = [
  ...['run', 'running', 'Runs', 'café', 'CAFE', 'getUserName', 'user', 'name', 'p1', 'p2', '42', 'v1.2'],
  ...['src/app.ts', 'the', 'The', 'snake_case', 'Ελλάδα', 'straße', '東京都庁', 'x', 'config', 'configure'],
];
const PHRASES = [...VOCABULARY, 'user name', 'run the', 'src', 'app.ts', 'case', 'absent', '𞤀', '"', '東京'];

type Chunks = { project: number; count: number; random: SeededRandom };

function draft(seq: number, random: Chunks['random']): ChunkDraft {
  let text = '';
  const spans = Array.from({ length: 1 + random.below(4) }, () => {
    const start = text.length;
    // Squared: the first words are common, the last ones rare.
    const word = (): string => VOCABULARY[Math.floor(random.next() ** 2 * VOCABULARY.length)]!;
    text += `${Array.from({ length: 1 + random.below(12) }, word).join(' ')} `;
    return { speaker: random.pick(SPEAKERS), start, end: text.length };
  });
  return chunkDraft(seq, text, { spans, startTimeMs: seq, endTimeMs: seq });
}

/** Two chunks of the main thread, one of an agent, and so on, in one session. */
function storeChunks(into: Store, name: string, { project, count, random }: Chunks): void {
  into.transcripts.write(`/${name}.jsonl`, (writer) => {
    writer.putSession(sessionDraft(name), { path: `/home/me/${project}`, name: `${project}` });
    const agent = { key: 'a', kind: 'subagent' as const, name: 'a', description: null };
    writer.putAgent({ ...agent, toolUseId: null, teamName: null });
    for (let seq = 0; seq < count; seq++) {
      writer.putTurn(turnDraft(seq, [draft(seq, random)], { agentKey: seq % 3 === 2 ? 'a' : null }));
    }
    writer.save(CHECKPOINT);
  });
}

/** What FTS5 itself says. */
function byFts5(phrase: string, { projectId, agentIds }: KeywordScope, limit: number): [number, number][] {
  const words = `{prompt said tools results words} : "${foldedLetters(phrase).replaceAll('"', '""')}"`;
  const match = projectId === undefined ? words : `scope : p${projectId} AND ${words}`;
  const ofAgents = agentIds
    ? `AND rowid IN (SELECT id FROM chunk WHERE agent_id IN (${agentIds.join()}))`
    : '';
  const sql = `SELECT rowid, -bm25(chunk_fts, 0, ${Object.values(WEIGHTS).join()}) FROM chunk_fts
    WHERE chunk_fts MATCH ? ${ofAgents} ORDER BY rowid DESC LIMIT ${limit}`;
  // FTS5 takes a phrase without words for no condition at all.
  const isEmpty = /^["𞤀]$/u.test(phrase);
  return isEmpty ? [] : (plain.prepare(sql).raw().all(match) as [number, number][]);
}

const SCOPES: KeywordScope[] = [
  {},
  ...[1, 2, 3, 9].map((projectId) => ({ projectId })),
  { agentIds: [1, 3] },
  { projectId: 1, agentIds: [1, 2] },
  { agentIds: [] },
];

function expectSame(limit: number): void {
  for (const scope of SCOPES) {
    const { projectId } = scope;
    for (const phrase of PHRASES) {
      const found = store.keywords.postings(phrase, scope, WEIGHTS, limit);
      const wanted = byFts5(phrase, scope, limit);
      const difference = wanted.reduce(
        (most, [, score], i) => Math.max(most, Math.abs(found.scores[i]! - score)),
        0,
      );
      const frequency = store.keywords.documentFrequencies([phrase], scope, limit)[0];
      expect({ phrase, scope, ids: found.ids, isClose: difference < 1e-9, frequency }).toEqual({
        phrase,
        scope,
        ids: wanted.map(([id]) => id),
        isClose: true,
        frequency: byFts5(phrase, projectId === undefined ? {} : { projectId }, limit).length,
      });
    }
  }
}

describe.each([1, 2, 3])('postings of generated chunks, seed %i', (seed) => {
  it('are those of FTS5 with its scores, at once after every change by anybody', () => {
    const random = new SeededRandom(seed);
    for (let n = 0; n < 6; n++) storeChunks(store, `s${n}`, { project: n % 3, count: 25, random });
    expectSame(1_000);
    expectSame(17);
    const other = Store.open(path);
    storeChunks(other, 'later', { project: 1, count: 30, random });
    expectSame(1_000);
    expectSame(1);
    other.forgetting.delete([1, 2, 3, 50, 120, 121]);
    expectSame(1_000);
    storeChunks(store, 'own', { project: 2, count: 10, random });
    store.forgetting.delete([150, 190]);
    expectSame(17);
    expectSame(1_000);
    const left = store.forgetting.ids({}).length;
    expect([store, other].map(({ keywords }) => keywords.size())).toEqual([left, left]);
    other.close();
  });
});

it('postings are the same when the pieces of the index have been put together', () => {
  const random = new SeededRandom(7);
  const pieces = (): number =>
    plain.prepare('SELECT count(DISTINCT segid) FROM chunk_fts_idx').pluck().get() as number;
  storeChunks(store, 's', { project: 1, count: 25, random });
  store.forgetting.delete([3, 20]);
  for (let n = 0; n < 6; n++) storeChunks(store, `s${n}`, { project: n % 3, count: 25, random });
  expectSame(1_000);
  expect(pieces()).toBeGreaterThan(1);
  store.keywords.merge();
  expect(pieces()).toBe(1);
  expectSame(1_000);
  storeChunks(store, 'later', { project: 1, count: 30, random });
  expectSame(1_000);
});

it('postings are the same where lengths were read ahead, also those of what came later', async () => {
  const random = new SeededRandom(6);
  for (let n = 0; n < 3; n++) storeChunks(store, `s${n}`, { project: n % 3, count: 25, random });
  await store.keywords.readAhead();
  expectSame(1_000);
  const other = Store.open(path);
  storeChunks(other, 'later', { project: 1, count: 30, random });
  other.forgetting.delete([2, 77]);
  await store.keywords.readAhead();
  expectSame(1_000);
  other.close();
});

it('chunks in which two words stand side by side, in either order, score as for one word that they hold once', () => {
  const texts = ['a plank of oak, and the plane', 'plane oak', 'oak “planes”, and the plane', 'heron'];
  texts.forEach((text, n) => storeSession(store, `s${n}`, text));
  const { ids, scores } = store.keywords.sideBySide(['oak', 'plane'], {}, 10);
  expect(ids).toEqual([3, 2]);
  expect(scores[1]).toBeGreaterThan(scores[0]!);
  expect(store.keywords.sideBySide(['oak', 'plane'], {}, 1).ids).toEqual([3]);
  expect(store.keywords.sideBySide(['oak', 'heron'], {}, 1).ids).toEqual([]);
});

it('many words are counted at once as they are one by one', () => {
  const texts = [
    'a plank of oak',
    'oaks and planes',
    'the Änderung of p7',
    'oak-plane',
    'getUserId',
    '東京都',
  ];
  texts.forEach((text, n) => storeSession(store, `s${n}`, text));
  const phrases = [
    'oak',
    'planes',
    'planks',
    'änderung',
    'the',
    'heron',
    '',
    'getuserid',
    'oaks',
    'p7',
    'oak-plane',
  ];
  const one = phrases.map((phrase) => store.keywords.documentFrequencies([phrase], {}, 100)[0]);
  store.close();
  store = Store.open(path);
  expect(store.keywords.documentFrequencies(phrases, {}, 100)).toEqual(one);
  expect(one).toEqual([3, 2, 1, 1, 1, 0, 0, 1, 3, 1, 1]);
});

it('a text is found word by word, in its order', () => {
  ['an oak and a plane', 'a plane and an oak', 'An OAK, and: a plane!'].forEach((text, n) => {
    storeSession(store, `s${n}`, text);
  });
  expect(store.keywords.literally('oak and a plane', [], {}, 10).ids).toEqual([3, 1]);
  expect(store.keywords.literally('oak and a plane', [], {}, 1).ids).toEqual([3]);
  expect(store.keywords.literally('oak and a plane', [], { agentIds: [1] }, 10).ids).toEqual([]);
});

it('a text is found the same after some or all of its words were looked up', () => {
  const texts = ['the oak, the oaks and a plane', 'a plane, an oak', 'the oak the heron', 'oak the plane'];
  texts.forEach((text, n) => storeSession(store, `s${n}`, text));
  const phrases = ['the oak the oak', 'oak and a plane', 'and the oak', 'the oak', 'a plane an oak', 'oak'];
  const find = (): number[][] => phrases.map((phrase) => store.keywords.literally(phrase, [], {}, 10).ids);
  const found = find();
  expect(found).toEqual([[1], [1], [], [3, 1], [2], [4, 3, 2, 1]]);
  for (const word of ['oak', 'plane', 'and', 'the']) {
    store.keywords.postings(word, {}, WEIGHTS, 10);
    expect(find()).toEqual(found);
  }
});

it('of a text of which most words were looked up the others are not compared', () => {
  ['oak and plane, heron or kettle on ash', 'oak and plane, heron and kettle on ash'].forEach((text, n) => {
    storeSession(store, `s${n}`, text);
  });
  const words = ['oak', 'plane', 'heron', 'kettle', 'ash'];
  for (const word of words) store.keywords.postings(word, {}, WEIGHTS, 10);
  const find = (text: string, phrases: string[]): number[] =>
    store.keywords.literally(text, phrases, {}, 10).ids;
  const text = 'oak and plane, heron or kettle on ash';
  expect(find(text, words)).toEqual([2, 1]);
  expect(find(text, words.slice(1))).toEqual([1]);
  expect(find('oak and plane, heron or kettle near the ash', words)).toEqual([]);
});

it('the chunks are found in which most words that were looked up stand as far apart as in a text', () => {
  const texts = [
    'oak 81 and plane of heron',
    'the plane and 80 oaks of a heron',
    'oak 82 and plane of kettle',
    'oak plane heron',
  ];
  texts.forEach((text, n) => storeSession(store, `s${n}`, text));
  const find = (text: string, phrases: string[], least: number, limit = 10): number[] =>
    store.keywords.nearlyLiterally(text, phrases, {}, { least, limit }).ids;
  const lookUp = (...words: string[]): void => {
    for (const word of words) store.keywords.postings(word, {}, WEIGHTS, 10);
  };
  lookUp('oak', 'plane', 'heron', 'kettle');
  const words = ['oak', 'plane', 'heron'];
  expect(find('where is oak 99 and plane of heron?', words, 2)).toEqual([1]);
  expect(find('where is oak 99 and plane of it?', words, 2)).toEqual([3, 1]);
  expect(find('where is oak 99 and plane of it?', words, 2, 1)).toEqual([3]);
  expect(find('where is oak 99 and plane of it?', words, 3)).toEqual([]);
  // What an earlier question looked up changes nothing.
  expect(find('where is oak 99 and plane of kettle?', words, 2)).toEqual([3, 1]);
});

it('a text that says a word again and again has only its first places compared', () => {
  storeSession(store, 's', 'one two three four');
  const words = ['one', 'two', 'three', 'four'];
  const find = (text: string): number[] => {
    for (const word of words) store.keywords.postings(word, {}, WEIGHTS, 10);
    return store.keywords.nearlyLiterally(text, words, {}, { least: 4, limit: 10 }).ids;
  };
  expect(find(`${'one or '.repeat(4)}one two three four`)).toEqual([1]);
  expect(find(`${'one or '.repeat(5)}one two three four`)).toEqual([]);
});

it('what stands nearly so in other projects hides nothing of the scope', () => {
  const random = new SeededRandom(6);
  for (let n = 0; n < 6; n++) storeChunks(store, `s${n}`, { project: n % 3, count: 25, random });
  const words = ['run', 'café', 'user', 'config'];
  for (const word of words) store.keywords.postings(word, {}, WEIGHTS, 1_000);
  const bounds = { least: 2, limit: 1_000 };
  const text = 'run café user run café user config';
  for (const scope of SCOPES) {
    const inScope = new Set(
      words.flatMap((word) => store.keywords.postings(word, scope, WEIGHTS, 1_000).ids),
    );
    const { ids, scores } = store.keywords.nearlyLiterally(text, words, scope, bounds);
    expect(ids.length > 0).toBe(inScope.size > 0);
    expect(ids.filter((id) => !inScope.has(id))).toEqual([]);
    expect(scores).toHaveLength(ids.length);
  }
});

it('words side by side are those of the scope', () => {
  const random = new SeededRandom(4);
  for (let n = 0; n < 6; n++) storeChunks(store, `s${n}`, { project: n % 3, count: 25, random });
  const all = store.keywords.sideBySide(['run', 'café'], {}, 1_000).ids;
  expect(all.length).toBeGreaterThan(20);
  for (const scope of SCOPES) {
    const inScope = new Set(store.keywords.postings('run', scope, WEIGHTS, 1_000).ids);
    const found = store.keywords.sideBySide(['run', 'café'], scope, 1_000).ids;
    expect(found).toEqual(all.filter((id) => inScope.has(id)));
  }
});

it('words side by side are found alike, looked up before or not', () => {
  const random = new SeededRandom(5);
  for (let n = 0; n < 6; n++) storeChunks(store, `s${n}`, { project: n % 3, count: 40, random });
  store.forgetting.delete([3, 60, 61]);
  const words = ['run', 'Runs', 'café', 'p1', '42', 'user', 'name', 'x', 'snake_case', 'config', 'absent'];
  const pairs = words.flatMap((first) => words.map((second) => [first, second] as const));
  const findAll = (): unknown[] =>
    SCOPES.flatMap((scope) =>
      [1_000, 3].flatMap((limit) => pairs.map((pair) => store.keywords.sideBySide(pair, scope, limit))),
    );
  const byFts5 = findAll();
  for (const word of words) store.keywords.postings(word, {}, WEIGHTS, 1_000);
  expect(findAll()).toEqual(byFts5);
});

it.each(['before', 'in'])(
  'nothing is kept of a transaction that is taken back, first read %s it',
  (first) => {
    storeSession(store, 'a', 'the mill grinds corn');
    const find = (): number[] => store.keywords.postings('heron', {}, WEIGHTS, 10).ids;
    if (first === 'before') expect(find()).toEqual([]);
    const write = (): void =>
      store.transcripts.write('/b.jsonl', () => {
        storeSession(store, 'b', 'the heron fishes');
        expect(find()).toEqual([2]);
        throw new Error('taken back');
      });
    expect(write).toThrow('taken back');
    expect(find()).toEqual([]);
    storeSession(store, 'c', 'heron and mill and loom');
    const { ids, scores } = store.keywords.postings('heron', {}, WEIGHTS, 10);
    expect(ids.map((id, index) => [id, scores[index]])).toEqual(byFts5('heron', {}, 10));
  },
);

it('an archive that takes the place of the memory brings other chunks under the same ids', async () => {
  const home = join(folder, 'archived.db');
  const archived = Store.open(home);
  storeSession(archived, 'long', 'mill '.repeat(30));
  storeSession(archived, 'short', 'the mill');
  const archive = join(folder, 'memory.causantic');
  await writeArchive(archived, { path: archive, program: 'test 1', temporaryFolder: folder });
  archived.close();
  storeSession(store, 'a', 'mill');
  storeSession(store, 'b', 'mill and loom and heron');
  store.keywords.postings('mill', { projectId: 1 }, WEIGHTS, 10);
  await importArchive(path, { path: archive, replace: true, temporaryFolder: folder });
  const { ids, scores } = store.keywords.postings('mill', {}, WEIGHTS, 10);
  expect(ids.map((id, index) => [id, scores[index]])).toEqual(byFts5('mill', {}, 10));
});

it.each([
  ['its totals', "UPDATE chunk_fts_data SET block = x'00' WHERE id = 1"],
  ['its totals as a whole', 'DELETE FROM chunk_fts_data WHERE id = 1'],
  ['its structure', "UPDATE chunk_fts_data SET block = x'00000000ffffffffffffff' WHERE id = 10"],
  ['its pages', "UPDATE chunk_fts_data SET block = x'ffffffffffffffff' WHERE id > 10"],
])('an index that is damaged in %s is said to be', (_, damage) => {
  storeSession(store, 'a', 'the mill grinds corn');
  plain.unsafeMode().exec(damage);
  const read = (): unknown => store.keywords.postings('mill', {}, WEIGHTS, 10);
  expect(read).toThrow(expect.objectContaining({ code: 'CORRUPT' }));
});
