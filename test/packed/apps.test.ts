import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { call } from '../e2e/memory-home.js';
import { Consumer, manifestOf, workspace } from './consumer.js';

const apps = ['apps/mcp-server', 'apps/reindex'];
const consumer = new Consumer();
const home = { CAUSANTIC_HOME: consumer.file('home'), CLAUDE_CONFIG_DIR: consumer.file('claude') };

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
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program('causantic'), 'serve'],
    env: { ...Object.fromEntries(inherited), ...home },
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

  it('read transcripts, and serve them over stdio by words, by meaning and as a map', async () => {
    const sample = join(workspace, 'test', 'sample', 'claude', 'projects');
    const read = await consumer.node([program('causantic-reindex'), '--source', sample, '--json'], home);
    expect(read.ok, read.output).toBe(true);
    expect(JSON.parse(read.output)).toMatchObject({ issues: [], vectors: 38 });
    const client = await connect();
    try {
      const { hits } = await call(client, 'search', { query: 'DROP TABLE deletes rows in a migration' });
      const sources = new Set(hits.flatMap((hit) => hit.sources));
      expect([...sources]).toEqual(expect.arrayContaining(['vector', 'keyword']));
      const map = await call(client, 'repomap', { project: join(workspace, 'packages', 'algorithms') });
      expect(map.text).toContain('hdbscan');
      expect(map.diagnostics).not.toMatchObject({ degraded: expect.anything() as unknown });
      const deleted = await call(client, 'forget', { project: 'harbor-api', dry_run: false });
      expect(deleted.text).toMatch(/^Deleted \d+ chunk/);
    } finally {
      await client.close();
    }
  });
});
