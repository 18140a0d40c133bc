import { basename, join } from 'node:path';
import { counted, errorMessage, oneLine, removeAbandonedFiles } from '@causantic/domain';
import {
  formatDate,
  type KeywordMatches,
  passageText,
  passageTokens,
  searchKeywords,
  ToldTexts,
} from '@causantic/retrieval';
import type { Store, StoredChunk } from '@causantic/storage';
import { readJsonFile, updateJsonFile } from '../locked-json-file.js';
import { withMemory } from './memory-store.js';
import { projectOfFolder } from './project-of-folder.js';
import { additionalContext, type HookContext, type HookOutcome } from './hook.js';

/**
 * Adding something unasked takes more than being the best result of a search: the passage must have this share of the
 * prompt's information, and the prompt must have this many rare terms. "Go on" and "commit this" have none. Evidence:
 * docs/decisions/0081-prompt-floor.md.
 */
const MIN_COVERAGE = 0.6;
const MIN_RARE_TERMS = 3;
const RARE_SHARE = 0.005;
const RARE_CHUNKS = 3;
const MAX_PASSAGES = 3;
/** Some of the best were shown before, or do not fit. */
const LOOKED_AT = 40;
/** Prompts longer than this bring their own context. */
const MAX_PROMPT_CHARS = 1_500;
/** `/srv/shop/till.ts` is none. */
const COMMAND = /^\/[\w:.-]+(?:\s|$)/;
/** Starting takes about as long, and a person waits for both. */
const SEARCH_LIMIT_MS = 200;
/** Passages shown are remembered for as long as a session may last. */
const REMEMBERED_MS = 7 * 86_400_000;

/** Adds what memory knows about the prompt, if it is clearly relevant; otherwise nothing. */
export async function promptSubmit(context: HookContext): Promise<HookOutcome> {
  const { input, home } = context;
  const prompt = (input.prompt ?? '').trim();
  if (prompt === '' || COMMAND.test(prompt) || prompt.length > MAX_PROMPT_CHARS) {
    return { message: 'nothing to look up' };
  }
  const outcome = await withMemory(home, (store) => lookUp(store, prompt, context));
  return outcome ?? { message: 'nothing in memory yet' };
}

function lookUp(store: Store, prompt: string, context: HookContext): HookOutcome {
  const { input, config, home } = context;
  const project = projectOfFolder(store, input.cwd);
  if (!project) return { message: 'nothing in memory for this project' };
  const untilMs = performance.now() + SEARCH_LIMIT_MS;
  // The ranking of a search looks at all there is: words alone are looked up in the same time however much that is.
  const isSpecific = (terms: Terms): boolean => rareTerms(store, terms) >= MIN_RARE_TERMS;
  const isInTime = (): boolean => performance.now() < untilMs;
  const limits = { isWorthwhile: isSpecific, isInTime };
  const matches = searchKeywords(store, prompt, { projectId: project.id }, limits);
  if (matches.problem !== undefined) return { message: matches.problem };
  if (!isSpecific(matches.terms)) return { message: 'the prompt is not specific enough' };
  const shown = new Shown(home, input.sessionId);
  const shownBefore = shown.ids();
  const isNew = ({ id, sessionUuid }: StoredChunk): boolean =>
    sessionUuid !== input.sessionId && !shownBefore.has(id);
  const found = clearMatches(store, matches).filter(isNew);
  const newOutcomeOf = (chunk: StoredChunk): StoredChunk[] => outcomeOf(store, chunk).filter(isNew);
  const passages = withinBudget(found, newOutcomeOf, config.hooks.promptTokens);
  if (passages.length === 0) return { message: 'nothing clearly relevant' };
  const problem = shown.add(passages.flat().map(({ id }) => id));
  const text = [
    "From Causantic's memory of earlier sessions; it may be relevant to this prompt:",
    ...passages.map(passage),
  ];
  return {
    output: additionalContext('UserPromptSubmit', text.join('\n\n')),
    message: `${counted(passages.length, 'passage')} added${problem}`,
  };
}

