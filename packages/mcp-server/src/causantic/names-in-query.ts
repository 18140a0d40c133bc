// What a query that deletes names: nothing about a secret, a customer or a file may stay, and vectors do not know names.

const QUOTED = /^\s*"([^"]*)"\s*$/;
/** As phones, macOS and Word make them of the plain ones. */
const CURLY_QUOTES = /[“”„«»]/g;
const NAME = /[\d_@:/\\.-]|\p{Ll}\p{Lu}/u;
/** In characters; shorter ones occur within other words. */
export const SHORTEST_NAME = 6;

/** What is looked for word by word; empty for a topic. */
export function exactWords(query: string): string {
  const trimmed = query.trim();
  const isName = trimmed.length >= SHORTEST_NAME && !/\s/.test(trimmed) && NAME.test(trimmed);
  const [, quoted = ''] = QUOTED.exec(query) ?? QUOTED.exec(plainQuotes(query)) ?? [];
  return quoted.trim().replace(/\s+/g, ' ') || (isName ? trimmed : '');
}

function plainQuotes(query: string): string {
  return query.replace(CURLY_QUOTES, '"');
}

/** One of several. That it has a letter is looked for first: one that is not closed would be gone through from each letter. */
const QUOTATION = /"(?=[^"\p{L}\p{N}]*[\p{L}\p{N}])([^"]*)"/gu;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_@:/\\.-]*[\p{L}\p{N}]/gu;
const LIKE_A_NAME = /[\p{Lu}\d_@:/\\.-]/u;

/** What a topic quotes or, if nothing, its words that look like names; a single word is one. */
export function namesIn(query: string): string[] {
  const quoted = Array.from(plainQuotes(query).matchAll(QUOTATION), ([, words]) => words!);
  if (quoted.length > 0) return quoted;
  const words = [...new Set(query.match(WORD) ?? [])];
  return words.length === 1 ? words : words.filter((word) => LIKE_A_NAME.test(word));
}
