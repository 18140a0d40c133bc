import { HOOK_NAMES, type HookName, runHook } from '@causantic/claude-code';

/**
 * `causantic hook <name>`, as Claude Code starts it. Whatever happens, the session goes on: the exit code is 0, and
 * the process ends when the hook is done.
 */
export async function runHookCommand(name: string | undefined): Promise<never> {
  process.on('uncaughtException', (error) => {
    process.stderr.write(`causantic hook ${name}: ${error.message}\n`);
    process.exit(0);
  });
  process.on('SIGTERM', () => process.exit(0));
  // A client that is gone does not read what a hook has to say.
  process.stdout.on('error', () => process.exit(0));
  if (isHookName(name)) {
    await runHook(name, { env: process.env, stdin: process.stdin, stdout: process.stdout });
  } else {
    process.stderr.write(`causantic: there is no hook "${name ?? ''}"; there are ${HOOK_NAMES.join(', ')}\n`);
  }
  process.exit(0);
}

function isHookName(name: string | undefined): name is HookName {
  return HOOK_NAMES.some((known) => known === name);
}
