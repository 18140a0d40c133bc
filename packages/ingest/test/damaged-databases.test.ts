import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '@causantic/domain';
import { openSqlite } from '@causantic/storage';
import { expect, it } from 'vitest';
import { ingestTranscript, ingestTree } from '../src/index.js';
import { sessionId, TestStore } from './ingested.js';
import { OpencodeDatabase } from './opencode-database.js';
import { Recording, temporaryFolder } from './recording.js';

/** Overwrites the pages of a database that a condition on SQLite's list of them names. */
function damage(path: string, where: string): void {
  const db = openSqlite(path);
  const pages = db.prepare(`SELECT pageno FROM dbstat WHERE ${where}`).pluck().all() as number[];
  const size = db.pragma('page_size', { simple: true }) as number;
  db.close();
  expect(pages.length).toBeGreaterThan(0);
  const bytes = readFileSync(path);
  for (const page of pages) bytes.fill(255, (page - 1) * size, page * size);
  writeFileSync(path, bytes);
}

it.each(['transcript', 'session', 'project'])(
  'a memory of which the table %s is damaged ends the reading, and is named with what to do',
  (table) => {
    const folder = temporaryFolder();
    const path = new Recording(sessionId(1))
      .user('mend a net')
      .writeTo(join(folder, `${sessionId(1)}.jsonl`));
    const memory = temporaryFolder();
    const before = new TestStore(memory);
    before.ingest(path);
    before.store.close();
    damage(before.path, `name = '${table}'`);
    const { store } = new TestStore(memory);
    new Recording(sessionId(1)).user('mend a net').answer('It is mended.').writeTo(path);
    const told = {
      code: 'CORRUPT',
      message: expect.stringContaining(`The database ${before.path} is damaged`),
    };
    for (const read of [() => ingestTree(store, [folder]), () => ingestTranscript(store, path)]) {
      expect(read).toThrow(StorageError);
      expect(read).toThrow(expect.objectContaining(told));
    }
  },
);

it('a session of opencode’s that cannot be read costs itself only, and is not told as a fault of the memory', () => {
  const opencode = new OpencodeDatabase(temporaryFolder());
  opencode.session('ses_1').prompt('mend a net').answer('It is mended.');
  opencode.session('ses_2').prompt('sew a sail').answer('sail '.repeat(4_000));
  opencode.close();
  damage(opencode.path, "name = 'part' AND pagetype = 'overflow'");
  const store = new TestStore();
  const { issues } = ingestTree(store.store, [opencode.path]);
  expect(store.saidBy('user')).toEqual(['mend a net']);
  expect(issues).toEqual([
    {
      file: join(opencode.path, 'ses_2'),
      line: null,
      code: 'failed',
      message: 'database disk image is malformed',
    },
  ]);
});
