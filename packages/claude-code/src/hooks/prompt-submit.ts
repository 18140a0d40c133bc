import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { search, type Hit, type SearchResult } from '@causantic/retrieval';
import type { Store } from '@causantic/storage';
import { oneLine } from '../briefing/shorten.js';
import { readJsonFile, updateJsonFile } from '../locked-json-file.js';
import { withMemory } from './memory-store.js';
import { projectOfFolder } from './project-of-folder.js';
import type { HookContext, HookOutcome } from './run-hook.js';
import { additionalContext } from './session-start.js';

/**
 * What it takes to add something unasked, where a search only has to return its best: the passage carries this share
 * of the prompt's information, and the prompt has so many terms that few chunks hold. "Go on" and "commit this" have
 * none. Evidence: docs/decisions/0081-prompt-floor.md.
 */
const MIN_COVERAGE = 0.6;
const MIN_RARE_TERMS = 3;
const RARE_SHARE = 0.005;
const RARE_CHUNKS = 3;
const MAX_PASSAGES = 3;
/** Prompts longer than this bring their own context. */
const MAX_PROMPT_CHARS = 1_500;
/** Addresses name the same host and repository over and over. */
const ADDRESS = /https?:\/\/\S+/g;
const SEARCH_LIMIT_MS = 150;
/** Passages shown are remembered for as long as a session may last. */
const REMEMBERED_MS = 7 * 86_400_000;

/** Adds what memory knows about the prompt, where it clearly is about the same; nothing otherwise. */
export async function promptSubmit(context: HookContext): Promise<HookOutcome> {
  const { input, home } = context;
  const prompt = (input.prompt ?? '').replace(ADDRESS, ' ').trim();
  if (prompt === '' || prompt.startsWith('/') || prompt.length > MAX_PROMPT_CHARS) {
    return { message: 'nothing to look up' };
  }
  const outcome = await withMemory(home, (store) => lookUp(store, prompt, context));
  return outcome ?? { message: 'nothing in memory yet' };
}

async function lookUp(store: Store, prompt: string, context: HookContext): Promise<HookOutcome> {
  const { input, config, home } = context;
  const project = await projectOfFolder(store, input.cwd);
  if (!project) return { message: 'nothing in memory of this project' };
  const startMs = performance.now();
  const found = await search(
    { store, now: () => performance.now() },
    { query: prompt, scope: { projectId: project.id }, budgetTokens: config.hooks.promptTokens * 4 },
  );
  if (performance.now() - startMs > SEARCH_LIMIT_MS) return { message: 'the search took too long' };
  if (rareTerms(store, found) < MIN_RARE_TERMS) return { message: 'the prompt says too little' };
  const shown = new Shown(home, input.sessionId);
  const hits = clearHits(found.hits, input.sessionId, shown.ids()).slice(0, MAX_PASSAGES);
  const passages = withinBudget(hits, config.hooks.promptTokens);
  if (passages.length === 0) return { message: 'nothing clearly relevant' };
  shown.add(passages.map(({ chunk }) => chunk.id));
  const text = [
    "From Causantic's memory of earlier sessions, as it may concern this prompt:",
    ...passages.map(passage),
  ];
  return {
    output: additionalContext('UserPromptSubmit', text.join('\n\n')),
    message: `${passages.length} passages added`,
  };
}

/** How many of the prompt's terms are known, and telling. */
function rareTerms(store: Store, { diagnostics }: SearchResult): number {
  const limit = Math.max(RARE_CHUNKS, store.keywords.size() * RARE_SHARE);
  return diagnostics.terms.filter(({ chunks }) => chunks > 0 && chunks <= limit).length;
}

/** A hit's relevance is the mean of its coverage and of its score's share of the best. */
function clearHits(hits: readonly Hit[], session: string | undefined, shown: ReadonlySet<number>): Hit[] {
  const best = hits[0]?.score ?? 1;
  return hits.filter(({ chunk, relevance, score }) => {
    const coverage = 2 * relevance - score / best;
    return coverage >= MIN_COVERAGE && chunk.sessionUuid !== session && !shown.has(chunk.id);
  });
}

/** A header of a passage takes at most so many. */
const HEADER_TOKENS = 40;

function withinBudget(hits: readonly Hit[], budgetTokens: number): Hit[] {
  let left = budgetTokens;
  return hits.filter(({ chunk }) => {
    const cost = chunk.tokens + HEADER_TOKENS;
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}

function passage({ chunk }: Hit): string {
  const day = chunk.startTimeMs === null ? 'undated' : new Date(chunk.startTimeMs).toISOString().slice(0, 10);
  return `[${oneLine(chunk.projectSlug, 40)}, ${day}, session ${chunk.sessionUuid.slice(0, 8)}]\n${chunk.text}`;
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

  add(ids: readonly number[]): void {
    updateJsonFile(this.file, () => ({ ids: [...this.ids(), ...ids] }));
    this.dropOld();
  }

  private dropOld(): void {
    for (const name of readdirSync(this.folder)) {
      const file = join(this.folder, name);
      const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > REMEMBERED_MS) rmSync(file, { force: true });
    }
  }
}
