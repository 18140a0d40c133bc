import { expect, it } from 'vitest';
import { runNode } from '../../tools/setup/report.mjs';

it('what a command prints is read as it is, wherever the pipe cuts it', async () => {
  const program = "process.stdout.write('a' + '…'.repeat(200_000))";
  expect(await runNode(['--eval', program])).toEqual({ ok: true, output: `a${'…'.repeat(200_000)}` });
});
