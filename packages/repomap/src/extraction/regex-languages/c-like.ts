import type { MaskSyntax, StringSyntax } from '../source-mask.js';

/** What the languages with braces share. */
export const slashComments: Pick<MaskSyntax, 'lineComments' | 'blockComments'> = {
  lineComments: ['//'],
  blockComments: [{ open: '/*', close: '*/', nested: true }],
};

export function quoted(quote: string, options: Omit<StringSyntax, 'open' | 'close'> = {}): StringSyntax {
  return { open: quote, close: quote, escape: '\\', ...options };
}

/** `'a'`, `'\n'`, `'\u0041'`, and no lone quote. */
export const characterLiteral = /'(?:[^'\\\r\n]|\\[^\r\n]{1,9}?)'/y;

/** A name that may be a keyword, or hold anything at all. */
export const backquotedName = /`[^`\r\n]+`/y;

export const identifierWord = /[\p{L}_][\p{L}\p{N}_]*/gu;
/** `title` in `page(title: name)`. */
export const argumentLabel = /(?<![.?\p{L}\p{N}_])\p{Ll}[\p{L}\p{N}_]*(?=:(?!:))/gu;
export const backquotedOrWord = /`[^`\r\n]+`|[\p{L}_][\p{L}\p{N}_]*/gu;

export function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
