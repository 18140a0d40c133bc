import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Store, TranscriptWriter } from '@causantic/storage';
import { describe, expect, it, vi } from 'vitest';
import { findUnread, ingestTree } from '../src/index.js';
import { ingested, sessionId, TestStore } from './ingested.js';
import { Recording, temporaryFolder } from './recording.js';
import { Rollout, threadId } from './rollout.js';

/** So long that several turns are in the store before the last is read. */
function manyTurns(): Recording {
  const recording = new Recording(sessionId(1));
  for (let turn = 0; turn < 30; turn++)
    recording.user(`question ${turn}`).answer(`answer ${turn} `.repeat(200));
  return recording;
}

/** A folder with one transcript, and the same somewhere else, as a backup has it. */
class Kept {
  readonly path: string;
  private readonly backup: string;

  constructor(recording: Recording) {
    this.path = join(temporaryFolder(), `${sessionId(1)}.jsonl`);
    recording.writeTo(this.path);
    this.backup = `${this.path}.backup`;
    copyFileSync(this.path, this.backup);
    // In the past, as the times of what is kept are.
    utimesSync(this.backup, 1_700_000_000, 1_700_000_000);
    utimesSync(this.path, 1_700_000_000, 1_700_000_000);
  }

  /** As `cp -p`, `rsync --inplace --times`: written over, with the times of the original. */
  writeOver(): void {
    writeFileSync(this.path, readFileSync(this.backup));
    this.takeTimes(this.path);
  }

  /** As rsync and clients that keep folders the same do: written beside, and renamed. */
  replace(): void {
    copyFileSync(this.backup, `${this.path}.new`);
    this.takeTimes(`${this.path}.new`);
    renameSync(`${this.path}.new`, this.path);
  }

  isWhole(): boolean {
    return statSync(this.path).size === statSync(this.backup).size;
  }

  private takeTimes(path: string): void {
    const { atime, mtime } = statSync(this.backup);
    utimesSync(path, atime, mtime);
  }
}

/** Have something done when the memory is locked for a transcript, and when all of it has been read. */
function during({ store }: TestStore, at: Partial<Record<'waiting' | 'reading' | 'read', () => void>>): void {
  const { transcripts } = store;
  const write = transcripts.write.bind(transcripts);
  vi.spyOn(transcripts, 'write').mockImplementation(((path, work) => {
    at.waiting?.();
    return write(path, (writer: TranscriptWriter) => {
      const putSession = writer.putSession.bind(writer);
      let calls = 0;
      writer.putSession = (...parameters) => {
        putSession(...parameters);
        (calls++ === 0 ? at.reading : at.read)?.();
      };
      return work(writer);
    });
  }) as Store['transcripts']['write']);
}

/** All that is in the folder now, as a store has it that never saw it otherwise. */
function expectAsReadAtOnce(store: TestStore, folder: string): void {
  const undisturbed = new TestStore();
  ingestTree(undisturbed.store, [folder]);
  expect(store.contents()).toEqual(undisturbed.contents());
}

describe('a file that is cut off while it is read, and restored with its times', () => {
  const restored = {
    'written over': (file: Kept) => file.writeOver(),
    'replaced by another': (file: Kept) => file.replace(),
  };
  // Windows replaces no file that is being read.
  const momentsFor = (how: string) =>
    process.platform === 'win32' && how === 'replaced by another'
      ? (['afterwards'] as const)
      : (['while it is read', 'afterwards'] as const);

  it.each(
    Object.entries(restored).flatMap(([how, restore]) =>
      momentsFor(how).flatMap((when) => [0, 20_000].map((bytes) => ({ how, restore, when, bytes }))),
    ),
  )('is read whole by the next run: $how $when, cut to $bytes bytes', ({ restore, when, bytes }) => {
    const file = new Kept(manyTurns());
    const undisturbed = new TestStore();
    undisturbed.ingest(file.path);
    const store = new TestStore();
    during(store, {
      reading: () => truncateSync(file.path, bytes),
      read: () => when === 'while it is read' && restore(file),
    });
    store.ingest(file.path);
    vi.restoreAllMocks();
    if (!file.isWhole()) restore(file);
    store.ingest(file.path);
    expect(store.contents()).toEqual(undisturbed.contents());
    expect(store.ingest(file.path).status).toBe('unchanged');
  });
});

