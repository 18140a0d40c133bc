import type { RegexLanguage } from '../regex-language.js';
import {
  backquotedName,
  backquotedOrWord,
  characterLiteral,
  quoted,
  slashComments,
  words,
} from './c-like.js';

/** A word, also one that ends in operators (`unary_!`); anything in backquotes; operators. */
const name = String.raw`(\x60[^\x60\n]+\x60|[\w$]*_[^\w\s([\]):,;{}]+|[\w$]+|[^\w\s()[\]{},;.'"\x60]+)`;

const modifiers = String.raw`(?:(?:@\w+(?:\([^()\n]*\))?|(?:private|protected|final|override|sealed|opaque|implicit|lazy|inline|infix|transparent)(?:\[\w+\])?)[ \t]+)*`;

export const scala: RegexLanguage = {
  mask: {
    ...slashComments,
    quotedName: backquotedName,
    // A word before it makes a string an interpolated one: `s"…"`, `sql"…"`. To look behind comes last, as it is slow.
    strings: [
      { open: /"""(?<=\w""")/y, close: '"""', closesLast: true, multiline: true, interpolation: '${' },
      { open: '"""', close: '"""', closesLast: true, multiline: true },
      { ...quoted('"', { interpolation: '${' }), open: /"(?<=\w")/y },
      quoted('"'),
    ],
    character: characterLiteral,
  },
  rules: [
    { kind: 'class', pattern: new RegExp(String.raw`\bclass[ \t]+${name}`, 'gm') },
    { kind: 'object', pattern: new RegExp(String.raw`\bobject[ \t]+${name}`, 'gm') },
    { kind: 'trait', pattern: new RegExp(String.raw`\btrait[ \t]+${name}`, 'gm') },
    { kind: 'enum', pattern: /\benum[ \t]+([\w$]+)/gm },
    { kind: 'type', pattern: new RegExp(String.raw`^[ \t]*${modifiers}type[ \t]+${name}`, 'gm') },
    {
      kind: 'fn',
      nestedKind: 'method',
      pattern: new RegExp(String.raw`\bdef[ \t]+(?!this\b)${name}`, 'gm'),
    },
    // `val Array(name, code) = …` and `val Some(name) = …` take apart.
    {
      kind: 'const',
      pattern: new RegExp(String.raw`^[ \t]*${modifiers}val[ \t]+([A-Z][\w$]*)(?![\w$]|[ \t]*[(.])`, 'gm'),
    },
    // `Two` of `val One, Two = Value`.
    {
      kind: 'const',
      pattern:
        /,\s*([A-Z][\w$]*)(?=[ \t]*[,:=])(?<=^[ \t]*(?:(?:private|protected|final)(?:\[\w+\])?[ \t]+)*val[ \t]+[A-Z][\w$,\s]{0,500})/gm,
    },
    // Without a name, the type stands in its place.
    {
      kind: 'const',
      pattern: new RegExp(
        String.raw`^[ \t]*${modifiers}given[ \t]+([\w$]+)(?=(?:\[[^\n]{1,200}?\])?[ \t]*(?:\([^\n]{1,200}?\)[ \t]*)?:[ \t]*[^\s=])`,
        'gm',
      ),
    },
    // Its type stands on a line below.
    {
      kind: 'const',
      pattern: new RegExp(
        String.raw`^[ \t]*${modifiers}given[ \t]+([a-z][\w$]*)(?=(?:\[[^\n]{1,200}?\])?[ \t]*\(\s*using\b[^)\n]*$)`,
        'gm',
      ),
    },
  ],
  keywords:
    words(`abstract case catch class def do else enum export extends final finally for given if implicit import
    lazy match new null object override package private protected return sealed super then this throw trait try true
    false type using val var while with yield String Int Boolean Unit Any Option Some None Seq List Map Set`),
  word: backquotedOrWord,
  // `scala.concurrent` in `import scala.concurrent.Future`, and what is a keyword only here: `extension (x: Int)`, `end match`.
  noMention:
    /^[ \t]*(?:package[ \t]+[\w.]+|import[ \t]+(?:\w+\.)+|extension(?=[ \t]*[[(])|end[ \t]+\w+(?=[ \t]*$))/gm,
};
