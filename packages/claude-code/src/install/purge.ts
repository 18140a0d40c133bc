import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inHome } from '@causantic/domain';
import { removeEmptyFolders } from './file-change.js';

/** Everything that Causantic keeps in its home; what somebody else put there stays. */
const OWN = [
  /^memory\.db(?:-probe-\d+-\d+)?(?:-wal|-shm|-journal)?$/,
  /^(?:indexes|repomap|models|backups|shown)$/,
  /^(?:config|installed|claude-md|hook-status)\.json(?:\.lock)?$/,
  /^hooks\.log(?:\.1)?$/,
  /^http-token$/,
  // Whole memories, of an export or import that was killed.
  /^(?:export|import)-\d+\.tmp(?:-wal|-shm|-journal)?$/,
  // Drafts of a process that was killed while it wrote.
  /^\.[\w.-]+\.\d+\.[0-9a-f]{8}$/,
];

/** What a purge deletes. */
export function ownFiles(home: string): string[] {
  if (!existsSync(home) || !statSync(home).isDirectory()) return [];
  const names = readdirSync(home).filter((name) => OWN.some((pattern) => pattern.test(name)));
  return names.map((name) => join(home, name));
}

/**
 * Deletes the memory and everything beside it, and the home itself if nothing else is in it and it can be removed.
 * @throws ConfigError where that is not allowed
 */
export function purge(home: string): void {
  inHome(home, () => {
    for (const file of ownFiles(home)) rmSync(file, { recursive: true, force: true });
    removeEmptyFolders([home]);
  });
}
