import { APPROVED_PLAN } from '@causantic/domain';
import type { KeywordScope, RequestRecord, Store } from '@causantic/storage';
import { type Hit, hitsInOrder } from '../answer/presentation.js';
import type { AskedWishes } from '../question/asked-wishes.js';
import { MIN_CLARITY, wishClarity } from './wish-clarity.js';

/** More would keep other answers waiting. */
const MOST_REQUESTS = 2_000;
const MOST_WISHES = 16;
const ANY_TIME = { fromMs: 0, beforeMs: Number.MAX_SAFE_INTEGER };
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
      return {
        turnId,
        startTimeMs,
        clarity: (isElsewhere ? ELSEWHERE : 1) * wishClarity(request, { against }),
      };
    })
    .filter(({ clarity }) => clarity >= MIN_CLARITY)
    .sort((a, b) => b.clarity - a.clarity || b.startTimeMs - a.startTimeMs)
    .slice(0, MOST_WISHES);
  return [...hitsInOrder(clearest.flatMap(({ turnId }) => chunks.find(chunks.firstOf(turnId) ?? 0) ?? []))];
}
