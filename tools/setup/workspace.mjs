import { join } from 'node:path';
import { SetupError, lastLines, reportLine, runNode, secondsSince } from './report.mjs';

/**
 * Runs one target of every package through Nx, which skips what did not change.
 *
 * @param {string} root
 * @param {string[]} args as of the nx command line
 */
export async function runNx(root, args) {
  const result = await runNode([join(root, 'node_modules', 'nx', 'dist', 'bin', 'nx.js'), ...args], {
    cwd: root,
    // No background process survives the command, and no telemetry or prompt interrupts it.
    env: { NX_DAEMON: 'false', NX_TUI: 'false', NX_INTERACTIVE: 'false', FORCE_COLOR: '0' },
  });
  return { ...result, output: withoutNpmLines(result.output) };
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
