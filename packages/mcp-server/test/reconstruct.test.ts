import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '@causantic/domain';
import { ingestTree } from '@causantic/ingest';
import { Store } from '@causantic/storage';
import { reconstructTool } from '../src/causantic/reconstruct.js';
import { callTool, type ToolContext } from '../src/tool.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { sessionId, TranscriptBuilder } from '../../../test/e2e/transcript-builder.js';

it('the session before another is the one that began before it, even if that went on for longer', async () => {
  const folder = temporaryFolder();
  const store = Store.open(':memory:');
  onTestFinished(() => store.close());
  const [long, short] = [sessionId('10000001'), sessionId('20000002')];
  const cwd = '/home/ada/mill';
  new TranscriptBuilder({ session: long, cwd, start: '2026-02-01T10:00:00Z' })
    .exchange('What grinds the corn?', 'The stone.')
    .at('2026-02-09T10:00:00Z')
    .exchange('And what turns the stone?', 'The wheel.')
    .writeTo(folder);
  new TranscriptBuilder({ session: short, cwd, start: '2026-02-05T10:00:00Z' })
    .exchange('Who oils the wheel?', 'Ada does.')
    .writeTo(folder);
  ingestTree(store, [folder]);
  const config = loadConfig({ home: folder, projectDir: undefined, env: {} });
  const context = { store, config, clock: Date.now, home: folder } as unknown as ToolContext;
  const before = async (current_session_id: string) =>
    (
      await callTool(
        reconstructTool,
        { project: 'mill', previous_session: true, current_session_id },
        context,
      )
    ).text;
  expect(await before(short)).toContain('The wheel.');
  expect(await before(long)).toMatch(/^Error: There is no session before/);
});
