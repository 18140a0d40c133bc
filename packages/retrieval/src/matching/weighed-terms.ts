import { inLetterPairs, splitCamelCase, type KeywordScope, type Store } from '@causantic/storage';
import { otherSpelling, otherWritings } from '../question/other-spelling.js';
import { isHash, type QueryTerm } from '../question/query.js';
import { isKnownWord } from './known-words.js';

/** A question's terms with what the index knows of them. */
export interface WeighedTerm extends QueryTerm {
  /** How many chunks of the scope contain the term, counted up to a bound. */
  documentFrequency: number;
  /** How distinctive the term is: BM25's inverse document frequency. */
  idf: number;
}

/**
 * How distinctive the terms of a question are. One that no chunk has gives way to others like it, if memory has them.
 * @param limit chunks of a term counted at most
 */
export function weighTerms(
  store: Store,
  given: readonly QueryTerm[],
  scope: KeywordScope,
  limit: number,
): WeighedTerm[] {
  const weigh = weigher(store, scope, limit);
  const spelled = given.map((term) => withSpellings(store, term));
  const terms = withJoinedWords(store, spelled, scope);
  let mistyped = 0;
  let elsewhere = 0;
  const counted = weigh(terms);
  return counted.flatMap((term, at) => {
    if (term.documentFrequency > 0) return [term];
    if (term.mayBeMissing || isPairOfMissingWord(term, counted[at - 1])) return [];
    const others = (phrases: readonly string[], most: number, isEntity: boolean): WeighedTerm[] => {
      // Memory has them, but the scope may not.
      const all = weigh(phrases.map((phrase) => ({ phrase, weight: term.weight, isEntity })));
      const known = all.filter(({ documentFrequency }) => documentFrequency > 0).slice(0, most);
      return known.map((each) => ({ ...each, weight: term.weight / known.length }));
    };
    const apart = term.apart === undefined ? [] : others([term.apart], 1, true);
    if (apart.length > 0) return apart;
    const paths = term.isEntity ? shorterPaths(term.phrase) : [];
    const shorter = paths.length > 0 && elsewhere++ < MAX_ELSEWHERE ? others(paths, 1, true) : [];
    if (shorter.length > 0) return shorter;
    const longer = others(longerNames(store, term.phrase), MAX_LONGER_NAMES, true);
    if (longer.length > 0) return longer;
    const forms = term.isEnglish === false ? others(otherForms(store, term.phrase), MAX_FORMS, false) : [];
    if (forms.length > 0) return forms;
    const isMistyped = term.isTyped && !isKnownWord(term.phrase) && mistyped++ < MAX_MISTYPED;
    const nearest = isMistyped ? store.keywords.nearestSpelling(term.phrase, isKnownWord) : undefined;
    const meant = nearest === undefined ? [] : others([nearest], 1, false);
    // A web address that no chunk has says no more than another word that is missing.
    return meant.length > 0 ? meant : [{ ...term, weight: Math.min(1, term.weight) }];
  });
}

/** Of scripts that are searched by pairs of letters: one word that no chunk has is missing, not two or three pairs. */
function isPairOfMissingWord({ phrase }: QueryTerm, before: WeighedTerm | undefined): boolean {
  if (before === undefined || before.documentFrequency > 0) return false;
  const [first, ...rest] = phrase;
  return rest.length === 1 && inLetterPairs(phrase) !== phrase && [...before.phrase].at(-1) === first;
}

/** @param limit chunks counted at most */
export function weigher(
  store: Store,
  scope: KeywordScope,
  limit: number,
): (terms: readonly QueryTerm[]) => WeighedTerm[] {
  const total = store.keywords.size();
  return (terms) => {
    const phrases = terms.flatMap(spellingsOf);
    const frequencies = store.keywords.documentFrequencies(phrases, scope, limit);
    const frequencyOf = new Map(phrases.map((phrase, index) => [phrase, frequencies[index]!]));
    return terms.map((term) => {
      const ofSpellings = spellingsOf(term).map((phrase) => frequencyOf.get(phrase)!);
      // A chunk with `envFrom` is counted with `env_from`, too, of which the index has the words.
      return weighed(term, Math.min(limit, total, sum(ofSpellings)), total);
    });
  };
}

/** All ways to write a term that are looked up. */
export function spellingsOf({ phrase, spellings = [phrase] }: QueryTerm): readonly string[] {
  return spellings;
}

export function weighed(term: QueryTerm, documentFrequency: number, total: number): WeighedTerm {
  return { ...term, documentFrequency, idf: inverseDocumentFrequency(documentFrequency, total) };
}

