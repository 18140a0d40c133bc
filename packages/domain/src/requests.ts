/** Whether what was asked can be told in words: a screenshot alone cannot. */
export function isInWords(request: string): boolean {
  return !/^(?:\[image\]\s*)*$/i.test(request);
}
