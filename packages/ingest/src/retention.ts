import type { Config } from '@causantic/domain';
import type { Store } from '@causantic/storage';

const DAY_MS = 86_400_000;
/** A round that deleted less would cost more than it frees. */
const FEWEST_CHUNKS = 100;

/**
 * Delete what is older, or more, than the settings keep; nothing by default. What is deleted does not come back when its
 * transcript is read again.
 * @returns the number of chunks deleted
 */
export function applyRetention(
  store: Store,
  { maxAgeDays, maxBytes }: Config['retention'],
  nowMs: number,
): number {
  const byAge =
    maxAgeDays === 0 ? 0 : store.forgetting.delete(store.retention.before(nowMs - maxAgeDays * DAY_MS));
  return byAge + (maxBytes === 0 ? 0 : deleteBeyond(store, maxBytes));
}

/** What a chunk takes with its indexes, edges and vectors is not known beforehand: rounds come nearer to it. */
function deleteBeyond(store: Store, maxBytes: number): number {
  let deleted = 0;
  for (let used = store.retention.usedBytes(); used > maxBytes; used = store.retention.usedBytes()) {
    const { chunks } = store.statistics();
    if (chunks === 0) break;
    const share = 0.8 * (1 - maxBytes / used);
    deleted += store.forgetting.delete(
      store.retention.oldest(Math.max(FEWEST_CHUNKS, Math.ceil(share * chunks))),
    );
  }
  return deleted;
}
