// What readers of all clients make of records, and where they put it.
import type { AgentDraft } from '@causantic/domain';

/** Where and when something was said in a transcript. */
export interface Place {
  /** Line in the file, from 1. */
  line: number;
  timeMs: number | null;
  gitBranch: string | null;
  uuid: string | null;
  parentUuid: string | null;
  /** Key of the agent whose stream it is in; null for the main agent. */
  agentKey: string | null;
  /** The branch of the stream, if another terminal continues the session in parallel; none for the latest branch. */
  branch?: string | null;
}

/** The result of a call. */
export interface ToolOutput {
  text: string;
  isError: boolean;
  /** The call did not run, because a person refused it or a parallel call failed. */
  isCancelled?: boolean;
  /** What it started goes on running: what comes of it is told by a later call. */
  isRunning?: boolean;
  /** What a command changed, as the client found out. */
  changedFiles?: string[];
}

/** The meaning of a client's record, in terms common to all clients. Texts are unchanged from the file. */
export type TranscriptEvent = Place &
  (
    | {
        type: 'prompt';
        text: string;
        /** Accompanies a prompt, but was not typed by a person. */
        injected?: boolean;
        /** Said in between: the agent continues with its current request. */
        isAside?: boolean;
        /** A command that the client runs itself, which asks nothing of the agent. */
        isForClient?: boolean;
        /** May stand above as injected, where nothing showed that it is a person's. */
        mayStandAbove?: boolean;
        /** Sent by a program, not by a person at a terminal. */
        byProgram?: boolean;
      }
    /** The task that a parent agent gave to this stream's agent. */
    | { type: 'assignment'; text: string }
    | {
        type: 'injected';
        text: string;
        /** The person interrupted the request; the next prompt is a new one. */
        breaksOff?: boolean;
      }
    /** What a command printed that the person ran, in the form of `withExitCode` if it failed. */
    | { type: 'output'; text: string }
    | { type: 'message'; from: string; to: string; text: string }
    | { type: 'answer'; text: string }
    | { type: 'thinking'; text: string }
    | {
        type: 'tool-call';
        id: string | null;
        name: string;
        input: Record<string, unknown>;
        /** Where a command runs, seen from where the paths of the other calls are told. */
        folder?: string | null;
      }
    | ({ type: 'tool-result'; id: string | null } & ToolOutput)
    | { type: 'compaction'; text: string }
    | { type: 'error'; text: string }
    /** A section of a note, which is not part of a conversation; the title names it. */
    | { type: 'note'; title: string; text: string }
    /** The person revoked everything from this line on. */
    | { type: 'rewind'; fromLine: number }
  );

/** Facts about the session that a record may contain; null for those it does not. */
export interface SessionFacts {
  cwd?: string | null;
  title?: string | null;
  gitBranch?: string | null;
  clientVersion?: string | null;
  /** The session that this one says it continues, whether or not it contains a copy of it. */
  continuesUuid?: string | null;
  /** The session in which the plan was made that this one carries out: one it continues, if it says no other. */
  plannedIn?: string | null;
}

/** Events that are a text and no more. */
type TextEvent =
  'prompt' | 'assignment' | 'injected' | 'output' | 'answer' | 'thinking' | 'error' | 'compaction';

/** Receives what a reader finds in records. */
export interface EventSink {
  event(event: TranscriptEvent): void;
  /** Further ids of this record, by which copies in other transcripts are known. */
  alsoKnownBy(uuids: readonly string[]): void;
  /** @param uuid of the record that reveals the agent */
  agent(agent: AgentDraft, uuid: string | null): void;
  session(facts: SessionFacts): void;
  /** Whether an earlier run stored anything of this agent's from the same file. */
  hasTold(agentKey: string): boolean;
  issue(line: number, code: string, message: string): void;
  /**
   * Removes secrets and private parts from a text. Use this for everything a reader remembers, because its state is stored.
   * Empty if the user may have deleted the text.
   */
  clean(text: string): string;
}

/** Tells a text, where a record has one. */
export function tell(sink: EventSink, place: Place, type: TextEvent, text: unknown): void {
  if (typeof text === 'string' && text.trim() !== '') sink.event({ ...place, type, text });
}

/** Tells that a call did not take place, and what the person typed when refusing it. */
export function tellRefusal(
  sink: EventSink,
  place: Place,
  { id, text, said }: { id: string | null; text: string; said: string | null },
): void {
  sink.event({ ...place, type: 'tool-result', id, text, isError: true, isCancelled: true });
  if (said) sink.event({ ...place, uuid: null, type: 'prompt', text: said, isAside: true });
}
