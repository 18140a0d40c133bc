// Where the clients and Causantic keep their files.
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { ConfigError } from '../errors.js';

/** Clients whose transcripts are read. */
const CLIENT_TITLES = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  copilot: 'Copilot CLI',
  qwen: 'Qwen Code',
  opencode: 'opencode',
  cline: 'Cline',
};
export type TranscriptClient = keyof typeof CLIENT_TITLES;

/** All of them, joined for use in a sentence. */
export function clientTitles(conjunction: 'and' | 'or'): string {
  const titles = Object.values(CLIENT_TITLES);
  return `${titles.slice(0, -1).join(', ')} ${conjunction} ${titles.at(-1)}`;
}

/**
 * The user's home folder. If `HOME` is empty or relative, the account's own is used, because a relative one would
 * depend on the current folder.
 * @throws ConfigError if there is none
 */
export function homeFolder(): string {
  try {
    const folder = homedir();
    return resolve(isAbsolute(folder) ? folder : userInfo().homedir);
  } catch (cause) {
    throw new ConfigError('There is no home folder: HOME is not set, and the account has none. Set HOME.', {
      cause,
    });
  }
}

/** Where Causantic keeps its data, from the environment. */
export function causanticHome(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(withoutTilde(env['CAUSANTIC_HOME'] || join(homeFolder(), '.causantic')));
}

/** Replaces a leading `~` in a path with the home folder, because no shell expands paths in settings. */
export function withoutTilde(path: string): string {
  return path.replace(/^~(?=$|[\\/])/, () => homeFolder());
}

/** Where Claude Code keeps its transcripts and settings. */
export function claudeConfigDir(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(env['CLAUDE_CONFIG_DIR'] || join(homeFolder(), '.claude'));
}

/** Where Codex keeps its transcripts and settings. */
export function codexFolder(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(env['CODEX_HOME'] || join(homeFolder(), '.codex'));
}

/** Where Gemini CLI keeps its transcripts and settings. */
export function geminiFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(resolve(env['GEMINI_CLI_HOME'] || homeFolder()), '.gemini');
}

/** Where Copilot CLI keeps its sessions and settings. */
export function copilotFolder(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(env['COPILOT_HOME'] || join(homeFolder(), '.copilot'));
}

/** Where Qwen Code keeps its sessions and settings. */
export function qwenFolder(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(env['QWEN_HOME'] || join(homeFolder(), '.qwen'));
}

/** Where opencode keeps its sessions. */
export function opencodeFolder(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(env['XDG_DATA_HOME'] || join(homeFolder(), '.local', 'share'), 'opencode');
}

/** Where Cline's command line keeps its sessions and settings. */
export function clineFolder(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(env['CLINE_DATA_DIR'] || join(env['CLINE_DIR'] || join(homeFolder(), '.cline'), 'data'));
}

/** Where each client keeps its transcripts by default: folders, or files that hold many, whether they exist or not. */
export function clientFolders(env: NodeJS.ProcessEnv = process.env): Record<TranscriptClient, string[]> {
  return {
    'claude-code': [join(claudeConfigDir(env), 'projects')],
    codex: ['sessions', 'archived_sessions'].map((name) => join(codexFolder(env), name)),
    gemini: [join(geminiFolder(env), 'tmp')],
    copilot: [join(copilotFolder(env), 'session-state')],
    qwen: [join(resolve(env['QWEN_RUNTIME_DIR'] || qwenFolder(env)), 'projects')],
    // Beside it lie copies of whole projects, which may hold anything.
    opencode: [join(opencodeFolder(env), 'opencode.db')],
    cline: [join(clineFolder(env), 'sessions')],
  };
}

/** The same for all clients, in one list. */
export function transcriptFolders(env: NodeJS.ProcessEnv = process.env): string[] {
  return Object.values(clientFolders(env)).flat();
}

/** The database inside a home folder. */
export function databasePath(home: string): string {
  return join(home, 'memory.db');
}

/**
 * The current folder of this process.
 * @throws ConfigError if it was deleted
 */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new ConfigError('The current folder was deleted; change to another one first.', { cause });
  }
}
