import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { causanticHome, counted, loadConfig, megabytes, print } from '@causantic/domain';
import { removeIndexFiles } from '@causantic/retrieval';
import type { Store } from '@causantic/storage';
import { withMemory } from '../open-memory.js';

interface CompactReport {
  /** Of the home without vector indexes, which the next search makes again; in bytes. */
  before: number;
  after: number;
  /** Chunks that the retention settings no longer keep, deleted. */
  expired: number;
}

/** `causantic compact`: makes the memory as small as possible. */
export function addCompactCommand(program: Command): void {
  program
    .command('compact')
    .description('Apply the retention settings, and free the disk space of what is no longer needed.')
    .option('--json', 'print the sizes as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const home = causanticHome();
      const report = await withMemory(home, (store) => compact(store, home));
      print(json ? JSON.stringify(report, null, 2) : forPeople(report));
    });
}

async function compact(store: Store, home: string): Promise<CompactReport> {
  const { applyRetention } = await import('@causantic/ingest');
  const { retention } = loadConfig({ home, projectDir: process.cwd(), env: process.env });
  const indexes = join(home, 'indexes');
  const size = (): number => bytesIn(home) - bytesIn(indexes);
  const before = size();
  const expired = applyRetention(store, retention, Date.now());
  store.compact();
  // Vectors of what was deleted stand in them, also where the program that deleted it was killed.
  removeIndexFiles(indexes, { except: [] });
  return { before, after: size(), expired };
}

function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    // Other processes make and remove files meanwhile.
    return (
      sum + (entry.isDirectory() ? bytesIn(path) : (statSync(path, { throwIfNoEntry: false })?.size ?? 0))
    );
  }, 0);
}

function forPeople({ before, after, expired }: CompactReport): string {
  const freed = Math.max(0, before - after);
  return [
    ...(expired > 0 ? [`Deleted ${counted(expired, 'chunk')} by the retention settings.`] : []),
    `Freed ${megabytes(freed)}; the home now takes ${megabytes(after)}.`,
  ].join('\n');
}
