import { join } from 'node:path';
import { openSqlite } from '@causantic/storage';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ingestTree } from '../src/index.js';
import { TestStore } from './ingested.js';
import { OpencodeDatabase, toolPart } from './opencode-database.js';
import { temporaryFolder } from './recording.js';

type Json = Record<string, unknown>;

const TABLES = `
  CREATE TABLE session_v2 (id TEXT PRIMARY KEY, parent_id TEXT, fork_session_id TEXT, agent TEXT, directory TEXT NOT NULL,
    title TEXT, version TEXT NOT NULL, revert TEXT, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
  CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, type TEXT NOT NULL,
    seq INTEGER NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);`;

const TILL = '/home/ada/shop/till.ts';

/** The tables of opencode 2, in a database of its own or beside those of version 1. */
class SecondDatabase {
  private readonly db;
  private rows = 0;

  constructor(readonly path = join(temporaryFolder(), 'opencode.db')) {
    this.db = openSqlite(this.path);
    onTestFinished(() => void this.db.close());
    this.db.pragma('journal_mode = WAL');
    this.db.exec(TABLES);
  }

  now(): number {
    return Date.UTC(2026, 9, 1, 9, 0) + ++this.rows * 1_000;
  }

  session(
    id: string,
    {
      parent = null as string | null,
      fork = null as string | null,
      agent = null as string | null,
      title = '',
    } = {},
  ): this {
    const values = [
      id,
      parent,
      fork,
      agent,
      '/home/ada/shop',
      title || null,
      '2.0.26',
      null,
      this.now(),
      this.now(),
    ];
    this.db.prepare('INSERT INTO session_v2 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(...values);
    return this;
  }

  add(session: string, type: string, data: Json, created = this.now()): this {
    const text = JSON.stringify({ time: { created }, ...data });
    const values = [`msg_${++this.rows}`, session, type, this.rows, created, created, text];
    this.db.prepare('INSERT INTO session_message VALUES (?, ?, ?, ?, ?, ?, ?)').run(...values);
    return this;
  }

  answer(session: string, content: Json[], more: Json = {}): this {
    return this.add(session, 'assistant', { content, finish: 'stop', ...more });
  }

  run(sql: string, ...values: unknown[]): this {
    this.db.prepare(sql).run(...values);
    return this;
  }
}

function call(name: string, input: Json, output: string, state: Json = {}): Json {
  const content = [{ type: 'text', text: output }];
  return {
    type: 'tool',
    id: `${name} ${JSON.stringify(input).slice(0, 60)}`,
    name,
    executed: false,
    state: { status: 'completed', input, content, ...state },
    time: { created: 1 },
  };
}

function stored(path: string, store = new TestStore()): TestStore {
  expect(ingestTree(store.store, [path]).issues).toEqual([]);
  return store;
}

describe('a session of opencode 2', () => {
  it('has each word once, by who said it, and its calls with what came of them', () => {
    const { path } = new SecondDatabase()
      .session('ses_1', { title: 'Opening the till' })
      .add('ses_1', 'agent-switched', { agent: 'build' })
      .add('ses_1', 'user', { text: 'open the till', files: [{ mime: 'image/png' }] })
      .add('ses_1', 'synthetic', { text: '<system-reminder>Plan mode</system-reminder>' })
      .answer('ses_1', [
        { type: 'reasoning', text: 'A till has a drawer.' },
        { type: 'text', text: 'I look at it.' },
        call('read', { path: TILL }, '1: class Till {}'),
        call('edit', { path: TILL, oldString: 'shut', newString: 'open' }, 'Edited'),
        {
          ...call('shell', { command: 'npm test' }, ''),
          state: {
            status: 'completed',
            input: { command: 'npm test' },
            content: [
              { type: 'text', text: 'the drawer is stuck' },
              { type: 'text', text: 'Command exited with code 1.' },
            ],
            metadata: { exit: 1 },
          },
        },
        call('read', { path: 'none.ts' }, '', {
          status: 'error',
          error: { type: 'tool.execution', message: 'File not found: none.ts' },
        }),
      ])
      .answer('ses_1', [{ type: 'text', text: 'It opens now.' }])
      .add('ses_1', 'idle', { outcome: 'succeeded' })
      .add('ses_1', 'shell', { command: 'ls', output: 'till.ts' })
      .add('ses_1', 'compaction', { summary: 'The till was opened.', reason: 'manual' })
      .answer('ses_1', [], { error: { type: 'ProviderError', message: 'Too many requests' } });
    const store = stored(path);
    expect(store.saidBy('user')).toEqual(['[image]\nopen the till', '! ls']);
    expect(store.saidBy('assistant')).toEqual(['I look at it.', 'It opens now.']);
    expect(store.chunks('thinking').map(({ text }) => text)).toEqual(['A till has a drawer.']);
    const text = store.text('dialogue');
    expect(text).toMatch(/^User: ! ls\n→ till\.ts$/m);
    expect(text).toContain(`[read] ${TILL}\n→ 1: class Till {}`);
    expect(text).toContain(`[edit] ${TILL}\n- shut\n+ open`);
    expect(text).toContain('[shell] npm test\n→ Error: Exit code 1\nthe drawer is stuck');
    expect(text).toContain('Error: File not found: none.ts');
    expect(text).not.toContain('Command exited');
    expect(store.text()).toContain('Too many requests');
    expect(store.text()).toContain('The till was opened.');
    expect(store.contents()['sessions']).toMatchObject([
      { uuid: 'ses_1', source: 'opencode', title: 'Opening the till', client_version: '2.0.26' },
    ]);
  });

  it('holds what its agents did, under who they are and who called them', () => {
    const { path } = new SecondDatabase()
      .session('ses_1')
      .session('ses_2', { parent: 'ses_1', agent: 'general', title: 'Look around' })
      .add('ses_1', 'user', { text: 'explore' })
      .answer('ses_1', [
        call(
          'subagent',
          { agent: 'general', description: 'Look around', prompt: 'Look in the cellar.' },
          '<subagent sessionID="ses_2" state="completed">\nIt is dry.\n</subagent>',
          { metadata: { sessionID: 'ses_2' } },
        ),
      ])
      .add('ses_2', 'user', { text: 'You are a subagent spawned by another session.\nLook in the cellar.' })
      .answer('ses_2', [{ type: 'text', text: 'I looked: dry.' }]);
    const store = stored(path);
    expect(store.contents()['sessions']).toHaveLength(1);
    expect(store.saidBy('user')).toEqual(['explore']);
    expect(store.text()).not.toMatch(/You are a subagent|<subagent/);
    expect(store.text()).toContain('→ It is dry.');
    expect(store.contents()['agents']).toMatchObject([
      {
        key: 'ses_2',
        name: 'general',
        description: 'Look around',
        tool_use_id: expect.stringMatching(/^subagent/),
      },
    ]);
    expect(store.text()).toContain('Assignment: Look in the cellar.\n\nAssistant: I looked: dry.');
    expect(store.edgeTypes()).toContain('brief');
  });

  it('that was begun in version 1 goes on, each word once, and without what was undone', () => {
    const first = new OpencodeDatabase(temporaryFolder());
    const output = 'class Till {}';
    const begun = first
      .session('ses_1', { title: 'Opening the till' })
      .prompt('open the till')
      .answer('I look at it.', [toolPart('read', { filePath: TILL }, { output })]);
    first.session('ses_9').prompt('count the stairs').answer('Twelve.');
    const store = stored(first.path);
    const before = store.contents();
    const said = first.rows(
      "SELECT m.time_created AS created, p.data ->> '$.text' AS text FROM message m JOIN part p ON p.message_id = m.id WHERE p.data ->> '$.type' = 'text' AND m.session_id = ? ORDER BY p.id",
      begun.id,
    ) as { created: number; text: string }[];
    const [asked, answered] = said;
    const second = new SecondDatabase(first.path)
      .session('ses_1', { title: 'Opening the till' })
      .add('ses_1', 'user', { text: asked!.text }, asked!.created)
      .add(
        'ses_1',
        'assistant',
        {
          content: [
            { type: 'text', text: answered!.text },
            { ...call('read', { filePath: TILL }, output), id: `read ${JSON.stringify({ filePath: TILL })}` },
          ],
          finish: 'tool-calls',
        },
        answered!.created,
      );
    stored(first.path, store);
    expect(store.saidBy('user')).toEqual(['open the till', 'count the stairs']);
    expect(store.contents()['chunks']).toHaveLength((before['chunks'] as unknown[]).length);
    second.add('ses_1', 'user', { text: 'close it' }).answer('ses_1', [{ type: 'text', text: 'Closed.' }]);
    stored(first.path, store);
    expect(store.saidBy('assistant').toSorted()).toEqual(['Closed.', 'I look at it.', 'Twelve.']);
    second.run(
      "UPDATE session_v2 SET revert = (SELECT json_object('messageID', id) FROM session_message WHERE data ->> '$.text' = 'close it'), time_updated = ?",
      second.now(),
    );
    stored(first.path, store);
    expect(store.saidBy('user').toSorted()).toEqual(['count the stairs', 'open the till']);
  });

  it('continues the one that it is a fork of', () => {
    const { path } = new SecondDatabase()
      .session('ses_1')
      .add('ses_1', 'user', { text: 'open the till' })
      .answer('ses_1', [{ type: 'text', text: 'It opens.' }])
      .session('ses_2', { fork: 'ses_1' })
      .add('ses_2', 'user', { text: 'close it' })
      .answer('ses_2', [{ type: 'text', text: 'Closed.' }]);
    const store = stored(path);
    expect(store.contents()['sessions']).toMatchObject([
      { uuid: 'ses_1' },
      { uuid: 'ses_2', continues_uuid: 'ses_1' },
    ]);
  });
});
