import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '@causantic/domain';
import { ingestTree } from '@causantic/ingest';
import { Store } from '@causantic/storage';
import { listProjectsTool } from '../src/causantic/list-projects.js';
import { listSessionsTool } from '../src/causantic/list-sessions.js';
import { reconstructTool } from '../src/causantic/reconstruct.js';
import { callTool, type ToolContext } from '../src/tool.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { sessionId, TranscriptBuilder } from '../../../test/e2e/transcript-builder.js';

const cwd = '/home/ada/mill';

function memoryOf(sessions: readonly TranscriptBuilder[], env: NodeJS.ProcessEnv = {}): ToolContext {
  const folder = temporaryFolder();
  const store = Store.open(':memory:');
  onTestFinished(() => store.close());
  for (const session of sessions) session.writeTo(folder);
  ingestTree(store, [folder]);
  const config = loadConfig({ home: folder, projectDir: undefined, env });
  return { store, config, clock: Date.now, home: folder } as unknown as ToolContext;
}

function reconstructed(sessions: readonly TranscriptBuilder[], env: NodeJS.ProcessEnv = {}) {
  const context = memoryOf(sessions, env);
  return async (args: object) =>
    (await callTool(reconstructTool, { project: 'mill', ...args }, context)).text;
}

it('the session before another is the one that began before it, even if that went on for longer', async () => {
  const [long, short] = [sessionId('10000001'), sessionId('20000002')];
  const reconstruct = reconstructed([
    new TranscriptBuilder({ session: long, cwd, start: '2026-02-01T10:00:00Z' })
      .exchange('What grinds the corn?', 'The stone.')
      .at('2026-02-09T10:00:00Z')
      .exchange('And what turns the stone?', 'The wheel.'),
    new TranscriptBuilder({ session: short, cwd, start: '2026-02-05T10:00:00Z' }).exchange(
      'Who oils the wheel?',
      'Ada does.',
    ),
  ]);
  const before = (current_session_id: string) => reconstruct({ previous_session: true, current_session_id });
  expect(await before(short)).toContain('The wheel.');
  // As if it were unknown, it would be the session itself.
  expect(await before(`${short.toUpperCase()}\n`)).toContain('The wheel.');
  expect(await before(long)).toMatch(/^Error: There is no session before/);
});

it('what is too large for an answer is said to be left out, and not to be missing', async () => {
  const session = sessionId('10000001');
  const large = new TranscriptBuilder({ session, cwd, start: '2026-02-01T10:00:00Z' }).exchange(
    'How is corn ground?',
    'The stone turns upon another stone. '.repeat(40),
  );
  const reconstruct = reconstructed([large], { CAUSANTIC_TOKENS_MCP_MAX_RESPONSE: '200' });
  for (const args of [{}, { session_id: session }, { from: '2026-01-01' }])
    expect(await reconstruct(args)).toBe('[… earlier content left out to fit 200 tokens …]');
});

it('a project that is listed, but holds nothing to read, is not taken for one that is not there', async () => {
  const transcript = (id: string) =>
    new TranscriptBuilder({ session: sessionId(id), cwd, start: '2026-02-01T10:00:00Z' });
  const command = transcript('10000001').user('<command-name>/clear</command-name>');
  const asked = [listSessionsTool, reconstructTool] as const;
  const nothing = 'No sessions found for project "mill".';
  const silent = memoryOf([command]);
  expect((await callTool(listProjectsTool, {}, silent)).text).toContain('- mill (1 chunks');
  for (const tool of asked)
    expect((await callTool(tool, { project: 'mill' }, silent)).text).toBe(
      `${nothing} Memory holds nothing of it but a client's notes or context: no prompt, answer or tool call.`,
    );
  const spoken = memoryOf([command, transcript('20000002').exchange('Who oils the wheel?', 'Ada does.')]);
  for (const tool of asked)
    expect((await callTool(tool, { project: 'mill', from: '2027-01-01' }, spoken)).text).not.toContain(
      'Memory holds nothing',
    );
});
