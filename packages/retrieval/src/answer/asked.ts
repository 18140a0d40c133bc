import { isInWords, oneLine } from '@causantic/domain';
import { countTokens } from '@causantic/domain/tokens';
import type { ChunkFilter, Store, StoredChunk } from '@causantic/storage';
import { formatMoment } from './dates.js';
import { plainRequest } from './presentation.js';

export interface Asked {
  /** Empty if no request is known. */
  text: string;
  tokens: number;
}

export const NOTHING_ASKED: Asked = { text: '', tokens: 0 };

/** More never fit into an answer. */
const MOST_REQUESTS = 200;
/** With the … of one that is cut. */
const REQUEST_CHARS = 81;

/** `commit`, asked at the end of each session, would take the place of what else was asked. */
const FEW_CHARS = 30;

const HEADING = '[asked in what is left out:]';
const MORE = '- …';

/**
 * The requests in the part of a window that an answer leaves out, in order: as many as fit in `budgetTokens`, those
 * nearest to the shown part.
 * @param next the first chunk that is left out
 */
export function askedLeftOut(
  store: Store,
  { filter, keep }: { filter: ChunkFilter; keep: 'newest' | 'oldest' },
  next: StoredChunk,
  budgetTokens: number,
): Asked {
  const cutMs = next.startTimeMs ?? next.orderTimeMs;
  const { projectId, sessionId, fromMs = 0, beforeMs = Infinity } = filter;
  const isNewest = keep === 'newest';
  const requests = store.sessions.requests({
    ...(projectId !== undefined && { projectId }),
    ...(sessionId !== undefined && { sessionId }),
    fromMs: isNewest ? fromMs : Math.max(fromMs, cutMs),
    beforeMs: isNewest ? cutMs + 1 : beforeMs,
    latestFirst: isNewest,
    limit: MOST_REQUESTS,
  });
  const told = new Set<string>();
  const isNew = (request: string): boolean =>
    request.length > FEW_CHARS || (!told.has(request) && told.add(request).size > 0);
  const lines = requests
    .filter(({ request }) => isInWords(request) && isNew(request))
    .map(
      ({ sessionShortId, startTimeMs, request }) =>
        `- ${sessionShortId}, ${formatMoment(startTimeMs)}: ${oneLine(plainRequest(request), REQUEST_CHARS)}`,
    );
  const shown: string[] = [];
  let tokens = lineTokens(HEADING) + lineTokens(MORE);
  for (const line of lines) {
    if (tokens + lineTokens(line) > budgetTokens) break;
    tokens += lineTokens(line);
    shown.push(line);
  }
  if (shown.length === 0) return NOTHING_ASKED;
  if (shown.length < lines.length || requests.length === MOST_REQUESTS) shown.push(MORE);
  return { text: [HEADING, ...(isNewest ? shown.reverse() : shown)].join('\n'), tokens };
}

/** With its end, which is never more than one. */
function lineTokens(line: string): number {
  return countTokens(line) + 1;
}
