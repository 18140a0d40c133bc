import type { RegexLanguage } from '../regex-language.js';
import {
  backquotedName,
  backquotedOrWord,
  characterLiteral,
  quoted,
  slashComments,
  words,
} from './c-like.js';

export const kotlin: RegexLanguage = {
  mask: {
    ...slashComments,
    quotedName: backquotedName,
    strings: [
      // As many dollars as stand before the quotes begin an interpolation.
      { open: '$$$"""', close: '"""', closesLast: true, multiline: true, interpolation: '$$${' },
      { open: '$$"""', close: '"""', closesLast: true, multiline: true, interpolation: '$${' },
      { ...quoted('"', { interpolation: '$${' }), open: '$$"' },
      { open: '"""', close: '"""', closesLast: true, multiline: true, interpolation: '${' },
      quoted('"', { interpolation: '${' }),
    ],
    character: characterLiteral,
  },
  rules: [
    { kind: 'enum', pattern: /\benum[ \t]+class[ \t]+(\w+)/gm },
    { kind: 'interface', pattern: /\binterface[ \t]+(\w+)/gm },
    { kind: 'class', pattern: /(?<![:.])\bclass[ \t]+(`[^`\n]+`|\w+)/gm },
    { kind: 'object', pattern: /\bobject[ \t]+(\w+)/gm },
    { kind: 'type', pattern: /\btypealias[ \t]+(\w+)/gm },
    {
      kind: 'fn',
      nestedKind: 'method',
      pattern:
        /\bfun[ \t]+(?:<[^(\n]{1,600}>[ \t]*)?(?:(?:\((?:[^()\n]|\([^()\n]{0,200}\)){1,200}\)|[\w<>?,.*: @]|->){1,200}\.)?(`[^`\n]+`|\w+)(?=[ \t]*\()/gm,
    },
    { kind: 'const', pattern: /\bconst[ \t]+val[ \t]+(\w+)/gm },
    {
      kind: 'const',
      pattern:
        /^(?:(?:@[\w.:]+(?:\([^()\n]*\))?|public|private|internal|lateinit|inline|expect|actual)[ \t]+)*va[lr][ \t]+(?:<[^\n]{1,200}?>[ \t]+)?(?:\w+(?:<[^=\n]{1,200}?>)?\??\.)*(\w+)/gm,
    },
  ],
  keywords:
    words(`abstract actual annotation as break by catch class companion const constructor continue crossinline
    data do else enum expect external false final finally for fun get if import in infix init inline inner interface
    internal is it lateinit null object open operator out override package private protected public reified return
    sealed set super suspend tailrec this throw true try typealias val var vararg when where while String Int Boolean
    Unit Any List Map Set`),
  word: backquotedOrWord,
  // `::name` hands a function on.
  call: /(?:<[^(){};\n]{1,200}>)?[ \t]*[({]|(?<=::`?\w+`?)/y,
  // `android` in `import android.util.Log`, and `title` in `Page(title = name)`.
  noMention: /^[ \t]*(?:package[ \t]+[\w.]+|import[ \t]+(?:\w+\.)*)|(?<![.\w])\p{Ll}\w*(?=[ \t]*=(?!=))/gmu,
};
