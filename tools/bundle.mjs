/**
 * Bundles the app in whose folder it is started: `src/main.ts` and every worker of the packages it
 * depends on, side by side in `dist/`. One file instead of some hundred is what lets a command answer
 * within its start-up budget; code that is imported lazily stays in chunks of its own.
 *
 * Library code names a worker as `new URL('./parse-task.js', import.meta.url)`, so workers and shared
 * chunks lie flat beside `main.js`, where that address is right before and after bundling.
 */
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const packagesFolder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'packages');
const appFolder = process.cwd();
const outputFolder = join(appFolder, 'dist');

/** Modules with native binaries: they find these by their own place in node_modules. */
const nativePackages = ['onnxruntime-node', 'faiss-node', 'tree-sitter', 'tree-sitter-*', '@napi-rs/*'];

/** What CommonJS dependencies expect and ES modules lack. */
const commonJsNames = `
import { createRequire as createRequireOfBundle } from 'node:module';
import { dirname as dirnameOfBundle } from 'node:path';
import { fileURLToPath as fileURLToPathOfBundle } from 'node:url';
const require = createRequireOfBundle(import.meta.url);
const __filename = fileURLToPathOfBundle(import.meta.url);
const __dirname = dirnameOfBundle(__filename);
`.trim();

/** Loaded by piscina if it is there, to lower the priority of its threads: nothing here asks for that. */
const unwantedPackages = ['@napi-rs/nice'];

/** Checks what a person answers to a server's question: this one asks none, and each start would load and set it up. */
const withoutAnswerChecks = {
  name: 'without-answer-checks',
  /** @param {import('esbuild').PluginBuild} bundling */
  setup(bundling) {
    bundling.onLoad({ filter: /\bsdk\b.*\bajv-provider\.js$/ }, () => ({
      contents: `export class AjvJsonSchemaValidator {
        getValidator() {
          throw new Error('Answers of a person are not checked: see tools/bundle.mjs.');
        }
      }`,
    }));
  },
};

const packages = packagesBelow(appFolder);
const { inputs, outputs } = await bundle();
const written = Object.keys(outputs).map((path) => basename(path));
checkDependencies(outputs);
writeNotices(inputs);
await writeConfigSchema();
copyAssets();
removeStaleFiles(written);

/**
 * The app and each worker are bundled on their own. In one bundle, esbuild would have every worker load all that any other
 * needs of a package: zod for one small function of `domain`, 25 to 40 ms at each start.
 */
async function bundle() {
  const { worker, 'pool-worker': poolWorker, ...tasks } = workerEntries();
  const groups = [
    { main: 'src/main.ts' },
    // What is moved between threads is marked by a symbol of piscina's: both need the same copy.
    ...(worker && poolWorker ? [{ worker, 'pool-worker': poolWorker }] : []),
    ...Object.entries(tasks).map(([name, file]) => ({ [name]: file })),
  ];
  const metafiles = await Promise.all(groups.map(bundleTogether));
  return {
    inputs: Object.assign({}, ...metafiles.map(({ inputs }) => inputs)),
    outputs: Object.assign({}, ...metafiles.map(({ outputs }) => outputs)),
  };
}

/** @param {Record<string, string>} entryPoints name in `dist/` → file */
async function bundleTogether(entryPoints) {
  const result = await build({
    absWorkingDir: appFolder,
    entryPoints,
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    entryNames: '[name]',
    chunkNames: 'chunk-[hash]',
    external: nativePackages,
    plugins: [withoutAnswerChecks],
    // Its CommonJS form loads its parts in a way that no bundler can follow.
    alias: {
      'jsonc-parser': join(packagesFolder, '..', 'node_modules', 'jsonc-parser', 'lib', 'esm', 'main.js'),
    },
    minifySyntax: true,
    banner: { js: commonJsNames },
    metafile: true,
    logLevel: 'warning',
  });
  return result.metafile;
}

/**
 * What the bundle does not hold is what npm must install with the app: each such package stands among the app's own
 * dependencies, in the version that the library package asks for. The workspace packages and all else they
 * need are in the bundle, so they are `devDependencies` of an app.
 *
 * @param {import('esbuild').Metafile['outputs']} outputs
 */
