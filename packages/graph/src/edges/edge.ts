/**
 * Weight of a new edge by type: how well it predicts that both chunks belong to one story. Only the walk's choice
 * among several continuations uses it; chains are ranked by relevance alone.
 *
 * Evidence: shared files account for 45 % of real references while adjacency alone is weak. On 147 pairs of
 * consecutive turns of real sessions in which both touch files, 52 % share one, so every second adjacency is a
 * change of subject. The other numbers are assumptions: a hand-over between agents is explicit, hence strong; a
 * continuation often starts something new. See docs/decisions/0051.
 */
export const EDGE_WEIGHTS = Object.freeze({
  adjacent: 0.5,
  'file-path': 0.9,
  topic: 0.7,
  brief: 0.9,
  debrief: 0.9,
  'cross-session': 0.6,
  'team-spawn': 0.9,
  'team-report': 0.9,
  'peer-message': 0.8,
});

export type EdgeType = keyof typeof EDGE_WEIGHTS;

export const EDGE_TYPES = Object.freeze(Object.keys(EDGE_WEIGHTS)) as readonly EdgeType[];

/** A link from an earlier chunk to a later one. Walked from `to` to `from` it is the backward view of the same edge. */
export interface Edge {
  from: number;
  to: number;
  type: EdgeType;
  weight: number;
}

/** What names an edge; the type of a stored one is any text. */
type EdgeName = Pick<Edge, 'from' | 'to'> & { type: string };

/** What a stored set of edges must lose and gain to become the wanted set. */
export interface EdgeDiff<Stored extends EdgeName> {
  add: Edge[];
  remove: Stored[];
}

export function createEdge(type: EdgeType, from: number, to: number): Edge {
  return { from, to, type, weight: EDGE_WEIGHTS[type] };
}

/** Identity of an edge: a graph holds one edge for each key. */
export function edgeKey({ type, from, to }: EdgeName): string {
  return `${type}:${from}:${to}`;
}

/** Each edge once, in the order of its first occurrence; loops are left out. */
export function uniqueEdges(edges: Iterable<Edge>): Edge[] {
  const linking = [...edges].filter(({ from, to }) => from !== to);
  return [...new Map(linking.map((edge) => [edgeKey(edge), edge])).values()];
}

/** @param existing the stored edges that `wanted` replaces, and no others: what is not wanted is removed */
export function diffEdges<Stored extends EdgeName>(
  existing: readonly Stored[],
  wanted: readonly Edge[],
): EdgeDiff<Stored> {
  const existingKeys = new Set(existing.map(edgeKey));
  const wantedKeys = new Set(wanted.map(edgeKey));
  return {
    add: uniqueEdges(wanted).filter((edge) => !existingKeys.has(edgeKey(edge))),
    remove: existing.filter((edge) => !wantedKeys.has(edgeKey(edge))),
  };
}
