import type { Database, Statement } from 'better-sqlite3';
import type {
  AgentDraft,
  ChunkDraft,
  ProjectDraft,
  SessionDraft,
  TranscriptSource,
  TurnDraft,
} from '@causantic/domain';
import type { ForgottenPiece } from './forgotten-pieces.js';
import { moveSession } from './move-session.js';
import { Projects } from './projects.js';
import { encodeSpans } from './stored-spans.js';
import { WordIndex } from './word-index.js';
import { writeTransaction } from './write-transaction.js';

/** How far a transcript has been read. `state` is the parser's own, opaque here. */
export interface TranscriptCheckpoint {
  /** Bytes of text that there were. */
  size: number;
  /** Bytes of the file where the text lies compressed in it. */
  compressedSize?: number | undefined;
  mtimeMs: number;
  /** When anything of the file was last changed, its times included; none in a checkpoint of an earlier version. */
  ctimeMs?: number;
  /** Byte offset and line (from 1) where the next run starts to read. */
  offset: number;
  line: number;
  /** Number of turns and chunks before that place. */
  turns: number;
  chunks: number;
  /**
   * Of the text before that place, and of all of it, to notice that it was rewritten. None where that happened while it
   * was read, nor in a checkpoint of an earlier version.
   */
  checksum?: number;
  wholeChecksum?: number;
  state: string;
}

/** Identifiers shorter than this are found by ordinary words; longer ones are worth a trigram entry. */
const MIN_IDENTIFIER_LENGTH = 6;
const MAX_IDENTIFIER_LENGTH = 80;

/** The write side: everything one transcript adds to the store, in one transaction. */
export class Transcripts {
  private readonly statements: WriterStatements;

  constructor(private readonly db: Database) {
    this.statements = prepareWriterStatements(db);
  }

  /** The checkpoint of a path, without a transaction: lets a run skip what has not changed. */
  checkpoint(path: string): TranscriptCheckpoint | null {
    const row = this.statements.findTranscript.get(path) as TranscriptRow | undefined;
    return parseCheckpoint(row);
  }

  /** The checkpoint of a path whose file is as the last run left it; null for any other. */
  checkpointOfUnchanged(path: string, file: FileStamp): TranscriptCheckpoint | null {
    const known = this.checkpoint(path);
    const isSame = known && isUntouched(known, file) && (known.compressedSize ?? known.size) === file.size;
    return isSame ? known : null;
  }

  /** Paths of what was read from sources of this kind, and not on another machine. */
  pathsOf(source: TranscriptSource): string[] {
    return this.statements.pathsOfSource.pluck().all(source) as string[];
  }

  /** Paths of what was read of a session on this machine. */
  pathsOfSession(uuid: string): string[] {
    return this.statements.pathsOfSession.pluck().all(uuid) as string[];
  }

  /** The file lies elsewhere now: all that was read of it goes by that path. */
  move(from: string, to: string): void {
    writeTransaction(this.db, () => void this.statements.setPath.run({ from, to }));
  }

  /** What came from sources of this kind stays; a file that is found there is read from its start. */
  forgetReading(source: TranscriptSource): void {
    this.statements.forgetCheckpoints.run(source);
  }

  /**
   * Drop all that came from a file, and its session where nothing else is in it. What the user deleted of it stays
   * away when the file comes back.
   */
  remove(path: string): void {
    writeTransaction(this.db, () => {
      const known = this.statements.findTranscript.get(path) as TranscriptRow | undefined;
      if (!known) return;
      this.statements.deleteAllTurns.run(known.id);
      this.statements.deleteRecords.run(known.id);
      this.statements.deleteTranscript.run(known.id);
      this.statements.detachTranscript.run(known.id);
      this.statements.deleteEmptySession.run(known.session_id);
    });
  }

  /**
   * Run `work` in one transaction: all of the transcript with its checkpoint, or nothing.
   * @throws StorageError, and whatever `work` throws
   */
  write<T>(path: string, work: (writer: TranscriptWriter) => T): T {
    const { db, statements } = this;
    return writeTransaction(db, () => work(new TranscriptWriter(db, statements, path)));
  }
}

