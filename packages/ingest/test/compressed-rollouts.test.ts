import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findTranscripts, ingestTree, type TreeReport } from '../src/index.js';
import { TestStore } from './ingested.js';
import { temporaryFolder } from './recording.js';
import { Rollout, threadId } from './rollout.js';

/** Written by `zstd -3`: one prompt and the answers below, 0.4 MB of text in four blocks. */
const BY_ZSTD = join(dirname(fileURLToPath(import.meta.url)), 'fixtures', 'rollout.jsonl.zst');
const ANSWERS = Array.from({ length: 200 }, (_, n) => `Drawer ${n} holds ${n * n} coins. `.repeat(30).trim());

const NAME = `rollout-2026-03-01T10-00-00-${threadId(1)}.jsonl`;
const BLOCK_BYTES = 256;

/** The text as zstd may write it where compression does not pay: a frame of blocks that hold the bytes as they are. */
function frameOf(text: Buffer): Buffer {
  const parts: Uint8Array[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])];
  for (let at = 0; at < text.length; at += BLOCK_BYTES) {
    const block = text.subarray(at, at + BLOCK_BYTES);
    const isLast = at + BLOCK_BYTES >= text.length;
    const header = Buffer.alloc(3);
    header.writeUIntLE((block.length << 3) | Number(isLast), 0, 3);
    parts.push(header, block);
  }
  return Buffer.concat(parts);
}

/** With another header behind the first four bytes. */
function frameWith(text: Buffer, header: readonly number[]): Buffer {
  return Buffer.concat([frameOf(text).subarray(0, 4), Buffer.from(header), frameOf(text).subarray(6)]);
}

/** A folder of sessions and a memory, read as often as wanted. */
class Sessions {
  readonly folder = join(temporaryFolder(), 'sessions');
  readonly store = new TestStore();
  readonly plain = join(this.folder, NAME);
  readonly compressed = `${this.plain}.zst`;

  constructor() {
    mkdirSync(this.folder, { recursive: true });
  }

  read(): TreeReport {
    return ingestTree(this.store.store, [this.folder]);
  }

  write(text: Buffer): this {
    rmSync(this.compressed, { force: true });
    writeFileSync(this.plain, text);
    return this;
  }

  /** As Codex does it: the plain file goes, its time stays. */
  compress(text: Buffer): this {
    const time = statSync(this.plain, { throwIfNoEntry: false })?.mtime ?? new Date();
    writeFileSync(this.compressed, frameOf(text));
    utimesSync(this.compressed, time, time);
    rmSync(this.plain, { force: true });
    return this;
  }

  contents(): unknown {
    return this.store.contentsOf(this.folder);
  }
}

const rollout = new Rollout(threadId(1))
  .context()
  .prompt('open the till')
  .answer('It is open.')
  .prompt('count the coins')
  .call('c1', 'exec_command', { cmd: 'count' })
  .ran('c1', 'seven')
  .answer('Seven.')
  .prompt('close it')
  .answer('Closed.');
const text = Buffer.from(rollout.text);
const half = text.indexOf('seven');

/** What reading the plain file once gives. */
function atOnce(): unknown {
  const sessions = new Sessions().write(text);
  sessions.read();
  return sessions.contents();
}

