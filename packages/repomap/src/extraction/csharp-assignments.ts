/**
 * The grammar does not know C# 14's assignment behind a question mark (`order?.Total = 3`), and may lose the method around it.
 * A space in its place keeps every position.
 */
export function readableAssignments(text: string): string {
  return text.replace(QUESTION_MARK, ' ');
}

const QUESTION_MARK =
  /\?(?=(?:\??\.\w+|\??\[[^\]\n]{1,100}\]){1,20}\s{0,9}(?:[-+*/%&|^]|\?\?|<<|>>>?)?=(?![=>]))/g;
