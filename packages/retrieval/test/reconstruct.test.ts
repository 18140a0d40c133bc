import { expect, it } from 'vitest';
import { reconstruct } from '../src/index.js';
import { Memory } from './memory.js';

it('a message that was cut goes on in the next line, what else was said stands apart', () => {
  const memory = new Memory();
  memory.session('shop', [
    'Prices:\n- tea',
    { text: '- coffee', continues: true },
    { text: '[Bash] sum prices', speaker: 'tool_use', sameTurn: true },
    { text: '→ 12 in all', speaker: 'tool_result', continues: true },
    'And the cups?',
  ]);
  const { text } = reconstruct(memory.store, { filter: {}, budgetTokens: 2_000, keep: 'newest' });
  expect(text.slice(text.indexOf('\n\n') + 2)).toBe(
    'Prices:\n- tea\n- coffee\n\n[Bash] sum prices\n→ 12 in all\n\nAnd the cups?',
  );
});

it('says whose message it is in the middle of which it begins, and not where it is whole', () => {
  const memory = new Memory();
  const speaker = 'user' as const;
  memory.session('shop', [
    { text: 'User: The list of prices:', speaker },
    ...['tea', 'rum', 'jam'].map((text) => ({ text, speaker, continues: true })),
  ]);
  const bodyWithin = (budgetTokens: number): string => {
    const { text, tokens } = reconstruct(memory.store, { filter: {}, budgetTokens, keep: 'newest' });
    expect(tokens).toBeLessThanOrEqual(budgetTokens);
    return text.split(' ===\n\n')[1] ?? '';
  };
  const bodies = new Set(Array.from({ length: 400 }, (_, n) => bodyWithin(60 + n)));
  expect([...bodies].filter((body) => body !== '')).toEqual([
    '[… User]\njam',
    '[… User]\nrum\njam',
    '[… User]\ntea\nrum\njam',
    'User: The list of prices:\ntea\nrum\njam',
  ]);
});

it('tells agents of one name apart that work side by side', () => {
  const memory = new Memory();
  const explorer = (agent: string, text: string) => ({ agent, agentName: 'Explore', text });
  memory.session('shop', [
    'Look at the shop',
    explorer('a1', 'The till is old'),
    explorer('a2', 'The roof leaks'),
    explorer('a1', 'And it jams'),
    { agent: 'a3', agentName: 'Plan', text: 'First the roof' },
    'Well done',
  ]);
  const { text } = reconstruct(memory.store, { filter: {}, budgetTokens: 2_000, keep: 'newest' });
  expect(text.split('\n\n').slice(1)).toEqual([
    'Look at the shop',
    ...['--- Agent: Explore (1) ---', 'The till is old'],
    ...['--- Agent: Explore (2) ---', 'The roof leaks'],
    ...['--- Agent: Explore (1) ---', 'And it jams'],
    ...['--- Agent: Plan ---', 'First the roof'],
    ...['--- Main agent ---', 'Well done'],
  ]);
});
