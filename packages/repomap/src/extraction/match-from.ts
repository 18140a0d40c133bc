/** The match of a pattern with flag `y` at this place, or of one with flag `g` from there on. */
export function matchFrom(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Whether a pattern with flag `y` matches at this place. */
export function isAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at;
  return sticky.test(text);
}
