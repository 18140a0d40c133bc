import type { RegexLanguage } from '../regex-language.js';
import { characterLiteral, identifierWord, quoted, words } from './c-like.js';

export const zig: RegexLanguage = {
  mask: {
    lineComments: ['//', '\\\\'],
    blockComments: [],
    strings: [quoted('"')],
    character: characterLiteral,
  },
  rules: [
    { kind: 'fn', nestedKind: 'method', pattern: /\bfn[ \t]+(\w+)(?=[ \t]*\()/gm },
    {
      kind: 'struct',
      pattern:
        /\bconst[ \t]+(\w+)(?=[ \t]*(?::[ \t]*type[ \t]*)?=[ \t]*(?:extern[ \t]+|packed[ \t]+)?(?:struct|opaque)\b)/gm,
    },
    { kind: 'enum', pattern: /\bconst[ \t]+(\w+)(?=[ \t]*(?::[ \t]*type[ \t]*)?=[ \t]*(?:enum|error)\b)/gm },
    {
      kind: 'union',
      pattern:
        /\bconst[ \t]+(\w+)(?=[ \t]*(?::[ \t]*type[ \t]*)?=[ \t]*(?:extern[ \t]+|packed[ \t]+)?union\b)/gm,
    },
    {
      kind: 'const',
      pattern:
        /^(?:pub[ \t]+)?(?:export[ \t]+)?(?:const|var)[ \t]+(\w+)(?=[ \t]*[:=])(?![ \t]*=[ \t]*(?:@import|(?:\w+\.)+\1;))/gm,
    },
    {
      kind: 'const',
      pattern: /^[ \t]+pub[ \t]+const[ \t]+(\w+)(?=[ \t]*[:=])(?![ \t]*=[ \t]*(?:@import|(?:\w+\.)+\1;))/gm,
    },
  ],
  keywords:
    words(`align allowzero and anyframe anytype asm async await break callconv catch comptime const continue
    defer else enum errdefer error export extern false fn for if inline noalias null opaque or orelse packed pub
    resume return struct suspend switch test threadlocal true try undefined union unreachable usingnamespace var void
    volatile while usize std self Self type bool`),
  word: identifierWord,
};