/** As in BM25, but never negative. */
export function inverseDocumentFrequency(documentFrequency: number, total: number): number {
  return Math.log(1 + (total - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function withSpellings(store: Store, term: QueryTerm): QueryTerm {
  const others = isHash(term.phrase)
    ? otherLengths(store, term.phrase)
    : [...spelledOtherwise(term), ...inOneWord(store, term)];
  return others.length === 0 ? term : { ...term, spellings: [term.phrase, ...others] };
}

/** `env_from` in one word, if memory has `envFrom`. */
function inOneWord({ keywords }: Store, { phrase, isEntity }: QueryTerm): string[] {
  const word = isEntity ? otherWritings(phrase).at(-1) : undefined;
  return word !== undefined && keywords.documentFrequencies([word], {}, 1)[0]! > 0 ? [word] : [];
}

const MAX_SPELLINGS = 20;

/**
 * `git commit` prints seven characters of a hash, `git blame` eight or more, `git log` all forty: where memory has one of
 * them, it is found by the others.
 */
function otherLengths(store: Store, hash: string): string[] {
  return store.keywords.hashesLike(hash, MAX_SPELLINGS);
}

/** What one chunk alone has as one word may be its own mistake. */
const MIN_CHUNKS_OF_JOINED = 2;

/** Two words in a row that memory has as one, too: `time zone` finds `timezone`, which is each of them. */
function withJoinedWords(store: Store, terms: readonly QueryTerm[], scope: KeywordScope): QueryTerm[] {
  const given = new Set(terms.map(({ phrase }) => phrase));
  const isPlain = ({ phrase, isEnglish, isEntity }: QueryTerm): boolean =>
    isEnglish === true && !isEntity && /^[a-z]{2,}$/.test(phrase);
  const pairs = terms
    .slice(1)
    .map((second, at) => (isPlain(terms[at]!) && isPlain(second) ? terms[at]!.phrase + second.phrase : ''));
  const wanted = pairs.filter((joined) => joined !== '' && !given.has(joined));
  const counts = store.keywords.documentFrequencies(wanted, scope, MIN_CHUNKS_OF_JOINED);
  const known = new Set(wanted.filter((_, at) => counts[at] === MIN_CHUNKS_OF_JOINED));
  return terms.map((term, at) => {
    const joined = pairs.slice(Math.max(0, at - 1), at + 1).filter((pair) => known.has(pair));
    return joined.length === 0 ? term : { ...term, spellings: [...spellingsOf(term), ...joined] };
  });
}

function spelledOtherwise({ phrase, isEntity }: QueryTerm): string[] {
  const other = isEntity ? undefined : otherSpelling(phrase);
  return other === undefined ? [] : [other];
}

/** A long trace names many files, and each path is looked up in several lengths. */
const MAX_ELSEWHERE = 8;
/** The end of a longer path is the same file, and a path may be pasted that has thousands. */
const MOST_PARTS = 16;
/** `:12:5`, `#L12-L20` */
const PLACE_IN_FILE = /(?::\d+)+$|#l\d+(?:-l?\d+)?$/;

/**
 * What the path of a file ends with, the longest first: in another clone, in a diff (`b/src/mill.ts`) and at a web address it
 * begins otherwise. Not the name alone of a file in a folder, which other folders may have.
 */
function shorterPaths(path: string): string[] {
  const parts = path
    .replace(PLACE_IN_FILE, '')
    .replace(/^[ab]\//, '')
    .split(/[\\/]+/)
    .slice(-MOST_PARTS);
  if (!/\.[a-z]\w*$/.test(parts.at(-1)!)) return [];
  const starts = parts.length === 1 ? parts : parts.slice(0, -1);
  return starts.map((_, start) => parts.slice(start).join('/')).filter((shorter) => shorter !== path);
}

const MAX_LONGER_NAMES = 3;
const MAX_NAMES_READ = 20;
const MIN_PART_CHARACTERS = 5;

/** Identifiers that contain a word no chunk has: `walkerpool` finds `ChainWalkerPool`, but `lorem` not `IsNullOrEmpty`. */
function longerNames(store: Store, phrase: string): string[] {
  if (phrase.length < MIN_PART_CHARACTERS) return [];
  return store.keywords
    .identifiersContaining(phrase, MAX_NAMES_READ)
    .filter((name) => isOfParts(phrase, name))
    .map((name) => name.toLowerCase());
}

/** Whether a word begins where a part of the name begins, or lies within one part. */
function isOfParts(word: string, name: string): boolean {
  if (!/^[a-z0-9]+$/.test(word)) return true;
  const parts = splitCamelCase(name).map((part) => part.toLowerCase());
  return parts.some((part, at) => part.includes(word) || parts.slice(at).join('').startsWith(word));
}

/** What each may have been meant to be takes some milliseconds. */
const MAX_MISTYPED = 3;

const MAX_FORMS = 3;

/**
 * Other forms of a word that no chunk has (`кодировку` finds `кодировки`, `Rechnung` finds `Rechnungen`), even if the
 * question or the chunk has German without umlauts.
 */
function otherForms(store: Store, phrase: string): string[] {
  const withUmlauts = phrase.replace(/[aou]e/g, (pair) => UMLAUTS[pair]!);
  const withoutUmlauts = phrase.replace(/[äöü]/g, (umlaut) => WITHOUT_UMLAUT[umlaut]!);
  const spellings = [...new Set([phrase, withUmlauts, withoutUmlauts])];
  return [...new Set(spellings.flatMap((spelling) => store.keywords.formsOf(spelling, MAX_FORMS)))];
}

const UMLAUTS: Readonly<Record<string, string>> = { ae: 'ä', oe: 'ö', ue: 'ü' };
const WITHOUT_UMLAUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };
