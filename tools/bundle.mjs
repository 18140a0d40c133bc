/**
 * Bundles the app in whose folder it is started: `src/main.ts` and every worker of the packages it
 * depends on, side by side in `dist/`. One file instead of some hundred is what lets a command answer
 * within its start-up budget; code that is imported lazily stays in chunks of its own.
 *
 * Library code names a worker as `new URL('./parse-task.js', import.meta.url)`, so workers and shared
 * chunks lie flat beside `main.js`, where that address is right before and after bundling.
 */
import { cpSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const packagesFolder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'packages');
const appFolder = process.cwd();
const outputFolder = join(appFolder, 'dist');

/** Modules with native binaries: they find these by their own place in node_modules. */
const nativePackages = [
  'better-sqlite3',
  'onnxruntime-node',
  'faiss-node',
  'tree-sitter',
  'tree-sitter-*',
  '@napi-rs/*',
];

/** What CommonJS dependencies expect and ES modules lack. */
const commonJsNames = `
import { createRequire as createRequireOfBundle } from 'node:module';
import { dirname as dirnameOfBundle } from 'node:path';
import { fileURLToPath as fileURLToPathOfBundle } from 'node:url';
const require = createRequireOfBundle(import.meta.url);
const __filename = fileURLToPathOfBundle(import.meta.url);
const __dirname = dirnameOfBundle(__filename);
`.trim();

const packages = packagesBelow(appFolder);
const written = await bundle();
copyAssets();
removeStaleFiles(written);

async function bundle() {
  const result = await build({
    absWorkingDir: appFolder,
    entryPoints: { main: 'src/main.ts', ...workerEntries() },
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    entryNames: '[name]',
    chunkNames: 'chunk-[hash]',
    external: nativePackages,
    minifySyntax: true,
    keepNames: true,
    banner: { js: commonJsNames },
    metafile: true,
    logLevel: 'warning',
  });
  return Object.keys(result.metafile.outputs).map((path) => basename(path));
}

/**
 * Workers are taken as built, like the packages themselves: from their sources they would bring a second
 * copy of every module.
 *
 * @returns {Record<string, string>} name → file
 */
function workerEntries() {
  const own = packages.flatMap((folder) =>
    readdirSync(join(folder, 'src'))
      .filter((name) => /-(worker|task)\.ts$/.test(name))
      .map((name) => basename(name, '.ts'))
      .map((name) => [name, join(folder, 'dist', `${name}.js`)]),
  );
  // piscina starts its own worker by the name of a file beside it.
  const piscinaWorker = join(packagesFolder, '..', 'node_modules', 'piscina', 'dist', 'worker.js');
  const usesPiscina = packages.some((folder) => 'piscina' in dependenciesOf(folder));
  return Object.fromEntries([...own, ...(usesPiscina ? [['worker', piscinaWorker]] : [])]);
}

/** Models and the like: `packages/compute/assets` becomes `dist/assets/compute`. */
function copyAssets() {
  rmSync(join(outputFolder, 'assets'), { recursive: true, force: true });
  for (const folder of packages) {
    const assets = join(folder, 'assets');
    if (!existsSync(assets)) continue;
    cpSync(assets, join(outputFolder, 'assets', basename(folder)), { recursive: true });
  }
}

/** @param {string[]} kept */
function removeStaleFiles(kept) {
  readdirSync(outputFolder)
    .filter((name) => name.endsWith('.js') && !kept.includes(name))
    .forEach((name) => rmSync(join(outputFolder, name)));
}

/**
 * The workspace packages that an app or package needs, its own needs' needs included.
 *
 * @param {string} folder
 * @returns {string[]} their folders
 */
function packagesBelow(folder) {
  const direct = Object.keys(dependenciesOf(folder))
    .filter((name) => name.startsWith('@causantic/'))
    .map((name) => resolve(packagesFolder, name.slice('@causantic/'.length)));
  return [...new Set(direct.flatMap((below) => [below, ...packagesBelow(below)]))];
}

/** @param {string} folder */
function dependenciesOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies ?? {};
}

console.log(`bundled ${written.length} files into ${relative(process.cwd(), outputFolder)}`);
