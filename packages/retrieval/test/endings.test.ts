import type { Speaker } from '@causantic/domain';
import { expect, it } from 'vitest';
import { RANKING_WEIGHTS, search } from '../src/index.js';
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
