import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countTokens } from '@causantic/domain/tokens';
import { call, MemoryHome } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

/** Folder names cost tokens in every header: one short, one in a script that tokenizers know little of. */
const FOLDERS = ['/home/ada/loom', '/home/ada/織機プロジェクト-набор-инструментов'];
const QUESTION = 'how is the loom threaded when the warp breaks?';

let memory: MemoryHome;
const clients = new Map<number, Client>();

beforeAll(async () => {
  memory = new MemoryHome();
  FOLDERS.forEach((cwd, folder) => {
    for (let n = 0; n < 6; n++) writeLoomSession(cwd, `${folder}${n}`);
  });
  await memory.ingest();
  for (const budget of [200, 500, 2_000]) {
    clients.set(budget, await memory.connect({ CAUSANTIC_TOKENS_MCP_MAX_RESPONSE: String(budget) }));
  }
});
afterAll(() => memory.remove());

/** Short and long messages, code, sub-agents that speak in between. All sessions run at the same time. */
function writeLoomSession(cwd: string, n: string): void {
  const options = { session: sessionId(`4000${n.padStart(4, '0')}`), cwd, start: '2026-02-01T10:00:00Z' };
  const task = { subagent_type: 'a-weaver-with-a-rather-long-name', description: 'Look', prompt: 'Look' };
  const code = Array.from(
    { length: 60 },
    (_, line) => `  thread(${line}, warp[${line}]); // heddle ${line}`,
  ).join('\n');
  new TranscriptBuilder(options)
    .exchange(
      `The warp broke on loom ${n}.`,
      `Loom ${n} is threaded from the left. ${'Warp and weft alternate. '.repeat(30)}`,
    )
    .tool('Task', task, 'The loom is old.', { toolUseResult: { agentId: `w${n}` } })
    .exchange('Show the code.', `\`\`\`ts\n${code}\n\`\`\`\nThat threads the loom.`)
    .exchange('経糸が切れました。', '経糸を左から通してください。'.repeat(20))
    .exchange('Thanks.', `The loom runs. ${'🧵 '.repeat(40)}`)
    .writeTo(memory.projects);
  new TranscriptBuilder({ ...options, agentId: `w${n}` })
    .user('Look')
    .answer(`The loom ${n} has a warp beam. ${'It squeaks when the warp breaks. '.repeat(20)}`)
    .writeTo(memory.projects);
}

const SLUG = 'loom';

describe.each([200, 500, 2_000])('with room for %i tokens', (budget) => {
  it.each<[tool: string, args: Record<string, unknown>]>([
    ['search', { query: QUESTION }],
    ['search', { query: '経糸' }],
    ['search', { query: '🧵 loom' }],
    ['search', { query: QUESTION, project: FOLDERS[1] }],
    ['search', { query: QUESTION, agent: 'a-weaver-with-a-rather-long-name' }],
    ['recall', { query: QUESTION }],
    ['explain', { topic: QUESTION }],
    ['predict', { context: QUESTION }],
    ['reconstruct', { project: SLUG }],
    ['reconstruct', { project: FOLDERS[1] }],
    ['reconstruct', { project: FOLDERS[1], keep_newest: false }],
    ['reconstruct', { project: SLUG, from: '2026-02-01T10:03:00Z' }],
    ['reconstruct', { project: SLUG, from: '2026-02-01T10:03:00Z', keep_newest: false }],
    ['reconstruct', { project: FOLDERS[1], from: '2026-02-01T10:07:30Z' }],
    ['reconstruct', { project: SLUG, session_id: sessionId('40000003') }],
    ['reconstruct', { project: SLUG, agent: 'a-weaver-with-a-rather-long-name' }],
    ['forget', { project: FOLDERS[1], query: 'threading a loom', threshold: 0.1 }],
    ['forget', { project: SLUG, query: '"loom"' }],
  ])('%s %j holds whole chunks only, and no more', async (tool, args) => {
    const mustFind = tool === 'reconstruct' || args['query'] === QUESTION;
    const client = clients.get(budget)!;
    if (!(await client.listTools()).tools.some(({ name }) => name === tool)) return;
    const { text, hits } = await call(client, tool, args);
    expect(countTokens(text)).toBeLessThanOrEqual(budget);
    for (const chunk of memory.chunkTexts(hits.map((hit) => hit.chunkId))) expect(text).toContain(chunk);
    if (mustFind && budget > 200) expect(hits.length).toBeGreaterThan(0);
  });
});

it('a large budget is used', async () => {
  const { text } = await call(clients.get(2_000)!, 'search', { query: QUESTION });
  expect(countTokens(text)).toBeGreaterThan(1_000);
  const { text: history } = await call(clients.get(2_000)!, 'reconstruct', { project: SLUG });
  expect(countTokens(history)).toBeGreaterThan(1_000);
});

it('an answer to Codex is no larger than Codex shows to its model', async () => {
  const room = { CAUSANTIC_TOKENS_MCP_MAX_RESPONSE: '12000' };
  const sizes = await Promise.all(
    ['causantic-tests', 'codex-mcp-client'].map(async (name) => {
      const { text } = await call(
        await memory.connect(room, new Client({ name, version: '1' })),
        'reconstruct',
        { project: FOLDERS[1] },
      );
      return countTokens(text);
    }),
  );
  expect(sizes[0]).toBeGreaterThan(8_500);
  expect(sizes[1]).toBeLessThanOrEqual(8_500);
  expect(sizes[1]).toBeGreaterThan(7_000);
});
