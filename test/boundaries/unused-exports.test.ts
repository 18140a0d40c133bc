import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findUnusedExports } from '../../tools/check/unused-exports.mjs';

test('exports that no other module takes are found', () => {
  const workspace = fileURLToPath(new URL('fixtures/exports', import.meta.url));
  expect(findUnusedExports(workspace)).toEqual([
    'packages/offering/src/offered.ts:2 kept',
    'packages/sample/src/names.ts:2 forgotten',
    'packages/sample/src/names.ts:6 Unused',
    'packages/sample/src/names.ts:7 area',
  ]);
});
