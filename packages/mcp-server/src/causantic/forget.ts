import * as z from 'zod';
import { holding, InvalidArgumentError, NotFoundError } from '@causantic/domain';
import { formatDate, type SemanticSearch } from '@causantic/retrieval';
import type { ChunkFilter, SessionSummary, Store, StoredChunk, StoredProject } from '@causantic/storage';
import { name, optionalName, optionalText, requireProject, requireSession } from '../arguments.js';
import { fittingLines } from '../fitting-lines.js';
import { parseDate } from '../time-window.js';
import { type DeletionCall, defineTool, type ToolContext } from '../tool.js';
import { exactWords, namesIn, SHORTEST_NAME } from './names-in-query.js';

const DEFAULT_THRESHOLD = 0.6;

const input = z.strictObject({
  project: name('Project slug. Use list-projects to see available projects.'),
  before: optionalName('Delete chunks before this ISO 8601 date.'),
  after: optionalName('Delete chunks on or after this ISO 8601 date.'),
  session_id: optionalName('Delete chunks from a specific session.'),
  query: optionalText(
    'Semantic query for topic-based deletion (e.g., "authentication flow"). Finds similar chunks by embedding ' +
      'similarity. Can combine with before/after/session_id (AND logic).',
  ),
  threshold: z
    .number()
    .min(0, 'a number from 0 to 1, or a percentage up to 100')
    .max(100, 'a number from 0 to 1, or a percentage up to 100')
    .default(DEFAULT_THRESHOLD)
    .describe(
      'Similarity threshold (0–1 or 0–100, default 0.6). Higher = more selective. Values >1 treated as percentages ' +
        '(e.g., 60 → 0.6). Only used when query is provided.',
    ),
  dry_run: z
    .boolean()
    .default(true)
    .describe('Preview without deleting (default: true). Set to false to actually delete.'),
});

type Input = z.infer<typeof input>;

export const forgetTool = defineTool({
  name: 'forget',
  title: 'Forget',
  description:
    'Delete chunks from memory filtered by project, time range, session, or semantic query. Requires project to ' +
    'prevent accidental full-database deletion. Defaults to dry_run=true (preview only). A query that is only a name in ' +
    'double quotes ("Jane Doe") matches every chunk that contains it.',
  input,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run(given, context, options) {
    const project = requireProject(context.store, given.project);
    const selectNow = () => select(given, project, context);
    const selection = await selectNow();
    const matched = selection.ids.length;
    const titles = selection.titled.length;
    if (given.dry_run || (matched === 0 && titles === 0))
      return { text: selection.preview, diagnostics: { matched, deleted: 0 } };
    const { deleted, left } = await deleteAll(selection, context, { ...options, selectAgain: selectNow });
    const done = `Deleted ${deleted} chunk(s) from project "${project.slug}" (vectors and related edges/clusters also removed).`;
    const untitled = titles === 0 ? [] : [`Deleted the title of ${titles} session(s), which contained it.`];
    return { text: [done, ...untitled, ...left].join('\n'), diagnostics: { matched, deleted } };
  },
});

interface Selection {
  ids: number[];
  /** Sessions that would lose their titles alone. */
  titled: number[];
  /** What would be deleted, or that nothing matches. */
  preview: string;
  /** What this deletion does not cover, if anything. */
  left: string[];
}

/** A transcript is hardly ever read again this often while one deletion waits. */
const MOST_ROUNDS = 5;

/** While a deletion waits for another process, that process may read a transcript again and give its chunks new ids. */
async function deleteAll(
  { ids, titled, left }: Selection,
  { deleteChunks }: ToolContext,
  { selectAgain, signal, onProgress }: DeletionCall & { selectAgain: () => Promise<Selection> },
): Promise<{ deleted: number; left: string[] }> {
  let total = 0;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = total;
    const deleted = await deleteChunks(ids, titled, {
      ...(signal && { signal }),
      ...(onProgress && { onProgress: (done, all) => onProgress(before + done, before + all) }),
    });
    total += deleted;
    if (deleted === ids.length) break;
    ({ ids, titled, left } = await selectAgain().catch((error: unknown) => {
      // Somebody else deleted the whole session.
      if (error instanceof NotFoundError) return { ids: [], titled: [], left: [] };
      throw error;
    }));
    if (ids.length === 0) break;
  }
  return { deleted: total, left };
}

async function select(given: Input, project: StoredProject, context: ToolContext): Promise<Selection> {
  const filter = filterOf(given, project, context.store);
  const ids = context.store.forgetting.ids(filter);
  const { query, threshold } = given;
  if (query !== undefined) return selectByQuery({ query, threshold }, { project, filter, ids }, context);
  const preview =
    ids.length === 0
      ? 'No chunks match the given filters.'
      : `Dry run: ${ids.length} chunk(s) would be deleted from project "${project.slug}". Set dry_run=false to proceed.`;
  return { ids, titled: [], preview, left: [] };
}

