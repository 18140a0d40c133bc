import type { Database } from 'better-sqlite3';
import type { TranscriptSource } from '@causantic/domain';
import {
  type FileStamp,
  isUntouched,
  parseCheckpoint,
  type TranscriptCheckpoint,
  type TranscriptRow,
} from './checkpoints.js';
import { prepareTranscriptStatements, type TranscriptStatements } from './transcript-statements.js';
import { TranscriptWriter } from './transcript-writer.js';
import { writeTransaction } from './write-transaction.js';

/** The write side: everything one transcript adds to the store, in one transaction. */
export class Transcripts {
  private readonly statements: TranscriptStatements;

  constructor(private readonly db: Database) {
    this.statements = prepareTranscriptStatements(db);
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
