import { join } from 'node:path';
import { Embedder, type WorkerPool } from '@causantic/compute';
import { embedChunks } from '@causantic/ingest';
import { type RetrievalContext, SemanticSearch } from '@causantic/retrieval';
import { Store } from '@causantic/storage';
import { onTestFinished } from 'vitest';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

/** A memory of passages, each an answer in a session of its own, with the vectors of a model; open until the test ends. */
export async function embeddedMemory(passages: readonly string[], pool: WorkerPool, modelDir: string) {
  const folder = temporaryFolder();
  const store = Store.open(join(folder, 'memory.db'));
  passages.forEach((text, n) =>
    store.transcripts.write(`/${n}.jsonl`, (writer) => {
      writer.putSession(sessionDraft(`session-${n}`), { path: '/p', name: 'p' });
      const spans = [{ speaker: 'assistant' as const, start: 0, end: text.length }];
      writer.putTurn(turnDraft(0, [chunkDraft(0, text, { spans })]));
    }),
  );
  const embedder = await Embedder.open({ pool, modelDir });
  await embedChunks(store, embedder);
  const semantic = await SemanticSearch.open(store, embedder, join(folder, 'indexes'));
  onTestFinished(async () => {
    await semantic.close();
    store.close();
  });
  return { store, semantic };
}

/** By words and by meaning, however long the workers of a busy machine take to start. */
export function byMeaning(store: Store, semantic: SemanticSearch): RetrievalContext {
  return { store, now: () => 0, semantic: () => Promise.resolve(semantic), semanticPatienceMs: 60_000 };
}
