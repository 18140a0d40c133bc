import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { LoggingMessageNotificationSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, MemoryHome } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

const MILL = '/home/ada/mill & 風車 100%';

let memory: MemoryHome;
let client: Client;

beforeAll(async () => {
  memory = new MemoryHome();
  writeSession('aaaa0001', MILL);
  writeSession('aaaa0002', MILL);
  writeSession('bbbb0001', '/home/ada/windmill');
  writeSession('dddd0001', '/home/ada/windmill');
  write(sessionId('dddd0001').replace(/.$/, 'f'), MILL);
  await memory.ingest();
  client = await memory.connect();
});
afterAll(() => memory.remove());

function writeSession(prefix: string, cwd: string, home = memory): void {
  write(sessionId(prefix), cwd, home);
}

function write(session: string, cwd: string, home = memory): void {
  new TranscriptBuilder({ session, cwd, start: '2026-02-01T10:00:00Z' })
    .exchange('What grinds the corn?', 'The mill stone grinds the corn.')
    .writeTo(home.projects);
}

const textAt = async (uri: string): Promise<string> => {
  const { contents } = await client.readResource({ uri });
  expect(contents).toEqual([{ uri, mimeType: 'text/plain', text: expect.any(String) as string }]);
  return (contents[0] as { text: string }).text;
};

describe('resources', () => {
  it('are the projects, each of which can be read, with the text of the tool', async () => {
    const { resources, nextCursor } = await client.listResources();
    expect(nextCursor).toBeUndefined();
    expect(resources.map(({ name }) => name).sort()).toEqual(
      ['projects', 'mill-&-風車-100%', 'windmill'].sort(),
    );
    expect(await textAt('causantic://projects')).toBe((await call(client, 'list-projects')).text);
    for (const { name, uri } of resources.filter((resource) => resource.name !== 'projects')) {
      expect(await textAt(uri)).toBe((await call(client, 'list-sessions', { project: name })).text);
    }
  });

  it('are sessions, by their whole id or its first 8 characters', async () => {
    const id = sessionId('bbbb0001');
    const { text } = await call(client, 'reconstruct', { project: 'windmill', session_id: id });
    expect(text).toContain('mill stone');
    expect(await textAt(`causantic://sessions/${id}`)).toBe(text);
    expect(await textAt('causantic://sessions/bbbb0001')).toBe(text);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'causantic://projects/{project}',
      'causantic://sessions/{id}',
    ]);
  });

  it.each([
    'causantic://projects/loom',
    'causantic://projects/%',
    'causantic://projects/mill/more',
    'causantic://sessions/cccc0001',
    'causantic://sessions/aaaa',
    'causantic://sessions/dddd0001',
    'causantic://',
    'causantic://clusters',
    'file:///etc/passwd',
  ])('%s is refused with the number of MCP', async (uri) => {
    const outcome: unknown = await client.readResource({ uri }).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(McpError);
    expect(outcome).toMatchObject({ code: -32002, data: { uri } });
  });

  it.each(['junk', '-1', '1.5', '7'])('cursor %s, which no answer held, is refused', async (cursor) => {
    const outcome: unknown = await client.listResources({ cursor }).catch((error: unknown) => error);
    expect(outcome).toMatchObject({ code: -32602 });
  });

  it('come in pages where there are many', async () => {
    const many = MemoryHome.ofTest();
    for (let n = 0; n < 200; n++) {
      writeSession(`c${String(n).padStart(7, '0')}`, `/home/ada/loom-${n}`, many);
    }
    await many.ingest();
    const reader = await many.connect();
    const first = await reader.listResources();
    const second = await reader.listResources({ cursor: first.nextCursor! });
    expect(second.nextCursor).toBeUndefined();
    const uris = [...first.resources, ...second.resources].map(({ uri }) => uri);
    expect(new Set(uris).size).toBe(201);
  });
});

describe('completion', () => {
  it.each<[argument: string, typed: string, values: string[]]>([
    ['project', 'mill', ['mill-&-風車-100%', 'windmill']],
    ['project', 'WIND', ['windmill']],
    ['project', '', ['mill-&-風車-100%', 'windmill']],
    ['project', 'loom', []],
    ['id', 'bbbb', [sessionId('bbbb0001')]],
    ['id', 'aaaa', [sessionId('aaaa0002'), sessionId('aaaa0001')]],
    ['session_id', 'aaaa0002', [sessionId('aaaa0002')]],
    ['query', 'mi', []],
  ])('of %s "%s" gives %j', async (name, value, values) => {
    const ref = { type: 'ref/resource' as const, uri: 'causantic://projects/{project}' };
    const { completion } = await client.complete({ ref, argument: { name, value } });
    expect(completion).toEqual({ values, hasMore: false });
  });
});

