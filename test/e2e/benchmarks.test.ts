import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Store } from '@causantic/storage';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';
import { writeSyntheticMemory } from '../../tools/bench/synthetic-memory.mjs';

const packages = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'packages');

it('the memory that the benchmark of vectors writes past the product is one of this version', () => {
  const path = join(temporaryFolder(), 'memory.db');
  writeSyntheticMemory(path, { vectors: 600, model: { id: 'random', dim: 4 } });
  const store = Store.open(path);
  onTestFinished(() => store.close());
  expect(store.integrityIssues()).toEqual([]);
  expect(store.statistics()).toMatchObject({ chunks: 600, sessions: 2 });
  expect(store.vectors.countByModel()).toEqual({ random: 600 });
});

/** They import built modules by their paths, and nobody starts them all before a commit. */
it('every benchmark finds the modules that it imports', async () => {
  const programs = readdirSync(packages, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^[^/\\]+[/\\]bench[/\\].*\.mjs$/.test(path))
    .map((path) => join(packages, path));
  expect(programs.length).toBeGreaterThan(10);
  await build({
    entryPoints: programs,
    outdir: temporaryFolder(),
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
  });
});

it('the benchmark of the repo map bundles it with its workers and times it', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.ts'), 'export function first() { return second(); }\nfunction second() {}\n');
  const program = join(packages, 'repomap', 'bench', 'repomap.bench.mjs');
  const output = execFileSync(process.execPath, [program, '--rounds', '1', folder], { encoding: 'utf8' });
  expect(JSON.parse(output)).toMatchObject([{ folder, files: 1, definitions: 2 }]);
});