/** What the system tells of a file. */
export interface FileStamp {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
}

/** Has nobody written to the file since it was opened to be read? What sets back its time of change leaves the other one. */
export function isUntouched(
  { mtimeMs, ctimeMs }: Pick<TranscriptCheckpoint, 'mtimeMs' | 'ctimeMs'>,
  file: Omit<FileStamp, 'size'>,
): boolean {
  return mtimeMs === file.mtimeMs && (ctimeMs ?? file.ctimeMs) === file.ctimeMs;
}

interface TranscriptRow {
  id: number;
  session_id: number | null;
  checkpoint: string | null;
}

function parseCheckpoint(row: TranscriptRow | undefined): TranscriptCheckpoint | null {
  return row?.checkpoint ? (JSON.parse(row.checkpoint) as TranscriptCheckpoint) : null;
}

/** Valid only inside `Transcripts.write`. */
export class TranscriptWriter {
  readonly checkpoint: TranscriptCheckpoint | null;
  private readonly transcriptId: number;
  private readonly isNew: boolean;
  private session: { id: number; projectId: number; uuid: string } | null = null;
  private readonly agentIds = new Map<string, number>();
  /** By session: whether it continues this one. */
  private readonly continuing = new Map<string, boolean>();
  private orderTime: number | null = null;
  private readonly words: WordIndex;
  /** Already put in this transaction: most names occur many times in a transcript. */
  private readonly identifiers = new Set<string>();

  constructor(
    private readonly db: Database,
    private readonly sql: WriterStatements,
    path: string,
  ) {
    this.words = new WordIndex(db);
    const known = sql.findTranscript.get(path) as TranscriptRow | undefined;
    this.isNew = known === undefined;
    this.transcriptId = known?.id ?? Number(sql.insertTranscript.run(path).lastInsertRowid);
    this.checkpoint = parseCheckpoint(known);
  }

  /** Drop all that came from this transcript; what the user deleted stays deleted. */
  reset(): void {
    // Nothing came from it, and to find nothing SQLite would look through all records.
    if (this.isNew) return;
    this.sql.deleteAllTurns.run(this.transcriptId);
    this.sql.deleteRecords.run(this.transcriptId);
    this.orderTime = null;
  }

  /** Has another transcript already stored this record? */
  isOwnedByOther(uuid: string): boolean {
    return this.ownerOf(uuid) !== undefined;
  }

  private ownerOf(uuid: string): { transcript_id: number; session_uuid: string | null } | undefined {
    const owner = this.sql.findRecord.get(uuidBytes(uuid)) as
      { transcript_id: number; session_uuid: string | null } | undefined;
    return owner && owner.transcript_id !== this.transcriptId ? owner : undefined;
  }

  /**
   * The transcript that has stored this record, of a session that continues this one: it was read while this one was cut
   * off, and took the record for its own. Not one of which the user deleted anything: that stays away from here, too.
   */
  continuationHolding(uuid: string): string | null {
    const owner = this.ownerOf(uuid);
    if (!owner?.session_uuid) return null;
    const { continuing } = this;
    let isContinuing = continuing.get(owner.session_uuid);
    if (isContinuing === undefined) {
      isContinuing =
        this.sql.isContinuing.pluck().get({ from: owner.session_uuid, to: this.requireSession().uuid }) === 1;
      continuing.set(owner.session_uuid, isContinuing);
    }
    if (!isContinuing) return null;
    return (this.sql.pathWithoutDeletions.pluck().get(owner.transcript_id) as string | undefined) ?? null;
  }

  /** The record is this transcript's; the one that had it is to be read from its start. */
  takeRecord(uuid: string, from: string): void {
    this.sql.moveRecord.run(this.transcriptId, this.requireSession().uuid, uuidBytes(uuid));
    this.sql.forgetCheckpoint.run(from);
  }

