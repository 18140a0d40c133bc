import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Store } from '@causantic/storage';
import type { HookContext } from './hook.js';

/** A session whose file was written to just now is still going on, and will be read when it ends. */
const QUIET_MS = 5 * 60_000;
/** An older file that was never read was left out on purpose: by `init --no-import`, or by its owner. */
const RECENT_MS = 7 * 86_400_000;
/** What is older has been looked at when those after it started. */
const LOOKED_AT = 5;
/** Reading more would hold up the session that starts. */
const MAX_BYTES = 5_000_000;

/**
 * Transcripts of sessions in this folder that ended without their hook (a closed terminal, a crash) and are not in memory
 * as they stand, the latest first; among them those in which nothing was said.
 */
export function unreadTranscripts(store: Store, { input }: HookContext): string[] {
  if (input.transcriptPath === undefined) return [];
  const folder = dirname(input.transcriptPath);
  return latestTranscripts(folder)
    .filter(({ path, file }) => {
      const age = Date.now() - file.mtimeMs;
      const isDue = age >= QUIET_MS && age <= RECENT_MS && file.size <= MAX_BYTES;
      return isDue && store.transcripts.checkpointOfUnchanged(realpathSync(path), file) === null;
    })
    .map(({ path }) => path);
}

interface TranscriptOnDisk {
  path: string;
  file: Stats;
}

/** The latest main transcripts in a folder, the latest first. */
function latestTranscripts(folder: string): TranscriptOnDisk[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl') && !name.startsWith('agent-'))
    .flatMap((name): TranscriptOnDisk[] => {
      const path = join(folder, name);
      const file = statSync(path, { throwIfNoEntry: false });
      return file ? [{ path, file }] : [];
    });
  return files.toSorted((a, b) => b.file.mtimeMs - a.file.mtimeMs).slice(0, LOOKED_AT);
}
