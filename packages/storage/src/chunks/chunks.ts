import type { Database } from 'better-sqlite3';
import {
  APPROVED_PLAN,
  FAILED_RESULT,
  hasCalls,
  RANKED_KINDS,
  textOfSpans,
  type ChunkDraft,
  type TranscriptSource,
} from '@causantic/domain';
import { numbersOf } from '../database/number-list.js';
import { prepared } from '../database/prepared.js';
import { SHORT_ID } from '../sessions.js';
import { type ChunkFilter, filterSql, IDS_OF_AGENTS, placeInMoment } from './chunk-filter.js';
import { decodeSpans } from './stored-spans.js';

/** A chunk as stored, with the names of what it belongs to. */
export interface StoredChunk extends ChunkDraft {
  id: number;
  /** The client's session id. */
  sessionUuid: string;
  /** The session's short name: 8 characters of its id, more if others begin with the same. */
  sessionShortId: string;
  sessionId: number;
  projectId: number;
  projectSlug: string;
  agentId: number | null;
  agentName: string | null;
  /** The client whose session it is. */
  source: TranscriptSource;
  transcriptId: number;
  turnId: number;
  /** Whether the next chunk continues the message. */
  goesOn: boolean;
  /** Whether it is of a plan that an agent wrote, and that came back as a prompt. */
  isPlan: boolean;
  /** The time used for windows: it never decreases within a transcript, and is 0 before the first known time. */
  orderTimeMs: number;
}

/** What `continues` holds, other than 0 and 1, of a chunk that opens a paragraph of its message. */
export const BEHIND_BLANK_LINE = 2;

const GOES_ON = `EXISTS (SELECT 1 FROM chunk next WHERE next.transcript_id = c.transcript_id
    AND next.seq = c.seq + 1 AND next.turn_id = c.turn_id AND next.continues > 0)`;

/** What the person says later in the turn, or answers when asked, is no part of the plan. */
const IN_REQUEST = `substr(c.spans, 1, 8) = '[["user"'
    AND (c.continues > 0 OR NOT EXISTS (SELECT 1 FROM chunk o WHERE o.turn_id = c.turn_id AND o.id < c.id))`;
const IS_PLAN = `CASE WHEN ${IN_REQUEST} THEN (
    SELECT instr(json_extract(t.facts, '$.request'), '${APPROVED_PLAN}') = 1 FROM turn t WHERE t.id = c.turn_id) END`;

/** Where the fields of a chunk come from. */
const COLUMNS: Record<keyof StoredChunk, string> = {
  id: 'c.id',
  sessionUuid: 's.uuid',
  sessionShortId: SHORT_ID,
  sessionId: 'c.session_id',
  projectId: 'c.project_id',
  projectSlug: 'p.slug',
  agentId: 'c.agent_id',
  agentName: 'a.name',
  source: 's.source',
  transcriptId: 'c.transcript_id',
  turnId: 'c.turn_id',
  seq: 'c.seq',
  kind: 'c.kind',
  continues: 'c.continues',
  opensParagraph: 'c.continues',
  goesOn: GOES_ON,
  isPlan: IS_PLAN,
  text: 'c.text',
  spans: 'c.spans',
  tokens: 'c.tokens',
  startTimeMs: 'c.start_time',
  endTimeMs: 'c.end_time',
  orderTimeMs: 'c.order_time',
  files: 'c.files',
  tools: 'c.tools',
  gitBranch: 'c.git_branch',
  lineStart: 'c.line_start',
  lineEnd: 'c.line_end',
};
const FIELDS = Object.keys(COLUMNS);
const SELECTED = Object.values(COLUMNS).join(', ');

const NAMES = `
  JOIN session s ON s.id = c.session_id JOIN project p ON p.id = c.project_id
  LEFT JOIN agent a ON a.id = c.agent_id`;

