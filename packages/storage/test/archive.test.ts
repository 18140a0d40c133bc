import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs, {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ArchiveError, errorMessage } from '@causantic/domain';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { importArchive, inspectArchive, openSqlite, Store, writeArchive } from '../src/index.js';
import { storeSession } from './sessions.js';

let folder: string;
let archive: string;

beforeEach(() => {
  folder = temporaryFolder();
  archive = join(folder, 'memory.causantic');
  for (const home of ['here', 'there']) mkdirSync(join(folder, home));
});

const database = (home: string): string => join(folder, home, 'memory.db');

function fill(home: string, ...texts: string[]): void {
  const store = Store.open(database(home));
  texts.forEach((text, n) => storeSession(store, `${home}-${n}`, text));
  store.close();
}

async function exported(passphrase?: string): Promise<void> {
  const store = Store.open(database('here'));
  const options = { path: archive, program: 'test 1', temporaryFolder: join(folder, 'here') };
  // Windows does not let a file be deleted that is open.
  await writeArchive(store, { ...options, ...(passphrase !== undefined && { passphrase }) }).finally(() =>
    store.close(),
  );
}

const samples = new Map<string | undefined, Buffer>();

/** An archive of `the mill grinds corn`, made once with each passphrase: a key takes some tenths of a second. */
async function sample(passphrase?: string): Promise<Buffer> {
  if (!samples.has(passphrase)) {
    fill('here', 'the mill grinds corn');
    await exported(passphrase);
    samples.set(passphrase, readFileSync(archive));
  }
  return Buffer.from(samples.get(passphrase)!);
}

function imported(passphrase?: string, replace = false) {
  const options = { path: archive, temporaryFolder: join(folder, 'there'), replace };
  return importArchive(database('there'), {
    ...options,
    ...(passphrase !== undefined && { passphrase: () => passphrase }),
  });
}

/** All that stands in the tables, ids included. */
function textsIn(home: string): string[] {
  const store = Store.open(database(home));
  const ids = Array.from({ length: 100 }, (_, n) => n + 1);
  const texts = store.chunks.get(ids).map(({ id, text, projectSlug }) => `${id} ${projectSlug} ${text}`);
  expect(store.integrityIssues()).toEqual([]);
  store.close();
  return texts;
}

const refusal = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe.each([undefined, 'correct horse — 電池'])('with the passphrase %s', (passphrase) => {
  it('what was exported is what is imported', async () => {
    fill('here', 'the mill grinds corn', 'the heron fishes');
    await exported(passphrase);
    expect(await imported(passphrase)).toMatchObject({ chunks: 2, sessions: 2, projects: 1 });
    expect(textsIn('there')).toEqual(textsIn('here'));
    expect(textsIn('there')).toHaveLength(2);
    const bytes = readFileSync(archive);
    if (passphrase !== undefined) expect(bytes.includes(Buffer.from('SQLite format'))).toBe(false);
    if (process.platform !== 'win32') expect(statSync(archive).mode & 0o777).toBe(0o600);
  });

  it('leaves nothing beside it', async () => {
    fill('here', 'the mill grinds corn');
    await exported(passphrase);
    await imported(passphrase);
    expect(readdirSync(folder).sort()).toEqual(['here', 'memory.causantic', 'there']);
    for (const home of ['here', 'there']) expect(readdirSync(join(folder, home))).toEqual(['memory.db']);
  });

  it('what was exported while another process wrote can be imported', async () => {
    fill('here', 'the mill grinds corn');
    const exporting = exported(passphrase);
    const other = Store.open(database('here'));
    storeSession(other, 'here-1', 'the heron fishes');
    other.close();
    await exporting;
    expect(await imported(passphrase)).toMatchObject({ chunks: 1, sessions: 1 });
    expect(textsIn('there')).toEqual(['1 app the mill grinds corn']);
  });

  it.each<[what: string, damage: (bytes: Buffer) => Buffer, code: string]>([
    ['cut short', (bytes) => bytes.subarray(0, -1), 'DAMAGED'],
    ['cut in half', (bytes) => bytes.subarray(0, bytes.length / 2), 'DAMAGED'],
    ['cut in its header', (bytes) => bytes.subarray(0, 20), 'DAMAGED'],
    ['with one bit changed', (bytes) => flipped(bytes, bytes.length / 2), 'DAMAGED'],
    ['with one bit of its end changed', (bytes) => flipped(bytes, bytes.length - 1), 'DAMAGED'],
    ['with one bit of its header changed', (bytes) => flipped(bytes, 40), 'DAMAGED'],
    ['longer than it was', (bytes) => Buffer.concat([bytes, Buffer.from('x')]), 'DAMAGED'],
    ['empty', () => Buffer.alloc(0), 'NOT_AN_ARCHIVE'],
    ['something else', () => Buffer.from('SQLite format 3\0'.repeat(100)), 'NOT_AN_ARCHIVE'],
    [
      'sent as text',
      (bytes) => Buffer.from(bytes.toString('latin1').replace('\r\n', '\n'), 'latin1'),
      'NOT_AN_ARCHIVE',
    ],
  ])('an archive that is %s is refused and changes nothing', async (_what, damage, code) => {
    writeFileSync(archive, damage(await sample(passphrase)));
    expect(await refusal(imported(passphrase))).toMatchObject({ code });
    expect(readdirSync(join(folder, 'there')).filter((name) => name !== 'memory.db')).toEqual([]);
    expect(textsIn('there')).toEqual([]);
  });
});

