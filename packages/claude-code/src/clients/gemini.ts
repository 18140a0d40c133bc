import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assetPath, geminiFolder, realPath } from '@causantic/domain';
import { readJsonObject } from '../install/json-text.js';
import { quoted } from '../install/program.js';
import { textsIn } from '../locked-json-file.js';
import type { ClientPlace, OtherClient, Registration } from './client.js';
import { keptOut, leftTraces, serverIn, tableIn } from './entries.js';

export const gemini: OtherClient = {
  name: 'gemini',
  title: 'Gemini CLI',
  // Other programs keep their files in that folder, too.
  isThere: (env) =>
    leftTraces(
      'gemini',
      ['settings.json', 'tmp'].map((name) => join(geminiFolder(env), name)),
      env,
    ),
  registration: async (place) => {
    // With both, Gemini starts what the settings name.
    const found = inSettings(place) ?? extension(place);
    const off = found && (keptOut(Object.values(settingsFiles(place))) ?? disabled(place));
    return off ? { ...found, switchedOff: off } : found;
  },
  attach: () =>
    `gemini extensions link ${quoted(assetPath(import.meta.url, 'claude-code', 'gemini-extension'))}`,
  note: 'causantic must be on the PATH wherever Gemini CLI is started',
};

/** A linked one stays listed when the folder that it names is gone. */
function extension({ env, projectDir }: ClientPlace): Registration | undefined {
  const folder = join(geminiFolder(env), 'extensions', 'causantic');
  if (!existsSync(folder)) return undefined;
  const { type, source } = readJsonObject(join(folder, '.gemini-extension-install.json'));
  const linked = type === 'link' && typeof source === 'string' ? source : undefined;
  const rules = join(geminiFolder(env), 'extensions', 'extension-enablement.json');
  return {
    file: folder,
    command: 'causantic',
    script: linked,
    seesEnvironment: true,
    ...(isDisabledBy(rules, realPath(projectDir)) && {
      switchedOff: { file: rules, fix: 'run gemini extensions enable causantic' },
    }),
    detach: 'gemini extensions uninstall causantic',
  };
}

/** By `gemini mcp disable`, wherever the server comes from. */
function disabled({ env }: ClientPlace): Registration['switchedOff'] {
  const file = join(geminiFolder(env), 'mcp-server-enablement.json');
  const isOff = tableIn(readJsonObject(file), 'causantic')['enabled'] === false;
  return isOff ? { file, fix: 'run gemini mcp enable causantic' } : undefined;
}

/**
 * Of the rules about a folder or those above it, the last one holds; `!` in front of one disables. All begin with a slash,
 * `/C:/…`, too.
 */
function isDisabledBy(file: string, folder: string): boolean {
  const rules = textsIn(tableIn(readJsonObject(file), 'causantic')['overrides']);
  const path = `/${folder.replaceAll('\\', '/').replace(/^\//, '')}/`;
  const rule = rules.findLast((each) => path.startsWith(each.replace(/^!/, '').replace(/\*$/, '')));
  return rule?.startsWith('!') === true;
}

function settingsFiles({ projectDir, env }: ClientPlace): Record<'project' | 'user', string> {
  return {
    project: join(projectDir, '.gemini', 'settings.json'),
    user: join(geminiFolder(env), 'settings.json'),
  };
}

function inSettings(place: ClientPlace): Registration | undefined {
  for (const [scope, file] of Object.entries(settingsFiles(place))) {
    const server = serverIn(file);
    const detach = `gemini mcp remove --scope ${scope} causantic`;
    if (server) return { ...server, seesEnvironment: true, detach };
  }
  return undefined;
}
