import { parseArgs } from 'node:util';
import type { Command } from 'commander';
import { HOOK_NAMES, type HookName, runHook } from '@causantic/claude-code';
import { errorMessage, homeFolder, printAside, setFromCommandLine } from '@causantic/domain';

/**
 * `causantic hook <name>`, as Claude Code starts it. Whatever happens, the session goes on: the exit code is 0, and
 * the process ends when the hook is done.
 */
export async function runHookCommand(): Promise<never> {
  const { name, home, settings } = commandLine();
  // As where a client is gone, and reads nothing of what a hook has to say.
  process.on('uncaughtException', (error) => {
    printAside(`causantic hook ${name}: ${error.message}`);
    process.exit(0);
  });
  leaveDeletedFolder();
  if (isHookName(name)) {
    takeSettings(settings);
    // Settings of hooks have no portable way to set a variable.
    const env = home ? { ...process.env, CAUSANTIC_HOME: home } : process.env;
    await runHook(name, { env, stdin: process.stdin, stdout: process.stdout });
  } else {
    printAside(`causantic: unknown hook "${name}"; known hooks: ${HOOK_NAMES.join(', ')}`);
  }
  process.exit(0);
}

/** In any order, and without loading the parser of all other commands. An option without its value is none. */
function commandLine(): { name: string; home: string | undefined; settings: string[] } {
  const options = {
    home: { type: 'string', multiple: true },
    set: { type: 'string', multiple: true },
  } as const;
  const { positionals, values } = parseArgs({
    args: process.argv.slice(2),
    options,
    allowPositionals: true,
    strict: false,
  });
  const { home = [], set = [] } = values;
  const isText = (value: string | boolean): value is string => typeof value === 'string';
  return {
    name: positionals[1] ?? '',
    home: home.find(isText),
    settings: set.filter(isText),
  };
}

/** The folder of a session may be deleted when it ends, as a worktree is: no thread starts there. */
function leaveDeletedFolder(): void {
  try {
    process.cwd();
  } catch {
    process.chdir(homeFolder());
  }
}

/** `--set`, as all commands take it: of a wrong one only the person is told, because the session goes on. */
function takeSettings(settings: readonly string[]): void {
  for (const given of settings) {
    try {
      setFromCommandLine(given, process.env);
    } catch (error) {
      printAside(`causantic: ${errorMessage(error)}`);
    }
  }
}

/** Only for `--help`: hooks are run without loading the command line. */
export function addHookCommand(program: Command): void {
  program
    .command('hook')
    .description('Run a hook. Clients start this and pass a JSON object on stdin.')
    .argument('<name>', HOOK_NAMES.join(', '))
    .option('--home <dir>', 'where the memory is kept (default: CAUSANTIC_HOME, or ~/.causantic)')
    .action(runHookCommand);
}

function isHookName(name: string): name is HookName {
  return HOOK_NAMES.some((known) => known === name);
}
