import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { openSqlite, type Store } from '@causantic/storage';
import { applyRetention, ingestTree } from '../src/index.js';
import { TestStore } from './ingested.js';
import { Recording, sessionId, temporaryFolder } from './recording.js';

const DAYS = 600;
const DAY_MS = 86_400_000;
const NEVER = { maxAgeDays: 0, maxBytes: 0 };

let memory: TestStore;
let store: Store;
let all: number[];

/** A prompt a day. */
beforeEach(() => {
  const folder = temporaryFolder();
  const recording = new Recording(sessionId(1));
  for (let day = 0; day < DAYS; day++) {
    recording.user(words(day), { timestamp: new Date(day * DAY_MS).toISOString() });
  }
  memory = new TestStore(folder);
  memory.ingest(recording.writeTo(join(folder, 'session.jsonl')));
  store = memory.store;
  all = kept();
});

function words(seed: number): string {
  return Array.from({ length: 80 }, (_, n) => `word${(seed * 7919 + n * 104_729) % 99_991}`).join(' ');
}

/** The oldest first. */
const kept = (): number[] => store.retention.oldest(10 * DAYS);

it('keeps everything by default', () => {
  expect(applyRetention(store, NEVER, DAYS * DAY_MS)).toBe(0);
  expect(all.length).toBeGreaterThanOrEqual(DAYS);
  expect(kept()).toEqual(all);
});

it('deletes what is older than so many days, to the day', () => {
  const now = DAYS * DAY_MS;
  const deleted = applyRetention(store, { ...NEVER, maxAgeDays: 100 }, now);
  expect(kept()).toEqual(all.slice(deleted));
  expect(store.forgetting.ids({ beforeMs: now - 100 * DAY_MS })).toEqual([]);
  expect(store.forgetting.ids({ beforeMs: now - 99 * DAY_MS })).not.toEqual([]);
  expect(applyRetention(store, { ...NEVER, maxAgeDays: 100 }, now)).toBe(0);
});

it('does not take what has no date for old', () => {
  const folder = temporaryFolder();
  const undated = new Recording(sessionId(2)).user('When was this?', { timestamp: null });
  const other = new TestStore(folder);
  other.ingest(undated.writeTo(join(folder, 'undated.jsonl')));
  expect(applyRetention(other.store, { ...NEVER, maxAgeDays: 1 }, DAYS * DAY_MS)).toBe(0);
  expect(other.store.forgetting.ids({ beforeMs: DAYS * DAY_MS })).toEqual([]);
  expect(other.saidBy('user')).toEqual(['When was this?']);
});

it.each([0.8, 0.3])('deletes the oldest until %s of the bytes are left, and not much more', (share) => {
  const maxBytes = Math.floor(store.retention.usedBytes() * share);
  const deleted = applyRetention(store, { ...NEVER, maxBytes }, 0);
  expect(store.retention.usedBytes()).toBeLessThanOrEqual(maxBytes);
  expect(kept()).toEqual(all.slice(deleted));
  expect(kept().length).toBeGreaterThan(all.length * share * 0.3);
  expect(applyRetention(store, { ...NEVER, maxBytes }, 0)).toBe(0);
});

it('takes what is older for older, though it was read later', () => {
  const other = new Recording(sessionId(2)).user('half a day later', {
    timestamp: new Date(DAY_MS / 2).toISOString(),
  });
  memory.ingest(other.writeTo(join(temporaryFolder(), 'other.jsonl')));
  const oldest = store.chunks.get(store.retention.oldest(3)).map(({ text }) => text.includes('half a day'));
  expect(oldest).toEqual([false, true, false]);
});

it('does not delete for what deleting does not free', () => {
  const maxBytes = store.retention.usedBytes();
  const db = openSqlite(memory.path);
  db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
    INSERT INTO record (uuid, transcript_id, session_uuid) SELECT CAST(i AS BLOB), 1, 'other' FROM n`);
  db.close();
  expect(applyRetention(store, { ...NEVER, maxBytes }, 0)).toBe(0);
});

it('ends where nothing is left to delete', () => {
  expect(applyRetention(store, { ...NEVER, maxBytes: 1 }, 0)).toBe(all.length);
  expect(kept()).toEqual([]);
});

it('keeps notes while their files are there', () => {
  const folder = temporaryFolder();
  const notes = join(folder, '-home-ada-shop', 'memory');
  mkdirSync(notes, { recursive: true });
  const write = (text: string, day: number): void => {
    writeFileSync(join(notes, 'MEMORY.md'), text);
    utimesSync(join(notes, 'MEMORY.md'), new Date(day * DAY_MS), new Date(day * DAY_MS));
    ingestTree(store, [folder]);
  };
  write('# Till\nIt is blue.', 1);
  expect(applyRetention(store, { maxAgeDays: 1, maxBytes: 1 }, DAYS * DAY_MS)).toBe(all.length);
  write('# Till\nIt is blue.\n# Bell\nIt rings.', DAYS);
  expect(memory.text()).toMatch(/blue[^]*rings/);
  store.settleIn();
  expect(applyRetention(store, { maxAgeDays: 1, maxBytes: 0 }, 2 * DAYS * DAY_MS)).toBeGreaterThan(0);
});
