import { explain, predict, recall, search } from '../src/index.js';
import type { Memory } from './memory.js';

/** The tools, each asked the same of a memory, in all its projects. */
export function asking(query: string) {
  const requestOf = (budgetTokens = 2_000) => ({ query, scope: {}, budgetTokens });
  return {
    search: ({ context }: Memory, budgetTokens?: number) => search(context, requestOf(budgetTokens)),
    recall: ({ context }: Memory, budgetTokens?: number) => recall(context, requestOf(budgetTokens)),
    predict: ({ context }: Memory, budgetTokens?: number) => predict(context, requestOf(budgetTokens)),
    explain: ({ context }: Memory, budgetTokens?: number) =>
      explain(context, { topic: query, ...requestOf(budgetTokens) }),
  };
}
