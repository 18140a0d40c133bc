import type { RegexLanguage } from '../regex-language.js';
import { quoted, words } from './c-like.js';

const assigned = String.raw`[ \t]*<<?-[ \t]*(?:\n[ \t]*)?`;
/** `:=` is S7's, which tells the class its name. */
const made = String.raw`[ \t]*(?:<<?-|:?=)[ \t]*(?:\n[ \t]*)?(?:\w+::)?`;

export const r: RegexLanguage = {
  mask: {
    lineComments: ['#'],
    blockComments: [],
    strings: [quoted('"', { multiline: true }), quoted("'", { multiline: true })],
    other: [
      // An operator of one's own, whose quotes open no string: `a %'% b`, and where it is defined.
      /(?<![%\x60])%(?=[^%\s\x60]{0,20}["'])[^%\s\x60]{1,20}%/y,
      /(?<=\x60%[^%\s\x60]{0,20})["'](?=[^%\s\x60]{0,20}%\x60)/y,
      /`[^`\n]*`(?![ \t]*(?:<<?-|=)[ \t]*(?:function\b|\\\())/y,
      /(?<![\w.])[rR](["'])(-{0,9})(?:)(?:\([^]{0,5000}?\)|\[[^]{0,5000}?\]|\{[^]{0,5000}?\})\2\1/y,
    ],
  },
  rules: [
    // Indented, `=` names an argument.
    { kind: 'fn', pattern: /^(`[^`\n]+`|[\p{L}.][\w.]*)(?=[ \t]*=[ \t]*(?:function\b|\\\())/gmu },
    {
      kind: 'fn',
      pattern: new RegExp(
        String.raw`(?<![\w.$@])(\x60[^\x60\n]+\x60|[\p{L}.][\w.]*)(?=${assigned}(?:function\b|\\\())`,
        'gmu',
      ),
    },
    // A name in quotes, as of `names<-`, at the beginning of a line.
    {
      kind: 'fn',
      pattern: /\n["']([^"'\n]+)(?=["'][ \t]*(?:<<?-|=)[ \t]*(?:function\b|\\\())/gm,
      inSource: true,
    },
    {
      kind: 'class',
      pattern: new RegExp(
        String.raw`^[ \t]*([\p{L}.][\w.]*)(?=${made}(?:R6Class|setRefClass|new_class|ggproto)\b)`,
        'gmu',
      ),
    },
    {
      kind: 'fn',
      pattern: new RegExp(String.raw`^([\p{L}.][\w.]*)(?=${made}new_generic\b)`, 'gmu'),
    },
    {
      kind: 'class',
      pattern: /^[ \t]*(?:[\w.]+[ \t]*(?:<-|=)[ \t]*)?(?:methods::)?setClass\([ \t]*["']([\w.]+)/gm,
      inSource: true,
    },
    {
      kind: 'fn',
      pattern: /^[ \t]*set(?:Generic|Method)\([ \t]*(?:f[ \t]*=[ \t]*)?["']([\w.]+)/gm,
      inSource: true,
    },
  ],
  members:
    /((?:\b(?:public|private|active|methods)[ \t]*=[ \t]*list|\bggproto|\$methods)\()|[([{)\]}]|(?<![\w.])([\p{L}.][\w.]*)(?=[ \t]*=[ \t]*(?:function\b|\\\())/gu,
  keywords:
    words(`break else FALSE for function if in Inf invisible is.null library list NA NaN next NULL paste repeat
    return stop TRUE while c cat length names print`),
  word: /[\p{L}.][\p{L}\p{N}_.]*/gu,
  call: /[ \t]*\(/y,
};