describe('a file that is written anew', () => {
  it('is noticed by a word as long as the one before, though size and time are the same', () => {
    const file = new Kept(manyTurns());
    const store = new TestStore();
    store.ingest(file.path);
    const { atime, mtime } = statSync(file.path);
    writeFileSync(file.path, readFileSync(file.path, 'utf8').replaceAll('answer 14 ', 'REMOVED!! '));
    utimesSync(file.path, atime, mtime);
    store.ingest(file.path);
    expect(store.text()).toContain('REMOVED!!');
    expect(store.text()).not.toContain('answer 14 ');
  });

  it('is noticed by such a word when it has grown as well', () => {
    const file = new Kept(manyTurns());
    const store = new TestStore();
    store.ingest(file.path);
    const text = readFileSync(file.path, 'utf8').replaceAll('answer 14 ', 'REMOVED!! ');
    writeFileSync(file.path, `${text}\n`);
    store.ingest(file.path);
    expect(store.text()).not.toContain('answer 14 ');
  });

  it('is noticed by such a word also where it is written again and again while it is read', () => {
    const file = new Kept(manyTurns());
    const store = new TestStore();
    const text = readFileSync(file.path, 'utf8');
    during(store, {
      reading: () => writeFileSync(file.path, text.replaceAll('answer 14 ', 'NOT YET!! ')),
      read: () => writeFileSync(file.path, text.replaceAll('answer 14 ', 'REMOVED!! ')),
    });
    store.ingest(file.path);
    vi.restoreAllMocks();
    expect(store.text()).toContain('NOT YET!!');
    store.ingest(file.path);
    expect(store.text()).toContain('REMOVED!!');
  });

  it('with the same text is as it was: its chunks keep their vectors', () => {
    const file = new Kept(manyTurns());
    const store = new TestStore();
    store.ingest(file.path);
    const ids = [...store.store.chunks.walk({}, 'oldest')].map(({ id }) => id);
    utimesSync(file.path, new Date(), new Date());
    expect(store.ingest(file.path).status).toBe('unchanged');
    expect([...store.store.chunks.walk({}, 'oldest')].map(({ id }) => id)).toEqual(ids);
    // Nor is it looked into once more.
    expect(findUnread(store.store, [file.path], () => undefined).unread).toEqual([]);
  });
});

describe('two processes', () => {
  it('what one reads while the other waits for it is not dropped again', () => {
    const recording = manyTurns();
    const { store, path } = ingested(recording);
    const lines = recording.lines.length;
    recording.answer('said meanwhile').user('and this').answer('too').appendTo(path, lines);
    const other = new TestStore(dirname(store.path));
    during(store, {
      waiting() {
        const before = recording.lines.length;
        recording.answer('and at last').appendTo(path, before);
        other.ingest(path);
      },
    });
    expect(store.ingest(path)).toMatchObject({ status: 'unchanged', chunks: 0 });
    expect(store.text()).toContain('and at last');
  });
});

