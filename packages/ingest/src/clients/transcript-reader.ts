import type { JsonObject } from '../transcripts/records.js';

/** Turns the records of one client's transcript into events, in order. */
export interface TranscriptReader {
  /** The agent of this file's main stream, if its records tell more than its head: null for the session's main agent. */
  readonly mainAgentKey?: string | null;
  read(record: JsonObject, line: number): void;
  /** At the file's end: tells what it holds back. The next run drops that with the open turn, and reads on from `state`. */
  end?(): void;
  /**
   * The state a later run needs to continue from the latest line, which it reads again. It must be JSON, without secrets,
   * bounded in size, and never changed afterwards; it is requested at each turn. The reader must rely on nothing else, so
   * that reading in pieces has the same result as reading at once.
   */
  state?(): unknown;
}
