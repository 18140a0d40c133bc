import type { RegexLanguage } from '../regex-language.js';
import { words } from './c-like.js';

/**
 * Perl's quoting cannot be told from division and patterns without parsing it: only documentation, here-documents and
 * comments are blanked, and definitions count at the beginning of a line.
 */
export const perl: RegexLanguage = {
  mask: {
    // Behind code a mark alone, which in a pattern or a string costs the mentions up to the line's end.
    lineComments: [/#(?<=^[ \t]*#|[ \t]#(?=[ \t]))/my],
    blockComments: [],
    strings: [],
    other: [
      /^=[a-zA-Z][^]*?(?:^=cut\b.*$|(?![^]))/my,
      /^__(?:END|DATA)__\b[^]*/my,
      /<<~?(?:[ \t]+(?=["']))?(["']?)([A-Za-z_]\w*)(?!\w)\1(?:)(?:.*\n){1,1000}?[ \t]*\2$/my,
    ],
  },
  rules: [
    {
      kind: 'package',
      pattern:
        /^[ \t]*(?:package|class|role)[ \t]+([A-Za-z_]\w*(?:::\w+)*)(?=\s*(?:v?[\d._]+\s*)?(?::\s*\w+(?:\([^()\n]*\))?\s*){0,9}[;{])/gm,
    },
    {
      kind: 'fn',
      pattern: /^[ \t]*(?:(?:my|our|async)[ \t]+)?(?:sub|method|fun)[ \t]+(?:\w+(?:::|'))*(\w+)/gm,
    },
    { kind: 'const', pattern: /^[ \t]*use[ \t]+constant[ \t]+(?:\+)?(\w+)(?=[ \t]*(?:=>|,))/gm },
    {
      kind: 'const',
      pattern: /\b([A-Za-z_]\w*)(?=[ \t]*=>)(?<=^[ \t]*use[ \t]+constant[ \t]+\{[^{}]{0,1000})/gm,
    },
  ],
  keywords:
    words(`and cmp continue default do else elsif eq for foreach ge given gt if last le local lt my ne next no not
    or our package print push redo ref require return scalar shift sub undef unless until use when while xor self
    defined keys values exists strict warnings`),
  // A package's name is one word; what it ends with in capitals may be a constant of the package before. Neither a variable
  // nor the key of a hash is a mention: `$name`, `{name}`, `name =>`.
  word: /(?<!\w)(?:[A-Z]\w*::)+(?:([A-Z][A-Z\d_]+)(?!\w)|[A-Z]\w*)|(?<![$@%\w]|[\w>)\]}]\{(?=\w+\}))[A-Za-z_]\w*(?!\w|\s*=>)/g,
};
