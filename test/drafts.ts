import type { ChunkDraft, SessionDraft, TurnDraft } from '@causantic/domain';

/** A chunk of conversation, typed by a person on one line of its own; `more` says what is different. */
export function chunkDraft(seq: number, text: string, more: Partial<ChunkDraft> = {}): ChunkDraft {
  return {
    seq,
    kind: 'dialogue',
    continues: false,
    text,
    spans: [{ speaker: 'user', start: 0, end: text.length }],
    tokens: text.length,
    startTimeMs: 1000 * seq,
    endTimeMs: 1000 * seq + 500,
    files: [],
    tools: [],
    gitBranch: null,
    lineStart: seq + 1,
    lineEnd: seq + 1,
    ...more,
  };
}

/** A turn of the main agent; `more` says what is different. */
export function turnDraft(ordinal: number, chunks: ChunkDraft[], more: Partial<TurnDraft> = {}): TurnDraft {
  return {
    ordinal,
    agentKey: null,
    promptUuid: null,
    promptParentUuid: null,
    lineStart: chunks[0]!.lineStart,
    startTimeMs: chunks[0]!.startTimeMs,
    endTimeMs: chunks.at(-1)!.endTimeMs,
    facts: { request: chunks[0]!.text },
    chunks,
    ...more,
  };
}

/** A session of Claude Code of which little is known; `more` says what is different. */
export function sessionDraft(uuid: string, more: Partial<SessionDraft> = {}): SessionDraft {
  const unknown = { cwd: null, title: null, gitBranch: null, clientVersion: null };
  return { uuid, source: 'claude-code', ...unknown, ...more };
}
