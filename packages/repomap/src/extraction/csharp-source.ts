import { readableExtensions } from './csharp-extensions.js';
import { blanked } from './lines.js';

/** What the grammar can read, of the same length. */
export function readableCSharp(text: string): string {
  const readable = text.replace(QUESTION_MARK, ' ').replace(SLICE_NAME, blanked);
  return readableExtensions(
    RAW_STRING.test(text) ? readable : readable.replace(VERBATIM_STRING, withoutLastQuotes),
  );
}

/** The grammar does not know C# 14's assignment behind a question mark (`order?.Total = 3`), and may lose the method around it. */
const QUESTION_MARK =
  /\?(?=(?:\??\.\w+|\??\[[^\]\n]{1,100}\]){1,20}\s{0,9}(?:[-+*/%&|^]|\?\?|<<|>>>?)?=(?![=>]))/g;

/** Nor the name of what is left of a list (`[var first, .. var rest] => …`): the functions below are lost. */
const SLICE_NAME = /(?<=\.\.[ \t]?)var[ \t]+@?\w+(?=\s*[,\]])/g;

/** It takes the end of `$@"move ""{path}"""` for the beginning of a raw string, and loses the rest of the file. */
function withoutLastQuotes(string: string): string {
  return string.length >= 6 && string.endsWith('"""') ? `${string.slice(0, -3)}''"` : string;
}

const VERBATIM_STRING = /(?<!["\\])(?:\$@|@\$)"(?:[^"]|"")*"/g;
/** The end of one that has lines, in which quotes mean nothing. */
const RAW_STRING = /^[ \t]*"{3}/m;
