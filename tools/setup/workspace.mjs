import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { SetupError, lastLines, reportLine, runNode, secondsSince } from './report.mjs';

/**
 * Runs one target of every package through Nx, which skips what did not change.
 *
 * @param {string} root
 * @param {string[]} args as of the nx command line
 */
export async function runNx(root, args) {
  const result = await runNode([programOfNx(root), ...args], {
    cwd: root,
    env: { ...ALONE, FORCE_COLOR: '0' },
  });
  return { ...result, output: withoutNpmLines(result.output) };
}

/**
 * Runs a target of this workspace itself through Nx, and shows what it prints as it comes.
 *
 * @param {string} root
 * @param {string[]} args as of the nx command line
 * @returns {Promise<void>} when it has ended, however it did
 */
export function showNx(root, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [programOfNx(root), ...args], {
      cwd: root,
      env: { ...process.env, ...ALONE },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    // Nx is interrupted, too, and takes seconds to end what it runs; who interrupts again does not wait for it.
    const wait = () => undefined;
    process.once('SIGINT', wait);
    child.on('error', reject);
    child.on('close', () => {
      process.off('SIGINT', wait);
      resolve();
    });
  });
}

/** No background process survives the command, and no telemetry or prompt interrupts it. */
const ALONE = { NX_DAEMON: 'false', NX_TUI: 'false', NX_INTERACTIVE: 'false' };

/** @param {string} root */
function programOfNx(root) {
  return join(root, 'node_modules', 'nx', 'dist', 'bin', 'nx.js');
}

/**
 * What npm adds around the output of each package's script says nothing that the script did not say.
 *
 * @param {string} output
 */
function withoutNpmLines(output) {
  const lines = output.split('\n').filter((line) => !/^npm (warn|error)/.test(line));
  return lines.join('\n').replace(/\n{3,}/g, '\n\n');
}

/** @param {string} root */
export async function buildWorkspace(root) {
  const startedAt = performance.now();
  const result = await runNx(root, ['run-many', '-t', 'build']);
  if (!result.ok)
    throw new SetupError(`The build failed (npx nx run-many -t build).\n${lastLines(result.output, 80)}`);
  reportLine('packages', `built (${secondsSince(startedAt)})`);
}
