import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { ComputeError, holding, StorageError } from '@causantic/domain';
import { type ChunkFilter, filterSql } from '../chunks/chunk-filter.js';
import { RANKED } from '../chunks/chunks.js';
import { decodeSpans } from '../chunks/stored-spans.js';
import { madeAtQuery } from '../database/migrations.js';
import { rewrite } from '../database/rewrite.js';
import { asStorageError, fileOf } from '../database/storage-errors.js';
import { writeTransaction } from '../database/write-transaction.js';
import { EMPTY_CLUSTERS } from '../links/clusters.js';
import { dropUnusedIdentifiers } from '../words/identifiers.js';
import { camelCaseNames } from '../words/searchable-text.js';
import { pieceHash } from './forgotten-pieces.js';

/** Chunks deleted in one transaction, so that other writers get a turn in between. */
const BATCH_CHUNKS = 2_000;

/**
 * FTS5's default. While chunks are deleted, it would write most of the index anew with every tenth of it that goes, within a
 * transaction for which all other writers wait; behind the last, {@link rewrite} does so once.
 */
const USUAL_DELETED_PERCENT = 10;

/** Texts compared before other work gets a turn: about 10 ms. */
const COMPARED_AT_ONCE = 1_000;

/** Of a chunk without a time of its own, that of what precedes it, if that has one. */
const TIME = 'coalesce(c.start_time, nullif(c.order_time, 0))';

/** Takes ids as one JSON array. */
const LISTED = '(SELECT value FROM json_each(?))';

interface DeletionOptions {
  /** When the memory that the ids belong to was created, if it may have been replaced since. */
  memory?: string;
  /** Sessions whose titles are deleted, too. */
  titled?: readonly number[];
  /** Asked once other processes let it write: what has begun is finished. */
  isCancelled?: () => boolean;
  onProgress?: (done: number, total: number) => void;
}

/** Deletes chunks and everything derived from them; remembers their places so that they do not come back. */
export class Forgetting {
  constructor(private readonly db: Database) {}

  /**
   * The ids a deletion with this filter would take. Its times are those that answers show, and not those of the order in
   * which chunks are told: in a transcript whose clock ran backwards, that of a chunk is as late as any before it.
   */
  ids({ fromMs, beforeMs, ...filter }: ChunkFilter): number[] {
    const { where, parameters } = filterSql(filter);
    const bounds = { [`${TIME} >= ?`]: fromMs, [`${TIME} < ?`]: beforeMs };
    const given = Object.entries(bounds).filter(([, timeMs]) => timeMs !== undefined);
    const conditions = [where, ...given.map(([condition]) => condition)].join(' AND ');
    return this.db
      .prepare(`SELECT c.id FROM chunk c WHERE ${conditions} ORDER BY c.id`)
      .pluck()
      .all(...parameters, ...given.map(([, timeMs]) => timeMs)) as number[];
  }

  /**
   * Those of the chunks that contain exactly these words, or name a file with them, in any letter case, also over a line
   * break; thoughts as well. Reads all their texts, and gives other work a turn in between.
   * Of a call that was cut, only the first chunk has the file in its text; the others hold what was written to it.
   */
  async holding(words: string, ids: readonly number[]): Promise<number[]> {
    // SQLite itself knows the case of ASCII letters only.
    const holdsWords = holding(words);
    const texts = this.db
      .prepare(
        `SELECT id, text || coalesce((SELECT char(10) || group_concat(value, char(10)) FROM json_each(files)), '')
         FROM chunk WHERE id IN ${LISTED} ORDER BY id`,
      )
      .raw();
    const held: number[] = [];
    for (let start = 0; start < ids.length; start += COMPARED_AT_ONCE) {
      if (start > 0) await setImmediate();
      const some = JSON.stringify(ids.slice(start, start + COMPARED_AT_ONCE));
      for (const [id, text] of texts.iterate(some) as IterableIterator<[number, string]>) {
        if (holdsWords(text)) held.push(id);
      }
    }
    return held;
  }

