import type { RegexLanguage } from '../regex-language.js';
import { argumentLabel, backquotedName, backquotedOrWord, quoted, slashComments, words } from './c-like.js';

const name = String.raw`(\x60[^\x60\n]+\x60|\w+)`;
const modifiers = String.raw`(?:(?:@\w+(?:\([^()\n]*\))?|public|package|internal|private|fileprivate|open|required|convenience|override|nonisolated(?:\(unsafe\))?)[ \t]+)*`;
const typeFollows = String.raw`(?=[ \t]*[:<{\n]|[ \t]+where\b)`;

/** `@State var count`: what Apple's frameworks have, and a program within its own types, too. */
const ATTRIBUTE =
  '(?<=@)(?:Bindable|Binding|Entry|Environment|Model|Namespace|Observable|Parameter|Published|Query|State|Suite|Test)\\b';

export const swift: RegexLanguage = {
  mask: {
    ...slashComments,
    quotedName: backquotedName,
    other: [
      /(#{1,9})(?=")(?:)(?:"""[^]{0,5000}?"""|"[^\n]{0,5000}?")\1/y,
      // What it names is defined elsewhere.
      /\bimport[ \t]+(?:struct|class|enum|protocol|typealias|func|let|var)\b[^\n;]*/y,
    ],
    strings: [
      quoted('"""', { multiline: true, interpolation: '\\(' }),
      quoted('"', { interpolation: '\\(' }),
    ],
  },
  rules: [
    {
      kind: 'fn',
      nestedKind: 'method',
      // The parameters of an operator's types may follow it without a space.
      pattern: /\bfunc[ \t]+(`[^`\n]+`|\w+|[-+*/%<>=!&|^~?.]+?(?=\s*\(|[ \t]*<\w))/gm,
    },
    {
      kind: 'class',
      pattern: new RegExp(
        String.raw`\b(?:class|actor)[ \t]+(?!func\b|var\b|let\b|subscript\b|in\b)${name}${typeFollows}`,
        'gm',
      ),
    },
    { kind: 'struct', pattern: new RegExp(String.raw`\bstruct[ \t]+${name}`, 'gm') },
    { kind: 'enum', pattern: new RegExp(String.raw`\benum[ \t]+${name}`, 'gm') },
    { kind: 'protocol', pattern: new RegExp(String.raw`(?<!\.)\bprotocol[ \t]+${name}${typeFollows}`, 'gm') },
    { kind: 'extension', pattern: new RegExp(String.raw`\bextension[ \t]+(?:\w+\.)*${name}`, 'gm') },
    { kind: 'macro', pattern: /\bmacro[ \t]+(\w+)(?=[ \t]*[(<])/gm },
    {
      kind: 'type',
      nestedKind: 'associated-type',
      pattern: new RegExp(String.raw`\b(?:typealias|associatedtype)[ \t]+${name}`, 'gm'),
    },
    { kind: 'method', pattern: new RegExp(String.raw`^[ \t]+${modifiers}(init)(?=[?!]?[ \t]*[<(])`, 'gm') },
    { kind: 'const', pattern: new RegExp(String.raw`^${modifiers}(?:let|var)[ \t]+${name}`, 'gm') },
  ],
  keywords:
    words(`actor any as associatedtype async await break case catch class continue convenience default defer do
    else enum extension fallthrough false fileprivate final for func get guard if import in inout internal is lazy let
    mutating nil open operator override private protocol public repeat required rethrows return self Self set some
    static struct subscript super switch throw throws true try typealias var weak where while String Int Bool Void Any
    Array Dictionary`),
  word: backquotedOrWord,
  // A closure may follow without brackets, but where `if` or the like stands before.
  call: /(?:<[^(){};\n]{1,200}>)?\(|(?=[ \t]*\{)(?<!\b(?:else|for|guard|if|in|switch|where|while)\b[^\n{}]{0,300})/y,
  noMention: new RegExp(`${argumentLabel.source}|${ATTRIBUTE}`, argumentLabel.flags),
};
