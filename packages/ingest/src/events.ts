// What readers of all clients make of records, and where they put it.
import type { AgentDraft } from '@causantic/domain';

/** Where and when something in a transcript was said. */
export interface Place {
  /** Line in the file, from 1. */
  line: number;
  timeMs: number | null;
  gitBranch: string | null;
  uuid: string | null;
  parentUuid: string | null;
  /** Key of the agent in whose stream it stands; null for the main agent. */
  agentKey: string | null;
  /** The branch of the stream in which it stands, where another terminal goes on beside it; none for the latest. */
  branch?: string | null;
}

/** What came of a call. */
export interface ToolOutput {
  text: string;
  isError: boolean;
  /** The call did not take place: a person refused it, or one beside it failed. */
  isCancelled?: boolean;
}

/** What a client's record means, in words common to all clients. Texts are as they stand in the file. */
export type TranscriptEvent = Place &
  (
    | {
        type: 'prompt';
        text: string;
        /** Accompanies a prompt, not typed by a person. */
        injected?: boolean;
        /** Said in between: the agent goes on with what it was asked. */
        isAside?: boolean;
        /** A command that the client does itself: nothing is asked of the agent. */
        isForClient?: boolean;
        /** A program asked, not a person at a terminal. */
        byProgram?: boolean;
      }
    /** The task a parent agent gives to this stream's agent. */
    | { type: 'assignment'; text: string }
    | {
        type: 'injected';
        text: string;
        /** The person broke off what was asked: the next prompt is another one. */
        breaksOff?: boolean;
      }
    | { type: 'message'; from: string; to: string; text: string }
    | { type: 'answer'; text: string; messageId: string | null }
    | { type: 'thinking'; text: string }
    | { type: 'tool-call'; id: string | null; name: string; input: Record<string, unknown> }
    | ({ type: 'tool-result'; id: string | null } & ToolOutput)
    | { type: 'compaction'; text: string }
    | { type: 'error'; text: string }
    /** A part of a text that no conversation holds; the title says which. */
    | { type: 'note'; title: string; text: string }
    /** The person took back everything from this line on. */
    | { type: 'rewind'; fromLine: number }
  );

/** Facts about the session that a record may carry; null where it does not. */
export interface SessionFacts {
  cwd?: string | null;
  title?: string | null;
  gitBranch?: string | null;
  clientVersion?: string | null;
  /** The session that this one says it goes on from, whether it holds a copy of it or not. */
  continuesUuid?: string | null;
}

/** Where a record reader puts what it finds. */
export interface EventSink {
  event(event: TranscriptEvent): void;
  /** What this record says is known by these, too, where another transcript has a copy of it. */
  alsoKnownBy(uuids: readonly string[]): void;
  /** @param uuid of the record that shows the agent */
  agent(agent: AgentDraft, uuid: string | null): void;
  session(facts: SessionFacts): void;
  issue(line: number, code: string, message: string): void;
  /**
   * A text without secrets and private parts, for what a reader remembers: its state is stored. Empty where the
   * user may have deleted the text.
   */
  clean(text: string): string;
}
