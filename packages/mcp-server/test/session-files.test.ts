import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WorkerPool } from '@causantic/compute';
import { loadConfig } from '@causantic/domain';
import { ingestTree } from '@causantic/ingest';
import { Store } from '@causantic/storage';
import { causanticTools } from '../src/causantic/index.js';
import { sessionFiles } from '../src/causantic/session-files.js';
import { callTool, type ToolContext } from '../src/tool.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { sessionId, TranscriptBuilder } from '../../../test/e2e/transcript-builder.js';

const NOW = Date.UTC(2026, 1, 3, 12);
const HOUR = 3_600_000;
const repomap = causanticTools.find(({ name }) => name === 'repomap')!;

/** A project of small files that mention each other in a ring, and a memory of it. */
function setUp(useSession = true) {
  const home = temporaryFolder();
  const root = join(home, 'shop');
  mkdirSync(join(root, 'src'), { recursive: true });
  for (let i = 0; i < 30; i++) {
    const text = `export function partNumber${i}() { partNumber${(i + 1) % 30}(); }\n`;
    writeFileSync(join(root, 'src', `part${i}.ts`), text);
  }
  const store = Store.open(':memory:');
  const pool = new WorkerPool({ threads: 1 });
  onTestFinished(async () => {
    await pool.close();
    store.close();
  });
  const config = loadConfig({
    home,
    projectDir: home,
    env: { CAUSANTIC_REPOMAP_USE_SESSION: `${useSession}` },
  });
  const workers = () => Promise.resolve(pool);
  const context = { store, config, home, clock: () => NOW, workers } as unknown as ToolContext;
  return { home, root, context };
}

/** Ingest a session in which files were edited. */
function edit(
  { home, root, context }: Pick<ReturnType<typeof setUp>, 'home' | 'root' | 'context'>,
  files: string[],
  timeMs: number,
): void {
  const start = new Date(timeMs).toISOString();
  const session = new TranscriptBuilder({ session: sessionId('00000001'), cwd: root, start });
  session.user('change the parts');
  for (const file of files) session.tool('Edit', { file_path: join(root, file), new_string: 'x' }, 'ok');
  ingestTree(context.store, [session.writeTo(join(home, 'projects'))]);
}

const shownFiles = async (root: string, context: ToolContext) => {
  const { diagnostics } = await callTool(repomap, { project: root, max_tokens: 4000 }, context);
  return (diagnostics as { shownFiles: string[] }).shownFiles;
};

describe('what current work touched', () => {
  it('stands higher in the map, unless it is not to', async () => {
    for (const useSession of [true, false]) {
      const place = setUp(useSession);
      edit(place, ['src/part17.ts'], NOW - HOUR);
      const position = (await shownFiles(place.root, place.context)).indexOf('src/part17.ts');
      if (useSession) expect(position).toBe(0);
      else expect(position).toBeGreaterThan(5);
    }
  });

  it('is found for a folder of the project, and not that of yesterday', () => {
    for (const [ago, found] of [
      [HOUR, ['src/part3.ts', 'src/part4.ts']],
      [26 * HOUR, []],
    ] as const) {
      const place = setUp();
      edit(place, ['src/part4.ts', 'src/part3.ts'], NOW - ago);
      const { home, root, context } = place;
      const expected = found.map((file) => join(root, file));
      expect(sessionFiles(join(root, 'src'), context).sort()).toEqual(expected);
      expect(sessionFiles(home, context)).toEqual([]);
    }
  });

  it('is found in a worktree of the project', () => {
    const { home, root, context } = setUp();
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', root, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args]);
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
    const worktree = join(home, 'shop-sluice');
    git('worktree', 'add', '--quiet', worktree);
    edit({ home, root: worktree, context }, ['src/part3.ts'], NOW - HOUR);
    expect(context.store.projects.list().map(({ slug }) => slug)).toEqual(['shop']);
    for (const folder of [worktree, join(worktree, 'src')])
      expect(sessionFiles(folder, context)).toEqual([join(worktree, 'src/part3.ts')]);
  });
});

it('a map is made of a project that memory knows by that name, where there is no such folder', async () => {
  const { home, root, context } = setUp();
  const elsewhere = { ...context, projectDir: join(home, 'elsewhere') };
  const named = (project: string) => shownFiles(project, elsewhere);
  await expect(named('shop')).rejects.toThrow('there is no folder');
  edit({ home, root, context }, ['src/part17.ts'], NOW - HOUR);
  expect(await named('shop')).toContain('src/part17.ts');
  expect(await named('Shop')).toContain('src/part17.ts');
  mkdirSync(join(home, 'elsewhere', 'shop'), { recursive: true });
  writeFileSync(join(home, 'elsewhere', 'shop', 'own.ts'), 'export function own() {}\n');
  expect(await named('shop')).toEqual(['own.ts']);
});

it('no map is made of a whole disk, where some applications start servers', async () => {
  const { context } = setUp();
  const projectDir = parse(context.home).root;
  await expect(callTool(repomap, {}, { ...context, projectDir })).rejects.toThrow(
    'expected the absolute path of a project',
  );
});