/** What a query can match. */
interface Scope {
  project: StoredProject;
  filter: ProjectFilter;
  /** All chunks of that. */
  ids: readonly number[];
}

async function selectByQuery(
  { query, threshold }: { query: string; threshold: number },
  { project, filter, ids }: Scope,
  { store, semantic, config }: ToolContext,
): Promise<Selection> {
  const minSimilarity = threshold > 1 ? threshold / 100 : threshold;
  const words = exactWords(query);
  const similar = await (await semantic()).similarAmong(query, { projectId: project.id, ids, minSimilarity });
  const matches = withHolding(similar, words === '' ? [] : await store.forgetting.holding(words, ids));
  const isMatched = new Set(matches.ids);
  const isBeside = new Set(store.forgetting.unspokenBeside(matches.ids));
  const unspoken = ids.filter((id) => isBeside.has(id) && !isMatched.has(id));
  const taken = [...matches.ids, ...unspoken];
  const isTaken = new Set(taken);
  const others = ids.filter((id) => !isTaken.has(id));
  const { titled, onBranches } = namedSessions(words, filter, { isTaken, store });
  const left = [
    ...notCompared(matches),
    ...(words === '' ? await namedElsewhere(query, others, store) : []),
    ...sessionLine('The branch of', onBranches, 'session_id deletes a session.'),
  ];
  const titles = sessionLine('The title of', titled, 'It would be deleted.');
  if (matches.ids.length === 0) {
    const text = `No chunks match query "${shortened(query)}" at threshold ${percent(minSimilarity)}`;
    const isGuess = threshold === DEFAULT_THRESHOLD && words === '';
    const missed = isGuess ? nearMiss(store, similar.nearest) : [];
    const preview = [text, ...missed, ...titles, ...left].join('\n');
    return { ids: [], titled: titled.map(({ id }) => id), preview, left };
  }
  const title = `match query "${shortened(query)}" (threshold: ${percent(minSimilarity)}, project: "${project.slug}")`;
  const preview = describeMatches(store, matches, {
    title,
    words,
    unspoken: unspoken.length,
    left: [...titles, ...left],
    budgetTokens: config.tokens.mcpMaxResponse,
  });
  return { ids: taken, titled: titled.map(({ id }) => id), preview, left };
}

/** Names that an answer looks for, and sessions that it names. */
const MOST_NAMES = 3;

/** Meaning finds no names: without this line, nobody would know that a customer is still named elsewhere. */
async function namedElsewhere(query: string, others: readonly number[], store: Store): Promise<string[]> {
  const found: string[] = [];
  for (const name of namesIn(query).slice(0, MOST_NAMES)) {
    const { length } = await store.forgetting.holding(name, others);
    if (length > 0) found.push(`"${shortened(name)}" in ${length}`);
  }
  if (found.length === 0) return [];
  return [
    `Chunks that do not match contain ${found.join(', ')}. To match all that contain a name, ask for it alone, in double quotes.`,
  ];
}

/**
 * Sessions of the named time with these words in their title, which a person or a model gave them and which no chunk may
 * contain, and those with them in their branch. A title goes with any chunk of its session.
 */
function namedSessions(
  words: string,
  { sessionId, ...filter }: ProjectFilter,
  { isTaken, store }: { isTaken: ReadonlySet<number>; store: Store },
): { titled: SessionSummary[]; onBranches: SessionSummary[] } {
  const holdsWords = holding(words);
  const isIn = (name: string | null): boolean => name !== null && holdsWords(name);
  const sessions =
    words === ''
      ? []
      : store.sessions.list(filter).filter(({ id }) => sessionId === undefined || id === sessionId);
  const isTouched = (id: number): boolean =>
    store.forgetting.ids({ sessionId: id }).some((chunk) => isTaken.has(chunk));
  return {
    titled: sessions.filter(({ id, title }) => isIn(title) && !isTouched(id)),
    // Shorter ones, such as `main`, are no names.
    onBranches: words.length < SHORTEST_NAME ? [] : sessions.filter(({ gitBranch }) => isIn(gitBranch)),
  };
}

function sessionLine(what: string, sessions: readonly SessionSummary[], advice: string): string[] {
  if (sessions.length === 0) return [];
  const shown = sessions.slice(0, MOST_NAMES).map(({ shortId }) => shortId);
  const ids = [...shown, ...(sessions.length > shown.length ? ['…'] : [])].join(', ');
  return [`${what} ${sessions.length} session(s) contains it, too: ${ids}. ${advice}`];
}

/** A chunk that is less similar is hardly about the topic. */
const NEAR_MISS = 0.4;

