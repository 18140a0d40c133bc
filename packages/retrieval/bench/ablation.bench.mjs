/**
 * What each part of the ranking is worth: search quality with the shipped weights, and with one part changed at a
 * time, on data sets of your own.
 *
 *   node packages/retrieval/bench/ablation.bench.mjs --home HOME --questions FILE [--home HOME --questions FILE …]
 *
 * HOME is a memory that `causantic-reindex` filled. FILE is a JSON array of questions, each
 * `{ set, query, project?, sessions: [ids], ignore?: [ids], evidence?: [texts] }`: the sessions that are right, those
 * that are neither right nor wrong, and texts that should stand in the answer. Without any the bundled sample is asked:
 * too small to decide anything by, it shows what the table looks like.
 *
 * Prints one JSON object: by set and variant, R@1, R@5, R@10 and mean reciprocal rank of the first right session,
 * where there is evidence its share within the first 1,000, 2,000 and 5,000 tokens (of four characters), and the mean
 * time of a search.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { defaultModelDir, Embedder, WorkerPool } from '@causantic/compute';
import { EDGE_TYPES } from '@causantic/graph';
import { clusterChunks, embedChunks, ingestTree } from '@causantic/ingest';
import { RANKING_WEIGHTS, search, SemanticSearch } from '@causantic/retrieval';
import { Store } from '@causantic/storage';

/**
 * @typedef {{ set: string, query: string, project?: string, sessions: string[], ignore?: string[], evidence?: string[] }} Question
 * @typedef {Partial<typeof RANKING_WEIGHTS> & { withoutVectors?: boolean }} Variant
 * @typedef {{ rank: number, shares: number[] | undefined }} Answer `rank` of the first right session, 0 for none
 */

const EVIDENCE_TOKENS = [1_000, 2_000, 5_000];
const ANSWER_TOKENS = 18_000;
const EDGE_WEIGHT = 0.6;

/** @type {Record<string, Variant>} */
const VARIANTS = {
  shipped: {},
  'words alone': { withoutVectors: true },
  'no neighbours': { neighbour: 0 },
  'no session score': { session: 0 },
  'no session similarity': { sessionSimilarity: 0 },
  'no rank fusion': { fusion: [0] },
  'one order': { fusion: [0.185] },
  'MMR 0.9': { lambda: 0.9 },
  'MMR 0.7': { lambda: 0.7 },
  'no clusters': { cluster: 0 },
  'clusters 0.3': { cluster: 0.3 },
  'no entities': { entity: 0 },
  'entities 1': { entity: 1 },
  'no circumstances': { circumstance: 0 },
  'no ends of work': { ending: 0 },
  'no edges': { edges: {} },
  ...Object.fromEntries(
    EDGE_TYPES.map((type) => [`edges: ${type} alone`, { edges: { [type]: EDGE_WEIGHT } }]),
  ),
  'edges: all': { edges: Object.fromEntries(EDGE_TYPES.map((type) => [type, EDGE_WEIGHT])) },
};

const sampleFolder = fileURLToPath(new URL('../../../test/sample', import.meta.url));

const pool = new WorkerPool({ threads: 1 });
try {
  const { values } = parseArgs({
    options: { home: { type: 'string', multiple: true }, questions: { type: 'string', multiple: true } },
  });
  const homes = values.home ?? [];
  if (homes.length !== (values.questions ?? []).length) throw new Error('A --questions for each --home.');
  const embedder = await Embedder.open({ pool, modelDir: defaultModelDir() });
  const tables = homes.length > 0 ? [] : [await ofSample(embedder)];
  for (const [index, home] of homes.entries()) {
    tables.push(await ablation(home, readQuestions(values.questions?.[index] ?? ''), embedder));
  }
  process.stdout.write(`${JSON.stringify(Object.assign({}, ...tables), null, 2)}\n`);
} finally {
  await pool.close();
}

/** @param {string} file */
function readQuestions(file) {
  return /** @type {Question[]} */ (JSON.parse(readFileSync(file, 'utf8')));
}

