import { APPROVED_PLAN } from '@causantic/domain';
import type { KeywordScope, RequestRecord, Store } from '@causantic/storage';
import type { Circumstances } from './question/circumstances.js';
import { languageOf } from './question/language.js';
import { projectsNamed } from './question/project-names.js';
import { type Hit, hitsInOrder } from './presentation.js';

/** What a person wants of the agent whatever they work on: "what did I tell you not to do", "user preferences". */
export interface AskedWishes extends Pick<Circumstances, 'times' | 'projectIds'> {
  /** What is not to be done is asked for. */
  against: boolean;
}

/** Users are those of the program that is worked on. */
const PERSON = /\b(?:I|my|user)\b/i;
const KINDS = [
  // Misspelt, too.
  'prefe?r[a-z]*',
  'instructions?|rules?|wish(?:es)?|feedback|corrections?|complaints?|conventions?|guidelines?|requirements?',
  'standards?|expectations?|habits?|likes|dislikes?|hates?|insists?|insisted|complains?|complained|objected',
  'always|never|usually|generally',
].join('|');
const AGAINST =
  "not|don['’]?t|never|avoid|stop|dislikes?|hates?|corrections?|complaints?|complain(?:s|ed)?|objected";
const ASKS_AGAINST = new RegExp(`\\b(?:${AGAINST})\\b`, 'i');
const ASKS = new RegExp(
  [
    `\\b(?:${KINDS})\\b`,
    // "What did I not finish?" is about work.
    `\\b(?:tell|told|say|said|ask|asked)\\b.*\\b(?:${AGAINST})\\b`,
    `\\b(?:keep|kept) (?:telling|saying|asking)\\b|\\b(?:told|said|asked)\\b.*\\bagain\\b`,
    `\\bwant(?:ed)?\\b.*\\b(?:${AGAINST})\\b|\\b(?:${AGAINST})\\b.*\\bwant(?:ed)?\\b`,
    // "Something like this" is wanted by nobody.
    '\\b(?:I|user)(?: really| do)?(?: not| never)? like\\b',
  ].join('|'),
  'is',
);
/** "What should you never do?" */
const ASKS_DUTIES = new RegExp(
  `\\b(?:what|things?|anything)\\b.* (?:(?:I|you) (?:should|must)|(?:should|must) (?:I|you)) (?:always|${AGAINST})\\b`,
  'is',
);
/** Beside stop words, these name no subject. */
const SAY_NOTHING = new RegExp(
  [
    `^(?:${KINDS}|${AGAINST}|user|tell|told|telling|say|said|saying|ask|asked|asking|give|gave|given|want|wants|wanted|like`,
    'mention|mentioned|stated|keep|kept|often|frequently|most|again|repeat|mistakes?|must|follow|far|u',
    'set|have|had|general|generally|overall|personal|standing|important|project|coding|code|style|workflow|development',
    'work|working|things?|stuff|anything|something|everything|way|ways|do|doing|done|use|using|remember|recall|list|show|all',
    'about|regarding|agent|claude|codex|t)$',
  ].join('|'),
);
/** Longer questions have a subject. */
const MOST_CHARACTERS = 120;

/** Whether a question asks for the person's wishes, but not about what. In English. Evidence: docs/decisions/0130-wishes.md. */
export function asksForWishes(
  store: Store,
  query: string,
  { times, branches, sessionIds, projectIds: named, rest }: Circumstances,
): AskedWishes | undefined {
  if (query.length > MOST_CHARACTERS) return undefined;
  if (!(PERSON.test(rest) && ASKS.test(rest)) && !ASKS_DUTIES.test(rest)) return undefined;
  // What was said there is the subject.
  if (branches.length + sessionIds.length > 0) return undefined;
  const { isStopWord } = languageOf(rest.normalize('NFC'));
  const saysNothing = (word: string): boolean => SAY_NOTHING.test(word) || isStopWord(word);
  const { projectIds, others } = projectsNamed(store, rest.toLowerCase(), (slug) => !saysNothing(slug));
  const words = others.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (!words.every(saysNothing)) return undefined;
  return { times, projectIds: [...new Set([...named, ...projectIds])], against: ASKS_AGAINST.test(others) };
}

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
function clarityOf(request: string, isAgainst: boolean): number {
  const clarities = request.split(BETWEEN_SENTENCES).map((sentence) => {
    const isNotSo = NOT_SO.test(sentence);
    if (isAgainst && !isNotSo && !/\bnever\b/i.test(sentence)) return 0;
    const clarity = 3 * Number(FOR_GOOD.test(sentence)) + 2 * Number(isNotSo) + Number(WISH.test(sentence));
    const share = ASKING.test(sentence) ? QUESTION : 1;
    return (share * clarity) / Math.max(1, sentence.length / SHORT_SENTENCE);
  });
  return Math.max(...clarities) / Math.max(1, request.length / SHORT_REQUEST);
}

/** More would keep other answers waiting. */
const MOST_REQUESTS = 2_000;
const MOST_WISHES = 16;
const ANY_TIME = { fromMs: 0, beforeMs: Number.MAX_SAFE_INTEGER };
const MIN_CLARITY = 0.8;
/** What was wanted elsewhere may be wanted here. */
const ELSEWHERE = 0.6;

/** The requests that say most clearly what the person wants, the clearest first, of equally clear ones the latest. */
export function hitsOfWishes(
  { sessions, chunks }: Store,
  { projectId, agentIds }: KeywordScope,
  { times, projectIds, against, ownProjectId }: AskedWishes & { ownProjectId: number | undefined },
): Hit[] {
  // No agent but the main one is told a person's wishes.
  if (agentIds) return [];
  const asked = projectId === undefined ? projectIds : [projectId];
  const places = asked.length > 0 ? asked.map((id) => ({ projectId: id })) : [{}];
  const spans = times.length > 0 ? times.flat() : [ANY_TIME];
  const limit = Math.ceil(MOST_REQUESTS / places.length);
  const requests = places.flatMap((place) => {
    const found: RequestRecord[] = [];
    for (const span of spans)
      found.push(...sessions.requests({ ...place, ...span, latestFirst: true, limit: limit - found.length }));
    return found;
  });
  const told = new Set<string>();
  const isNew = ({ request }: RequestRecord): boolean => !told.has(request) && told.add(request).size > 0;
  const clearest = requests
    .filter((each) => !each.byProgram && !each.request.startsWith(APPROVED_PLAN) && isNew(each))
    .map(({ turnId, startTimeMs, request, projectId: at }) => {
      const isElsewhere = asked.length === 0 && ownProjectId !== undefined && at !== ownProjectId;
      return { turnId, startTimeMs, clarity: (isElsewhere ? ELSEWHERE : 1) * clarityOf(request, against) };
    })
    .filter(({ clarity }) => clarity >= MIN_CLARITY)
    .sort((a, b) => b.clarity - a.clarity || b.startTimeMs - a.startTimeMs)
    .slice(0, MOST_WISHES);
  return [...hitsInOrder(clearest.flatMap(({ turnId }) => chunks.find(chunks.firstOf(turnId) ?? 0) ?? []))];
}
