import type { RegexLanguage } from '../regex-language.js';
import { characterLiteral, identifierWord, quoted, words } from './c-like.js';

/** `@"zls env"`: any text at all, and keywords. */
const quotedName = String.raw`@"(?:[^"\\\n]|\\[^\n])+"`;
const name = String.raw`(\w+|${quotedName})`;
const isType = String.raw`(?=[ \t]*(?::[ \t]*type[ \t]*)?=[ \t]*`;
/** Behind a name; not where it only brings in a name from elsewhere. */
const isValue = String.raw`(?=[ \t]*[:=])(?![ \t]*=[ \t]*(?:@import|(?:\w+\.)+\1;))`;

export const zig: RegexLanguage = {
  mask: {
    quotedName: new RegExp(quotedName, 'y'),
    lineComments: ['//', '\\\\'],
    blockComments: [],
    strings: [quoted('"')],
    character: characterLiteral,
  },
  rules: [
    {
      kind: 'fn',
      nestedKind: 'method',
      pattern: new RegExp(String.raw`\bfn[ \t]+${name}(?=[ \t]*\()`, 'gm'),
    },
    {
      kind: 'struct',
      pattern: new RegExp(
        String.raw`\bconst[ \t]+${name}${isType}(?:extern[ \t]+|packed[ \t]+)?(?:struct|opaque)\b)`,
        'gm',
      ),
    },
    {
      kind: 'enum',
      pattern: new RegExp(String.raw`\bconst[ \t]+${name}${isType}(?:enum|error)\b)`, 'gm'),
    },
    {
      kind: 'union',
      pattern: new RegExp(
        String.raw`\bconst[ \t]+${name}${isType}(?:extern[ \t]+|packed[ \t]+)?union\b)`,
        'gm',
      ),
    },
    {
      kind: 'const',
      pattern: new RegExp(
        String.raw`^(?:(?:pub|export|extern|threadlocal)[ \t]+)*(?:const|var)[ \t]+${name}${isValue}`,
        'gm',
      ),
    },
    {
      kind: 'member-const',
      pattern: new RegExp(String.raw`^[ \t]+pub[ \t]+const[ \t]+${name}${isValue}`, 'gm'),
    },
  ],
  keywords:
    words(`align allowzero and anyframe anytype asm async await break callconv catch comptime const continue
    defer else enum errdefer error export extern false fn for if inline noalias null opaque or orelse packed pub
    resume return struct suspend switch test threadlocal true try undefined union unreachable usingnamespace var void
    volatile while usize std self Self type bool`),
  word: new RegExp(`${quotedName}|${identifierWord.source}`, 'gu'),
  call: /\(/y,
  // `windows.FALSE`, `Window.parent` and `.parent`, but neither a field (`node.parent`) nor the value it gets (`.parent = node`).
  ofType: /(?<=\.)(?=\p{Lu})|(?<=(?<![\w@])\p{Lu}\w*\.|(?<![\w)\]}?*"'.])\.)(?!\w+\s*=(?!=))/uy,
};