type Terms = Readonly<KeywordMatches['terms']>;

/** How many of the prompt's terms are known, and telling. */
function rareTerms(store: Store, terms: Terms): number {
  const limit = Math.max(RARE_CHUNKS, store.keywords.size() * RARE_SHARE);
  return terms.filter(({ documentFrequency: chunks }) => chunks > 0 && chunks <= limit).length;
}

/** The chunks that carry enough of the prompt, the best first. */
function clearMatches(store: Store, { found }: KeywordMatches): StoredChunk[] {
  const clear = found.ids.filter((_, position) => found.coverage[position]! >= MIN_COVERAGE);
  const best = clear.sort((a, b) => found.scoreOf(b) - found.scoreOf(a));
  return store.chunks.get(best.slice(0, LOOKED_AT));
}

/** A header of a passage takes at most so many. */
const HEADER_TOKENS = 40;

/** The passages that fit, a request with what came of it where there is room: alone, it says what the prompt says. */
function withinBudget(
  chunks: readonly StoredChunk[],
  outcomeOf: (chunk: StoredChunk) => StoredChunk[],
  budgetTokens: number,
): StoredChunk[][] {
  // The line above the passages is one more header.
  let left = budgetTokens - HEADER_TOKENS;
  const shown = new Set<number>();
  // A plan is proposed and then written, and a script asks the same in many sessions.
  const told = new ToldTexts({ acrossSessions: true });
  const passages: StoredChunk[][] = [];
  for (const chunk of chunks) {
    if (passages.length === MAX_PASSAGES) break;
    if (shown.has(chunk.id) || told.tell(chunk)) continue;
    const outcome = outcomeOf(chunk).filter(({ id }) => !shown.has(id));
    const fitting = [[chunk, ...outcome], [chunk]].find((passage) => costOf(passage) <= left);
    if (!fitting) continue;
    left -= costOf(fitting);
    passages.push(fitting);
    told.add(chunk);
    for (const { id } of fitting) shown.add(id);
  }
  return passages;
}

function costOf(passage: readonly StoredChunk[]): number {
  return passageTokens(passage) + HEADER_TOKENS;
}

/** What came of a request: what the agent said last in its turn. Of work in the midst of a turn, that may be unrelated. */
function outcomeOf({ chunks }: Store, { turnId, seq, spans }: StoredChunk): StoredChunk[] {
  const last = spans[0]?.speaker === 'user' ? chunks.lastSaidOf(turnId) : undefined;
  return chunks.get(last === undefined ? [] : [last]).filter((chunk) => chunk.seq > seq);
}

function passage(chunks: readonly StoredChunk[]): string {
  const { projectSlug, startTimeMs, sessionShortId } = chunks[0]!;
  const header = `[${oneLine(projectSlug, 40)}, ${formatDate(startTimeMs)}, session ${sessionShortId}]`;
  return `${header}\n${passageText(chunks)}`;
}

/** Which passages a session was shown: ids only, one small file a session. */
class Shown {
  private readonly folder: string;
  private readonly file: string;

  constructor(home: string, session: string | undefined) {
    this.folder = join(home, 'shown');
    this.file = join(this.folder, `${basename(session ?? 'unknown').replace(/[^\w-]/g, '_')}.json`);
  }

  ids(): Set<number> {
    const { ids } = readJsonFile(this.file);
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : []);
  }

  /** Where nothing can be written, a session may be shown something twice, which is better than nothing. */
  add(ids: readonly number[]): string {
    try {
      updateJsonFile(this.file, () => ({ ids: [...this.ids(), ...ids] }), { synced: false });
      removeAbandonedFiles(this.folder, /\.json/, REMEMBERED_MS);
      return '';
    } catch (error) {
      return `; may be added again, since that cannot be noted: ${errorMessage(error)}`;
    }
  }
}
