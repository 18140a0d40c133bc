import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** What a program shows on a terminal of 80 columns while it tells of these amounts, without the terminal's own codes. */
function shown(amounts: [done: number, total: number][]): string {
  const program = `
    import { StepBar } from '@causantic/domain/step-bar';
    Object.assign(process.stderr, { isTTY: true, columns: 80, cursorTo() {}, clearLine() {}, moveCursor() {} });
    const bar = new StepBar();
    for (const [done, total] of ${JSON.stringify(amounts)}) {
      bar.show('Embedding', done, total);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    bar.stop();`;
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return stderr.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '');
}

it('a bar follows a total that grows', () => {
  const text = shown([
    [50, 100],
    [100, 400],
  ]);
  expect(text).toContain('50%');
  expect(text).toContain('25%');
  expect(text).not.toContain('100%');
});

it('nothing is shown of nothing to do', () => {
  expect(shown([[0, 0]])).toBe('');
});
