/**
 * Carries cluster identities over to a new run: pairs old and new clusters that share members, largest Jaccard
 * overlap first (greedy; ties go to the older, then to the lower new one), each used once.
 *
 * @param oldClusters members of each old cluster, oldest cluster first
 * @param newClusters members of each new cluster
 * @param leastOverlap Jaccard overlap below which a new cluster counts as another one
 * @returns per new cluster the index of the old one it continues, or -1
 */
export function matchClusters<Member>(
  oldClusters: readonly (readonly Member[])[],
  newClusters: readonly (readonly Member[])[],
  leastOverlap = 0,
): Int32Array {
  const continued = new Int32Array(newClusters.length).fill(-1);
  const taken = new Set<number>();
  const pairs = overlaps(oldClusters, newClusters).filter(({ jaccard }) => jaccard >= leastOverlap);
  pairs.sort((a, b) => b.jaccard - a.jaccard || a.older - b.older); // They come in the order of the new clusters.
  for (const { older, newer } of pairs) {
    if (taken.has(older) || continued[newer] !== -1) continue;
    taken.add(older);
    continued[newer] = older;
  }
  return continued;
}

type Overlap = { older: number; newer: number; jaccard: number };

function overlaps<Member>(
  oldClusters: readonly (readonly Member[])[],
  newClusters: readonly (readonly Member[])[],
): Overlap[] {
  const oldClusterOf = new Map<Member, number>();
  oldClusters.forEach((members, older) => members.forEach((member) => oldClusterOf.set(member, older)));
  return newClusters.flatMap((members, newer) => {
    const shared = new Map<number, number>();
    for (const member of members) {
      const older = oldClusterOf.get(member);
      if (older !== undefined) shared.set(older, (shared.get(older) ?? 0) + 1);
    }
    return [...shared].map(([older, count]) => {
      const union = oldClusters[older]!.length + members.length - count;
      return { older, newer, jaccard: count / union };
    });
  });
}
