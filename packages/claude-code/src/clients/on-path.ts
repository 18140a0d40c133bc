import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const ENDINGS = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];

/** Whether a shell with this environment would find the command. */
export function isOnPath(command: string, env: NodeJS.ProcessEnv): boolean {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => ENDINGS.some((ending) => existsSync(join(folder, command + ending))));
}
