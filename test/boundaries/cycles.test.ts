import { expect, test } from 'vitest';
import { runTool } from './run-tool.js';

test('two modules that import each other fail the check for cycles', () => {
  const { status, output } = runTool('dependency-cruiser/bin/dependency-cruise.mjs', [
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err',
    'test/boundaries/fixtures/cycle',
  ]);
  expect(output).toContain('error no-circular: test/boundaries/fixtures/cycle/');
  expect(status).toBe(1);
});
