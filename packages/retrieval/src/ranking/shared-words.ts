import type { KeywordScope, Postings, Store } from '@causantic/storage';
import { FoundChunks } from '../matching/found-chunks.js';
import {
  addPostings,
  COLUMN_WEIGHTS,
  type KeywordMatches,
  problemOfIndex,
} from '../matching/keyword-search.js';
import { weighed, type WeighedTerm } from '../matching/weighed-terms.js';
import type { Candidate } from './evidence.js';

/** Shorter ones hardly tell what a text is about. */
const WORD = /\p{L}{4,}/gu;
/** Words whose frequency is read, those of the most texts first; of these, words of few enough chunks of all projects. */
const MAX_COUNTED = 60;
const MAX_CHUNKS_READ = 1_000;
/** Words that count, most telling first, and the chunks of the scope that may hold one. */
const MAX_WORDS = 20;
const MAX_CHUNKS = 200;
/** Of the most telling word, relative to a word of the question. */
const WEIGHT = 0.8;

/** A word that several texts have, and the chunks of the scope that hold it. */
interface SharedWord {
  term: WeighedTerm;
  /** Number of texts that have it, times how rare it is in memory. */
  value: number;
  postings: Postings;
}

/**
 * The matches of these candidates, and those of words that two or more of the first have in common and the question lacks:
 * if the first answer it, others with their words are about the same (pseudo-relevance feedback). Such words do not count as
 * covering the question. Evidence: docs/decisions/0127-shared-words.md.
 * @param first number of candidates whose words are compared
 */
export function withSharedWords(
  store: Store,
  matches: KeywordMatches,
  candidates: readonly Candidate[],
  { first, scope }: { first: number; scope: KeywordScope },
): KeywordMatches {
  const ids = candidates.map(({ id }) => id);
  const texts = store.chunks.get(ids.slice(0, first)).map(({ text }) => text);
  const extended = {
    ...matches,
    found: only(matches.found, ids, store.directory.idsBelow),
    byTerm: [...matches.byTerm],
  };
  try {
    const shared = sharedWords(store, matches, texts, scope);
    for (const { term, value, postings } of shared) {
      addPostings(extended, postings, { ...term, weight: (WEIGHT * value) / shared[0]!.value }, 0);
    }
  } catch (error) {
    return { ...extended, problem: problemOfIndex(error) }; // What could be read counts.
  }
  return extended;
}

/** What is found besides cannot rise into the answer: to rank it again would take a millisecond. */
function only(found: FoundChunks, ids: readonly number[], idsBelow: number): FoundChunks {
  const chosen = new FoundChunks(idsBelow);
  for (const id of ids) if (found.has(id)) chosen.add(id, found.scoreOf(id), found.coverageOf(id));
  return chosen;
}

/** Most telling first. */
function sharedWords(
  { keywords }: Store,
  { byTerm }: KeywordMatches,
  texts: readonly string[],
  scope: KeywordScope,
): SharedWord[] {
  const asked = new Set(byTerm.map(({ term }) => term.phrase));
  const counted = wordsOfSeveral(texts)
    .filter(({ word }) => !asked.has(word))
    .slice(0, MAX_COUNTED);
  const isEverything = scope.projectId === undefined && scope.agentIds === undefined;
  const most = isEverything ? MAX_CHUNKS : MAX_CHUNKS_READ;
  const words = counted.map(({ word }) => word);
  const frequencies = keywords.documentFrequencies(words, {}, most + 1);
  const total = keywords.size();
  return counted
    .filter((_, index) => frequencies[index]! <= most)
    .map(({ word, count }) => {
      const postings = keywords.postings(word, scope, COLUMN_WEIGHTS, MAX_CHUNKS + 1);
      const term = weighed({ phrase: word, weight: 1, isEntity: false }, postings.ids.length, total);
      return { term, count, value: count * term.idf, postings };
    })
    .filter(({ term, count }) => term.documentFrequency > count && term.documentFrequency <= MAX_CHUNKS)
    .sort((a, b) => b.value - a.value)
    .slice(0, MAX_WORDS);
}

/** Words that two or more texts have, with their number, most first. */
function wordsOfSeveral(texts: readonly string[]): { word: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const word of new Set(text.toLowerCase().match(WORD))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return Array.from(counts, ([word, count]) => ({ word, count }))
    .filter(({ count }) => count > 1)
    .sort((a, b) => b.count - a.count);
}
