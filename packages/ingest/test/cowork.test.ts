import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { read, sessionId, type TestStore } from './ingested.js';
import { Recording, temporaryFolder } from './recording.js';

type Json = Record<string, unknown>;

const id = (n: number): string => `c0c0c0c${n}-1111-4222-8333-444444444444`;

/** As Claude's desktop app writes down what the client told it. */
function log(session: string): string {
  const said = (type: string, role: string, text: string, n: number): Json => ({
    type,
    uuid: `${session.slice(0, 24)}00000000000${n}`,
    session_id: session,
    parent_tool_use_id: null,
    message: { role, content: [{ type: 'text', text }] },
    _audit_timestamp: `2026-03-01T10:00:0${n}.000Z`,
    _audit_hmac: '00',
  });
  const records = [
    said('user', 'user', 'why is the till shut?', 1),
    said('assistant', 'assistant', 'It is Sunday.', 2),
  ];
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** A task of Cowork: what the app tells of it, its log, and the client's transcript. */
function task(root: string, n: number, { folder = `local_${id(n)}`, hasTranscript = true, told = {} }): void {
  const at = join(root, 'local-agent-mode-sessions', 'account', 'org');
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  put(join(at, `local_${id(n)}.json`), JSON.stringify({ sessionId: `local_${id(n)}`, ...told }, null, 2));
  put(join(at, folder, 'audit.jsonl'), log(sessionId(n)));
  if (!hasTranscript) return;
  put(join(at, folder, '.claude', '.claude.json'), '{}');
  new Recording(sessionId(n), {}, `/sessions/quiet-river-${n}`)
    .user('why is the till shut?')
    .answer('It is Sunday.')
    .writeTo(join(at, folder, '.claude', 'projects', 'session', `${sessionId(n)}.jsonl`));
}

function sessions(store: TestStore): Json[] {
  return store.contents()['sessions'] as Json[];
}

describe('a task of Cowork', () => {
  it('is stored once, with the folder that the person chose and its title', () => {
    const root = temporaryFolder();
    const told = { userSelectedFolders: ['/home/ada/shop', '/home/ada/cellar'], title: 'The till' };
    task(root, 1, { told });
    task(root, 2, { told: { ...told, title: 'Again' }, folder: id(2).slice(0, 8) });
    task(root, 3, {});
    const store = read(root);
    expect(sessions(store)).toMatchObject([
      { uuid: sessionId(1), project: '/home/ada/shop', title: 'The till' },
      { uuid: sessionId(2), project: '/home/ada/shop', title: 'Again' },
      { uuid: sessionId(3), project: '/sessions/quiet-river-3', title: null },
    ]);
    expect(store.saidBy('user')).toHaveLength(3);
  });

  it('has the person’s words without the files given to it, and its commands', () => {
    const root = temporaryFolder();
    const command = 'cd /sessions/quiet-river-1/mnt/shop && git commit -m "feat: shut the till"';
    const path = join(
      root,
      'local-agent-mode-sessions',
      'a',
      'b',
      `local_${id(1)}`,
      '.claude',
      'projects',
      's',
    );
    new Recording(sessionId(1))
      .user(
        '<uploaded_files>\n<file><file_path>till.pdf</file_path></file>\n</uploaded_files>\n\nshut the till',
      )
      .call('t', 'mcp__workspace__bash', { command })
      .result('t', [{ type: 'text', text: '[main 0f1e2d3] feat: shut the till' }])
      .writeTo(join(path, `${sessionId(1)}.jsonl`));
    const store = read(root);
    expect(store.saidBy('user')).toEqual(['shut the till']);
    expect(store.text()).toContain('till.pdf');
    expect(store.facts()).toMatchObject([
      {
        request: 'shut the till',
        commands: [command],
        commits: [{ subject: 'feat: shut the till', hash: '0f1e2d3' }],
      },
    ]);
  });

  it('is read from the app’s log where there is no transcript', () => {
    const root = temporaryFolder();
    task(root, 1, { hasTranscript: false });
    task(root, 2, { hasTranscript: false });
    const store = read(root);
    expect(sessions(store).map(({ uuid }) => uuid)).toEqual([sessionId(1), sessionId(2)]);
    expect(store.saidBy('assistant')).toEqual(['It is Sunday.', 'It is Sunday.']);
  });
});
