import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileURLToPath } from 'node:url';
import { MemoryHome } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

const CAUSANTIC = fileURLToPath(new URL('../../apps/mcp-server/bin/causantic.mjs', import.meta.url));
const memory = new MemoryHome();

beforeAll(async () => {
  const session = new TranscriptBuilder({
    session: sessionId('c105ed01'),
    cwd: '/home/ada/app',
    start: '2026-02-01T10:00:00Z',
  });
  for (let n = 0; n < 120; n++)
    session.exchange(`Question ${n}`, `A long answer about kites. ${'kite '.repeat(1_800)}`);
  session.writeTo(memory.projects);
  await memory.ingest();
}, 60_000);
afterAll(() => memory.remove());

it('ends quietly when the reader of its output has seen enough', async () => {
  const child = spawn(process.execPath, [CAUSANTIC, 'reconstruct', 'app'], {
    env: { ...process.env, CAUSANTIC_HOME: memory.home, CAUSANTIC_TOKENS_MCP_MAX_RESPONSE: '900000' },
  });
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = (await once(child, 'close')) as [number];
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
});
