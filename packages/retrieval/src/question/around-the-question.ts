import { textLanguage } from '@causantic/storage';
import { wordsOf } from './language.js';
import { MEMORY_WORDS, type MemoryWords } from './memory-words.js';
import { accentsLeftOut, wholeWords } from './patterns.js';
import { PERSON, SAID, WORDS } from './persons-words.js';

const BEFORE = '(?:previous|earlier|past|prior|last|old|older|recent|former)';
const TALK = '(?:conversation|chat|discussion|session|talk)s?';
const WHAT = '(?:context|background|information|info|details?|passages?|memories)';
const OF_TALK = '(?:\\s+(?:about|where|when|in\\s+which)\\s+we\\s+(?:discussed|talked\\s+about))?';

/**
 * Phrases that people and agents put around a question to a memory, in English: that it was discussed before, or that it
 * should be looked up. In transcripts their words (session, context, details) are no more common than those of the actual
 * question, but they say nothing about it.
 */
const PHRASES = [
  // (I was going through) our previous conversation about
  `(?:i(?:['’]m|\\s+am|\\s+was)?\\s+(?:going|looking|thinking|checking|following)\\s+(?:(?:back|up|through|over)\\s+)*(?:(?:to|at|on|about|over)\\s+)?)?(?:(?:in|from|during|of)\\s+)?(?:our|my|your)\\s+${BEFORE}\\s+${TALK}${OF_TALK}`,
  `(?:in|from|during)\\s+(?:(?:the|any|all|some|one\\s+of\\s+the)\\s+)?${BEFORE}\\s+${TALK}${OF_TALK}`,
  `the\\s+${BEFORE}\\s+(?:conversation|chat|discussion)s?${OF_TALK}`,
  // I wanted to follow up on; I was wondering if you could
  `i\\s+(?:wanted|want|need|would\\s+like)\\s+to\\s+(?:follow\\s+up\\s+on|confirm|know|ask)`,
  `i(?:['’]m|\\s+am|\\s+was)?\\s+wonder(?:ing|ed)?(?:\\s+(?:if|whether)\\s+you\\s+(?:could|can|remember(?:ed)?))?`,
  // Do you remember; can you remind me of
  `(?:(?:can|could|would|will|do|did)\\s+you\\s+)?(?:please\\s+)?remind\\s+me`,
  `(?:can|could|do|did)\\s+you\\s+(?:still\\s+)?(?:remember|recall)`,
  // Search your memory for; give me all relevant details about; I need context on
  `(?:search|look\\s+(?:through|in|into)|check|query|consult)\\s+(?:your|my|our)\\s+memor(?:y|ies)`,
  `search\\s+(?:the\\s+)?memory(?=\\s+(?:for|about)\\b|\\s*:)`,
  `(?:give|show|tell|find|provide|include|get)\\s+(?:me\\s+)?(?:(?:all|any|some|the|every|more)\\s+)*(?:relevant|available|related|useful)\\s+${WHAT}`,
  `i\\s+(?:need|want)\\s+(?:(?:some|more|the|any|all|relevant)\\s+)*${WHAT}`,
  `the\\s+following(?=\\s*:)`,
  // What do we know about; do you know anything about
  `what\\s+do\\s+(?:i|we|you)\\s+(?:already\\s+)?know(?=\\s+(?:about|of)\\b)`,
  `do\\s+(?:i|we|you)\\s+know\\s+(?:anything|something)(?=\\s+about\\b)`,
  // Did I say about; had the user asked for; does the user think
  `(?:do|does|did|had|have|has|would)\\s+${PERSON}\\s+(?:${SAID}|think)(?:\\s+(?:you|for|to|about))*`,
  // Can you find the session where; which conversation did we, but not which sessions were; I think we had a chat about
  `(?:find|show|open)(?:\\s+me)?\\s+(?:the|a|any|all)\\s+${TALK}(?=\\s+(?:where|when|in\\s+which|about)\\b)`,
  `in\\s+(?:which|what)\\s+${TALK}(?=\\s+(?:did|do|was|were|had|have|has)\\b)`,
  `(?:which|what)\\s+${TALK}(?=\\s+(?:did|had|have)\\s+(?:${PERSON}|we|you)\\b)`,
  `(?:i|we)\\s+(?:once\\s+)?had\\s+an?\\s+${TALK}(?=\\s+about\\b)`,
  // Do you have any notes on; is there anything in memory about; what is known about
  `(?:do|did)\\s+(?:i|we|you)\\s+have\\s+(?:a|any|some|the)\\s+(?:notes?|records?|decisions?|${WHAT})(?=\\s+(?:on|of|about)\\b)`,
  `(?:do|did)\\s+(?:i|we|you)\\s+have\\s+(?:anything|something)(?=\\s+(?:on|about)\\b)`,
  `(?:anything|something)(?:\\s+in\\s+(?:(?:your|my|our|the)\\s+)?(?:memory|history|notes?))?(?=\\s+(?:on|about)\\b)`,
  `what(?:['’]s|\\s+is|\\s+was)\\s+known(?=\\s+(?:about|of)\\b)`,
  // What happened when I asked you to; what went wrong when we tried to; what problems did we have with
  `what\\s+(?:happened|went\\s+wrong)(?=\\s+(?:when|after|with|to)\\b)`,
  `(?:when|after)\\s+${PERSON}\\s+(?:asked|told)(?:\\s+(?:you|for|to|about))*`,
  `(?:when|after|have)\\s+(?:i|we|you)\\s+(?:ever\\s+)?tried\\s+to`,
  `what\\s+(?:problems?|issues?|trouble|difficulties)\\s+did\\s+(?:i|we|you)\\s+(?:have|hit|face|run\\s+into)(?=\\s+(?:with|when|while)\\b)`,
  // What was the outcome of; what's the plan for; where did we leave off with
  `what(?:['’]s|\\s+is|\\s+was)\\s+(?:the|our|your)\\s+(?:current\\s+)?(?:status|outcome|result|plan|approach)(?=\\s+(?:of|for|to|when|after)\\b)`,
  `where\\s+did\\s+(?:i|we|you)\\s+(?:leave\\s+off|stop)(?=\\s+(?:with|on|in)\\b)`,
  `(?:what|which)\\s+files\\s+did\\s+(?:i|we|you)\\s+(?:change|edit|touch|modify)(?=\\s+(?:to|for|when)\\b)`,
  // The last time we; list all the times you; a while ago; give me a summary of
  `(?:the\\s+)?last\\s+time(?=\\s+(?:i|we|you)\\b)`,
  `(?:list|show|find)(?:\\s+me)?\\s+(?:all\\s+)?the\\s+times(?=\\s+(?:i|we|you|when)\\b)`,
  `a\\s+(?:while|long\\s+time)\\s+ago`,
  `(?:give|show|write)\\s+me\\s+(?:a|an|the)\\s+(?:(?:short|brief|quick)\\s+)?(?:summary|overview|recap)(?=\\s+of\\b)`,
  // The user's preferences regarding; my rules for
  `(?:my|(?:the\\s+)?user(?:['’]s)?)\\s+(?:${WORDS})(?=\\s+(?:about|for|regarding|concerning|on|towards?)\\b)`,
];
const AROUND = wholeWords(PHRASES.join('|'));

