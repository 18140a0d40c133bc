import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WorkerPool } from '@causantic/compute';
import { loadConfig } from '@causantic/domain';
import { ingestTree } from '@causantic/ingest';
import { Store } from '@causantic/storage';
import { causanticTools } from '../src/causantic/index.js';
import { sessionFiles } from '../src/causantic/session-files.js';
import { callTool, type ToolContext } from '../src/tool.js';

const NOW = Date.UTC(2026, 1, 3, 12);
const HOUR = 3_600_000;
const repomap = causanticTools.find(({ name }) => name === 'repomap')!;

/** A project of small files that mention each other in a ring, and a memory of it. */
function setUp(useSession = true) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'causantic-session-')));
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
    rmSync(home, { recursive: true, force: true });
  });
  const config = loadConfig({ home, projectDir: home, env: {}, overrides: { repomap: { useSession } } });
  const workers = () => Promise.resolve(pool);
  const context = { store, config, home, clock: () => NOW, workers } as unknown as ToolContext;
  return { home, root, context };
}

/** Ingest a session in which files were edited. */
function edit(home: string, root: string, files: readonly string[], timeMs: number): void {
  const content = files.map((file, at) => {
    return {
      type: 'tool_use',
      id: `tool-${at}`,
      name: 'Edit',
      input: { file_path: join(root, file), new_string: 'x' },
    };
  });
  const sessionId = '00000001-1111-4222-8333-444444444444';
  const records = (['user', 'assistant'] as const).map((role, at) => ({
    type: role,
    uuid: `00000001-0000-4000-8000-00000000000${at}`,
    sessionId,
    timestamp: new Date(timeMs + at).toISOString(),
    cwd: root,
    message: { role, content: role === 'user' ? 'change the parts' : content },
  }));
  mkdirSync(join(home, 'projects'), { recursive: true });
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  writeFileSync(join(home, 'projects', `${sessionId}.jsonl`), lines);
}

const shownFiles = async (root: string, context: ToolContext) => {
  const { diagnostics } = await callTool(repomap, { project: root, max_tokens: 4000 }, context);
  return (diagnostics as { shownFiles: string[] }).shownFiles;
};

describe('what current work touched', () => {
  it('stands higher in the map, unless it is not to', async () => {
    for (const useSession of [true, false]) {
      const { home, root, context } = setUp(useSession);
      edit(home, root, ['src/part17.ts'], NOW - HOUR);
      ingestTree(context.store, [join(home, 'projects')]);
      const place = (await shownFiles(root, context)).indexOf('src/part17.ts');
      if (useSession) expect(place).toBe(0);
      else expect(place).toBeGreaterThan(5);
    }
  });

  it('is found for a folder of the project, and not that of yesterday', () => {
    for (const [ago, found] of [
      [HOUR, ['src/part3.ts', 'src/part4.ts']],
      [26 * HOUR, []],
    ] as const) {
      const { home, root, context } = setUp();
      edit(home, root, ['src/part4.ts', 'src/part3.ts'], NOW - ago);
      ingestTree(context.store, [join(home, 'projects')]);
      const expected = found.map((file) => join(root, file));
      expect(sessionFiles(join(root, 'src'), context).sort()).toEqual(expected);
      expect(sessionFiles(home, context)).toEqual([]);
    }
  });
});
