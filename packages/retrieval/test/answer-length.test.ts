import { join } from 'node:path';
import { defaultModelDir, Embedder, WorkerPool } from '@causantic/compute';
import { embedChunks } from '@causantic/ingest';
import { search, type SearchResult, SemanticSearch } from '@causantic/retrieval';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { byMeaning } from './embedded-memory.js';
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

it('an answer is short where something that the question names is nowhere', async () => {
  const memory = remembering({ 'lobster prices in TillDrawer': 150 });
  const ask = (query: string) => search(memory.context, { query, ...BUDGET });
  expect((await ask('lobster prices in TillDrawer')).tokens).toBeGreaterThan(15_000);
  const { remark, tokens } = await ask('lobster prices in TillDrawer and LobsterTill');
  expect(remark).toBe('[no passage contains LobsterTill]');
  expect(tokens).toBeGreaterThan(4_000);
  expect(tokens).toBeLessThan(5_100);
});

it('an answer is short where the question has no subject', async () => {
  const memory = remembering({ 'lobster prices': 150 });
  const { tokens } = await search(memory.context, { query: 'and of that?', ...BUDGET });
  expect(tokens).toBeGreaterThan(4_000);
  expect(tokens).toBeLessThanOrEqual(5_000);
});

/** Asks by words and by meaning. */
async function searching(memory: Memory, folder: string): Promise<(query: string) => Promise<SearchResult>> {
  const pool = new WorkerPool({ threads: 1 });
  const embedder = await Embedder.open({ pool, modelDir: defaultModelDir() });
  await embedChunks(memory.store, embedder);
  const semantic = await SemanticSearch.open(memory.store, embedder, join(folder, 'indexes'));
  onTestFinished(async () => {
    await semantic.close();
    await pool.close();
  });
  return (query) => search(byMeaning(memory.store, semantic), { query, ...BUDGET });
}

it('an answer is short where it is doubtful that there is one', async () => {
  const folder = temporaryFolder();
  const memory = remembering({ 'lobster prices and tills': 120 }, join(folder, 'memory.db'));
  const ask = await searching(memory, folder);
  expect((await ask('lobster prices, tills')).tokens).toBeGreaterThan(15_000);
  const doubtful = (await ask('what did the clerk of the court write down')).tokens;
  expect(doubtful).toBeGreaterThan(4_000);
  expect(doubtful).toBeLessThanOrEqual(5_000);
  expect((await ask('lobster soup recipe')).tokens).toBeLessThan(100);
});

it('words of one chunk and the meaning of another are no answer together', async () => {
  const folder = temporaryFolder();
  const memory = new Memory(join(folder, 'memory.db'));
  memory.session('shop', [
    'The mount of the network drive failed after the reboot, so the backup did not run.',
  ]);
  memory.session('shop', ['The highest peak on the chart is in January, then sales go down the hill.']);
  const ask = await searching(memory, folder);
  expect((await ask('How tall is Mount Everest?')).hits).toEqual([]);
  expect((await ask('Which mountain is the highest?')).hits).not.toEqual([]);
  expect((await ask('Did the network drive mount?')).hits).not.toEqual([]);
});

it('texts of one language are similar, whatever they say: in other languages than English words decide', async () => {
  const folder = temporaryFolder();
  const memory = new Memory(join(folder, 'memory.db'));
  for (const passage of [
    'El faro se apaga porque la lámpara recibe demasiada corriente durante la noche.',
    'Las redes de los pescadores se secan en el muelle hasta la mañana siguiente.',
    'Die Fähre legt erst ab, wenn alle Wagen gewogen sind und die Schranke unten ist.',
    'Der Hafenmeister trägt jede Ankunft in das grüne Buch neben der Tür ein.',
  ])
    memory.session('harbour', [passage]);
  const ask = await searching(memory, folder);
  const found = async (query: string): Promise<number> => (await ask(query)).hits.length;
  expect(await found('¿Por qué se apaga el faro?')).toBeGreaterThan(0);
  expect(await found('Wann legt die Fähre ab?')).toBeGreaterThan(0);
  expect(await found('¿Cuál es la receta de la tortilla?')).toBe(0);
  expect(await found('Warum schlug die Anmeldung mit Fingerabdruck fehl?')).toBe(0);
});
