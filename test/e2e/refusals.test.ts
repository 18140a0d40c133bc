import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { EmptyResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SESSIONS, writeAppSessions } from './app-sessions.js';
import { call, MemoryHome, refusal } from './memory-home.js';

const UNKNOWN_TOOL = -32602;
const TOOL_ERROR = -32002;

let memory: MemoryHome;
let client: Client;
let statsBefore: string;

beforeAll(async () => {
  memory = new MemoryHome();
  writeAppSessions(memory.projects);
  await memory.ingest();
  client = await memory.connect();
  ({ text: statsBefore } = await call(client, 'stats'));
});
afterAll(() => memory.remove());

// Whatever was refused has changed nothing.
afterEach(async () => {
  expect((await call(client, 'stats')).text).toBe(statsBefore);
});

type Args = Record<string, unknown>;

describe('an unknown tool', () => {
  it.each(['remember', '', 'SEARCH', '__proto__', 'toString'])('%j has JSON-RPC’s own code', async (name) => {
    const { code, message } = await refusal(client, name, {});
    expect(code).toBe(UNKNOWN_TOOL);
    expect(message).toContain(`"${name}"`);
    expect(message).toContain('list-projects');
  });

  it('of unreasonable length is not told again in whole', async () => {
    const { code, message } = await refusal(client, 'x'.repeat(100_000), {});
    expect([code, message.length < 500]).toEqual([UNKNOWN_TOOL, true]);
  });
});

