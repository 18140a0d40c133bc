import type { Embedder } from '@causantic/compute';
import type { PendingChunk, Store } from '@causantic/storage';

export interface EmbedProgress {
  done: number;
  total: number;
}

export interface EmbedChunksOptions {
  onProgress?: (progress: EmbedProgress) => void;
  /** What is stored stays; the next run goes on from there. */
  signal?: AbortSignal;
}

/** Chunks embedded between two transactions: a kill loses at most these. */
const BATCH_CHUNKS = 512;

/** Tool answers are long and repeat what is elsewhere; their beginning says what they are. */
const RESULT_CHARACTERS = 300;

/** Give every ranked chunk that lacks one a vector. Returns how many were stored. */
export async function embedChunks(
  store: Store,
  embedder: Embedder,
  { onProgress, signal }: EmbedChunksOptions = {},
): Promise<number> {
  const modelId = embedder.model.id;
  const total = store.vectors.countPending(modelId);
  let stored = 0;
  let seen = 0;
  let afterId = 0;
  while (!signal?.aborted) {
    const batch = store.vectors.pending(modelId, afterId, BATCH_CHUNKS);
    if (batch.length === 0) break;
    const vectors = await embedder.embed(batch.map(embeddableText), 'passage', signal ? { signal } : {});
    stored += store.vectors.put(
      modelId,
      batch.map(({ id }) => id),
      vectors,
    );
    afterId = batch.at(-1)!.id;
    seen += batch.length;
    onProgress?.({ done: seen, total: Math.max(total, seen) });
  }
  return stored;
}

/** What a chunk is about: what was said and done, and only the beginning of what tools answered. */
export function embeddableText({ text, spans }: Pick<PendingChunk, 'text' | 'spans'>): string {
  const parts = spans.map(({ speaker, start, end }) =>
    text.slice(start, speaker === 'tool_result' ? Math.min(end, start + RESULT_CHARACTERS) : end),
  );
  return parts.join('\n');
}
