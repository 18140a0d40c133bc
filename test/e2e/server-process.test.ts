import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '@causantic/storage';
import { call, callInFull, collected, finished, MemoryHome, refusal, SERVER } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

let memory: MemoryHome;

beforeEach(() => {
  memory = new MemoryHome();
});
afterEach(() => memory.remove());

function writeSession(prefix: string, question: string, answer: string, cwd = '/home/ada/mill'): void {
  new TranscriptBuilder({ session: sessionId(prefix), cwd, start: '2026-02-01T10:00:00Z' })
    .exchange(question, answer)
    .writeTo(memory.projects);
}

const initialize = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bare', version: '1' } },
};

/** A server process that is spoken to in bytes. */
class BareServer {
  private readonly stdout;
  private readonly stderr;
  readonly exit: Promise<number | null>;

  constructor(readonly child: ChildProcess = memory.server()) {
    this.stdout = collected(child.stdout!);
    this.stderr = collected(child.stderr!);
    this.exit = once(child, 'close').then(([code]) => code as number | null);
  }

  send(...messages: (string | Record<string, unknown>)[]): this {
    for (const message of messages) {
      const line = typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message });
      this.child.stdin!.write(`${line}\n`);
    }
    return this;
  }

  call(id: number, name: string, args: Record<string, unknown>): this {
    return this.send({ id, method: 'tools/call', params: { name, arguments: args } });
  }

  /** Wait until the answer with this id is there. */
  async answered(id: number): Promise<Record<string, unknown>> {
    for (;;) {
      const answer = this.messages().find((message) => message['id'] === id);
      if (answer) return answer;
      await once(this.child.stdout!, 'data');
    }
  }

  /** Every line of stdout; throws for one that is not JSON. */
  messages(): Record<string, unknown>[] {
    const lines = this.stdout.text().split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Close stdin; resolves with the exit code. */
  end(): Promise<number | null> {
    this.child.stdin!.end();
    return this.exit;
  }

  get complaints(): string {
    return this.stderr.text();
  }
}

