import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inHome } from '@causantic/domain';

/** Everything that Causantic keeps in its home; what somebody else put there stays. */
const OWN = [
  /^memory\.db(?:-wal|-shm|-journal)?$/,
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
  if (!isFolder(home)) return [];
  const names = readdirSync(home).filter((name) => OWN.some((pattern) => pattern.test(name)));
  return names.map((name) => join(home, name));
}

/**
 * Deletes the memory and everything beside it, and the home itself if nothing else is in it.
 * @throws ConfigError where that is not allowed
 */
export function purge(home: string): void {
  inHome(home, () => {
    for (const file of ownFiles(home)) rmSync(file, { recursive: true, force: true });
    if (isFolder(home) && readdirSync(home).length === 0) rmdirSync(home);
  });
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
