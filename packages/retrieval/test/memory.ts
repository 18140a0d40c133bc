import {
  type ChunkDraft,
  type ChunkKind,
  type Commit,
  FAILED_RESULT,
  type Span,
  type Speaker,
  type TurnDraft,
} from '@causantic/domain';
import { createEdge, type EdgeType } from '@causantic/graph';
import { Store } from '@causantic/storage';
import { onTestFinished } from 'vitest';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';

export interface Told {
  text: string;
  agent?: string;
  /** What people call the agent; itself, unless said otherwise. */
  agentName?: string;
  tokens?: number;
  /** Goes on with the turn of the text before. */
  sameTurn?: boolean;
  /** Cut from the same message as the text before. */
  continues?: boolean;
  opensParagraph?: boolean;
  /** A person's words, unless said otherwise. */
  speaker?: Speaker;
  /** A call and its result, with the mark of a failure between them. */
  fails?: true;
  /** The end of a report, above the text. */
  behind?: string;
  /** What a tool says, below the text. */
  output?: string;
  tools?: string[];
  files?: string[];
  /** Dialogue, unless said otherwise. */
  kind?: ChunkKind;
  /** An hour of the session's, unless said otherwise. */
  atMs?: number;
  /** What the turn that begins with it is an answer to. */
  request?: string;
  /** It was a program that asked for it. */
  byProgram?: true;
  /** Git's. */
  branch?: string;
  /** What was committed in the turn that begins with it. */
  commits?: Commit[];
  /** Files that the turn edited that begins with it. */
  edited?: string[];
}

/** A store, told in sessions: one chunk a turn, an hour between sessions. */
export class Memory {
  readonly store: Store;
  private sessions = 0;

  /** @param path of its file, which workers can read, too; without one it is kept in memory */
  constructor(path = ':memory:') {
    this.store = Store.open(path);
    onTestFinished(() => this.store.close());
  }

  get context() {
    return { store: this.store, now: () => 0 };
  }

  /** Ids of the session's chunks, as they were told. */
  session(project: string, told: readonly (string | Told)[]): number[] {
    const n = ++this.sessions;
    const uuid = `0000000${n}-1111-4222-8333-444444444444`;
    const path = `/${uuid}.jsonl`;
    this.store.transcripts.write(path, (writer) => {
      writer.putSession(sessionDraft(uuid), { path: `/${project}`, name: project });
      const turns: TurnDraft[] = [];
      told.forEach((each, seq) => {
        const {
          text: said,
          agent = null,
          agentName = agent,
          tokens,
          continues = false,
          opensParagraph = false,
          sameTurn = continues,
          speaker = 'user',
          tools = [],
          files = [],
          kind = 'dialogue',
          atMs,
          request,
          byProgram,
          commits,
          edited,
          branch = null,
          fails,
          behind,
          output,
        } = typeof each === 'string' ? { text: each } : each;
        if (agent !== null) {
          const more = { description: null, toolUseId: null, teamName: null };
          writer.putAgent({ key: agent, kind: 'subagent', name: agentName!, ...more });
        }
        const above = behind === undefined ? '' : `${behind}\n\nAssistant: `;
        const words = above + said;
        const text = output === undefined ? words : `${words}\n\n${output}`;
        const ofReport =
          behind === undefined ? [] : [{ speaker: 'tool_result' as const, start: 0, end: behind.length }];
        const ofOutput =
          output === undefined
            ? []
            : [{ speaker: 'tool_result' as const, start: words.length + 2, end: text.length }];
        const chunk = {
          ...this.chunk(seq, n, text, tokens, atMs),
          kind,
          continues,
          opensParagraph,
          gitBranch: branch,
          tools,
          files,
          spans: fails
            ? spansOfFailure(text)
            : [...ofReport, { speaker, start: above.length, end: words.length }, ...ofOutput],
        };
        const turn = turns.at(-1);
        if (sameTurn && turn) return void turn.chunks.push(chunk);
        const facts = {
          ...(request !== undefined && { request }),
          ...(byProgram && { byProgram }),
          ...(commits && { commits }),
          ...(edited && { filesTouched: edited }),
        };
        turns.push(turnDraft(seq, [chunk], { agentKey: agent, facts }));
      });
      for (const turn of turns) writer.putTurn(turn);
    });
    return [...this.store.chunks.walk({}, 'oldest')]
      .filter((chunk) => chunk.sessionUuid === uuid)
      .sort((a, b) => a.seq - b.seq)
      .map(({ id }) => id);
  }

  /** A client's note of several sections, changed later than any session; their ids. */
  note(project: string, sections: readonly string[]): number[] {
    const timeMs = Date.UTC(2026, 5, 1);
    const chunks = sections.map((text, seq) =>
      chunkDraft(seq, text, {
        spans: [{ speaker: 'assistant', start: 0, end: text.length }],
        tokens: Math.ceil(text.length / 3),
        startTimeMs: timeMs,
        endTimeMs: timeMs,
      }),
    );
    this.store.transcripts.write('/notes.md', (writer) => {
      writer.putSession(sessionDraft('the-notes', { source: 'claude-code-notes' }), {
        path: `/${project}`,
        name: project,
      });
      writer.putTurn(turnDraft(0, chunks));
    });
    const [session] = this.store.sessions.withPrefix('the-notes', 1);
    return this.store.chunks.idsOfSession(session!.id);
  }

  private chunk(
    seq: number,
    session: number,
    text: string,
    tokens = Math.ceil(text.length / 3),
    timeMs = Date.UTC(2026, 1, 8, session, seq),
  ): ChunkDraft {
    return chunkDraft(seq, text, { spans: [], tokens, startTimeMs: timeMs, endTimeMs: timeMs });
  }

  link(type: EdgeType, ...ids: number[]): void {
    const add = ids.slice(1).map((to, i) => createEdge(type, ids[i]!, to));
    this.store.edges.write(1, (writer) => writer.apply({ add, remove: [] }));
  }
}

function spansOfFailure(text: string): Span[] {
  const end = text.indexOf(FAILED_RESULT);
  return [
    { speaker: 'tool_use', start: 0, end },
    { speaker: 'tool_result', start: end + FAILED_RESULT.length, end: text.length },
  ];
}
