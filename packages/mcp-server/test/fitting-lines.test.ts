import { headerTokens } from '@causantic/retrieval';
import { expect, it } from 'vitest';
import { fittingLines } from '../src/fitting-lines.js';

const tokens = (lines: string[]): number => lines.reduce((sum, line) => sum + headerTokens(line) + 1, 0);

it('whatever the budget, an answer with its last line fits, and tells how many are left out', () => {
  const fixed = ['Projects in memory:'];
  const lines = Array.from({ length: 30 }, (_, n) => `- project-${n} (${n} chunks)`);
  const more = (leftOut: number): string => `...and ${leftOut} more, which were used longer ago than these`;
  const least = tokens([...fixed, more(30)]);
  for (let budgetTokens = least; budgetTokens < tokens([...fixed, ...lines]); budgetTokens++) {
    const shown = fittingLines({ fixed, lines, budgetTokens, more });
    expect(tokens([...fixed, ...shown])).toBeLessThanOrEqual(budgetTokens);
    expect(shown.at(-1)).toBe(more(lines.length - shown.length + 1));
  }
  const all = { fixed, lines, budgetTokens: tokens([...fixed, ...lines]), more };
  expect(fittingLines(all)).toEqual(lines);
});
