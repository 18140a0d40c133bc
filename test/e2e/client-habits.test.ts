import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countTokens } from '@causantic/domain/tokens';
import { temporaryFolder } from '../temporary-folder.js';
import { call, MemoryHome, refusal } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

/** Few tokens, many bytes. */
const RUSSIAN = 'Мельница остановилась, потому что заслонка закрыта и вода не доходит до колеса. ';
/** Many bytes a token, and few. */
const RULED = `${'─'.repeat(70)} all boards of the weir are dry
`;
const DIGITS = '7f3a 9c1e 04b8 d26f 5ea1 c390 8b7d 1f62 a4e8 30d5 ';

let memory: MemoryHome;

beforeAll(async () => {
  memory = new MemoryHome();
  for (let day = 10; day < 24; day++) {
    const options = { session: sessionId(`5000${day}00`), cwd: '/home/ada/mill', start: `2026-02-${day}` };
    const session = new TranscriptBuilder({ ...options, start: `${options.start}T10:00:00Z` });
    for (let n = 0; n < 10; n++) {
      const said = n % 2 ? RUSSIAN : `The mill stands still, since the gate ${n} is shut. `;
      session.exchange(`Why does mill ${n} of day ${day} stand still?`, said.repeat(30));
    }
    session.writeTo(memory.projects);
  }
  // Its newest part takes more bytes than the older ones, which are left out first.
  const weir = { session: sessionId('60001000'), cwd: '/home/ada/weir', start: '2026-02-10T10:00:00Z' };
  const uneven = new TranscriptBuilder(weir);
  for (let n = 0; n < 160; n++)
    uneven.exchange(`Is board ${n} of the weir dry?`, (n < 130 ? DIGITS : RULED).repeat(8));
  uneven.writeTo(memory.projects);
  await memory.ingest();
});
afterAll(() => memory.remove());

function clientNamed(name: string, version = '1.0.0'): Client {
  return new Client({ name, version });
}

const CALLS: [tool: string, args: Record<string, unknown>][] = [
  ['search', { query: 'why does the mill stand still?' }],
  ['search', { query: 'мельница остановилась' }],
  ['reconstruct', { project: 'mill' }],
  ['reconstruct', { project: 'weir' }],
];

describe.each([
  ['opencode', 50_000],
  ['opencode (via mcp-remote 0.15.1)', 50_000],
  ['codex-mcp-client', 34_000],
  ['gemini-cli-mcp-client-causantic-global', 40_000],
  ['qwen-cli-mcp-client-causantic', 27_000],
  ['copilot-cli', 20_000],
  ['Visual Studio Code', 8_000],
  ['Visual Studio Code - Insiders', 8_000],
  ['@cline/core', 7_000],
])('a client that shows less of an answer, %s', (name, mostBytes) => {
  let client: Client;
  beforeAll(async () => {
    client = await memory.connect({}, clientNamed(name));
  });

  it('gets what it shows whole', async () => {
    for (const [tool, args] of CALLS) {
      const { content } = await client.callTool({ name: tool, arguments: args });
      const bytes = Buffer.byteLength((content as [{ text: string }])[0].text);
      expect(bytes).toBeLessThanOrEqual(mostBytes);
      // Beyond 5,000 tokens an answer of `search` holds only what is most relevant, whoever asks.
      expect(bytes).toBeGreaterThan(Math.min(mostBytes / 2, 20_000));
    }
  });

  it('gets no larger map, whatever it asks for', async () => {
    const folder = join(memory.folder, 'large');
    mkdirSync(folder, { recursive: true });
    const functions = Array.from({ length: 3_000 }, (_, n) => `export function turnWheel${n}() {}\n`);
    writeFileSync(join(folder, 'wheels.ts'), functions.join(''));
    const { text } = await call(client, 'repomap', { project: folder, max_tokens: 50_000 });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(mostBytes);
    expect(Buffer.byteLength(text)).toBeGreaterThan(mostBytes / 2);
  });

  it('gets less where its user wants less', async () => {
    const frugal = await memory.connect({ CAUSANTIC_TOKENS_MCP_MAX_RESPONSE: '1000' }, clientNamed(name));
    const { text } = await call(frugal, 'reconstruct', { project: 'mill' });
    expect(countTokens(text)).toBeLessThanOrEqual(1_000);
  });
});

it.each([
  ['2.1.50', false],
  ['2.1.51', true],
  ['2.1.90', true],
  ['2.1.91', false],
])('gives Claude Code %s no more than goes past its files: %s', async (version, isLimited) => {
  const client = await memory.connect({}, clientNamed('claude-code', version));
  const { text } = await call(client, 'reconstruct', { project: 'mill' });
  expect(Buffer.byteLength(text) <= 50_000).toBe(isLimited);
});

