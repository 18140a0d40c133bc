import { setImmediate } from 'node:timers/promises';
import { StorageError } from '@causantic/domain';
import type { ColumnWeights, KeywordScope, Postings, Store } from '@causantic/storage';
import { otherWritings } from '../question/other-spelling.js';
import {
  isWord,
  joinedWords,
  literalTexts,
  lookedUpPart,
  type QueryTerm,
  queryTerms,
} from '../question/query.js';
import { FoundChunks } from './found-chunks.js';
import { synonymsOf } from './synonyms.js';
import { spellingsOf, weighed, type WeighedTerm, weigher, weighTerms } from './weighed-terms.js';

export interface KeywordMatches {
  /** Chunks that hold at least one term of the question. */
  found: FoundChunks;
  terms: WeighedTerm[];
  /** Scores by term, synonyms included, for aggregation over sessions. */
  byTerm: { term: WeighedTerm; postings: Postings }[];
  /** Chunks that contain a whole identifier, path or code of the question. */
  entityIds: Set<number>;
  /** Chunks that contain the question, or a quotation in it, word for word or nearly so. */
  literalIds: Set<number>;
  /** Why words could not be looked up. */
  problem?: string;
}

/**
 * What people and the model wrote counts in full; tool calls and results repeat words without being about them.
 * Measured with the evaluation sets; see docs/decisions/0070-ranking.md.
 */
export const COLUMN_WEIGHTS: ColumnWeights = { prompt: 1, said: 1, tools: 0.9, results: 0.15, words: 0.4 };

/**
 * Posting entries read per question. This bounds the time of a search, whatever its words. In a large memory every word
 * of a question may be common, so the bound grows with the number of chunks: fast at first, then, where a search takes
 * longest, slowly. Evidence: docs/measurements/ranking.md.
 */
const MIN_POSTINGS = 4_500;
const MANY_POSTINGS = 12_000;
const POSTINGS_PER_CHUNK = { upToMany: 0.35, beyond: 0.1 };
/** Of a pasted page, the rarest of its terms are looked up: each costs a posting list. */
const MAX_LOOKED_UP = 24;
/** Minimum number of terms looked up, if necessary in their newest chunks alone. */
const MIN_TERMS = 3;
/**
 * Synonyms of the question's words are looked up, too: limits of their number in all, per word, and of the chunks that may
 * hold one. Each counts its similarity times this weight. Evidence: docs/decisions/0098-synonyms.md.
 */
const MAX_SYNONYMS = 8;
const SYNONYMS_PER_TERM = 4;
const MAX_SYNONYM_CHUNKS = 500;
const SYNONYM_WEIGHT = 0.1;
/**
 * Maximum number of pairs of the question's words that are looked up, and of chunks for each. Evidence:
 * docs/decisions/0099-pairs-of-words.md.
 */
const MAX_PAIRS = 8;
const MAX_PAIR_CHUNKS = 1_000;
const PAIR_WEIGHT = 0.2;
/**
 * A text that a chunk contains word for word as in the question counts as one more term, if one of its words is rare
 * enough; for at most this many chunks. Evidence: docs/decisions/0099-pairs-of-words.md.
 */
const MAX_LITERAL_CHUNKS = 1_000;
/** Minimum number of looked-up words that must stand in place, for a message within other words or with another number. */
const LEAST_ALIGNED = 5;
/** Once the terms looked up carry this share of the known terms' information, the rest only takes time. */
const ENOUGH_INFORMATION = 0.94;
const ENTITY_BOOST = 1.4;
/**
 * `env_from` stands in the index as two words, which prose has next to each other, too. If some chunks hold it as it is
 * written, the others count this much of it. Not asked of a name in more chunks, whose texts would take milliseconds to read.
 * Evidence: docs/decisions/0128-names-as-written.md.
 */
