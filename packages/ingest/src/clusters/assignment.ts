import { assignToClusters } from '@causantic/algorithms';
import type { Store } from '@causantic/storage';

interface Place {
  projectId: number;
  modelId: string;
  dim: number;
  /** To a cluster's centroid. */
  leastCosine: number;
}

/** Assigns every chunk that no pass has looked at to the nearest cluster, or to noise. */
export function assignToStored(store: Store, { projectId, modelId, dim, leastCosine }: Place): void {
  const pending = store.clusters.pending(projectId, modelId);
  const stored = store.clusters.ofProject(projectId).filter(({ centroid }) => centroid.length === dim);
  const centroids = new Float32Array(stored.length * dim);
  stored.forEach(({ centroid }, row) => centroids.set(centroid, row * dim));
  const vectors = store.vectors.get(modelId, pending, dim);
  const assigned = assignToClusters(vectors, centroids, dim, leastCosine);
  store.clusters.assign(
    pending.map((chunkId, row) => {
      const clusterId = stored[assigned[row]!]?.id ?? null;
      return { chunkId, clusterId, probability: clusterId === null ? 0 : 1 };
    }),
  );
}