/** Exactly the condition of the index `chunk_ranked`. */
export const RANKED = `kind IN (${RANKED_KINDS.map((kind) => `'${kind}'`).join(', ')})`;

/** Exactly the condition of the index `chunk_failed`. */
const FAILED = `instr(text, '${FAILED_RESULT}') > 0`;

/** Exactly the condition of the index `chunk_called`. */
const CALLED = `instr(spans, '"tool_') > 0`;

/** What a person would read again: not the model's thinking, nor text the client injected. */
const READABLE = "c.kind IN ('dialogue', 'compaction', 'error')";

const AMONG_IDS = 'json_each(?) ids CROSS JOIN chunk c ON c.id = ids.value';
const BY_IDS = `SELECT ${SELECTED} FROM ${AMONG_IDS} ${NAMES}`;
const BY_ID = `SELECT ${SELECTED} FROM chunk c ${NAMES} WHERE c.id = ?`;

/** By id, which grows along a transcript: in the order of the index, so that the other rows are not read. */
const FIRST_OF_TURN = `SELECT id FROM chunk WHERE turn_id = ? AND ${RANKED} ORDER BY id LIMIT 1`;
const LAST_SAID = `SELECT id FROM chunk WHERE turn_id = ? AND ${RANKED} AND instr(spans, '"assistant"') > 0 ORDER BY id DESC LIMIT 1`;

/** The nearest turn before or after one, of the same agent in the same transcript: agents' turns stand between the main ones. */
function turnBeside(side: '<' | '>'): string {
  return `SELECT other.id FROM turn one JOIN turn other
      ON other.transcript_id = one.transcript_id AND other.ordinal ${side} one.ordinal AND other.agent_id IS one.agent_id
    WHERE one.id = ? AND EXISTS (SELECT 1 FROM chunk WHERE turn_id = other.id)
    ORDER BY other.ordinal ${side === '<' ? 'DESC' : 'ASC'} LIMIT 1`;
}

const TURN_BEFORE = turnBeside('<');
const TURN_AFTER = turnBeside('>');
const BEHIND_COMPACTION = `SELECT next.id FROM (${TURN_AFTER}) next
  WHERE 'compaction' = (SELECT kind FROM chunk WHERE turn_id = next.id ORDER BY seq LIMIT 1)`;

/** Reads chunks; they are written with their transcript. */
export class Chunks {
  constructor(private readonly db: Database) {}

