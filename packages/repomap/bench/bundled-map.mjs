/**
 * The repo map as the apps ship it: bundled, its workers beside it. From the packages' own files a worker thread
 * loads some hundred modules, which the bundle leaves out.
 */
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const compute = join(packageFolder, '..', 'compute', 'dist');
const domain = join(packageFolder, '..', 'domain');
const workspace = join(packageFolder, '..', '..');
/** Below the workspace, so that native packages are found, and outside of what npm packs. */
const outputFolder = join(workspace, '.setup', 'repomap-bench');

const commonJsNames = `
import { createRequire as createRequireOfBundle } from 'node:module';
import { dirname as dirnameOfBundle } from 'node:path';
import { fileURLToPath as fileURLToPathOfBundle } from 'node:url';
const require = createRequireOfBundle(import.meta.url);
const __filename = fileURLToPathOfBundle(import.meta.url);
const __dirname = dirnameOfBundle(__filename);
`.trim();

export async function bundleMap() {
  await build({
    stdin: {
      contents: `export { buildRepoMap } from '@causantic/repomap'; export { WorkerPool } from '@causantic/compute';`,
      resolveDir: packageFolder,
      sourcefile: 'map.js',
    },
    outdir: outputFolder,
    entryNames: 'map',
    ...shared(),
  });
  await build({
    entryPoints: {
      'parse-task': join(packageFolder, 'dist', 'parse-task.js'),
      'pool-worker': join(compute, 'pool', 'pool-worker.js'),
      worker: join(workspace, 'node_modules', 'piscina', 'dist', 'worker.js'),
    },
    outdir: outputFolder,
    ...shared(),
  });
  mkdirSync(join(outputFolder, 'assets'), { recursive: true });
  cpSync(join(domain, 'assets'), join(outputFolder, 'assets', 'domain'), { recursive: true });
}

/** @returns {Promise<{ buildRepoMap: typeof import('@causantic/repomap').buildRepoMap, WorkerPool: typeof import('@causantic/compute').WorkerPool }>} */
export function loadBundledMap() {
  return import(pathToFileURL(join(outputFolder, 'map.js')).href);
}

function shared() {
  return {
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['onnxruntime-node', 'faiss-node', 'tree-sitter', 'tree-sitter-*', '@napi-rs/*'],
    banner: { js: commonJsNames },
    logLevel: 'warning',
  };
}
