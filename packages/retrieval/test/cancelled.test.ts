import { expect, it } from 'vitest';
import { explain, predict, recall, type RetrievalContext, search } from '../src/index.js';
import { Memory } from './memory.js';

const query = 'why did the mill wheel stop';
const scope = {};
const budgetTokens = 2_000;

const told = 'Why did the mill wheel stop? Its axle broke.';

type Ask = (context: RetrievalContext) => Promise<unknown>;
const onSearch: [string, Ask][] = [
  ['recall', (context) => recall(context, { query, scope, budgetTokens })],
  ['predict', (context) => predict(context, { query, scope, budgetTokens })],
  ['explain', (context) => explain(context, { topic: query, scope, budgetTokens })],
];
const searching: [string, Ask] = ['search', (context) => search(context, { query, scope, budgetTokens })];

it.each([searching, ...onSearch])('%s ends at its next step when its caller gives it up', async (_, ask) => {
  const memory = new Memory();
  memory.session('mill', [told]);
  const caller = new AbortController();
  const context = { ...memory.context, signal: caller.signal };
  expect(await ask(context)).toMatchObject({ hits: [{}] });
  const asked = ask(context);
  caller.abort();
  await expect(asked).rejects.toMatchObject({ code: 'ABORTED' });
});

it.each(onSearch)('%s tells nothing of what was found when its caller gave it up', async (_, ask) => {
  const memory = new Memory();
  memory.session('mill', [told]);
  let times = 0;
  await search({ ...memory.context, now: () => ++times }, { query, scope, budgetTokens });
  const caller = new AbortController();
  const untilFound = (): number => {
    if (--times === 0) caller.abort();
    return 0;
  };
  const asked = ask({ ...memory.context, now: untilFound, signal: caller.signal });
  await expect(asked).rejects.toMatchObject({ code: 'ABORTED' });
});
