import type { RegexLanguage } from '../regex-language.js';
import { argumentLabel, quoted, slashComments, words } from './c-like.js';

const modifiers = String.raw`(?:(?:static|external|abstract|covariant|late|final|const|augment)[ \t]+)*`;
/** Statements and expressions that look like a result type before a name. */
const noType = String.raw`(?!(?:assert|await|case|catch|const|do|else|factory|final|for|if|in|new|return|super|switch|this|throw|try|typedef|while|yield)\b)`;
const typeParameters = String.raw`<(?:[^(){};=\n]|\([^();=\n]{0,200}\)){1,200}>`;
const name = String.raw`([\w$]+)`;
const type = String.raw`(?:void|(?:\w+\.)?[\w$]+(?:${typeParameters})?\??|\([^();\n]{1,200}\)\??)[ \t]+`;
const functionType = String.raw`(?:${type})?Function\([^();\n]{0,200}\)\??[ \t]+`;
const resultType = String.raw`${noType}(?:${functionType}|${type})`;
const brackets = String.raw`\((?:[^()]|\((?:[^()]|\([^()]{0,100}\)){0,100}\)){0,200}\)`;
const inType = String.raw`^(?:[ ]{2}|\t)`;
/** Behind a constructor's name, not that of a class whose object is in a list. */
const isConstructor = String.raw`(?=(?:\._+)?\()(?!(?:\._+)?${brackets}\s*[,.)\]])`;

export const dart: RegexLanguage = {
  mask: {
    ...slashComments,
    strings: [
      { open: 'r"""', close: '"""', multiline: true },
      { open: "r'''", close: "'''", multiline: true },
      quoted('"""', { multiline: true, interpolation: '${' }),
      quoted("'''", { multiline: true, interpolation: '${' }),
      { open: 'r"', close: '"' },
      { open: "r'", close: "'" },
      quoted('"', { interpolation: '${' }),
      quoted("'", { interpolation: '${' }),
    ],
  },
  rules: [
    {
      kind: 'class',
      pattern: /^[ \t]*(?:(?:abstract|base|final|sealed|interface|mixin|macro)[ \t]+)*class[ \t]+([\w$]+)/gm,
    },
    { kind: 'trait', pattern: /^[ \t]*(?:base[ \t]+)?mixin[ \t]+(?!class\b)([\w$]+)/gm },
    {
      kind: 'extension',
      pattern: /^[ \t]*extension[ \t]+(?:type[ \t]+(?:const[ \t]+)?)?(?!on\b|type\b)([\w$]+)/gm,
    },
    { kind: 'enum', pattern: /^[ \t]*enum[ \t]+([\w$]+)/gm },
    { kind: 'type', pattern: /^[ \t]*typedef[ \t]+([\w$]+)(?=[ \t]*(?:<[^=\n]*>)?[ \t]*=)/gm },
    // As Dart had it first.
    {
      kind: 'type',
      pattern: new RegExp(
        String.raw`^typedef[ \t]+(?:${resultType})?${name}(?=(?:<[^(){};=\n]{1,200}>)?\()`,
        'gm',
      ),
    },
    {
      kind: 'fn',
      nestedKind: 'method',
      pattern: new RegExp(
        String.raw`^[ \t]*${modifiers}(?:${resultType})?[gs]et[ \t]+${name}(?=[ \t]*(?:=>|\{|\(|async\b|;))`,
        'gm',
      ),
    },
    {
      kind: 'fn',
      nestedKind: 'method',
      pattern: new RegExp(
        String.raw`^[ \t]*${modifiers}${resultType}(?!Function\b)${name}(?=(?:<[^(){};=\n]{1,200}>)?\()`,
        'gm',
      ),
    },
    {
      kind: 'method',
      pattern: new RegExp(
        String.raw`${inType}(?:(?:const|external|factory)[ \t]+)*(?<of>[A-Z_$][\w$]*)\.(?<name>_*[a-zA-Z][\w$]*)${isConstructor}`,
        'gm',
      ),
      ofTypes: true,
    },
    {
      kind: 'method',
      pattern: new RegExp(
        String.raw`${inType}(?:(?:const|external|factory)[ \t]+)*(?<of>[A-Z_$][\w$]*)${isConstructor}`,
        'gm',
      ),
      ofTypes: true,
    },
    // Without a result's type it has a body; a pattern before an arrow has a capital.
    {
      kind: 'method',
      pattern: new RegExp(
        String.raw`${inType}(?:static[ \t]+)?${noType}(_*[a-z][\w$]*)(?=${brackets}\s*(?:(?:async|sync)\b\*?\s*)?(?:\{|=>))`,
        'gm',
      ),
    },
    { kind: 'fn', pattern: /^(main)(?=\()/gm },
    // Of a library: a constant, or a variable, with its value.
    {
      kind: 'const',
      pattern:
        /^(?:(?:const|final|late|var)[ \t]+)+(?:[\w<>?,.][\w<>?, .]{0,99}[ \t]+)?([\w$]+)(?=[ \t]*=)/gm,
    },
    { kind: 'const', pattern: new RegExp(String.raw`^${resultType}${name}(?=[ \t]*=[^=>])`, 'gm') },
  ],
  keywords:
    words(`abstract as assert async await base break case catch class const continue covariant default deferred
    do dynamic else enum export extends extension external factory false final finally for Function get hide if
    implements import in interface is late library mixin new null of on operator part required rethrow return sealed
    set show static super switch sync this throw true try type typedef var void when while with yield String int bool
    double List Map Set Future`),
  word: /[\p{L}_$][\p{L}\p{N}_$]*/gu,
  noMention: argumentLabel,
  // Getters are not called either, but nearly every word of such a name is a field, a parameter or a variable.
  call: /[ \t]*(?:<[^(){};=\n]{0,100}>)?\(/y,
};