  /** The chunks with these ids, in the order of the ids; unknown ids are left out. */
  get(ids: readonly number[]): StoredChunk[] {
    const rows = prepared(this.db, BY_IDS).raw().all(JSON.stringify(ids)) as ChunkRow[];
    const found = new Map(rows.map(fromRow).map((chunk) => [chunk.id, chunk]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** One chunk, at a fifth of the cost of `get` with one id. */
  find(id: number): StoredChunk | undefined {
    const row = prepared(this.db, BY_ID).raw().get(id) as ChunkRow | undefined;
    return row && fromRow(row);
  }

  /** The first ranked chunk of a turn. */
  firstOf(turnId: number): number | undefined {
    return prepared(this.db, FIRST_OF_TURN).pluck().get(turnId) as number | undefined;
  }

  /** The last ranked chunk of a turn with words of the model. */
  lastSaidOf(turnId: number): number | undefined {
    return prepared(this.db, LAST_SAID).pluck().get(turnId) as number | undefined;
  }

  /** The files of each of these turns that has any. */
  filesOfTurns(turnIds: readonly number[]): Map<number, string[]> {
    const rows = prepared(
      this.db,
      `SELECT turn_id, json_group_array(DISTINCT f.value) FROM chunk, json_each(files) f
       WHERE turn_id IN (SELECT value FROM json_each(?)) GROUP BY turn_id`,
    )
      .raw()
      .all(JSON.stringify(turnIds)) as [number, string][];
    return new Map(rows.map(([turnId, files]) => [turnId, JSON.parse(files) as string[]]));
  }

  /** The turn that continues this one after a compaction, if any. */
  turnBehindCompaction(turnId: number): number | undefined {
    return prepared(this.db, BEHIND_COMPACTION).pluck().get(turnId) as number | undefined;
  }

  /** The turn before this one, of the same agent in the same transcript. */
  turnBefore(turnId: number): number | undefined {
    return prepared(this.db, TURN_BEFORE).pluck().get(turnId) as number | undefined;
  }

  /** The turn after this one, of the same agent in the same transcript. */
  turnAfter(turnId: number): number | undefined {
    return prepared(this.db, TURN_AFTER).pluck().get(turnId) as number | undefined;
  }

  /** Ids of the chunks within this time, in any order. */
  idsBetween(fromMs: number, beforeMs: number, projectId?: number): number[] {
    return prepared(
      this.db,
      // Project by project, as the index is.
      `SELECT c.id FROM project p CROSS JOIN chunk c ON c.project_id = p.id
       WHERE (@projectId IS NULL OR p.id = @projectId) AND c.order_time >= @fromMs AND c.order_time < @beforeMs`,
    )
      .pluck()
      .all({ fromMs, beforeMs, projectId: projectId ?? null }) as number[];
  }

  /** Ids of the chunks that were said on this git branch, in any order. */
  idsOnBranch(branch: string, projectId?: number): number[] {
    return this.db
      .prepare(
        'SELECT id FROM chunk WHERE git_branch = @branch AND (@projectId IS NULL OR project_id = @projectId)',
      )
      .pluck()
      .all({ branch, projectId: projectId ?? null }) as number[];
  }

  hasBranch(branch: string): boolean {
    return prepared(this.db, 'SELECT 1 FROM chunk WHERE git_branch = ? LIMIT 1').get(branch) !== undefined;
  }

  idsOfSession(sessionId: number): number[] {
    return this.db.prepare('SELECT id FROM chunk WHERE session_id = ?').pluck().all(sessionId) as number[];
  }

  /** Ids of all chunks of these agents, in any order. */
  idsOfAgents(agentIds: readonly number[]): Float64Array {
    const ids = prepared(this.db, `SELECT group_concat(id) FROM (${IDS_OF_AGENTS})`).pluck();
    return numbersOf(ids.get(JSON.stringify(agentIds)) as string | null);
  }

  /** Those of the chunks whose text contains this one; letters of English count the same in upper and lower case. */
  containing(ids: readonly number[], text: string): Set<number> {
    return this.those(ids, 'instr(lower(c.text), lower(?)) > 0', text);
  }

  /** Those of the chunks in which a tool call failed. */
  withFailures(ids: readonly number[]): Set<number> {
    const failed = prepared(
      this.db,
      `SELECT id FROM chunk INDEXED BY chunk_failed WHERE id IN (SELECT value FROM json_each(?)) AND ${FAILED}`,
    );
    return new Set(failed.pluck().all(JSON.stringify(ids)) as number[]);
  }

  /** Those of the chunks that end with what an agent said behind the last tool call of its turn. */
  endingWork(ids: readonly number[]): Set<number> {
    return this.those(
      ids,
      `c.kind = 'dialogue' AND json_extract(c.spans, '$[#-1][0]') = 'assistant'
         AND c.id >= (SELECT max(id) FROM chunk INDEXED BY chunk_called WHERE turn_id = c.turn_id AND ${CALLED})`,
    );
  }

  /** Those of the chunks that are of a plan that an agent wrote, and that came back as a prompt. */
  ofPlans(ids: readonly number[]): Set<number> {
    return this.those(ids, IS_PLAN);
  }

  private those(ids: readonly number[], condition: string, ...parameters: unknown[]): Set<number> {
    const found = prepared(this.db, `SELECT c.id FROM ${AMONG_IDS} WHERE ${condition}`).pluck();
    return new Set(found.all(JSON.stringify(ids), ...parameters) as number[]);
  }

  /** By chunk, what an agent itself says in it, and whether it has calls of tools or their results. */
  agentsWords(ids: readonly number[]): Map<number, { said: string; hasCalls: boolean }> {
    const rows = prepared(this.db, `SELECT c.id, c.spans, c.text FROM ${AMONG_IDS}`)
      .raw()
      .all(JSON.stringify(ids)) as [number, string, string][];
    return new Map(
      rows.map(([id, encoded, text]) => {
        const spans = decodeSpans(encoded);
        const said = textOfSpans({ text, spans }, ({ speaker }) => speaker === 'assistant');
        return [id, { said, hasCalls: hasCalls(spans) }];
      }),
    );
  }

  /** Chunks of these sessions that call this tool, latest first. */
  withTool(sessionIds: readonly number[], tool: string, limit: number): StoredChunk[] {
    const rows = this.db
      .prepare(
        `SELECT ${SELECTED} FROM chunk c ${NAMES}
         WHERE c.session_id IN (SELECT value FROM json_each(?))
           AND EXISTS (SELECT 1 FROM json_each(c.tools) WHERE value = ?)
         ORDER BY c.order_time DESC, c.transcript_id DESC, c.seq DESC LIMIT ?`,
      )
      .raw()
      .all(JSON.stringify(sessionIds), tool, limit) as ChunkRow[];
    return rows.map(fromRow);
  }

  /** Whether a session has anything that a person would read again. */
  isReadable(sessionId: number): boolean {
    const sql = `SELECT 1 FROM chunk c WHERE c.session_id = ? AND ${READABLE} LIMIT 1`;
    return prepared(this.db, sql).get(sessionId) !== undefined;
  }

  /**
   * Readable chunks in a window, one by one, newest or oldest first; stop iterating when you have enough.
   * The statement stays open while iterating, so do not write meanwhile.
   */
  *walk(filter: ChunkFilter, order: 'newest' | 'oldest'): Generator<StoredChunk> {
    const { where, parameters } = filterSql(filter);
    const direction = order === 'newest' ? 'DESC' : 'ASC';
    const statement = this.db.prepare(
      `SELECT ${SELECTED} FROM chunk c ${NAMES} WHERE ${READABLE} AND ${where}
       ORDER BY c.order_time ${direction}, c.transcript_id ${direction}, c.seq ${direction}`,
    );
    for (const row of statement.raw().iterate(...parameters) as IterableIterator<ChunkRow>)
      yield fromRow(row);
  }

  /** How many chunks of the same moment precede this one, within its project if the filter names one. */
  placeInMoment({ id }: StoredChunk, { projectId }: ChunkFilter): number {
    const sql = `SELECT ${placeInMoment(projectId !== undefined)} FROM chunk c WHERE c.id = ?`;
    return this.db.prepare(sql).pluck().get(id) as number;
  }
}

/** In the order of COLUMNS: rows as objects take 1.5 times as long. */
type ChunkRow = readonly unknown[];

function fromRow(row: ChunkRow): StoredChunk {
  // A copy of an object that has all fields is made at once, one that gets them one by one is not.
  const chunk: Record<string, unknown> = { ...COLUMNS };
  for (let i = 0; i < FIELDS.length; i++) chunk[FIELDS[i]!] = row[i];
  chunk['opensParagraph'] = chunk['continues'] === BEHIND_BLANK_LINE;
  chunk['continues'] = chunk['continues'] !== 0;
  chunk['goesOn'] = chunk['goesOn'] === 1;
  chunk['isPlan'] = chunk['isPlan'] === 1;
  chunk['spans'] = decodeSpans(chunk['spans'] as string);
  chunk['files'] = JSON.parse(chunk['files'] as string);
  chunk['tools'] = JSON.parse(chunk['tools'] as string);
  return chunk as unknown as StoredChunk;
}
