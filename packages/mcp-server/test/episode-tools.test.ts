import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig, NotFoundError } from '@causantic/domain';
import { ingestTree } from '@causantic/ingest';
import { Store } from '@causantic/storage';
import { causanticTools } from '../src/causantic/index.js';
import { SemanticService } from '../src/semantic-service.js';
import { callTool, type ToolAnswer, type ToolContext } from '../src/tool.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

let context: ToolContext;

/** A memory without a model, as on a machine that could not fetch one. */
beforeEach(() => {
  const home = temporaryFolder();
  const store = Store.open(':memory:');
  const workers = () => Promise.reject(new Error('no workers'));
  const semantic = new SemanticService({ store, home, workers });
  context = {
    store,
    config: loadConfig({ home, projectDir: home, env: {} }),
    version: '1.2.3',
    home,
    projectDir: home,
    clock: () => 0,
    workers,
    semantic: () => semantic.search(),
    vectors: () => semantic.state(),
    deleteChunks: (ids) => Promise.resolve(store.forgetting.delete(ids)),
  };
  onTestFinished(() => store.close());
});

type Line = [type: 'user' | 'assistant', content: unknown];

/** Ingest a session of these messages. */
function ingest(n: number, lines: readonly Line[], fields: Record<string, unknown> = {}): void {
  const sessionId = `0000000${n}-1111-4222-8333-444444444444`;
  const records = lines.map(([type, content], at) => ({
    type,
    uuid: `0000000${n}-0000-4000-8000-${String(at).padStart(12, '0')}`,
    sessionId,
    timestamp: new Date(Date.UTC(2026, 1, n, 10, at)).toISOString(),
    cwd: '/home/ada/shop',
    message: { role: type, content },
    ...fields,
  }));
  const folder = join(context.home, 'projects');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${sessionId}.jsonl`),
    records.map((each) => `${JSON.stringify(each)}\n`).join(''),
  );
  ingestTree(context.store, [folder]);
}

function tell(): void {
  ingest(1, [
    ['user', 'the till drawer jams'],
    ['assistant', 'A spring is broken.'],
    ['user', 'why did the till explode'],
    ['assistant', 'The broken spring of the drawer.'],
    ['user', 'order a new spring'],
    ['assistant', 'Ordered one for the till.'],
  ]);
  ingest(2, [
    ['user', 'paint the doors'],
    ['assistant', 'Painted.'],
  ]);
}

function call(name: string, input: Record<string, unknown>): Promise<ToolAnswer> {
  return callTool(
    causanticTools.find((tool) => tool.name === name)!,
    input,
    context,
  );
}

const NOT_FOUND_NOTE =
  '[Chain walk: fell back to search — No matching chunks in memory. ' +
  'Search found 0 chunks, 0 seeds, 0 chain(s) attempted, lengths: none]';

describe('recall', () => {
  it('gives a head and the story in order', async () => {
    tell();
    const { text, hits } = await call('recall', { query: 'till explode', project: 'shop' });
    expect(text).toMatch(
      /^Found 2 relevant memory chunks \(\d+ tokens\):\n\n\[Session: 00000001 \| shop \| /,
    );
    expect(text.indexOf('the till drawer jams')).toBeLessThan(text.indexOf('why did the till explode'));
    expect(text).not.toContain('[Chain walk');
    expect(hits).toHaveLength(2);
  });

  it('appends why it fell back to search', async () => {
    tell();
    const { text } = await call('recall', { query: 'paint the doors' });
    expect(text).toMatch(/^Found 1 relevant memory chunks \(\d+ tokens\):\n\n\[Session: 00000002/);
    expect(text.split('\n\n').at(-1)).toBe(
      '[Chain walk: fell back to search — No edges found from seed chunks. ' +
        'Search found 1 chunks, 1 seeds, 0 chain(s) attempted, lengths: none]',
    );
  });

  it('says that there is nothing', async () => {
    const { text } = await call('recall', { query: 'till' });
    expect(text).toBe(`No relevant memory found.\n\n${NOT_FOUND_NOTE}`);
  });

  it.each([
    [{ query: 'till', range: 'medium' }, '"range"'],
    [{ query: ' ' }, '"query"'],
    [{ query: 'till', project: 'bank' }, '"project"'],
    [{ query: 'till', agent: 'nobody' }, '"agent"'],
  ])('refuses %j by name', async (input, named) => {
    tell();
    await expect(call('recall', input)).rejects.toThrow(named);
  });
});

describe('predict', () => {
  it('counts items and tells what came next', async () => {
    tell();
    const { text } = await call('predict', { context: 'the till drawer jams' });
    expect(text).toMatch(/^Potentially relevant context \(3 items\):\n\n\[Session: 00000001/);
    expect(text.indexOf('why did the till explode')).toBeLessThan(text.indexOf('order a new spring'));
  });

  it('says that there is nothing', async () => {
    const { text } = await call('predict', { context: 'till' });
    expect(text).toBe(`No predictions available based on current context.\n\n${NOT_FOUND_NOTE}`);
  });

  it('fills at most half of an answer', async () => {
    ingest(
      1,
      Array.from({ length: 60 }, (_, n): Line => ['user', `till step ${n} ${'drawer '.repeat(40)}`]),
    );
    context = { ...context, config: { ...context.config, tokens: { mcpMaxResponse: 1_000 } } };
    const tokens = ({ hits = [] }: ToolAnswer) => hits.reduce((sum, hit) => sum + hit.chunk.tokens, 0);
    const half = tokens(await call('predict', { context: 'till step' }));
    expect(half).toBeGreaterThan(100);
    expect(half).toBeLessThan(500);
  });
});

describe('explain', () => {
  it('tells the history in order', async () => {
    tell();
    ingest(3, [
      ['user', 'is the till still new?'],
      ['assistant', 'The till is sold.'],
    ]);
    const { text } = await call('explain', { topic: 'till', project: 'shop' });
    expect(text).toMatch(
      /^Found \d relevant memory chunks \(\d+ tokens\):\n\n\[Session: 00000001 \| shop \| /,
    );
    expect(text.lastIndexOf('[Session: 00000001')).toBeLessThan(text.indexOf('[Session: 00000003'));
  });

  it('says that there is nothing, for an unknown project with an error', async () => {
    tell();
    expect((await call('explain', { topic: 'submarines' })).text).toBe('No relevant memory found.');
    await expect(call('explain', { topic: 'till', project: 'bank' })).rejects.toThrow(NotFoundError);
  });
});

it.each([
  ['what raises a setting', undefined, /\(raise tokens\.mcpMaxResponse to list them\)$/],
  ['that the client is the limit', 200, /\(the client does not show longer answers\)$/],
])('a list of projects that is cut says %s', async (_what, mostTokens, end) => {
  for (let n = 1; n <= 20; n++) ingest(n, [['user', 'grind the corn']], { cwd: `/home/ada/mill-${n}` });
  const config = { ...context.config, tokens: { mcpMaxResponse: 200 } };
  context = { ...context, config, ...(mostTokens !== undefined && { mostTokens }) };
  const { text } = await call('list-projects', {});
  expect(text).toContain('mill-20 ');
  expect(text).not.toContain('mill-1 ');
  expect(text).toMatch(end);
});

describe('stats', () => {
  it.each([
    [0, 'FAISS'],
    [3000, 'FAISS; 3000 vectors in 8 bits, scanned'],
  ])('tells of %i vectors that are not exact', async (inEightBits, index) => {
    tell();
    const state = { model: 'm', vectors: 4000, pending: 0, backend: 'faiss' as const, problems: [] };
    context = { ...context, vectors: () => Promise.resolve({ ...state, inEightBits }) };
    const { text } = await call('stats', {});
    expect(text.split('\n')).toContain(`- Index: ${index}`);
  });

  it('counts the edges of agent teams where there are any, and knows their members by name', async () => {
    tell();
    const { text: alone } = await call('stats', {});
    expect(alone).not.toContain('Agent Teams');
    expect(alone).toContain('- Index: none\n- Problem: no workers'); // And the rest is told all the same.
    const team = { teamName: 'shop', agentName: 'ada' };
    const lead: Line[] = [
      ['user', 'build it together'],
      ['assistant', [{ type: 'tool_use', id: 't1', name: 'TeamCreate', input: { team_name: 'shop' } }]],
      ['user', '<teammate-message teammate_id="ada">Tills are mechanical.</teammate-message>'],
    ];
    const message = { to: 'team-lead', message: 'Tills are mechanical.' };
    const member: Line[] = [
      ['user', '<teammate-message teammate_id="team-lead">Read up</teammate-message>'],
      ['assistant', [{ type: 'tool_use', id: 't2', name: 'SendMessage', input: message }]],
    ];
    ingest(3, lead);
    ingest(4, member, team);
    const { text } = await call('stats', {});
    expect(text).toMatch(
      /\nAgent Teams:\n- Agent chunks: 1\n- Distinct agents: 1\n- team-report edges: 1\nVectors:/,
    );
    // As long as `claude-code ada`, which is hers.
    await expect(call('recall', { query: 'till', agent: 'longer-name-ada' })).rejects.toThrow('"agent"');
    expect((await call('recall', { query: 'till', agent: 'claude-code ada' })).text).toContain(
      'Tills are mechanical.',
    );
  });

  it('says which chunks get no vector', async () => {
    tell();
    expect((await call('stats', {})).text).not.toContain('without vectors');
    ingest(3, [
      ['user', 'oil the hinges'],
      ['assistant', [{ type: 'thinking', thinking: 'Which hinges?' }]],
      ['assistant', 'Oiled.'],
    ]);
    const { text } = await call('stats', {});
    expect(text).toMatch(/- Chunks without vectors: 1 \(thoughts, errors and client notes, which search/);
  });
});