describe('a file that is moved while its turn is open', () => {
  it('goes on where it was, as Codex archives a thread', () => {
    const folder = temporaryFolder();
    const name = `rollout-2026-03-01T10-00-00-${threadId(1)}.jsonl`;
    const [from, to] = ['sessions', 'archived_sessions'].map((part) => join(folder, part, name)) as [
      string,
      string,
    ];
    const rollout = new Rollout(threadId(1))
      .prompt('where is the till')
      .answer('in the cellar')
      .prompt('how do I open it');
    rollout.writeTo(from);
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    mkdirSync(dirname(to));
    renameSync(from, to);
    expect(ingestTree(store.store, [folder])).toMatchObject({ chunks: 0, skipped: 1 });
    rollout.answer('with the key').writeTo(to);
    ingestTree(store.store, [folder]);
    expectAsReadAtOnce(store, folder);
  });

  it('goes on where it was, in a folder that was renamed', () => {
    const folder = temporaryFolder();
    const recording = manyTurns().user('and the last?');
    const path = join(folder, '-app', `${sessionId(1)}.jsonl`);
    mkdirSync(dirname(path));
    recording.writeTo(path);
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    renameSync(dirname(path), join(folder, '-shop'));
    appendFileSync(path.replace('-app', '-shop'), `${recording.answer('the last answer').lines.at(-1)!}\n`);
    ingestTree(store.store, [folder]);
    expectAsReadAtOnce(store, folder);
  });

  it("goes on where it was with its agents' files", () => {
    const folder = temporaryFolder();
    const path = join(folder, '-app', sessionId(1), 'subagents', 'agent-a1.jsonl');
    const agent = new Recording(sessionId(1), { agentId: 'a1', isSidechain: true }).user('find the till');
    manyTurns().writeTo(join(folder, '-app', `${sessionId(1)}.jsonl`));
    agent.answer('it is in the cellar').writeTo(path);
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    renameSync(join(folder, '-app'), join(folder, '-shop'));
    agent.answer('and it is locked').writeTo(path.replace('-app', '-shop'));
    ingestTree(store.store, [folder]);
    expectAsReadAtOnce(store, folder);
  });

  it('goes on where it was when that happens while it is read', () => {
    const folder = temporaryFolder();
    const recording = manyTurns();
    const [from, to] = ['-app.jsonl', '-shop.jsonl'].map((name) => join(folder, name)) as [string, string];
    recording.writeTo(from);
    const store = new TestStore();
    store.ingest(from);
    const lines = recording.lines.length;
    recording.user('and the last?').appendTo(from, lines);
    during(store, { reading: () => renameSync(from, to) });
    expect(() => store.ingest(from)).toThrow();
    vi.restoreAllMocks();
    recording.answer('the last answer').appendTo(to, lines + 1);
    ingestTree(store.store, [folder]);
    expectAsReadAtOnce(store, folder);
  });

  it('a copy takes nothing away, while it is there and when it is gone', () => {
    const folder = temporaryFolder();
    const recording = manyTurns();
    const path = recording.writeTo(join(folder, 'a.jsonl'));
    const copy = recording.writeTo(join(folder, 'b.jsonl'));
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    expect(store.transcriptPaths()).toEqual([path]);
    rmSync(copy);
    recording.user('one more').writeTo(path);
    ingestTree(store.store, [folder]);
    expect(store.transcriptPaths()).toEqual([path]);
    expect(store.saidBy('user')).toHaveLength(31);
  });

  it('a shorter copy of a transcript that is gone takes nothing away', () => {
    const folder = temporaryFolder();
    const recording = manyTurns();
    const path = join(folder, `${sessionId(1)}.jsonl`);
    recording.writeTo(path);
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    const before = store.text();
    renameSync(path, join(folder, 'copy.jsonl'));
    truncateSync(join(folder, 'copy.jsonl'), 20_000);
    ingestTree(store.store, [folder]);
    expect(store.text()).toBe(before);
  });
});

