// Worker entry points around an embedding, so that the caller's thread neither reads texts nor writes vectors.
import { isAlive } from '@causantic/domain';
import {
  type EmbeddingLease,
  type PendingChunk,
  withoutListedCommits,
  withThreadStore,
} from '@causantic/storage';

export interface BacklogInput {
  databasePath: string;
  modelId: string;
}

export function countBacklog({ databasePath, modelId }: BacklogInput): number {
  return withThreadStore(databasePath, (store) => store.vectors.countPending(modelId));
}

export interface ReadBacklogInput extends BacklogInput {
  afterId: number;
  limit: number;
}

export interface BacklogBatch {
  ids: number[];
  texts: string[];
}

export function readBacklog({ databasePath, modelId, afterId, limit }: ReadBacklogInput): BacklogBatch {
  const chunks = withThreadStore(databasePath, (store) => store.vectors.pending(modelId, afterId, limit));
  return { ids: chunks.map(({ id }) => id), texts: chunks.map(embeddableText) };
}

export interface StoreVectorsInput extends BacklogInput {
  ids: number[];
  /** n × dim, row-major. */
  vectors: Float32Array;
  lease: EmbeddingLease | undefined;
}

/** The number of new vectors; null if the lease was taken away. */
export function storeVectors(input: StoreVectorsInput): number | null {
  const { databasePath, modelId, ids, vectors, lease } = input;
  return withThreadStore(databasePath, (store) => store.vectors.put(modelId, ids, vectors, lease));
}

export interface AcquireInput {
  databasePath: string;
  /** Begins with its process id. */
  owner: string;
  seize: boolean;
  leaseMs: number;
}

/** False while another process that is alive makes vectors. */
export function acquireLease({ databasePath, owner, seize, leaseMs }: AcquireInput): boolean {
  return withThreadStore(databasePath, ({ embedding }) => {
    const nowMs = Date.now();
    const lease = { owner, untilMs: nowMs + leaseMs };
    const holder = embedding.leaseOwner();
    if (!seize && (holder === null || isAlive(parseInt(holder, 10)))) return embedding.acquire(lease, nowMs);
    embedding.seize(lease);
    return true;
  });
}

export interface ReleaseInput {
  databasePath: string;
  owner: string;
}

export function releaseLease({ databasePath, owner }: ReleaseInput): void {
  withThreadStore(databasePath, (store) => store.embedding.release(owner));
}

export interface ServeInput extends BacklogInput {
  owner: string;
}

/** Lets searches use the model if no chunk lacks its vector and the owner still has the right to decide that. */
export function serveIfComplete({ databasePath, modelId, owner }: ServeInput): boolean {
  return withThreadStore(databasePath, ({ embedding, vectors }) => {
    if (embedding.leaseOwner() !== owner || vectors.pending(modelId, 0, 1).length > 0) return false;
    embedding.serve(modelId);
    return true;
  });
}

export interface DropInput extends ServeInput {
  limit: number;
}

/** Drops vectors of models that nothing uses any more. Returns how many. */
export function dropUnused({ databasePath, modelId, owner, limit }: DropInput): number {
  return withThreadStore(databasePath, ({ embedding, vectors }) => {
    if (embedding.leaseOwner() !== owner) return 0;
    const unused = vectors.models().find((id) => id !== modelId);
    return unused === undefined ? 0 : vectors.drop(unused, limit);
  });
}

/** Tool output is long and repeats what is elsewhere; its beginning says what it is. */
const RESULT_CHARACTERS = 300;

/** The text to embed for a chunk: everything said and done, but only the beginning of tool output. */
export function embeddableText({ text, spans }: Pick<PendingChunk, 'text' | 'spans'>): string {
  const parts = spans.map(({ speaker, start, end }) => {
    const part = text.slice(start, end);
    return speaker === 'tool_result' ? withoutListedCommits(part).slice(0, RESULT_CHARACTERS) : part;
  });
  return parts.join('\n');
}
