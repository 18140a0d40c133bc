import type { KeywordMatches } from '../matching/keyword-search.js';
import type { QuestionLanguage } from '../question/query.js';
import type { Candidate, Evidence } from './evidence.js';

/** How certain it is that memory has an answer. */
type Certainty = 'none' | 'doubtful' | 'clear';

/**
 * Below this sum, no answer is right: what one chunk has of the question, which is twice its similarity and the share of the
 * question's information that it carries, and half the share of the question's terms that occur in memory at all. Evidence:
 * docs/decisions/0070-ranking.md.
 */
const MIN_EVIDENCE = 1.1;
/** Below this most questions have no answer in memory. Evidence: the same record. */
const CLEAR_EVIDENCE = 1.25;
/**
 * The same bounds for a question in a script that the model was taught: texts of one such language are more alike. Evidence:
 * docs/decisions/0133-other-scripts.md.
 */
const MIN_EVIDENCE_OF_SCRIPT = 1.2;
const CLEAR_EVIDENCE_OF_SCRIPT = 1.4;
/**
 * In all languages that the model was taught, the similarity of a chunk that is worth showing where words say too little: a
 * question shares no word with texts of another language. Evidence: the same record, and docs/decisions/0134-whole-words.md.
 */
const MIN_SIMILARITY_AS_TAUGHT = 0.42;
/**
 * The same bounds for a question in another language than English: what one chunk has of its information, and half the share
 * of its terms that occur in memory. A model of English finds such texts similar because of their language, whatever they
 * say.
 * Evidence: docs/decisions/0104-other-languages.md.
 */
const MIN_EVIDENCE_OF_WORDS = 0.35;
const CLEAR_EVIDENCE_OF_WORDS = 0.7;
/**
 * With a model that knows other languages, a chunk as similar as this is worth showing, where words alone say nothing: a
 * question shares none with texts of another language. Evidence: docs/decisions/0132-similarity-of-models.md.
 */
const MIN_SIMILARITY_ACROSS_LANGUAGES = 0.35;
/** For search by words alone: a chunk must have this share of the question's information. */
const MIN_COVERAGE = 0.2;

/** Whether memory has anything about the question at all: what it names, or enough of its words and meaning. */
export function certaintyOf(
  candidates: readonly Candidate[],
  { matches, semantic }: Pick<Evidence, 'matches' | 'semantic'>,
  language: QuestionLanguage,
): Certainty {
  if (matches.entityIds.size > 0) return 'clear';
  const coverageOf = (id: number): number => matches.found.coverageOf(id);
  const coverage = Math.max(0, ...candidates.map(({ id }) => coverageOf(id)));
  if (semantic.ids.length === 0) return coverage >= MIN_COVERAGE ? 'clear' : 'none';
  const known = knownShare(matches) / 2;
  const ofNearest = semantic.ids.map((id, index) => 2 * semantic.similarities[index]! + coverageOf(id));
  const evidence = Math.max(coverage, ...ofNearest) + known;
  const isSimilarAsTaught = semantic.similarities[0]! >= MIN_SIMILARITY_AS_TAUGHT;
  if (language === 'other script' && semantic.knowsTaughtLanguages) {
    const ofBoth = certainty(evidence, MIN_EVIDENCE_OF_SCRIPT, CLEAR_EVIDENCE_OF_SCRIPT);
    return ofBoth === 'none' && isSimilarAsTaught ? 'doubtful' : ofBoth;
  }
  if (language !== 'English') {
    const isSimilar =
      language === 'taught' && semantic.knowsTaughtLanguages
        ? isSimilarAsTaught
        : (semantic.nearestAcrossLanguages ?? 0) >= MIN_SIMILARITY_ACROSS_LANGUAGES;
    const ofWords = certainty(coverage + known, MIN_EVIDENCE_OF_WORDS, CLEAR_EVIDENCE_OF_WORDS);
    return ofWords === 'none' && isSimilar ? 'doubtful' : ofWords;
  }
  return certainty(evidence, MIN_EVIDENCE, CLEAR_EVIDENCE);
}

function certainty(evidence: number, min: number, clear: number): Certainty {
  if (evidence < min) return 'none';
  return evidence < clear ? 'doubtful' : 'clear';
}

/** Share of the question's terms that occur in memory at all; 1 if that is unknown. */
function knownShare({ terms, problem }: KeywordMatches): number {
  if (problem !== undefined) return 1;
  return terms.length === 0 ? 0 : terms.filter((term) => term.documentFrequency > 0).length / terms.length;
}