const WORDS_OF_NAME_WEIGHT = 0.2;
const MAX_READ_FOR_SPELLING = 500;
/** A name that the index has as several words; SQLite knows upper and lower case of ASCII alone. */
const NAME_OF_WORDS = /^[\x21-\x7e]*[\W_][\x21-\x7e]*$/;

/** When to give a search up. */
export interface KeywordSearchLimits {
  /** Otherwise nothing is looked for: to know how common terms are takes a fifth of a search. */
  isWorthwhile?: (terms: readonly WeighedTerm[]) => boolean;
  /** Asked after every step; no more is looked for once it is false. */
  isInTime?: () => boolean;
}

/**
 * Scores every chunk of the scope that contains terms of the question. Terms are weighted, none is required. If the index
 * cannot be read, or the time is over, there are no matches, and `problem` says why.
 */
export function searchKeywords(
  store: Store,
  query: string,
  scope: KeywordScope,
  { isWorthwhile, isInTime = () => true }: KeywordSearchLimits = {},
): KeywordMatches {
  try {
    const steps = searchInSteps(store, query, scope, isWorthwhile);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (!isInTime()) return { ...noMatches(), problem: 'the search took too long' };
    }
  } catch (error) {
    return unreadable(error);
  }
}

/** The same, with pauses of a moment in which this thread passes messages on between workers and answers pings. */
export async function searchKeywordsWithPauses(
  store: Store,
  query: string,
  scope: KeywordScope,
): Promise<KeywordMatches> {
  try {
    await store.keywords.readAhead();
    const steps = searchInSteps(store, query, scope);
    for (;;) {
      const { done, value } = store.reading(() => steps.next());
      if (done) return value;
      await setImmediate();
    }
  } catch (error) {
    return unreadable(error);
  }
}

function unreadable(error: unknown): KeywordMatches {
  return { ...noMatches(), problem: problemOfIndex(error) };
}

/** @throws any error other than one of the index */
export function problemOfIndex(error: unknown): string {
  if (!(error instanceof StorageError) || error.code !== 'CORRUPT') throw error;
  return error.message;
}

function noMatches(terms: WeighedTerm[] = [], idsBelow = 0): KeywordMatches {
  return { found: new FoundChunks(idsBelow), byTerm: [], terms, entityIds: new Set(), literalIds: new Set() };
}

/** Each step takes a millisecond or a few; where words are mistyped, the first takes some more. */
function* searchInSteps(
  store: Store,
  query: string,
  scope: KeywordScope,
  isWorthwhile: (terms: readonly WeighedTerm[]) => boolean = () => true,
): Generator<undefined, KeywordMatches> {
  const given = [...queryTerms(query), ...joinedWords(query)];
  const terms = weighTerms(store, given, scope, maxPostings(store));
  if (!isWorthwhile(terms)) return noMatches(terms);
  yield;
  const matches = noMatches(terms, store.directory.idsBelow);
  const totalIdf = sumIdf(terms);
  const known = terms.filter((term) => term.documentFrequency > 0);
  const enoughIdf = sumIdf(known) * ENOUGH_INFORMATION;
  let budget = maxPostings(store);
  let idf = 0;
  // The rarest first: they decide, and those left out say least.
  known.sort((a, b) => a.documentFrequency - b.documentFrequency);
  for (const [at, term] of known.slice(0, MAX_LOOKED_UP).entries()) {
    if (budget <= 0 || idf >= enoughIdf) break;
    const sharing = Math.max(1, Math.min(MIN_TERMS, known.length) - at);
    const limit = Math.min(Math.ceil(budget / sharing), term.documentFrequency);
    const postings = postingsOf(store, term, scope, limit);
    idf += term.idf * term.weight;
    const share = (term.idf * term.weight) / totalIdf;
    for (const part of bySpelling(store, term, postings))
      addPostings(matches, part.postings, part.term, share);
    budget -= postings.ids.length;
    yield;
  }
  addPairs(store, matches, scope);
  yield;
  if (known.some(isRareWord)) addLiteral(store, matches, query, scope);
  yield;
  for (const term of synonymTerms(store, terms, scope)) {
    const postings = store.keywords.postings(term.phrase, scope, COLUMN_WEIGHTS, term.documentFrequency);
    addPostings(matches, postings, term, 0);
  }
  return matches;
}

