import { centroid, type ClusterLabels, matchClusters, medoid, normalizeRows } from '@causantic/algorithms';
import type { ClusterPass, Store } from '@causantic/storage';
import type { NeighbouredMatrix } from './clustering.js';
import { clusterLabels } from './labels.js';

/** A new cluster that shares less than this with every old one (Jaccard) is another topic. */
const LEAST_OVERLAP = 0.3;

/** The clusters with their centroids, middles, labels, and the ids of the stored ones that they continue. */
export function nameClusters(
  store: Store,
  projectId: number,
  { ids, vectors, dim }: NeighbouredMatrix,
  { labels, probabilities, clusterCount }: ClusterLabels,
): Pick<ClusterPass, 'clusters' | 'members'> {
  const rowsOf = Array.from({ length: clusterCount }, (): number[] => []);
  labels.forEach((label, row) => rowsOf[label]?.push(row));
  const chunksOf = rowsOf.map((rows) => rows.map((row) => ids[row]!));
  const continued = continuedIds(store, projectId, chunksOf);
  const names = clusterLabels(store, chunksOf);
  const clusters = rowsOf.map((rows, cluster) => ({
    id: continued[cluster]!,
    label: names[cluster]!,
    medoidId: ids[medoid(vectors, dim, rows)]!,
    centroid: normalizeRows(Float32Array.from(centroid(vectors, dim, rows)), dim),
  }));
  const members = Array.from(ids, (chunkId, row) => ({
    chunkId,
    cluster: labels[row]!,
    probability: probabilities[row]!,
  }));
  return { clusters, members };
}

function continuedIds(store: Store, projectId: number, chunksOf: readonly number[][]): (number | null)[] {
  const stored = store.clusters.ofProject(projectId);
  const membersOf = store.clusters.members(stored.map(({ id }) => id));
  const before = stored.map(({ id }) => membersOf.get(id) ?? []);
  return Array.from(matchClusters(before, chunksOf, LEAST_OVERLAP), (older) => stored[older]?.id ?? null);
}