  claimRecords(uuids: readonly string[]): void {
    for (const uuid of uuids) {
      this.sql.insertRecord.run(uuidBytes(uuid), this.transcriptId, this.session?.uuid ?? null);
    }
  }

  /** Note that this session continues the one that owns the record. */
  linkFork(ownerRecordUuid: string): void {
    const owner = this.ownerOf(ownerRecordUuid);
    const session = this.requireSession();
    if (owner?.session_uuid && owner.session_uuid !== session.uuid) {
      this.sql.setContinues.run(owner.session_uuid, session.id);
    }
  }

  /** The transcript itself says which session this one continues, in the memory or not. */
  linkOriginal(original: string): void {
    const { id, uuid } = this.requireSession();
    this.sql.setOriginal.run(original, id);
    this.sql.isNoContinuation.run(original, uuid);
  }

  /** Insert or update the session; facts that are null do not overwrite known ones. */
  putSession(session: SessionDraft, project: ProjectDraft): void {
    const known = this.sql.findSession.get(session.uuid) as
      { id: number; project_id: number; cwd: string | null } | undefined;
    const isMoved = known?.cwd === null && session.cwd !== null;
    const projectId = known && !isMoved ? known.project_id : new Projects(this.db).ensure(project);
    // The session's folder has become known.
    if (known && projectId !== known.project_id) moveSession(this.db, known.id, projectId);
    const id = known?.id ?? this.insertSession(session, projectId);
    if (known) this.sql.updateSession.run({ ...sessionParameters(session), id });
    this.session = { id, projectId, uuid: session.uuid };
    this.sql.setTranscriptSession.run(id, this.transcriptId);
  }

  private insertSession(session: SessionDraft, projectId: number): number {
    return Number(
      this.sql.insertSession.run({
        ...sessionParameters(session),
        uuid: session.uuid,
        source: session.source,
        projectId,
      }).lastInsertRowid,
    );
  }

  private requireSession(): { id: number; projectId: number; uuid: string } {
    if (!this.session) throw new Error('putSession must be called before turns, agents and forks');
    return this.session;
  }

  putAgent(agent: AgentDraft): void {
    const { id } = this.requireSession();
    const row = this.sql.upsertAgent.get({ ...agent, sessionId: id }) as { id: number };
    this.agentIds.set(agent.key, row.id);
  }

  private agentId(key: string | null): number | null {
    if (key === null) return null;
    const cached = this.agentIds.get(key);
    if (cached !== undefined) return cached;
    const row = this.sql.findAgent.get(this.requireSession().id, key) as { id: number } | undefined;
    if (!row) throw new Error(`putAgent must be called before turns of agent ${key}`);
    this.agentIds.set(key, row.id);
    return row.id;
  }

  /** Forget the turns that are about to be read again, because the transcript grew. */
  dropTurnsFromLine(line: number): void {
    this.sql.deleteTurnsFromLine.run(this.transcriptId, line);
    this.orderTime = null;
  }

  /** Forget turns of another transcript, which this one takes back. */
  dropTurnsOf(path: string, line: number): void {
    const { id } = this.sql.findTranscript.get(path) as TranscriptRow;
    this.sql.deleteTurnsFromLine.run(id, line);
    this.orderTime = null;
  }

  /** Transcripts of this session and of its sub-agents. */
  pathsOfSession(): string[] {
    return this.sql.transcriptPaths.pluck().all(this.requireSession().id) as string[];
  }

  /** Leave out turns that the person rewound: those that begin in these lines. */
  dropTurnsOfLines(lines: ReadonlySet<number>): void {
    const turns = this.sql.turnLines.all(this.transcriptId) as { id: number; line: number }[];
    for (const { id, line } of turns) if (lines.has(line)) this.sql.deleteTurn.run(id);
    this.orderTime = null;
  }

