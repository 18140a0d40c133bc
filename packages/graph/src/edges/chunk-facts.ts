import { groupBy, RANKED_KINDS, type ChunkKind } from '@causantic/domain';

/** What edge building has to know of a chunk. */
export interface ChunkFacts {
  id: number;
  /** The session's own id (its uuid), not a row number: ties in time are broken by it, the same at every ingest. */
  sessionId: string;
  /** null for the main agent. */
  agentId: string | null;
  /** Ordinal of its turn; ascends with `position`. */
  turn: number;
  /** Its place in its thought stream: unique and ascending within (session, agent). */
  position: number;
  startTimeMs: number | null;
  endTimeMs: number | null;
  /** Paths it touched, spelt the same way in every session of the project. */
  files: readonly string[];
  kind: ChunkKind;
  /** Needed for shift markers only: the text of the chunk that opens a turn, beginning with the prompt. */
  text?: string;
}

/** Only chunks that retrieval ranks take part in the graph: a chain through `thinking` or `meta` could not be shown. */
export function isLinked({ kind }: Pick<ChunkFacts, 'kind'>): boolean {
  return RANKED_KINDS.includes(kind);
}

/** The linked chunks of each thought stream, in order of position; keys by {@link streamKey}. */
export function linkedStreams(chunks: Iterable<ChunkFacts>): Map<string, ChunkFacts[]> {
  const linked = [...chunks].filter(isLinked).sort((a, b) => a.position - b.position);
  return groupBy(linked, streamKey);
}

export function streamKey({ sessionId, agentId }: Pick<ChunkFacts, 'sessionId' | 'agentId'>): string {
  return JSON.stringify([sessionId, agentId]);
}