function flipped(bytes: Buffer, position: number): Buffer {
  const changed = Buffer.from(bytes);
  const index = Math.floor(position);
  changed[index] = changed[index]! ^ 1;
  return changed;
}

describe('a passphrase', () => {
  it.each<[given: string | undefined, code: string]>([
    ['wrong', 'WRONG_PASSPHRASE'],
    ['right ', 'WRONG_PASSPHRASE'],
    [undefined, 'PASSPHRASE_NEEDED'],
  ])('"%s" instead of "right" is refused and changes nothing', async (given, code) => {
    fill('there', 'the heron fishes');
    writeFileSync(archive, await sample('right'));
    expect(await refusal(imported(given, true))).toMatchObject({ code });
    expect(textsIn('there')).toEqual(['1 app the heron fishes']);
  });

  it('that is wrong makes no memory where there is none', async () => {
    mkdirSync(join(folder, 'there'), { recursive: true });
    writeFileSync(archive, await sample('right'));
    expect(await refusal(imported('wrong'))).toMatchObject({ code: 'WRONG_PASSPHRASE' });
    expect(readdirSync(join(folder, 'there'))).toEqual([]);
  });

  it('is the same in whatever form its letters were typed', async () => {
    fill('here', 'the mill grinds corn');
    await exported('caf\u00e9');
    expect(await imported('cafe\u0301')).toMatchObject({ chunks: 1 });
  });
});

