import { groupBy } from '@causantic/domain';
import type { ChunkFilter, Store, StoredChunk } from '@causantic/storage';
import { type Asked, askedLeftOut, NOTHING_ASKED } from './answer/asked.js';
import type { Assembly } from './answer/assembly.js';
import { isoTime, timeRangeFormat } from './answer/dates.js';
import {
  clientName,
  continuesFrom,
  headerTokens,
  openingBehind,
  openingLine,
  SEPARATOR_TOKENS,
  separatorBetween,
  shownText,
  shownTokens,
  type Hit,
} from './answer/presentation.js';

export interface ReconstructRequest {
  filter: ChunkFilter;
  budgetTokens: number;
  /** Which end to keep when the window holds more than fits. */
  keep: 'newest' | 'oldest';
}

export interface Reconstruction extends Assembly {
  sessions: number;
  /** True when the window held more than the budget. */
  truncated: boolean;
  /**
   * Where to continue: an end (`newest` was kept) or a start for the next call, with a fraction if it is within a moment.
   * Absent if everything was shown, or if the rest has no time.
   */
  goesOnAtMs?: number;
}

/**
 * What happened in a window, in order, under session and agent boundaries. Reads only as many chunks as fit: whole
 * chunks, without gaps, from the end that is kept. A chunk larger than the whole budget is skipped. A client's notes are told
 * only where their session or author is asked for.
 */
export function reconstruct(store: Store, given: ReconstructRequest): Reconstruction {
  const filter = ofWork(given.filter);
  const request = { ...given, filter, origin: originNote(store, filter) };
  const { chunks, truncated, tokens, next, asked } = takeWithRequests(store, request);
  const goesOnAtMs = next && placeToGoOn(store, chunks, { next, request });
  // In the order in which they begin, each with its chunks in order.
  const sessions = [...groupBy(chunks, ({ sessionId }) => sessionId).values()];
  const format = timeRangeFormat(chunks.flatMap(({ startTimeMs, endTimeMs }) => [startTimeMs, endTimeMs]));
  const parts = sessions.map((session) => `${sessionBoundary(session, format)}\n\n${sessionText(session)}`);
  const note = truncated ? [`${truncationNote(request, goesOnAtMs)}${asked.text && `\n${asked.text}`}`] : [];
  const isBegun = request.keep === 'oldest' || !next;
  const begun = isBegun && request.origin ? [request.origin, ...parts] : parts;
  const ordered = request.keep === 'newest' ? [...note, ...begun] : [...begun, ...note];
  return {
    text: ordered.join('\n\n'),
    tokens,
    hits: sessions.flat().map(toHit),
    sessions: sessions.length,
    truncated,
    ...(goesOnAtMs !== undefined && { goesOnAtMs }),
  };
}

/** Notes have the time of their last change: where many were changed lately, no work would fit beside them. */
function ofWork(filter: ChunkFilter): ChunkFilter {
  const isNamed = filter.sessionId !== undefined || filter.agentIds !== undefined;
  return isNamed ? filter : { ...filter, isConversation: true };
}

interface RequestWithOrigin extends ReconstructRequest {
  /** Above the beginning of the session; may be empty. */
  origin: string;
}

/** `[session_id "a1b2c3d4" shows what came before]`: a fork or a resumed session begins in the middle of a story. */
function originNote(store: Store, { sessionId, projectId, agentIds, fromMs }: ChunkFilter): string {
  if (sessionId === undefined || agentIds || fromMs !== undefined) return '';
  const uuid = store.sessions.get(sessionId)?.continuesUuid;
  const [origin] = uuid ? store.sessions.withPrefix(uuid, 1, projectId) : [];
  if (!origin || !store.chunks.isReadable(origin.id)) return '';
  return `[session_id "${origin.shortId}" shows what came before]`;
}

interface Taken {
  chunks: StoredChunk[];
  truncated: boolean;
  tokens: number;
  /** The first chunk that did not fit. */
  next?: StoredChunk;
}

/** A smaller answer has no room to spare. */
const LEAST_BUDGET_WITH_REQUESTS = 4_000;
/** Share of an answer that may list the requests in the part it leaves out. */
const REQUESTS_SHARE = 0.1;