  /** Earlier turns of this transcript whose prompt has this parent record. */
  promptsByParent(parentUuid: string): { ordinal: number; promptUuid: string | null }[] {
    return this.sql.promptsByParent.all(this.transcriptId, parentUuid) as {
      ordinal: number;
      promptUuid: string | null;
    }[];
  }

  /** What the user deleted of this transcript. */
  forgotten(): ForgottenPiece[] {
    return this.sql.findForgotten.all(this.transcriptId) as ForgottenPiece[];
  }

  /** The file was edited: a deleted piece begins in another line than before. */
  moveForgotten(id: number, line: number): void {
    this.sql.moveForgotten.run(line, line, id);
  }

  /** Drop the chunks with anything in these lines. */
  dropChunksOfLines(lineStart: number, lineEnd: number): void {
    this.sql.deleteChunksOfLines.run(this.transcriptId, lineEnd, lineStart);
    this.sql.deleteEmptyTurns.run(this.transcriptId);
  }

  putTurn(turn: TurnDraft): void {
    const session = this.requireSession();
    const agentId = this.agentId(turn.agentKey);
    const { lastInsertRowid } = this.sql.insertTurn.run({
      sessionId: session.id,
      transcriptId: this.transcriptId,
      agentId,
      ordinal: turn.ordinal,
      promptUuid: turn.promptUuid,
      promptParentUuid: turn.promptParentUuid,
      lineStart: turn.lineStart,
      startTime: turn.startTimeMs,
      endTime: turn.endTimeMs,
      facts: JSON.stringify(turn.facts),
    });
    for (const chunk of turn.chunks) this.putChunk(chunk, Number(lastInsertRowid), agentId);
  }

  private putChunk(chunk: ChunkDraft, turnId: number, agentId: number | null): void {
    const session = this.requireSession();
    const { lastInsertRowid } = this.sql.insertChunk.run({
      projectId: session.projectId,
      sessionId: session.id,
      transcriptId: this.transcriptId,
      turnId,
      agentId,
      seq: chunk.seq,
      kind: chunk.kind,
      tokens: chunk.tokens,
      startTime: chunk.startTimeMs,
      endTime: chunk.endTimeMs,
      orderTime: this.nextOrderTime(chunk.startTimeMs),
      lineStart: chunk.lineStart,
      lineEnd: chunk.lineEnd,
      continues: Number(chunk.continues),
      gitBranch: chunk.gitBranch,
      files: JSON.stringify(chunk.files),
      tools: JSON.stringify(chunk.tools),
      spans: encodeSpans(chunk.spans),
      text: chunk.text,
    });
    if (chunk.kind === 'dialogue' || chunk.kind === 'compaction') {
      this.indexChunk(chunk, Number(lastInsertRowid));
    }
  }

  private indexChunk(chunk: ChunkDraft, chunkId: number): void {
    const { names } = this.words.add(chunkId, this.requireSession().projectId, chunk);
    for (const name of names) this.putIdentifier(name);
  }

  private putIdentifier(name: string): void {
    if (name.length < MIN_IDENTIFIER_LENGTH || name.length > MAX_IDENTIFIER_LENGTH) return;
    if (this.identifiers.has(name)) return;
    this.identifiers.add(name);
    const { changes, lastInsertRowid } = this.sql.insertIdentifier.run(name);
    if (changes === 1) this.sql.insertIdentifierFts.run(lastInsertRowid, name);
  }

  /** Timestamps run backwards in real transcripts; order follows the file, so time never decreases in it. */
  private nextOrderTime(startTimeMs: number | null): number {
    this.orderTime ??= (this.sql.lastOrderTime.pluck().get(this.transcriptId) as number | undefined) ?? 0;
    this.orderTime = Math.max(this.orderTime, startTimeMs ?? 0);
    return this.orderTime;
  }

  save(checkpoint: TranscriptCheckpoint): void {
    this.sql.saveCheckpoint.run(JSON.stringify(checkpoint), this.transcriptId);
  }
}

