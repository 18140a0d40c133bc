import { expect, test } from 'vitest';
import { runTool } from './run-tool.js';

test('a core package that imports a platform package fails the lint', () => {
  const { status, output } = runTool('nx/dist/bin/nx.js', [
    'run',
    '@causantic/boundary-canary:lint-canary',
    '--outputStyle=static',
  ]);
  expect(output).toContain('A project tagged with "layer:core" can only depend on libs tagged with');
  expect(output.match(/@nx\/enforce-module-boundaries/g)).toHaveLength(2);
  expect(status).toBe(1);
});

test('the ordinary lint leaves the canary out', () => {
  const { output } = runTool('nx/dist/bin/nx.js', ['show', 'projects', '--with-target', 'lint']);
  expect(output).toContain('@causantic/graph');
  expect(output).not.toContain('boundary-canary');
});
