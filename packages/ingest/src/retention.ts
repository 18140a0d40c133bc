import type { Config } from '@causantic/domain';
import type { Store } from '@causantic/storage';

const DAY_MS = 86_400_000;
/** Minimum per round: deleting less would cost more than it frees. */
const FEWEST_CHUNKS = 100;

/**
 * Deletes what exceeds the age or size limit of the settings; nothing by default. Deleted chunks do not come back when
 * their transcript is read again. Notes go with their files.
 * @returns the number of chunks deleted
 */
export function applyRetention(
  store: Store,
  { maxAgeDays, maxBytes }: Config['retention'],
  nowMs: number,
): number {
  const old = maxAgeDays === 0 ? [] : store.retention.before(nowMs - maxAgeDays * DAY_MS);
  const byAge = store.forgetting.delete(old);
  return byAge + (maxBytes === 0 ? 0 : deleteBeyond(store, maxBytes));
}

/** The size of a chunk with its indexes, edges and vectors is not known in advance, so this works in rounds. */
function deleteBeyond(store: Store, maxBytes: number): number {
  let deleted = 0;
  for (let used = store.retention.usedBytes(); used > maxBytes; used = store.retention.usedBytes()) {
    const { chunks } = store.statistics();
    const share = 0.8 * (1 - maxBytes / used);
    const oldest = store.retention.oldest(Math.max(FEWEST_CHUNKS, Math.ceil(share * chunks)));
    if (oldest.length === 0) break;
    deleted += store.forgetting.delete(oldest);
  }
  return deleted;
}
