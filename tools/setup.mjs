#!/usr/bin/env node
/**
 * Sets the workspace up: packages, native modules, build. Does only what is still to do, so that it can
 * stand before every other command.
 */
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installDependencies } from './setup/dependencies.mjs';
import { setUpFaiss } from './setup/faiss.mjs';
import { buildNativeModules } from './setup/native.mjs';
import { oneAtATime } from './setup/one-at-a-time.mjs';
import { SetupError, secondsSince } from './setup/report.mjs';
import { mayInstallSystemPackages } from './setup/system-packages.mjs';
import { buildWorkspace } from './setup/workspace.mjs';

export const workspaceRoot = dirname(dirname(fileURLToPath(import.meta.url)));

const usage = `Usage: npm run setup [-- options]
  --with-system-packages  install what compiling takes, and Debian's faiss library (as root)`;

/**
 * Packages and native modules: what the tools themselves need.
 *
 * @param {{ withSystemPackages?: boolean }} [options]
 * @throws {SetupError} with advice, when something a person must provide is missing
 */
export function installWorkspace(options) {
  return oneAtATime(workspaceRoot, () => install(options));
}

/** @param {{ withSystemPackages?: boolean }} [options] */
async function install({ withSystemPackages = false } = {}) {
  refuseOldNode();
  await installDependencies(workspaceRoot);
  const mayInstall = mayInstallSystemPackages(withSystemPackages);
  await buildNativeModules(workspaceRoot, mayInstall);
  await setUpFaiss(workspaceRoot, mayInstall);
}

/**
 * Everything: a tree that is set up already takes a second or two.
 *
 * @param {{ withSystemPackages?: boolean }} [options]
 * @throws {SetupError}
 */
export async function setUp(options) {
  const startedAt = performance.now();
  console.log('Set-up');
  await oneAtATime(workspaceRoot, async () => {
    await install(options);
    await buildWorkspace(workspaceRoot);
  });
  console.log(`  done in ${secondsSince(startedAt)}\n`);
}

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new SetupError(`Node ${process.versions.node} is too old: 20.19 or later is needed.`);
}

/**
 * Runs a tool's main function; a {@link SetupError}, or an option that there is not, ends it with its message alone.
 *
 * @param {() => Promise<void>} main
 * @param {string} [usage] what `--help` tells
 */
export async function runTool(main, usage) {
  if (usage !== undefined && process.argv.includes('--help')) return console.log(usage);
  try {
    await main();
  } catch (error) {
    const isUsage =
      error instanceof TypeError && 'code' in error && String(error.code).includes('PARSE_ARGS');
    if (!isUsage && !(error instanceof SetupError)) throw error;
    console.log(`\n${error.message}\n${isUsage ? `\n${usage}\n` : ''}`);
    process.exitCode = 1;
  }
}

const [, started] = process.argv;
// Node names a module by its real path, whatever link it was started by.
if (started !== undefined && realpathSync(started) === fileURLToPath(import.meta.url)) {
  await runTool(() => {
    const { values } = parseArgs({ options: { 'with-system-packages': { type: 'boolean' } } });
    return setUp({ withSystemPackages: values['with-system-packages'] === true });
  }, usage);
}
