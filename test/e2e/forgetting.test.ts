import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqlite } from '@causantic/storage';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';
import { call, finished, MemoryHome } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

const APP = '/home/ada/diary';
const SECRET_SESSION = sessionId('5ec5e700');
const OTHER_SESSION = sessionId('0ddba11e');
/** Words that stand nowhere else, in each place that a session has: all of it has to go. */
const MARKS = [
  'kumquatprompt',
  'kumquatanswer',
  'kumquatcommand',
  'kumquatresult',
  'kumquatfile',
  'kumquatedit',
  'kumquatthinking',
  'kumquattitle',
  'kumquatcommit',
  'kumquattask',
  'kumquatagentprompt',
  'kumquatagentanswer',
  'kumquaterror',
  'kumquatCamelCaseName',
];

type Sqlite = ReturnType<typeof openSqlite>;

let memory: MemoryHome;
let client: Client;
let secretSession: TranscriptBuilder;

async function setUp(): Promise<void> {
  memory = new MemoryHome();
  secretSession = buildSecretSession();
  secretSession.writeTo(memory.projects);
  new TranscriptBuilder({
    session: SECRET_SESSION,
    cwd: APP,
    start: '2026-02-01T10:02:00Z',
    agentId: 'a9e',
  })
    .user('Look into kumquatagentprompt.')
    .answer('I found kumquatagentanswer.')
    .writeTo(memory.projects);
  new TranscriptBuilder({ session: OTHER_SESSION, cwd: APP, start: '2026-02-03T10:00:00Z' })
    .exchange('When is the ferry?', 'The ferry leaves at seven.')
    .writeTo(memory.projects);
  await memory.ingest();
  client = await memory.connect();
}

function buildSecretSession(): TranscriptBuilder {
  const task = {
    subagent_type: 'helper',
    description: 'kumquattask',
    prompt: 'Look into kumquatagentprompt.',
  };
  const edit = { file_path: `${APP}/kumquatfile.ts`, old_string: 'a', new_string: 'kumquatedit' };
  return new TranscriptBuilder({ session: SECRET_SESSION, cwd: APP, start: '2026-02-01T10:00:00Z' })
    .raw(JSON.stringify({ type: 'summary', summary: 'About kumquattitle', leafUuid: 'x' }))
    .raw(
      JSON.stringify({ type: 'custom-title', customTitle: 'About kumquattitle', sessionId: SECRET_SESSION }),
    )
    .user('Remember kumquatprompt and kumquatCamelCaseName.')
    .thinking('kumquatthinking, hm')
    .tool('Bash', { command: 'echo kumquatcommand', description: 'Say it' }, 'kumquatresult')
    .tool('Bash', { command: 'git commit -m "kumquatcommit"' }, '[main 1234567] kumquatcommit')
    .tool('Bash', { command: 'false' }, 'Error: kumquaterror', {}, { is_error: true })
    .tool('Edit', edit, 'ok')
    .tool('TodoWrite', { todos: [{ content: 'kumquattask', status: 'pending', activeForm: 'x' }] }, 'ok')
    .tool('Task', task, 'kumquatagentanswer', { toolUseResult: { agentId: 'a9e' } })
    .answer('I shall remember kumquatanswer.')
    .exchange('Thanks.', 'You are welcome.');
}

