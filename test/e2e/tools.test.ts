import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countTokens } from '@causantic/domain/tokens';
import { SESSIONS, writeAppSessions } from './app-sessions.js';
import { type Answer, call, type HitOnTheWire, MemoryHome } from './memory-home.js';

let memory: MemoryHome;
let client: Client;

beforeAll(async () => {
  memory = new MemoryHome();
  writeAppSessions(memory.projects);
  await memory.ingest();
  client = await memory.connect();
});
afterAll(() => memory.remove());

const SOURCES = ['vector', 'keyword', 'cluster', 'graph', 'entity'];
const DAY = '[A-Z][a-z]{2} \\d{1,2}, \\d{4}';
const HEADER = new RegExp(
  `^\\[Session: [0-9a-f]{8} \\| [\\w-]+ \\| ${DAY}( \\| [\\w-]+)? \\| [a-z+]+ \\| \\d{1,3}%\\]$`,
);
const THIS_MONTH = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  timeZone: 'America/New_York',
}).format(Date.now() - 2 * 3_600_000);

/** The hits as the contract has them, and their chunks whole and in this order in the text. */
function expectWellFormedHits({ text, hits }: Answer): void {
  for (const hit of hits) {
    expect(hit).toEqual({
      chunkId: expect.any(Number) as number,
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      project: expect.stringMatching(/^(my-app|api-server)$/) as string,
      agent: hit.agent === null ? null : 'researcher',
      score: expect.any(Number) as number,
      sources: expect.any(Array) as string[],
      tokens: expect.any(Number) as number,
      startTime: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) as string,
    });
    expect(hit.sources.length).toBeGreaterThan(0);
    expect(SOURCES).toEqual(expect.arrayContaining(hit.sources));
  }
  let place = 0;
  for (const chunk of memory.chunkTexts(hits.map((hit) => hit.chunkId))) {
    const found = text.indexOf(chunk, place);
    expect(found, 'a whole chunk, behind those before it').toBeGreaterThanOrEqual(0);
    place = found + chunk.length;
  }
}

const sessionsOf = (hits: HitOnTheWire[]): string[] => [...new Set(hits.map((hit) => hit.sessionId))];

describe('what a client sees first', () => {
  it('is a server with a name, a version and advice', () => {
    expect(client.getInstructions()).toContain(
      'Ask in the language of the sessions: across languages less is found.',
    );
    expect(client.getServerVersion()).toMatchObject({
      name: 'causantic',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
    });
    expect(client.getServerCapabilities()).toHaveProperty('tools');
    expect(client.getInstructions()).toMatch(/search[^]*reconstruct[^]*list-projects/);
  });

  it('is tools with titles, annotations and described arguments, without output schemas', async () => {
    const { tools } = await client.listTools();
    const inDocuments =
      'search recall explain predict repomap list-projects list-sessions reconstruct hook-status stats forget';
    expect(tools.map(({ name }) => name)).toEqual(inDocuments.split(' '));
    for (const tool of tools) {
      expect(tool.title, tool.name).toMatch(/^[A-Z]/);
      expect(tool.description!.length, tool.name).toBeGreaterThan(40);
      expect(tool.outputSchema, tool.name).toBeUndefined();
      expect(tool.inputSchema, tool.name).toMatchObject({ type: 'object' });
      // google-genai for Python takes only an object for it, and Gemini none.
      expect(tool.inputSchema, tool.name).not.toHaveProperty('additionalProperties');
      for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
        expect((schema as { description?: string }).description, `${tool.name}.${name}`).toBeTruthy();
      }
    }
  });

  it('is that answers are shown whole by a client that would put large ones into a file', async () => {
    const { tools } = await client.listTools();
    for (const { name, _meta } of tools) {
      expect(_meta, name).toEqual({ 'anthropic/maxResultSizeChars': 500_000 });
    }
  });

  it('is that only forget changes anything', async () => {
    const { tools } = await client.listTools();
    for (const { name, annotations } of tools) {
      expect(annotations!.readOnlyHint, name).toBe(name !== 'forget');
      if (name === 'forget') expect(annotations!.destructiveHint).toBe(true);
    }
  });

  it.each([
    ['search', ['query']],
    ['list-sessions', ['project']],
    ['reconstruct', ['project']],
    ['forget', ['project']],
  ])('is that %s requires only %j', async (name, required) => {
    const tool = (await client.listTools()).tools.find((each) => each.name === name)!;
    expect(tool.inputSchema.required ?? []).toEqual(required);
  });
});