describe('stdout', () => {
  it('tells how far a map is a few times, not once a file', async () => {
    for (let i = 0; i < 400; i++)
      writeFileSync(join(memory.folder, `file${i}.ts`), `const number${i} = ${i};\n`);
    const server = new BareServer().send(initialize);
    const params = { name: 'repomap', arguments: { project: memory.folder }, _meta: { progressToken: 7 } };
    server.send({ id: 1, method: 'tools/call', params });
    await server.answered(1);
    const told = server.messages().filter(({ method }) => method === 'notifications/progress');
    expect(told.at(-1)).toMatchObject({ params: { progressToken: 7, progress: 400, total: 400 } });
    expect(told.length).toBeLessThan(100);
    expect(await server.end()).toBe(0);
  });

  it('refuses who begins without initialize, in a protocol whose answers look different', async () => {
    const params = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
    const list = { method: 'tools/list', params };
    const server = new BareServer().send({ id: 1, method: 'server/discover', params }, { id: 2, ...list });
    expect(await server.answered(1)).toMatchObject({ error: { code: -32601 } });
    expect(await server.answered(2)).toMatchObject({
      error: {
        code: -32022,
        message: expect.stringContaining('version 2026-07-28; begin with initialize') as string,
        data: { requested: '2026-07-28', supported: expect.arrayContaining(['2025-11-25']) as string[] },
      },
    });
    server.send({ ...initialize, params: { ...initialize.params, ...params } }, { id: 3, ...list });
    expect(await server.answered(0)).toMatchObject({ result: { serverInfo: { name: 'causantic' } } });
    expect(await server.answered(3)).toMatchObject({ result: { tools: expect.any(Array) as unknown[] } });
    expect(await server.end()).toBe(0);
  });

  it('carries nothing but JSON-RPC, whatever the client sends', async () => {
    const server = new BareServer().send(
      '{not json',
      '',
      'null',
      '[]',
      '"text"',
      '{"hello":1}',
      '\u0000\u0001\u00ff',
      '{"jsonrpc":"1.0","id":5,"method":"ping"}',
      initialize,
      { method: 'notifications/initialized' },
      '}}}}',
      { id: 1, method: 'ping' },
      { id: 2, method: 'no/such/method' },
    );
    server.call(3, 'stats', {}).call(4, 'no-such-tool', {});
    await Promise.all([1, 2, 3, 4].map((id) => server.answered(id)));
    expect(await server.end()).toBe(0);
    const messages = server.messages();
    for (const message of messages) expect(message['jsonrpc']).toBe('2.0');
    const byId = Object.fromEntries(messages.map((message) => [String(message['id']), message]));
    expect(byId['0']).toMatchObject({ result: { serverInfo: { name: 'causantic' } } });
    expect(byId['1']).toMatchObject({ result: {} });
    expect(byId['2']).toMatchObject({ error: { code: -32601 } });
    expect(byId['3']).toMatchObject({ result: { content: [{ type: 'text' }] } });
    expect(byId['4']).toMatchObject({ error: { code: -32602 } });
  });

  it('answers what is no message, for whoever waits, but neither a notification nor an answer', async () => {
    const server = new BareServer().send(
      '{not json',
      'null',
      `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      { jsonrpc: '1.0', id: 5, method: 'ping' },
      { id: 6, method: 'tools/list', params: [] },
      { id: 7.5, method: 'ping' },
      { method: 'notifications/initialized', params: [] },
      { id: null, error: { code: -32700, message: 'Parse error' } },
      { id: 8, result: null },
      initialize,
    );
    await server.answered(0);
    expect(await server.end()).toBe(0);
    const refused = server.messages().filter(({ error }) => error !== undefined);
    expect(refused.map(({ id, error }) => [id, (error as { code: number }).code])).toEqual([
      [null, -32700],
      [null, -32600],
      [null, -32600],
      [5, -32600],
      [6, -32600],
      [null, -32600],
    ]);
  });

  it('names an argument that is nested too deeply to be told', async () => {
    const nested = `{"query":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const server = new BareServer().send(
      initialize,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":${nested}}}`,
      `{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"search","arguments":${nested}}}`,
    );
    // Node 26 can tell how it begins.
    const message = expect.stringMatching(
      /"(?:arguments\.)?query": got (?:object|\[+\.\.\.); expected text/,
    ) as string;
    expect(await server.answered(1)).toMatchObject({ error: { code: -32002, message } });
    expect(await server.answered(2)).toMatchObject({ error: { code: -32602, message } });
    expect(await server.end()).toBe(0);
  });

  it('takes a batch, and null for parameters that are left out, as some clients send them', async () => {
    const call = { method: 'tools/call', params: { name: 'stats', arguments: null, _meta: null } };
    const batch = [
      { id: 1, method: 'ping', params: null },
      { id: 2, ...call },
    ].map((message) => ({ jsonrpc: '2.0', ...message }));
    const server = new BareServer().send(initialize, JSON.stringify(batch));
    server.send({ id: 3, method: 'tools/list', params: { cursor: null } });
    server.send('\ufeff{ "jsonrpc": "2.0", "id": 4, "method": "ping" }\r');
    for (const id of [1, 2, 3, 4]) expect(await server.answered(id)).toHaveProperty('result');
    expect(await server.end()).toBe(0);
  });

  it('waits for a client that reads slowly, without a word of warning', async () => {
    const server = new BareServer().send(initialize);
    await server.answered(0);
    server.child.stdout!.pause();
    const ids = Array.from({ length: 60 }, (_, n) => n + 1);
    server.send(...ids.map((id) => ({ id, method: 'tools/list' })));
    await setTimeout(500);
    server.child.stdout!.resume();
    await server.answered(60);
    expect(await server.end()).toBe(0);
    expect(server.messages()).toHaveLength(61);
    expect(server.complaints).toBe('');
  });

  it('answers calls that come together, each under its own id', async () => {
    writeSession('aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
    await memory.ingest();
    const server = new BareServer().send(initialize, { method: 'notifications/initialized' });
    const ids = Array.from({ length: 30 }, (_, n) => n + 1);
    for (const id of ids) server.call(id, 'search', { query: id % 2 ? 'what grinds the corn' : 'zvrkk' });
    expect(await server.end()).toBe(0);
    // On a busy machine the server may also tell, under no id, that vectors came too late.
    const answers = server.messages().filter((message) => message['id'] !== 0 && 'id' in message);
    expect(answers.map((answer) => answer['id']).sort((a, b) => Number(a) - Number(b))).toEqual(ids);
    for (const answer of answers) {
      const [{ text }] = (answer['result'] as { content: [{ text: string }] }).content;
      expect(text).toMatch(Number(answer['id']) % 2 ? /mill stone/ : /^No relevant memory found\.$/);
    }
  });
});

// What gives a program a terminal takes other options elsewhere.
it.skipIf(process.platform !== 'linux' || !existsSync('/usr/bin/script'))(
  'whoever starts a server at a terminal is told what it waits for',
  async () => {
    const env = { ...process.env, CAUSANTIC_HOME: memory.home };
    const line = `'${process.execPath}' '${SERVER}' serve`;
    const child = spawn('/usr/bin/script', ['-qec', line, '/dev/null'], { env, cwd: memory.folder });
    const said = collected(child.stdout);
    while (!said.text().includes('waiting for an MCP client')) await once(child.stdout, 'data');
    child.stdin.write('\u0004');
    expect(await once(child, 'close')).toEqual([0, null]);
  },
);

describe('the server exits', () => {
  it('when stdin closes before anything was said', async () => {
    const server = new BareServer();
    expect(await server.end()).toBe(0);
    expect(server.complaints).toBe('');
  });

  it('when stdin closes after initialize', async () => {
    const server = new BareServer().send(initialize);
    await server.answered(0);
    expect(await server.end()).toBe(0);
    expect(server.complaints).toBe('');
  });

  it('when stdin closes during a call, having finished and answered it', async () => {
    writeSession('aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
    await memory.ingest();
    const server = new BareServer().send(initialize, { method: 'notifications/initialized' });
    server.call(1, 'forget', { project: 'mill', dry_run: false });
    expect(await server.end()).toBe(0);
    const answer = server.messages().find((message) => message['id'] === 1);
    expect(answer).toMatchObject({
      result: { content: [{ text: expect.stringMatching(/^Deleted 1 chunk/) as string }] },
    });
    expect((await memory.causantic('list-projects')).stdout).toBe('No projects found in memory.\n');
  });

  it.skipIf(process.platform === 'win32').each([
    ['some seconds after stdin closed, whatever a map still takes', false],
    ['on a signal after stdin closed, whatever a map still takes', true],
  ])('%s', async (_, signalled) => {
    writeFileSync(join(memory.folder, 'git'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
    const path = `${memory.folder}:${process.env['PATH']}`;
    const server = new BareServer(memory.serverWith({ PATH: path })).send(initialize);
    server.call(1, 'repomap', { project: memory.folder }).send({ id: 2, method: 'ping' });
    await server.answered(2);
    const exit = server.end();
    // Whichever of the three comes first begins to close, and the next one is impatient.
    if (signalled) for (const signal of ['SIGTERM', 'SIGINT'] as const) server.child.kill(signal);
    expect(await exit).toBe(0);
    expect(server.messages().find((message) => message['id'] === 1)).toMatchObject({
      error: { code: -32002, data: { code: 'ABORTED' } },
    });
  });

  it.skipIf(process.platform === 'win32')(
    'on a signal after stdin closed, also if nobody reads its answers',
    async () => {
      const server = new BareServer().send(initialize);
      await server.answered(0);
      server.child.stdout!.pause();
      const ids = Array.from({ length: 60 }, (_, n) => n + 1);
      server.send(...ids.map((id) => ({ id, method: 'tools/list' })));
      server.child.stdin!.end();
      await setTimeout(500);
      const exited = once(server.child, 'exit');
      server.child.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
    },
  );

  it.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'on %s, having finished a call',
    async (signal) => {
      writeSession('aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
      await memory.ingest();
      const server = new BareServer().send(initialize);
      await server.answered(0);
      server.call(1, 'forget', { project: 'mill', dry_run: false }).send({ id: 2, method: 'ping' });
      await server.answered(2);
      server.child.kill(signal);
      expect(await server.exit).toBe(0);
      expect(await server.answered(1)).toHaveProperty('result');
    },
  );

  it('when nobody reads what it says', async () => {
    const server = new BareServer();
    server.child.stdout!.destroy();
    server.send(initialize, { id: 1, method: 'ping' });
    expect(await server.exit).toBe(0);
  });

  it.each([[[]], [['--set', 'tokens.mcpMaxResponse=8000']]])(
    'when nobody reads what it says any more, having finished and closed what it wrote to (%j)',
    async (options) => {
      writeSession('aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
      await memory.ingest();
      const env = { ...process.env, CAUSANTIC_HOME: memory.home };
      const child = spawn(process.execPath, [SERVER, 'serve', ...options], { env, cwd: memory.folder });
      const server = new BareServer(child).send(initialize);
      await server.answered(0);
      server.call(1, 'forget', { project: 'mill', dry_run: false }).send({ id: 2, method: 'ping' });
      await server.answered(2);
      child.stdout.destroy();
      server.send({ id: 3, method: 'ping' });
      expect(await server.exit).toBe(0);
      expect(readdirSync(memory.home).filter((name) => name.startsWith('memory.db'))).toEqual(['memory.db']);
      expect((await memory.causantic('list-projects')).stdout).toBe('No projects found in memory.\n');
    },
  );

  it('after a message larger than it takes', async () => {
    const server = new BareServer();
    server.child.stdin!.on('error', () => undefined);
    server.send(initialize);
    await server.answered(0);
    server.call(1, 'search', { query: 'x'.repeat(12_000_000) });
    expect(await server.exit).toBe(0);
    expect(server.complaints).toContain('a message of more than 10 MB arrived');
  });

  it('after the same when nobody reads its complaints', async () => {
    const server = new BareServer();
    server.child.stdin!.on('error', () => undefined);
    server.child.stderr!.destroy();
    server.send(initialize, 'x'.repeat(12_000_000));
    expect(await server.exit).toBe(0);
  });
});

describe.skipIf(process.platform === 'win32')('a folder that is deleted', () => {
  const called = ['-c', 'mkdir gone; cd gone; rmdir ../gone; exec "$0" "$@"', process.execPath, SERVER];
  const env = (): NodeJS.ProcessEnv => ({ ...process.env, CAUSANTIC_HOME: memory.home });

  beforeEach(async () => {
    writeSession('aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
    await memory.ingest();
  });

  it.each([[[]], [['--set', 'repomap.maxTokens=500']]])(
    'before a server starts in it leaves it without a project of its own: serve %j',
    async (options) => {
      const args = [...called, 'serve', ...options];
      const server = new BareServer(spawn('sh', args, { env: env(), cwd: memory.folder }));
      server.send(initialize).call(1, 'search', { query: 'corn' }).call(2, 'repomap', {});
      writeFileSync(join(memory.folder, 'mill.ts'), 'export function grind() {}');
      server.call(3, 'repomap', { project: memory.folder });
      expect(await server.answered(1)).toHaveProperty('result');
      expect(await server.answered(2)).toMatchObject({
        error: { message: expect.stringMatching(/"project".*absolute path.*was deleted/) as string },
      });
      expect(await server.answered(3)).toHaveProperty('result');
      expect(await server.end()).toBe(0);
      expect(server.complaints).toBe('');
    },
  );

  it('while a server runs in it does not end that', async () => {
    const folder = join(memory.folder, 'worktree');
    mkdirSync(folder);
    writeFileSync(join(folder, 'mill.ts'), 'export function grind() {}');
    const server = new BareServer(spawn(process.execPath, [SERVER, 'serve'], { env: env(), cwd: folder }));
    await server.send(initialize).answered(0);
    rmSync(folder, { recursive: true });
    expect(await server.call(1, 'search', { query: 'corn' }).answered(1)).toHaveProperty('result');
    mkdirSync(folder);
    writeFileSync(join(folder, 'mill.ts'), 'export function grind() {}');
    expect(await server.call(2, 'repomap', {}).answered(2)).toMatchObject({
      result: { content: [{ text: expect.stringContaining('fn grind') as string }] },
    });
    expect(await server.end()).toBe(0);
    expect(server.complaints).toBe('');
  });

  it('is told of to whoever types a command in it', async () => {
    const child = spawn('sh', [...called, 'list-projects'], { env: env(), cwd: memory.folder });
    expect(await finished(child)).toMatchObject({
      code: 1,
      stderr: 'causantic: The current folder was deleted; change to another one first.\n',
    });
  });
});

describe.skipIf(process.platform === 'win32')('nothing of ONNX Runtime’s telemetry', () => {
  it.each(['search', 'doctor'])('is left in the home of a user by %s', async (command) => {
    writeSession('aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
    await memory.ingest();
    const user = join(memory.folder, 'user');
    mkdirSync(user);
    // Without what says that this is a test: telemetry is off where that is known.
    const env = { HOME: user, PATH: process.env['PATH'], CAUSANTIC_HOME: memory.home };
    const args = command === 'search' ? [command, 'corn'] : [command];
    const child = spawn(process.execPath, [SERVER, ...args], { env });
    const { stdout } = await finished(child);
    expect(stdout).toContain(command === 'search' ? 'mill stone' : 'onnxruntime-node');
    expect(readdirSync(user)).toEqual([]);
  });
});

describe('an update below a running server', () => {
  it('is told of by what needs files that are gone, and nothing else', async () => {
    const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url));
    const program = mkdtempSync(join(modules, '.causantic-'));
    try {
      for (const part of ['bin', 'dist', 'package.json'])
        cpSync(join(SERVER, '../..', part), join(program, part), { recursive: true });
      const child = memory.serverOf(join(program, 'bin', basename(SERVER)));
      const server = new BareServer(child).send(initialize).call(1, 'list-projects', {});
      expect(await server.answered(1)).toHaveProperty('result');
      rmSync(join(program, 'dist'), { recursive: true });
      server.call(2, 'repomap', { project: memory.folder }).call(3, 'list-sessions', { project: 7 });
      expect(JSON.stringify(await server.answered(2))).toMatch(
        /-32002.*Cannot find module.*Restart the server/,
      );
      expect(JSON.stringify(await server.answered(3))).not.toContain('Restart the server');
      child.stdin!.end();
      await server.exit;
    } finally {
      rmSync(program, { recursive: true, force: true });
    }
  });
});

describe('several processes and one memory', () => {
  it('a running server sees at once what another process ingested', async () => {
    writeSession('aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
    await memory.ingest();
    const client = await memory.connect();
    expect((await call(client, 'search', { query: 'who feeds the heron?' })).text).toBe(
      'No relevant memory found.',
    );
    expect((await call(client, 'list-projects')).text).not.toContain('pond');
    writeSession('bbbb0001', 'Who feeds the heron?', 'Nobody feeds the heron, it fishes.', '/home/ada/pond');
    await memory.ingest();
    const { hits } = await call(client, 'search', { query: 'who feeds the heron?', project: 'pond' });
    expect(hits.map((hit) => hit.sessionId)).toEqual([sessionId('bbbb0001')]);
    expect((await call(client, 'list-projects')).text).toMatch(/^- pond \(1 chunks, /m);
    expect((await call(client, 'list-sessions', { project: 'pond' })).text).toContain('- bbbb0001 (');
    expect((await call(client, 'stats')).text).toContain('- pond: 1 chunks (');
    expect((await call(client, 'reconstruct', { project: 'pond' })).text).toContain('it fishes');
  });

  it('a server that began before there was a memory sees it come', async () => {
    const client = await memory.connect();
    expect((await call(client, 'list-projects')).text).toBe('No projects found in memory.');
    writeSession('aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
    await memory.ingest();
    expect((await call(client, 'list-projects')).text).toContain('- mill (1 chunks');
  });

  // On Windows a file that somebody has open cannot be deleted.
  it.skipIf(process.platform === 'win32')(
    'a memory that was deleted beneath a server and made anew is the one it works with',
    async () => {
      writeSession('aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
      await memory.ingest();
      const client = await memory.connect();
      expect((await call(client, 'search', { query: 'what grinds the corn' })).hits).toHaveLength(1);
      rmSync(memory.home, { recursive: true });
      rmSync(memory.projects, { recursive: true });
      expect((await call(client, 'list-projects')).text).toBe('No projects found in memory.');
      writeSession(
        'bbbb0001',
        'Who feeds the heron?',
        'Nobody feeds the heron, it fishes.',
        '/home/ada/pond',
      );
      await memory.ingest();
      expect((await call(client, 'list-projects')).text).toMatch(/^- pond \(1 chunks, /m);
      const { hits } = await callInFull(client, 'search', { query: 'who feeds the heron' });
      expect(hits.map((hit) => [hit.sessionId, hit.sources.includes('vector')])).toEqual([
        [sessionId('bbbb0001'), true],
      ]);
      // The chunk of the pond has the number that the chunk of the mill had.
      const { message } = await refusal(client, 'forget', { project: 'mill', dry_run: false });
      expect(message).toContain('unknown project "mill"; expected one of: pond.');
      expect((await call(client, 'stats')).text).toContain('- pond: 1 chunks (');
    },
  );

  it('a memory that a newer program changed beneath a server is told of, and left as it is', async () => {
    writeSession('aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
    await memory.ingest();
    const client = await memory.connect();
    expect((await call(client, 'search', { query: 'what grinds the corn' })).hits).toHaveLength(1);
    const newer = openSqlite(join(memory.home, 'memory.db'));
    newer.exec(`INSERT INTO schema_version VALUES (999, '2099-01-01 00:00:00.000');
      ALTER TABLE chunk RENAME COLUMN text TO words;`);
    newer.close();
    for (const [tool, args] of [
      ['search', { query: 'what grinds the corn' }],
      ['reconstruct', { project: 'mill' }],
      ['forget', { project: 'mill', dry_run: false }],
    ] as const) {
      expect(await call(client, tool, args).catch((error: Error) => ({ text: error.message }))).toMatchObject(
        {
          text: expect.stringContaining('schema version 999, but this program only knows') as string,
        },
      );
    }
  });

  it('two servers, two ingests and a deletion at once lose nothing, and nobody hears of a lock', async () => {
    const sessions = Array.from({ length: 24 }, (_, n) => String(n).padStart(4, '0'));
    writeSession('cccc0000', 'Old things?', 'Old things go.', '/home/ada/attic');
    await memory.ingest();
    const clients = await Promise.all([memory.connect(), memory.connect()]);
    for (const n of sessions) {
      writeSession(
        `dddd${n}`,
        `What does bucket ${n} hold?`,
        `Bucket ${n} holds ${'corn and '.repeat(200)}oats.`,
      );
    }
    const ingests = [memory.ingest(), memory.ingest()];
    let running = true;
    const done = Promise.all(ingests).then(() => (running = false));
    const deletion = call(clients[0]!, 'forget', { project: 'attic', dry_run: false });
    const asking = clients.map(async (client) => {
      while (running) {
        await call(client, 'search', { query: 'what does bucket 0007 hold?' });
        await call(client, 'stats');
        await call(client, 'reconstruct', { project: 'attic' });
      }
    });
    await Promise.all([done, deletion, ...asking]);
    for (const client of clients) {
      const { text } = await call(client, 'list-sessions', { project: 'mill', limit: 100 });
      expect(text).toContain('Sessions for "mill" (24 total):');
      expect((await call(client, 'list-projects')).text).not.toContain('attic');
    }
    const { chunks, skipped } = await memory.ingest();
    expect({ chunks, skipped }).toMatchObject({ chunks: 0 });
    for (const client of clients) {
      const { hits } = await call(client, 'search', { query: 'what does bucket 0007 hold?' });
      expect(hits[0]!.sessionId).toBe(sessionId('dddd0007'));
    }
  });
});

describe.skipIf(process.platform === 'win32')('the home is nobody else’s', () => {
  const modes = (): Record<string, string> => {
    const entries = readdirSync(memory.home, { recursive: true, withFileTypes: true });
    const all = entries.map((entry) => join(entry.parentPath, entry.name));
    return Object.fromEntries(
      [memory.home, ...all].map((path) => [path, (statSync(path).mode & 0o777).toString(8)]),
    );
  };

  function expectPrivate(): void {
    const found = modes();
    expect(Object.keys(found).length).toBeGreaterThan(1);
    for (const [path, mode] of Object.entries(found)) {
      expect(mode, path).toBe(statSync(path).isDirectory() ? '700' : '600');
    }
  }

  it('made by an ingest, and used by a server', async () => {
    writeSession('aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
    await memory.ingest();
    expectPrivate();
    const client = await memory.connect();
    await call(client, 'search', { query: 'corn' });
    expectPrivate();
    await call(client, 'forget', { project: 'mill', dry_run: false });
    expectPrivate();
  });

  it('made by a server', async () => {
    await call(await memory.connect(), 'stats');
    expectPrivate();
  });
});
