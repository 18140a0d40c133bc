import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './dependencies.mjs';
import { SetupError, lastLines, reportLine, runNode, secondsSince } from './report.mjs';

/**
 * Runs one target of every package through Nx, which skips what did not change.
 *
 * @param {string} root
 * @param {string[]} args as of the nx command line
 */
export function runNx(root, args) {
  return runNode([join(root, 'node_modules', 'nx', 'dist', 'bin', 'nx.js'), ...args], {
    cwd: root,
    // No background process survives the command, and no telemetry or prompt interrupts it.
    env: { NX_DAEMON: 'false', NX_TUI: 'false', NX_INTERACTIVE: 'false', FORCE_COLOR: '0' },
  });
}

/** @param {string} root */
export async function buildWorkspace(root) {
  const startedAt = performance.now();
  const result = await runNx(root, ['run-many', '-t', 'build', '--outputStyle=static']);
  if (!result.ok)
    throw new SetupError(`The build failed (npx nx run-many -t build).\n${lastLines(result.output, 80)}`);
  const isUnchanged = /existing outputs match the cache, left as is|read the output from the cache/i.test(
    result.output,
  );
  reportLine('packages', `${isUnchanged ? 'built or up to date' : 'built'} (${secondsSince(startedAt)})`);
}

/**
 * Puts the apps' commands into node_modules/.bin where an install that was older than they left them out.
 *
 * @param {string} root
 */
export async function linkCommands(root) {
  const missing = commandsOfApps(root).filter(({ command }) => !isLinked(root, command));
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map((entry) => entry.package))];
  const result = await runNpm(['rebuild', '--ignore-scripts', ...packages], { cwd: root });
  const left = missing.filter(({ command }) => !isLinked(root, command));
  if (left.length > 0) {
    throw new SetupError(
      `npm did not link ${left.map((entry) => entry.command).join(', ')}.\n${lastLines(result.output)}`,
    );
  }
  reportLine('commands', `linked: ${missing.map((entry) => entry.command).join(', ')}`);
}

/** @param {string} root */
function commandsOfApps(root) {
  return readdirSync(join(root, 'apps')).flatMap((app) => {
    const path = join(root, 'apps', app, 'package.json');
    if (!existsSync(path)) return [];
    const { name, bin } = JSON.parse(readFileSync(path, 'utf8'));
    return Object.entries(bin ?? {})
      .filter(([, file]) => existsSync(join(root, 'apps', app, String(file))))
      .map(([command]) => ({ package: name, command }));
  });
}

/**
 * @param {string} root
 * @param {string} command
 */
function isLinked(root, command) {
  return ['', '.cmd'].some((ending) => existsSync(join(root, 'node_modules', '.bin', `${command}${ending}`)));
}
