import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { asStorageError } from '../src/database/storage-errors.js';
import { openSqlite, Store, withThreadStore } from '../src/index.js';
import { storeSession } from './sessions.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'home', 'memory.db');
});

test.skipIf(process.platform === 'win32')('the folder is 0700 and every file 0600', () => {
  const store = Store.open(path);
  storeSession(store, 's1', 'hello');
  expect(statSync(join(folder, 'home')).mode & 0o777).toBe(0o700);
  for (const suffix of ['', '-wal', '-shm']) expect(statSync(path + suffix).mode & 0o777).toBe(0o600);
  store.close();
});

test('a file that is no database is named in the error', () => {
  const file = join(folder, 'broken.db');
  writeFileSync(file, 'this is not a database, but long enough to be looked at as one'.repeat(40));
  expect(() => Store.open(file)).toThrow(
    expect.objectContaining({ code: 'CORRUPT', message: expect.stringContaining(file) }),
  );
});

test.each([
  ['lies below a file', 'broken/home/memory.db', () => writeFileSync(join(folder, 'broken'), '')],
  ['is a folder', 'home/memory.db', () => mkdirSync(join(folder, 'home/memory.db'), { recursive: true })],
])('a database that %s is said to be out of reach', (_what, place, harm) => {
  harm();
  const file = join(folder, place);
  expect(() => Store.open(file)).toThrow(
    expect.objectContaining({ code: 'NO_ACCESS', message: expect.stringContaining(file) }),
  );
});

function reading(database: string, shell = ''): Record<string, unknown> {
  const program = fileURLToPath(new URL('reading-process.mjs', import.meta.url));
  const command = `${shell} exec '${process.execPath}' '${program}' '${database}'`;
  return JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' })) as Record<string, unknown>;
}

test.skipIf(process.platform === 'win32')('a memory that cannot be written can be read as it stands', () => {
  const writer = Store.open(path);
  storeSession(writer, 's1', 'fresh news');
  writer.close();
  chmodSync(folder, 0o755);
  chmodSync(path, 0o444);
  chmodSync(join(folder, 'home'), 0o555);
  const seen = reading(path);
  chmodSync(join(folder, 'home'), 0o755);
  expect(seen).toEqual({
    opened: 'NO_ACCESS',
    read: { found: 1, isWritable: false, isInPlace: true, written: 'NO_ACCESS', named: true },
    copied: { found: 1 },
  });
});

test.skipIf(process.platform === 'win32')('a limit on the size of files is no fault of the schema', () => {
  chmodSync(folder, 0o777);
  expect(reading(join(folder, 'memory.db'), 'ulimit -f 100;')).toMatchObject({ opened: 'DISK_FAILED' });
});

test('who comes to read does not wait for a writer', () => {
  Store.open(path).close();
  const writer = openSqlite(path);
  writer.exec('BEGIN IMMEDIATE');
  const reader = Store.open(path, { busyTimeoutMs: 0 });
  expect(reader.projects.list()).toEqual([]);
  reader.close();
  writer.close();
});

test('threads of one process can make a memory at the same moment', async () => {
  const threads = 4;
  const paths = Array.from({ length: 40 }, (_, at) => join(folder, `${at}`, 'memory.db'));
  for (const each of paths) mkdirSync(dirname(each));
  const workerData = { paths, threads, arrivals: new SharedArrayBuffer(4 * paths.length) };
  const program = new URL('opening-threads.mjs', import.meta.url);
  const workers = Array.from({ length: threads }, () => new Worker(program, { workerData }));
  const problems = await Promise.all(workers.map((worker) => once(worker, 'message')));
  expect(problems.flat(2)).toEqual([]);
});

test.each<[what: string, write: (store: Store) => unknown]>([
  ['a model', ({ embedding }) => embedding.choose('m')],
  ['the model that is searched', ({ embedding }) => embedding.serve('m')],
  ['a rebuild of vectors', ({ embedding }) => embedding.noteRemaking('m')],
  ['a lease', ({ embedding }) => embedding.acquire({ owner: 'me', untilMs: 1 }, 0)],
  ['a lease of others', ({ embedding }) => embedding.seize({ owner: 'me', untilMs: 1 })],
  ['the end of a lease', ({ embedding }) => embedding.release('me')],
  ['vectors to drop', ({ vectors }) => vectors.dropAll('m')],
  ['topics to find anew', ({ clusters }) => clusters.expire()],
  ['transcripts to read anew', ({ transcripts }) => transcripts.forgetReading('codex')],
  ['a project', ({ projects }) => projects.ensure({ path: '/home/me/app', name: 'app' })],
])('%s that cannot be written in time is told with the database and the reason', (_what, write) => {
  const store = Store.open(path, { busyTimeoutMs: 0 });
  const other = openSqlite(path);
  other.exec('BEGIN IMMEDIATE');
  const who = process.platform === 'linux' ? `process ${process.pid} (` : 'another process';
  const busy = { code: 'BUSY', message: expect.stringContaining(`${path} is locked by ${who}`) };
  expect(() => write(store)).toThrow(expect.objectContaining(busy));
  other.close();
  store.close();
});

test('tables that a newer program changed are left alone, also by who has them open', () => {
  const store = Store.open(path);
  const newer = openSqlite(path);
  newer.exec("INSERT INTO schema_version VALUES (999, '2099-01-01 00:00:00.000')");
  newer.close();
  expect(store.isInPlace()).toBe(false);
  store.close();
  expect(() => Store.open(path)).toThrow(/schema version 999, .*Update Causantic, and restart/);
});

test('what has become wrong with a memory is said each time that a thread wants to open it', () => {
  expect(withThreadStore(path, (store) => store.statistics().chunks)).toBe(0);
  const newer = openSqlite(path);
  newer.exec("INSERT INTO schema_version VALUES (999, '2099-01-01 00:00:00.000')");
  newer.close();
  for (let time = 0; time < 2; time++)
    expect(() => withThreadStore(path, () => undefined)).toThrow(/schema version 999/);
});

// On Windows a file that somebody has open cannot be moved.
test.skipIf(process.platform === 'win32')(
  'a store knows whether its file is still where it was, and is told from the next one there',
  () => {
    const store = Store.open(path);
    const again = Store.open(path);
    const { madeAt } = store;
    expect([store.isInPlace(), madeAt]).toEqual([true, again.madeAt]);
    again.close();
    renameSync(path, `${path}.old`);
    expect(store.isInPlace()).toBe(false);
    store.close();
    const next = Store.open(path);
    expect([next.isInPlace(), next.madeAt === madeAt]).toEqual([true, false]);
    renameSync(path, `${path}.old`);
    symlinkSync(path, path);
    const cannotLook = { code: 'NO_ACCESS', message: expect.stringContaining('ELOOP') };
    expect(() => next.isInPlace()).toThrow(expect.objectContaining(cannotLook));
    next.close();
  },
);

test.each(['EIO', 'ENOTCONN'])(
  'a disk that is not connected any more (%s) is said to be the reason',
  (code) => {
    const cause = Object.assign(new Error(`${code}: stat`), { code, syscall: 'stat' });
    expect(asStorageError(cause, path)).toMatchObject({
      code: 'DISK_FAILED',
      message: expect.stringContaining(`${path} failed: the disk is faulty, not connected or`),
    });
  },
);
