import { pageRank, type CsrGraph } from '@causantic/algorithms';
import { groupBy } from '@causantic/domain';
import type { ReferenceGraph } from './reference-graph.js';

/** Files of interest, by number. */
export interface Interest {
  focus: readonly number[];
  /** Touched in the current session: a milder hint than being asked for. They and what they use come up. */
  session: readonly number[];
}

/** Without personalisation every file restarts alike; this much stays for all files when some are in focus. */
const BACKGROUND_SHARE = 0.1;
const SESSION_SHARE = 0.3;
/** Precision in total; neighbouring ranks on the first pages of a map differ by far more. */
const RANK_TOLERANCE = 1e-5;
/** Around a focus the near neighbours count: shorter walks than the usual 0.85. */
const PERSONAL_DAMPING = 0.7;
/** A file with few distinctive mentions does not pass on all its rank, because they may be chance. */
const LEAST_WEIGHT = 3;
/** Tests use everything and are used by nothing: left alone they would drown what they test. */
const TEST_RESTART = 0.2;

/** @returns one rank per file, summing to 1 (PageRank over the reference graph) */
export function rankFiles(paths: readonly string[], graph: ReferenceGraph, interest: Interest): Float64Array {
  const restart = restartWeights(graph.tests, interest);
  const personal = interest.focus.length > 0;
  return pageRank(personal ? walkAround(graph, paths) : graph, {
    personalization: restart,
    tolerance: RANK_TOLERANCE,
    ...(personal ? { damping: PERSONAL_DAMPING } : { leastWeight: LEAST_WEIGHT }),
  });
}

function restartWeights(tests: Uint8Array, { focus, session }: Interest): Float64Array {
  const restart = Float64Array.from(tests, (test) => (test === 1 ? TEST_RESTART : 1));
  if (focus.length + session.length === 0) return restart;
  const total = restart.reduce((sum, value) => sum + value, 0);
  const background = focus.length > 0 ? BACKGROUND_SHARE : 1 - SESSION_SHARE;
  for (let file = 0; file < restart.length; file++) restart[file]! *= background / total;
  const forSession = focus.length > 0 ? SESSION_SHARE * (1 - BACKGROUND_SHARE) : SESSION_SHARE;
  for (const file of session) restart[file]! += forSession / session.length;
  for (const file of focus) restart[file]! += (1 - BACKGROUND_SHARE) / focus.length;
  return restart;
}

/** A test and what it tests, a header and its source: files of one stem change together, whatever they mention. */
const KIN_SHARE = 0.6;
/** `index` and `mod` are everybody's names. */
const MAX_KIN = 5;

/** Per file the others of its stem: its name without extension and without what marks a test. */
function kinOf(paths: readonly string[]): number[][] {
  const stems = paths.map(stemOf);
  const families = groupBy(stems.keys(), (file) => stems[file]!);
  return stems.map((stem, file) => {
    const family = families.get(stem)!;
    // Of `test.c` and `.eslintrc.js` nothing is left.
    return stem === '' || family.length > MAX_KIN ? [] : family.filter((other) => other !== file);
  });
}

function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return name.replace(/\..*$/, '').replace(/^test_?|[_-]?(?:(?:unit)?tests?|spec)$/g, '');
}

/** The same for every focus, and half the work of ranking around one. */
const walks = new WeakMap<ReferenceGraph, CsrGraph>();

function walkAround(graph: ReferenceGraph, paths: readonly string[]): CsrGraph {
  const known = walks.get(graph) ?? bothDirections(graph, paths);
  walks.set(graph, known);
  return known;
}

/** With something in focus its users matter as much as what it uses. */
function bothDirections(graph: ReferenceGraph, paths: readonly string[]): CsrGraph {
  const nodes = paths.length;
  const { offsets, targets, weights } = graph;
  const degree = new Int32Array(nodes + 1);
  for (let from = 0; from < nodes; from++) {
    degree[from + 1]! += offsets[from + 1]! - offsets[from]!;
    for (let e = offsets[from]!; e < offsets[from + 1]!; e++) degree[targets[e]! + 1]!++;
  }
  const kin = kinOf(paths);
  kin.forEach((others, node) => (degree[node + 1]! += others.length));
  for (let node = 0; node < nodes; node++) degree[node + 1]! += degree[node]!;
  const next = degree.slice(0, nodes);
  const both = { targets: new Int32Array(degree[nodes]!), weights: new Float32Array(degree[nodes]!) };
  const add = (from: number, to: number, weight: number) => {
    const edge = next[from]!++;
    both.targets[edge] = to;
    both.weights[edge] = weight;
  };
  for (let from = 0; from < nodes; from++) {
    for (let e = offsets[from]!; e < offsets[from + 1]!; e++) {
      add(from, targets[e]!, weights[e]!);
      add(targets[e]!, from, weights[e]!);
    }
  }
  kin.forEach((others, node) => {
    const own = both.weights.subarray(degree[node]!, next[node]!).reduce((sum, weight) => sum + weight, 0);
    for (const other of others) add(node, other, (KIN_SHARE * (own + 1)) / others.length);
  });
  return { offsets: degree, ...both };
}
