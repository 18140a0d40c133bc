import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultModelDir, Embedder, WorkerPool } from '@causantic/compute';
import { embedChunks } from '@causantic/ingest';
import { search, SemanticSearch } from '@causantic/retrieval';
import { expect, it, onTestFinished } from 'vitest';
import { Memory } from './memory.js';

const FILLING =
  'and the clerk wrote down whatever the customers of that morning had said about the weather. ';
const BUDGET = { scope: {}, budgetTokens: 20_000 };

/** A memory of sessions with one remark of some hundred tokens each. */
function remembering(sessions: Record<string, number>, path?: string): Memory {
  const memory = new Memory(path);
  for (const [about, count] of Object.entries(sessions)) {
    for (let n = 0; n < count; n++) memory.session('shop', [`Day ${n}, ${about}: ${FILLING.repeat(3)}`]);
  }
  return memory;
}

it('behind 5,000 tokens only what is half as relevant as the best is told', async () => {
  const memory = remembering({ 'lobster prices and tills': 20, 'lobster sizes': 60, 'opening hours': 200 });
  const { hits, tokens } = await search(memory.context, { query: 'lobster prices, tills', ...BUDGET });
  expect(hits.filter(({ chunk }) => chunk.text.includes('tills'))).toHaveLength(20);
  expect(tokens).toBeGreaterThan(5_000);
  expect(tokens).toBeLessThan(7_500);
});

it('what is all as relevant fills the budget', async () => {
  const memory = remembering({ 'lobster prices and tills': 150 });
  const { tokens } = await search(memory.context, { query: 'lobster prices, tills', ...BUDGET });
  expect(tokens).toBeGreaterThan(19_500);
});

it('an answer is short where it is doubtful that there is one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causantic-answers-'));
  const memory = remembering({ 'lobster prices and tills': 120 }, join(folder, 'memory.db'));
  const pool = new WorkerPool({ threads: 1 });
  const embedder = await Embedder.open({ pool, modelDir: defaultModelDir() });
  await embedChunks(memory.store, embedder);
  const semantic = await SemanticSearch.open(memory.store, embedder, join(folder, 'indexes'));
  onTestFinished(async () => {
    await semantic.close();
    await pool.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const context = { ...memory.context, semantic: () => Promise.resolve(semantic) };
  const tokensOf = async (query: string) => (await search(context, { query, ...BUDGET })).tokens;
  expect(await tokensOf('lobster prices, tills')).toBeGreaterThan(15_000);
  const doubtful = await tokensOf('weather of the morning at the airport');
  expect(doubtful).toBeGreaterThan(4_000);
  expect(doubtful).toBeLessThanOrEqual(5_000);
  expect(await tokensOf('lobster soup recipe')).toBeLessThan(100);
});