/** A day or session that does not fit is best described by its requests; its end alone says little about it. */
function takeWithRequests(store: Store, request: RequestWithOrigin): Taken & { asked: Asked } {
  const { budgetTokens, filter } = request;
  const walked: StoredChunk[] = [];
  const whole = takeWithinBudget(noted(store.chunks.walk(filter, request.keep), walked), request, 0);
  if (!whole.next || budgetTokens < LEAST_BUDGET_WITH_REQUESTS || filter.agentIds)
    return { ...whole, asked: NOTHING_ASKED };
  const take = (room: number): Taken & { asked: Asked } => {
    const taken = takeWithinBudget(walked, request, room);
    const asked = taken.next ? askedLeftOut(store, request, taken.next, room) : NOTHING_ASKED;
    return { ...taken, asked };
  };
  // Tokens that the requests do not use show more of the window.
  return take(take(Math.floor(budgetTokens * REQUESTS_SHARE)).asked.tokens);
}

/** Chunks are cached before use: with a smaller budget, no more of them are needed. */
function* noted(chunks: Iterable<StoredChunk>, list: StoredChunk[]): Generator<StoredChunk> {
  for (const chunk of chunks) {
    list.push(chunk);
    yield chunk;
  }
}

/** @param walked from the end that is kept */
function takeWithinBudget(
  walked: Iterable<StoredChunk>,
  request: RequestWithOrigin,
  reservedTokens: number,
): Taken {
  const chunks: StoredChunk[] = [];
  const costs = new Costs();
  let tokens = partTokens(truncationNote(request, WIDEST_TIME_MS));
  if (request.origin) tokens += partTokens(request.origin);
  const roomAtAll = request.budgetTokens - tokens;
  tokens += reservedTokens;
  let truncated = false;
  let next: StoredChunk | undefined;
  for (const chunk of walked) {
    const cost = costs.of(chunk);
    if (tokens + cost > request.budgetTokens) {
      truncated = true;
      if (new Costs().of(chunk) > roomAtAll) continue;
      next = chunk;
      break;
    }
    tokens += cost;
    costs.take(chunk);
    chunks.push(chunk);
  }
  const inOrder = request.keep === 'newest' ? chunks.reverse() : chunks;
  return { chunks: inOrder, truncated, tokens, ...(next && { next }) };
}

/** The chunks of a moment that have a place of their own; the rest is skipped. */
const MOST_PLACES = 999;

/** The cut between moments, or within the one that is shown in part. */
function placeToGoOn(
  store: Store,
  shown: readonly StoredChunk[],
  { next, request: { keep, filter } }: { next: StoredChunk; request: ReconstructRequest },
): number | undefined {
  const { orderTimeMs } = next;
  // It has no time, and there is none before it.
  if (keep === 'newest' && orderTimeMs === 0) return undefined;
  const isWithin = shown.at(keep === 'newest' ? 0 : -1)?.orderTimeMs === orderTimeMs;
  if (!isWithin) return keep === 'newest' ? orderTimeMs + 1 : orderTimeMs;
  const place = store.chunks.placeInMoment(next, filter);
  if (keep === 'newest') return orderTimeMs + Math.min(place + 1, MOST_PLACES) / 1000;
  return orderTimeMs + (place > MOST_PLACES ? 1 : place / 1000);
}

/** The cost of chunks with the boundaries they require, in the order in which they are taken. */
class Costs {
  /** The agent of the latest chunk of each session; null for the main one. */
  private readonly speakers = new Map<number, number | null>();
  private latest: StoredChunk | undefined;

  of(chunk: StoredChunk): number {
    const { sessionId, agentId, agentName } = chunk;
    const boundary = this.speakers.has(sessionId) ? 0 : partTokens(boundaryOf(chunk, WIDEST_RANGE));
    // One marker for each run of one speaker's chunks, from whichever end the run is read.
    const isSameSpeaker = this.speakers.get(sessionId) === agentId;
    const marker = isSameSpeaker
      ? 0
      : partTokens(speakerMarker(agentName && numbered(agentName, WIDEST_NUMBER)));
    return shownTokens(chunk) + SEPARATOR_TOKENS + boundary + marker + this.openingOf(chunk);
  }