describe('an argument that is not accepted is named, with what would be', () => {
  it.each<[tool: string, args: Args, argument: string, says: RegExp]>([
    [
      'search',
      {},
      'query',
      /got nothing; expected text: What to search for in memory\. Be specific .* need\.$/,
    ],
    ['search', { query: 7 }, 'query', /got 7; expected text/],
    ['search', { query: null }, 'query', /expected text/],
    ['search', { query: ['a'] }, 'query', /expected text/],
    ['search', { query: '' }, 'query', /not empty/],
    ['search', { query: ' \n\t ' }, 'query', /not empty/],
    ['search', { query: 'x', limit: 5 }, 'limit', /only these arguments: query, project, agent\.$/],
    ['search', { query: 'x', project: 'no-such-app' }, 'project', /"no-such-app"; expected one of: .*my-app/],
    ['search', { query: 'x', project: ' ' }, 'project', /not empty/],
    ['list-sessions', { project: '' }, 'project', /not empty/],
    ['list-sessions', { project: 'my-app', from: ' ' }, 'from', /not empty/],
    ['search', { query: 'x', agent: 'nobody' }, 'agent', /"nobody"; expected one of: researcher/],
    ['search', { query: 'x', agent: 'researcher', project: 'api-server' }, 'agent', /researcher/],
    ['list-projects', { project: 'my-app' }, 'project', /; expected no arguments\./],
    ['repomap', { project: 'my-app' }, 'project', /no folder .*my-app; expected the path of a source tree/],
    ['list-sessions', {}, 'project', /expected text/],
    ['list-sessions', { project: 'my-app', limit: 0 }, 'limit', /at least 1/],
    ['list-sessions', { project: 'my-app', limit: 1.5 }, 'limit', /whole number/],
    ['list-sessions', { project: 'my-app', limit: 1e9 }, 'limit', /at most/],
    ['list-sessions', { project: 'my-app', limit: '5' }, 'limit', /number/],
    ['list-sessions', { project: 'my-app', days_back: -1 }, 'days_back', /greater than 0/],
    ['list-sessions', { project: 'my-app', from: 'yesterday' }, 'from', /ISO 8601/],
    ['list-sessions', { project: 'my-app', from: '2026-02-08', to: '2026-02-01' }, 'to', /after "from" \(2/],
    ['list-sessions', { project: 'my-app', to: '2026-02-01', days_back: 1 }, 'to', /after 1 day ago/],
    ['forget', {}, 'project', /expected text/],
    ['forget', { project: 'no-such-app', dry_run: false }, 'project', /my-app/],
    ['forget', { project: 'my-app', dry_run: 'false' }, 'dry_run', /got "false"; expected true or false/],
    ['forget', { project: 'my-app', dry_run: 0 }, 'dry_run', /true or false/],
    ['forget', { project: 'my-app', dry_run: null }, 'dry_run', /true or false/],
    ['forget', { project: 'my-app', dryRun: false }, 'dryRun', /only these arguments: project, before/],
    ...[
      'junk',
      '2026-02-30',
      '2026-13-01',
      '2026-2-8',
      '08.02.2026',
      '2026',
      '1770000000000',
      'null',
      '2026-02-08T25:00',
    ].map((before): [string, Args, string, RegExp] => [
      'forget',
      { project: 'my-app', before, dry_run: false },
      'before',
      /expected an ISO 8601 date/,
    ]),
    ['forget', { project: 'my-app', after: 'junk', dry_run: false }, 'after', /ISO 8601/],
    ['forget', { project: 'my-app', before: '', dry_run: false }, 'before', /not empty/],
    ['forget', { project: 'my-app', session_id: '', dry_run: false }, 'session_id', /not empty/],
    ['forget', { project: 'my-app', session_id: 'a1b2', dry_run: false }, 'session_id', /first 8 characters/],
    ['forget', { project: 'my-app', session_id: '%', dry_run: false }, 'session_id', /see list-sessions/],
    [
      'forget',
      { project: 'my-app', session_id: 'd4c3b2a1', dry_run: false },
      'session_id',
      /no session .* in this project; it is one of project "api-server"\.$/,
    ],
    ['forget', { project: 'api-server', session_id: '77777777', dry_run: false }, 'session_id', /candidates/],
  ])('%s %j', async (tool, args, argument, says) => {
    const { code, message, data } = await refusal(client, tool, args);
    expect(code).toBe(TOOL_ERROR);
    expect(message).toContain(`"${tool}"`);
    expect(message).toContain(`Invalid argument "${argument}"`);
    expect(message).toMatch(says);
    expect(data).toMatchObject({ tool, argument });
  });

  it.each<[tool: string, args: Args, argument: string]>([
    ['search', { query: 'x' }, 'project'],
    ['recall', { query: 'x' }, 'agent'],
    ['list-sessions', {}, 'project'],
    ['reconstruct', { project: 'my-app' }, 'session_id'],
    ['forget', { project: 'my-app' }, 'before'],
    ['repomap', {}, 'project'],
  ])('a name of unreasonable length, which %s %j would tell again', async (tool, args, argument) => {
    const { code, message } = await refusal(client, tool, { ...args, [argument]: 'x'.repeat(4_097) });
    expect(code).toBe(TOOL_ERROR);
    expect(message).toMatch(new RegExp(`"${argument}".*at most 4096 characters`));
    expect(message.length).toBeLessThan(500);
  });

  it('an argument that there is not, with a name of unreasonable length', async () => {
    const outcome = await refusal(client, 'search', { query: 'x', ['y'.repeat(100_000)]: 1 });
    expect(outcome.message).toMatch(/"yyy.*only these arguments: query/);
    expect(JSON.stringify(outcome).length).toBeLessThan(1_000);
  });

  it('a query of unreasonable length', async () => {
    const { code, message } = await refusal(client, 'search', { query: 'x'.repeat(200_001) });
    expect(code).toBe(TOOL_ERROR);
    expect(message).toMatch(/"query".*at most 200000 characters/);
    expect(message.length).toBeLessThan(500);
  });

  it.each(['query', ['query'], 7, true])('arguments that are no object: %j', async (given) => {
    const { code, message } = await refusal(client, 'search', given as unknown as Args);
    expect(code).toBe(TOOL_ERROR);
    expect(message).toContain(`"arguments": got ${JSON.stringify(given)}; expected an object`);
  });

  it('null for all arguments is none, as some clients send it', async () => {
    const none = null as unknown as Args;
    expect((await call(client, 'list-projects', none)).text).toMatch(/^Projects in memory:/);
    expect((await refusal(client, 'search', none)).message).toMatch(/"query": got nothing/);
  });

  it('no arguments at all, as the protocol allows, are none', async () => {
    const { content } = await client.callTool({ name: 'list-projects' });
    expect(content).toMatchObject([{ text: expect.stringMatching(/^Projects in memory:/) }]);
    await expect(client.callTool({ name: 'search' })).rejects.toMatchObject({ code: TOOL_ERROR });
  });
});

describe('wrong parameters of a method have JSON-RPC’s own code and are named', () => {
  it.each<[method: string, params: Args | undefined, says: string]>([
    ['tools/call', undefined, '"params": got nothing; expected an object'],
    ['tools/call', {}, '"name": got nothing; expected text'],
    ['tools/call', { name: 7 }, '"name": got 7; expected text'],
    ['resources/read', {}, '"uri": got nothing; expected text'],
    ['resources/list', { cursor: 7 }, '"cursor": got 7; expected text'],
    ['prompts/get', { name: 'recall', arguments: { query: 7 } }, '"arguments.query": got 7; expected text'],
    ['prompts/get', { name: 'recall', arguments: [] }, '"arguments": got []; expected an object'],
    ['logging/setLevel', { level: 'loud' }, '"level": got "loud"; expected one of: debug, info'],
    ['completion/complete', { argument: { name: 'project', value: '' } }, '"ref"'],
    [
      'completion/complete',
      { ref: { type: 'ref/tool' }, argument: { name: 'project', value: '' } },
      '"ref.type": got "ref/tool"; expected one of: ref/prompt, ref/resource',
    ],
    ['initialize', { capabilities: {} }, '"protocolVersion": got nothing; expected text'],
    [
      'initialize',
      { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bare' } },
      '"clientInfo.version": got nothing; expected text',
    ],
  ])('%s %j', async (method, params, says) => {
    const outcome: unknown = await client
      .request({ method, ...(params && { params }) }, EmptyResultSchema)
      .catch((error: unknown) => error);
    expect(outcome).toMatchObject({ code: -32602, message: expect.stringContaining(says) as string });
  });
});

it('an ambiguous session id lists the candidates', async () => {
  const { message } = await refusal(client, 'forget', { project: 'api-server', session_id: '77777777' });
  for (const candidate of SESSIONS.twins) expect(message).toContain(candidate);
});

it('one more character than is ambiguous will do', async () => {
  const unique = SESSIONS.twins[1].slice(0, 10);
  const { text } = await call(client, 'reconstruct', { project: 'api-server', session_id: unique });
  expect(text).toContain('Queue 1 is renamed.');
  expect(text).not.toContain('Queue 0 is renamed.');
});

describe('reconstruct tells its own errors as text', () => {
  it.each<[args: Args, says: RegExp]>([
    [{ project: 'no-such-app' }, /^Error: .*"project".*my-app/],
    [{ project: 'my-app', session_id: 'ffffffff' }, /^Error: .*"session_id".*"ffffffff"/],
    [{ project: 'my-app', session_id: 'a1b2' }, /^Error: .*"session_id".*8 characters/],
    [{ project: 'api-server', session_id: '77777777' }, /^Error: .*candidates: 77777777-1111.*77777777-2222/],
    [{ project: 'my-app', from: 'junk' }, /^Error: .*"from".*ISO 8601/],
    [{ project: 'my-app', to: '2026-02-30' }, /^Error: .*"to".*ISO 8601/],
    [{ project: 'my-app', from: '2026-02-08', to: '2026-02-01' }, /^Error: .*"to"/],
    [{ project: 'my-app', agent: 'nobody' }, /^Error: .*"agent".*researcher/],
    [{ project: 'my-app', previous_session: true }, /^Error: .*"current_session_id"/],
    [
      { project: 'my-app', previous_session: true, current_session_id: 'c9d0e1f2', session_id: 'a1b2c3d4' },
      /^Error: .*"session_id".*previous_session/,
    ],
    [
      { project: 'my-app', previous_session: true, current_session_id: 'c9d0e1f2' },
      /^Error: .*no session before/,
    ],
    [
      { project: 'api-server', previous_session: true, current_session_id: '77777777' },
      /^Error: .*"current_session_id".*candidates/,
    ],
  ])('%j', async (args, says) => {
    const { text, hits } = await call(client, 'reconstruct', args);
    expect(text).toMatch(says);
    expect(hits).toEqual([]);
  });
});

describe('a setting that is wrong', () => {
  it.each([
    ['CAUSANTIC_TOKENS_MCP_MAX_RESPONSE', 'plenty', /tokens\.mcpMaxResponse/],
    ['CAUSANTIC_TOKENS_MCP_MAX_RESPONS', '500', /tokens\.mcpMaxRespons/],
  ])('%s=%s is told by each tool, and the server stays', async (name, value, says) => {
    const misled = await memory.connect({ [name]: value });
    for (const tool of ['stats', 'list-projects']) {
      const { code, message } = await refusal(misled, tool, {});
      expect(code).toBe(TOOL_ERROR);
      expect(message).toMatch(says);
      expect(message).toContain('environment');
    }
  });
});
