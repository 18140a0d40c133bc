import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { chooseJournal, mayBeElsewhere } from '../src/database/journal.js';
import { openSqlite, Store } from '../src/index.js';
import { storeSession } from './sessions.js';

let path: string;

beforeEach(() => {
  path = join(temporaryFolder(), 'memory.db');
});

/** A log is kept with 2, a journal with 1. */
const formatOf = (database: string): number => readFileSync(database)[18]!;

const sessionsIn = (store: Store): unknown => store.statistics().sessions;

const DEVICES = ['memory.db-shm', `memory.db-probe-${process.pid}-${threadId}-shm`];

/** Memory cannot be shared over such a file, as on some file systems it cannot over any. Only root can make one. */
function putDevices(): boolean {
  mkdirSync(dirname(path), { recursive: true });
  try {
    for (const name of DEVICES) {
      const device = join(dirname(path), name);
      rmSync(device, { force: true });
      execFileSync('mknod', [device, 'c', '1', '3'], { stdio: 'ignore' });
    }
    return true;
  } catch {
    return false;
  }
}

test('where memory cannot be shared, a new database works without a log', (context) => {
  if (!putDevices()) context.skip();
  const store = Store.open(path);
  storeSession(store, 's1', 'hello');
  expect(formatOf(path)).toBe(1);
  putDevices();
  const other = Store.open(path);
  expect(sessionsIn(other)).toBe(1);
  storeSession(other, 's2', 'hello again');
  expect(sessionsIn(store)).toBe(2);
  expect(formatOf(path)).toBe(1);
  store.close();
  other.close();
});

test('what was in a log is there without it, and the log returns where memory can be shared', (context) => {
  if (process.platform === 'win32' || mayBeElsewhere(dirname(path))) context.skip();
  const first = Store.open(path);
  storeSession(first, 's1', 'hello');
  // Not closed in order: everything is still in the log.
  expect(formatOf(path)).toBe(2);
  const copy = join(dirname(path), 'copy', 'memory.db');
  mkdirSync(dirname(copy));
  for (const suffix of ['', '-wal']) execFileSync('cp', [path + suffix, copy + suffix]);
  first.close();
  path = copy;
  if (!putDevices()) context.skip();
  const moved = Store.open(path);
  expect(sessionsIn(moved)).toBe(1);
  expect(formatOf(path)).toBe(1);
  moved.close();
  for (const name of DEVICES) rmSync(join(dirname(path), name), { force: true });
  const back = Store.open(path);
  expect(sessionsIn(back)).toBe(1);
  expect(formatOf(path)).toBe(2);
  expect(readdirSync(dirname(path)).sort()).toEqual(['memory.db', 'memory.db-shm', 'memory.db-wal']);
  back.close();
});

test('a database that was copied without its log gets one again', (context) => {
  if (mayBeElsewhere(dirname(path))) context.skip();
  const original = Store.open(path);
  storeSession(original, 's1', 'hello');
  original.close();
  const copy = join(dirname(path), 'copy.db');
  const db = openSqlite(path);
  db.prepare('VACUUM INTO ?').run(copy);
  db.close();
  expect(formatOf(copy)).toBe(1);
  const store = Store.open(copy);
  expect(sessionsIn(store)).toBe(1);
  store.close();
  expect(formatOf(copy)).toBe(2);
});

test('where other machines may use it, a database has no log once one process has it alone', (context) => {
  if (mayBeElsewhere(dirname(path))) context.skip();
  const store = Store.open(path);
  storeSession(store, 's1', 'hello');
  const opened = (): string => {
    const db = openSqlite(path);
    chooseJournal(db, 0, () => true);
    const [mode, synchronous] = ['journal_mode', 'synchronous'].map((name) =>
      db.pragma(name, { simple: true }),
    );
    expect(db.prepare('SELECT count(*) FROM session').pluck().get()).toBe(1);
    db.close();
    return `${mode as string}, ${synchronous as number}`;
  };
  expect(opened()).toBe('wal, 1');
  store.close();
  expect(opened()).toBe('delete, 2');
  expect(opened()).toBe('delete, 2');
});

test('behind FUSE there may be a network', (context) => {
  const mounts = process.platform === 'linux' ? readFileSync('/proc/mounts', 'utf8') : '';
  const [, folder] = /^\S+ (\S+) fuse(?:blk)?[. ]/m.exec(mounts) ?? [];
  if (folder === undefined) return context.skip();
  expect(mayBeElsewhere(folder)).toBe(true);
});
