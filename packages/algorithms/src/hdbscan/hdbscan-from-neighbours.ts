import { requireThat } from '../argument-checks.js';
import { countRows } from '../vectors.js';
import { componentJoins } from './component-joins.js';
import { clusterSpanningTree } from './cluster-spanning-tree.js';
import { allNoise, type ClusterLabels } from './labelling.js';
import { connectNeighbours, type NeighbourGraph, type NeighbourLists } from './neighbour-graph.js';
import { clusteringSizes, type HdbscanOptions } from './options.js';
import { sparseSpanningTree } from './sparse-spanning-tree.js';
import type { WeightedEdges } from './spanning-tree.js';

/**
 * HDBSCAN* for large sets: the partition of `hdbscan` when the lists are exact, and nearly that when they are
 * nearly so. What the lists cannot prove about the spanning tree is searched for exactly (`componentJoins`).
 *
 * One thread; to use several, call `connectNeighbours`, one `componentJoins` per share, then `hdbscanFromGraph`.
 *
 * @param points n × dimensions, row-major, the points that the neighbours were found for
 * @throws RangeError on options out of range or too short lists; StoppedError when asked to stop
 */
export function hdbscanFromNeighbours(
  points: Float32Array,
  dimensions: number,
  neighbours: NeighbourLists,
  options: HdbscanOptions = {},
): ClusterLabels {
  const pointCount = countRows(points, dimensions);
  const { minSamples } = clusteringSizes(options);
  if (pointCount < Math.max(2, minSamples)) return allNoise(pointCount);
  const graph = connectNeighbours(neighbours, pointCount, minSamples);
  return hdbscanFromGraph(graph, [componentJoins(points, dimensions, graph, options)], options);
}

/** @param joins the results of `componentJoins` for all shares */
export function hdbscanFromGraph(
  graph: NeighbourGraph,
  joins: readonly WeightedEdges[],
  options: HdbscanOptions = {},
): ClusterLabels {
  const tree = sparseSpanningTree(graph, joins);
  requireThat(
    tree.length.length === graph.pointCount - 1,
    'the joins leave components apart; is a share missing?',
  );
  return clusterSpanningTree(tree, options);
}