  /**
   * The model's thoughts and the client's additions right before or after these chunks, in the same turns. They are about
   * the same, but have no vector by which a query could find them.
   */
  unspokenBeside(ids: readonly number[]): number[] {
    const chunks = this.db
      .prepare(
        `SELECT id, turn_id AS turn, ${RANKED} AS isSpoken FROM chunk
         WHERE turn_id IN (SELECT turn_id FROM chunk WHERE id IN ${LISTED})
         ORDER BY turn_id, seq`,
      )
      .all(JSON.stringify(ids)) as { id: number; turn: number; isSpoken: 0 | 1 }[];
    const chosen = new Set(ids);
    const beside = new Set<number>();
    for (const inOrder of [chunks, chunks.toReversed()]) {
      let turn: number | undefined;
      for (const chunk of inOrder) {
        if (chunk.isSpoken) turn = chosen.has(chunk.id) ? chunk.turn : undefined;
        else if (chunk.turn === turn) beside.add(chunk.id);
      }
    }
    return [...beside];
  }

  /**
   * Delete these chunks with their index entries, the facts of their turns, titles of their sessions, and what is
   * left empty. Returns how many existed. Takes long: run it in a worker.
   * @throws StorageError NO_ACCESS if the memory was replaced, because the ids would then be other chunks
   * @throws ComputeError ABORTED if it was cancelled before anything was deleted
   */
  delete(
    ids: readonly number[],
    { memory, titled = [], isCancelled, onProgress }: DeletionOptions = {},
  ): number {
    let deleted = 0;
    let hasBegun = false;
    const begin = (): void => {
      if (!hasBegun && isCancelled?.()) throw new ComputeError('ABORTED', 'The deletion was cancelled.');
      this.assertMemory(memory);
      hasBegun = true;
    };
    try {
      for (let start = 0; start < ids.length; start += BATCH_CHUNKS) {
        const batch = ids.slice(start, start + BATCH_CHUNKS);
        deleted += writeTransaction(this.db, () => {
          begin();
          return this.deleteBatch(batch);
        });
        onProgress?.(start + batch.length, ids.length);
      }
      if (titled.length > 0) {
        writeTransaction(this.db, () => {
          begin();
          this.untitle(JSON.stringify(titled));
        });
      }
    } catch (cause) {
      throw deleted === 0 ? cause : this.leftTraces(`${deleted} of ${ids.length} chunks`, cause);
    }
    if (deleted > 0 || titled.length > 0) this.scrub();
    return deleted;
  }

  /** A transcript of which something was deleted gives no title when it is read again, be it a line that there is not. */
  private untitle(list: string): void {
    const changes = [
      `UPDATE session SET title = NULL WHERE id IN ${LISTED}`,
      `INSERT INTO forgotten SELECT id, 0, 0, NULL FROM transcript WHERE session_id IN ${LISTED}`,
      `UPDATE transcript SET checkpoint = NULL WHERE session_id IN ${LISTED}`,
    ];
    for (const change of changes) this.db.prepare(change).run(list);
  }

  private assertMemory(memory: string | undefined): void {
    if (memory === undefined || memory === madeAtQuery(this.db)()) return;
    throw new StorageError(
      'NO_ACCESS',
      `${this.db.name} was replaced meanwhile; nothing was deleted from the new one.`,
    );
  }

  private deleteBatch(ids: readonly number[]): number {
    const list = JSON.stringify(ids);
    this.rewriteSegmentsOf(0);
    this.rememberPieces(list);
    const ofChunks = (key: string): string => `id IN (SELECT ${key} FROM chunk WHERE id IN ${LISTED})`;
    const changes = [
      `UPDATE turn SET facts = '{}' WHERE ${ofChunks('turn_id')}`,
      // Other turns name a task by its number: its text stands in their facts, and in no chunk of theirs.
      `UPDATE turn SET facts = json_remove(facts, '$.tasks') WHERE session_id IN
         (SELECT session_id FROM chunk, json_each(tools) t WHERE chunk.id IN ${LISTED} AND t.value IN ('TaskCreate', 'TaskUpdate'))`,
      `UPDATE session SET title = NULL, linked = 0 WHERE ${ofChunks('session_id')}`,
      // What the reader remembers between runs (titles, tasks, agents) tells of what it has read: it reads anew.
      `UPDATE transcript SET checkpoint = NULL WHERE ${ofChunks('transcript_id')}`,
    ];
    for (const change of changes) this.db.prepare(change).run(list);
    this.unnameClusters(list);
    this.undescribeAgents(list);
    const deletion = this.db.prepare(
      `DELETE FROM chunk WHERE id IN ${LISTED} RETURNING text, session_id AS session`,
    );
    const deleted = deletion.all(list) as { text: string; session: number }[];
    dropUnusedIdentifiers(this.db, new Set(deleted.flatMap(({ text }) => camelCaseNames(text))));
    this.dropEmpty(new Set(deleted.map(({ session }) => session)));
    this.rewriteSegmentsOf(USUAL_DELETED_PERCENT);
    return deleted.length;
  }

