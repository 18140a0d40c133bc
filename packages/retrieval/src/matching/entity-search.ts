import type { KeywordScope, Store } from '@causantic/storage';
import { isHash, lookedUpPart, queryTerms } from '../question/query.js';
import { inverseDocumentFrequency } from './weighed-terms.js';

/** A short name may belong to many things, as every package has a `README.md`; the first few are enough. */
const MOST_OF_ONE_NAME = 16;
/** Chunks read for one entity, newest first: an entity that more chunks name says little. */
const MOST_MENTIONS = 500;

/**
 * Chunks that name an entity of the question, under any of its names. The score is the greatest inverse document
 * frequency of those entities.
 */
export function searchEntities(store: Store, query: string, scope: KeywordScope): Map<number, number> {
  const scores = new Map<number, number>();
  const total = store.keywords.size();
  for (const { id } of store.entities.named(namesIn(query), MOST_OF_ONE_NAME, scope.projectId)) {
    const chunks = store.entities.chunksNaming(id, scope.projectId, MOST_MENTIONS);
    const idf = inverseDocumentFrequency(chunks.length, total);
    for (const chunk of chunks) scores.set(chunk, Math.max(scores.get(chunk) ?? 0, idf));
  }
  return scores;
}

/**
 * The question's terms (of a hash, the beginning by which a commit is known) and pairs of neighbouring words, such as a
 * person's two names, in lower case.
 */
function namesIn(query: string): string[] {
  const terms = queryTerms(query).map(({ phrase }) => (isHash(phrase) ? phrase.slice(0, 7) : phrase));
  const words =
    lookedUpPart(query)
      .toLowerCase()
      .match(/[#@\p{L}\p{N}][\p{L}\p{N}_'-]*/gu) ?? [];
  const paths = terms.flatMap(pathsBehind);
  const pairs = words.slice(1).map((word, index) => `${words[index]!} ${word}`);
  return [...new Set([...terms, ...paths, ...words.filter((word) => /^[#@]/.test(word)), ...pairs])];
}

/** A file is known by its path within its project: whatever a longer one ends with, and as Windows writes it. */
function pathsBehind(term: string): string[] {
  const parts = term.replaceAll('\\', '/').split('/');
  return parts.slice(0, -1).map((_, start) => parts.slice(start).join('/'));
}
