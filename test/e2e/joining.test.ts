import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, callInFull, finished, MemoryHome } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

let memory: MemoryHome;
let former: string;
let now: string;

beforeEach(async () => {
  memory = new MemoryHome();
  former = join(memory.folder, 'old-mill');
  now = join(memory.folder, 'new-mill');
  work('aaaa0001', former, '2026-02-01T10:00:00Z', 'Which stone grinds the corn?');
  await memory.ingest();
});
afterEach(() => memory.remove());

function work(prefix: string, folder: string, start: string, question: string): void {
  mkdirSync(folder, { recursive: true });
  new TranscriptBuilder({ session: sessionId(prefix), cwd: folder, start })
    .user(question)
    .tool('Edit', { file_path: join(folder, 'stone.ts'), old_string: 'sand', new_string: 'granite' }, 'done')
    .answer('The granite stone grinds it.')
    .writeTo(memory.projects);
}

/** The folder is moved, and work goes on there. */
async function moveHouse(): Promise<void> {
  rmSync(former, { recursive: true });
  work('bbbb0001', now, '2026-02-02T10:00:00Z', 'And which stone grinds the rye?');
  await memory.ingest();
}

async function joined(project: string, into: string): Promise<string> {
  const { code, stdout, stderr } = await memory.causantic('join', project, into);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return stdout;
}

const projects = async (): Promise<string> => (await memory.causantic('list-projects')).stdout;

describe('a folder that was moved', () => {
  it('is one project with what was done before, for a server that runs, too', async () => {
    await moveHouse();
    const client = await memory.connect();
    const before = await call(client, 'search', { query: 'granite stone corn', project: 'new-mill' });
    expect(before.hits.map(({ sessionId: id }) => id)).not.toContain(sessionId('aaaa0001'));
    expect(await joined(former, now)).toBe(
      `Joined "old-mill" (${former}; 1 session, 1 chunk) to "new-mill" (${now}).\n` +
        `Future sessions in ${former} belong to it, too.\n`,
    );
    const { hits } = await callInFull(client, 'search', { query: 'granite stone corn', project: 'new-mill' });
    const hit = hits.find(({ sessionId: id }) => id === sessionId('aaaa0001'));
    expect(hit).toMatchObject({ project: 'new-mill' });
    expect(hit!.sources).toEqual(expect.arrayContaining(['keyword', 'vector']));
    expect(await projects()).toBe('Projects in memory:\n- new-mill (2 chunks, Feb 2026 – Feb 2026)\n');
    const { stdout } = await memory.causantic('stats', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      // The file is one in both folders, and no vector is made again.
      diagnostics: { entities: 1, edgesByType: { 'file-path': 1 }, vectors: { vectors: 2, pending: 0 } },
    });
  });

  it('keeps both names and both folders, whatever is read of it later', async () => {
    await moveHouse();
    await joined('old-mill', 'new-mill');
    work('cccc0001', former, '2026-02-03T10:00:00Z', 'Who goes on in the former folder?');
    await memory.ingest();
    await memory.reindex('--rebuild', 'transcripts');
    expect(await projects()).toBe('Projects in memory:\n- new-mill (3 chunks, Feb 2026 – Feb 2026)\n');
    for (const name of ['old-mill', former, 'new-mill', now]) {
      const { stdout } = await memory.causantic('list-sessions', name);
      expect(stdout).toContain('Sessions for "new-mill" (3 total):');
    }
  });

  it('is what a session there is told of, also the first one', async () => {
    mkdirSync(now);
    await joined('old-mill', now);
    const input = JSON.stringify({ session_id: sessionId('bbbb0001'), cwd: now, source: 'startup' });
    const { stdout } = await finished(memory.start('hook', 'session-start'), input);
    expect(stdout).toContain('memory of new-mill (1 session since Feb 1, 2026)');
    expect(stdout).toContain('- stone.ts');
  });

  it('is joined to another project, or a folder that exists, and only when meant', async () => {
    await moveHouse();
    const before = await projects();
    for (const [project, into] of [
      ['mill', 'new-mill'],
      ['old-mill', 'mill'],
      ['old-mill', former],
      ['old-mill', ''],
      ['old-mill', import.meta.filename],
    ]) {
      const { code, stderr } = await memory.causantic('join', project!, into!);
      expect(code).not.toBe(0);
      expect(stderr).toMatch(into === 'new-mill' ? /"project".* one of: new-mill, old-mill/ : /"into"/);
    }
    const { stdout } = await memory.causantic('join', 'old-mill', 'new-mill', '--dry-run');
    expect(stdout).toBe(`Would join "old-mill" (${former}; 1 session, 1 chunk) to "new-mill" (${now}).\n`);
    expect(await projects()).toBe(before);
  });
});