describe('prompts', () => {
  it('are those of the skills, and lead to tools that there are', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name).sort()).toEqual(
      'explain forget list-projects predict recall reconstruct resume search status'.split(' '),
    );
    const { tools } = await client.listTools();
    for (const { name, arguments: parameters = [] } of prompts) {
      const given = Object.fromEntries(parameters.map((each) => [each.name, `<${each.name}>`]));
      const { messages } = await client.getPrompt({ name, arguments: given });
      const { text } = messages[0]!.content as { text: string };
      for (const value of Object.values(given)) expect(text).toContain(value);
      const named = [...text.matchAll(/`([a-z-]+)`/g)].map(([, tool]) => tool!);
      expect(named.length).toBeGreaterThan(0);
      for (const tool of named) expect(tools.map((each) => each.name)).toContain(tool);
    }
  });

  it.each<[name: string, given: Record<string, string>, message: RegExp]>([
    ['weave', {}, /Unknown prompt "weave"\. Known: recall,/],
    ['search', {}, /"search" needs the argument "query"/],
    ['search', { query: '  ' }, /"search" needs the argument "query"/],
    ['status', { project: 'mill' }, /"status" has no argument "project"/],
  ])('%s %j is refused', async (name, given, message) => {
    const outcome: unknown = await client
      .getPrompt({ name, arguments: given })
      .catch((error: unknown) => error);
    expect(outcome).toMatchObject({ code: -32602, message: expect.stringMatching(message) as string });
  });

  it('of unreasonable length is not told again in whole, nor is an address or a page', async () => {
    const long = 'x'.repeat(100_000);
    const refused = [
      client.getPrompt({ name: long }),
      client.getPrompt({ name: 'status', arguments: { [long]: 'y' } }),
      client.readResource({ uri: `causantic://sessions/${long}` }),
      client.listResources({ cursor: long }),
    ];
    for (const outcome of await Promise.allSettled(refused)) {
      const { code, message, data } = (outcome as PromiseRejectedResult).reason as Record<string, unknown>;
      expect(code).toBeLessThan(0);
      expect(JSON.stringify([message, data]).length).toBeLessThan(1_000);
    }
  });

  it('take one argument of opencode, which gives the last of its own placeholders all that is typed', async () => {
    const given = { project: '$1', query: '$2', session_id: '$3' };
    const { messages } = await client.getPrompt({ name: 'forget', arguments: given });
    const { text } = messages[0]!.content as { text: string };
    expect(text).toContain('"$1"');
    expect(text).not.toMatch(/\$[23]|session_id|query/);
  });

  it('of a question have no other argument in Qwen Code, which would give each a word of it and drop the rest', async () => {
    const qwen = new Client({ name: 'qwen-cli-mcp-client-causantic', version: '0.0.1' });
    const { prompts } = await (await memory.connect({}, qwen)).listPrompts();
    const named = Object.fromEntries(
      prompts.map((each) => [each.name, each.arguments!.map(({ name }) => name)]),
    );
    expect(named).toMatchObject({ recall: ['query'], explain: ['topic'], resume: ['project'] });
    expect(named['reconstruct']).toEqual(['project', 'session_id', 'days_back']);
  });

  it('tell what was typed in Claude Code, which gives each argument a word of it', async () => {
    const version = { name: 'claude-code', version: '2.1.330' };
    const claudeCode = await memory.connect({}, new Client(version));
    const ask = async (given: Record<string, string>, name = 'recall'): Promise<string> => {
      const { messages } = await claudeCode.getPrompt({ name, arguments: given });
      return (messages[0]!.content as { text: string }).text;
    };
    expect(await ask({ query: 'how', project: 'did' })).toContain('All of it is in <command-args> above');
    expect(await ask({ query: 'hinges' })).not.toContain('<command-args>');
    expect(await ask({}, 'status')).not.toContain('<command-args>');
  });

  it('leave out what was not given', async () => {
    const { messages } = await client.getPrompt({ name: 'reconstruct', arguments: { project: 'mill' } });
    expect((messages[0]!.content as { text: string }).text).not.toMatch(/undefined|session_id|days_back/);
  });
});

describe('what changes', () => {
  it('a client that has seen the list of projects hears of a new one', async () => {
    const other = MemoryHome.ofTest();
    const listener = await other.connect();
    let heard = 0;
    const changed = new Promise<void>((resolve) => {
      listener.fallbackNotificationHandler = ({ method }) => {
        if (method === 'notifications/resources/list_changed') heard++;
        resolve();
        return Promise.resolve();
      };
    });
    expect((await listener.listResources()).resources).toHaveLength(1);
    writeSession('dddd0001', '/home/ada/pond', other);
    await other.ingest();
    await changed;
    expect(heard).toBe(1);
    expect((await listener.listResources()).resources.map(({ name }) => name)).toEqual(['projects', 'pond']);
  });
});

describe('logging', () => {
  it('tells what a client asked for, and nothing below it', async () => {
    const logged: string[] = [];
    const listener = await memory.connect();
    listener.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      logged.push(params.level);
    });
    await call(listener, 'stats');
    await listener.callTool({ name: 'search', arguments: {} }).catch(() => undefined);
    expect(logged).toEqual([]);
    await listener.setLoggingLevel('info');
    await call(listener, 'stats');
    await listener.callTool({ name: 'search', arguments: {} }).catch(() => undefined);
    await listener.setLoggingLevel('debug');
    await call(listener, 'stats');
    await listener.ping();
    expect(logged).toEqual(['info', 'debug']);
  });

  it.each(['search', 'recall', 'predict', 'explain'])(
    'tells that a cancelled %s was not finished',
    async (name) => {
      const client = await memory.connect();
      const logged = new Promise((resolve) => {
        client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => resolve(params.data));
      });
      await client.setLoggingLevel('debug');
      const cancelling = new AbortController();
      const question = { search: 'query', recall: 'query', predict: 'context', explain: 'topic' }[name]!;
      const request = { name, arguments: { [question]: 'what grinds the corn' } };
      const asked = client.callTool(request, undefined, { signal: cancelling.signal });
      cancelling.abort('never mind');
      await expect(asked).rejects.toThrow('never mind');
      expect(await logged).toEqual({ tool: name, failed: 'The search was cancelled.' });
    },
  );
});