/** Every file under the home, as bytes: database, log, indexes. */
function storedBytes(): Buffer {
  const files = readdirSync(memory.home, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Buffer.concat(files.map((file) => readFileSync(join(file.parentPath, file.name))));
}

function marksInFiles(): string[] {
  const bytes = storedBytes().toString('latin1').toLowerCase();
  return MARKS.filter((mark) => bytes.includes(mark.toLowerCase()));
}

async function everythingATextSays(): Promise<string> {
  const answers = await Promise.all([
    ...MARKS.map((query) => call(client, 'search', { query })),
    call(client, 'reconstruct', { project: 'diary' }),
    call(client, 'reconstruct', { project: 'diary', session_id: OTHER_SESSION }),
    call(client, 'list-projects'),
    call(client, 'list-sessions', { project: 'diary' }),
    call(client, 'stats'),
  ]);
  return answers.map((answer) => answer.text).join('\n');
}

describe('a forgotten session', () => {
  beforeEach(setUp);
  afterEach(() => memory.remove());

  it('is in no answer, in no file, and does not come back', async () => {
    expect(marksInFiles()).toEqual(expect.arrayContaining(['kumquatprompt', 'kumquatresult', 'kumquattask']));
    expect(await everythingATextSays()).toContain('kumquatanswer');
    await call(client, 'forget', { project: 'diary', session_id: '5ec5e700', dry_run: false });
    await expectForgotten();
    await memory.ingest();
    await expectForgotten();
  });

  it.each([
    ['a server that has searched before', true],
    ['a server that has not', false],
  ])('leaves no vector behind, neither in the database nor in an index: %s', async (_what, searches) => {
    await call(client, 'search', { query: 'kumquatprompt' });
    await memory.disconnect();
    const vectors = memory.vectorsOf('kumquat');
    expect(vectors.length).toBeGreaterThan(0);
    expect(vectors.every((vector) => storedBytes().includes(vector))).toBe(true);
    client = await memory.connect();
    if (searches) await call(client, 'search', { query: 'kumquatprompt' });
    await call(client, 'forget', { project: 'diary', session_id: '5ec5e700', dry_run: false });
    await memory.disconnect();
    expect(vectors.filter((vector) => storedBytes().includes(vector))).toEqual([]);
  });

  it('leaves no vector in an index where the database cannot be rewritten', async () => {
    await call(client, 'search', { query: 'kumquatprompt' });
    await memory.disconnect();
    const vectors = memory.vectorsOf('kumquat');
    const indexes = () => readdirSync(join(memory.home, 'indexes')).join();
    expect(indexes()).toContain('.faiss');
    client = await memory.connect();
    // What nobody can remove: a folder that is called as a copy.
    const folder = join(memory.home, 'export-1.tmp');
    mkdirSync(folder);
    utimesSync(folder, 0, 0);
    const deletion = call(client, 'forget', { project: 'diary', session_id: '5ec5e700', dry_run: false });
    await expect(deletion).rejects.toThrow('export-1.tmp');
    expect(indexes()).not.toContain('.faiss');
    rmSync(folder, { recursive: true });
    await memory.causantic('compact');
    expect(vectors.filter((vector) => storedBytes().includes(vector))).toEqual([]);
  });

  it('does not come back when its transcript goes on; what is new is kept', async () => {
    await call(client, 'forget', { project: 'diary', session_id: '5ec5e700', dry_run: false });
    secretSession.exchange('And the ferry?', 'It is late today.').writeTo(memory.projects);
    await memory.ingest();
    expect(marksInFiles()).toEqual([]);
    const { text } = await call(client, 'search', { query: 'is the ferry late today?' });
    expect(text).toContain('It is late today.');
    expect(await everythingATextSays()).not.toContain('kumquat');
  });

  it('goes although its transcript is read anew, under other ids, while the deletion waits', async () => {
    const other = openSqlite(join(memory.home, 'memory.db'));
    other.exec('BEGIN IMMEDIATE');
    const deletion = call(client, 'forget', { project: 'diary', session_id: '5ec5e700', dry_run: false });
    await call(client, 'list-projects');
    const columns = other
      .prepare("SELECT name FROM pragma_table_info('chunk') WHERE name NOT IN ('id', 'seq')")
      .pluck()
      .all()
      .join(', ');
    other.exec(`
      UPDATE chunk SET seq = -1 - seq;
      INSERT INTO chunk (seq, ${columns}) SELECT -1 - seq, ${columns} FROM chunk;
      DELETE FROM chunk WHERE seq < 0;
      COMMIT`);
    other.close();
    expect((await deletion).text).toMatch(/^Deleted [1-9]\d* chunk/);
    await expectForgotten();
  });

  it('is gone, and nothing is wrong, where another process deletes all of it while the deletion waits', async () => {
    const other = openSqlite(join(memory.home, 'memory.db'));
    other.exec('BEGIN IMMEDIATE');
    const deletion = call(client, 'forget', { project: 'diary', session_id: '5ec5e700', dry_run: false });
    await call(client, 'list-projects');
    other.exec(`DELETE FROM session WHERE uuid = '${SECRET_SESSION}'; COMMIT`);
    other.close();
    expect((await deletion).text).toMatch(/^Deleted 0 chunk/);
  });

  it('is not taken for what has its ids in a memory that was imported while the deletion waits', async () => {
    const other = openSqlite(join(memory.home, 'memory.db'));
    other.exec('BEGIN IMMEDIATE');
    const deletion = call(client, 'forget', { project: 'diary', session_id: '5ec5e700', dry_run: false });
    const refused = expect(deletion).rejects.toThrow('was replaced meanwhile; nothing was deleted');
    await call(client, 'list-projects');
    other.exec("UPDATE schema_version SET applied_at = '2020-02-02' WHERE version = 1; COMMIT");
    other.close();
    await refused;
    expect((await call(client, 'search', { query: 'kumquatprompt' })).text).toContain('kumquatprompt');
    // Of the memory that is there now it can be deleted.
    const again = { project: 'diary', session_id: '5ec5e700', dry_run: false };
    expect((await call(client, 'forget', again)).text).toMatch(/^Deleted/);
  });

  it('by a command, waits for who is writing, and says so', async () => {
    expect(await memory.causanticBesideWriter('forget', 'diary', '--no-dry-run')).toMatch(/^Deleted/);
  });

  describe.skipIf(process.platform === 'win32')('by a command that has begun', () => {
    /** As long as somebody reads what was there before, the file cannot be rewritten. */
    async function beside(work: (command: ChildProcess) => Promise<void>) {
      await memory.disconnect();
      const [reader, other] = [1, 2].map(() => openSqlite(join(memory.home, 'memory.db'))) as [
        Sqlite,
        Sqlite,
      ];
      const chunks = (db: Sqlite) => db.prepare('SELECT count(*) FROM chunk').pluck().get();
      reader.exec('BEGIN');
      expect(chunks(reader)).not.toBe(0);
      const command = memory.start('forget', 'diary', '--no-dry-run');
      const exit = finished(command);
      await vi.waitUntil(() => chunks(other) === 0, { timeout: 30_000, interval: 5 });
      command.kill('SIGINT');
      await work(command);
      for (const db of [reader, other]) db.close();
      return exit;
    }

    it('is in no file, where Ctrl-C interrupts it', async () => {
      expect(await beside(() => sleep(200))).toMatchObject({
        code: 130,
        stderr: 'causantic: a deletion that has begun is finished first.\n',
      });
      expect(marksInFiles()).toEqual([]);
    });

    it('keeps nobody who asks a second time, whichever signal that is', async () => {
      const ended = beside(async (command) => {
        await once(command.stderr!, 'data');
        command.kill('SIGTERM');
        expect(await once(command, 'close')).toEqual([null, 'SIGTERM']);
      });
      expect(await ended).toMatchObject({ code: null });
    });
  });

  it('is told of as it goes, to a client that asks', async () => {
    const told: unknown[] = [];
    const request = { name: 'forget', arguments: { project: 'diary', dry_run: false } };
    const result = await client.callTool(request, undefined, {
      onprogress: (progress) => told.push(progress),
    });
    const [, deleted] = /^Deleted (\d+)/.exec((result.content as { text: string }[])[0]!.text) ?? [];
    expect(told).toEqual([{ progress: Number(deleted), total: Number(deleted) }]);
  });

  it('stays if the client cancels the deletion while it waits', async () => {
    const other = openSqlite(join(memory.home, 'memory.db'));
    other.exec('BEGIN IMMEDIATE');
    const cancelling = new AbortController();
    const request = { name: 'forget', arguments: { project: 'diary', dry_run: false } };
    const deletion = client.callTool(request, undefined, { signal: cancelling.signal });
    const cancelled = expect(deletion).rejects.toThrow('not this one');
    // By then its thread has started and waits.
    await sleep(1_000);
    cancelling.abort('not this one');
    await cancelled;
    await call(client, 'list-projects');
    other.exec('COMMIT');
    other.close();
    await memory.disconnect();
    client = await memory.connect();
    expect((await call(client, 'search', { query: 'kumquatprompt' })).text).toContain('kumquatprompt');
  });

  it('is gone for other servers too, and for the shell', async () => {
    const other = await memory.connect();
    await call(other, 'search', { query: 'kumquatprompt' });
    await call(client, 'forget', { project: 'diary', session_id: '5ec5e700', dry_run: false });
    const { text } = await call(other, 'search', { query: 'kumquatprompt kumquatCamelCaseName' });
    expect(text).toBe('No relevant memory found.');
    expect((await memory.causantic('search', 'kumquatprompt')).stdout).toBe('No relevant memory found.\n');
    expect(marksInFiles()).toEqual([]);
  });

  // A file without a name leaves nothing but the time at which its folder was changed.
  it.skipIf(process.platform === 'win32')('nor is what stays copied outside of the home', async () => {
    const folder = temporaryFolder();
    const db = openSqlite(join(memory.home, 'memory.db'));
    // More than is kept in memory.
    db.exec('CREATE TABLE much AS SELECT zeroblob(50000000)');
    db.close();
    const changed = (): bigint => statSync(folder, { bigint: true }).mtimeNs;
    const before = changed();
    const words = ['forget', 'diary', '--session-id', '5ec5e700', '--no-dry-run'];
    const { code } = await memory.causanticWith({ SQLITE_TMPDIR: folder }, ...words);
    expect({ code, changed: changed() }).toEqual({ code: 0, changed: before });
  });
});

async function expectForgotten(): Promise<void> {
  const said = await everythingATextSays();
  expect(said).not.toMatch(/kumquat/i);
  expect(said).not.toContain('5ec5e700');
  expect(said).toContain('Sessions for "diary" (1 total):');
  expect(said).toContain('The ferry leaves at seven.');
  expect(marksInFiles()).toEqual([]);
}

describe('filters of forget', () => {
  let chunks: Record<string, number>;

  beforeAll(async () => {
    await setUp();
    const { text } = await call(client, 'list-sessions', { project: 'diary' });
    chunks = Object.fromEntries(
      [...text.matchAll(/^- (\S{8}) .* (\d+) chunks/gm)].map(([, id, n]) => [id, Number(n)]),
    );
  });
  afterAll(() => memory.remove());

  it.each<[what: string, filter: Record<string, unknown>, taken: string[]]>([
    ['before a day: that day stays', { before: '2026-02-03' }, [SECRET_SESSION]],
    ['after a day: that day goes', { after: '2026-02-03' }, [OTHER_SESSION]],
    ['both', { after: '2026-01-01', before: '2026-02-02' }, [SECRET_SESSION]],
    ['a moment', { before: '2026-02-03T10:00:00Z' }, [SECRET_SESSION]],
    ['a moment later', { before: '2026-02-03T10:00:01Z' }, [SECRET_SESSION, OTHER_SESSION]],
    ['a session and a time that do not meet', { session_id: OTHER_SESSION, before: '2026-02-02' }, []],
    ['a whole project', {}, [SECRET_SESSION, OTHER_SESSION]],
  ])('%s', async (_what, filter, taken) => {
    const { text } = await call(client, 'forget', { project: 'diary', ...filter });
    const count = taken.reduce((sum, id) => sum + chunks[id.slice(0, 8)]!, 0);
    expect(text).toBe(
      count === 0
        ? 'No chunks match the given filters.'
        : `Dry run: ${count} chunk(s) would be deleted from project "diary". Set dry_run=false to proceed.`,
    );
  });

  it('a project of which all is forgotten is in no list', async () => {
    const total = Object.values(chunks).reduce((sum, n) => sum + n, 0);
    const { text } = await call(client, 'forget', { project: 'diary', dry_run: false });
    expect(text).toMatch(new RegExp(`^Deleted ${total} chunk\\(s\\) from project "diary" `));
    expect((await call(client, 'list-projects')).text).toBe('No projects found in memory.');
    expect((await call(client, 'list-sessions', { project: 'diary' })).text).toBe(
      'No sessions found for project "diary".',
    );
  });
});