describe('search', () => {
  it('gives a head with both counts, then chunks under headers', async () => {
    const answer = await call(client, 'search', { query: 'why is the login token refreshed twice?' });
    const [, chunks, tokens] =
      /^Found (\d+) relevant memory chunks \((\d+) tokens\):\n\n\[files: .*\]\n\n\[Session: /.exec(
        answer.text,
      )!;
    expect(Number(chunks)).toBe(answer.hits.length);
    expect(Number(tokens)).toBeGreaterThanOrEqual(countTokens(answer.text));
    const headers = answer.text.split('\n').filter((line) => line.startsWith('[Session: '));
    for (const header of headers) expect(header).toMatch(HEADER);
    expect(headers[0]).toContain('[Session: a1b2c3d4 | my-app | Feb 8, 2026 | ');
    expectWellFormedHits(answer);
  });

  it('tells what it attempted', async () => {
    const { diagnostics } = await call(client, 'search', { query: 'thumbnails' });
    expect(diagnostics).toMatchObject({
      timingsMs: expect.any(Object) as object,
      degraded: expect.any(Array) as [],
    });
  });

  it('has one text for nothing found', async () => {
    const { text, hits } = await call(client, 'search', { query: 'blorptang quuxly zvrkk' });
    expect(text).toBe('No relevant memory found.');
    expect(hits).toEqual([]);
  });

  it('keeps to a project and to an agent', async () => {
    const inProject = await call(client, 'search', {
      query: 'refresh the exporter port',
      project: 'api-server',
    });
    expect(new Set(inProject.hits.map((hit) => hit.project))).toEqual(new Set(['api-server']));
    const byAgent = await call(client, 'search', { query: 'refresh tokens rotate', agent: 'researcher' });
    expect(new Set(byAgent.hits.map((hit) => hit.agent))).toEqual(new Set(['researcher']));
    expect(byAgent.text).toMatch(/^\[Session: a1b2c3d4 \| my-app \| Feb 8, 2026 \| researcher \| /m);
  });
});

describe('lists', () => {
  it('list-projects: the project used last stands first', async () => {
    const { text } = await call(client, 'list-projects');
    expect(text).toMatch(
      new RegExp(
        `^Projects in memory:\n- api-server \\(\\d+ chunks, Dec 2025 – ${THIS_MONTH}\\)\n- my-app \\(\\d+ chunks, Feb 2026 – Feb 2026\\)$`,
      ),
    );
  });

  it('list-sessions: short ids, times of the user’s zone, both days of a range over midnight', async () => {
    const { text } = await call(client, 'list-sessions', { project: 'my-app' });
    expect(text.replace(/\d+ chunks, \d+ tokens/g, 'N chunks, N tokens')).toBe(
      [
        'Sessions for "my-app" (3 total):',
        '- a1b2c3d4 (Feb 8, 2:30 PM – 4:15 PM, N chunks, N tokens)',
        '- e5f6a7b8 (Feb 7, 10:00 AM – 11:45 AM, N chunks, N tokens)',
        '- c9d0e1f2 (Feb 6, 11:00 PM – Feb 7, 12:30 AM, N chunks, N tokens)',
      ].join('\n'),
    );
  });

  it.each([
    [{ limit: 2 }, /^Sessions for "my-app" \(3 total\):\n- a1b2c3d4 .*\n- e5f6a7b8 .*\n\.\.\.and 1 more$/],
    [{ from: '2026-02-08' }, /^Sessions for "my-app" \(1 total\):\n- a1b2c3d4 .*$/],
    [{ to: '2026-02-06' }, /^Sessions for "my-app" \(1 total\):\n- c9d0e1f2 .*$/],
    [
      { from: '2026-02-07', to: '2026-02-07' },
      /^Sessions for "my-app" \(2 total\):\n- e5f6a7b8 .*\n- c9d0e1f2 .*$/,
    ],
    [{ from: '2026-02-08T19:00:00Z', to: '2026-02-08T19:31:00Z' }, /\(1 total\):\n- a1b2c3d4 /],
    [{ from: '2027-01-01' }, /^No sessions found for project "my-app"\.$/],
  ])('list-sessions with %j', async (filter, form) => {
    const { text } = await call(client, 'list-sessions', { project: 'my-app', ...filter });
    expect(text).toMatch(form);
  });

  it('list-sessions: days_back counts from now', async () => {
    const { text } = await call(client, 'list-sessions', { project: 'api-server', days_back: 1 });
    expect(text).toMatch(/^Sessions for "api-server" \(1 total\):\n- d4c3b2a1 .*$/);
  });

  it.each(['My-App', '/home/ada/my-app'])('a project may be called %s', async (project) => {
    const { text } = await call(client, 'list-sessions', { project });
    expect(text).toMatch(/^Sessions for "my-app" \(3 total\):/);
  });

  it('list-sessions: no sessions for a project that is not there', async () => {
    const { text } = await call(client, 'list-sessions', { project: 'no-such-app' });
    expect(text).toBe('No sessions found for project "no-such-app".');
  });

  it('stats', async () => {
    const { text } = await call(client, 'stats');
    expect(text).toMatch(
      new RegExp(
        [
          '^Causantic v\\d+\\.\\d+\\.\\d+\\S*',
          'Memory Statistics:',
          ...['Chunks', 'Edges', 'Clusters', 'Entities'].map((name) => `- ${name}: \\d+`),
          'Projects:',
          `- api-server: \\d+ chunks \\(Dec 2025 – ${THIS_MONTH}\\)`,
          '- my-app: \\d+ chunks \\(Feb 2026 – Feb 2026\\)',
          'Agent Teams:',
          '- Agent chunks: [1-9]\\d*',
          '- Distinct agents: 1',
          'Vectors:',
          '- Model: causantic-static-v5',
          '- Embedded chunks: [1-9]\\d*, 0 pending',
          '- Index: (FAISS|exact scan)',
        ].join('\n'),
      ),
    );
  });

  it('hook-status names all four hooks', async () => {
    const { text } = await call(client, 'hook-status');
    for (const hook of ['session-start', 'session-end', 'pre-compact', 'claudemd-generator']) {
      expect(text).toMatch(new RegExp(`^.*\\b${hook}: never run`, 'm'));
    }
  });
});

const REFRESH_BOUNDARY = '=== Session a1b2c3d4 | my-app | Feb 8, 2:30 PM – 4:15 PM ===';

describe('reconstruct', () => {
  it.each<[mode: string, args: Record<string, unknown>, sessions: string[]]>([
    [
      'the newest history of a project',
      {},
      [SESSIONS.overMidnight, SESSIONS.pagination, SESSIONS.refreshTokens],
    ],
    ['the history before a day’s end', { to: '2026-02-07' }, [SESSIONS.overMidnight, SESSIONS.pagination]],
    ['a session by its whole id', { session_id: SESSIONS.pagination }, [SESSIONS.pagination]],
    ['a session by eight characters', { session_id: 'c9d0e1f2' }, [SESSIONS.overMidnight]],
    ['a time range', { from: '2026-02-08', to: '2026-02-08' }, [SESSIONS.refreshTokens]],
    [
      'the session before this one',
      { previous_session: true, current_session_id: SESSIONS.refreshTokens },
      [SESSIONS.pagination],
    ],
    [
      'the same, by a short id',
      { previous_session: true, current_session_id: 'e5f6a7b8' },
      [SESSIONS.overMidnight],
    ],
    [
      'the one before a session that is not in memory yet',
      { previous_session: true, current_session_id: sessionOfToday() },
      [SESSIONS.refreshTokens],
    ],
    ['what an agent did', { agent: 'researcher' }, [SESSIONS.refreshTokens]],
  ])('%s', async (_mode, args, sessions) => {
    const answer = await call(client, 'reconstruct', { project: 'my-app', ...args });
    expect(sessionsOf(answer.hits)).toEqual(sessions);
    const boundaries = answer.text.match(/^=== Session .* ===$/gm) ?? [];
    expect(boundaries.map((line) => line.slice(12, 20))).toEqual(sessions.map((id) => id.slice(0, 8)));
    expectWellFormedHits(answer);
    expect(answer.diagnostics).toMatchObject({
      sessions: sessions.length,
      timingsMs: { read: expect.any(Number) as number },
    });
  });

  it('marks sessions and agents', async () => {
    const { text } = await call(client, 'reconstruct', { project: 'my-app', session_id: 'a1b2c3d4' });
    expect(text.startsWith(`${REFRESH_BOUNDARY}\n\nUser: People are logged out at random.`)).toBe(true);
    expect(text).toContain('\n--- Agent: researcher ---\n');
    expect(text).toContain('\n--- Main agent ---\n');
    expect(text).toContain('a rotated token is never used twice.');
  });

  it('leaves out what lies outside of the days asked for', async () => {
    const { text } = await call(client, 'reconstruct', {
      project: 'my-app',
      from: '2026-02-07',
      to: '2026-02-07',
    });
    expect(text).toContain('Then render them at twice the size.');
    expect(text).not.toContain('look blurred');
    expect(text).not.toContain('logged out');
  });

  it('counts days back from now', async () => {
    const { text } = await call(client, 'reconstruct', { project: 'api-server', days_back: 1 });
    expect(text).toContain('port 9464');
    expect(text).not.toContain('healthz');
  });

  it('says that there is nothing in a window', async () => {
    const { text, diagnostics } = await call(client, 'reconstruct', {
      project: 'my-app',
      from: '2027-01-01',
    });
    expect(diagnostics).toMatchObject({ sessions: 0, timingsMs: { read: expect.any(Number) as number } });
    expect(text).toBe(
      'No sessions found for project "my-app". The latest session, a1b2c3d4, ended on Feb 8, 2026.',
    );
  });

  it.each([
    [true, 'never used twice', 'logged out at random'],
    [false, 'logged out at random', 'never used twice'],
  ])('with too little room and keep_newest %j keeps that end', async (keepNewest, kept, dropped) => {
    const narrow = await memory.connect({ CAUSANTIC_TOKENS_MCP_MAX_RESPONSE: '300' });
    const args = { project: 'my-app', session_id: 'a1b2c3d4', keep_newest: keepNewest };
    const answer = await call(narrow, 'reconstruct', args);
    expect(answer.text).toContain(kept);
    expect(answer.text).not.toContain(dropped);
    expect(answer.text).toMatch(/^\[… (earlier|later) content left out to fit 300 tokens …\]$/m);
  });
});

describe('forget', () => {
  it('previews by default, deletes when told, and says when nothing matches', async () => {
    const filter = { project: 'api-server', before: '2026-01-01' };
    const chunksBefore = await chunksOf('api-server');
    const { text: preview } = await call(client, 'forget', filter);
    const [, count] =
      /^Dry run: (\d+) chunk\(s\) would be deleted from project "api-server"\. Set dry_run=false to proceed\.$/.exec(
        preview,
      )!;
    expect(await chunksOf('api-server')).toBe(chunksBefore);
    const { text: done } = await call(client, 'forget', { ...filter, dry_run: false });
    expect(done).toBe(
      `Deleted ${count} chunk(s) from project "api-server" (vectors and related edges/clusters also removed).`,
    );
    expect(await chunksOf('api-server')).toBe(chunksBefore - Number(count));
    const { text: again } = await call(client, 'forget', filter);
    expect(again).toBe('No chunks match the given filters.');
  });
});

async function chunksOf(project: string): Promise<number> {
  const { text } = await call(client, 'list-projects');
  return Number(new RegExp(`^- ${project} \\((\\d+) chunks`, 'm').exec(text)![1]);
}

function sessionOfToday(): string {
  return '0badcafe-0000-4000-8000-00000000beef';
}

it('an empty memory has its texts', async () => {
  const fresh = await MemoryHome.ofTest().connect();
  expect((await call(fresh, 'list-projects')).text).toBe('No projects found in memory.');
  expect((await call(fresh, 'search', { query: 'anything' })).text).toBe('No relevant memory found.');
  expect((await call(fresh, 'stats')).text).toMatch(/- Chunks: 0\n- Edges: 0\n- Clusters: 0\n- Entities: 0$/);
});
