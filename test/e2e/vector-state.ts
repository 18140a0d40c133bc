import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ingestTree } from '@causantic/ingest';
import { Store } from '@causantic/storage';
import { call, type HitOnTheWire, type MemoryHome } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

/** What `stats` says of vectors to machines. */
export interface Vectors {
  model: string;
  nextModel?: string;
  vectors: number;
  pending: number;
  backend: string;
  problems: string[];
}

export async function vectorsOf(client: Client): Promise<Vectors> {
  const { diagnostics } = await call(client, 'stats');
  return (diagnostics as { vectors: Vectors }).vectors;
}

/** Not every machine has FAISS. */
export function problemsBesideFaiss({ problems }: Vectors): string[] {
  return problems.filter((problem) => !problem.startsWith('faiss-node'));
}

/** Ask until it is so; the test's own time limit ends it. */
export async function whenVectors(client: Client, isSo: (vectors: Vectors) => boolean): Promise<Vectors> {
  for (;;) {
    const vectors = await vectorsOf(client);
    if (isSo(vectors)) return vectors;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** As a process does that has no time for vectors, or is killed before it makes them. */
export function ingestWithoutVectors(memory: MemoryHome): void {
  const store = Store.open(join(memory.home, 'memory.db'));
  ingestTree(store, [memory.projects]);
  store.close();
}

export function writeSession(memory: MemoryHome, prefix: string, question: string, answer: string): void {
  new TranscriptBuilder({ session: sessionId(prefix), cwd: '/home/ada/mill', start: '2026-02-01T10:00:00Z' })
    .exchange(question, answer)
    .writeTo(memory.projects);
}

export async function search(
  client: Client,
  query: string,
): Promise<{ text: string; hits: HitOnTheWire[]; degraded: string[] }> {
  const { text, hits, diagnostics } = await call(client, 'search', { query });
  return { text, hits, degraded: (diagnostics as { degraded: string[] }).degraded };
}

/** Ask until nothing is missing: on a busy machine, words alone may answer at first. */
export async function whenComplete(client: Client, query: string): ReturnType<typeof search> {
  for (;;) {
    const answer = await search(client, query);
    if (answer.degraded.length === 0) return answer;
  }
}
