import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { projectOf } from '@causantic/domain';
import { describe, expect, it, vi } from 'vitest';
import { ingestTree } from '../src/index.js';
import { ingested, sessionId, TestStore } from './ingested.js';
import { Recording, temporaryFolder } from './recording.js';

describe('a folder that is not on this machine', () => {
  it.each([
    ['/Users/ada/shop', '/Users/ada/shop', 'shop'],
    ['/Users/ada/shop/', '/Users/ada/shop', 'shop'],
    ['/Users/ada/shop/.claude/worktrees/blue-till', '/Users/ada/shop', 'shop'],
    ['/Users/ada/shop/.claude/worktrees/blue-till/src', '/Users/ada/shop', 'shop'],
    ['/Users/ada/shop/.worktrees/blue-till', '/Users/ada/shop', 'shop'],
    ['/Users/ada/shop.worktrees/blue-till', '/Users/ada/shop', 'shop'],
    ['/Users/ada/shop__worktrees/blue-till/src', '/Users/ada/shop', 'shop'],
    ['/Users/ada/.worktrees/blue-till', '/Users/ada/.worktrees/blue-till', 'blue-till'],
    ['D:\\shop', 'D:\\shop', 'shop'],
    ['d:/shop/', 'D:\\shop', 'shop'],
    ['D:\\shop\\.claude\\worktrees\\blue-till', 'D:\\shop', 'shop'],
    ['/', '/', '/'],
  ])('%s', (cwd, path, name) => {
    expect(projectOf(cwd)).toEqual({ path, name });
  });
});

