import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assetPath, geminiFolder } from '@causantic/domain';
import { installedServer } from '../install/mcp-settings.js';
import { objectIn, readJsonText } from '../install/json-text.js';
import { quoted } from '../install/program.js';
import type { ClientPlace, OtherClient, Registration } from './client.js';
import { isOnPath } from './on-path.js';

export const gemini: OtherClient = {
  name: 'gemini',
  title: 'Gemini CLI',
  // Other programs keep their files in that folder, too.
  isThere: (env) =>
    ['settings.json', 'tmp'].some((name) => existsSync(join(geminiFolder(env), name))) ||
    isOnPath('gemini', env),
  registration: async (place) => extension(place) ?? inSettings(place),
  attach: () =>
    `gemini extensions link ${quoted(assetPath(import.meta.url, 'claude-code', 'gemini-extension'))}`,
  note: 'causantic has to be on the path wherever Gemini CLI is started',
};

/** A linked one stays listed when the folder that it names is gone. */
function extension({ env }: ClientPlace): Registration | undefined {
  const folder = join(geminiFolder(env), 'extensions', 'causantic');
  if (!existsSync(folder)) return undefined;
  const { type, source } = objectIn(readJsonText(join(folder, '.gemini-extension-install.json')) ?? '');
  const linked = type === 'link' && typeof source === 'string' ? source : undefined;
  return {
    file: folder,
    command: 'causantic',
    script: linked,
    seesEnvironment: true,
    detach: 'gemini extensions uninstall causantic',
  };
}

function inSettings({ projectDir, env }: ClientPlace): Registration | undefined {
  const scopes = { project: join(projectDir, '.gemini'), user: geminiFolder(env) };
  const found = Object.entries(scopes).flatMap(([scope, folder]) => {
    const file = join(folder, 'settings.json');
    const server = installedServer(readJsonText(file) ?? '');
    if (!server) return [];
    const { command, args, home } = server;
    const detach = `gemini mcp remove --scope ${scope} causantic`;
    return { file, command, script: args[0], home, seesEnvironment: true, detach };
  });
  return found[0];
}