describe('a memory that holds something', () => {
  it('is replaced only when asked to, and then wholly', async () => {
    fill('here', 'the mill grinds corn');
    fill('there', 'the heron fishes', 'the loom weaves', 'the bell rings');
    await exported();
    expect(await refusal(imported())).toMatchObject({ code: 'NOT_EMPTY' });
    expect(textsIn('there')).toHaveLength(3);
    await imported(undefined, true);
    expect(textsIn('there')).toEqual(textsIn('here'));
  });

  it('is told before the passphrase of the archive is asked for', async () => {
    fill('there', 'the heron fishes');
    writeFileSync(archive, await sample('right'));
    let asked = 0;
    const passphrase = () => String((asked += 1));
    const importing = importArchive(database('there'), {
      path: archive,
      temporaryFolder: folder,
      passphrase,
    });
    expect(await refusal(importing)).toMatchObject({ code: 'NOT_EMPTY' });
    expect(asked).toBe(0);
  });

  it('is not replaced unasked either if another process filled it while the archive was unpacked', async () => {
    writeFileSync(archive, await sample('right'));
    // Asked for once nothing was in the way.
    const passphrase = () => {
      fill('there', 'the heron fishes');
      return 'right';
    };
    const importing = importArchive(database('there'), {
      path: archive,
      temporaryFolder: folder,
      passphrase,
    });
    expect(await refusal(importing)).toMatchObject({ code: 'NOT_EMPTY' });
    expect(textsIn('there')).toEqual(['1 app the heron fishes']);
  });

  it('is not taken for a damaged one where a newer program wrote it', async () => {
    writeFileSync(archive, await sample());
    fill('there', 'the heron fishes');
    const db = openSqlite(database('there'));
    db.exec("INSERT INTO schema_version VALUES (999, '2099-01-01 00:00:00.000')");
    expect(await refusal(imported(undefined, true))).toMatchObject({ code: 'MIGRATION_FAILED' });
    db.close();
    const left = openSqlite(database('there'));
    expect(left.prepare('SELECT text FROM chunk').pluck().all()).toEqual(['the heron fishes']);
    left.close();
  });

  it('is replaced as soon as a process that writes to it is done', async () => {
    fill('here', 'the mill grinds corn');
    await exported();
    Store.open(database('there')).close();
    const args = [fileURLToPath(new URL('writing-process.mjs', import.meta.url)), database('there'), '500'];
    const writer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(writer.stdout, 'data');
    await imported();
    expect(textsIn('there')).toEqual(['1 app the mill grinds corn']);
  });

  it('is told from every earlier state of it, by its vectors and the ids of its chunks', async () => {
    fill('here', 'the mill grinds corn');
    const exporting = Store.open(database('here'));
    exporting.vectors.put('m', [1], Float32Array.of(1, 0));
    exporting.embedding.seize({ owner: 'me', untilMs: Number.MAX_SAFE_INTEGER });
    const stateOf = ({ vectors, embedding }: Store): unknown[] => [
      vectors.version('m', 1),
      embedding.state().revision,
    ];
    const former = stateOf(exporting);
    await exported();
    exporting.close();
    await imported();
    const there = Store.open(database('there'));
    const first = stateOf(there);
    first.forEach((number, at) => expect(number).not.toBe(former[at]));
    expect(there.embedding.leaseOwner()).toBeNull();
    await imported(undefined, true);
    stateOf(there).forEach((number, at) => expect(number).not.toBe(first[at]));
    there.close();
  });

  it('may be open elsewhere: a reader sees the change', async () => {
    fill('here', 'the mill grinds corn');
    await exported();
    const reader = Store.open(database('there'));
    expect(reader.statistics().chunks).toBe(0);
    const version = reader.dataVersion();
    await imported();
    expect(reader.dataVersion()).not.toBe(version);
    expect(reader.statistics().chunks).toBe(1);
    reader.close();
  });
});

describe('an archive whose seal is right, but that no program of this version wrote, is refused and changes nothing:', () => {
  const otherTables = (sql: string) => (payload: Buffer) => {
    const file = join(folder, 'other.db');
    writeFileSync(file, gunzipSync(payload));
    const db = openSqlite(file);
    db.exec(sql);
    db.close();
    return gzipSync(readFileSync(file));
  };

  it.each<[what: string, passphrase: string | undefined, header: object, payload: (own: Buffer) => Buffer]>([
    ['no database', undefined, {}, () => gzipSync('SQLite'.repeat(1000))],
    ['half a database', undefined, {}, (own) => gzipSync(gunzipSync(own).subarray(0, 40_000))],
    ['a table is missing', undefined, {}, otherTables('DROP TABLE chunk_entity')],
    ['pages that are counted as free, and are not there', undefined, {}, withFreePages],
    [
      'a trigger',
      undefined,
      {},
      otherTables('CREATE TRIGGER x AFTER INSERT ON turn BEGIN DELETE FROM chunk; END'),
    ],
    [
      'a database that zeros follow without end',
      undefined,
      {},
      (own) => gzipSync(Buffer.concat([gunzipSync(own), Buffer.alloc(30_000_000)])),
    ],
    ['a key that needs a gigabyte', 'right', { cost: 2 ** 20 }, (own) => own],
    ['a key that cannot be made', 'right', { cost: 'x' }, (own) => own],
    ['a nonce of no length', 'right', { nonce: '' }, (own) => own],
  ])('%s', async (_what, passphrase, encryption, payload) => {
    fill('there', 'the heron fishes');
    writeFileSync(archive, resealed(await sample(passphrase), encryption, payload));
    expect(await refusal(imported(passphrase, true))).toMatchObject({ code: 'DAMAGED' });
    expect(textsIn('there')).toEqual(['1 app the heron fishes']);
    expect(readdirSync(join(folder, 'there'))).toEqual(['memory.db']);
  });

  it('tables of a newer program, as which they are told of', async () => {
    fill('there', 'the heron fishes');
    const newer = otherTables("INSERT INTO schema_version VALUES (999, '2099-01-01 00:00:00.000')");
    writeFileSync(archive, resealed(await sample(), {}, newer));
    expect(await refusal(imported(undefined, true))).toMatchObject({ code: 'MIGRATION_FAILED' });
    expect(textsIn('there')).toEqual(['1 app the heron fishes']);
  });
});

