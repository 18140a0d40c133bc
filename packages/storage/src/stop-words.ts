const STOP_WORDS = new Set(
  `a about an and any are as at be because been being but by can could did do does doing for from had has have having
  he her here him his how i if in into is it its itself just me my no nor not of on or our out over she should so some
  such than that the their them then there these they this those through to too us very was we were what when where
  which while who whom why will with would you your s t d ll m re ve don doesn didn isn wasn weren hasn haven won
  tell please show find give let get got us`.split(/\s+/),
);

/** Whether a word, in lower case, is one that sentences are made of and that says nothing about their subject. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