  /** If the new chunk turns out to be continued by the latest one, the line above the latest one is not needed. */
  private openingOf(chunk: StoredChunk): number {
    const { latest } = this;
    const own = headerTokens(openingBehind(latest, chunk));
    return latest && continuesFrom(chunk, latest) ? own - headerTokens(openingLine(latest)) : own;
  }

  take(chunk: StoredChunk): void {
    this.latest = chunk;
    this.speakers.set(chunk.sessionId, chunk.agentId);
  }
}

/** No range needs more tokens. It is a placeholder until all chunks, and so the real range, are known. */
const WIDEST_RANGE = 'Sep 30, 2025, 10:59 PM – Dec 31, 2026, 11:59 PM';

function partTokens(text: string): number {
  return headerTokens(text) + SEPARATOR_TOKENS;
}

/** `=== Session a1b2c3d4 | my-app | Feb 8, 2:30 PM – 4:15 PM ===` */
function sessionBoundary(chunks: readonly StoredChunk[], format: ReturnType<typeof timeRangeFormat>): string {
  const first = chunks[0]!;
  const starts = chunks.flatMap((chunk) => chunk.startTimeMs ?? []);
  const ends = chunks.flatMap((chunk) => chunk.endTimeMs ?? []);
  const range =
    starts.length > 0 ? format(minimum(starts), Math.max(minimum(starts), maximum(ends))) : 'undated';
  return boundaryOf(first, range);
}

function boundaryOf({ sessionShortId, projectSlug, source }: StoredChunk, range: string): string {
  const client = clientName(source);
  const parts = [`Session ${sessionShortId}`, projectSlug, range, ...(client === null ? [] : [client])];
  return `=== ${parts.join(' | ')} ===`;
}

const minimum = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity);
const maximum = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), -Infinity);

function sessionText(chunks: readonly StoredChunk[]): string {
  const names = agentNames(chunks);
  let text = '';
  let before: StoredChunk | undefined;
  for (const chunk of chunks) {
    const isNewSpeaker = chunk.agentId !== (before?.agentId ?? null);
    const marker = isNewSpeaker ? `${speakerMarker(names.get(chunk.agentId) ?? null)}\n\n` : '';
    text += separatorBetween(before, chunk) + marker + openingBehind(before, chunk) + shownText(chunk);
    before = chunk;
  }
  return text;
}

/** Agents that work in parallel often share a name; then they are numbered, in the order in which they appear. */
function agentNames(chunks: readonly StoredChunk[]): Map<number | null, string> {
  const nameOf = new Map(chunks.map(({ agentId, agentName }) => [agentId, agentName]));
  const namesakes = (name: string) => [...nameOf].filter(([, other]) => other === name).map(([id]) => id);
  return new Map(
    [...nameOf].flatMap(([id, name]): [number | null, string][] => {
      if (name === null) return [];
      const ids = namesakes(name);
      return [[id, ids.length === 1 ? name : numbered(name, ids.indexOf(id) + 1)]];
    }),
  );
}

function numbered(name: string, n: number): string {
  return `${name} (${n})`;
}

/** No answer has more agents. */
const WIDEST_NUMBER = 99_999;

function speakerMarker(agentName: string | null): string {
  return `--- ${agentName === null ? 'Main agent' : `Agent: ${agentName}`} ---`;
}

/** A time with microseconds takes the most tokens. */
const WIDEST_TIME_MS = 0.001;

function truncationNote({ keep, budgetTokens }: ReconstructRequest, goesOnAtMs: number | undefined): string {
  const [what, bound, where] = keep === 'newest' ? ['earlier', 'to', 'before'] : ['later', 'from', 'next'];
  const note = `[… ${what} content left out to fit ${budgetTokens} tokens …]`;
  if (goesOnAtMs === undefined) return note;
  return `${note}\n[${bound} "${isoTime(goesOnAtMs)}" shows what came ${where}]`;
}

/** A reconstruction is not ranked; its order is that of the causal record. */
function toHit(chunk: StoredChunk): Hit {
  return { chunk, score: 1, relevance: 1, sources: ['graph'] };
}
