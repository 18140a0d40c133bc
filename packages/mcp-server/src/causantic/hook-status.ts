import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { errorMessage } from '@causantic/domain';
import { formatMoment } from '@causantic/retrieval';
import { defineTool, READ_ONLY } from '../tool.js';

const HOOKS = ['session-start', 'session-end', 'pre-compact', 'claudemd-generator'] as const;
/** Installed only on request, so shown only once it has run. */
const OPTIONAL_HOOK = 'prompt-submit';

/** Of what a `Date` can be. */
const LATEST_MS = 8.64e15;

const statusSchema = z.record(
  z.string(),
  z.object({
    lastRunMs: z.number().min(0).max(LATEST_MS),
    ok: z.boolean(),
    durationMs: z.number().optional(),
    message: z.string().optional(),
  }),
);

type HookRun = z.infer<typeof statusSchema>[string];

export const hookStatusTool = defineTool({
  name: 'hook-status',
  title: 'Hook status',
  description:
    'Check when Causantic hooks last ran and whether they succeeded. ' +
    'Use for diagnosing whether hooks are firing correctly after setup or configuration changes.',
  input: z.strictObject({}),
  annotations: READ_ONLY,
  run(_input, context) {
    const file = join(context.home, 'hook-status.json');
    const { runs, problem } = readStatus(file);
    const hooks = OPTIONAL_HOOK in runs ? [...HOOKS, OPTIONAL_HOOK] : HOOKS;
    const lines = hooks.map((hook) => `- ${hook}: ${describeRun(runs[hook])}`);
    // What hooks cannot work with.
    const failures = [failureOf(() => context.config), failureOf(() => context.store)];
    const problems = [problem, ...failures].flatMap((each) => (each === undefined ? [] : `Problem: ${each}`));
    return { text: ['Hook status:', ...lines, ...problems].join('\n'), diagnostics: { runs } };
  },
});

function failureOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

function readStatus(file: string): { runs: Record<string, HookRun>; problem?: string } {
  if (!existsSync(file)) return { runs: {} };
  try {
    const { success, data } = statusSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return success ? { runs: data } : { runs: {}, problem: `${file} does not hold what hooks write.` };
  } catch (error) {
    return { runs: {}, problem: `cannot read ${file}: ${errorMessage(error)}` };
  }
}

function describeRun(run: HookRun | undefined): string {
  if (!run) return 'never run';
  const duration = run.durationMs === undefined ? '' : ` in ${run.durationMs} ms`;
  // One that ran well may have had nothing to do, or have left something out: who looks here wants to know why.
  const message = run.message ? `: ${run.message.replace(/\s+/g, ' ')}` : '';
  return `last run ${formatMoment(run.lastRunMs)} (${run.ok ? `success${duration}` : 'failed'}${message})`;
}
