import { join, parse } from 'node:path';
import {
  clineFolder,
  copilotFolder,
  homeFolder,
  opencodeFolder,
  qwenFolder,
  realPath,
  type TranscriptClient,
  folderWithGit,
} from '@causantic/domain';
import { readJsonObject } from '../install/json-text.js';
import {
  type ClientPlace,
  homeOption,
  type OtherClient,
  READ_BY_SERVER,
  type Registration,
  serving,
} from './client.js';
import { entriesIn, foldersBetween, isListed, keptOut, leftTraces, merged, tableIn } from './entries.js';

/** A client that keeps its servers in JSON. */
interface JsonClient {
  name: TranscriptClient;
  title: string;
  /** What it alone writes: where one of these is, it is used. */
  traces(env: NodeJS.ProcessEnv): string[];
  /** What may name the server: the user's files, then those of the folder at hand. The last that does counts. */
  userFiles(env: NodeJS.ProcessEnv): string[];
  projectFiles(folder: string, env: NodeJS.ProcessEnv): string[];
  key: 'mcp' | 'mcpServers';
  /** Whether each file changes what the one before says; otherwise it takes its place. */
  merges?: true;
  /** What switches an entry off, where something in it does. */
  off?: string;
  /** Where servers are switched off by their names. */
  offList?(files: readonly string[], env: NodeJS.ProcessEnv): Registration['switchedOff'];
  /** Whether the server gets the variables of the shell: Cline's gets those of a process that stays behind. */
  seesEnvironment: boolean;
  attach(place: ClientPlace): string;
  /** Its command that takes an entry out of the user's file, where it has one. */
  detach?: string;
}

const opencode: JsonClient = {
  name: 'opencode',
  title: 'opencode',
  traces: (env) => [opencodeFolder(env)],
  userFiles: (env) => {
    const folder = join(env['XDG_CONFIG_HOME'] || join(homeFolder(), '.config'), 'opencode');
    const named = env['OPENCODE_CONFIG'];
    return [join(folder, 'config.json'), ...opencodeFiles(folder), ...(named ? [named] : [])];
  },
  // Outside of a repository it goes up to the root of the disk.
  projectFiles: (folder, env) => {
    const folders = foldersBetween(folderWithGit(folder) ?? parse(folder).root, folder);
    const own = [...folders, homeFolder()].map((each) => join(each, '.opencode'));
    const named = env['OPENCODE_CONFIG_DIR'];
    return [...folders, ...own, ...(named ? [named] : [])].flatMap(opencodeFiles);
  },
  key: 'mcp',
  merges: true,
  off: '"enabled": false',
  seesEnvironment: true,
  attach: (place) => `opencode mcp add causantic ${homeOption(place)}-- ${serving(place)}`,
};

const copilot: JsonClient = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  traces: (env) => ['config.json', 'mcp-config.json'].map((name) => join(copilotFolder(env), name)),
  userFiles: (env) => [join(copilotFolder(env), 'mcp-config.json')],
  // It asks once whether a folder is to be trusted, and passes over these files until then.
  projectFiles: (folder) =>
    foldersBetween(folderWithGit(folder) ?? folder, folder).flatMap((each) => [
      join(each, '.github', 'mcp.json'),
      join(each, '.mcp.json'),
    ]),
  key: 'mcpServers',
  offList: (_, env) => {
    const file = join(copilotFolder(env), 'settings.json');
    const isOff = isListed(readJsonObject(file)['disabledMcpServers']);
    return isOff ? { file, fix: 'run copilot mcp enable causantic' } : undefined;
  },
  seesEnvironment: true,
  attach: (place) => `copilot mcp add causantic ${homeOption(place)}-- ${serving(place)}`,
  detach: 'copilot mcp remove causantic',
};

const qwen: JsonClient = {
  name: 'qwen',
  title: 'Qwen Code',
  traces: (env) => ['settings.json', 'projects', 'tmp'].map((name) => join(qwenFolder(env), name)),
  userFiles: (env) => [join(qwenFolder(env), 'settings.json')],
  projectFiles: (folder) => [join(folder, '.mcp.json'), join(folder, '.qwen', 'settings.json')],
  key: 'mcpServers',
  offList: keptOut,
  seesEnvironment: true,
  attach: (place) => `qwen mcp add --scope user ${homeOption(place)}causantic ${serving(place)}`,
  detach: 'qwen mcp remove --scope user causantic',
};

const cline: JsonClient = {
  name: 'cline',
  title: 'Cline CLI',
  traces: (env) => [clineFolder(env)],
  userFiles: (env) => [
    env['CLINE_MCP_SETTINGS_PATH'] || join(clineFolder(env), 'settings', 'cline_mcp_settings.json'),
  ],
  projectFiles: () => [],
  key: 'mcpServers',
  off: '"disabled": true',
  seesEnvironment: false,
  attach: (place) => {
    const home = homeOption(place).replace('--env', 'env');
    return `cline mcp add causantic --yes -- ${home}${serving(place)}`;
  },
  detach: 'cline mcp remove causantic',
};

export const jsonClients: OtherClient[] = [opencode, copilot, qwen, cline].map((client) => ({
  name: client.name,
  title: client.title,
  isThere: (env) => leftTraces(client.name, client.traces(env), env),
  registration: async (place) => registration(client, place),
  attach: client.attach,
  note: READ_BY_SERVER,
}));

function registration(client: JsonClient, { projectDir, env }: ClientPlace): Registration | undefined {
  const own = client.userFiles(env);
  const files = [...own, ...client.projectFiles(realPath(projectDir), env)];
  const entries = files
    .flatMap((file) => entriesIn(file, tableIn(readJsonObject(file), client.key)))
    // Cline's commands put some of it into a table of its own, people do not.
    .map(({ file, values }) => ({ file, values: { ...values, ...tableIn(values, 'transport') } }));
  const found = merged(client.merges ? entries : entries.slice(-1));
  if (found === undefined) return undefined;
  const { server, isOff } = found;
  const { file } = server;
  const off =
    isOff && client.off ? { file, fix: `remove ${client.off} from it` } : client.offList?.(files, env);
  return {
    ...server,
    seesEnvironment: client.seesEnvironment,
    ...(off && { switchedOff: off }),
    ...(client.detach !== undefined && own.includes(file) && { detach: client.detach }),
  };
}

function opencodeFiles(folder: string): string[] {
  return ['opencode.json', 'opencode.jsonc'].map((name) => join(folder, name));
}
