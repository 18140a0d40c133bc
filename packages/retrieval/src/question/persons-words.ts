export const PERSON = `(?:I|(?:the\\s+)?user)`;
/** Not the `user object`, nor `user names` and `user reports`. */
export const SAID = [
  'says?|said|tells?|told|asks?|asked|wants?|wanted|decides?|decided|prefers?|preferred|requests?|requested|complains?',
  'complained|mentions?|mentioned|suggests?|suggested|proposes?|proposed|reported|chooses?|chose|picks?|picked',
  'gives?|gave|describes?|described|insists?|insisted|objected|rejects?|rejected|notices?|noticed|likes?|liked',
  'dislikes?|disliked|agrees?|agreed|means?|meant|named|raises?|raised',
].join('|');
export const WORDS = [
  'preferences?|requests?|decisions?|instructions?|wish(?:es)?|feedback|ideas?|words|complaints?|opinions?|rules?',
  'requirements?|suggestions?|concerns?|choices?|reasons?',
].join('|');
/**
 * Ways to ask, in English, for what the person said: `did I`, `the user wanted`, `my preferences`. Whoever asks like that,
 * a person or an agent on their behalf, looks for a prompt.
 */
const ASKS = new RegExp(
  [
    `\\b(?:did|have|has|had|was|were)\\s+${PERSON}\\b`,
    `\\b${PERSON}\\s+(?:(?:have|has|had|first|originally|explicitly)\\s+)*(?:${SAID})\\b`,
    `\\b(?:my|user(?:['’]s)?)\\s+(?:${WORDS})\\b`,
  ].join('|'),
  'i',
);

/** Whether a question asks for something that the person said, wanted or decided. */
export function asksForPersonsWords(query: string): boolean {
  return ASKS.test(query);
}