/** What SQLite reads without a complaint unless it is asked to check all pages. */
function withFreePages(own: Buffer): Buffer {
  const database = gunzipSync(own);
  database.writeUInt32BE(3, 36);
  return gzipSync(database);
}

/** The archive with other values in the header, another payload, and the SHA-256 that belongs to both. */
function resealed(bytes: Buffer, encryption: object, payload: (own: Buffer) => Buffer): Buffer {
  const begin = 17;
  const end = begin + bytes.readUInt32BE(begin - 4);
  const header = JSON.parse(bytes.toString('utf8', begin, end)) as { encryption: object | null };
  if (header.encryption) header.encryption = { ...header.encryption, ...encryption };
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  const body = Buffer.concat([bytes.subarray(0, begin - 4), length, json, payload(bytes.subarray(end, -32))]);
  return Buffer.concat([body, createHash('sha256').update(body).digest()]);
}

it.each(['null', '1', '[]', '{}', '{"version":1'])(
  'an archive with the header %s is damaged',
  async (header) => {
    const start = (await sample()).subarray(0, 13);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(header.length);
    writeFileSync(archive, Buffer.concat([start, length, Buffer.from(header), Buffer.alloc(100)]));
    expect(await refusal(inspectArchive(archive))).toMatchObject({ code: 'DAMAGED' });
  },
);

it('an archive of a newer program is told so', async () => {
  const text = (await sample()).toString('latin1').replace('{"version":1', '{"version":9');
  writeFileSync(archive, Buffer.from(text, 'latin1'));
  const error = (await refusal(inspectArchive(archive))) as ArchiveError;
  expect(error).toBeInstanceOf(ArchiveError);
  expect(error.code).toBe('NEWER_VERSION');
});

it('what is interrupted leaves nothing: no archive, no copy of the memory, no change', async () => {
  fill('here', 'the mill grinds corn');
  fill('there', 'the heron fishes');
  const signal = AbortSignal.abort();
  const store = Store.open(database('here'));
  const options = { path: archive, program: 'test 1', temporaryFolder: join(folder, 'here') };
  expect(await refusal(writeArchive(store, { ...options, signal }))).toMatchObject({ name: 'AbortError' });
  store.close();
  expect(readdirSync(folder).sort()).toEqual(['here', 'there']);
  await exported();
  const replacing = { path: archive, temporaryFolder: join(folder, 'there'), replace: true };
  const importing = importArchive(database('there'), { ...replacing, signal });
  expect(await refusal(importing)).toMatchObject({ name: 'AbortError' });
  for (const home of ['here', 'there']) expect(readdirSync(join(folder, home))).toEqual(['memory.db']);
  expect(textsIn('there')).toEqual(['1 app the heron fishes']);
});

it('what is interrupted at once leaves nothing on a slow disk, either', async () => {
  fill('here', 'the mill grinds corn');
  await exported();
  const openFile = fs.open;
  const slowly = ((...given: Parameters<typeof openFile>) =>
    void setTimeout(20).then(() => openFile(...given))) as typeof openFile;
  const opening = vi.spyOn(fs, 'open').mockImplementation(slowly);
  const options = { path: archive, temporaryFolder: join(folder, 'there'), signal: AbortSignal.abort() };
  expect(await refusal(importArchive(database('there'), options))).toMatchObject({ name: 'AbortError' });
  await setTimeout(100);
  opening.mockRestore();
  expect(readdirSync(join(folder, 'there'))).toEqual([]);
});

