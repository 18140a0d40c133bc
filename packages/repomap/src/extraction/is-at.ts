/** Whether a pattern with flag `y` matches at this place. */
export function isAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at;
  return sticky.test(text);
}
