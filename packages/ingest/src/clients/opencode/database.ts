// The sessions in opencode's database, each as a transcript of its own: a line for each message.
import { basename, dirname, join } from 'node:path';
import { madeOnce } from '@causantic/domain';
import { type FileStamp, isSqliteError, openSqlite } from '@causantic/storage';
import { type JsonObject, jsonIn, objectOf, parseLine, stringOf } from '../../transcripts/records.js';
import type { TranscriptOrigin } from '../../transcripts/transcript-origin.js';
import * as version2 from './version-2.js';

type Database = ReturnType<typeof openSqlite>;

/** Other channels than the released one add their name. */
const DATABASE_NAME = /^opencode(?:-[\w.-]+)?\.db$/;

export function isSessionDatabase(path: string): boolean {
  return DATABASE_NAME.test(basename(path));
}

/** The database that holds a transcript of this name, `…/opencode.db/ses_…`; null where it is a file's name. */
export function databaseOf(name: string): string | null {
  const database = dirname(name);
  return basename(name).startsWith('ses_') && isSessionDatabase(database) ? database : null;
}

let opened: Map<string, Database> | undefined;

/**
 * Opening a database reads all that opencode left beside it, megabytes where it did not end in order: what is looked for
 * during this synchronous work is looked for in one opening, and sees what was written by then each time.
 */
export function inOneOpening<T>(work: () => T): T {
  if (opened) return work();
  const databases = (opened = new Map<string, Database>());
  try {
    return work();
  } finally {
    opened = undefined;
    for (const db of databases.values()) db.close();
  }
}

/** opencode may be at work: what is read together is read as it was at one moment, and nothing is written. */
function whileReading<T>(path: string, work: (db: Database) => T): T {
  return inOneOpening(() => {
    try {
      const db = madeOnce(opened!, path, () => openSqlite(path, { readonly: true, fileMustExist: true }));
      return db.transaction(work).deferred(db);
    } catch (cause) {
      // An error of SQLite's would be taken for one of the memory.
      throw isSqliteError(cause) ? new Error(cause.message, { cause }) : cause;
    }
  });
}

/**
 * What a session is, null where nothing was said in it, and what it holds by now. The call that started an agent is known
 * where the session is read: to find it takes reading what was said.
 */
export interface SessionHead {
  origin: TranscriptOrigin | null;
  stamp: FileStamp;
}

/** What is unknown here is text where opencode wrote it; a damaged database may hold anything. */
interface SessionRow {
  id: string;
  parent_id: string | null;
  directory: unknown;
  title: unknown;
  version: unknown;
  time_created: number;
  revert: string | null;
  fork_session_id: unknown;
  agent: unknown;
  /** The version whose tables hold it. */
  generation: 1 | 2;
}

const SESSIONS =
  'SELECT id, parent_id, directory, title, version, time_created, revert, NULL AS fork_session_id, NULL AS agent FROM session';

/** Version 2 copies the sessions of version 1 into tables of its own, where they go on; the first ones stay behind. */
function sessionsIn(db: Database): string {
  const named = db.prepare("SELECT name FROM sqlite_master WHERE name IN ('session', 'session_v2')");
  const tables = named.pluck().all() as string[];
  const first = `SELECT *, 1 AS generation FROM (${SESSIONS})`;
  if (!tables.includes('session_v2')) return first;
  const second = `SELECT *, 2 AS generation FROM (${version2.SESSIONS})`;
  return tables.includes('session')
    ? `SELECT * FROM (${second} UNION ALL ${first} WHERE id NOT IN (SELECT id FROM session_v2))`
    : second;
}

/** What tells whether a session was written to since: in the place of a file's time of change, how many rows it has. */
interface Holding extends FileStamp {
  parts: number;
}

const HOLDING = `SELECT
    max(s.time_updated, coalesce(m.updated, 0), coalesce(p.updated, 0)) AS mtimeMs,
    coalesce(m.bytes, 0) + coalesce(p.bytes, 0) AS size,
    m.number + p.number AS ctimeMs,
    p.number AS parts
  FROM session s,
    (SELECT max(time_updated) AS updated, sum(octet_length(data)) AS bytes, count(*) AS number FROM message WHERE session_id = @id) m,
    (SELECT max(time_updated) AS updated, sum(octet_length(data)) AS bytes, count(*) AS number FROM part WHERE session_id = @id) p
  WHERE s.id = @id`;

