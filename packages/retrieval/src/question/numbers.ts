/** From two on: `one` is seldom a number. */
const WORDS =
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty';
const PAIRS = WORDS.split(' ').map((word, at) => [word, `${at + 2}`] as const);
const OTHERS = new Map(
  PAIRS.flatMap(([word, digits]) => [
    [word, digits],
    [digits, word],
  ]),
);

/** The other way to write a number: who asks for the `two failing tests` finds `2 failing tests`. */
export function otherNumber(word: string): string | undefined {
  return OTHERS.get(word);
}
