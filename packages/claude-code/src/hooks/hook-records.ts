import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { printable, renameOver } from '@causantic/domain';
import { updateJsonFile } from '../locked-json-file.js';
import type { HookName } from './hook-names.js';

/** One run of a hook, as the tool `hook-status` reads it. */
export interface HookRun {
  lastRunMs: number;
  ok: boolean;
  /** From the start of the process. */
  durationMs: number;
  message: string;
}

/** Two files of this size hold some thousand runs. */
const MAX_LOG_BYTES = 256 * 1024;

export function statusFile(home: string): string {
  return join(home, 'hook-status.json');
}

/** Keep what became of a run: the last of each hook in the status file, all in a log. */
export function recordRun(home: string, name: HookName, run: HookRun): void {
  // Nobody is to wait for a slow disk, and a run that is lost with the power is no loss.
  updateJsonFile(statusFile(home), (runs) => ({ ...runs, [name]: run }), { synced: false });
  appendToLog(home, name, run);
}

function appendToLog(home: string, name: HookName, { lastRunMs, ok, durationMs, message }: HookRun): void {
  const log = join(home, 'hooks.log');
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) renameOver(log, `${log}.1`);
  const time = new Date(lastRunMs).toISOString();
  const line = `${time} ${name} ${ok ? 'ok' : 'failed'} ${durationMs} ms: ${printable(message).replace(/\s+/g, ' ')}\n`;
  appendFileSync(log, line, { mode: 0o600 });
}
