// Claude Code goes on with a file as if it ended in a line break, which it does not where another program wrote it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ingestTree } from '../src/index.js';
import { expectSameInPieces, ingested, lineEnds, sessionId, TestStore } from './ingested.js';
import { parseLine } from '../src/transcripts/records.js';
import { Recording, temporaryFolder } from './recording.js';

const recording = (): Recording => new Recording(sessionId(1));

/** Puts one of the lines behind the one before it, without a line break. */
function joinedAt(lines: readonly string[], at: number): string[] {
  return [...lines.slice(0, at - 1), lines[at - 1]! + lines[at]!, ...lines.slice(at + 1)];
}

function withLines(lines: readonly string[]): Recording {
  const joined = recording();
  for (const line of lines) joined.raw(line);
  return joined;
}

/** What a store holds but for the numbers of lines. */
function toldIn(store: TestStore): unknown {
  const { sessions, turns } = store.contents();
  const rows = turns as { facts: string; start_time: number }[];
  return {
    titles: (sessions as { title: string }[]).map(({ title }) => title),
    turns: rows.map(({ facts, start_time }) => [facts, start_time]),
    chunks: store.chunks().map(({ kind, text, agent, files }) => [kind, text, agent, files]),
  };
}

/** Agents, a rewind, two terminals, a title and a compaction, with prompts that stand behind all sorts of records. */
function eventful(): Recording {
  const session = recording().user('start').call('t1', 'Task', { description: 'look', prompt: 'Find it' });
  const parent = session.at;
  session
    .backTo(null)
    .user('Find it', { isSidechain: true })
    .answer('It is in the cellar.', { isSidechain: true })
    .backTo(parent)
    .result('t1', 'in the cellar')
    .answer('started')
    .raw('{"type":"summary","summary":"A till","leafUuid":"x"}');
  const place = session.at;
  session.user('wrong way').answer('going wrong').backTo(place).user('llamas?').answer('about llamas');
  const llamas = session.at;
  session.backTo(place).user('whales?');
  const whales = session.at;
  session.backTo(llamas).answer('more llamas').backTo(whales).answer('about whales');
  session.user('This session is being continued …', { isCompactSummary: true }).answer('going on');
  return session.user('thanks').user('bye').answer('You are welcome.');
}

