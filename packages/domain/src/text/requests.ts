/** How Claude Code asks for a plan that its agent wrote and the person approved. */
export const APPROVED_PLAN = 'Implement the following plan:';

/** Whether a request has any words: a screenshot, the mark of a pasted text, a removed secret or a full stop alone has none. */
export function isInWords(request: string): boolean {
  return !/^(?:\[image(?: #\d+)?\]|\[pasted text #\d+(?: \+\d+ lines)?\]|\[redacted:[\w-]+\]|[\p{P}\s])*$/iu.test(
    request,
  );
}
