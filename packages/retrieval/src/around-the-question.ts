import { textLanguage } from '@causantic/storage';
import { PERSON, SAID } from './persons-words.js';

/**
 * Phrases that people and agents put around a question to a memory, in English: that it was discussed before, or that it
 * should be looked up. In transcripts their words (session, context, details) are no more common than those of the actual
 * question, but they say nothing about it.
 */
const BEFORE = '(?:previous|earlier|past|prior|last|old|older|recent|former)';
const TALK = '(?:conversation|chat|discussion|session|talk)s?';
const WHAT = '(?:context|background|information|info|details?|passages?|memories)';
const OF_TALK = '(?:\\s+(?:about|where|when|in\\s+which)\\s+we\\s+(?:discussed|talked\\s+about))?';

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
  // Did I say about; had the user asked for
  `(?:did|had|have|has)\\s+${PERSON}\\s+(?:${SAID})(?:\\s+(?:you|for|to|about))*`,
];
const AROUND = wholeWords(PHRASES.join('|'));

/** Not within names: the `-` in `our-last-chat`. */
function wholeWords(pattern: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_/.-])(?:${pattern})(?![\\p{L}\\p{M}\\p{N}_/-])`, 'giu');
}

/**
 * The same in other languages, by the words that say something: for remembering, for a conversation and for its being
 * past, which stand side by side, and for having talked. Accents may be left out.
 */
const IN_OTHER_LANGUAGES: readonly MemoryWords[] = [
  {
    // German
    remember: 'erinner(?:st|e|t|n)',
    past: '(?:letzt|vorig|vorherig|früher|vergangen)e[nmrs]?',
    talk: 'sitzung(?:en)?|session|gespräche?[ns]?|unterhaltung(?:en)?|chats?',
    talked: 'besprochen|gesprochen|geredet|diskutiert',
  },
  {
    // French
    remember: 'souviens|souvenez|rappelle[sz]?(?:-moi)?|rappeler',
    past: 'derni(?:er|ère)s?|précédente?s?|passée?s?',
    talk: 'sessions?|conversations?|discussions?|chats?',
    talked: 'parlé|discuté',
  },
  {
    // Spanish
    remember: 'acuerda[ns]?|recuerda[ns]?|recuérdame',
    past: 'últim[ao]s?|anterior(?:es)?|pasad[ao]s?',
    talk: 'sesi(?:ón|ones)|conversaci(?:ón|ones)|charlas?|chats?',
    talked: 'hablamos|hablado|comentamos|discutimos',
  },
  {
    // Portuguese
    remember: 'lembra[mrs]?|lembre|recorda[mrs]?',
    past: 'últim[ao]s?|anterior(?:es)?|passad[ao]s?',
    talk: 'sess(?:ão|ões)|conversas?|chats?',
    talked: 'falamos|falado|conversamos|discutimos',
  },
  {
    // Italian
    remember: 'ricord(?:[aio]|ami)',
    past: 'ultim[aeio]|precedent[ei]|scors[aeio]',
    talk: 'session[ei]|conversazion[ei]|discussion[ei]|chat',
    talked: 'parlato|discusso',
  },
  {
    // Polish
    remember: 'pamiętasz|przypomnij',
    past: '(?:ostatni|poprzedni)\\p{L}*',
    talk: '(?:sesj|rozmow)\\p{L}+',
    talked: 'rozmawialiśmy|omawialiśmy|mówiliśmy',
  },
  {
    // Turkish
    remember: 'hat[ıi]rl\\p{L}+',
    past: 'geçen|önceki|son',
    talk: '(?:oturum|konuşma|sohbet)\\p{L}*',
    talked: 'konuştu\\p{L}+',
  },
  {
    // Russian, Ukrainian
    remember: "помнишь|помните|напомни(?:те)?|пам[’ʼ']ятаєш|нагадай",
    past: '(?:прошл|последн|предыдущ|минул|останн|попередн)\\p{L}+',
    talk: '(?:сесси|разговор|бесед|чат|диалог|сесі|розмов|діалог)\\p{L}*',
    talked: 'обсуждали|обсудили|говорили|обговорювали|обговорили',
  },
  {
    // Vietnamese
    remember: 'nhớ|nhắc',
    past: 'trước',
    talk: 'phiên|cuộc\\s+trò\\s+chuyện|đoạn\\s+chat',
    talked: 'trao\\s+đổi|bàn\\s+luận',
  },
];

/** Without spaces there, or with particles at the end. */
const IN_UNSPACED_LANGUAGES: readonly MemoryWords[] = [
  {
    // Chinese
    remember: '你?[还還]?(?:记得|記得)|提醒(?:我|一下)+',
    past: '[上前]一?次的?|(?:之前|以前)的?',
    talk: '会话|會話|对话|對話|聊天|讨论|討論',
    talked: '(?:讨论|討論|聊|谈|談)[过過]',
  },
  {
    // Japanese
    remember: '(?:覚えて|思い出し)\\p{Script=Hiragana}*',
    past: '(?:前回|以前|先日|この前)の?',
    talk: 'セッション|会話|チャット',
    talked: '話し(?:た|て)(?:こと)?',
  },
  {
    // Korean
    remember: '기억\\p{Script=Hangul}*',
    past: '지난번?|이전|저번',
    talk: '(?:세션|대화|채팅)(?:에서)?',
    talked: '(?:이야기|얘기)\\p{Script=Hangul}*',
  },
];

interface MemoryWords {
  remember: string;
  past: string;
  talk: string;
  talked: string;
}

function anyOf(languages: readonly MemoryWords[]): string {
  return languages
    .map(({ remember, past, talk, talked }) =>
      [remember, `(?:${past})\\s*(?:${talk})`, `(?:${talk})\\s*(?:${past})`, talked].join('|'),
    )
    .join('|')
    .replace(/[\u00C0-\u0130\u0132-\u024F]/g, (letter) => `[${letter}${letter.normalize('NFD')[0]!}]`);
}

const AROUND_IN_OTHERS = wholeWords(anyOf(IN_OTHER_LANGUAGES));
const AROUND_UNSPACED = new RegExp(anyOf(IN_UNSPACED_LANGUAGES), 'gu');

/** A question without such phrases; unchanged if nothing meaningful would be left. */
export function questionAlone(text: string): string {
  const alone = [AROUND, AROUND_IN_OTHERS, AROUND_UNSPACED].reduce(
    (rest, around) => rest.replace(around, ' '),
    text,
  );
  return unlessEmpty(alone, text);
}

/** What is left of a text, or all of it where nothing meaningful is. */
export function unlessEmpty(rest: string, text: string): string {
  if (rest === text) return text;
  const { isStopWord } = textLanguage(wordsOf(text));
  return wordsOf(rest).every(isStopWord) ? text : rest;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}