/** Words in a row in one, which are rare, may each stand in most chunks: to compare their places takes long. */
function isRareWord(term: WeighedTerm): boolean {
  return term.documentFrequency <= MAX_LITERAL_CHUNKS && !isOfSeveralWords(term);
}

/** See `joinedWords`. */
function isOfSeveralWords({ isEntity, mayBeMissing }: QueryTerm): boolean {
  return isEntity && mayBeMissing === true;
}

/** Two consecutive words of the question that are adjacent in a chunk, too, count as one more term. */
function addPairs(store: Store, matches: KeywordMatches, scope: KeywordScope): void {
  const total = store.keywords.size();
  for (const [first, second] of tellingPairs(matches)) {
    const phrases = [first.phrase, second.phrase] as const;
    const postings = store.keywords.sideBySide(phrases, scope, MAX_PAIR_CHUNKS);
    addAsOneTerm(matches, postings, { phrase: phrases.join(' '), weight: PAIR_WEIGHT, total });
  }
}

/** An error message only means something as a whole, and appears in tool results, which count for little. */
function addLiteral(store: Store, matches: KeywordMatches, query: string, scope: KeywordScope): void {
  const total = store.keywords.size();
  const lookedUp = matches.byTerm.map(({ term }) => term.phrase);
  for (const text of literalTexts(query)) {
    const postings = store.keywords.literally(text, lookedUp, scope, MAX_LITERAL_CHUNKS);
    addAsOneTerm(matches, postings, { phrase: text, weight: 1, total });
    for (const id of postings.ids) matches.literalIds.add(id);
  }
  if (matches.literalIds.size > 0) return;
  const bounds = { least: LEAST_ALIGNED, limit: MAX_LITERAL_CHUNKS };
  const postings = store.keywords.nearlyLiterally(lookedUpPart(query), lookedUp, scope, bounds);
  addAsOneTerm(matches, postings, { phrase: query, weight: 1, total });
  for (const id of postings.ids) matches.literalIds.add(id);
}

/** Words found together, weighted by how few chunks have them so; they do not count as covering the question. */
function addAsOneTerm(
  matches: KeywordMatches,
  postings: Postings,
  { phrase, weight, total }: { phrase: string; weight: number; total: number },
): void {
  if (postings.ids.length === 0) return;
  addPostings(matches, postings, weighed({ phrase, weight, isEntity: false }, postings.ids.length, total), 0);
}

/** Consecutive words, most distinctive first. If the chunks of neither were read, both are common. */
function tellingPairs({ terms, byTerm }: KeywordMatches): (readonly [WeighedTerm, WeighedTerm])[] {
  const lookedUp = new Set(byTerm.map(({ term }) => term));
  const isOne = (term: WeighedTerm): boolean =>
    term.weight === 1 && isWord(term.phrase) && !isOfSeveralWords(term);
  const words = terms.filter(isOne);
  const pairs = words.slice(1).map((second, at) => [words[at]!, second] as const);
  return pairs
    .filter((pair) => pair.some((term) => lookedUp.has(term)))
    .filter((pair) => pair.every(({ documentFrequency }) => documentFrequency > 0))
    .sort((a, b) => b[0].idf + b[1].idf - a[0].idf - a[1].idf)
    .slice(0, MAX_PAIRS);
}

