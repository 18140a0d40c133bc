/** Whether a request has any words: a screenshot alone has none. */
export function isInWords(request: string): boolean {
  return !/^(?:\[image\]\s*)*$/i.test(request);
}