function checkDependencies(outputs) {
  const app = manifestOf(appFolder);
  const declared = { ...app.dependencies, ...app.optionalDependencies };
  const needed = Object.values(outputs).flatMap((output) => output.imports.filter(isFromRegistry));
  const names = new Set([...needed.map(({ path }) => packageName(path)), ...Object.keys(declared)]);
  const wanted = Object.assign({}, ...packages.map((folder) => allDependenciesOf(manifestOf(folder))));
  const wrong = [...names].filter((name) => declared[name] === undefined || declared[name] !== wanted[name]);
  if (wrong.length === 0) return;
  const lines = wrong.map((name) => `  ${name}: ${declared[name]}, the packages want ${wanted[name]}`);
  throw new Error(
    `Dependencies of ${app.name} that are missing, superfluous or different:\n${lines.join('\n')}`,
  );
}

/** @param {{ path: string, external?: boolean }} imported */
function isFromRegistry({ path, external }) {
  return external === true && !isBuiltin(path) && !unwantedPackages.includes(path);
}

/** @param {string} path as imported, such as `tree-sitter-c-sharp/bindings/node/index.js` */
function packageName(path) {
  return path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');
}

/**
 * Workers are taken as built, like the packages themselves: from their sources they would bring a second
 * copy of every module.
 *
 * @returns {Record<string, string>} name → file
 */
function workerEntries() {
  const own = packages.flatMap((folder) =>
    readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /-(worker|task)\.ts$/.test(path))
      .map((path) => [basename(path, '.ts'), join(folder, 'dist', path.replace(/\.ts$/, '.js'))]),
  );
  // piscina starts its own worker by the name of a file beside it.
  const piscinaWorker = join(packagesFolder, '..', 'node_modules', 'piscina', 'dist', 'worker.js');
  const usesPiscina = packages.some((folder) => 'piscina' in allDependenciesOf(manifestOf(folder)));
  return Object.fromEntries([...own, ...(usesPiscina ? [['worker', piscinaWorker]] : [])]);
}

/**
 * The licences of the packages whose code is in the bundle ask for their text to go with it.
 *
 * @param {import('esbuild').Metafile['inputs']} inputs
 */
function writeNotices(inputs) {
  const folders = Object.keys(inputs).flatMap((path) => {
    const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path.replaceAll('\\', '/')) ?? [];
    return folder === undefined ? [] : [join(appFolder, folder)];
  });
  const notices = [...new Set(folders)].sort().map(noticeOf);
  writeFileSync(join(outputFolder, 'THIRD-PARTY-NOTICES.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`));
}

/** @param {string} folder of an installed package */
function noticeOf(folder) {
  const { name, version, license } = manifestOf(folder);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${[`${name} ${version} (${license})`, ...texts].join('\n\n')}\n`;
}

/** For editors: what a configuration file may hold. */
async function writeConfigSchema() {
  const domain = pathToFileURL(join(packagesFolder, 'domain', 'dist', 'index.js')).href;
  const { configJsonSchema } = await import(domain);
  const text = JSON.stringify(configJsonSchema(), null, 2);
  writeFileSync(join(outputFolder, 'config.schema.json'), `${text}\n`);
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
  // Node keeps what it compiled by the name of the file, which changes with what is in it.
  rmSync(join(appFolder, '.compile-cache'), { recursive: true, force: true });
}

/**
 * The workspace packages that an app or package needs, its own needs' needs included.
 *
 * @param {string} folder
 * @returns {string[]} their folders
 */
function packagesBelow(folder) {
  const direct = Object.keys(allDependenciesOf(manifestOf(folder)))
    .filter((name) => name.startsWith('@causantic/'))
    .map((name) => resolve(packagesFolder, name.slice('@causantic/'.length)));
  return [...new Set(direct.flatMap((below) => [below, ...packagesBelow(below)]))];
}

/** @param {string} folder */
function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/**
 * @param {Record<string, Record<string, string> | undefined>} manifest
 * @returns {Record<string, string>} name → range
 */
function allDependenciesOf({ dependencies, devDependencies, optionalDependencies }) {
  return { ...devDependencies, ...dependencies, ...optionalDependencies };
}

console.log(`bundled ${written.length} files into ${relative(process.cwd(), outputFolder)}`);
