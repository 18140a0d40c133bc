import type { RegexLanguage } from '../regex-language.js';
import { quoted, words } from './c-like.js';

/** Up to what closes it, which may also stand in code that is put in: `~s(#{name(first)})`. */
const sigil = (close: string) =>
  String.raw`(?:\\[^]|#\{(?:[^{}]|\{[^{}]{0,300}\}){0,300}\}|#(?!\{)|[^\\#${close}]){0,2000}`;

export const elixir: RegexLanguage = {
  mask: {
    lineComments: ['#'],
    blockComments: [],
    strings: [
      quoted('"""', { multiline: true, interpolation: '#{' }),
      quoted("'''", { multiline: true, interpolation: '#{' }),
      quoted('"', { multiline: true, interpolation: '#{' }),
      quoted("'", { interpolation: '#{' }),
    ],
    other: [
      /\?(?:\\.|["'#])/y,
      // Quotes in its middle do not end it: `\\"""`.
      /~[SCRW]"""[^]*?\n[ \t]*"""/y,
      new RegExp(
        String.raw`~[a-z](?:)(?:\(${sigil(')')}\)|\[${sigil('\\]')}\]|\{${sigil('}')}\}|\/${sigil('/')}\/|\|${sigil('|')}\||<${sigil('>')}>)`,
        'y',
      ),
      /~[A-Z]+(?:)(?:\([^)]{0,2000}\)|\[[^\]]{0,2000}\]|\{[^}]{0,2000}\}|\/(?:\\.|[^/\\\n])*\/|\|[^|\n]*\||<[^>\n]*>)/y,
    ],
  },
  rules: [
    // In lower case it is a variable.
    { kind: 'module', pattern: /^[ \t]*defmodule[ \t]+(?:[\w]+\.)*(\p{Lu}\w*)(?![\w.])/gmu },
    { kind: 'protocol', pattern: /^[ \t]*defprotocol[ \t]+(?:[\w]+\.)*(\w+)/gm },
    {
      kind: 'macro',
      pattern:
        /^[ \t]*(?:defmacrop?|defguardp?)[ \t]+(?!unquote\b)(\w+[?!]?)(?![\w?!]|[ \t]+[-+*/|<>=&^~])/gm,
    },
    {
      kind: 'fn',
      pattern:
        /^[ \t]*(?:defp?|defdelegate|defn|defnp)[ \t]+(?!unquote\b)(\w+[?!]?)(?![\w?!]|[ \t]+[-+*/|<>=&^~])/gm,
    },
    { kind: 'type', pattern: /^[ \t]*@(?:type|typep|opaque)[ \t]+(\w+)/gm },
    { kind: 'method', pattern: /^[ \t]*@(?:callback|macrocallback)[ \t]+(\w+[?!]?)/gm },
  ],
  keywords:
    words(`after alias and case catch cond def defdelegate defguard defguardp defimpl defmacro defmacrop
    defmodule defp defprotocol defstruct do else end false fn for if import in nil not or quote raise receive require
    rescue super true try unless unquote use when with __MODULE__`),
  // `Shop` in `Shop.Cart.add()` and in `Shop.{Cart, Order}`.
  noMention: /(?<![\w.])(?:\p{Lu}\w*\.)+(?=[\p{Lu}{])/gu,
  // `save(row)`, `&save/1`, `plug :save`; not `@spec save(row)`, nor another attribute.
  call: /(?<!@\w+[?!]?)(?:\(|\/\d|[ \t]+(?!(?:after|and|catch|do|else|end|in|not|or|rescue|when)\b)(?:[\p{L}_"'{[%&@~]|:(?!:)))/uy,
  word: /[\p{L}_][\p{L}\p{N}_]*[?!]?/gu,
  clauses: true,
};
