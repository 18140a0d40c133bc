/** Ways to ask, in English, for what went wrong: `which error did the build give`, `why didn't it start`. */
const FAILURE = [
  'errors?|exceptions?|fail(?:s|ed|ing|ures?)?|crash(?:es|ed|ing)?|bugs?|broke|broken|breaks?|breaking|breakage',
  'problems?|trouble|wrong|stuck|refus(?:es|ed|ing)|reject(?:s|ed|ing)|complain(?:s|ed|ing)?|block(?:s|ed|ing)|denied',
  'blew\\s+up|chok(?:es|ed|ing)|stumbl(?:es|ed|ing)|hung|hangs?|tim(?:es|ed)\\s+out|trip(?:s|ped)\\s+(?:\\w+\\s+)?up',
  'unable|warnings?|mistakes?|stop(?:s|ped)',
  "(?:did|does|was|were|would|could|can)(?:\\s+(?:\\w+\\s+){0,2}not|n[’']t)|cannot",
].join('|');
const ASKS = new RegExp(`\\b(?:${FAILURE})\\b`, 'i');

/** Whether a question asks for something that failed. */
export function asksForFailure(query: string): boolean {
  return ASKS.test(query);
}