describe('two records in one line', () => {
  const { lines } = eventful();

  it.each(lines.slice(1).map((_, at) => [at + 1]))('are both read: record %i behind the one before', (at) => {
    const { store, report } = ingested(withLines(joinedAt(lines, at)));
    expect(report.issues).toEqual([]);
    expect(toldIn(store)).toEqual(toldIn(ingested(eventful()).store));
  });

  it.each(lines.slice(1).map((_, at) => [at + 1]))('give the same piece by piece: record %i', (at) => {
    const { text } = withLines(joinedAt(lines, at));
    const middle = Buffer.byteLength(lines.slice(0, at).join('\n'));
    expectSameInPieces(text, (bytes) => [...lineEnds(bytes), middle].toSorted((a, b) => a - b));
    expectSameInPieces(text, ({ length }) => [middle + 9, length - 1, length]);
  });

  it('may all be prompts', () => {
    const prompts = recording().user('one').user('two').user('three').answer('all three');
    const [one, two, three, answer] = prompts.lines;
    const session = withLines([one! + two! + three! + answer!]);
    const { store, report } = ingested(session);
    expect(report.issues).toEqual([]);
    expect(store.saidBy('user')).toEqual(['one', 'two', 'three']);
    const cuts = [one!.length, one!.length + two!.length + 5];
    expectSameInPieces(session.text, ({ length }) => [...cuts, length]);
  });

  it.each(['go home', 'going', 'come back', 'coming'])('lose what was deleted of one: %s', (text) => {
    const session = recording()
      .user('go home')
      .answer('going')
      .user('come back')
      .answer('coming')
      .user('thanks');
    const [first, second, third, fourth, last] = session.lines;
    const { store, path } = ingested(withLines([first!, second! + third!, fourth!, last!]));
    const before = store.chunks();
    store.forget(text);
    const left = store.text();
    expect(store.chunks().length).toBe(before.length - 1);
    writeFileSync(path, `${withLines([first!, second! + third!, fourth!, last!]).text}\n`);
    expect(store.ingest(path).status).toBe('ingested');
    expect(store.text()).toBe(left);
  });

  it('tell where a session was, and what it is a copy of', () => {
    const folder = temporaryFolder();
    const original = new Recording(sessionId(2)).user('build a till').answer('built '.repeat(50));
    const copied = new Recording(sessionId(1));
    for (const line of original.lines) copied.raw(line.replace(/("sessionId":"0000000)2/, '$11'));
    const [first, second] = copied.lines.splice(0);
    const noted = second!.replace('{', `{"requestSessionId":"${sessionId(2)}",`);
    copied
      .raw(first! + noted)
      .backTo(original.at)
      .user('make it blue');
    copied.writeTo(join(folder, `${sessionId(1)}.jsonl`));
    original.user('longer '.repeat(500)).writeTo(join(folder, `${sessionId(2)}.jsonl`));
    const store = new TestStore();
    expect(ingestTree(store.store, [folder])).toMatchObject({ issues: [], copiedRecords: 2 });
    expect(store.contents()['sessions']).toMatchObject([
      { uuid: sessionId(1), continues_uuid: sessionId(2) },
      { uuid: sessionId(2), continues_uuid: null },
    ]);
  });

  it('tell whose notes stand beside them', () => {
    const folder = join(temporaryFolder(), 'projects', '-home-ada-shop');
    mkdirSync(join(folder, 'memory'), { recursive: true });
    writeFileSync(join(folder, 'memory', 'MEMORY.md'), '# Till\n\nIt is blue.\n');
    const [prompt] = recording().user('build a till').lines;
    const start = '{"type":"file-history-snapshot","messageId":"x","snapshot":{}}';
    withLines([start + prompt!]).writeTo(join(folder, `${sessionId(1)}.jsonl`));
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    expect(store.contents()['sessions']).toMatchObject([
      { cwd: '/home/ada/shop' },
      { cwd: '/home/ada/shop' },
    ]);
  });
});

describe('a record that is written again behind itself', () => {
  it.each([
    ['an answer', 2],
    ['a prompt', 1],
  ])('is told once, with the title between both: %s', (_what, count) => {
    const session = recording().user('where is the till').answer('in the cellar');
    const lines = session.lines.splice(0).slice(0, count);
    for (const line of lines) session.raw(line);
    session.raw(`${session.lines.pop()!}{"type":"summary","summary":"A till","leafUuid":"x"}`);
    session.raw(lines.at(-1)!.replace('"gitBranch":"main"', '"gitBranch":"till"'));
    const at = String((JSON.parse(lines.at(-1)!) as { uuid: string }).uuid);
    session.backTo(at).answer('found it').user('thanks').answer('welcome');
    const { store } = ingested(session);
    expect(store.saidBy('user')).toEqual(['where is the till', 'thanks']);
    expect(store.saidBy('assistant')).toEqual(
      count === 2 ? ['in the cellar', 'found it', 'welcome'] : ['found it', 'welcome'],
    );
    expectSameInPieces(session.text);
  });
});

describe('a line of records that is damaged', () => {
  const [question, answer] = recording().user('where is the till').answer('in the cellar').lines;

  it.each([
    ['before them', `{"type":"user","mess${question}${answer}`],
    ['behind them', `${question}${answer}{"type":"us`],
    ['between them', `${question}{"type":"user","mess${answer}`],
  ])('gives those that are whole: %s', (_where, line) => {
    const { store, report } = ingested(withLines([line]));
    expect(store.saidBy('user')).toEqual(['where is the till']);
    expect(store.saidBy('assistant')).toEqual(['in the cellar']);
    expect(report.issues).toMatchObject([{ line: 1, code: 'invalid-json' }]);
  });

  it('gives no part of one for a whole one', () => {
    const half = answer!.slice(0, answer!.lastIndexOf(']'));
    const bytes = Buffer.from(half);
    expect(parseLine({ bytes, number: 1, offset: 0, terminated: true })).toMatchObject([
      { record: null, issue: { code: 'invalid-json' } },
    ]);
  });

  it('of hundreds of thousands costs little', () => {
    const { store, report } = ingested(withLines([question!, '{}'.repeat(1_000_000), answer!]));
    expect(store.saidBy('assistant')).toEqual(['in the cellar']);
    expect(report.issues).toMatchObject([{ line: 2, code: 'invalid-json' }]);
  });
});
