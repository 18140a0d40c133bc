/** Who wrote a stretch of a chunk's text. `system` is text the client injected, not a person. */
export type Speaker = 'user' | 'assistant' | 'tool_use' | 'tool_result' | 'thinking' | 'system';

/** A stretch `[start, end)` of a chunk's text in UTF-16 units, written by one speaker. Spans do not overlap. */
export interface Span {
  speaker: Speaker;
  start: number;
  end: number;
}

/** What a chunk is. `meta` is text injected by the client, `error` an API error. */
export type ChunkKind = 'dialogue' | 'compaction' | 'thinking' | 'meta' | 'error';

/** Kinds that a question can find: only they are indexed, linked and given vectors. */
export const RANKED_KINDS: readonly ChunkKind[] = ['dialogue', 'compaction'];

/** What precedes the result of a tool call in a chunk's text, if the call failed. */
export const FAILED_RESULT = '→ Error: ';

/** Stands before what a sub-agent was told to do. */
export const ASSIGNMENT = 'Assignment: ';

/** A chunk as cut from a transcript, before it has an id. */
export interface ChunkDraft {
  /** Place in its transcript: 0, 1, 2 … in file order, over all its turns. */
  seq: number;
  kind: ChunkKind;
  /** Whether it continues a message, or a call with its result, that an earlier chunk of its turn begins. */
  continues: boolean;
  /** Whether a blank line stands in the message before what continues it. */
  opensParagraph?: boolean;
  text: string;
  spans: Span[];
  tokens: number;
  /** Milliseconds since the epoch; null where no record of the chunk has a timestamp. */
  startTimeMs: number | null;
  endTimeMs: number | null;
  /** Paths as the tools named them, without repetition. */
  files: string[];
  /** Tool names, without repetition. */
  tools: string[];
  gitBranch: string | null;
  /** First and last line in the transcript, counted from 1. */
  lineStart: number;
  lineEnd: number;
}

export interface Commit {
  subject: string;
  hash?: string;
}

/** What one turn did, for session states and briefings. Kept per turn, so that forgetting a turn forgets it too. */
export interface TurnFacts {
  /** The person's request, shortened. */
  request?: string;
  /** Whether a program made the request, such as a script that runs the client without a terminal. */
  byProgram?: true;
  filesTouched?: string[];
  commands?: string[];
  commits?: Commit[];
  errors?: { message: string; resolvedBy?: string }[];
  tasks?: { text: string; status: 'pending' | 'in_progress' | 'completed' | 'deleted' }[];
  toolCounts?: Record<string, number>;
}

/** A prompt and everything until the next one, in one thought stream of one transcript. */
export interface TurnDraft {
  /** 0, 1, 2 … in the transcript, over all its streams, in order of their first line. */
  ordinal: number;
  /** Key of the agent whose stream this is; null for the main agent. */
  agentKey: string | null;
  promptUuid: string | null;
  promptParentUuid: string | null;
  lineStart: number;
  startTimeMs: number | null;
  endTimeMs: number | null;
  facts: TurnFacts;
  chunks: ChunkDraft[];
}

export type AgentKind = 'subagent' | 'sidechain' | 'teammate';

/** A thought stream beside the main agent: a sub-agent, a sidechain or a member of an agent team. */
export interface AgentDraft {
  /** Unique in its session: the client's agent id where it has one. */
  key: string;
  kind: AgentKind;
  /** What people call it: the team member's name, else the sub-agent type, else its key. */
  name: string;
  description: string | null;
  /** The tool call that started it, where known. */
  toolUseId: string | null;
  teamName: string | null;
}

/** Which program wrote a transcript; `claude-code-notes` are the notes that it, or Qwen Code, keeps for itself by project. */
export type TranscriptSource =
  'claude-code' | 'claude-code-notes' | 'codex' | 'gemini' | 'copilot' | 'qwen' | 'opencode' | 'cline';

/** What identifies a session, and where it ran. */
export interface SessionDraft {
  uuid: string;
  source: TranscriptSource;
  cwd: string | null;
  title: string | null;
  gitBranch: string | null;
  clientVersion: string | null;
}

/** A repository or folder whose sessions belong together. `path` is canonical and unique. */
export interface ProjectDraft {
  path: string;
  name: string;
}

/** A part of the input that could not be read; the rest was. */
export interface InputIssue {
  file: string;
  /** Counted from 1; null when the whole file is meant. */
  line: number | null;
  code: string;
  message: string;
}
