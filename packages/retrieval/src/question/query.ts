import { camelCaseNames, inLetterPairs, splitCamelCase, type TextLanguage } from '@causantic/storage';
import { COMPOUND, languageOf, WORD } from './language.js';
import { questionAlone, unlessEmpty } from './around-the-question.js';
import { timesAsked } from './times-asked.js';

/** A part of a question that is looked up on its own. */
export interface QueryTerm {
  /** Plain text; its words must be adjacent. */
  phrase: string;
  /** Multiplies the term's score. */
  weight: number;
  /** True for a term that names one thing: an identifier, a path, a ticket, an error code. */
  isEntity: boolean;
  /** Whether it may be English: the index's tokenizer knows the inflected forms of English words. */
  isEnglish?: boolean;
  /** A word, and no part of a name, in a text so short that a person may have typed it, and made slips. */
  isTyped?: boolean;
  /** Nothing is missing where no chunk has it: a word of a time, or words that need not be a name. */
  mayBeMissing?: boolean;
  /** A name with inner capitals as others write it: `env_from` for `envFrom`. */
  apart?: string;
  /** All ways to write the phrase, if memory has others. */
  spellings?: readonly string[];
}

/** Longer questions lose their middle: a pasted log begins with what was run and ends with how it failed. */
const MAX_QUERY_CHARACTERS = 4_000;
/** A shorter text may be a list of codes, which differ only in their digits. */
const LOG_CHARACTERS = 1_000;
/** Longer ones are pasted, and pasted words have no slips of the fingers. */
const LONGEST_TYPED_CHARACTERS = 200;
/** How rare a term is has to be read for each. */
const MAX_TERMS = 80;
/** A path has fewer; more are a list, such as a class path. A thousand frequent words took a second to look up as one name. */
const MOST_WORDS_OF_NAME = 40;
/** A name is rarer than its parts, and already scores higher for it. */
const PART_WEIGHT = 0.4;
/** The address of a web page counts for its words that are not looked up. */
const PAGE_WEIGHT = 6;
/** Weight of phrases around a question, which may be part of it after all. Evidence: docs/decisions/0070-ranking.md. */
const AROUND_WEIGHT = 0.2;
/** Weight of the words of a time, which few texts of that time contain. Evidence: the same record. */
const TIME_WEIGHT = 0.3;

/** The part of a question that is read: all but lines of a log that tell the same again, and the middle of a long text. */
export const lookedUpPart = rememberingLatest(partToRead);

function partToRead(query: string): string {
  const text = query.length < LOG_CHARACTERS ? query : withoutLinesAlike(query);
  if (text.length <= MAX_QUERY_CHARACTERS) return text;
  return `${text.slice(0, MAX_QUERY_CHARACTERS / 2)}\n${text.slice(-MAX_QUERY_CHARACTERS / 2)}`;
}

/** Lines that differ from an earlier one only in times, numbers and ids, as in a server's log or the frames of a stack. */
function withoutLinesAlike(text: string): string {
  const told = new Set<string>();
  const isNew = (line: string): boolean => {
    const alike = line.replace(/[\da-f]+/gi, (run) => (/\d/.test(run) ? '0' : run));
    return !told.has(alike) && told.add(alike).size > 0;
  };
  return text.split('\n').filter(isNew).join('\n');
}

/**
 * The terms of a question: single words without stop words, and compounds (identifiers, paths, tickets) both whole and in
 * parts. Never empty for a text that has any letter or digit. Terms are in the order of the text, but times and
 * phrases around the question come last.
 */
export const queryTerms = rememberingLatest(termsInOrder);

function termsInOrder(query: string): readonly QueryTerm[] {
  const text = lookedUpPart(query).normalize('NFC');
  const alone = questionAlone(text);
  const language = languageOf(text);
  const terms = new Map<string, QueryTerm>();
  const add = (part: string, change: (term: QueryTerm) => QueryTerm): void => {
    for (const term of termsOf(part, language))
      if (!terms.has(term.phrase)) terms.set(term.phrase, change(term));
  };
  const less = (term: QueryTerm, share: number) => ({
    ...term,
    weight: term.weight * share,
    isEntity: false,
  });
  const subject = unlessEmpty(timesAsked(alone).rest, alone);
  add(subject, (term) => term);
  if (subject !== alone) add(alone, (term) => ({ ...less(term, TIME_WEIGHT), mayBeMissing: true }));
  if (alone !== text) add(text, (term) => less(term, AROUND_WEIGHT));
  return [...terms.values()].slice(0, MAX_TERMS);
}

