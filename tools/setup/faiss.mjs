import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchPrebuild, loads, nodeIncludeFolder } from './native.mjs';
import { SetupError, lastLines, reportLine, runCommand, secondsSince } from './report.mjs';
import { cxxCommand, installSystemPackages, isDebian, systemPackagesCommand } from './system-packages.mjs';

/** In Debian. */
const libraries = ['libfaiss-dev', 'libopenblas-dev'];

/** Debian's faiss 1.7.3 has `Index::idx_t` where faiss-node 0.5 expects `faiss::idx_t`. */
const shim = '#include <faiss/Index.h>\nnamespace faiss { using idx_t = Index::idx_t; }\n';

/**
 * Gets faiss-node to work if that is possible: by its own prebuild, or from Debian's library. It is
 * optional: without it, vectors are compared one by one.
 *
 * @param {string} root
 * @param {boolean} mayInstall whether missing system packages may be installed
 */
export async function setUpFaiss(root, mayInstall) {
  const folder = join(root, 'node_modules', 'faiss-node');
  if (!existsSync(folder))
    return reportLine('faiss-node', 'not installed; the built-in vector scan is used instead');
  if (await loads('faiss-node', root)) return reportLine('faiss-node', 'loads');

  if (await fetchPrebuild('faiss-node', root, ['--runtime', 'napi'])) return;
  if (process.platform !== 'linux') return reportFallback('no prebuilt binary for this machine');
  const missing = await missingPackages();
  if (missing.length > 0) {
    if (!isDebian()) return reportFallback('no prebuilt binary for this machine');
    if (!mayInstall) return reportFallback(`not installed: ${missing.join(', ')}`, debianAdvice(missing));
    try {
      await installSystemPackages(missing);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      return reportFallback(error.message);
    }
  }
  await compile(root, folder);
}

/** Of Debian's packages, those that compiling takes and that are not there. */
async function missingPackages() {
  const [compiler = 'c++', ...args] = cxxCommand();
  const { ok } = await runCommand(compiler, [...args, '--version']);
  return [...((await findLibrary()) === undefined ? libraries : []), ...(ok ? [] : ['g++'])];
}

/** @returns {Promise<string | undefined>} the path of the static library */
async function findLibrary() {
  const [compiler = 'c++', ...args] = cxxCommand();
  const result = await runCommand(compiler, [...args, '-print-file-name=libfaiss.a']);
  const path = result.output.trim();
  if (result.ok && existsSync(path)) return path;
  const multiarch = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/libfaiss.a`;
  return existsSync(multiarch) ? multiarch : undefined;
}

/**
 * @param {string} root
 * @param {string} folder of faiss-node
 */
async function compile(root, folder) {
  const library = await findLibrary();
  const headers = nodeIncludeFolder();
  if (library === undefined || headers === undefined) {
    return reportFallback(`not found: ${library === undefined ? 'libfaiss.a' : "Node's header files"}`);
  }
  const startedAt = performance.now();
  reportLine('faiss-node', "compiling against Debian's library …");
  const buildFolder = join(folder, 'build', 'Release');
  mkdirSync(buildFolder, { recursive: true });
  writeFileSync(join(folder, 'build', 'shim.h'), shim);
  const [compiler = 'c++', ...compilerArgs] = cxxCommand();
  const definitions = ['NAPI_VERSION=6', 'NODE_GYP_MODULE_NAME=faiss_node', 'BUILDING_NODE_EXTENSION'];
  const result = await runCommand(compiler, [
    ...compilerArgs,
    ...['-O2', '-std=c++17', '-fPIC', '-shared', '-fopenmp'],
    ...definitions.map((definition) => `-D${definition}`),
    ...['-include', join(folder, 'build', 'shim.h')],
    ...[`-I${headers}`, `-I${join(root, 'node_modules', 'node-addon-api')}`],
    ...[join(folder, 'src', 'faiss.cc'), '-o', join(buildFolder, 'faiss-node.node')],
    ...[library, '-lopenblas', '-Wl,--exclude-libs,ALL'],
  ]);
  if (!result.ok || !(await loads('faiss-node', root))) {
    return reportFallback(`did not compile\n${lastLines(result.output, 15)}`);
  }
  reportLine('faiss-node', `compiled (${secondsSince(startedAt)})`);
}

/**
 * @param {string} reason
 * @param {string[]} advice
 */
function reportFallback(reason, advice = []) {
  reportLine('faiss-node', `${reason}; the built-in vector scan is used instead`);
  for (const line of advice) console.log(`${' '.repeat(25)}${line}`);
}

/** @param {string[]} packages */
function debianAdvice(packages) {
  return [
    'For faster vector search on Debian or Ubuntu (optional):',
    `  ${systemPackagesCommand(packages)} && npm run setup`,
    '  or, as root: npm run setup -- --with-system-packages',
  ];
}
