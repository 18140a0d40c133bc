import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const workspaceRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a program of node_modules in the workspace; `output` is what it printed on both streams. */
export function runTool(program: string, args: string[]): { status: number | null; output: string } {
  const result = spawnSync(process.execPath, [`node_modules/${program}`, ...args], {
    cwd: workspaceRoot,
    encoding: 'utf8',
    env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', FORCE_COLOR: '0' },
  });
  return { status: result.status, output: `${result.stdout}${result.stderr}` };
}
