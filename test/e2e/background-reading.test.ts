import { once } from 'node:events';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '@causantic/storage';
import { CopilotSession } from '../../packages/ingest/test/copilot-session.js';
import { ClineSession } from '../../packages/ingest/test/cline-session.js';
import { OpencodeDatabase, toolPart } from '../../packages/ingest/test/opencode-database.js';
import { QwenSession } from '../../packages/ingest/test/qwen-session.js';
import { Recording, sessionId } from '../../packages/ingest/test/recording.js';
import { Rollout } from '../../packages/ingest/test/rollout.js';
import { call, MemoryHome } from './memory-home.js';

let memory: MemoryHome;

beforeEach(() => {
  memory = new MemoryHome();
});
afterEach(() => memory.remove());

const threadId = (n: number): string => `019e0000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** Last written an hour ago, unless told otherwise. */
function put(rollout: Rollout, at = memory, secondsAgo = 3600): void {
  const name = `rollout-2026-03-01T10-00-00-${rollout.thread}.jsonl`;
  const path = rollout.writeTo(join(at.codexSessions, '2026', '03', '01', name));
  const time = Date.now() / 1000 - secondsAgo;
  utimesSync(path, time, time);
}

function session(n: number, question: string, answer: string, cwd = '/home/ada/shop'): Rollout {
  return new Rollout(threadId(n), { cwd }).context().prompt(question).answer(answer);
}

/** What the server is told of itself by the client that it works for. */
function clientNamed(name: string): Client {
  return new Client({ name, version: '0.169.0' });
}

const codex = (): Client => clientNamed('codex-mcp-client');

/** What is read piece by piece is not there all at once. */
const PATIENT = { timeout: 20_000 };

/** Ask until it is found; the test's own time limit ends it. */
async function found(client: Client, query: string): Promise<string> {
  for (;;) {
    const { text } = await call(client, 'search', { query });
    if (text.startsWith('Found ')) return text;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** All that is stored. */
function stored(at = memory): string[] {
  const database = openSqlite(join(at.home, 'memory.db'), { readonly: true });
  const texts = database.prepare('SELECT text FROM chunk').pluck().all() as string[];
  database.close();
  return texts.sort();
}

/** Until nothing is left to read or to link, as `causantic-reindex` sees it. */
async function isComplete(at = memory): Promise<boolean> {
  const report = await at.ingest();
  return report.turns === 0;
}

describe('sessions that Codex has kept', () => {
  it('are read by the server that it starts, which makes the memory for them', async () => {
    put(session(1, 'Why do the heddles jam?', 'The heddles were mounted upside down.'));
    const client = await memory.connect({}, codex());
    expect(await found(client, 'heddles')).toContain('mounted upside down');
    expect((await call(client, 'list-sessions', { project: 'shop' })).text).toContain('(1 total)');
    expect(await isComplete()).toBe(true);
  });

  it('are read as those of Gemini CLI are by a server of its', async () => {
    const at = (id: string, type: string, content: string) => ({
      id,
      timestamp: '2026-02-03T10:00:00Z',
      type,
      content,
    });
    const messages = [
      at('u1', 'user', 'Which treadle lifts the harness?'),
      at('g1', 'gemini', 'The left treadle lifts it.'),
    ];
    const head = {
      sessionId: '9e313100-2f6d-4d55-9a0b-6f2f0e7c1a11',
      projectHash: 'x',
      startTime: '2026-02-03T10:00:00Z',
    };
    mkdirSync(memory.geminiChats, { recursive: true });
    writeFileSync(
      join(memory.geminiChats, 'session-2026-02-03T10-00-9e313100.json'),
      JSON.stringify({ ...head, messages }),
    );
    put(session(1, 'Why do the heddles jam?', 'They were upside down.'));
    const client = await memory.connect({}, clientNamed('gemini-cli-mcp-client-causantic'));
    expect(await found(client, 'treadle')).toContain('The left treadle');
    expect((await call(client, 'search', { query: 'heddles' })).hits).toEqual([]);
  });

  it('are read as those of Copilot CLI are, but for what a session has just asked', async () => {
    const asked = (n: number): CopilotSession =>
      new CopilotSession(`s${n}`, n).prompt(`What of treadle ${n}?`);
    const answered = asked(1).answer('It is oiled.').event('session.shutdown', {});
    const asking = asked(2).answer('I ask the memory.', [['t', 'causantic-search', { query: 'treadle' }]]);
    const aBit = Date.now() / 1000 - 5;
    for (const path of [answered, asking].map((each) => each.writeTo(memory.copilotSessions)))
      utimesSync(path, aBit, aBit);
    const client = await memory.connect({}, clientNamed('copilot-cli'));
    expect(await found(client, 'treadle')).toContain('It is oiled.');
    expect(stored()).toHaveLength(1);
    await memory.disconnect();
    utimesSync(asking.gave('t', 'oiled').answer('It is dry.').writeTo(memory.copilotSessions), aBit, aBit);
    await found(await memory.connect({}, clientNamed('copilot-cli')), 'dry');
    expect(stored()).toHaveLength(2);
  });

  it.each([
    {
      client: 'Qwen Code',
      name: 'qwen-cli-mcp-client-causantic',
      tool: 'mcp__causantic__search',
      folder: () => memory.qwenProjects,
      session: (n: number) => new QwenSession(`s${n}`, n),
    },
    {
      client: 'Cline',
      name: '@cline/core',
      tool: 'causantic__search',
      folder: () => memory.clineSessions,
      session: (n: number) => new ClineSession(`s${n}`),
    },
  ])('are read as those of $client are, but for what a session has just asked', async (of) => {
    const put = (session: { writeTo(folder: string): string }): void => {
      const aBit = Date.now() / 1000 - 5;
      utimesSync(session.writeTo(of.folder()), aBit, aBit);
    };
    const asking = of.session(2).prompt('What of treadle 2?');
    put(of.session(1).prompt('What of treadle 1?').answer('It is oiled.'));
    put(asking.answer('I ask the memory.', [['t', of.tool, { query: 'treadle' }]]));
    expect(await found(await memory.connect({}, clientNamed(of.name)), 'treadle')).toContain('It is oiled.');
    expect(stored()).toHaveLength(1);
    await memory.disconnect();
    put(asking.answer('It is dry.'));
    await found(await memory.connect({}, clientNamed(of.name)), 'dry');
    expect(stored()).toHaveLength(2);
  });

  it('are read as those of opencode are, but for what a session has just asked', async () => {
    const db = new OpencodeDatabase(memory.opencodeFolder, Date.now() - 45_000);
    db.session('ses_1').prompt('What of treadle 1?').answer('It is oiled.');
    const asking = db.session('ses_2').prompt('What of treadle 2?');
    asking.answer('I ask the memory.', [toolPart('causantic_search', { query: 'treadle' })]);
    const client = await memory.connect({}, clientNamed('opencode'));
    expect(await found(client, 'treadle')).toContain('It is oiled.');
    expect(stored()).toHaveLength(1);
    await memory.disconnect();
    asking.answer('It is dry.');
    await found(await memory.connect({}, clientNamed('opencode')), 'dry');
    expect(stored()).toHaveLength(2);
    db.close();
  });

  it('are read as those of Claude Code are, but for what a session has just asked', async () => {
    const putClaudes = (n: number, recording: Recording, secondsAgo: number): void => {
      const path = recording.writeTo(join(memory.projects, '-home-ada-shop', `${sessionId(n)}.jsonl`));
      const time = Date.now() / 1000 - secondsAgo;
      utimesSync(path, time, time);
    };
    const asked = (n: number): Recording => new Recording(sessionId(n)).user(`What of treadle ${n}?`);
    putClaudes(1, asked(1).answer('It is dry.'), 3600);
    putClaudes(2, asked(2).answer('It is oiled.').record({ type: 'system', subtype: 'turn_duration' }), 5);
    putClaudes(3, asked(3), 5);
    putClaudes(4, asked(4).answer('I ask the memory.').call('t', 'mcp__causantic__search', {}), 5);
    putClaudes(5, asked(5), 3600);
    await found(await memory.connect({}, clientNamed('claude-code')), 'treadle 5');
    const questions = () => stored().flatMap((text) => /treadle \d/.exec(text) ?? []);
    await expect.poll(questions, PATIENT).toEqual(['treadle 1', 'treadle 2', 'treadle 5']);
    await memory.disconnect();
    for (const n of [3, 4]) putClaudes(n, asked(n).answer('It creaks.'), 5);
    await found(await memory.connect({}, clientNamed('claude-code')), 'treadle 4');
    await expect.poll(questions, PATIENT).toHaveLength(5);
  });

  it('are read with what Claude Code notes beside them, until it deletes a note', async () => {
    const folder = join(memory.projects, '-home-ada-shop');
    mkdirSync(join(folder, 'memory'), { recursive: true });
    const notes = ['loom', 'reed'].map((name) => join(folder, 'memory', `${name}.md`));
    for (const note of notes) writeFileSync(note, `The ${note} stands by the window.`);
    const hourAgo = Date.now() / 1000 - 3600;
    for (const note of notes) utimesSync(note, hourAgo, hourAgo);
    await found(await memory.connect({}, clientNamed('claude-code')), 'reed.md stands');
    await memory.disconnect();
    rmSync(notes[0]!);
    await memory.connect({}, clientNamed('claude-code'));
    while (stored().length > 1) await new Promise((resolve) => setTimeout(resolve, 100));
    expect(stored()).toEqual([expect.stringContaining('reed.md stands')]);
  });

  it('are left alone for other clients, and where it is switched off', async () => {
    const others = [MemoryHome.ofTest(), MemoryHome.ofTest(), MemoryHome.ofTest()];
    for (const at of [...others, memory])
      put(session(1, 'Why do the heddles jam?', 'They were upside down.'), at);
    writeFileSync(join(others[2]!.folder, 'causantic.config.json'), '{"ingest":{"background":true}}');
    const clients = [
      await others[0]!.connect({}, clientNamed('another-client')),
      await others[1]!.connect({ CAUSANTIC_INGEST_BACKGROUND: 'false' }, codex()),
      await others[2]!.connect({ CAUSANTIC_INGEST_BACKGROUND: 'false' }, codex()),
    ];
    await found(await memory.connect({}, codex()), 'heddles');
    for (const client of clients)
      expect((await call(client, 'search', { query: 'heddles' })).hits).toEqual([]);
  });

  it('that have grown are read on at the next start, and their open turn is told once', async () => {
    const rollout = session(1, 'Why do the heddles jam?', 'I look at the loom.');
    put(rollout);
    await found(await memory.connect({}, codex()), 'heddles');
    await memory.disconnect();
    put(rollout.answer('The reed was bent.').prompt('And the shuttle?').answer('The shuttle is dry.'));
    await found(await memory.connect({}, codex()), 'shuttle');
    await memory.disconnect();
    const inPieces = stored();
    expect(await isComplete()).toBe(true);
    const atOnce = MemoryHome.ofTest();
    put(rollout, atOnce);
    await atOnce.ingest();
    expect(inPieces).toEqual(stored(atOnce));
  });

  it('that go on are left to the next start: nobody finds the question that was just asked', async () => {
    const treadle = session(1, 'What is known of the treadle?', 'I ask the memory.');
    const shuttle = session(2, 'What is known of the shuttle?', 'I ask the memory.');
    const heddles = session(3, 'Why do the heddles jam?', 'The heddles were mounted upside down.');
    // As one that began before its server, and one that ended before the next began.
    put(shuttle, memory, 5);
    put(heddles.event({ type: 'task_complete', turn_id: 't' }), memory, 5);
    const client = await memory.connect({}, codex());
    put(treadle, memory, 0);
    await found(client, 'heddles');
    for (const query of ['treadle', 'shuttle'])
      expect((await call(client, 'search', { query })).hits).toEqual([]);
    await memory.disconnect();
    put(shuttle);
    put(treadle);
    const next = await memory.connect({}, codex());
    await found(next, 'shuttle');
    await found(next, 'treadle');
  });

  it('stay out where the user or their own project leaves them out, whatever other projects say', async () => {
    const [own, secret, off] = ['own', 'secret', 'off'].map((name) => join(memory.folder, name));
    for (const folder of [own!, secret!, off!, memory.home]) mkdirSync(folder, { recursive: true });
    const settings = (excludePaths: string[]): string => JSON.stringify({ ingest: { excludePaths } });
    writeFileSync(join(memory.home, 'config.json'), settings(['**/secret']));
    writeFileSync(join(secret!, 'causantic.config.json'), settings([]));
    writeFileSync(join(own!, 'causantic.config.json'), settings(['**']));
    writeFileSync(join(off!, 'causantic.config.json'), '{"ingest":{"background":false}}');
    writeFileSync(join(memory.folder, 'causantic.config.json'), settings([]));
    put(session(1, 'Where is the treasure?', 'Below the oak.', secret));
    put(session(2, 'Where is the diary?', 'Behind the mill.', own));
    put(session(3, 'Where is the letter?', 'Under the bed.', off));
    put(session(4, 'Where is the till?', 'Beside the door.'));
    const client = await memory.connect({}, codex());
    await found(client, 'till');
    const asked = (): string[] => stored().filter((text) => text.includes('Where is'));
    expect(asked()).toEqual([expect.stringContaining('till')]);
    await memory.disconnect();
    // Read on demand, what stays out is the same; only that it is not read in the background says nothing.
    await memory.reindex('--source', memory.codexSessions);
    expect(asked()).toEqual([expect.stringContaining('letter'), expect.stringContaining('till')]);
  });

  it('of a project whose settings cannot be read are named in one warning, and the others are read', async () => {
    const broken = join(memory.folder, 'broken');
    mkdirSync(broken);
    writeFileSync(join(broken, 'causantic.config.json'), '{"ingest":{"backgrund":false}}');
    put(session(1, 'Where is the diary?', 'Behind the mill.', broken));
    put(session(2, 'Where is the till?', 'Beside the door.'));
    const client = codex();
    // A busy server may also warn of a search that had to do without vectors.
    const warnings: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params: { level, data } }) => {
      const { problem } = data as { problem?: string };
      if (problem !== undefined) warnings.push([level, problem]);
    });
    await memory.connect({}, client);
    await found(client, 'till');
    const one = [['warning', expect.stringContaining('ingest.backgrund')]];
    await expect.poll(() => warnings, PATIENT).toEqual(one);
    expect((await call(client, 'search', { query: 'diary' })).hits).toEqual([]);
  });

  it('are whole in the end though one server was killed in the middle and two others read at once', async () => {
    const rollouts = Array.from({ length: 16 }, (_, n) => {
      const long = session(n, `What does bucket ${n} hold?`, `Bucket ${n} holds corn.`);
      for (let at = 0; at < 60; at++)
        long.answer(`Pound ${at} of bucket ${n}. ${`And oats ${at}. `.repeat(100)}`).prompt(`And ${at}?`);
      return long;
    });
    for (const rollout of rollouts) put(rollout);
    expect(await startAndKill()).toBeLessThan(rollouts.length);
    const clients = await Promise.all([memory.connect({}, codex()), memory.connect({}, codex())]);
    const last = `bucket ${rollouts.length - 1}`;
    await Promise.all(clients.map((client) => found(client, last)));
    while (sessionsRead() < rollouts.length) await new Promise((resolve) => setTimeout(resolve, 50));
    await memory.disconnect();
    await memory.ingest();
    const once = MemoryHome.ofTest();
    for (const rollout of rollouts) put(rollout, once);
    await once.ingest();
    expect(stored()).toEqual(stored(once));
  });

  it('do not keep a server from ending when its client does', async () => {
    for (let n = 0; n < 9; n++) {
      const long = session(n, `What does bucket ${n} hold?`, 'Corn.');
      for (let at = 0; at < 500; at++) long.answer(`Pound ${at} of bucket ${n}. ${'And oats. '.repeat(100)}`);
      put(long);
    }
    expect(await startAndKill('SIGTERM')).toBeLessThan(9);
    const client = await memory.connect({}, codex());
    await found(client, 'bucket 8');
  });
});

/** None as long as there is no memory. */
function sessionsRead(): number {
  try {
    const database = openSqlite(join(memory.home, 'memory.db'), { readonly: true });
    const count = database.prepare('SELECT count(*) FROM session').pluck().get() as number;
    database.close();
    return count;
  } catch {
    return 0;
  }
}

/** A server that is ended once it has begun to read. */
async function startAndKill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number> {
  const server = memory.server();
  const say = (message: Record<string, unknown>): void =>
    void server.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'codex-mcp-client', version: '0.169.0' };
  say({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  });
  say({ method: 'notifications/initialized' });
  while (sessionsRead() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  server.kill(signal);
  await once(server, 'close');
  return sessionsRead();
}