/** All sessions by the names of their transcripts, looked at in one opening; undefined for one that is damaged. */
export function sessionHeads(database: string): Map<string, SessionHead | undefined> {
  return whileReading(database, (db) => {
    const all = `SELECT * FROM (${sessionsIn(db)}) WHERE id GLOB 'ses_*'`;
    const sessions = db.prepare(all).all() as SessionRow[];
    const byId = new Map(sessions.map((session) => [session.id, session]));
    const holding = holdingIn(db);
    const headOf = (session: SessionRow): SessionHead | undefined => {
      try {
        return headWith(holding(session), session, (id) => byId.get(id));
      } catch {
        return undefined;
      }
    };
    return new Map(sessions.map((session) => [join(database, session.id), headOf(session)]));
  });
}

/** @throws Error where it was deleted */
export function sessionHead(database: string, name: string): SessionHead {
  return whileReading(database, (db) => headIn(db, sessionIn(db, name)));
}

function sessionIn(db: Database, name: string): SessionRow {
  const session = sessionRow(db, basename(name));
  if (!session) throw new Error('opencode has deleted this session');
  return session;
}

function sessionRow(db: Database, id: string): SessionRow | undefined {
  return db.prepare(`SELECT * FROM (${sessionsIn(db)}) WHERE id = ?`).get(id) as SessionRow | undefined;
}

/** Each statement is made when the first session needs it: a table may be absent. */
function holdingIn(db: Database): (session: SessionRow) => Holding {
  const statements = new Map<number, ReturnType<Database['prepare']>>();
  return (session) => {
    const { generation } = session;
    const sql = generation === 2 ? version2.HOLDING : HOLDING;
    return madeOnce(statements, generation, () => db.prepare(sql)).get(session) as Holding;
  };
}

function headIn(db: Database, session: SessionRow): SessionHead {
  return headWith(holdingIn(db)(session), session, (id) => sessionRow(db, id));
}

/** Which agent works in a child session stands in its title only, where the database is of an earlier version. */
const AGENT_TITLE = /^(.*) \(@(\S+) subagent\)$/s;
const DEFAULT_TITLE = /^(?:New|Child) session - \d{4}-/;
/** Where opencode has sessions that belong to no project. */
const NO_FOLDER = '/';

function headWith(
  { parts, ...stamp }: Holding,
  session: SessionRow,
  rowOf: (id: string) => SessionRow | undefined,
): SessionHead {
  if (parts === 0) return { origin: null, stamp };
  const ancestors = ancestorsOf(session, rowOf);
  const root = ancestors.at(-1);
  const title = stringOf(session.title) ?? '';
  const directory = stringOf(session.directory);
  const [, description, agent] = AGENT_TITLE.exec(title) ?? [];
  const origin: TranscriptOrigin = {
    source: 'opencode',
    kind: root ? 'subagent' : 'main',
    agentKey: root ? session.id : null,
    ...(root && {
      agentName: agent ?? stringOf(session.agent),
      agentDescription: description ?? title,
      isMainsAgent: ancestors.length === 1,
    }),
    sessionUuid: (root ?? session).id,
    cwd: directory,
    folder: directory ?? NO_FOLDER,
    title: DEFAULT_TITLE.test(title) ? null : plainTitle(title) || null,
    firstTimeMs: session.time_created,
  };
  return { origin, stamp };
}

/** Some models answer with Markdown, and with a heading, where opencode asks them for a title. */
function plainTitle(title: string): string {
  const text = title.replace(/^\*\*(.+?)\*\*/, '$1').replace(/^(?:Conversation )?Title: */i, '');
  return text.replace(/^"([^"]*)"$/, '$1');
}

function ancestorsOf(
  { id, parent_id }: SessionRow,
  rowOf: (id: string) => SessionRow | undefined,
): SessionRow[] {
  const ancestors: SessionRow[] = [];
  const seen = new Set([id]);
  for (let next = parent_id; next !== null && !seen.has(next);) {
    seen.add(next);
    const parent = rowOf(next);
    if (!parent) break;
    ancestors.push(parent);
    next = parent.parent_id;
  }
  return ancestors;
}

