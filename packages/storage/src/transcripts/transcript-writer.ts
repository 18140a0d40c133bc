import type { Database } from 'better-sqlite3';
import {
  madeOnce,
  RANKED_KINDS,
  type AgentDraft,
  type ChunkDraft,
  type ProjectDraft,
  type SessionDraft,
  type TurnDraft,
} from '@causantic/domain';
import { BEHIND_BLANK_LINE } from '../chunks/chunks.js';
import { encodeSpans } from '../chunks/stored-spans.js';
import type { ForgottenPiece } from '../forgetting/forgotten-pieces.js';
import { moveSession } from '../move-session.js';
import { Projects } from '../projects.js';
import { WordIndex } from '../words/word-index.js';
import { parseCheckpoint, type TranscriptCheckpoint, type TranscriptRow } from './checkpoints.js';
import type { TranscriptStatements } from './transcript-statements.js';

/** Identifiers shorter than this are found by ordinary words; longer ones are worth a trigram entry. */
const MIN_IDENTIFIER_LENGTH = 6;
const MAX_IDENTIFIER_LENGTH = 80;

/** Writes what one transcript adds to the store. Valid only inside `Transcripts.write`. */
export class TranscriptWriter {
  readonly checkpoint: TranscriptCheckpoint | null;
  private readonly transcriptId: number;
  private readonly isNew: boolean;
  private session: { id: number; projectId: number; uuid: string } | null = null;
  private readonly agentIds = new Map<string, number>();
  /** By session: whether it continues this one. */
  private readonly continuing = new Map<string, boolean>();
  /** The last of each stream, by agent; null is the main agent's. */
  private readonly orderTimes = new Map<number | null, number>();
  private readonly words: WordIndex;
  /** Already put in this transaction: most names occur many times in a transcript. */
  private readonly identifiers = new Set<string>();

  constructor(
    private readonly db: Database,
    private readonly sql: TranscriptStatements,
    path: string,
  ) {
    this.words = new WordIndex(db);
    const known = sql.findTranscript.get(path) as TranscriptRow | undefined;
    this.isNew = known === undefined;
    this.transcriptId = known?.id ?? Number(sql.insertTranscript.run(path).lastInsertRowid);
    this.checkpoint = parseCheckpoint(known);
  }

