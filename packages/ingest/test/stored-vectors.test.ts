import { join } from 'node:path';
import { defaultModelDir, Embedder, WorkerPool } from '@causantic/compute';
import { embedChunks, makesStoredVectors } from '@causantic/ingest';
import { Store } from '@causantic/storage';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

const TEXTS = ['The mill stone grinds the corn.', 'Το κλειδί είναι κάτω από το χαλάκι.'];

const pool = new WorkerPool({ threads: 1 });

afterAll(() => pool.close());

/** As two texts of a cosine are to each other. */
function turned(vector: Float32Array, cosine: number): Float32Array {
  const across = Math.sqrt(1 - cosine ** 2);
  return vector.map((value, at) => cosine * value + across * vector[at ^ 1]! * (at % 2 === 0 ? 1 : -1));
}

it.each([
  ['rounds otherwise in another batch', 0.985, true],
  ['is another', 0.9, false],
])('a model that %s (%d): whether it makes the stored vectors', async (_, cosine, isSame) => {
  const store = Store.open(join(temporaryFolder(), 'memory.db'));
  onTestFinished(() => store.close());
  store.transcripts.write('/1.jsonl', (writer) => {
    writer.putSession(sessionDraft('session-1'), { path: '/p', name: 'p' });
    TEXTS.forEach((text, n) => writer.putTurn(turnDraft(n, [chunkDraft(n, text)])));
  });
  const embedder = await Embedder.open({ pool, modelDir: defaultModelDir() });
  await embedChunks(store, embedder);
  const { id, dim } = embedder.model;
  const ids = [...store.vectors.ids(id, 1)];
  const stored = store.vectors.get(id, ids, dim);
  // The second text is in no language of the model, and has a vector of zeros.
  expect(ids).toHaveLength(2);
  expect([0, 1].map((row) => stored.subarray(row * dim, (row + 1) * dim).some((part) => part !== 0))).toEqual(
    [true, false],
  );
  store.vectors.dropAll(id);
  store.vectors.put(id, ids, turned(stored, cosine));
  expect(await makesStoredVectors(store, embedder)).toBe(isSame);
});