it('an export onto a disk that becomes full says so', async () => {
  fill('here', 'the mill grinds corn');
  const file = await open(database('here'));
  const handles = Object.getPrototypeOf(file) as typeof file;
  await file.close();
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const writing = vi.spyOn(handles, 'writeFile').mockResolvedValueOnce().mockRejectedValue(full);
  const store = Store.open(database('here'));
  const options = { path: archive, program: 'test 1', temporaryFolder: join(folder, 'here') };
  const error = await refusal(writeArchive(store, options));
  store.close();
  writing.mockRestore();
  expect(errorMessage(error)).toMatch(/^no space left on the disk \(ENOSPC/);
  expect(readdirSync(folder).sort()).toEqual(['here', 'there']);
});

it('an export that fails leaves neither a part nor the old archive changed', async () => {
  fill('here', 'the mill grinds corn');
  await exported();
  const before = readFileSync(archive);
  const store = Store.open(database('here'));
  const options = {
    path: join(folder, 'no', 'such', 'folder'),
    program: 'test 1',
    temporaryFolder: join(folder, 'here'),
  };
  expect(await refusal(writeArchive(store, options))).toMatchObject({ code: 'ENOENT' });
  store.close();
  expect(readFileSync(archive)).toEqual(before);
  expect(readdirSync(join(folder, 'here'))).toEqual(['memory.db']);
  expect(existsSync(options.path)).toBe(false);
});

it('an export of a damaged memory says which one is damaged', async () => {
  fill('here', ...Array.from({ length: 40 }, (_, n) => `${n} ${'stone '.repeat(500)}`));
  const bytes = readFileSync(database('here'));
  bytes.fill(255, bytes.length - 20 * 4096);
  writeFileSync(database('here'), bytes);
  await expect(exported()).rejects.toMatchObject({ code: 'CORRUPT', data: { path: database('here') } });
  expect(readdirSync(join(folder, 'here')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('copies and drafts that killed programs left go with the next export, import and deletion', async () => {
  fill('here', 'the mill grinds corn');
  const leave = (home: string): string[] =>
    ['export-1.tmp', 'import-1.tmp', 'import-1.tmp-wal'].map((name) => {
      const path = join(folder, home, name);
      writeFileSync(path, 'the mill grinds corn');
      utimesSync(path, new Date('2026-01-01'), new Date('2026-01-01'));
      return path;
    });
  const draft = (pid: number): string => `${archive}.${pid}.tmp`;
  const alike = `${draft(1)}.gz`;
  for (const path of [draft(1), alike]) {
    writeFileSync(path, 'half of an archive');
    utimesSync(path, new Date('2026-01-01'), new Date('2026-01-01'));
  }
  writeFileSync(draft(2), 'of a program that runs');
  const running = join(folder, 'here', 'export-2.tmp');
  writeFileSync(running, 'of a program that runs');
  let left = leave('here');
  await exported();
  expect(left.filter(existsSync)).toEqual([]);
  expect([draft(1), draft(2), alike].filter(existsSync)).toEqual([draft(2), alike]);
  left = leave('there');
  await imported();
  expect(left.filter(existsSync)).toEqual([]);
  left = leave('here');
  const store = Store.open(database('here'));
  store.forgetting.delete(store.forgetting.ids({}));
  store.close();
  expect(left.filter(existsSync)).toEqual([]);
  expect(existsSync(running)).toBe(true);
});

it('what a killed program of the same number left is in the way of no export or import', async () => {
  fill('here', 'the mill grinds corn');
  const leave = (path: string): void => writeFileSync(path, 'the mill grinds');
  leave(join(folder, 'here', `export-${process.pid}.tmp`));
  leave(`${archive}.${process.pid}.tmp`);
  await exported();
  mkdirSync(join(folder, 'there'), { recursive: true });
  leave(join(folder, 'there', `import-${process.pid}.tmp`));
  await imported();
  expect(textsIn('there')).toEqual(textsIn('here'));
});