/** Without this line, nobody would know that the topic is still told of, in other words. */
function nearMiss(store: Store, nearest: SimilarChunks['nearest']): string[] {
  if (nearest === undefined || nearest.similarity < NEAR_MISS) return [];
  const [chunk] = store.chunks.get([nearest.id]);
  return chunk === undefined
    ? []
    : [`Most similar: ${matchLine(chunk, nearest.similarity, '')}. A lower threshold would match it.`];
}

/** Chunks that contain the words count as perfectly similar. */
function withHolding({ ids, similarities, ...rest }: SimilarChunks, held: readonly number[]): Matches {
  const isHeld = new Set(held);
  const others = [...ids.keys()].filter((at) => !isHeld.has(ids[at]!));
  return {
    ids: [...held, ...others.map((at) => ids[at]!)],
    similarities: [...held.map(() => 1), ...others.map((at) => similarities[at]!)],
    ...rest,
  };
}

const SHOWN_QUERY_CHARACTERS = 200;

function shortened(query: string): string {
  const shown = [...query.slice(0, 2 * SHOWN_QUERY_CHARACTERS)].slice(0, SHOWN_QUERY_CHARACTERS).join('');
  return shown.length < query.length ? `${shown}…` : query;
}

const SHOWN_MATCHES = 5;
const PREVIEW_CHARACTERS = 60;
const BEFORE_WORDS_CHARACTERS = 20;

type SimilarChunks = Awaited<ReturnType<SemanticSearch['similarAmong']>>;
type Matches = Pick<SimilarChunks, 'pending' | 'isUnderstood'> & { ids: number[]; similarities: number[] };

function describeMatches(
  store: Store,
  matches: Matches,
  {
    title,
    words,
    unspoken,
    left,
    budgetTokens,
  }: { title: string; words: string; unspoken: number; left: readonly string[]; budgetTokens: number },
): string {
  const { ids, similarities } = matches;
  const top = store.chunks.get(ids.slice(0, SHOWN_MATCHES));
  const head = [
    `Dry run: ${ids.length} chunk(s) ${title}`,
    `Scores: ${percent(similarities[0]!)} max, ${percent(similarities.at(-1)!)} min, ${percent(median(similarities))} median`,
    'Top matches:',
  ];
  const below = [
    ...(unspoken > 0
      ? [`${unspoken} adjacent chunk(s) of thoughts and client messages would be deleted with them.`]
      : []),
    ...left,
    'Set dry_run=false to proceed with deletion.',
  ];
  const matchLines = fittingLines({
    fixed: [...head, ...below],
    lines: top.map((chunk, index) => `${index + 1}. ${matchLine(chunk, similarities[index]!, words)}`),
    total: ids.length,
    budgetTokens,
    more: (leftOut) => `...and ${leftOut} more`,
  });
  return [...head, ...matchLines, ...below].join('\n');
}

function matchLine({ text, startTimeMs }: StoredChunk, similarity: number, words: string): string {
  const preview = previewOf(text.trim().replace(/\s+/g, ' '), words);
  return `[${percent(similarity)}] "${preview}..." (${formatDate(startTimeMs)})`;
}

/** How a chunk begins or, if the words stand further down, what is around them. */
function previewOf(text: string, words: string): string {
  const at = words === '' ? -1 : text.toLowerCase().indexOf(words.toLowerCase());
  // A file's name may stand in no word of the chunk.
  const isFurtherDown = at >= 0 && at + words.length > PREVIEW_CHARACTERS;
  const from = isFurtherDown ? `...${text.slice(Math.max(0, at - BEFORE_WORDS_CHARACTERS))}` : text;
  return [...from].slice(0, PREVIEW_CHARACTERS).join('');
}

/** Says what was not compared, so that nobody takes it for deleted. */
function notCompared({ pending, isUnderstood }: Matches): string[] {
  if (!isUnderstood)
    return [
      'The embedding model does not know most of these words. Put exact words in quotes, or name a session or dates.',
    ];
  return pending === 0 ? [] : [`${pending} chunk(s) have no vector yet and were not compared.`];
}

/** @param values sorted, at least one */
function median(values: ArrayLike<number>): number {
  const half = values.length / 2;
  return (values[Math.ceil(half) - 1]! + values[Math.floor(half)]!) / 2;
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

type ProjectFilter = ChunkFilter & { projectId: number };

function filterOf(given: Input, project: StoredProject, store: Store): ProjectFilter {
  const beforeMs = parseDate('before', given.before, 'start');
  const fromMs = parseDate('after', given.after, 'start');
  if (beforeMs !== undefined && fromMs !== undefined && fromMs >= beforeMs)
    throw new InvalidArgumentError('before', given.before, `a date after "after" (${given.after})`);
  const session =
    given.session_id === undefined
      ? undefined
      : requireSession(store, { argument: 'session_id', id: given.session_id, projectId: project.id });
  return {
    projectId: project.id,
    ...(beforeMs !== undefined && { beforeMs }),
    ...(fromMs !== undefined && { fromMs }),
    ...(session && { sessionId: session.id }),
  };
}
