import { once } from 'node:events';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collected, MemoryHome, REINDEX, SERVER } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

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

interface Ended {
  code: number;
  errors: string;
}

async function ended(child: ChildProcess): Promise<Ended> {
  const errors = collected(child.stderr!);
  const [code] = (await once(child, 'close')) as [number];
  return { code, errors: errors.text() };
}

it('ends quietly when the reader of its output has seen enough', async () => {
  const child = spawn(process.execPath, [SERVER, 'reconstruct', 'app'], {
    env: { ...process.env, CAUSANTIC_HOME: memory.home, CAUSANTIC_TOKENS_MCP_MAX_RESPONSE: '900000' },
  });
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await ended(child)).toEqual({ code: 0, errors: '' });
});

it.skipIf(process.platform !== 'linux' || !existsSync('/usr/bin/script'))(
  'ends quietly when the pager is left before the end',
  () => {
    const command = `'${process.execPath}' '${SERVER}' reconstruct app --set tokens.mcpMaxResponse=900000`;
    const { status, stdout } = spawnSync('/usr/bin/script', ['-qec', command, '/dev/null'], {
      env: { ...process.env, CAUSANTIC_HOME: memory.home, PAGER: 'head -1', TERM: 'xterm' },
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^=== Session .*\r\n$/) as string,
    });
  },
);

const programs = [
  ['causantic', SERVER, 'stats'],
  ['causantic', SERVER, 'completion', '--projects'],
  ['causantic-reindex', REINDEX, '--help'],
] satisfies [name: string, program: string, ...args: string[]][];

it.each(programs)('%s ends quietly when nobody reads at all', async (_, program, ...args) => {
  const env = { ...process.env, CAUSANTIC_HOME: memory.home };
  const child = spawn(process.execPath, [program, ...args], { env });
  child.stdout.destroy();
  expect(await ended(child)).toEqual({ code: 0, errors: '' });
});

it.skipIf(!existsSync('/dev/full')).each(programs)(
  '%s says in a line that a disk is full to which its output goes',
  async (name, program, ...args) => {
    const env = { ...process.env, CAUSANTIC_HOME: memory.home };
    const child = spawn('sh', ['-c', `"$0" "$@" >/dev/full`, process.execPath, program, ...args], { env });
    const { code, errors } = await ended(child);
    expect(code).toBe(1);
    expect(errors).toMatch(new RegExp(`^${name}: cannot write the output: ENOSPC.*\\n$`));
  },
);
