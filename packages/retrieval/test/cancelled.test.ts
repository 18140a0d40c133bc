import { expect, it } from 'vitest';
import { explain, predict, recall, type RetrievalContext, search } from '../src/index.js';
import { Memory } from './memory.js';

const query = 'why did the mill wheel stop';
const scope = {};
const budgetTokens = 2_000;

it.each<[string, (context: RetrievalContext) => Promise<unknown>]>([
  ['search', (context) => search(context, { query, scope, budgetTokens })],
  ['recall', (context) => recall(context, { query, scope, budgetTokens })],
  ['predict', (context) => predict(context, { query, scope, budgetTokens })],
  ['explain', (context) => explain(context, { topic: query, scope, budgetTokens })],
])('%s ends at its next step when its caller gives it up', async (_, ask) => {
  const memory = new Memory();
  memory.session('mill', ['Why did the mill wheel stop? Its axle broke.']);
  const caller = new AbortController();
  const context = { ...memory.context, signal: caller.signal };
  expect(await ask(context)).toMatchObject({ hits: [{}] });
  const asked = ask(context);
  caller.abort();
  await expect(asked).rejects.toMatchObject({ code: 'ABORTED' });
});
