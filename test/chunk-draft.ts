import type { ChunkDraft } from '@causantic/domain';

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
