import type { TranscriptSource } from '@causantic/domain';
import type { JsonObject } from './records.js';

/** What a transcript's path and first records say about it. */
export interface TranscriptOrigin {
  source: TranscriptSource;
  /** A sub-agent's own file belongs to the session that started it. */
  kind: 'main' | 'subagent';
  /** The agent's key, for a sub-agent's file. */
  agentKey: string | null;
  agentName?: string | null;
  agentDescription?: string | null;
  /** The team of which the agent is a member. */
  agentTeam?: string | null;
  /** The call that started the agent. */
  agentCallId?: string | null;
  /** The session's main agent started it, not another sub-agent. */
  isMainsAgent?: boolean;
  /** The beginning was imported from another client's transcript, which can be read itself. */
  hasOriginal?: boolean;
  sessionUuid: string;
  /** First working folder named in the file. */
  cwd: string | null;
  /** Of a session whose file does not name it. */
  gitBranch?: string | null;
  /** Identifies the project if no working folder is known. */
  folder: string;
  /** A name that stands beside the file, not in it. */
  title: string | null;
  firstTimeMs: number | null;
  /** The latest time at its beginning: what a fork has before its copied messages is younger than they are. */
  begunTimeMs?: number | null;
}

/** Gathers what a transcript's first records tell of it. */
export interface TranscriptHead {
  add(record: JsonObject): void;
  /** More records would tell no more. */
  readonly isComplete: boolean;
  /** Null where nothing in the file is worth remembering, or it is no transcript. */
  origin(path: string): TranscriptOrigin | null;
}