/** The call that started a child session names it beside its result. */
function callOf(db: Database, { id, parent_id, generation }: SessionRow): string | null {
  if (generation === 2) {
    const naming = db.prepare(version2.CALLS_NAMING).pluck().all(parent_id, id) as string[];
    return naming.map((data) => version2.callOfChild(jsonIn(data), id)).find(Boolean) ?? null;
  }
  const named = db.prepare('SELECT data FROM part WHERE session_id = ? AND instr(data, ?)').pluck();
  for (const data of named.iterate(parent_id, id) as Iterable<string>) {
    const { callID, state } = objectOf(jsonIn(data));
    if (objectOf(objectOf(state)['metadata'])['sessionId'] === id) return stringOf(callID);
  }
  return null;
}

/**
 * Writes a session's lines as they are by now.
 * @returns what they were made from
 * @throws Error where it was deleted
 */
export function writeSession(database: string, name: string, write: (line: string) => void): SessionHead {
  return whileReading(database, (db) => {
    const session = sessionIn(db, name);
    const { origin, stamp } = headIn(db, session);
    const put = (record: JsonObject): void => write(lineOf(record));
    put({ version: session.version, original: session.fork_session_id ?? undefined });
    if (session.generation === 2) writeSecond(db, session, put);
    else writeFirst(db, session, put);
    return { origin: origin && { ...origin, agentCallId: callOf(db, session) }, stamp };
  });
}

/** Of a message that is nested too deep to be written out, its place alone. */
function lineOf(record: JsonObject): string {
  try {
    return JSON.stringify(record);
  } catch (error) {
    if (error instanceof RangeError) return JSON.stringify({ type: 'message' });
    throw error;
  }
}

function writeFirst(db: Database, session: SessionRow, put: (record: JsonObject) => void): void {
  const parts = db.prepare(
    'SELECT id, CAST(data AS BLOB) AS data FROM part WHERE message_id = ? ORDER BY id',
  );
  const messages = db.prepare(
    'SELECT id, CAST(data AS BLOB) AS data FROM message WHERE session_id = ? ORDER BY time_created, id',
  );
  const revertedFrom = objectOf(jsonIn(session.revert ?? ''));
  const partId = stringOf(revertedFrom['partID']);
  for (const message of messages.iterate(session.id) as Iterable<Row>) {
    const isFirstReverted = message.id === revertedFrom['messageID'];
    if (isFirstReverted && partId === null) break;
    const said: JsonObject[] = [];
    for (const part of parts.iterate(message.id) as Iterable<Row>) {
      if (isFirstReverted && part.id === partId) break;
      const spoken = spokenPart(recordIn(part));
      if (spoken) said.push(spoken);
    }
    put({ ...spokenMessage(objectOf(recordIn(message))), parts: said });
    if (isFirstReverted) break;
  }
}

function writeSecond(db: Database, session: SessionRow, put: (record: JsonObject) => void): void {
  const revertedFrom = objectOf(jsonIn(session.revert ?? ''))['messageID'];
  const messages = db.prepare(version2.MESSAGES);
  for (const row of messages.iterate(session.id) as Iterable<Row & { type: string }>) {
    if (row.id === revertedFrom) break;
    const first = version2.asFirst(row.type, objectOf(recordIn(row)));
    if (!first) continue;
    const parts = first.parts.flatMap((part) => spokenPart(part) ?? []);
    put({ ...spokenMessage(first.message), parts });
  }
}

interface Row {
  id: string;
  data: Buffer | null;
}

/** Images, and what tools gave, may be huge: of one at a time all is in memory. */
function recordIn({ data }: Row): JsonObject | null {
  if (data === null) return null;
  return parseLine({ bytes: data, number: 1, offset: 0, terminated: true })[0]!.record;
}

/** What opencode writes into a message afterwards (costs, changed files) would make it another line. */
function spokenMessage({ role, time, error, summary, finish }: JsonObject): JsonObject {
  const { created } = objectOf(time);
  return { type: 'message', role, created, error, finish, isSummary: summary === true || undefined };
}

const SPOKEN = new Set<unknown>(['text', 'reasoning', 'tool', 'file', 'subtask', 'output']);

function spokenPart(part: JsonObject | null): JsonObject | null {
  if (!part || !SPOKEN.has(part['type'])) return null;
  const { metadata: _metadata, time, url: _url, source: _source, state, ...rest } = part;
  if (state === undefined) return { ...rest, time };
  const { status, input, output, error, metadata, time: called } = objectOf(state);
  const { exit } = objectOf(metadata);
  return { ...rest, state: { status, input, output, error, exit, time: called } };
}
