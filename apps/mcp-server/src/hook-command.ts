import type { Command } from 'commander';
import { HOOK_NAMES, type HookName, runHook } from '@causantic/claude-code';
import { errorMessage, homeFolder, printAside, setFromCommandLine } from '@causantic/domain';

/**
 * `causantic hook <name>`, as Claude Code starts it. Whatever happens, the session goes on: the exit code is 0, and
 * the process ends when the hook is done.
 */
export async function runHookCommand(name: string | undefined): Promise<never> {
  process.on('uncaughtException', (error) => {
    printAside(`causantic hook ${name}: ${error.message}`);
    process.exit(0);
  });
  leaveDeletedFolder();
  // A client that is gone does not read what a hook has to say.
  process.stdout.on('error', () => process.exit(0));
  if (isHookName(name)) {
    takeSettings();
    await runHook(name, { env: environment(), stdin: process.stdin, stdout: process.stdout });
  } else {
    printAside(`causantic: unknown hook "${name ?? ''}"; known hooks: ${HOOK_NAMES.join(', ')}`);
  }
  process.exit(0);
}

/** The folder of a session may be deleted when it ends, as a worktree is: no thread starts there. */
function leaveDeletedFolder(): void {
  try {
    process.cwd();
  } catch {
    process.chdir(homeFolder());
  }
}

/** `--home DIR` stands for the variable: settings of hooks have no portable way to set one. */
function environment(): NodeJS.ProcessEnv {
  const [home] = valuesOf('--home');
  return home ? { ...process.env, CAUSANTIC_HOME: home } : process.env;
}

/** `--set`, as all commands take it: of a wrong one only the person is told, because the session goes on. */
function takeSettings(): void {
  for (const given of valuesOf('--set')) {
    try {
      setFromCommandLine(given, process.env);
    } catch (error) {
      printAside(`causantic: ${errorMessage(error)}`);
    }
  }
}

/** Of `--home DIR` and `--home=DIR`. */
function valuesOf(option: string): string[] {
  return process.argv.flatMap((word, at) => {
    if (word === option) return process.argv[at + 1] ?? '';
    return word.startsWith(`${option}=`) ? word.slice(option.length + 1) : [];
  });
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

function isHookName(name: string | undefined): name is HookName {
  return HOOK_NAMES.some((known) => known === name);
}
