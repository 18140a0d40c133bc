import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { branchOf } from '../src/index.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

function git(folder: string, ...args: string[]): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  execFileSync('git', ['-C', folder, ...who, ...args], { stdio: 'ignore' });
}

function repository(): string {
  const folder = realpathSync(temporaryFolder());
  git(folder, 'init', '--quiet');
  git(folder, 'checkout', '--quiet', '-b', 'ada/till-2');
  return folder;
}

test('the branch of a repository, before its first commit, too, and of a folder in it', () => {
  const shop = repository();
  mkdirSync(join(shop, 'src', 'till'), { recursive: true });
  expect(branchOf(shop)).toBe('ada/till-2');
  expect(branchOf(join(shop, 'src', 'till'))).toBe('ada/till-2');
});

test('a worktree has a branch of its own', () => {
  const shop = repository();
  git(shop, 'commit', '--quiet', '--allow-empty', '--message', 'Begin');
  const worktree = join(realpathSync(temporaryFolder()), 'blue');
  git(shop, 'worktree', 'add', '--quiet', '-b', 'blue', worktree);
  expect(branchOf(worktree)).toBe('blue');
  expect(branchOf(shop)).toBe('ada/till-2');
});

test('there is none where a commit is checked out, outside of repositories, and in broken ones', () => {
  const shop = repository();
  git(shop, 'commit', '--quiet', '--allow-empty', '--message', 'Begin');
  git(shop, 'checkout', '--quiet', '--detach');
  expect(branchOf(shop)).toBeUndefined();
  expect(branchOf(realpathSync(temporaryFolder()))).toBeUndefined();
  expect(branchOf('/no/such/folder')).toBeUndefined();
  rmSync(join(shop, '.git', 'HEAD'));
  expect(branchOf(shop)).toBeUndefined();
  for (const text of ['gitdir: /no/such/folder\n', 'nothing\n']) {
    const broken = realpathSync(temporaryFolder());
    writeFileSync(join(broken, '.git'), text);
    expect(branchOf(broken)).toBeUndefined();
  }
});