describe('a compressed rollout', () => {
  it('is read as zstd writes it', () => {
    const sessions = new Sessions();
    copyFileSync(BY_ZSTD, sessions.compressed);
    const folder = dirname(sessions.store.path);
    const before = readdirSync(folder);
    expect(sessions.read()).toMatchObject({ files: 1, sessions: 1, issues: [] });
    expect(readdirSync(folder)).toEqual(before);
    expect(sessions.store.saidBy('user')).toEqual(['count the coins']);
    expect(sessions.store.saidBy('assistant').join(' ')).toBe(ANSWERS.join(' '));
  });

  it('gives the same as its plain form', () => {
    const sessions = new Sessions().compress(text);
    sessions.read();
    expect(sessions.contents()).toEqual(atOnce());
    expect(sessions.read()).toMatchObject({ skipped: 1, turns: 0, sessions: 1 });
  });

  it('changes nothing where the plain file was read before', () => {
    const sessions = new Sessions().write(text);
    sessions.read();
    sessions.compress(text).read();
    expect(sessions.contents()).toEqual(atOnce());
    expect(sessions.read()).toMatchObject({ skipped: 1, turns: 0 });
  });

  it('adds what the plain file got after it was read', () => {
    const sessions = new Sessions().write(text.subarray(0, half));
    sessions.read();
    sessions.compress(text).read();
    expect(sessions.contents()).toEqual(atOnce());
  });

  it('is gone on with in the plain file again', () => {
    const sessions = new Sessions().compress(text.subarray(0, half));
    sessions.read();
    sessions.write(text).read();
    expect(sessions.contents()).toEqual(atOnce());
  });

  it('stands for nothing beside its plain form', () => {
    const sessions = new Sessions().compress(text.subarray(0, half));
    writeFileSync(sessions.plain, text);
    expect(sessions.read()).toMatchObject({ files: 1 });
    expect(sessions.contents()).toEqual(atOnce());
  });

  it('is stored once when it is moved', () => {
    const sessions = new Sessions().write(text);
    sessions.read();
    const before = sessions.store.contentsOf(sessions.plain);
    rmSync(sessions.plain);
    const moved = join(sessions.folder, `moved-${NAME}`);
    writeFileSync(`${moved}.zst`, frameOf(text));
    sessions.read();
    expect(sessions.store.contentsOf(moved)).toEqual(before);
  });

  it('is read as a whole by who reads in pieces', () => {
    const sessions = new Sessions().compress(text);
    const { bytes } = sessions.store.ingest(sessions.plain, { maxNewBytes: 500 });
    expect(bytes).toBe(text.length);
    expect(sessions.contents()).toEqual(atOnce());
  });

  it('goes by the name of its plain file', () => {
    const sessions = new Sessions().compress(text);
    const { size } = statSync(sessions.compressed);
    expect(findTranscripts([sessions.folder])).toMatchObject([
      { path: sessions.plain, file: sessions.compressed, bytes: size },
    ]);
    expect(sessions.store.ingest(sessions.compressed).status).toBe('ingested');
    expect(sessions.store.ingest(sessions.plain).status).toBe('unchanged');
  });

  it('does not bring back what was deleted', () => {
    const sessions = new Sessions().write(text);
    sessions.read();
    sessions.store.forget('Seven');
    sessions.compress(text).read();
    expect(sessions.store.text()).not.toContain('Seven');
    expect(sessions.store.text()).toContain('Closed.');
  });
});

describe('a damaged compressed rollout', () => {
  it.each([
    ['breaks off', (bytes: Buffer) => bytes.subarray(0, bytes.indexOf('Closed.'))],
    ['is broken in its middle', (bytes: Buffer) => bytes.fill(0xff, bytes.indexOf('Closed.'))],
  ])('that %s gives what stands before that, and an issue', (_, damaged) => {
    const sessions = new Sessions().compress(text);
    writeFileSync(sessions.compressed, damaged(frameOf(text)));
    const other = new Rollout(threadId(2)).prompt('another thread');
    other.writeTo(join(sessions.folder, `z-${NAME}`));
    const { issues, files } = sessions.read();
    expect(files).toBe(2);
    expect(issues).toMatchObject([{ file: sessions.compressed, code: 'damaged-compression', line: null }]);
    expect(sessions.store.saidBy('assistant')).toEqual(['It is open.', 'Seven.']);
    expect(sessions.store.saidBy('user')).toContain('another thread');
  });

  it('takes nothing from what was read before', () => {
    const sessions = new Sessions().write(text);
    sessions.read();
    sessions.compress(text);
    truncateSync(sessions.compressed, half);
    expect(sessions.read().issues).toMatchObject([{ code: 'damaged-compression' }]);
    expect(sessions.contents()).toEqual(atOnce());
  });

  it.each([
    ['no zstd at all', Buffer.from('{"type":"session_meta"}\n')],
    ['cut in its header', frameOf(text).subarray(0, 4)],
    ['one that asks for a gigabyte of memory', frameWith(text, [0x00, 0xa0])],
    ['one that says that it holds a gigabyte', frameWith(text, [0xa0, 0, 0, 0, 0x40])],
  ])('that is %s is an issue', (_, bytes) => {
    const sessions = new Sessions();
    writeFileSync(sessions.compressed, bytes);
    expect(sessions.read().issues).toMatchObject([{ file: sessions.compressed, code: 'unreadable' }]);
    expect(sessions.store.chunks()).toEqual([]);
  });
});