/** The same in other languages: what they have side by side, and words that are about nothing but having talked. */
function around(languages: readonly MemoryWords[]): string {
  return languages
    .map(({ remember, past, talk, talked }) =>
      [remember, `(?:${past})\\s*(?:${talk})`, `(?:${talk})\\s*(?:${past})`, talked].join('|'),
    )
    .join('|');
}

const AROUND_IN_OTHERS = wholeWords(
  accentsLeftOut(around(MEMORY_WORDS.filter(({ isUnspaced }) => !isUnspaced))),
);
const AROUND_UNSPACED = new RegExp(around(MEMORY_WORDS.filter(({ isUnspaced }) => isUnspaced)), 'gu');

/** A question without such phrases; unchanged if nothing meaningful would be left. */
export function questionAlone(text: string): string {
  return unlessEmpty(withoutAround(text), text);
}

/** What is left of a text, or all of it where nothing meaningful is. */
export function unlessEmpty(rest: string, text: string): string {
  return rest !== text && isEmptied(rest, text) ? text : rest;
}

/** Whether a text is about nothing any more: stop words are left, and such phrases. */
export function isAboutNothing(rest: string, text: string): boolean {
  return isEmptied(withoutAround(rest), text);
}

function withoutAround(text: string): string {
  return [AROUND, AROUND_IN_OTHERS, AROUND_UNSPACED].reduce(
    (rest, around) => rest.replace(around, ' '),
    text,
  );
}

function isEmptied(rest: string, text: string): boolean {
  const { isStopWord } = textLanguage(wordsOf(text));
  return wordsOf(rest).every(isStopWord);
}
