import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CopilotSession } from '../../packages/ingest/test/copilot-session.js';
import { QwenSession } from '../../packages/ingest/test/qwen-session.js';
import { call, MemoryHome } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

const LOOM = '/home/ada/loom';
const CLAUDE = sessionId('c1a0de00');
const CODEX = '019e5c03-1e99-7000-8000-00000000c0de';
const COPILOT = 'c0b11070-5e27-4f05-9ab1-70cd86eef6f6';
const QWEN = '1d118af6-47d8-4bc0-b678-20aefdaf2b38';
const GEMINI = '9e313100-2f6d-4d55-9a0b-6f2f0e7c1a11';

let memory: MemoryHome;
let client: Client;
let note: string;

beforeAll(async () => {
  memory = new MemoryHome();
  new TranscriptBuilder({ session: CLAUDE, cwd: LOOM, start: '2026-02-01T10:00:00Z' })
    .exchange('Why does the shuttle stop?', 'The shuttle stops since the weft sensor is dirty.')
    .writeTo(memory.projects);
  // One in which only the client was told something is not listed.
  new TranscriptBuilder({ session: sessionId('c1ea1000'), cwd: LOOM, start: '2026-02-01T12:00:00Z' })
    .user('<command-name>/clear</command-name>\n<command-message>clear</command-message>')
    .writeTo(memory.projects);
  write(
    join(memory.codexSessions, '2026', '02', '02', `rollout-2026-02-02T10-00-00-${CODEX}.jsonl`),
    codexRollout(),
  );
  write(join(memory.geminiChats, 'session-2026-02-03T10-00-9e313100.json'), geminiChat());
  write(join(dirname(memory.geminiChats), '.project_root'), LOOM);
  new CopilotSession(COPILOT, 0, { cwd: LOOM })
    .prompt('How long is the warp?')
    .answer('', [['c', 'bash', { command: 'warp --length' }]])
    .gave('c', '40 ells\n<shellId: 0 completed with exit code 0>')
    .answer('I ask an agent for the width.', [['t', 'task', { name: 'rulers', prompt: 'How wide is it?' }]])
    .event('subagent.started', { toolCallId: 't', agentName: 'explore' }, { agentId: 'a1' })
    .prompt('How wide is it?', { source: 'agent-s1' }, { agentId: 'a1' })
    .answer('Two ells, by the selvage.', [], { agentId: 'a1' })
    .event('subagent.completed', { toolCallId: 't', agentName: 'explore' }, { agentId: 'a1' })
    .answer('The warp is forty ells long.')
    .writeTo(memory.copilotSessions);
  new QwenSession(QWEN, 0, { cwd: LOOM })
    .prompt('Which weft is the finest?')
    .answer('The silken weft is.')
    .writeTo(memory.qwenProjects);
  note = join(memory.projects, '-home-ada-loom', 'memory', 'MEMORY.md');
  write(note, '# Bobbins\nBobbins are wound by the yellow spindle only.\n');
  await memory.ingest();
  client = await memory.connect();
});
afterAll(() => memory.remove());

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function codexRollout(): string {
  const said = 'The heddles were mounted upside down; I turned them.';
  const records: [string, Record<string, unknown>][] = [
    [
      'session_meta',
      { id: CODEX, cwd: LOOM, cli_version: '0.142.5', source: 'cli', git: { branch: 'main' } },
    ],
    ['event_msg', { type: 'task_started', turn_id: '019e5c03-6425-7000-8000-000000000001' }],
    ['response_item', message('user', 'input_text', 'Why do the heddles jam?')],
    ['event_msg', { type: 'user_message', message: 'Why do the heddles jam?' }],
    [
      'response_item',
      { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"heddle --check"}', call_id: 'c' },
    ],
    [
      'response_item',
      {
        type: 'function_call_output',
        call_id: 'c',
        output: 'Process exited with code 2\nOutput:\nupside down',
      },
    ],
    ['event_msg', { type: 'agent_message', message: said }],
    ['response_item', message('assistant', 'output_text', said)],
  ];
  return records
    .map(
      ([type, payload], n) => `${JSON.stringify({ timestamp: `2026-02-02T10:00:0${n}Z`, type, payload })}\n`,
    )
    .join('');
}

const message = (role: string, type: string, text: string) => ({
  type: 'message',
  role,
  content: [{ type, text }],
});

function geminiChat(): string {
  const messages = [
    {
      id: 'u1',
      timestamp: '2026-02-03T10:00:00Z',
      type: 'user',
      content: 'Which treadle lifts the harness?',
    },
    {
      id: 'g1',
      timestamp: '2026-02-03T10:00:05Z',
      type: 'gemini',
      content: 'The left treadle lifts the harness.',
    },
  ];
  const head = { sessionId: GEMINI, projectHash: 'x', startTime: '2026-02-03T10:00:00Z' };
  return JSON.stringify({ ...head, messages }, null, 2);
}

