import type { Database } from 'better-sqlite3';
import type { TranscriptSource } from '@causantic/domain';
import { writeTransaction } from '../database/write-transaction.js';
import {
  type FileStamp,
  isUntouched,
  parseCheckpoint,
  type TranscriptCheckpoint,
  type TranscriptRow,
} from './checkpoints.js';
import { prepareTranscriptStatements, type TranscriptStatements } from './transcript-statements.js';
import { TranscriptWriter } from './transcript-writer.js';

/** The write side: everything one transcript adds to the store, in one transaction. */
export class Transcripts {
  private readonly statements: TranscriptStatements;

  constructor(private readonly db: Database) {
    this.statements = prepareTranscriptStatements(db);
  }

  /** The checkpoint of a path, without a transaction, so that a run can skip what has not changed. */
  checkpoint(path: string): TranscriptCheckpoint | null {
    const row = this.statements.findTranscript.get(path) as TranscriptRow | undefined;
    return parseCheckpoint(row);
  }

  /** The checkpoint of a path if its file has not changed since the last run; else null. */
  checkpointOfUnchanged(path: string, file: FileStamp): TranscriptCheckpoint | null {
    const known = this.checkpoint(path);
    const isSame = known && isUntouched(known, file) && (known.compressedSize ?? known.size) === file.size;
    return isSame ? known : null;
  }

  /** Paths read on this machine from sources of this kind. */
  pathsOf(source: TranscriptSource): string[] {
    return this.statements.pathsOfSource.pluck().all(source) as string[];
  }

  /** Paths read on this machine for a session. */
  pathsOfSession(uuid: string): string[] {
    return this.statements.pathsOfSession.pluck().all(uuid) as string[];
  }

  /** Records that a file was moved: everything read from it now belongs to the new path. */
  move(from: string, to: string): void {
    writeTransaction(this.db, () => void this.statements.setPath.run({ from, to }));
  }

  /** Keeps what came from sources of this kind, but not their checkpoints: their files are read from the start again. */
  forgetReading(source: TranscriptSource): void {
    writeTransaction(this.db, () => void this.statements.forgetCheckpoints.run(source));
  }

  /**
   * Drops everything that came from a file, and its session if nothing else is in it. If the file comes back, what the
   * user deleted of it stays deleted.
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
      this.statements.unlinkSession.run(known.session_id);
    });
  }

  /**
   * Runs `work` in one transaction: stores all of the transcript with its checkpoint, or nothing.
   * @throws StorageError, and whatever `work` throws
   */
  write<T>(path: string, work: (writer: TranscriptWriter) => T): T {
    const { db, statements } = this;
    return writeTransaction(db, () => work(new TranscriptWriter(db, statements, path)));
  }
}
