import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError, lastLines, reportLine, runCommand, runNode, secondsSince } from './report.mjs';

/** Whatever the user's settings leave out (`NODE_ENV=production` in a container, say): building takes all of it. */
const INSTALL = ['ci', '--ignore-scripts', '--include=dev', '--include=optional'];

/**
 * Installs the packages of package-lock.json unless they are there already. No lifecycle script runs:
 * several of them download from hosts that may be unreachable and then fail the whole install.
 *
 * @param {string} root the workspace
 */
export async function installDependencies(root) {
  // npm ci empties node_modules first, so the stamp of an earlier install never outlives an interrupted one.
  const stampPath = join(root, 'node_modules', '.causantic-setup.json');
  const stamp = stampOfLock(root);
  const isStamped = existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp;
  if (isStamped || isInstalledAsLocked(root)) {
    reportLine('dependencies', 'up to date');
    return;
  }
  reportLine('dependencies', 'installing from package-lock.json (about a minute) …');
  const startedAt = performance.now();
  const result = await runNpm(INSTALL, { cwd: root });
  if (!result.ok) {
    throw new SetupError(
      `npm ${INSTALL.join(' ')} failed. Is the npm registry reachable (npm ping)?\n${lastLines(result.output)}`,
    );
  }
  writeFileSync(stampPath, stamp);
  reportLine('dependencies', `installed (${secondsSince(startedAt)})`);
}

/** @param {string} root */
function stampOfLock(root) {
  const lockHash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  return JSON.stringify({ lockHash, platform: process.platform, arch: process.arch, install: INSTALL });
}

/**
 * Whether an install that somebody else made (a plain `npm install`) holds what the lock file says for
 * this platform. npm writes its hidden lock file when an install is complete.
 *
 * @param {string} root
 */
function isInstalledAsLocked(root) {
  const hiddenLockPath = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(hiddenLockPath)) return false;
  const installed = readLockedPackages(hiddenLockPath);
  return [...readLockedPackages(join(root, 'package-lock.json'))].every(([path, entry]) => {
    if (!path.startsWith('node_modules/')) return true;
    const found = installed.get(path);
    if (found === undefined) return entry.optional === true && !isForThisPlatform(entry);
    return found.version === entry.version && existsSync(join(root, path));
  });
}

/**
 * @typedef {{ version?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockedPackage
 *
 * @param {string} path
 * @returns {Map<string, LockedPackage>} by their places, such as `node_modules/zod`
 */
function readLockedPackages(path) {
  return new Map(Object.entries(JSON.parse(readFileSync(path, 'utf8')).packages));
}

/**
 * Whether npm certainly installs this optional package here: not said of one for every platform, which
 * may have failed, or of one for a particular C library.
 *
 * @param {LockedPackage} entry
 */
function isForThisPlatform(entry) {
  return (
    entry.os?.includes(process.platform) === true &&
    entry.cpu?.includes(process.arch) === true &&
    entry.libc === undefined
  );
}

/**
 * Runs npm as this process was started by it, else the one beside Node, else the one on the path.
 *
 * @param {string[]} args
 * @param {import('./report.mjs').CommandOptions} [options]
 */
export function runNpm(args, options) {
  // Windows has no npm that can be started without a shell, hence the program itself.
  const besideNode = join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const program = process.env['npm_execpath'] ?? besideNode;
  if (!program.endsWith('npm-cli.js') || !existsSync(program)) return runCommand('npm', args, options);
  return runNode([program, ...args], options);
}