it('leaves out of a result what Cline would put before the model', async () => {
  const client = await memory.connect({}, clientNamed('@cline/core'));
  const result = await client.callTool({ name: 'search', arguments: { query: 'mill' } });
  expect(Object.keys(result)).toEqual(['content']);
});

it('takes empty arguments for omitted ones, as models write them', async () => {
  const client = await memory.connect({}, clientNamed('mcp'));
  const omitted = await call(client, 'reconstruct', { project: 'mill' });
  const empty = { session_id: '', from: '', to: null, days_back: null, agent: '' };
  expect((await call(client, 'reconstruct', { project: 'mill', ...empty })).text).toBe(omitted.text);
});

describe('a map of the folder at hand', () => {
  function folderWith(name: string): string {
    const folder = join(memory.folder, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.ts'), `export function from${name.replace(/\W/g, '')}() {}\n`);
    return folder;
  }

  function linkTo(folder: string): string {
    const link = join(temporaryFolder(), 'link');
    symlinkSync(folder, link, 'junction');
    return link;
  }

  function clientIn(...uris: string[]): Client {
    const client = new Client({ name: 'editor', version: '1.0.0' }, { capabilities: { roots: {} } });
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: uris.map((uri) => ({ uri })) }));
    return client;
  }

  it('is one of the folder that the client works in', async () => {
    folderWith('.');
    const uris = ['untitled:one', pathToFileURL(folderWith('work space')).href];
    const client = await memory.connect({}, clientIn(...uris));
    const { text } = await call(client, 'repomap');
    expect(text).toContain('fn fromworkspace');
    expect(text).not.toContain('fn from (');
  });

  it.each([
    ['of another machine', 'file:///C:/Users/ada/mill'],
    ['that is gone', pathToFileURL('/nowhere/at/all').href],
  ])('is not one of a folder %s beside one that is there', async (_what, uri) => {
    const client = await memory.connect({}, clientIn(uri, pathToFileURL(folderWith('beside')).href));
    expect((await call(client, 'repomap')).text).toContain('fn frombeside');
  });

  it('asks the client for no folder where one is named', async () => {
    const client = clientIn();
    let asked = 0;
    client.setRequestHandler(ListRootsRequestSchema, () => {
      asked++;
      return { roots: [] };
    });
    await memory.connect({}, client);
    await call(client, 'repomap', { project: folderWith('named') });
    expect(asked).toBe(0);
  });

  it('asks no client that does not say that it has folders', async () => {
    folderWith('.');
    const client = new Client({ name: 'editor', version: '1.0.0' });
    const asked: string[] = [];
    client.fallbackRequestHandler = ({ method }) => {
      asked.push(method);
      return Promise.resolve({ roots: [] });
    };
    await memory.connect({}, client);
    expect((await call(client, 'repomap')).text).toMatch(/fn from \(/);
    expect(asked).toEqual([]);
  });

  it('is one of the folder that the server was started in where the client works in it, or in all above', async () => {
    folderWith('.');
    const client = await memory.connect(
      {},
      clientIn(pathToFileURL(folderWith('other')).href, pathToFileURL(memory.folder).href),
    );
    expect((await call(client, 'repomap')).text).toMatch(/fn from \(/);
  });

  it('is one of the folder that the server was started in where the client gets there over a link', async () => {
    folderWith('.');
    const link = linkTo(memory.folder);
    const roots = [folderWith('other'), link].map((folder) => pathToFileURL(folder).href);
    const client = await memory.connect({}, clientIn(...roots));
    expect((await call(client, 'repomap')).text).toMatch(/fn from \(/);
  });

  it.each([
    ['fails when it is asked', new Client({ name: 'editor', version: '1' }, { capabilities: { roots: {} } })],
    ['has none', clientIn()],
  ])('is one of the folder that the server was started in where the client %s', async (_how, client) => {
    folderWith('.');
    await memory.connect({}, client);
    expect((await call(client, 'repomap')).text).toMatch(/fn from \(/);
  });

  it.each([
    ['in the home', () => memory.folder],
    ['in the home that a link leads to', () => linkTo(memory.folder)],
  ])('is not made of all that lies %s', async (_where, homeFolder) => {
    const home = homeFolder();
    const client = await memory.connect({ HOME: home, USERPROFILE: home });
    const { message } = await refusal(client, 'repomap', {});
    expect(message).toContain('expected the absolute path of a project');
    expect(message).toContain(memory.folder);
    expect((await call(client, 'repomap', { project: folderWith('here') })).text).toContain('fn fromhere');
  });
});
