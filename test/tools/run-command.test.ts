import { expect, it } from 'vitest';
import { runNode } from '../../tools/setup/report.mjs';

it('what a command prints is read as it is, wherever the pipe cuts it', async () => {
  const program = "process.stdout.write('a' + '…'.repeat(200_000))";
  expect(await runNode(['--eval', program])).toMatchObject({ ok: true, output: `a${'…'.repeat(200_000)}` });
});

it('a warning on stderr stands in the output of a command, and not in its stdout', async () => {
  const result = await runNode(['--eval', 'console.log("[1]"); console.error("of [two]")']);
  expect(result.stdout).toBe('[1]\n');
  expect(result.output).toContain('of [two]\n');
});