function sessionParameters(session: SessionDraft) {
  return {
    cwd: session.cwd,
    title: session.title,
    gitBranch: session.gitBranch,
    clientVersion: session.clientVersion,
  };
}

/** Record ids are nearly always UUIDs: 16 bytes instead of 36 in the largest table by rows. */
function uuidBytes(uuid: string): Buffer {
  const hex = uuid.replaceAll('-', '');
  return /^[0-9a-f]{32}$/i.test(hex) ? Buffer.from(hex, 'hex') : Buffer.from(uuid, 'utf8');
}

type WriterStatements = Record<keyof typeof WRITER_SQL, Statement>;

/** Each is prepared when it is first used: a reader needs none of them. */
function prepareWriterStatements(db: Database): WriterStatements {
  const prepared: Partial<WriterStatements> = {};
  for (const [name, sql] of Object.entries(WRITER_SQL) as [keyof WriterStatements, string][]) {
    const get = (): Statement => {
      const value = db.prepare(sql);
      Object.defineProperty(prepared, name, { value });
      return value;
    };
    Object.defineProperty(prepared, name, { get, configurable: true });
  }
  return prepared as WriterStatements;
}

const WRITER_SQL = {
  findTranscript: 'SELECT id, session_id, checkpoint FROM transcript WHERE path = ?',
  insertTranscript: 'INSERT INTO transcript (path) VALUES (?)',
  pathsOfSource: `SELECT t.path FROM transcript t JOIN session s ON s.id = t.session_id
       WHERE s.source = ? AND t.checkpoint IS NOT NULL ORDER BY t.path`,
  pathsOfSession: `SELECT t.path FROM transcript t JOIN session s ON s.id = t.session_id
       WHERE s.uuid = ? AND t.checkpoint IS NOT NULL ORDER BY t.path`,
  setPath: `UPDATE transcript SET path = @to WHERE path = @from
       AND NOT EXISTS (SELECT 1 FROM transcript WHERE path = @to)`,
  deleteTranscript: `DELETE FROM transcript WHERE id = ?
       AND NOT EXISTS (SELECT 1 FROM forgotten WHERE transcript_id = transcript.id)`,
  detachTranscript: 'UPDATE transcript SET session_id = NULL, checkpoint = NULL WHERE id = ?',
  deleteEmptySession: `DELETE FROM session WHERE id = ?
       AND NOT EXISTS (SELECT 1 FROM turn WHERE session_id = session.id)`,
  setTranscriptSession: 'UPDATE transcript SET session_id = ? WHERE id = ?',
  saveCheckpoint: 'UPDATE transcript SET checkpoint = ? WHERE id = ?',
  deleteAllTurns: 'DELETE FROM turn WHERE transcript_id = ?',
  deleteRecords: 'DELETE FROM record WHERE transcript_id = ?',
  findRecord: 'SELECT transcript_id, session_uuid FROM record WHERE uuid = ?',
  insertRecord: 'INSERT INTO record VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  isContinuing: `WITH RECURSIVE earlier (uuid) AS (
         SELECT continues_uuid FROM session WHERE uuid = @from
         UNION SELECT s.continues_uuid FROM earlier JOIN session s ON s.uuid = earlier.uuid)
       SELECT 1 FROM earlier WHERE uuid = @to AND @from <> @to`,
  pathWithoutDeletions: `SELECT path FROM transcript WHERE id = ?
       AND NOT EXISTS (SELECT 1 FROM forgotten WHERE transcript_id = transcript.id)`,
  moveRecord: 'UPDATE record SET transcript_id = ?, session_uuid = ? WHERE uuid = ?',
  forgetCheckpoint: 'UPDATE transcript SET checkpoint = NULL WHERE path = ?',
  setContinues: 'UPDATE session SET continues_uuid = coalesce(continues_uuid, ?) WHERE id = ?',
  setOriginal: 'UPDATE session SET continues_uuid = ? WHERE id = ?',
  isNoContinuation: 'UPDATE session SET continues_uuid = NULL WHERE uuid = ? AND continues_uuid = ?',
  findSession: 'SELECT id, project_id, cwd FROM session WHERE uuid = ?',
  insertSession: `INSERT INTO session (uuid, project_id, source, cwd, title, git_branch, client_version)
       VALUES (@uuid, @projectId, @source, @cwd, @title, @gitBranch, @clientVersion)`,
  forgetCheckpoints: `UPDATE transcript SET checkpoint = NULL
       WHERE session_id IN (SELECT id FROM session WHERE source = ?)`,
  updateSession: `UPDATE session SET cwd = coalesce(cwd, @cwd), title = coalesce(@title, title),
         git_branch = coalesce(@gitBranch, git_branch), client_version = coalesce(@clientVersion, client_version), linked = 0
       WHERE id = @id`,
  upsertAgent: `INSERT INTO agent (session_id, key, kind, name, description, tool_use_id, team_name)
       VALUES (@sessionId, @key, @kind, @name, @description, @toolUseId, @teamName)
       ON CONFLICT (session_id, key) DO UPDATE SET
         kind = excluded.kind,
         name = CASE WHEN excluded.name = excluded.key THEN name ELSE excluded.name END,
         description = CASE WHEN description = '' THEN '' ELSE coalesce(excluded.description, description) END,
         tool_use_id = coalesce(excluded.tool_use_id, tool_use_id),
         team_name = coalesce(excluded.team_name, team_name)
       RETURNING id`,
  findAgent: 'SELECT id FROM agent WHERE session_id = ? AND key = ?',
  transcriptPaths: 'SELECT path FROM transcript WHERE session_id = ?',
  deleteTurnsFromLine: 'DELETE FROM turn WHERE transcript_id = ? AND line_start >= ?',
  turnLines: 'SELECT id, line_start AS line FROM turn WHERE transcript_id = ?',
  deleteTurn: 'DELETE FROM turn WHERE id = ?',
  promptsByParent: `SELECT ordinal, prompt_uuid AS promptUuid FROM turn
       WHERE transcript_id = ? AND prompt_parent_uuid = ?`, // Ordered, SQLite would look through all turns.
  findForgotten:
    'SELECT rowid AS id, line_start AS lineStart, line_end AS lineEnd, piece FROM forgotten WHERE transcript_id = ? ORDER BY rowid',
  moveForgotten: 'UPDATE forgotten SET line_start = ?, line_end = ? WHERE rowid = ?',
  deleteChunksOfLines: 'DELETE FROM chunk WHERE transcript_id = ? AND line_start <= ? AND line_end >= ?',
  deleteEmptyTurns: `DELETE FROM turn WHERE transcript_id = ?
       AND NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.turn_id = turn.id)`,
  insertTurn: `INSERT INTO turn (session_id, transcript_id, agent_id, ordinal, prompt_uuid, prompt_parent_uuid,
         line_start, start_time, end_time, facts)
       VALUES (@sessionId, @transcriptId, @agentId, @ordinal, @promptUuid, @promptParentUuid,
         @lineStart, @startTime, @endTime, @facts)`,
  insertChunk: `INSERT INTO chunk (project_id, session_id, transcript_id, turn_id, agent_id, seq, kind, tokens, start_time,
         end_time, order_time, line_start, line_end, continues, git_branch, files, tools, spans, text)
       VALUES (@projectId, @sessionId, @transcriptId, @turnId, @agentId, @seq, @kind, @tokens, @startTime,
         @endTime, @orderTime, @lineStart, @lineEnd, @continues, @gitBranch, @files, @tools, @spans, @text)`,
  insertIdentifier: 'INSERT INTO identifier (name) VALUES (?) ON CONFLICT DO NOTHING',
  insertIdentifierFts: 'INSERT INTO identifier_fts (rowid, name) VALUES (?, ?)',
  lastOrderTime: 'SELECT order_time FROM chunk WHERE transcript_id = ? ORDER BY seq DESC LIMIT 1',
};
