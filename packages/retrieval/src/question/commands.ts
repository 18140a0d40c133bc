/**
 * Ways to ask, in English, for a command: `how do I run the tests`, `which script publishes it`. Evidence:
 * docs/decisions/0131-commands-in-questions.md.
 */
const COMMAND = [
  'how\\s+(?:to|(?:do|can|should|could|would)\\s+(?:i|we|you|one|they))',
  '(?:which|what)\\s+(?:commands?|scripts?)|commands?\\s+(?:to|for|that|which)',
].join('|');
const ASKS = new RegExp(`\\b(?:${COMMAND})\\b`, 'i');

/** Whether a question asks how something is done, which may be by a command. */
export function asksForCommand(query: string): boolean {
  return ASKS.test(query);
}
