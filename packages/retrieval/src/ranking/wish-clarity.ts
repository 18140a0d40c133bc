/** Said for good. */
const FOR_GOOD =
  /\b(?:never|always|from now on|in (?:the )?future|(?:every|each) time|whenever|at all times|as a rule|remember (?:to|that)|keep in mind)\b/i;
/** An order or a correction; "the colors do not match" is neither. */
const NOT_SO =
  /(?:^|[,;:.(]\s*|\b(?:and|but|so|please|just|then|again|I|we)\s+)(?:do not|don['’]?t)\b(?! (?:see|know|understand|get|have)\b)|\b(?:stop|avoid|skip|no need|(?:should|must)(?:n['’]t| not)|rather than|instead of|why (?:are|did|do|would) you|I (?:said|told you))\b|^no\b|, (?:not|no)\b/i;
const WISH =
  /\b(?:I (?:want|prefer|like|need|favou?r|expect)|I['’]d (?:like|prefer|rather)|prefer|should|must|make sure|ensure|instead|only|let['’]s)\b/i;
const BETWEEN_SENTENCES = /(?<=[.!?])\s+|[;•]/;
/** A question, with or without its mark. */
const ASKING = /\?\s*$|^\W*(?:(?:does|did|is|are|was|were)(?:n['’]t)?|how)\b/i;
/** What a question suggests may be wanted. */
const QUESTION = 0.3;
/** A sentence of at most so many characters is one wish. */
const SHORT_SENTENCE = 120;
/** What is said in passing in a long task is a part of that task. */
const SHORT_REQUEST = 300;

/** How clearly a request says what is wanted for good, 0 if not at all. */
export function wishClarity(request: string, { against }: { against: boolean }): number {
  const clarities = request.split(BETWEEN_SENTENCES).map((sentence) => {
    const isNotSo = NOT_SO.test(sentence);
    if (against && !isNotSo && !/\bnever\b/i.test(sentence)) return 0;
    const clarity = 3 * Number(FOR_GOOD.test(sentence)) + 2 * Number(isNotSo) + Number(WISH.test(sentence));
    const share = ASKING.test(sentence) ? QUESTION : 1;
    return (share * clarity) / Math.max(1, sentence.length / SHORT_SENTENCE);
  });
  return Math.max(...clarities) / Math.max(1, request.length / SHORT_REQUEST);
}

/** Less says hardly what is wanted. */
export const MIN_CLARITY = 0.8;
