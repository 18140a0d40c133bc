import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Store } from '@causantic/storage';
import { applyRetention } from '../src/index.js';
import { storeSession } from '../../storage/test/sessions.js';

const SESSIONS = 600;
const DAY_MS = 86_400_000;

let folder: string;
let store: Store;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causantic-retention-'));
  store = Store.open(join(folder, 'memory.db'));
  for (let day = 0; day < SESSIONS; day++) storeSession(store, `s${day}`, words(day), day * DAY_MS);
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

function words(seed: number): string {
  return Array.from({ length: 150 }, (_, n) => `word${(seed * 7919 + n * 104_729) % 99_991}`).join(' ');
}

const NEVER = { maxAgeDays: 0, maxBytes: 0 };
const kept = (): number[] => store.retention.oldest(SESSIONS);

it('keeps everything by default', () => {
  expect(applyRetention(store, NEVER, SESSIONS * DAY_MS)).toBe(0);
  expect(kept()).toHaveLength(SESSIONS);
});

it('deletes what is older than so many days, to the day', () => {
  const now = SESSIONS * DAY_MS;
  expect(applyRetention(store, { ...NEVER, maxAgeDays: 100 }, now)).toBe(SESSIONS - 100);
  expect(kept()).toHaveLength(100);
  expect(applyRetention(store, { ...NEVER, maxAgeDays: 100 }, now)).toBe(0);
});

it.each([0.8, 0.3])('deletes the oldest until %s of the bytes are left, and not much more', (share) => {
  const all = kept();
  const maxBytes = Math.floor(store.retention.usedBytes() * share);
  const deleted = applyRetention(store, { ...NEVER, maxBytes }, 0);
  expect(store.retention.usedBytes()).toBeLessThanOrEqual(maxBytes);
  expect(kept()).toEqual(all.slice(deleted));
  expect(kept().length).toBeGreaterThan(SESSIONS * share * 0.3);
  expect(applyRetention(store, { ...NEVER, maxBytes }, 0)).toBe(0);
});

it('ends where nothing is left to delete', () => {
  expect(applyRetention(store, { ...NEVER, maxBytes: 1 }, 0)).toBe(SESSIONS);
  expect(kept()).toEqual([]);
});
