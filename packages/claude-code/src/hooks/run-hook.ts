import { causanticHome, errorMessage, loadConfig, printAside } from '@causantic/domain';
import { type Hook, millisecondsSinceStart } from './hook.js';
import { readHookInput } from './hook-input.js';
import type { HookName } from './hook-names.js';
import { type HookRun, recordRun } from './hook-records.js';

interface HookDefinition {
  /** What is not done by then is given up; the client's own limit lies above. */
  timeLimitMs: number;
  load: () => Promise<Hook>;
}

const READING: HookDefinition = {
  timeLimitMs: 50_000,
  load: () => import('./ingest-session.js').then(({ ingestSession }) => ingestSession),
};

/** Each loads what it needs when it runs: most of a hook's time is that of its start. */
const HOOKS: Record<HookName, HookDefinition> = {
  'session-start': {
    timeLimitMs: 4_000,
    load: () => import('./session-start.js').then(({ sessionStart }) => sessionStart),
  },
  'session-end': READING,
  'pre-compact': READING,
  'claudemd-generator': {
    timeLimitMs: 4_000,
    load: () => import('./claude-md-generator.js').then(({ claudeMdGenerator }) => claudeMdGenerator),
  },
  'prompt-submit': {
    timeLimitMs: 2_000,
    load: () => import('./prompt-submit.js').then(({ promptSubmit }) => promptSubmit),
  },
};

const STDIN_TIMEOUT_MS = 2_000;

export interface HookProcess {
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
}

/** Runs a hook as Claude Code starts it. Never fails: errors go to the status file and the log. */
export async function runHook(name: HookName, { env, stdin, stdout }: HookProcess): Promise<void> {
  const home = causanticHome(env);
  const attempt = (async () => {
    const input = await readHookInput(stdin, STDIN_TIMEOUT_MS);
    const config = loadConfig({ home, projectDir: input.cwd, env });
    const hook = await HOOKS[name].load();
    return hook({ input, home, config, env });
  })();
  const outcome = await Promise.race([attempt, limit(HOOKS[name].timeLimitMs)]).then(
    ({ output, message }) => ({ ok: true, output, message }),
    (error: unknown) => ({ ok: false, output: undefined, message: errorMessage(error) }),
  );
  if (outcome.output !== undefined) await write(stdout, outcome.output);
  keepRecord(home, name, {
    lastRunMs: Date.now(),
    ok: outcome.ok,
    durationMs: millisecondsSinceStart(),
    message: outcome.message,
  });
}

/** Does not keep the process alive. */
function limit(timeLimitMs: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`not finished within ${timeLimitMs} ms`)), timeLimitMs).unref();
  });
}

function write(stdout: NodeJS.WritableStream, text: string): Promise<void> {
  // A client that is gone cannot be told: the session it asked for is gone, too.
  return new Promise((resolve) => stdout.write(text, () => resolve()));
}

/** A home that cannot be written to is told on stderr, which Claude Code shows in its debug log. */
function keepRecord(home: string, name: HookName, run: HookRun): void {
  try {
    recordRun(home, name, run);
  } catch (error) {
    printAside(`causantic hook ${name}: cannot record this run: ${errorMessage(error)}`);
  }
}
