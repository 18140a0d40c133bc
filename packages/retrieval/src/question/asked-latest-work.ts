import { inLetterPairs, type Store, type TextLanguage } from '@causantic/storage';
import type { Circumstances } from './circumstances.js';
import { languageOf } from './language.js';
import { MEMORY_WORDS } from './memory-words.js';
import { accentsLeftOut, wholeWords } from './patterns.js';
import { isClearlyNamed, projectsNamed } from './project-names.js';
import { NUMBERS } from './times-in-english.js';

/** The work that a question without a subject asks for: of the projects, branches and sessions that it names, then. */
export interface LatestWork extends Pick<Circumstances, 'times' | 'branches' | 'sessionIds' | 'projectIds'> {
  /** The topic branch that the caller works on: what was done on it comes first. */
  ownBranch?: string | undefined;
  /** What was done first is asked for. */
  earliest?: boolean;
  /** Which sessions are asked for, the latest first, as `slice` takes them; all if it is not said how many. */
  latestSessions?: readonly [from: number, before: number];
}

/** In English. One of them, or a time, makes a question one about when. */
const WHEN =
  words(`last latest lately recent recently newest past previous previously prior earlier next left continue continuing resume
  remains remaining unfinished ongoing`);
/** Read as "continue". */
const WHERE_WE_STOPPED = new RegExp(
  `\\b(?:${[
    'where (?:did (?:i|we) (?:leave off|stop)|(?:are|were) we|we (?:are|were)|(?:am|was) i)',
    'what (?:am|are|was|were|have) (?:i|we) (?:been |just |currently )?(?:doing|working on|up to|discussing|talking about)',
    'what did (?:i|we|you) build',
    '^what (?:did (?:i|we|you) (?:do|change)|have (?:i|we|you) (?:done|changed)|(?:has )?(?:happened|changed))(?: so far| before| until now)?(?=\\W*$)',
    '(?:recap|give me an? (?:quick |short |brief )?(?:summary|overview)|what do you (?:remember|recall|know))(?=(?:\\W+please)?\\W*$)',
    'how far (?:did (?:i|we) (?:get|come)|have (?:i|we) (?:got|gotten|come)|along (?:am|are) (?:i|we))',
    "what(?:[’']?s| is| was) new|what else is there to do",
    'catch me up|bring me up to speed|what (?:did i miss|happened while i was away)',
    '(?:project|current) status|project history|(?:status|state) of (?:the|this|our|my) (?:project|repo|work)|(?:in progress|progress so far)(?=\\W*$)',
    '(?:open|pending) (?:tasks|todos|items|questions|points|work)|still (?:open|pending|to do)|what is the current task',
  ].join('|')})\\b`,
);
/** Whom an agent calls so calls themselves "I". Not `the user-service`. */
const THE_PERSON = /\bthe (?:user|person)(?:[’']s)?(?![-_./]?\w)/g;
/** As good as a time; "just do it" names none. */
const JUST = /\b(?:(?:did|have) (?:i|we|you)|was|were|has|been|what) just\b/;
/** Of what has been done; "what should I do first?" and "the first and the last session" ask for something else. */
const EARLIEST =
  /^(?!.*\b(?:last|latest|recent|recently)\b)(?=.*\b(?:did|was|were|had|have|happened|began|started|sessions?|conversations?|chats?)\b).*\b(?:first|earliest|oldest|initially|originally|beginning)\b/s;
const COUNT = String.raw`(\d+|${NUMBERS.join('|')})`;
/** `the last 3 sessions` */
const SESSIONS = new RegExp(
  String.raw`\b(?:${COUNT} )?(?:(?:last|latest|previous|recent|past) )?(?:sessions|conversations|chats|discussions)\b`,
);
const SESSION = '(?:session|conversation|chat|discussion)';
/** `two sessions ago`, `the session before last`. Read as "last". */
const SESSIONS_AGO = new RegExp(
  String.raw`\b(?:${COUNT} ${SESSION}s? (?:ago|back)|${SESSION} before (?:the )?(?:last|previous)(?: (?:one|${SESSION}))?|(?:penultimate|second[ -](?:to[ -])?last) ${SESSION})\b`,
);
const FIRST = words('first earliest oldest initially originally beginning began begin begun very all');
/** Asked of a project that is clearly named, these ask for the work on it; "how does it work" does not. */
const WORK_ON_PROJECT =
  /^(?!.*\b(?:how|why|where|who|when|which|does|can|should|could)\b).*\b(?:(?:did|have|had) (?:i|we)|work(?:ed|ing)?|done|happen(?:ed|ing|s)|chang(?:es?|ed)|summar\w+|recap|overview|accomplished|achieved|shipped|progress)\b/s;
/** Beside stop words and numbers, these name no subject. */
const ANY_WORK =
  words(`session sessions conversation conversations chat chats discussion discussions talk talked talking discuss
  discussed work works worked working job stuff thing things task tasks step steps change changes changed
  progress activity activities happen happens happened happening summary summaries summarize summarise
  summarized summarised recap overview status update updates updated list pick picked start started stop
  stopped finish finished end ended leave time times week weeks weekend month months day days hour hours
  morning afternoon evening night ago before after between project projects repo repository make made open
  going now new far one two three four five six seven few couple remember recall remind tell okay ok hi hello
  hey say said want wanted requested fixes features most all everything context again back later still yet
  already done off up here branch branches accomplish accomplished achieve achieved ship shipped anything else
  ask asked asking commit commits committed standup decide decided decides decision decisions agree agreed
  conclude concluded conclusion conclusions outcome outcomes came`);
/**
 * The same where a time, a branch or a session is named: "what was fixed on hotfix/login?" Above the answer stand the files that
 * were edited then.
 */
const KINDS_OF_WORK =
  words(`fix fixed fixes implement implemented complete completed built add added request result results final file files edit
  edits edited editing modify modified touch touched`);
const THAT_SESSION = new RegExp(
  String.raw`\b(?:last|latest|previous|prior|recent|past) (?:${COUNT} )?${SESSION}s?\b`,
);
/** Longer questions have a subject. */
const MOST_CHARACTERS = 200;

/**
 * What a question asks for that says when, but not about what: "what did we do yesterday", "recent work on my-app". All
 * chunks are equally about that, and those with its words ("session", "work") less than others.
 */
export function asksForLatestWork(
  store: Store,
  query: string,
  { rest, question: _question, ...named }: Circumstances,
): LatestWork | undefined {
  if (query.length > MOST_CHARACTERS) return undefined;
  const language = languageOf(query.normalize('NFC'));
  const whole = inEnglish(rest.toLowerCase(), language).replace(THE_PERSON, 'i');
  const text = whole.replace(SESSIONS_AGO, 'last session').replace(WHERE_WE_STOPPED, 'continue');
  const isEarliest = EARLIEST.test(text);
  const isNamed =
    JUST.test(whole) || [named.times, named.branches, named.sessionIds].some(({ length }) => length > 0);
  const isOfPart = isNamed || THAT_SESSION.test(text);
  const isOfProject = named.projectIds.length > 0 && WORK_ON_PROJECT.test(text);
  const isAboutWhen = (part: string): boolean =>
    isNamed || isOfProject || isEarliest || wordsAndNames(part).some((word) => WHEN.has(word));
  if (!isAboutWhen(text)) return undefined;
  const saysNothing = (word: string): boolean =>
    WHEN.has(word) ||
    ANY_WORK.has(word) ||
    (isEarliest && FIRST.has(word)) ||
    (isOfPart && KINDS_OF_WORK.has(word)) ||
    language.isStopWord(word) ||
    /^\d{0,2}(?:[ap]m)?$/.test(word);
  // "What did we work on yesterday?" is not about the project `work`.
  const { projectIds, others } = projectsNamed(
    store,
    text,
    (slug, where) => !saysNothing(slug.toLowerCase()) || isClearlyNamed(slug, where),
  );
  if (!isAboutWhen(others) || !wordsAndNames(inLetterPairs(others)).every(saysNothing)) return undefined;
  const latestSessions = sessionsAsked(whole);
  return {
    ...named,
    projectIds,
    ...(isEarliest && { earliest: true }),
    ...(latestSessions && { latestSessions }),
  };
}

function sessionsAsked(text: string): LatestWork['latestSessions'] {
  const back = SESSIONS_AGO.exec(text);
  if (back) {
    const sessions = numberOf(back[1] ?? 'two');
    return [sessions - 1, sessions];
  }
  const found = SESSIONS.exec(text);
  return found ? [0, found[1] === undefined ? Infinity : numberOf(found[1])] : undefined;
}

function numberOf(count: string): number {
  const at = NUMBERS.indexOf(count);
  return at === -1 ? Number(count) : at;
}

/** Words of other languages in English, so that the latest work is asked for with the same ones in all of them. */
const ENGLISH = MEMORY_WORDS.map(({ codes, isUnspaced, remember, past, talk, talked, work, goOn }) => ({
  codes,
  words: Object.entries({
    continue: goOn,
    last: past,
    session: talk,
    work: `${remember}|${talked}|${work}`,
  }).map(
    ([english, pattern]) =>
      [
        isUnspaced ? new RegExp(pattern, 'gu') : wholeWords(accentsLeftOut(pattern), 'gu'),
        ` ${english} `,
      ] as const,
  ),
}));

function inEnglish(text: string, { maybe }: TextLanguage): string {
  return ENGLISH.filter(({ codes }) => codes.some((code) => maybe.includes(code)))
    .flatMap((language) => language.words)
    .reduce((rest, [pattern, english]) => rest.replace(pattern, english), text);
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

/** Names such as `last_updated` whole: they are subjects. */
function wordsAndNames(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+(?:[_./][\p{L}\p{N}\p{M}]+)*/gu) ?? [];
}
