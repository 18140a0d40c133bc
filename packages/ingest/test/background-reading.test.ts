import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WorkerPool } from '@causantic/compute';
import { readInBackground } from '@causantic/ingest';
import { openSqlite, withStore } from '@causantic/storage';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { Rollout, threadId } from './rollout.js';

it('leaves a fork alone whose session goes on, though its original has taken records back from it', async () => {
  const { put, read } = memory();
  const original = new Rollout(threadId(1))
    .context()
    .prompt('Why do the heddles jam?')
    .answer('They hang low.');
  put(original);
  await read();
  original.prompt('And the shuttle?').answer('The shuttle is dry.');
  const fork = new Rollout(threadId(2), { forked_from_id: threadId(1) }, 10).copy(original);
  // The fork is read while the original is at work.
  put(original, { goesOn: true });
  put(fork.prompt('And the reed?').answer('The reed is bent.'));
  expect(await read()).toContain('reed');
  put(original);
  put(fork.prompt('What of the treadle?'), { goesOn: true });
  expect(await read()).not.toContain('treadle');
  put(fork);
  expect((await read()).match(/User: .*/g)).toEqual([
    'User: Why do the heddles jam?',
    'User: And the shuttle?',
    'User: And the reed?',
    'User: What of the treadle?',
  ]);
});

it('leaves out what a repository leaves out also where the worktree is gone', async () => {
  const { put, read } = memory();
  const repository = temporaryFolder();
  writeFileSync(join(repository, 'causantic.config.json'), '{"ingest":{"excludePaths":["**"]}}');
  const cwd = join(repository, '.claude', 'worktrees', 'reed');
  put(new Rollout(threadId(1), { cwd }).context().prompt('Where is the diary?').answer('Behind the mill.'));
  put(new Rollout(threadId(2)).context().prompt('Why do the heddles jam?').answer('They hang low.'));
  expect(await read()).toBe('User: Why do the heddles jam?\n\nAssistant: They hang low.');
});

it('comes to an end where everything of a session was deleted', async () => {
  const { put, read, forgetAll } = memory();
  put(new Rollout(threadId(1)).context().prompt('Why do the heddles jam?').answer('They hang low.'));
  await read();
  forgetAll();
  expect(await read()).toBe('');
});

it('drops notes that are gone, also where nothing else is left to read', async () => {
  const { folder, read } = memory();
  const notes = join(folder, '-mills-reed', 'memory');
  mkdirSync(notes, { recursive: true });
  const note = join(notes, 'looms.md');
  writeFileSync(note, 'The heddles hang low.');
  utimesSync(note, 1e9, 1e9);
  expect(await read()).toContain('heddles');
  rmSync(notes, { recursive: true });
  expect(await read()).toBe('');
});

function memory() {
  const home = temporaryFolder();
  const pool = new WorkerPool({ threads: 1 });
  onTestFinished(() => pool.close());
  const databasePath = join(home, 'memory.db');
  const folder = join(home, 'sessions');
  const writtenBeforeMs = Date.now();
  return {
    folder,
    put(rollout: Rollout, { goesOn = false } = {}): void {
      const path = rollout.writeTo(join(folder, `rollout-2026-03-01T10-00-00-${rollout.thread}.jsonl`));
      const time = writtenBeforeMs / 1000 + (goesOn ? 60 : -3600);
      utimesSync(path, time, time);
    },
    forgetAll(): void {
      withStore(databasePath, ({ forgetting }) => forgetting.delete(forgetting.ids({})));
    },
    /** What is stored then. */
    async read(): Promise<string> {
      const { signal } = new AbortController();
      const issues = await readInBackground({
        pool,
        signal,
        folders: [folder],
        databasePath,
        home,
        writtenBeforeMs,
      });
      expect(issues).toEqual([]);
      const database = openSqlite(databasePath, { readonly: true });
      const texts = database
        .prepare("SELECT text FROM chunk WHERE text LIKE '%User:%' OR text LIKE 'Note %'")
        .pluck()
        .all() as string[];
      database.close();
      return texts.join('\n');
    },
  };
}