describe('a folder of this machine', () => {
  function repository(): string {
    const folder = realpathSync(temporaryFolder());
    mkdirSync(join(folder, 'shop', '.git', 'worktrees', 'blue'), { recursive: true });
    mkdirSync(join(folder, 'shop', 'src', 'till'), { recursive: true });
    return join(folder, 'shop');
  }

  it.skipIf(process.platform === 'win32')('does not wait for a pipe where git keeps a file', () => {
    const folder = realpathSync(temporaryFolder());
    execFileSync('mkfifo', [join(folder, '.git')]);
    expect(projectOf(folder).path).toBe(folder);
    const worktree = join(folder, 'worktree');
    mkdirSync(worktree);
    writeFileSync(join(worktree, '.git'), `gitdir: ${folder}/shop/.git/worktrees/blue\n`);
    mkdirSync(join(folder, 'shop/.git/worktrees/blue'), { recursive: true });
    execFileSync('mkfifo', [join(folder, 'shop/.git/worktrees/blue/commondir')]);
    expect(projectOf(worktree).path).toBe(join(folder, 'shop'));
  });

  it('belongs to the repository above it', () => {
    const shop = repository();
    expect(projectOf(join(shop, 'src', 'till')).path).toBe(shop);
    expect(projectOf(join(shop, 'worktrees', 'gone')).path).toBe(shop);
  });

  it('is its own when it is gone and only its home folder is a repository', () => {
    const home = realpathSync(temporaryFolder());
    mkdirSync(join(home, '.git'));
    vi.stubEnv('HOME', home).stubEnv('USERPROFILE', home);
    try {
      expect(projectOf(join(home, 'shop')).path).toBe(join(home, 'shop'));
      mkdirSync(join(home, 'shop'));
      expect(projectOf(join(home, 'shop')).path).toBe(home);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('belongs to the repository beside the worktrees when it was one and is gone', () => {
    const shop = repository();
    expect(projectOf(`${shop}-worktrees/shop-blue/src`).path).toBe(shop);
    expect(projectOf(`${shop}_worktrees/blue`).path).toBe(shop);
    const others = join(dirname(shop), 'other-worktrees', 'blue');
    expect(projectOf(others).path).toBe(others);
    mkdirSync(join(dirname(shop), 'other'));
    expect(projectOf(others).path).toBe(others);
  });

  it('is the same in any case, on a disk that takes any', (context) => {
    const shop = repository();
    const inCapitals = join(dirname(shop), 'SHOP');
    if (!existsSync(inCapitals)) context.skip();
    expect(projectOf(inCapitals).path).toBe(shop);
    expect(projectOf(join(inCapitals, 'Src')).path).toBe(shop);
    expect(projectOf(join(inCapitals, 'SRC', 'gone')).path).toBe(shop);
  });

  it.skipIf(process.platform === 'win32')('is the same by way of a link', () => {
    const shop = repository();
    symlinkSync(shop, `${shop}-link`);
    expect(projectOf(`${shop}-link/src`).path).toBe(shop);
    expect(projectOf(`${shop}-link/gone`).path).toBe(shop);
  });

  it.each([
    ['.bare', '.'],
    ['shop.git', 'shop.git'],
  ])('belongs to the folder of a bare repository %s when it is a worktree', (bare, below) => {
    const shop = realpathSync(temporaryFolder());
    mkdirSync(join(shop, bare, 'worktrees', 'blue'), { recursive: true });
    writeFileSync(join(shop, bare, 'worktrees', 'blue', 'commondir'), '../..\n');
    mkdirSync(join(shop, 'blue'));
    writeFileSync(join(shop, 'blue', '.git'), `gitdir: ${shop}/${bare}/worktrees/blue\n`);
    expect(projectOf(join(shop, 'blue')).path).toBe(join(shop, below));
  });

  it.each(['lib', '.lib'])('belongs to the submodule %s when it is a worktree of one', (lib) => {
    const shop = repository();
    const git = join(shop, '.git', 'modules', lib);
    mkdirSync(join(git, 'worktrees', 'blue'), { recursive: true });
    writeFileSync(join(git, 'worktrees', 'blue', 'commondir'), '../..\n');
    writeFileSync(join(git, 'config'), `[core]\n\tbare = false\n\tworktree = ../../../${lib}\n`);
    const worktree = temporaryFolder();
    writeFileSync(join(worktree, '.git'), `gitdir: ${git}/worktrees/blue\n`);
    expect(projectOf(worktree).path).toBe(join(shop, lib));
  });

  it('belongs to the main repository when it is a worktree, wherever that lies', () => {
    const shop = repository();
    writeFileSync(join(shop, '.git', 'worktrees', 'blue', 'commondir'), '../..\n');
    const worktree = join(temporaryFolder(), 'elsewhere');
    mkdirSync(worktree);
    writeFileSync(join(worktree, '.git'), `gitdir: ${shop}/.git/worktrees/blue\n`);
    expect(projectOf(worktree).path).toBe(shop);
  });

  it('belongs to the main repository also when that is gone', () => {
    const worktree = realpathSync(temporaryFolder());
    writeFileSync(join(worktree, '.git'), 'gitdir: /gone/shop/.git/worktrees/blue\n');
    expect(projectOf(worktree).path).toBe(resolve(worktree, '/gone/shop'));
  });

  it('belongs to the main repository also when the file that leads there was never written to its end', () => {
    const shop = repository();
    writeFileSync(join(shop, '.git', 'worktrees', 'blue', 'commondir'), '');
    const worktree = temporaryFolder();
    writeFileSync(join(worktree, '.git'), `gitdir: ${shop}/.git/worktrees/blue\n`);
    expect(projectOf(worktree).path).toBe(shop);
  });

  it.skipIf(process.platform === 'win32')('is its own when its .git file may not be read', () => {
    const folder = realpathSync(temporaryFolder());
    writeFileSync(join(folder, '.git'), 'gitdir: /gone/shop/.git/worktrees/blue\n');
    chmodSync(folder, 0o755);
    chmodSync(join(folder, '.git'), 0o000);
    const isRoot = process.getuid?.() === 0;
    // Root may read any.
    if (isRoot) process.seteuid!(65_534);
    try {
      expect(projectOf(folder).path).toBe(folder);
    } finally {
      if (isRoot) process.seteuid!(0);
    }
  });

  it('is its own when it is a submodule, or its .git file is broken', () => {
    const submodule = realpathSync(temporaryFolder());
    writeFileSync(join(submodule, '.git'), 'gitdir: ../.git/modules/part\n');
    expect(projectOf(submodule).path).toBe(submodule);
    writeFileSync(join(submodule, '.git'), 'nonsense');
    expect(projectOf(submodule).path).toBe(submodule);
  });
});

describe('projects in the store', () => {
  it('equal folder names stay apart, worktrees join', () => {
    const store = new TestStore();
    const folder = temporaryFolder();
    const cwds = ['/work/one/api', '/work/two/api', '/work/two/api/.claude/worktrees/x'];
    for (const [n, cwd] of cwds.entries()) {
      store.ingest(
        new Recording(sessionId(n), {}, cwd).user('hello').writeTo(join(folder, `${sessionId(n)}.jsonl`)),
      );
    }
    expect(store.contents()['sessions']).toMatchObject([
      { project: '/work/one/api', slug: 'api' },
      { project: '/work/two/api', slug: 'two-api' },
      { project: '/work/two/api', slug: 'two-api' },
    ]);
  });

  it('a folder of Windows is one, in whatever case clients write it, and one of other systems is not', () => {
    const store = new TestStore();
    const folder = temporaryFolder();
    const cwds = ['C:\\Users\\Ada\\Shop', 'c:\\users\\ada\\shop', '/home/Ada/till', '/home/ada/till'];
    for (const [n, cwd] of cwds.entries()) {
      store.ingest(
        new Recording(sessionId(n), {}, cwd).user('hello').writeTo(join(folder, `${sessionId(n)}.jsonl`)),
      );
    }
    expect(store.contents()['sessions']).toMatchObject([
      { project: 'C:\\Users\\Ada\\Shop' },
      { project: 'C:\\Users\\Ada\\Shop' },
      { project: '/home/Ada/till' },
      { project: '/home/ada/till' },
    ]);
  });

  it('a worktree that is gone belongs to what it belonged to before', () => {
    const store = new TestStore();
    const folder = realpathSync(temporaryFolder());
    const worktree = join(folder, 'blue');
    mkdirSync(worktree);
    writeFileSync(join(worktree, '.git'), `gitdir: ${folder}/shop/.git/worktrees/blue\n`);
    for (const n of [1, 2]) {
      store.ingest(
        new Recording(sessionId(n), {}, worktree).user('hello').writeTo(join(folder, `${n}.jsonl`)),
      );
      rmSync(worktree, { recursive: true, force: true });
    }
    const project = join(folder, 'shop');
    expect(store.contents()['sessions']).toMatchObject([{ project }, { project }]);
  });

  it('a folder that has become part of a repository belongs to that from then on', () => {
    const store = new TestStore();
    const folder = realpathSync(temporaryFolder());
    const cwd = join(folder, 'till');
    mkdirSync(cwd);
    for (const n of [1, 2]) {
      store.ingest(new Recording(sessionId(n), {}, cwd).user('hello').writeTo(join(folder, `${n}.jsonl`)));
      mkdirSync(join(folder, '.git'), { recursive: true });
    }
    expect(store.contents()['sessions']).toMatchObject([{ project: cwd }, { project: folder }]);
  });

  it('the first working folder counts', () => {
    const { store } = ingested(new Recording(sessionId(1)).user('go').answer('x', { cwd: '/elsewhere' }));
    expect(store.contents()['sessions']).toMatchObject([{ project: '/home/ada/shop' }]);
  });
});

describe('exclusion', () => {
  it.each([
    [{ paths: ['**/shop'] }, 'excluded'],
    [{ paths: ['/home/ada/*'] }, 'excluded'],
    [{ paths: ['/home/ada'] }, 'excluded'],
    [{ paths: ['/home/ada/shop/**'] }, 'excluded'],
    [{ paths: ['**/shop//'] }, 'excluded'],
    [{ paths: ['/home/**'] }, 'excluded'],
    [{ paths: ['**/*ada-shop/*.jsonl'] }, 'excluded'],
    [{ paths: ['/home/{eve,{bob,ada}/}'] }, 'excluded'],
    [{ paths: ['**/sho{p,e}/'] }, 'excluded'],
    [{ paths: ['/home/{ada}', '/home/{bob,eve}', '/home/{ada,bob'] }, 'ingested'],
    [{ paths: ['sho', '/home/ad', '/home/*/other'] }, 'ingested'],
    [{}, 'ingested'],
  ])('%j', (exclude, status) => {
    const { store, report } = ingested(new Recording(sessionId(1)).user('hello'), { exclude });
    expect(report.status).toBe(status);
    expect(store.chunks()).toHaveLength(status === 'excluded' ? 0 : 1);
  });

  it.each(['/home/ada/.claude-mem/observer-sessions', '/home/ada/.claude/plugins/cache/x/claude-mem/13.1.0'])(
    'leaves out agents that watch a session, in %s',
    (cwd) => {
      const { report } = ingested(
        new Recording(sessionId(1), {}, cwd).user('<observed_from_primary_session>'),
      );
      expect(report.status).toBe('excluded');
    },
  );

  it.each([
    ['~/plans', join(homedir(), 'plans', 'q3')],
    ['{~/plans,/work}', join(homedir(), 'plans', 'q3')],
    ['/home/ada/{a,(b) [c]}/{d}', '/home/ada/(b) [c]/{d}'],
    ['/home/ada/café', '/home/ada/cafe\u0301'],
    ['C:\\Users\\Ada\\plans', 'c:\\users\\ada\\plans\\q3'],
  ])('%s covers %s', (path, cwd) => {
    const { report } = ingested(new Recording(sessionId(1), {}, cwd).user('hello'), {
      exclude: { paths: [path] },
    });
    expect(report.status).toBe('excluded');
  });

  it.each([
    ['by which the pattern gets there', 'link/*/plans', 'real/ada/plans/q3'],
    ['by which the client got there', 'real/ada/plans/**', 'link/ada/plans'],
    ['where the folder is gone', 'link/bob', 'real/bob/q3'],
  ])('looks through links %s', (_where, path, cwd) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'real', 'ada', 'plans', 'q3'), { recursive: true });
    symlinkSync(join(folder, 'real'), join(folder, 'link'), 'junction');
    const recording = new Recording(sessionId(1), {}, join(folder, cwd)).user('hello');
    expect(ingested(recording, { exclude: { paths: [join(folder, path)] } }).report.status).toBe('excluded');
  });

  it('counts no session of a file that is excluded', () => {
    const folder = temporaryFolder();
    new Recording(sessionId(1)).user('hello').writeTo(join(folder, 'one.jsonl'));
    new Recording(sessionId(2), {}, '/home/ada/plans').user('hello').writeTo(join(folder, 'two.jsonl'));
    const { store } = new TestStore();
    const exclude = { paths: ['/home/ada/plans'] };
    expect(ingestTree(store, [folder], { exclude })).toMatchObject({ files: 2, skipped: 1, sessions: 1 });
    expect(ingestTree(store, [folder], { exclude })).toMatchObject({ files: 2, skipped: 2, sessions: 1 });
  });
});
