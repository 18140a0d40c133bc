import { decayWeight } from '../decay.js';
import type { ExploredGraph, WalkChunk } from './explored-graph.js';
import type { ResolvedWalkOptions } from './options.js';

/** A path from a seed, linked from its far end; paths share what they have in common. */
export interface PathNode {
  chunk: WalkChunk;
  previous: PathNode | null;
  hops: number;
  /** The chunk's own relevance, decayed by its hops. Scores of the chunks before it have no part in it. */
  score: number;
  /** What the beam maximizes: the sum over the path of score × edge weight. */
  promise: number;
}

/**
 * Follows paths from every seed, hop by hop, all seeds in step so that each level is one request for edges, and
 * keeps the `beamWidth` most promising of each seed. Cost: at most seeds × beamWidth × maxHops chunks are expanded.
 *
 * @returns the paths that could not continue or whose continuations were all dropped, each from its seed on
 */
export function searchPaths(
  seeds: readonly WalkChunk[],
  graph: ExploredGraph,
  options: ResolvedWalkOptions,
): PathNode[][] {
  let beams = seeds.map((chunk) => [startOf(chunk)]);
  const ends: PathNode[] = [];
  for (let hops = 1; hops <= options.maxHops && beams.length > 0; hops++) {
    graph.explore(beams.flat().map((node) => node.chunk.id));
    beams = beams.map((beam) => advance(beam, graph, options, ends)).filter((beam) => beam.length > 0);
  }
  return ends.concat(beams.flat()).map(pathTo);
}

function pathTo(end: PathNode): PathNode[] {
  const path: PathNode[] = [];
  for (let node: PathNode | null = end; node; node = node.previous) path.push(node);
  return path.reverse();
}

function startOf(chunk: WalkChunk): PathNode {
  return { chunk, previous: null, hops: 0, score: chunk.relevance, promise: chunk.relevance };
}

/** The next beam; nodes of `beam` without a continuation in it are added to `ends`. */
function advance(
  beam: PathNode[],
  graph: ExploredGraph,
  options: ResolvedWalkOptions,
  ends: PathNode[],
): PathNode[] {
  const best = new Map<number, PathNode>();
  for (const node of beam) {
    for (const next of continuations(node, graph, options)) {
      const rival = best.get(next.chunk.id);
      if (!rival || next.promise > rival.promise) best.set(next.chunk.id, next);
    }
  }
  const kept = [...best.values()].sort((a, b) => b.promise - a.promise).slice(0, options.beamWidth);
  const continued = new Set(kept.map((node) => node.previous));
  ends.push(...beam.filter((node) => !continued.has(node)));
  return kept;
}

function continuations(node: PathNode, graph: ExploredGraph, options: ResolvedWalkOptions): PathNode[] {
  const hops = node.hops + 1;
  const decayed = decayWeight(hops, options.decay);
  const found: PathNode[] = [];
  for (const { id, weight } of graph.steps(node.chunk.id)) {
    const chunk = graph.chunk(id);
    if (!chunk || isOnPath(id, node)) continue;
    if (!options.crossSessions && chunk.session !== node.chunk.session) continue;
    const score = chunk.relevance * decayed;
    found.push({ chunk, previous: node, hops, score, promise: node.promise + score * weight });
  }
  return found;
}

function isOnPath(id: number, end: PathNode): boolean {
  for (let node: PathNode | null = end; node; node = node.previous) if (node.chunk.id === id) return true;
  return false;
}
