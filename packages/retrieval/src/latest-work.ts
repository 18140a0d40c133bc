import type { KeywordScope, Store } from '@causantic/storage';
import { textLanguage } from '@causantic/storage';
import type { Hit } from './presentation.js';

/** The work that a question without a subject asks for. */
export interface LatestWork {
  /** A project that the question names. */
  projectId?: number;
  /** Milliseconds since the epoch; absent for "until now". */
  beforeMs?: number;
}

/** One of them makes a question one about time, in English. */
const WHEN = words(`yesterday today tonight last latest lately recent recently newest previous previously earlier
  next left continue continuing resume remains remaining unfinished`);
/** Beside stop words and numbers, these name no subject. */
const ANY_WORK = words(`session sessions conversation conversations chat chats discussion discussions talk talked
  talking discuss discussed work works worked working job stuff thing things task tasks step steps item items change
  changes changed progress activity activities happen happens happened happening history summary summaries summarize
  summarise summarized summarised recap overview status update updates updated list pick picked start started stop
  stopped finish finished end ended leave time times week weeks weekend month months day days hour hours morning
  afternoon evening night ago past before after project projects repo repository make made pending open going current
  currently now new far one two three four five six seven few couple remember recall remind tell okay ok hi hello hey
  again back later done off up here`);

/**
 * What a question asks for that says when, but not about what: "what did we do yesterday", "recent work on my-app". All
 * chunks are equally about that, and those with its words ("session", "work") less than others.
 */
export function asksForLatestWork(store: Store, query: string, nowMs = Date.now()): LatestWork | undefined {
  const text = query.normalize('NFC').toLowerCase();
  if (text.length > MOST_CHARACTERS || !wordsOf(text).some((word) => WHEN.has(word))) return undefined;
  const slug = store.projects.slugsInUse().find((name) => nameIn(name).test(text));
  const rest = wordsOf(slug === undefined ? text : text.replace(nameIn(slug), ' '));
  const { isStopWord } = textLanguage(rest);
  const saysNothing = (word: string): boolean =>
    WHEN.has(word) || ANY_WORK.has(word) || isStopWord(word) || /^\d{1,2}$/.test(word);
  if (!rest.some((word) => WHEN.has(word)) || !rest.every(saysNothing)) return undefined;
  const project = slug === undefined ? undefined : store.projects.findBySlug(slug);
  return {
    ...(project && { projectId: project.id }),
    ...(rest.includes('yesterday') && { beforeMs: new Date(nowMs).setHours(0, 0, 0, 0) }),
  };
}

/** Longer ones have a subject. */
const MOST_CHARACTERS = 200;

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** As a word of its own: not the `app` in `my-app`. */
function nameIn(slug: string): RegExp {
  const literal = slug.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_/.-])${literal}(?![\\p{L}\\p{N}_/-])`, 'gu');
}

/** So that episodes and histories, which sort by it, begin with the latest. */
const RELEVANCE_OF_NEXT = 0.98;

/** What came of each turn, latest first; of main agents, where no agent is asked for. Read as far as an answer reaches. */
export function* latestHits(store: Store, scope: KeywordScope, beforeMs?: number): Generator<Hit> {
  const told = new Set<number>();
  let relevance = 1;
  const filter = { ...scope, ...(beforeMs !== undefined && { beforeMs }) };
  for (const { turnId, agentId } of store.chunks.walk(filter, 'newest')) {
    if (told.has(turnId) || (agentId !== null && !scope.agentIds)) continue;
    told.add(turnId);
    const { first, lastSaid = first } = store.chunks.endsOf(turnId);
    const chunk = lastSaid === undefined ? undefined : store.chunks.find(lastSaid);
    if (chunk === undefined) continue;
    yield { chunk, score: relevance, relevance, sources: ['keyword'] };
    relevance *= RELEVANCE_OF_NEXT;
  }
}
