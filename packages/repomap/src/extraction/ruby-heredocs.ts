/**
 * tree-sitter-ruby stores the length of a heredoc's word in a byte, and a longer one crashes the process with a failed
 * assertion: `log <<"a message of 256 characters"` is enough. Such a `<<` is blanked; everything else keeps its place.
 */
export function withoutLongHeredocs(text: string): string {
  return text.replace(LONG_WORD, (start) => '  ' + start.slice(2));
}

/** As far as its scanner goes: to the same quote, lines or not, or to the end of a name. Some room is left below 256. */
const LONG_WORD = /<<[-~]?(?:(["'`])(?:(?!\1)[^]){200}|[\p{L}\p{N}\p{M}_]{200})/gu;