/** @param {Embedder} embedder */
async function ofSample(embedder) {
  const home = mkdtempSync(join(tmpdir(), 'causantic-ablation-'));
  try {
    const store = Store.open(join(home, 'memory.db'));
    ingestTree(store, [join(sampleFolder, 'claude')]);
    await embedChunks(store, embedder);
    await clusterChunks(store, { pool, modelId: embedder.model.id });
    store.close();
    return await ablation(home, readQuestions(join(sampleFolder, 'questions.json')), embedder);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * @param {string} home
 * @param {Question[]} questions
 * @param {Embedder} embedder
 */
async function ablation(home, questions, embedder) {
  const store = Store.open(join(home, 'memory.db'));
  const semantic = await SemanticSearch.open(store, embedder, join(home, 'indexes'));
  await whenReady(store, semantic);
  /** @type {Record<string, Record<string, Record<string, number>>>} */
  const table = {};
  for (const [name, variant] of Object.entries(VARIANTS)) {
    const { answers, searchMs } = await askAll(store, semantic, questions, variant);
    for (const set of new Set(questions.map((question) => question.set))) {
      const own = answers.filter((_, index) => questions[index]?.set === set);
      table[set] = { ...table[set], [name]: { ...figuresOf(own), searchMs } };
    }
  }
  await semantic.close();
  store.close();
  return table;
}

/**
 * Indexes are read at the first search, and until they are there words alone answer.
 *
 * @param {Store} store
 * @param {SemanticSearch} semantic
 */
async function whenReady(store, semantic) {
  const context = { store, now: () => performance.now(), semantic: () => Promise.resolve(semantic) };
  const ask = () => search(context, { query: 'anything', scope: {}, budgetTokens: ANSWER_TOKENS });
  while ((await ask()).diagnostics.degraded.length > 0);
}

/**
 * @param {Store} store
 * @param {SemanticSearch} semantic
 * @param {Question[]} questions
 * @param {Variant} variant
 */
async function askAll(store, semantic, questions, { withoutVectors, ...changed }) {
  const context = {
    store,
    now: () => performance.now(),
    weights: { ...RANKING_WEIGHTS, ...changed },
    ...(!withoutVectors && { semantic: () => Promise.resolve(semantic) }),
  };
  const projects = new Map(store.projects.list().map(({ slug, id }) => [slug, id]));
  /** @type {Answer[]} */
  const answers = [];
  const startedAt = performance.now();
  for (const question of questions) {
    const projectId = question.project === undefined ? undefined : projects.get(question.project);
    const scope = projectId === undefined ? {} : { projectId };
    const found = await search(context, { query: question.query, scope, budgetTokens: ANSWER_TOKENS });
    answers.push(judge(question, found));
  }
  return { answers, searchMs: rounded((performance.now() - startedAt) / questions.length) };
}

/**
 * @param {Question} question
 * @param {{ text: string, hits: { chunk: { sessionUuid: string } }[] }} found
 * @returns {Answer}
 */
function judge({ sessions, ignore = [], evidence }, { text, hits }) {
  const ranked = [...new Set(hits.map(({ chunk }) => chunk.sessionUuid))].filter(
    (id) => !ignore.includes(id),
  );
  const shares = evidence && EVIDENCE_TOKENS.map((tokens) => shareOf(evidence, text.slice(0, tokens * 4)));
  return { rank: ranked.findIndex((id) => sessions.includes(id)) + 1, shares };
}

/**
 * @param {string[]} evidence
 * @param {string} text
 */
function shareOf(evidence, text) {
  const shown = oneSpaced(text);
  return evidence.filter((each) => shown.includes(oneSpaced(each))).length / evidence.length;
}

/** @param {string} text */
function oneSpaced(text) {
  return text.split(/\s+/).filter(Boolean).join(' ');
}

/** @param {Answer[]} answers */
function figuresOf(answers) {
  const within = (/** @type {number} */ limit) =>
    mean(answers.map(({ rank }) => Number(rank > 0 && rank <= limit)));
  const shares = answers.flatMap((answer) => (answer.shares ? [answer.shares] : []));
  return {
    questions: answers.length,
    'R@1': within(1),
    'R@5': within(5),
    'R@10': within(10),
    MRR: mean(answers.map(({ rank }) => (rank === 0 ? 0 : 1 / rank))),
    ...(shares.length > 0 &&
      Object.fromEntries(
        EVIDENCE_TOKENS.map((tokens, index) => [
          `evidence@${tokens}`,
          mean(shares.map((row) => row[index] ?? 0)),
        ]),
      )),
  };
}

/** @param {number[]} values */
function mean(values) {
  return rounded(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 1_000) / 1_000;
}
