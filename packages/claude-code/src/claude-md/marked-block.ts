/** What stands between these lines is ours; everything else in the file is not. */
const BEGIN = '<!-- causantic:begin';
const END = '<!-- causantic:end -->';
// A beginning whose end somebody has deleted is none: what stands up to the next one's end is not ours.
const BLOCK = new RegExp(`${BEGIN}(?:(?!${BEGIN})[^\\n])*\\n(?:(?!${BEGIN})[^])*?${END}`);

const BEGIN_LINE = `${BEGIN} (maintained by causantic; changes inside are lost) -->`;

/** The text with the block in it: in the place of an earlier one, else at the end. Line breaks are those of the text. */
export function withBlock(text: string, content: string): string {
  // A \r\n before a \n is the text's own \r, behind which the block was put.
  const newline = /\r\n(?!\n)/.test(text) ? '\r\n' : '\n';
  const block = [BEGIN_LINE, ...content.trim().split('\n'), END].join(newline);
  if (BLOCK.test(text)) return text.replace(BLOCK, () => block);
  if (text === '') return `${block}${newline}`;
  // The text's own end shows where the block was put, so that it can be taken out without a trace.
  return /\n$/.test(text) ? `${text}${newline}${block}${newline}` : `${text}${newline}${newline}${block}`;
}

/** The text as it was before the block was put in; the same text where there is none. */
export function withoutBlock(text: string): string {
  const found = BLOCK.exec(text);
  if (!found) return text;
  const before = text.slice(0, found.index);
  const after = text.slice(found.index + found[0].length);
  if (before === '') return after.replace(/^\r?\n/, '');
  return after === ''
    ? before.replace(/\r?\n\r\n$|\n\n$/, '')
    : // Where the user took out the empty line above, the last break still ends a line.
      before.replace(/(\n)\r?\n$/, '$1') + after.replace(/^\r?\n/, '');
}
