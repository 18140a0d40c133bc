import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { nodeIncludeFolder } from '../../tools/setup/native.mjs';
import { temporaryFolder } from '../temporary-folder.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

it("FAISS is compiled against the same headers of Node's as tree-sitter: those that node-gyp is told of", () => {
  const folder = temporaryFolder();
  const headers = join(folder, 'include', 'node');
  vi.stubEnv('npm_config_nodedir', folder);
  expect(nodeIncludeFolder()).toBeUndefined();
  mkdirSync(headers, { recursive: true });
  writeFileSync(join(headers, 'node_api.h'), '');
  expect(nodeIncludeFolder()).toBe(headers);
});
