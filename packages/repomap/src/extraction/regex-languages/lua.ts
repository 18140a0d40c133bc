import type { RegexLanguage } from '../regex-language.js';
import { identifierWord, quoted, words } from './c-like.js';

export const lua: RegexLanguage = {
  mask: {
    lineComments: ['--'],
    blockComments: [
      { open: '--[[', close: ']]' },
      { open: '--[=[', close: ']=]' },
      { open: '--[==[', close: ']==]' },
      { open: '--[===[', close: ']===]' },
    ],
    strings: [
      { open: '[===[', close: ']===]', multiline: true },
      { open: '[==[', close: ']==]', multiline: true },
      { open: '[=[', close: ']=]', multiline: true },
      { open: '[[', close: ']]', multiline: true },
      quoted('"'),
      quoted("'"),
      // Of Luau, as its types.
      quoted('`', { multiline: true, interpolation: '{' }),
    ],
    // `\z` takes the line's end into the string, and the blanks behind it.
    other: [/(["'])(?:)(?:\\z\s*(?!\s)|\\(?!z)[^]|(?!\1)[^\\\n])*\1/y],
  },
  rules: [
    { kind: 'method', pattern: /\bfunction[ \t]+[\w.]+:(\w+)/gm },
    { kind: 'fn', pattern: /\bfunction[ \t]+(?:\w+\.)*(\w+)(?=[ \t]*[(<])/gm },
    { kind: 'type', pattern: /^(?:export[ \t]+)?type[ \t]+(?:function[ \t]+)?(\w+)(?=[ \t]*[=<(])/gm },
    { kind: 'fn', pattern: /\b(\w+)(?=[ \t]*=[ \t]*function\b)/gm },
    // What a module gives, made of a function by another one; a local one is more often the value of a call.
    { kind: 'fn', pattern: /^\w+(?:\.\w+)*\.(\w+)(?=[ \t]*=[ \t]*[\w.]*\([ \t]*function\b)/gm },
    { kind: 'fn', pattern: /\[[ \t]*["'](\w+)(?=["'][ \t]*\][ \t]*=[ \t]*function\b)/gm, inSource: true },
    {
      kind: 'const',
      pattern: /^(?:local[ \t]+)?([A-Z]\w*)(?=[ \t]*(?:<\w+>[ \t]*)?=(?!=|[ \t]*require\b))/gm,
    },
  ],
  keywords:
    words(`and break do else elseif end false for function goto if in local nil not or repeat return then true
    until while self require print pairs ipairs table string`),
  word: identifierWord,
  call: /[ \t]*(?:[({"']|\[=*\[)/y,
};