  /** Drops everything that came from this transcript; what the user deleted stays deleted. */
  reset(): void {
    if (this.isNew) return; // Nothing came from it.
    this.sql.deleteAllTurns.run(this.transcriptId);
    this.sql.deleteRecords.run(this.transcriptId);
    this.orderTimes.clear();
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
   * The transcript of a continuing session that stored this record: it was read while this transcript was truncated, and
   * took the record for its own. Excludes transcripts of which the user deleted anything, so that it stays deleted here,
   * too.
   */
  continuationHolding(uuid: string): string | null {
    const owner = this.ownerOf(uuid);
    if (!owner?.session_uuid || !this.isContinuing(owner.session_uuid)) return null;
    return (this.sql.pathWithoutDeletions.pluck().get(owner.transcript_id) as string | undefined) ?? null;
  }

  /** Does that session continue this one, or one that does? */
  private isContinuing(session: string): boolean {
    const { uuid } = this.requireSession();
    const ask = () => this.sql.isContinuing.pluck().get({ from: session, to: uuid }) === 1;
    return madeOnce(this.continuing, session, ask);
  }

  /** Assigns the record to this transcript; the one that had it will be read from its start. */
  takeRecord(uuid: string, from: string): void {
    this.sql.moveRecord.run(this.transcriptId, this.requireSession().uuid, uuidBytes(uuid));
    this.sql.forgetCheckpoint.run(from);
  }

  /** Transcripts of sessions that continue this one, or may: a fork in which nothing was said yet names no original. */
  continuations(): string[] {
    return this.sql.continuations.pluck().all(this.requireSession()) as string[];
  }

  /** Has a transcript read from its start: records it left out as this one's may now be its own. */
  reopen(path: string): void {
    this.sql.forgetCheckpoint.run(path);
  }

  claimRecords(uuids: readonly string[]): void {
    for (const uuid of uuids) {
      this.sql.insertRecord.run(uuidBytes(uuid), this.transcriptId, this.session?.uuid ?? null);
    }
  }

  /**
   * Note that this session continues the one that owns the record, unless it is the other way round: then that one took
   * the record while this transcript was cut off, and of two that continue each other, each takes it back for ever.
   */
  linkFork(ownerRecordUuid: string): void {
    const owner = this.ownerOf(ownerRecordUuid);
    const session = this.requireSession();
    if (
      owner?.session_uuid &&
      owner.session_uuid !== session.uuid &&
      !this.isContinuing(owner.session_uuid)
    ) {
      this.sql.setContinues.run(owner.session_uuid, session.id);
    }
  }

  /** Notes that this session carries out what another one planned, if it continues none. */
  linkPlan(planned: string): void {
    const { id, uuid } = this.requireSession();
    if (planned !== uuid) this.sql.setContinues.run(planned, id);
  }

  /**
   * Records which session this one continues, as the transcript itself says, whether that is in memory or not. If that was
   * taken to continue this one, or a fork of it that was read before, it does not.
   */
  linkOriginal(original: string): void {
    this.sql.setOriginal.run(original, this.requireSession().id);
    if (this.isContinuing(original)) this.sql.continuesNone.run(original);
  }

  /** Inserts or updates the session; null facts do not overwrite known ones. */
  putSession(session: SessionDraft, project: ProjectDraft): void {
    const known = this.sql.findSession.get(session.uuid) as
      { id: number; project_id: number; cwd: string | null } | undefined;
    const isMoved = known?.cwd === null && session.cwd !== null;
    const projectId = known && !isMoved ? known.project_id : new Projects(this.db).ensure(project);
    // The session's folder has become known.
    if (known && projectId !== known.project_id) moveSession(this.db, known.id, projectId);
    const id = known?.id ?? Number(this.sql.insertSession.run({ ...session, projectId }).lastInsertRowid);
    if (known) this.sql.updateSession.run({ ...session, id });
    this.session = { id, projectId, uuid: session.uuid };
    this.sql.setTranscriptSession.run(id, this.transcriptId);
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

  /** Keys of the agents of which this transcript has turns. */
  agentsTold(): string[] {
    return this.sql.agentsTold.pluck().all(this.transcriptId) as string[];
  }

  /** Forget the turns that are about to be read again, because the transcript grew. */
  dropTurnsFromLine(line: number): void {
    this.sql.deleteTurnsFromLine.run(this.transcriptId, line);
    this.orderTimes.clear();
  }

  /** Forget turns of another transcript, which this one takes back. */
  dropTurnsOf(path: string, line: number): void {
    const { id } = this.sql.findTranscript.get(path) as TranscriptRow;
    this.sql.deleteTurnsFromLine.run(id, line);
  }

  /** Transcripts of this session and of its sub-agents. */
  pathsOfSession(): string[] {
    return this.sql.transcriptPaths.pluck().all(this.requireSession().id) as string[];
  }

  /** The same of another session, those that were read on this machine. */
  pathsRead(session: string): string[] {
    return this.sql.pathsOfSession.pluck().all(session) as string[];
  }

  /** Leaves out turns that the person rewound: those that begin in these lines, among the last of the transcript. */
  dropTurnsOfLines(lines: ReadonlySet<number>): void {
    const first = [...lines].reduce((least, line) => Math.min(least, line), Infinity);
    const dropped: number[] = [];
    const turns = this.sql.turnsFromLast.iterate(this.transcriptId);
    for (const { id, line } of turns as IterableIterator<{ id: number; line: number }>) {
      if (line < first) break;
      if (lines.has(line)) dropped.push(id);
    }
    for (const id of dropped) this.sql.deleteTurn.run(id);
    this.orderTimes.clear();
  }

  /** Prompts of this transcript's turns that have this parent record. */
  promptsByParent(parentUuid: string): string[] {
    return this.sql.promptsByParent.pluck().all(this.transcriptId, parentUuid) as string[];
  }

  /** Counts the turns that begin at or after this line, and the chunks in them. */
  countFromLine(line: number): { turns: number; chunks: number } {
    return this.sql.countFromLine.get(this.transcriptId, line) as { turns: number; chunks: number };
  }

  /** The places of the next turn and chunk, behind all that are stored. */
  nextPlaces(): { turns: number; chunks: number } {
    return this.sql.nextPlaces.get({ id: this.transcriptId }) as { turns: number; chunks: number };
  }

  /** What the user deleted of this transcript. */
  forgotten(): ForgottenPiece[] {
    return this.sql.findForgotten.all(this.transcriptId) as ForgottenPiece[];
  }

  /** Records that a deleted piece now begins at another line, because the file was edited. */
  moveForgotten(id: number, line: number): void {
    this.sql.moveForgotten.run(line, line, id);
  }

  /** Drops the chunks that overlap these lines. */
  dropChunksOfLines(lines: ReadonlySet<number>): void {
    const chunks = this.sql.chunkLines.all(this.transcriptId) as { id: number; from: number; to: number }[];
    for (const { id, from, to } of chunks) {
      let line = from;
      while (line <= to && !lines.has(line)) line++;
      if (line <= to) this.sql.deleteChunk.run(id);
    }
    this.sql.deleteEmptyTurns.run(this.transcriptId);
  }

  putTurn(turn: TurnDraft): void {
    const session = this.requireSession();
    const agentId = this.agentId(turn.agentKey);
    const { lastInsertRowid } = this.sql.insertTurn.run({
      ...turn,
      sessionId: session.id,
      transcriptId: this.transcriptId,
      agentId,
      facts: JSON.stringify(turn.facts),
    });
    for (const chunk of turn.chunks) this.putChunk(chunk, Number(lastInsertRowid), agentId);
  }

  private putChunk(chunk: ChunkDraft, turnId: number, agentId: number | null): void {
    const session = this.requireSession();
    const { lastInsertRowid } = this.sql.insertChunk.run({
      ...chunk,
      projectId: session.projectId,
      sessionId: session.id,
      transcriptId: this.transcriptId,
      turnId,
      agentId,
      orderTimeMs: this.nextOrderTime(agentId, chunk.startTimeMs),
      continues: chunk.continues && chunk.opensParagraph ? BEHIND_BLANK_LINE : Number(chunk.continues),
      files: JSON.stringify(chunk.files),
      tools: JSON.stringify(chunk.tools),
      spans: encodeSpans(chunk.spans),
    });
    if (RANKED_KINDS.includes(chunk.kind)) this.indexChunk(chunk, Number(lastInsertRowid));
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

  /**
   * Timestamps in real transcripts sometimes run backwards. Order follows the file, so this time never decreases within a
   * stream; an agent's turns may stand in the file behind what its report led to.
   */
  private nextOrderTime(agentId: number | null, startTimeMs: number | null): number {
    const before = this.orderTimes.get(agentId) ?? this.storedOrderTime(agentId, startTimeMs);
    const orderTime = Math.max(before, startTimeMs ?? 0);
    this.orderTimes.set(agentId, orderTime);
    return orderTime;
  }

  /** The last of a stream as stored; of one that begins without a time, that of the transcript. */
  private storedOrderTime(agentId: number | null, startTimeMs: number | null): number {
    const { lastOrderTime, lastOrderTimeOfMain, lastOrderTimeOfAgent } = this.sql;
    const last =
      agentId === null
        ? lastOrderTimeOfMain.pluck().get(this.transcriptId)
        : lastOrderTimeOfAgent.pluck().get(agentId, this.transcriptId);
    const before = startTimeMs === null ? (last ?? lastOrderTime.pluck().get(this.transcriptId)) : last;
    return (before as number | null | undefined) ?? 0;
  }

  save(checkpoint: TranscriptCheckpoint): void {
    this.sql.saveCheckpoint.run(JSON.stringify(checkpoint), this.transcriptId);
  }
}

/** Record ids are nearly always UUIDs: stored as 16 bytes instead of 36, in the table with the most rows. */
function uuidBytes(uuid: string): Buffer {
  const hex = uuid.replaceAll('-', '');
  return /^[0-9a-f]{32}$/i.test(hex) ? Buffer.from(hex, 'hex') : Buffer.from(uuid, 'utf8');
}
