import { isAbsolute, join, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { causanticHome, isObject } from '@causantic/domain';

/** How the client starts Causantic. */
export interface Program {
  /** Path of the Node executable. */
  node: string;
  /** Path of the program, `causantic.mjs`. */
  script: string;
  /** Where the memory is kept, if not in the usual place: what the client starts does not see the user's shell. */
  home?: string;
}

/**
 * The program as a project's shared settings name it: relative where it is installed in the project itself, so that it
 * is right on everybody's machine.
 */
export function sharedProgram(program: Program, projectDir: string): Program {
  const path = relative(projectDir, program.script);
  const isInside = !path.startsWith('..') && !isAbsolute(path);
  return isInside ? { node: 'node', script: path.replaceAll(sep, '/') } : program;
}

/** A home of the user's choice has to be told to what the client starts. */
export function withHome(program: Program, env: NodeJS.ProcessEnv): Program {
  return env['CAUSANTIC_HOME'] ? { ...program, home: causanticHome(env) } : program;
}

/** The server, as most clients keep it in JSON. */
export function serverEntry({ node, script, home }: Program): Record<string, unknown> {
  const env = home === undefined ? {} : { env: { CAUSANTIC_HOME: home } };
  return { command: node, args: [script, 'serve'], ...env };
}

/** What `claude mcp add causantic -- node causantic.mjs serve` writes. */
export function mcpEntry(program: Program): Record<string, unknown> {
  const entry = serverEntry(program);
  return { type: 'stdio', ...entry, env: entry['env'] ?? {} };
}

/** Whether an entry says nothing but what `mcpEntry` writes, wherever the program lies; other entries are the user's. */
export function isMcpEntry(entry: Record<string, unknown>): boolean {
  const { type = 'stdio', command, args, env = {}, ...more } = entry;
  const [script, ...rest] = Array.isArray(args) ? (args as unknown[]) : [];
  return (
    type === 'stdio' &&
    typeof command === 'string' &&
    typeof script === 'string' &&
    /(?:^|[\\/])causantic\.mjs$/.test(script) &&
    isDeepStrictEqual(rest, ['serve']) &&
    isObject(env) &&
    Object.keys(env).every((name) => name === 'CAUSANTIC_HOME') &&
    Object.keys(more).length === 0
  );
}

/** A hook's command line, for the shell that Claude Code starts it with (a POSIX one on every system). */
export function hookCommand({ node, script, home }: Program, name: string): string {
  const path = isAbsolute(script) ? script : join('$CLAUDE_PROJECT_DIR', script);
  const option = home === undefined ? '' : ` --home ${quoted(home)}`;
  return `${quoted(node)} ${quoted(path)} hook ${name}${option}`;
}

/**
 * The hook that a command line runs, wherever the program lies, whatever its options are and whatever the shell is told to
 * do with it behind (`|| true`, `2>/dev/null`); undefined where it is none of ours.
 */
export function hookOfCommand(command: unknown): string | undefined {
  if (typeof command !== 'string') return undefined;
  return /\bcausantic(?:\.mjs)?["']?\s+hook\s+([a-z-]+)(?=\s*(?:$|\d*[;&|<>)])|\s+--(?:home|set)[\s=])/.exec(
    command,
  )?.[1];
}

export function quoted(path: string): string {
  // Elsewhere than on Windows a backslash is part of a name.
  const plain = path.replaceAll(sep, '/');
  if (/^[\w@%+=:,./~-]+$/.test(plain)) return plain;
  return plain.startsWith('$CLAUDE_PROJECT_DIR') || !/["$`\\]/.test(plain)
    ? `"${plain}"`
    : `'${plain.replaceAll("'", `'\\''`)}'`;
}