/**
 * The site of a web address, and folders: all pages of a repository have their words, so that they are not looked up, and the
 * address counts for them. Evidence: docs/measurements/ranking.md.
 */
const PLACE_OF_PAGE = /^https?:\/\/.+\/(?=[^/]+\/[^/]+)/i;

function termsOf(query: string, { isStopWord, isOther }: TextLanguage): QueryTerm[] {
  const text = inLetterPairs(query);
  const isShort = query.length <= LONGEST_TYPED_CHARACTERS;
  const terms = new Map<string, QueryTerm>();
  const partWords = new Set<string>();
  for (const compound of text.match(COMPOUND) ?? []) {
    const words = [...compound.matchAll(WORD)];
    if (words.length < 2 || words.length > MOST_WORDS_OF_NAME) continue;
    if (isOther && isWordWithPronoun(compound, isStopWord)) continue;
    addTerm(terms, {
      phrase: withoutOuterSigns(compound, words),
      weight: PLACE_OF_PAGE.test(compound) ? PAGE_WEIGHT : 1,
      isEntity: true,
    });
    for (const [word] of words) partWords.add(word.toLowerCase());
  }
  // Compound by compound: behind an address, a comma or a bracket may be all that stands before other words.
  const lookedUp = text.replace(COMPOUND, (compound) => compound.replace(PLACE_OF_PAGE, ' '));
  for (const word of lookedUp.match(WORD) ?? []) addWord(terms, word, partWords);
  const kept = [...terms.values()].filter(({ phrase, isEntity }) => isEntity || !isStopWord(phrase));
  return (kept.length > 0 ? kept : [...terms.values()]).map((term) => ({
    ...term,
    isTyped: isShort && !term.isEntity && term.weight === 1,
    isEnglish: !isOther && /^[\0-\x7F]*$/.test(term.phrase),
  }));
}

export type QuestionLanguage = 'English' | 'taught' | 'other' | 'other script';

/** The languages in Latin letters that the built-in model was taught beside English. */
const TAUGHT_LANGUAGES: readonly string[] = ['de', 'es', 'fr', 'pt'];

/**
 * In another script are questions most of whose letters are of those that the built-in model was taught. Of one in Greek or
 * Thai, it knows the Latin words alone, which say little of what is asked. Languages in Latin letters are known by their stop
 * words.
 */
export function questionLanguage(query: string): QuestionLanguage {
  const text = lookedUpPart(query);
  const letters = lettersOf(text, LETTER);
  if (2 * lettersOf(text, TAUGHT) > letters) return 'other script';
  if (2 * lettersOf(text, NOT_LATIN) > letters) return 'other';
  const { isOther, maybe } = languageLookedUp(query);
  if (!isOther) return 'English';
  return maybe.some((code) => TAUGHT_LANGUAGES.includes(code)) ? 'taught' : 'other';
}