describe('sessions of other clients, found where the clients keep them', () => {
  it('are listed with their client, notes apart', async () => {
    const { text } = await call(client, 'list-sessions', { project: 'loom' });
    expect(text).toMatch(/\(5 total\)/);
    expect(text).toMatch(/^- c0b11070 \(Jun 1.* chunks, .* tokens, copilot\)$/m);
    expect(text).toMatch(/^- 1d118af6 \(Jul 1.* chunks, .* tokens, qwen\)$/m);
    expect(text).toMatch(/^- 019e5c03 \(Feb 2.* chunks, .* tokens, codex\)$/m);
    expect(text).toMatch(/^- 9e313100 \(Feb 3.* chunks, .* tokens, gemini\)$/m);
    expect(text).toMatch(/^- c1a0de00 \(Feb 1.* chunks, [0-9]+ tokens\)$/m);
  });

  it.each([
    ['why did the heddles jam?', 'codex', CODEX, 'upside down; I turned them'],
    ['which treadle lifts the harness', 'gemini', GEMINI, 'The left treadle'],
    ['how long is the warp', 'copilot', COPILOT, 'forty ells long'],
    ['the finest weft', 'qwen', QWEN, 'silken weft'],
    [
      'what winds the bobbins',
      'notes',
      null,
      'Note MEMORY.md › Bobbins:\nBobbins are wound by the yellow spindle',
    ],
    ['why does the shuttle stop', null, CLAUDE, 'the weft sensor is dirty'],
  ])('are found, each under its client: %s', async (query, agent, session, answer) => {
    const { text, hits } = await call(client, 'search', { query });
    expect(text).toContain(answer);
    expect(hits[0]).toMatchObject({
      agent,
      project: 'loom',
      ...(session !== null && { sessionId: session }),
    });
    const header = text.split('\n').find((line) => line.startsWith('[Session: '))!;
    expect(header.split(' | ').length).toBe(agent === null ? 5 : 6);
    if (agent !== null) expect(header).toContain(` | ${agent} | `);
  });

  it.each([
    ['codex', 'shuttle heddles', 'codex'],
    ['gemini', 'shuttle harness', 'gemini'],
    ['Copilot', 'shuttle warp', 'copilot'],
    ['copilot rulers', 'shuttle selvage', 'copilot rulers'],
    ['rulers', 'shuttle selvage', 'copilot rulers'],
    ['qwen', 'shuttle weft', 'qwen'],
    ['notes', 'shuttle bobbins', 'notes'],
    // Headers do not name it.
    ['claude-code', 'shuttle heddles', null],
  ])('are filtered by the agent that headers name: %s', async (agent, query, named) => {
    for (const [tool, args] of [
      ['search', { query }],
      ['reconstruct', { project: 'loom' }],
    ] as const) {
      const { hits } = await call(client, tool, { ...args, agent });
      expect(new Set(hits.map((hit) => hit['agent']))).toEqual(new Set([named]));
    }
  });

  it('are named where an agent is unknown', async () => {
    const asked = call(client, 'search', { query: 'warp', agent: 'weaver' });
    await expect(asked).rejects.toThrow(
      /one of: rulers, (?=.*codex)(?=.*gemini)(?=.*copilot)(?=.*qwen)(?=.*claude-code).*notes/,
    );
  });

  it('are read back in order, with their commands', async () => {
    const { text } = await call(client, 'reconstruct', { project: 'loom', session_id: '019e5c03' });
    expect(text).toMatch(/=== Session 019e5c03 \| loom \| Feb 2.* \| codex ===/);
    expect(text).toContain('[exec_command] heddle --check\n→ Error: Exit code 2\nupside down');
    expect(text.indexOf('Why do the heddles jam?')).toBeLessThan(text.indexOf('I turned them'));
  });

  it('follow the edits and the deletion of a note', async () => {
    write(note, '# Bobbins\nBobbins are wound by the crimson spindle.\n');
    await memory.ingest();
    const edited = await call(client, 'search', { query: 'what winds the bobbins' });
    expect(edited.text).toContain('crimson spindle');
    expect(edited.text).not.toContain('yellow spindle');
    rmSync(note);
    await memory.ingest();
    expect((await call(client, 'search', { query: 'crimson spindle' })).text).not.toContain('crimson');
  });

  it('are read from named folders and files, too', async () => {
    const { code, stdout } = await memory.reindex('--json', '--dry-run', '--source', memory.codexSessions);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ files: 1, sessions: 1, issues: [] });
  });
});
