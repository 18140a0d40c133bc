import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { topicBranchOf } from '../src/index.js';
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
  expect(topicBranchOf(shop)).toBe('ada/till-2');
  expect(topicBranchOf(join(shop, 'src', 'till'))).toBe('ada/till-2');
});

test('a worktree has a branch of its own', () => {
  const shop = repository();
  git(shop, 'commit', '--quiet', '--allow-empty', '--message', 'Begin');
  const worktree = join(realpathSync(temporaryFolder()), 'blue');
  git(shop, 'worktree', 'add', '--quiet', '-b', 'blue', worktree);
  expect(topicBranchOf(worktree)).toBe('blue');
  expect(topicBranchOf(shop)).toBe('ada/till-2');
});

test.each(['main', 'master', 'develop'])('the main line, as %s, is no topic branch', (branch) => {
  const shop = repository();
  git(shop, 'checkout', '--quiet', '-b', branch);
  expect(topicBranchOf(shop)).toBeUndefined();
  git(shop, 'checkout', '--quiet', '-b', `${branch}-2`);
  expect(topicBranchOf(shop)).toBe(`${branch}-2`);
});

test('there is none where a commit is checked out, outside of repositories, and in broken ones', () => {
  const shop = repository();
  git(shop, 'commit', '--quiet', '--allow-empty', '--message', 'Begin');
  git(shop, 'checkout', '--quiet', '--detach');
  expect(topicBranchOf(shop)).toBeUndefined();
  expect(topicBranchOf(realpathSync(temporaryFolder()))).toBeUndefined();
  expect(topicBranchOf('/no/such/folder')).toBeUndefined();
  rmSync(join(shop, '.git', 'HEAD'));
  expect(topicBranchOf(shop)).toBeUndefined();
  for (const text of ['gitdir: /no/such/folder\n', 'nothing\n']) {
    const broken = realpathSync(temporaryFolder());
    writeFileSync(join(broken, '.git'), text);
    expect(topicBranchOf(broken)).toBeUndefined();
  }
});