const LETTER = /\p{L}/gu;
const NOT_LATIN = /(?!\p{Script=Latin})\p{L}/gu;
const TAUGHT = /(?=\p{L})[\p{scx=Cyrillic}\p{scx=Hangul}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/gu;

function lettersOf(text: string, letter: RegExp): number {
  return text.match(letter)?.length ?? 0;
}

/** Whether a question has stop words alone: "and then?" is about anything. */
export function hasNoSubject(query: string): boolean {
  const { isStopWord } = languageLookedUp(query);
  return queryTerms(query).every(({ phrase }) => isStopWord(phrase));
}

function languageLookedUp(query: string): TextLanguage {
  return languageOf(lookedUpPart(query).normalize('NFC'));
}

/** One word and others that say nothing (`renvoie-t-il`, `chamou-se`, `что-то`): no name, where they are spelled so. */
function isWordWithPronoun(compound: string, isStopWord: (word: string) => boolean): boolean {
  const parts = compound.toLowerCase().split('-');
  return parts.filter((part) => !isStopWord(part)).length < 2 && parts.every(isWord);
}

export function isWord(phrase: string): boolean {
  return /^[\p{L}\p{N}\p{M}]+$/u.test(phrase);
}

function addWord(terms: Map<string, QueryTerm>, word: string, partWords: ReadonlySet<string>): void {
  const phrase = word.toLowerCase();
  const isCamelCase = camelCaseNames(word).includes(word);
  const parts = isCamelCase ? splitCamelCase(word) : [];
  addTerm(terms, {
    phrase,
    ...(isCamelCase && { apart: parts.join('_').toLowerCase() }),
    weight: partWords.has(phrase) ? PART_WEIGHT : 1,
    isEntity: isCamelCase || isCode(word),
  });
  for (const part of parts) addTerm(terms, { phrase: part, weight: PART_WEIGHT, isEntity: false });
}

function addTerm(terms: Map<string, QueryTerm>, term: QueryTerm): void {
  const key = term.phrase.toLowerCase();
  if (!terms.has(key)) terms.set(key, { ...term, phrase: key });
}

/** Two words in a row are looked up in one as another spelling. */
const WORDS_OF_JOINED = { least: 3, most: 5 };
/** A name may begin with `is` or `has`; to look all up would take a millisecond. */
const MOST_STOP_WORDS = 1;

/** Words in a row in one: `why has doc files changed` may be about `hasDocFiles`. */
export function joinedWords(query: string): QueryTerm[] {
  if (query.length > LONGEST_TYPED_CHARACTERS) return [];
  const { isStopWord } = languageOf(query);
  const given = new Set(queryTerms(query).map(({ phrase }) => phrase));
  const joined = new Set<string>();
  for (const run of query.toLowerCase().match(/[a-z0-9]+(?: [a-z0-9]+)+/g) ?? []) {
    const words = run.split(' ');
    for (let { least: count } = WORDS_OF_JOINED; count <= WORDS_OF_JOINED.most; count++) {
      for (let at = 0; at + count <= words.length; at++) {
        const part = words.slice(at, at + count);
        const phrase = part.join('');
        const mayBeName = /[a-z]/.test(phrase) && part.filter(isStopWord).length <= MOST_STOP_WORDS;
        if (mayBeName && !given.has(phrase)) joined.add(phrase);
      }
    }
  }
  return [...joined].map((phrase) => ({ phrase, weight: 1, isEntity: true, mayBeMissing: true }));
}

/** A message with fewer words says no more than its single words; one with more is a page. */
const LITERAL_WORDS = { least: 3, most: 40 };
const MAX_LITERAL_TEXTS = 4;
const QUOTED = /"([^"]+)"|`([^`]+)`|“([^”]+)”/g;

/** Texts that memory may contain word for word, like a pasted error message: the question itself, and its quotations. */
export function literalTexts(query: string): string[] {
  const whole = lookedUpPart(query);
  const quoted = Array.from(whole.matchAll(QUOTED), ([, ...texts]) => texts.find(Boolean) ?? '');
  const messages = [...new Set([whole, ...quoted])].filter((text) => {
    const words = text.match(WORD)?.length ?? 0;
    return words >= LITERAL_WORDS.least && words <= LITERAL_WORDS.most;
  });
  return messages.slice(0, MAX_LITERAL_TEXTS);
}

/** Error codes, hashes, versions: letters and digits mixed, or all capitals. */
function isCode(word: string): boolean {
  return word.length >= 4 && (/^(?=.*\d)(?=.*\p{L})/u.test(word) || /^[A-Z][A-Z0-9]+$/.test(word));
}

/** Of a commit, whole or abbreviated. */
export function isHash(phrase: string): boolean {
  return /^(?=.*\d)(?=.*[a-f])[\da-f]{7,40}$/.test(phrase);
}

/** From its first word to its last. */
function withoutOuterSigns(compound: string, words: readonly RegExpExecArray[]): string {
  const last = words.at(-1)!;
  return compound.slice(words[0]!.index, last.index + last[0].length);
}

/** For what one search asks up to six times of its question, which may be a log of 200,000 characters. */
function rememberingLatest<T>(read: (query: string) => T): (query: string) => T {
  let latest: { query: string; result: T } | undefined;
  return (query) => {
    if (query !== latest?.query) latest = { query, result: read(query) };
    return latest.result;
  };
}
