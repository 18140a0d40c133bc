import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { SQLITE_PACKAGE } from '@causantic/storage';
import { neutralEnvironment } from '../e2e/environment.js';
import { call, collected } from '../e2e/memory-home.js';
import { Consumer, manifestOf, workspace } from './consumer.js';

const apps = ['apps/mcp-server', 'apps/reindex'];
const consumer = new Consumer();
const sample = join(workspace, 'test', 'sample', 'claude', 'projects');
const home = {
  CAUSANTIC_HOME: consumer.file('home'),
  CLAUDE_CONFIG_DIR: consumer.file('claude'),
  HOME: consumer.folder,
  USERPROFILE: consumer.folder,
};

beforeAll(async () => {
  const installed = await consumer.install(apps);
  expect(installed.output).not.toMatch(/npm error/);
  expect(installed.ok).toBe(true);
});
afterAll(() => consumer.remove());

function program(name: string): string {
  return consumer.file('node_modules', name, 'bin', `${name}.mjs`);
}

async function connect(): Promise<Client> {
  const client = new Client({ name: 'causantic-packed', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program('causantic'), 'serve'],
    env: { ...neutralEnvironment(), ...home },
    cwd: consumer.folder,
  });
  await client.connect(transport);
  return client;
}

describe('the packed apps, installed far from the workspace', () => {
  it.each(apps)('%s brings what a package needs', (folder) => {
    const { name } = manifestOf(join(workspace, folder));
    for (const file of ['README.md', 'LICENSE', 'dist/THIRD-PARTY-NOTICES.txt']) {
      expect(existsSync(consumer.file('node_modules', name, file)), file).toBe(true);
    }
    expect(existsSync(consumer.file('node_modules', name, 'dist', 'types'))).toBe(false);
  });

  it('need none of the workspace packages', () => {
    expect(existsSync(consumer.file('node_modules', '@causantic'))).toBe(false);
  });

  it.each(['causantic', 'causantic-reindex'])('npx finds %s', async (name) => {
    const { output, ok } = await consumer.npm('exec', '--offline', '--', name, '--version');
    expect(ok, output).toBe(true);
    expect(output).toContain(manifestOf(consumer.file('node_modules', name)).version);
  });

  it.runIf('enableCompileCache' in module).each(['causantic', 'causantic-reindex'])(
    '%s keeps its compiled code beside itself',
    async (name) => {
      const cache = consumer.file('node_modules', name, '.compile-cache');
      rmSync(cache, { recursive: true, force: true });
      expect(await consumer.node([program(name), '--version'])).toMatchObject({ ok: true });
      expect(existsSync(cache)).toBe(true);
    },
  );

  it.runIf(process.platform === 'linux' && process.arch === 'x64')(
    'keep onnxruntime-node from downloading GPU libraries',
    async () => {
      // As npm runs them: first the scripts before the install, then that of the dependency.
      const environment = { npm_config_local_prefix: '', npm_package_json: '', ONNXRUNTIME_NODE_INSTALL: '' };
      const [script, copy] = ['causantic', 'causantic-reindex'].map((name) =>
        consumer.file('node_modules', name, 'install', 'skip-gpu-download.mjs'),
      ) as [string, string];
      // Each app is packed by itself, and has its own.
      expect(readFileSync(copy, 'utf8')).toBe(readFileSync(script, 'utf8'));
      expect(await consumer.node([script])).toMatchObject({ ok: true, output: '' });
      const install = consumer.file('node_modules', 'onnxruntime-node', 'script', 'install.js');
      expect(await consumer.node([install], environment)).toMatchObject({ ok: true, output: '' });
    },
  );

  it.each(['embed-task', 'faiss-worker', 'vector-read-task', 'parse-task'])(
    'load little for a question: %s needs no zod',
    (name) => {
      const loaded = loadedWith(consumer.file('node_modules', 'causantic', 'dist', `${name}.js`));
      expect(loaded.some((code) => code.includes('/node_modules/zod/'))).toBe(false);
    },
  );

  it('hold no checks of answers that their server asks nobody for', () => {
    const dist = consumer.file('node_modules', 'causantic', 'dist');
    const code = readdirSync(dist).filter((name) => name.endsWith('.js'));
    const holding = code.filter((name) =>
      readFileSync(join(dist, name), 'utf8').includes('/node_modules/ajv/'),
    );
    expect({ all: code.length > 0, holding }).toEqual({ all: true, holding: [] });
  });

  it('read transcripts', async () => {
    const read = await consumer.node([program('causantic-reindex'), '--source', sample, '--json'], home);
    expect(read.ok, read.output).toBe(true);
    expect(JSON.parse(read.output)).toMatchObject({ issues: [], vectors: 38 });
  });

  it('brief a new session, as a hook', async () => {
    const session = { session_id: 'x', source: 'startup', hook_event_name: 'SessionStart' };
    const input = JSON.stringify({ ...session, cwd: '/home/mira/code/harbor-api' });
    const { code, stdout, stderr } = await runWithInput(input, 'hook', 'session-start');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { hookSpecificOutput } = JSON.parse(stdout) as {
      hookSpecificOutput: { additionalContext: string };
    };
    expect(hookSpecificOutput.additionalContext).toContain('harbor-api');
  });

  it('register with Claude Code and leave no trace', async () => {
    const settings = consumer.file('claude', 'settings.json');
    const before = '{\n  // mine\n  "hooks": {},\n  "model": "x"\n}\n';
    mkdirSync(consumer.file('claude'), { recursive: true });
    writeFileSync(settings, before);
    const set = await consumer.node([program('causantic'), 'init', '--yes', '--no-import'], home);
    expect(set.ok, set.output).toBe(true);
    expect(readFileSync(settings, 'utf8')).toContain('session-start');
    expect(existsSync(consumer.file('claude', 'skills'))).toBe(true);
    const unset = await consumer.node([program('causantic'), 'uninstall'], home);
    expect(unset.ok, unset.output).toBe(true);
    expect(readFileSync(settings, 'utf8')).toBe(before);
  });

  it('serve over stdio by words, by meaning and as a map', async () => {
    const client = await connect();
    try {
      const sources = async () => {
        const { hits } = await call(client, 'search', { query: 'DROP TABLE deletes rows in a migration' });
        return hits.flatMap((hit) => hit.sources);
      };
      // While the model is being loaded, words alone decide.
      await expect.poll(sources, { timeout: 60_000 }).toContain('vector');
      expect(await sources()).toContain('keyword');
      const map = await call(client, 'repomap', { project: join(workspace, 'packages', 'algorithms') });
      expect(map.text).toContain('hdbscan');
      expect(map.diagnostics).not.toMatchObject({ degraded: expect.anything() as unknown });
      const deleted = await call(client, 'forget', { project: 'harbor-api', dry_run: false });
      expect(deleted.text).toMatch(/^Deleted \d+ chunk/);
    } finally {
      await client.close();
    }
  });

  it('read and search by meaning where ONNX Runtime does not load', async () => {
    const other = { ...home, CAUSANTIC_HOME: consumer.file('without-runtime') };
    for (const path of binariesOf('onnxruntime-node')) rmSync(path);
    const read = await consumer.node([program('causantic-reindex'), '--source', sample], other);
    const asked = await consumer.node([program('causantic'), 'search', 'bookings', '--json'], other);
    const examined = await consumer.node([program('causantic'), 'doctor'], other);
    restore('onnxruntime-node');
    expect(read).toMatchObject({ ok: true, output: expect.stringMatching(/ [1-9]\d* vectors/) });
    expect(asked.output).toContain('"vector"');
    expect(examined.output).toMatch(/info {2}onnxruntime-node .*built-in model[^]*ok {4}model/);
  });

  it('read and search by words without a model', async () => {
    const other = { ...home, CAUSANTIC_HOME: consumer.file('without-model') };
    const graphs = ['causantic', 'causantic-reindex'].map((app) =>
      consumer.file('node_modules', app, 'dist', 'assets', 'compute', 'model', 'model.onnx'),
    );
    for (const graph of graphs) renameSync(graph, `${graph}.away`);
    const read = await consumer.node([program('causantic-reindex'), '--source', sample], other);
    const asked = await consumer.node([program('causantic'), 'search', 'bookings', '--json'], other);
    for (const graph of graphs) renameSync(`${graph}.away`, graph);
    expect(read).toMatchObject({
      ok: true,
      output: expect.stringMatching(/0 vectors[^]*search uses words alone/),
    });
    expect(asked.output).toContain('bookings');
  });

  const harms = [
    ['is missing', undefined],
    ['was made for another machine', 'no binary'],
  ] as const;
  describe.each(harms)('where a binary %s', (_, content) => {
    it.each([
      ['tree-sitter', ['repomap', join(workspace, 'packages', 'graph')]],
      [SQLITE_PACKAGE, ['search', 'bookings']],
    ])('tell how to mend %s', async (name, command) => {
      for (const path of binariesOf(name)) {
        // The consumer's files are the workspace's own under another name: never write into one.
        rmSync(path, { force: true });
        if (content !== undefined) writeFileSync(path, content);
      }
      const asked = await consumer.node([program('causantic'), ...command], home);
      expect(asked.ok).toBe(false);
      expect(asked.output).toMatch(new RegExp(`^causantic: .*${name} is missing.*npm rebuild ${name}`));
      const examined = await consumer.node([program('causantic'), 'doctor'], home);
      expect(examined.output).toMatch(new RegExp(`FAIL {2}${name} .*\\n.*npm rebuild ${name}`));
      expect(examined.output).toMatch(/(ok {4}|info {2})onnxruntime-node/);
      restore(name);
    });
  });
});

/** The code of a bundled file and of all that it imports at once. */
function loadedWith(path: string, known = new Set<string>()): string[] {
  if (known.has(path)) return [];
  known.add(path);
  const code = readFileSync(path, 'utf8');
  const imported = [...code.matchAll(/(?:^import|^\} from) "(\.\/[^"]+)"/gm)].map(([, name]) => name!);
  return [code, ...imported.flatMap((name) => loadedWith(join(dirname(path), name), known))];
}

/** Where the workspace has them, so that one which a test has taken away is named again. */
function binariesOf(name: string): string[] {
  const files = readdirSync(join(workspace, 'node_modules', name), { recursive: true }).map(String);
  return files
    .filter((file) => file.endsWith('.node'))
    .map((file) => consumer.file('node_modules', name, file));
}

function restore(name: string): void {
  for (const path of binariesOf(name)) copyFileSync(path.replace(consumer.folder, workspace), path);
}

async function runWithInput(input: string, ...args: string[]) {
  const child = spawn(process.execPath, [program('causantic'), ...args], {
    cwd: consumer.folder,
    env: { ...neutralEnvironment(), ...home },
  });
  const [stdout, stderr] = [collected(child.stdout), collected(child.stderr)];
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}
