import type { ReferenceGraph } from './reference-graph.js';
import { DEFINITION_KINDS, type DefinitionKind } from './tags.js';
import type { TagColumns } from './tag-columns.js';

/** What a definition nobody mentions is worth beside its neighbours: types orient more than constants. */
const KIND_WORTH: Readonly<Record<DefinitionKind, number>> = {
  class: 1,
  interface: 1,
  struct: 1,
  trait: 1,
  protocol: 1,
  record: 1,
  object: 1,
  enum: 0.9,
  union: 0.9,
  type: 0.8,
  fn: 0.8,
  module: 0.7,
  namespace: 0.4,
  extension: 0.7,
  method: 0.6,
  macro: 0.5,
  package: 0.1,
  const: 0.4,
};

/** The share of a file's rank that its definitions get by kind alone; the rest comes from who mentions them. */
const OWN_SHARE = 0.15;
/** With something in focus its users count as such, and users are mentioned by nobody. */
const OWN_SHARE_IN_FOCUS = 2;

/**
 * Gives every file's rank on: along its mentions to the definitions mentioned, and a little to its own ones.
 *
 * @returns one value a definition, in the columns' order
 */
export function rankDefinitions(
  tags: TagColumns,
  graph: ReferenceGraph,
  fileRanks: Float64Array,
  inFocus: boolean,
): Float64Array {
  const ranks = new Float64Array(tags.definitionName.length);
  shareOwnRank(tags, fileRanks, ranks, inFocus ? OWN_SHARE_IN_FOCUS : OWN_SHARE);
  const outWeight = new Float64Array(fileRanks.length);
  const { from, definition, weight } = graph.mentions;
  for (let m = 0; m < from.length; m++) outWeight[from[m]!]! += weight[m]!;
  for (let m = 0; m < from.length; m++) {
    ranks[definition[m]!]! += (fileRanks[from[m]!]! * weight[m]!) / outWeight[from[m]!]!;
  }
  return ranks;
}

function shareOwnRank(
  tags: TagColumns,
  fileRanks: Float64Array,
  ranks: Float64Array,
  ownShare: number,
): void {
  for (let file = 0; file < fileRanks.length; file++) {
    const start = tags.definitionStart[file]!;
    const end = tags.definitionStart[file + 1]!;
    let total = 0;
    for (let d = start; d < end; d++) total += worthOf(tags, d);
    for (let d = start; d < end; d++) ranks[d] = (ownShare * fileRanks[file]! * worthOf(tags, d)) / total;
  }
}

function worthOf(tags: TagColumns, definition: number): number {
  return KIND_WORTH[DEFINITION_KINDS[tags.definitionKind[definition]!]!];
}
