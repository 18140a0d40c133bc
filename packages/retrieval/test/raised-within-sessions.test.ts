import type { Speaker } from '@causantic/domain';
import { expect, it } from 'vitest';
import { RANKING_WEIGHTS, type RankingWeights, search } from '../src/index.js';
import { Memory, type Told } from './memory.js';

const told = (text: string, speaker: Speaker): Told => ({ text, speaker, sameTurn: true });

/** Two sessions in which the mill gate is worked on, the second with more to say, and many about other things. */
async function mill() {
  const memory = new Memory();
  memory.session('harbour', Array<string>(50).fill('The boats are in.'));
  const work = [
    'Have a look, please.',
    told('The mill gate sticks: a worn hinge, by the look of it.', 'assistant'),
    told('Measure the hinge', 'tool_use'),
    told('Measure the sill', 'tool_use'),
    told('Fetch a plane', 'tool_use'),
    told('The mill gate sticks no more: the sill was swollen, and is planed down now.', 'assistant'),
  ];
  const [, guess, , , , outcome] = memory.session('mill', work);
  const [other] = memory.session('mill', Array<string>(5).fill('The mill gate sticks.'));
  await memory.store.directory.refresh();
  const placesWith = async (ending: number) => {
    const context = { ...memory.context, weights: { ...RANKING_WEIGHTS, ending } };
    const { hits } = await search(context, { query: 'mill gate sticks', scope: {}, budgetTokens: 5_000 });
    return hits.map(({ chunk }) => chunk.id).filter((id) => [guess, outcome, other].includes(id));
  };
  return { guess, outcome, other, placesWith };
}

it('what an agent says when its work is done comes before its guesses', async () => {
  const { guess, outcome, placesWith } = await mill();
  const within = (ids: number[]) => ids.filter((id) => id === guess || id === outcome);
  expect(within(await placesWith(0))).toEqual([guess, outcome]);
  expect(within(await placesWith(RANKING_WEIGHTS.ending))).toEqual([outcome, guess]);
});

it('which session comes first does not depend on how its work ends', async () => {
  const { other, placesWith } = await mill();
  expect((await placesWith(0))[0]).toBe(other);
  expect((await placesWith(1))[0]).toBe(other);
});

/** Which of two texts of a session comes first, which stand far from each other in it. */
async function firstOf(texts: [Told, Told], weights: Partial<RankingWeights>): Promise<string> {
  const memory = new Memory();
  const between = Array<string>(12).fill('The boats are in.');
  memory.session('harbour', [...between, ...between]);
  const last = told('Fetch a plane', 'tool_use');
  memory.session('mill', ['Have a look, please.', texts[0], ...between, texts[1], ...between, last]);
  await memory.store.directory.refresh();
  const context = { ...memory.context, weights: { ...RANKING_WEIGHTS, ...weights } };
  const { hits } = await search(context, { query: 'mill gate sticks', scope: {}, budgetTokens: 5_000 });
  const both = texts.map(({ text }) => text);
  return hits.map(({ chunk }) => chunk.text).find((text) => both.includes(text))!;
}

it('what was said comes before calls that nobody explains', async () => {
  const call = told('Search for mill gate sticks', 'tool_use');
  const said = told('The mill gate sticks, since the sill is swollen.', 'assistant');
  expect(await firstOf([call, said], { telling: 0 })).toBe(call.text);
  expect(await firstOf([call, said], {})).toBe(said.text);
});

it('what an agent says with marks, as it does to explain, comes before what it says on its way', async () => {
  const plain = told('Mill gate sticks, says the miller', 'assistant');
  const marked = told('The mill gate sticks, since the `sill` is swollen.', 'assistant');
  expect(await firstOf([plain, marked], { marking: 0 })).toBe(plain.text);
  expect(await firstOf([plain, marked], {})).toBe(marked.text);
});
