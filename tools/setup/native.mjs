import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { runNpm } from './dependencies.mjs';
import { SetupError, lastLines, reportLine, runNode, secondsSince } from './report.mjs';
import { ensureCompiler } from './system-packages.mjs';

/**
 * Version 13 ends a process of Node 20, and version 12 one of Node 24; `packages/storage/src/database/sqlite.ts` loads by
 * the same rule.
 */
const sqlite = Number(process.versions.node.split('.')[0]) < 22 ? 'better-sqlite3-node20' : 'better-sqlite3';

/**
 * A broken native module can end the process that loads it, so each is tried in one of its own.
 *
 * @type {Record<string, string>}
 */
const probes = {
  [sqlite]: `
    const Database = require('${sqlite}');
    const database = new Database(':memory:');
    database.exec("CREATE VIRTUAL TABLE probe USING fts5(text, tokenize = 'porter')");
    database.close();`,
  'tree-sitter': `
    const Parser = require('tree-sitter');
    const parser = new Parser();
    parser.setLanguage(require('tree-sitter-python'));
    if (parser.parse('x = 1').rootNode.type !== 'module') process.exit(1);`,
  'faiss-node': `
    const { IndexFlatIP } = require('faiss-node');
    const index = new IndexFlatIP(2);
    index.add([1, 0, 0, 1]);
    if (index.search([0, 1], 1).labels[0] !== 1) process.exit(1);`,
};

/** An unreachable host can keep a download waiting for minutes. */
const downloadTimeoutMs = 60_000;

/**
 * @param {string} name
 * @param {string} root
 */
export async function loads(name, root) {
  const result = await runNode(['--input-type=commonjs', '--eval', probes[name] ?? ''], { cwd: root });
  return result.ok;
}

/**
 * Gets better-sqlite3 and the core of tree-sitter to work where they do not load as they are: by the
 * binary that the former offers for download, or by compiling.
 *
 * @param {string} root
 * @param {boolean} mayInstall whether missing build tools may be installed
 */
export async function buildNativeModules(root, mayInstall) {
  const names = [sqlite, 'tree-sitter'];
  const working = await Promise.all(names.map((name) => loads(name, root)));
  names.filter((_, index) => working[index]).forEach((name) => reportLine(name, 'loads'));
  const missing = names.filter((_, index) => !working[index]);
  if (missing[0] === sqlite && (await fetchPrebuild(sqlite, root))) missing.shift();
  if (missing.length > 0) await rebuild(missing, root, mayInstall);
}

/**
 * Downloads the binary that a package offers for this platform. Tried once for each version of Node; the
 * next runs remember a failure.
 *
 * @param {string} name
 * @param {string} root
 * @param {string[]} [options] of prebuild-install
 */
export async function fetchPrebuild(name, root, options = []) {
  const folder = join(root, 'node_modules', name);
  const notePath = join(folder, '.prebuild-attempt');
  const attempt = `${process.platform} ${process.arch} ${process.versions.modules}`;
  if (existsSync(notePath) && readFileSync(notePath, 'utf8') === attempt) return false;
  const startedAt = performance.now();
  const program = join(root, 'node_modules', 'prebuild-install', 'bin.js');
  const fetched = await runNode([program, ...options], { cwd: folder, timeoutMs: downloadTimeoutMs });
  if (fetched.ok && (await loads(name, root))) {
    reportLine(name, `prebuilt binary fetched (${secondsSince(startedAt)})`);
    return true;
  }
  rmSync(join(folder, 'build'), { recursive: true, force: true });
  writeFileSync(notePath, attempt);
  return false;
}

/**
 * @param {string[]} names
 * @param {string} root
 * @param {boolean} mayInstall
 */
async function rebuild(names, root, mayInstall) {
  await ensureCompiler(mayInstall);
  for (const name of names) reportLine(name, 'building (one or two minutes) …');
  const startedAt = performance.now();
  // The project's .npmrc switches install scripts off; these two are wanted, and since npm 12 they are
  // run only because allowScripts of package.json names them.
  const result = await runNpm(['rebuild', '--ignore-scripts=false', ...names], {
    cwd: root,
    env: nodeGypEnvironment(),
  });
  for (const name of names) {
    if (!(await loads(name, root))) {
      throw new SetupError(
        `${name} could not be built for Node ${process.version}.${withoutHeaders(result.output)}\n${lastLines(result.output)}`,
      );
    }
    reportLine(name, `built (${secondsSince(startedAt)})`);
  }
}

/**
 * The one cause that is not told by the compiler and buried in what node-gyp says.
 *
 * @param {string} output
 */
function withoutHeaders(output) {
  if (!/nodejs\.org\/\S+headers/.test(output) || !/network/.test(output)) return '';
  return " Node's headers could not be fetched from nodejs.org; npm_config_nodedir=FOLDER names one with include/node in it.";
}

/** Node's headers, in the folder that node-gyp is told of or where they are installed with Node; it would else download them. */
export function nodeIncludeFolder() {
  const folder = join(nodeFolder(), 'include', 'node');
  return existsSync(join(folder, 'node_api.h')) ? folder : undefined;
}

function nodeFolder() {
  return process.env['npm_config_nodedir'] ?? dirname(dirname(process.execPath));
}

function nodeGypEnvironment() {
  /** @type {Record<string, string>} */
  const environment = { JOBS: String(availableParallelism()) };
  if (nodeIncludeFolder() !== undefined) environment['npm_config_nodedir'] = nodeFolder();
  return environment;
}
