import type { Store } from '@causantic/storage';
import type { Circumstances } from './circumstances.js';
import { languageOf, wordsOf } from './language.js';
import { projectsNamed } from './project-names.js';

/** What a person wants of the agent whatever they work on: "what did I tell you not to do", "user preferences". */
export interface AskedWishes extends Pick<Circumstances, 'times' | 'projectIds'> {
  /** What is not to be done is asked for. */
  against: boolean;
}

/** Users are those of the program that is worked on. */
const PERSON = /\b(?:I|my|user)\b/i;
const NOUNS = [
  // Misspelt, too.
  'prefe?r[a-z]*',
  'instructions?|rules?|wish(?:es)?|feedback|corrections?|complaints?|conventions?|guidelines?|requirements?',
  'standards?|expectations?|habits?',
].join('|');
const KINDS = `${NOUNS}|likes|dislikes?|hates?|insists?|insisted|complains?|complained|objected|always|never|usually|generally`;
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
/** Longer questions have a subject, and still longer ones are tasks. */
const MOST_CHARACTERS = { withoutSubject: 120, about: 300 };

/** Whether a question asks for the person's wishes, but not about what. In English. Evidence: docs/decisions/0130-wishes.md. */
export function asksForWishes(
  store: Store,
  query: string,
  { times, branches, sessionIds, projectIds: named, rest }: Circumstances,
): AskedWishes | undefined {
  if (query.length > MOST_CHARACTERS.withoutSubject) return undefined;
  if (!(PERSON.test(rest) && ASKS.test(rest)) && !ASKS_DUTIES.test(rest)) return undefined;
  // What was said there is the subject.
  if (branches.length + sessionIds.length > 0) return undefined;
  const { isStopWord } = languageOf(rest);
  const saysNothing = (word: string): boolean => SAY_NOTHING.test(word) || isStopWord(word);
  const { projectIds, others } = projectsNamed(store, rest.toLowerCase(), (slug) => !saysNothing(slug));
  if (!wordsOf(others).every(saysNothing)) return undefined;
  return { times, projectIds: [...new Set([...named, ...projectIds])], against: ASKS_AGAINST.test(others) };
}

/** The same with a subject: "my rules for commits", "does the user like long names". Not "a user likes a post". */
const ASKS_ABOUT = new RegExp(
  [
    // Not "my requirements.txt".
    `\\b(?:my|user(?:['’]s)?) (?:[a-z]+ )?(?:${NOUNS})\\b(?!\\.\\w)`,
    '\\b(?:do|does|did|would) (?:I|(?:the )?user)(?: [a-z]+)? (?:want|like|prefer|expect|dislike|hate|insist|object|complain)\\b',
    '\\b(?:I|user)(?: [a-z]+)? (?:prefers?|preferred|dislikes?|hates?|insists?|insisted)\\b',
    `\\b(?:I|user) (?:tell|told|say|said|ask|asked)\\b.* (?:${AGAINST}|always)\\b`,
    `\\b(?:${NOUNS})\\b.* (?:have|has|did) (?:I|(?:the |this )?(?:user|person)) (?:set|gave|given?|stated?|mention(?:ed)?)\\b`,
    `\\b(?:${NOUNS})\\b.* (?:I|(?:the|this) (?:user|person)) (?:wants?|ha(?:s|ve) (?:given|set|stated|mentioned))\\b`,
  ].join('|'),
  'is',
);

/** Whether a question asks for the person's wishes, be it about something. In English. */
export function asksForWishesAbout(query: string): Pick<AskedWishes, 'against'> | undefined {
  if (query.length > MOST_CHARACTERS.about) return undefined;
  return ASKS_ABOUT.test(query) || ASKS_DUTIES.test(query)
    ? { against: ASKS_AGAINST.test(query) }
    : undefined;
}
