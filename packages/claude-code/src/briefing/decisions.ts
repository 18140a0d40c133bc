import type { StoredChunk } from '@causantic/storage';

/** A question that the user answered. */
export interface Decision {
  question: string;
  answer: string;
  timeMs: number | null;
}

/** `"Which port?"="9464"`, as Claude Code reports answers to its questions. */
const ANSWERED = /"((?:[^"\\]|\\.){3,400})"="((?:[^"\\]|\\.){1,600})"/g;

/** A question in return, or an answer that leaves it to the agent or ends a round of questions. */
const DECIDES_NOTHING = /\?(?:\s|$)|^(?:you decide|next area|done)\b/i;

/**
 * What was asked and answered in chunks in which the agent put questions to the user; of a question that was asked
 * again, the latest answer.
 * @param chunks the latest first
 */
export function latestDecisions(chunks: readonly Pick<StoredChunk, 'text' | 'startTimeMs'>[]): Decision[] {
  const byQuestion = new Map<string, Decision>();
  for (const { text, startTimeMs } of chunks) {
    for (const [, question = '', answer = ''] of text.matchAll(ANSWERED)) {
      if (DECIDES_NOTHING.test(answer)) continue;
      if (!byQuestion.has(question)) byQuestion.set(question, { question, answer, timeMs: startTimeMs });
    }
  }
  return [...byQuestion.values()];
}
