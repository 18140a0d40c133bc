import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { claudeConfigDir, databasePath } from '@causantic/domain';
import { Store } from '@causantic/storage';

/** What Claude Code has kept, and how much of it is not in memory as it stands. */
export interface TranscriptCount {
  folder: string;
  files: number;
  unreadFiles: number;
  unreadBytes: number;
}

/**
 * Compare the transcripts on the disk with what was read. Sizes and times only: nothing is opened.
 * @throws StorageError for a memory that cannot be opened
 */
export function countTranscripts(home: string, env: NodeJS.ProcessEnv): TranscriptCount {
  const folder = join(claudeConfigDir(env), 'projects');
  const store = existsSync(databasePath(home)) ? Store.open(databasePath(home)) : undefined;
  try {
    const count: TranscriptCount = { folder, files: 0, unreadFiles: 0, unreadBytes: 0 };
    for (const path of transcriptsBelow(folder)) {
      const { size, mtimeMs } = statSync(path);
      const known = store?.transcripts.checkpoint(realpathSync(path));
      count.files++;
      if (known?.size === size && known.mtimeMs === mtimeMs) continue;
      count.unreadFiles++;
      count.unreadBytes += size;
    }
    return count;
  } finally {
    store?.close();
  }
}

function transcriptsBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}
