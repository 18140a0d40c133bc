import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Store } from '@causantic/storage';
import type { HookContext } from './run-hook.js';

/** A session whose file was written to just now is still going on, and will be read when it ends. */
const QUIET_MS = 5 * 60_000;
/** An older file that was never read was left out on purpose: by `init --no-import`, or by its owner. */
const RECENT_MS = 7 * 86_400_000;
/** Reading more would hold up the session that starts. */
const MAX_BYTES = 5_000_000;

/**
 * The transcript of the session before this one, where it ended without its hook (a closed terminal, a crash) and
 * is not in memory as it stands; null otherwise.
 */
export function unreadTranscript(store: Store, { input, clock }: HookContext): string | null {
  if (input.transcriptPath === undefined) return null;
  const folder = dirname(input.transcriptPath);
  const latest = latestTranscript(folder, basename(input.transcriptPath));
  if (!latest || latest.bytes > MAX_BYTES) return null;
  const age = clock() - latest.mtimeMs;
  if (age < QUIET_MS || age > RECENT_MS) return null;
  const known = store.transcripts.checkpoint(realpathSync(latest.path));
  return known?.size === latest.bytes && known.mtimeMs === latest.mtimeMs ? null : latest.path;
}

interface TranscriptOnDisk {
  path: string;
  bytes: number;
  mtimeMs: number;
}

function latestTranscript(folder: string, own: string): TranscriptOnDisk | undefined {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl') && !name.startsWith('agent-') && name !== own)
    .flatMap((name): TranscriptOnDisk[] => {
      const path = join(folder, name);
      const file = statSync(path, { throwIfNoEntry: false });
      return file ? [{ path, bytes: file.size, mtimeMs: file.mtimeMs }] : [];
    });
  return files.toSorted((a, b) => b.mtimeMs - a.mtimeMs)[0];
}