describe('a fork that is read while its original is cut off', () => {
  /** Reads both, then the original cut off, and the fork with it. */
  function readCutOff() {
    const folder = temporaryFolder();
    const [original, fork] = [1, 2].map((n) => join(folder, `${sessionId(n)}.jsonl`)) as [string, string];
    const recording = manyTurns();
    const text = recording.text;
    writeFileSync(original, text.slice(0, text.length / 2));
    writeFileSync(
      fork,
      `${text}${recording.user('and here?').answer('only in the fork').text.slice(text.length)}`.replaceAll(
        sessionId(1),
        sessionId(2),
      ),
    );
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    writeFileSync(original, text);
    return { folder, store };
  }

  it('gives back what is in the original', () => {
    const { folder, store } = readCutOff();
    ingestTree(store.store, [folder]);
    expectAsReadAtOnce(store, folder);
    expect(ingestTree(store.store, [folder])).toMatchObject({ skipped: 2, chunks: 0 });
  });

  it('stays the one that continues, though it was away when the original was whole again', () => {
    const { folder, store } = readCutOff();
    const fork = join(folder, `${sessionId(2)}.jsonl`);
    const away = `${fork}.away`;
    renameSync(fork, away);
    const own = { uuid: sessionId(3), timestamp: '2026-03-01T11:00:00.000Z' };
    const later = new Recording(sessionId(1)).user('only in the original', own);
    appendFileSync(join(folder, `${sessionId(1)}.jsonl`), later.text);
    ingestTree(store.store, [folder]);
    expect(store.saidBy('user').filter((text) => text === 'question 25')).toHaveLength(1);
    renameSync(away, fork);
    for (const anew of [true, true, false]) ingestTree(store.store, [folder], { anew });
    expectAsReadAtOnce(store, folder);
    expect(ingestTree(store.store, [folder])).toMatchObject({ skipped: 2, chunks: 0 });
  });

  it('gives nothing back of which the user deleted a part', () => {
    const { folder, store } = readCutOff();
    store.forget('answer 25');
    expect(store.text()).not.toContain('answer 25');
    ingestTree(store.store, [folder]);
    expect(store.text()).not.toContain('answer 25');
  });
});

describe('a session that is cut off, and has a fork that holds all of it', () => {
  it('keeps in the fork what it lost, though it is read twice: two terminals had it open', () => {
    const recording = new Recording(sessionId(1)).user('start').answer('started');
    const begin = recording.at;
    const first = recording.user('llamas?').at;
    recording.backTo(begin).user('whales?').backTo(first).answer('about llamas');
    const cutOff = recording.text;
    recording.user('lions?').answer('about lions');
    const folder = temporaryFolder();
    const original = recording.writeTo(join(folder, `${sessionId(1)}.jsonl`));
    const both = recording.user('and here?').answer('only in the fork').text;
    writeFileSync(join(folder, `${sessionId(2)}.jsonl`), both.replaceAll(sessionId(1), sessionId(2)));
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    writeFileSync(original, cutOff);
    ingestTree(store.store, [folder]);
    expect(store.saidBy('user')).toEqual(['start', 'llamas?', 'whales?', 'lions?', 'and here?']);
  });
});

describe('what the user deleted of a session', () => {
  /** Has a fork read from its start, a part of which was deleted, too. */
  function forgetInBoth() {
    const folder = temporaryFolder();
    const [original, fork] = [1, 2].map((n) => join(folder, `${sessionId(n)}.jsonl`)) as [string, string];
    const recording = manyTurns();
    const { text } = recording;
    writeFileSync(original, text);
    const both = recording.user('and here?').answer('only in the fork').answer('nor this').text;
    writeFileSync(fork, both.replaceAll(sessionId(1), sessionId(2)));
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    for (const deleted of ['answer 25', 'only in the fork']) store.forget(deleted);
    return { original, fork, text, store };
  }

  it('does not come back with a fork that is read while the session itself is read anew in pieces', () => {
    const { original, fork, store } = forgetInBoth();
    store.ingest(original, { maxNewBytes: 1_000 });
    store.ingest(fork);
    store.ingest(original);
    expect(store.text()).toContain('answer 24');
    expect(store.text()).not.toContain('answer 25');
  });

  it('does not come back with a fork that is read while the session is cut off', () => {
    const { original, fork, text, store } = forgetInBoth();
    store.ingest(original);
    writeFileSync(original, text.slice(0, 1_000));
    store.ingest(original);
    store.ingest(fork);
    expect(store.text()).not.toContain('answer 25');
  });
});
