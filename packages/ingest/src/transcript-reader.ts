import type { JsonObject } from './records.js';

/** What the folder tells about a transcript before its first line is read. */
export interface TranscriptPlace {
  /** Key of the agent whose own file this is; null for a session's main file. */
  agentKey: string | null;
  agentName: string | null;
  agentDescription: string | null;
  agentTeam: string | null;
  agentCallId: string | null;
  isMainsAgent: boolean;
  /** The beginning stands in another transcript, which is there to be read. */
  hasOriginal: boolean;
  /** Agents of this session that have a file of their own: their progress records are left to it. */
  hasOwnFile(agentKey: string): boolean;
  sessionUuid: string;
  /** Without its folder. */
  fileName: string;
  modifiedMs: number;
}

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
