import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openSqlite } from '@causantic/storage';
import { onTestFinished } from 'vitest';

type Json = Record<string, unknown>;
type Database = ReturnType<typeof openSqlite>;

const TABLES = `
  CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT NOT NULL, title TEXT NOT NULL,
    version TEXT NOT NULL, revert TEXT, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
  CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL,
    time_updated INTEGER NOT NULL, data TEXT NOT NULL);
  CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL,
    time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);`;

/** opencode's database with what is read of it. */
export class OpencodeDatabase {
  readonly path: string;
  private readonly db: Database;
  private seconds = 0;
  private rowsMade = 0;

  constructor(
    folder: string,
    private readonly startMs = Date.UTC(2026, 5, 1, 9, 0),
  ) {
    this.path = join(folder, 'opencode.db');
    mkdirSync(dirname(this.path), { recursive: true });
    this.db = openSqlite(this.path);
    // Before its folder goes: some systems do not delete open files.
    onTestFinished(() => void this.db.close());
    this.db.pragma('journal_mode = WAL');
    this.db.exec(TABLES);
  }

  /** As opencode does when it ends: what it kept beside the file stands in it. */
  close(): void {
    this.db.close();
  }

  /** A second goes by. */
  now(): number {
    return this.startMs + ++this.seconds * 1_000;
  }

  session(
    id: string,
    { parent = null as string | null, title = '', directory = '/home/ada/shop' } = {},
  ): OpencodeSession {
    const now = this.now();
    this.run(
      'INSERT INTO session VALUES (?, ?, ?, ?, ?, NULL, ?, ?)',
      ...[
        id,
        parent,
        directory,
        title || `New session - ${new Date(now).toISOString()}`,
        '1.18.33',
        now,
        now,
      ],
    );
    return new OpencodeSession(this, id);
  }

  run(sql: string, ...values: unknown[]): void {
    this.db.prepare(sql).run(...values);
  }

  /** What an id begins with tells the order. */
  id(kind: string): string {
    return `${kind}_${String(++this.rowsMade).padStart(6, '0')}`;
  }

  rows(sql: string, ...values: unknown[]): Json[] {
    return this.db.prepare(sql).all(...values) as Json[];
  }
}

export class OpencodeSession {
  private lastMessage = '';

  constructor(
    private readonly database: OpencodeDatabase,
    readonly id: string,
  ) {}

  message(data: Json, parts: Json[]): this {
    const now = this.database.now();
    this.lastMessage = this.database.id('msg');
    const text = JSON.stringify({ time: { created: now }, agent: 'build', ...data });
    const values = [this.lastMessage, this.id, now, now, text];
    this.database.run('INSERT INTO message VALUES (?, ?, ?, ?, ?)', ...values);
    for (const part of parts) this.part(part);
    return this;
  }

  part(data: Json): this {
    const now = this.database.now();
    const values = [this.database.id('prt'), this.lastMessage, this.id, now, now, JSON.stringify(data)];
    this.database.run('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)', ...values);
    return this;
  }

  prompt(text: string, more: Json[] = []): this {
    return this.message({ role: 'user' }, [{ type: 'text', text }, ...more]);
  }

  /** @param parts between its words and its end */
  answer(text: string, parts: Json[] = [], more: Json = {}): this {
    const finish = parts.some(({ type }) => type === 'tool') ? 'tool-calls' : 'stop';
    const said = text === '' ? [] : [{ type: 'text', text, time: { start: this.database.now() } }];
    return this.message({ role: 'assistant', finish, ...more }, [
      { type: 'step-start', snapshot: 'a1' },
      ...said,
      ...parts,
      { type: 'step-finish', reason: finish, cost: 0 },
    ]);
  }

  /** What opencode notes of a message when its turn is over. */
  summarized(): this {
    const sql = `UPDATE message SET time_updated = ?, data = json_set(data, '$.summary', json('{"diffs":[]}'))
      WHERE session_id = ? AND data ->> '$.role' = 'user'`;
    this.database.run(sql, this.database.now(), this.id);
    return this;
  }

  revertTo(text: string | null, partOf = false): this {
    const sql = "SELECT id, message_id FROM part WHERE session_id = ? AND data ->> '$.text' = ?";
    const [part] = text === null ? [] : this.database.rows(sql, this.id, text);
    const revert = part && { messageID: part['message_id'], ...(partOf && { partID: part['id'] }) };
    const values = [revert ? JSON.stringify(revert) : null, this.database.now(), this.id];
    this.database.run('UPDATE session SET revert = ?, time_updated = ? WHERE id = ?', ...values);
    return this;
  }

  /** Another session with copies of what this one holds, under new ids. */
  fork(id: string): OpencodeSession {
    const copy = this.database.session(id, { title: 'Till (fork #1)' });
    for (const message of this.database.rows(
      'SELECT * FROM message WHERE session_id = ? ORDER BY id',
      this.id,
    )) {
      const copied = this.database.id('msg');
      const { time_created, data } = message;
      const now = this.database.now();
      this.database.run('INSERT INTO message VALUES (?, ?, ?, ?, ?)', copied, id, time_created, now, data);
      for (const part of this.database.rows(
        'SELECT * FROM part WHERE message_id = ? ORDER BY id',
        message['id'],
      )) {
        const values = [this.database.id('prt'), copied, id, now, now, part['data']];
        this.database.run('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)', ...values);
      }
    }
    return copy;
  }
}

export function toolPart(tool: string, input: Json, state: Json = {}): Json {
  const callID = `${tool} ${JSON.stringify(input).slice(0, 60)}`;
  return { type: 'tool', tool, callID, state: { status: 'completed', input, output: '', ...state } };
}