/** Synonyms of the question's words that occur in memory and are rare there, most distinctive first. */
function synonymTerms(store: Store, terms: readonly WeighedTerm[], scope: KeywordScope): WeighedTerm[] {
  const weigh = weigher(store, scope, MAX_SYNONYM_CHUNKS + 1);
  const taken = new Set(terms.flatMap(spellingsOf));
  const found: WeighedTerm[] = [];
  for (const term of terms.toSorted((a, b) => b.idf - a.idf)) {
    if (term.isEntity) continue;
    const most = Math.min(MAX_SYNONYMS, found.length + SYNONYMS_PER_TERM);
    if (found.length === MAX_SYNONYMS) break;
    const synonyms = synonymsOf(term.phrase)
      .filter(({ word }) => !taken.has(word))
      .map(({ word, similarity }) => ({
        phrase: word,
        weight: term.weight * SYNONYM_WEIGHT * similarity,
        isEntity: false,
      }));
    const inMemory = weigh(synonyms)
      .filter(({ documentFrequency: chunks }) => chunks > 0 && chunks <= MAX_SYNONYM_CHUNKS)
      .slice(0, most - found.length);
    for (const synonym of inMemory) taken.add(synonym.phrase);
    found.push(...inMemory);
  }
  return found;
}

function postingsOf({ keywords }: Store, term: QueryTerm, scope: KeywordScope, limit: number): Postings {
  const found = spellingsOf(term).map((each) => keywords.postings(each, scope, COLUMN_WEIGHTS, limit));
  if (found.length === 1) return found[0]!;
  const scores = new Map<number, number>();
  for (const { ids, scores: ofIds } of found)
    ids.forEach((id, at) => scores.set(id, Math.max(scores.get(id) ?? 0, ofIds[at]!)));
  return { ids: [...scores.keys()], scores: [...scores.values()] };
}

/** Chunks that hold a name of several words as it is written, apart from those that have its words with spaces between them. */
function bySpelling(store: Store, term: WeighedTerm, postings: Postings): KeywordMatches['byTerm'] {
  const { ids, scores } = postings;
  const isSure = !term.isEntity || !NAME_OF_WORDS.test(term.phrase);
  if (isSure || ids.length > MAX_READ_FOR_SPELLING) return [{ term, postings }];
  const written = holdingAsWritten(store, ids, term.phrase);
  if (written === undefined) return [{ term: { ...term, isEntity: false }, postings }];
  const those = (isWritten: boolean): Postings => {
    const is = (id: number): boolean => written.has(id) === isWritten;
    return { ids: ids.filter(is), scores: scores.filter((_, at) => is(ids[at]!)) };
  };
  const words = { ...term, weight: term.weight * WORDS_OF_NAME_WEIGHT, isEntity: false };
  return [
    { term, postings: those(true) },
    { term: words, postings: those(false) },
  ];
}

/** Those of the chunks that hold a name as it is written or, if there are none, as others write it. */
function holdingAsWritten(
  { chunks }: Store,
  ids: readonly number[],
  name: string,
): ReadonlySet<number> | undefined {
  for (const writing of [name, ...otherWritings(name)]) {
    const holding = chunks.containing(ids, writing);
    if (holding.size > 0) return holding;
  }
  return undefined;
}

function maxPostings(store: Store): number {
  const chunks = store.keywords.size();
  const { upToMany, beyond } = POSTINGS_PER_CHUNK;
  return Math.ceil(Math.max(MIN_POSTINGS, Math.min(MANY_POSTINGS, chunks * upToMany), chunks * beyond));
}

function sumIdf(terms: readonly WeighedTerm[]): number {
  return terms.reduce((sum, term) => sum + term.idf * term.weight, 0);
}

/** @param share of the question's information that the term carries */
export function addPostings(
  { found, byTerm, entityIds }: KeywordMatches,
  { ids, scores: unweighed }: Postings,
  term: WeighedTerm,
  share: number,
): void {
  const factor = term.weight * (term.isEntity ? ENTITY_BOOST : 1);
  const scores = unweighed.map((score) => score * factor);
  for (let i = 0; i < ids.length; i++) found.add(ids[i]!, scores[i]!, share);
  if (term.isEntity) for (const id of ids) entityIds.add(id);
  byTerm.push({ term, postings: { ids, scores } });
}