  /** How many percent of a piece of the word index have to be deleted before FTS5 writes it anew; 0 for no such writing. */
  private rewriteSegmentsOf(deletedPercent: number): void {
    this.db.exec(`INSERT INTO chunk_fts(chunk_fts, rank) VALUES ('deletemerge', ${deletedPercent})`);
  }

  /** A topic's label and centroid come from its members' words and vectors: clear them until the next pass. */
  private unnameClusters(list: string): void {
    const touched = `(SELECT cluster_id FROM chunk_cluster WHERE chunk_id IN ${LISTED})`;
    const projects = `(SELECT project_id FROM cluster WHERE id IN ${touched})`;
    this.db.prepare(`DELETE FROM cluster_pass WHERE project_id IN ${projects}`).run(list);
    this.db.prepare(`UPDATE cluster SET label = '', centroid = x'' WHERE id IN ${touched}`).run(list);
  }

  /** Descriptions of agents come from their calls. An empty one, unlike a null one, is never matched with another call. */
  private undescribeAgents(list: string): void {
    this.db
      .prepare(
        `UPDATE agent SET description = '' FROM chunk c
         WHERE c.id IN ${LISTED} AND c.session_id = agent.session_id
           AND instr(c.text, agent.description) > 0`,
      )
      .run(list);
  }

  /** Hashes of the chunks' contents, by which they are recognized when read again, however they are cut. */
  private rememberPieces(list: string): void {
    const chunks = this.db
      .prepare(`SELECT transcript_id, line_start, line_end, spans, text FROM chunk WHERE id IN ${LISTED}`)
      .raw()
      .all(list) as [number, number, number, string, string][];
    const insert = this.db.prepare('INSERT INTO forgotten VALUES (?, ?, ?, ?)');
    for (const [transcriptId, lineStart, lineEnd, spans, text] of chunks) {
      for (const { start, end } of decodeSpans(spans)) {
        insert.run(transcriptId, lineStart, lineEnd, pieceHash(text.slice(start, end)));
      }
    }
  }

  /** Only in these sessions: elsewhere, an agent whose own transcript has not been read yet would lose its name. */
  private dropEmpty(sessions: ReadonlySet<number>): void {
    const list = JSON.stringify([...sessions]);
    const empty = [
      `turn WHERE session_id IN ${LISTED} AND NOT EXISTS (SELECT 1 FROM chunk WHERE turn_id = turn.id)`,
      `agent WHERE session_id IN ${LISTED} AND NOT EXISTS
         (SELECT 1 FROM turn t WHERE t.session_id = agent.session_id AND t.agent_id = agent.id)`,
    ];
    for (const rows of empty) this.db.prepare(`DELETE FROM ${rows}`).run(list);
    this.dropSessions(list);
    this.db.exec(`DELETE FROM ${EMPTY_CLUSTERS}`);
  }

  /** The next linking, of any session of the project, leads edges between files past those that are gone. */
  private dropSessions(list: string): void {
    const drop = this.db.prepare(
      `DELETE FROM session WHERE id IN ${LISTED} AND NOT EXISTS (SELECT 1 FROM turn WHERE session_id = session.id)
       RETURNING project_id`,
    );
    const projects = JSON.stringify(drop.pluck().all(list));
    const unlink = `UPDATE session SET linked = 0 WHERE id IN
      (SELECT max(id) FROM session WHERE project_id IN ${LISTED} GROUP BY project_id)`;
    this.db.prepare(unlink).run(projects);
  }

  /**
   * Leaves no deleted text in the index's segments, in free pages, in the write-ahead log, or in gaps of pages from which
   * rows were moved.
   */
  private scrub(): void {
    try {
      rewrite(this.db);
    } catch (cause) {
      throw this.leftTraces('The deleted chunks', cause);
    }
  }

  private leftTraces(deleted: string, cause: unknown): unknown {
    const error = asStorageError(cause, fileOf(this.db));
    if (!(error instanceof StorageError)) return error;
    const message = `${deleted} no longer appear in any answer, but traces may remain in the file until you run \`causantic compact\`: ${error.message}`;
    return new StorageError(error.code, message, { cause, data: { path: fileOf(this.db) } });
  }
}
