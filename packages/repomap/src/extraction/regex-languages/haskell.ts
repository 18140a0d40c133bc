import type { RegexLanguage } from '../regex-language.js';
import { quoted, words } from './c-like.js';

const brackets = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,1000}\)`;
/** `(Show a, Eq (f a)) =>` or `M.Ord (Key a) =>`, maybe over several lines. */
const context = String.raw`(?:(?![ \t])(?:[\w'.~ \t]|${brackets}){1,300}(?:\n[ \t]+)?=>[ \t]*(?:\n[ \t]+)?)?`;

/** What begins a line without being a function's name. */
const declaration = String.raw`(?:case|class|data|default|deriving|foreign|import|infix[lr]?|instance|let|module|newtype|pattern|type|where)\b`;
/** A pattern on the left of an equation: a word, maybe with fields, or something in brackets; blanked strings are spaces. */
const argument = String.raw`[!~]?(?:[\w']+@)?(?:(?:[A-Z][\w']*\.)*[\w']+(?:\{[^{}\n]*\})?|\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\]\n]*\])`;

const operator = String.raw`[!#$%&*+./<=>?@\\^|~:-]`;

export const haskell: RegexLanguage = {
  mask: {
    lineComments: [new RegExp(`--+(?!${operator})`, 'y')],
    blockComments: [{ open: '{-', close: '-}', nested: true }],
    // A quasi-quotation, and no list comprehension.
    other: [/\[[a-z][\w'.]*\|(?:)(?![^|\]\n]*<-)[^]{0,2000}?\|\]/y],
    strings: [quoted('"')],
    character: /(?<![\w'])'(?:[^'\\\r\n]|\\[^'\r\n]{1,6})'/y,
  },
  rules: [
    { kind: 'module', pattern: /^module[ \t]+([A-Z][\w'.]*)/gm },
    {
      kind: 'type',
      pattern: new RegExp(
        String.raw`^(?:data|newtype)(?:[ \t]+(?:family|instance))?[ \t]+${context}([A-Z][\w']*)`,
        'gm',
      ),
    },
    { kind: 'fn', pattern: /^pattern[ \t]+([A-Z][\w']*)/gm },
    { kind: 'type', pattern: /^type(?:[ \t]+family)?[ \t]+(?!instance\b)([A-Z][\w']*)/gm },
    // `data a :+: b`, `type (f ~> g) a` and `type family (++) a b`.
    {
      kind: 'type',
      pattern: new RegExp(
        String.raw`^(?:data|newtype|type)(?:[ \t]+family)?[ \t]+\(?(?:(?:[a-z]\w*|\([^()\n]*\))[ \t]+)?((?!(?:=>?|::|~|\|)(?!${operator}))${operator}+)`,
        'gm',
      ),
    },
    {
      kind: 'class',
      pattern: new RegExp(String.raw`^class(?:[ \t]+|[ \t]*\n[ \t]+)${context}([A-Z][\w']*)`, 'gm'),
    },
    {
      kind: 'fn',
      pattern:
        /^(?:foreign[ \t]+import(?:[ \t]+\w+){0,3}(?:[ \t]+|[ \t]*\n[ \t]+))?([a-z_][\w']*|\([^\w\s()]+\))(?=[ \t]*(?:,[^\n:=]*)?(?:\n[ \t]+)?::)/gm,
    },
    // `a <+> b = …`, and with backquotes; an operator that begins with a colon is a constructor, and `f !b = …` forces.
    {
      kind: 'fn',
      pattern: new RegExp(
        String.raw`^(?!${declaration})${argument}(?:[ \t]+${argument}){0,5}[ \t]*((?![=|@~\\:]|->|<-|=>|\.\.|\.[A-Z]|(?<=[ \t])![\w([])${operator}+|\x60[a-z_][\w']*\x60)(?=[ \t]*${argument}(?:[ \t]+${argument}){0,5}[ \t]*(?:\n[ \t]+)?[=|](?!${operator}))`,
        'gm',
      ),
    },
    // Of a class: a signature below its head, with indented, empty and CPP's lines alone between them; deeper ones are local.
    {
      kind: 'method',
      pattern:
        /^(?: {1,4}|\t)([a-z_][\w']*|\([^\w\s()]+\))(?=[ \t]*(?:,[^\n:=]*)?(?:\n[ \t]+)?::)(?<=^class\b[^\n]*\n(?:(?:[ \t#][^\n]*)?\n){0,200}[^\n]*)/gm,
    },
    {
      kind: 'fn',
      pattern: new RegExp(
        String.raw`^(?!${declaration})([a-z_][\w']*)(?=(?:(?:[ \t]+|[ \t]*\n[ \t]+)${argument})*[ \t]*(?:\n[ \t]+)?[=|](?![!#$%&*+./<=>?@\\^|~:-]))`,
        'gm',
      ),
    },
  ],
  keywords:
    words(`case class data default deriving do else family foreign forall hiding if import in infix infixl infixr
    instance let mdo module newtype of pattern proc qualified rec role then type where Int String Bool Maybe Just
    Nothing True False return pure`),
  // `Shop.Cart` is a module, or `Cart` of the module `Shop`.
  word: /(?:\p{Lu}[\w']*\.)+(\p{Lu}[\w']*)|[\p{L}_][\p{L}\p{N}_']*/gu,
  clauses: true,
};
