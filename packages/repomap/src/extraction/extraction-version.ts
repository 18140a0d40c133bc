import { crc32 } from 'node:zlib';
import { GRAMMARS } from './grammars.js';
import { REGEX_LANGUAGES } from './regex-languages/index.js';

/**
 * Raise this if extraction changes in anything other than queries and patterns, which are part of the version anyway, or if
 * the same tags result in a different map, because answers are cached by it, too.
 */
const EXTRACTION_RULES = 103;

const queries = Object.entries(GRAMMARS).map(([name, { query }]) => [name, query]);
const patterns = Object.entries(REGEX_LANGUAGES).map(([name, { rules }]) => [
  name,
  rules.map(({ kind, nestedKind, pattern }) => [kind, nestedKind, pattern.source]),
]);

const everything = JSON.stringify([EXTRACTION_RULES, queries, patterns]);

/** What cached tags were made with: another version reads every file again. */
export const EXTRACTION_VERSION = crc32(everything).toString(16);
