import type { Config } from '@causantic/domain';
import type { Store } from '@causantic/storage';

const DAY_MS = 86_400_000;
/** Minimum per round: deleting less would cost more than it frees. */
const FEWEST_CHUNKS = 100;

/**
 * Deletes what exceeds the age or size limit of the settings; nothing by default. Deleted chunks do not come back when
 * their transcript is read again.
 * @returns the number of chunks deleted
 */
export function applyRetention(
  store: Store,
  { maxAgeDays, maxBytes }: Config['retention'],
  nowMs: number,
): number {
  const old = maxAgeDays === 0 ? [] : store.forgetting.ids({ beforeMs: nowMs - maxAgeDays * DAY_MS });
  const byAge = store.forgetting.delete(old);
  return byAge + (maxBytes === 0 ? 0 : deleteBeyond(store, maxBytes));
}

/** The size of a chunk with its indexes, edges and vectors is not known in advance, so this works in rounds. */
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
