import type { JsonObject } from './records.js';

/** Turns the records of one client's transcript into events, in order. */
export interface TranscriptReader {
  /** The agent of this file's main stream; null for the session's main agent. */
  readonly mainAgentKey: string | null;
  read(record: JsonObject, line: number): void;
  /**
   * What a later run needs to read on from the latest line, that line included: it is read again. JSON, without
   * secrets, bounded in size, and never changed afterwards: it is asked for at each turn. What is not in it is
   * forgotten here, so that reading in pieces gives what reading at once does.
   */
  state(): unknown;
}
