import type { RegexLanguage } from '../regex-language.js';
import { characterLiteral, identifierWord, quoted, slashComments, words } from './c-like.js';

export const scala: RegexLanguage = {
  mask: {
    ...slashComments,
    strings: [
      { open: 's"""', close: '"""', multiline: true, interpolation: '${' },
      { open: '"""', close: '"""', multiline: true },
      { ...quoted('"', { interpolation: '${' }), open: 's"' },
      quoted('"'),
    ],
    character: characterLiteral,
  },
  rules: [
    { kind: 'class', pattern: /\bclass[ \t]+([\w$]+)/gm },
    { kind: 'object', pattern: /\bobject[ \t]+([\w$]+)/gm },
    { kind: 'trait', pattern: /\btrait[ \t]+([\w$]+)/gm },
    { kind: 'enum', pattern: /\benum[ \t]+([\w$]+)/gm },
    {
      kind: 'type',
      pattern:
        /^[ \t]*(?:(?:private|protected|final|override|sealed|opaque|implicit)(?:\[\w+\])?[ \t]+)*type[ \t]+([\w$]+)/gm,
    },
    {
      kind: 'fn',
      nestedKind: 'method',
      pattern: /\bdef[ \t]+(`[^`\n]+`|[\w$]*_[^\w\s([\]):,;{}]+|[\w$]+|[^\w\s([:=`]+)/gm,
    },
    {
      kind: 'const',
      pattern:
        /^[ \t]*(?:(?:private|protected|final|override|lazy|implicit)(?:\[\w+\])?[ \t]+)*val[ \t]+([A-Z][\w$]*)/gm,
    },
    // Without a name, the type stands in its place.
    {
      kind: 'const',
      pattern:
        /^[ \t]*(?:(?:private|protected|final|override|lazy|implicit|inline|transparent)[ \t]+)*given[ \t]+([\w$]+)(?=(?:\[[^\n]{1,200}?\])?[ \t]*(?:\([^\n]{1,200}?\)[ \t]*)?:[ \t]*[^\s=])/gm,
    },
  ],
  keywords:
    words(`abstract case catch class def do else enum export extends final finally for given if implicit import
    lazy match new null object override package private protected return sealed super then this throw trait try true
    false type using val var while with yield String Int Boolean Unit Any Option Some None Seq List Map Set`),
  word: identifierWord,
};
