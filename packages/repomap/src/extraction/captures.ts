import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { loadNative } from '@causantic/domain/errors';
import type Parser from 'tree-sitter';

/**
 * The results of a query whose patterns have one capture each, read from the buffer in which tree-sitter's native part
 * passes nodes. Its own `matches` creates an object with a cached identity for each node, which costs as much as the query
 * itself; here a node is created only if more than its start is needed (decision 0024).
 */
export interface Captures {
  /** Where each captured node starts, in UTF-16 units. */
  starts: Uint32Array;
  pattern(place: number): number;
  /** The capture's name: one per pattern. */
  name(place: number): string;
  /** The full node of a capture. */
  node(place: number): Parser.SyntaxNode;
}

/** The parts of the binding used here. None is public, which is why the version of tree-sitter is pinned. */
interface Binding {
  nodeTransferArray: Uint32Array;
}
type FlatMatches = [patternsAndNames: (number | string)[], nodes: (number | Parser.SyntaxNode)[]];
interface NativeQuery {
  _matches(tree: Parser.Tree, ...rangeAndLimits: number[]): FlatMatches;
}
type NodeClass = new (tree: Parser.Tree) => Parser.SyntaxNode & Record<number, number>;
interface LoadedLanguage {
  nodeSubclasses: (NodeClass | undefined)[];
}

const require = createRequire(import.meta.url);
/** Required: importing a CommonJS module, whose text Node then reads for its names, takes 40 ms more in a new thread. */
export const TreeSitter = loadNative('tree-sitter', () => require('tree-sitter') as typeof Parser);
/** Missing from its types: the class of nodes without a type of their own, for example where parsing failed. */
const { SyntaxNode: PlainNode } = TreeSitter as unknown as { SyntaxNode: NodeClass };

/** Identity (2), start in bytes of UTF-16, row, column in bytes, alias. */
const FIELDS = 6;
const START_BYTE = 2;
const NO_RANGE = [0, 0, 0, 0, 0, 0];
const NO_LIMITS = [0xffffffff, 0xffffffff];

const binding = loadBinding();

function loadBinding(): Binding {
  const entry = require.resolve('tree-sitter');
  const load = createRequire(entry)('node-gyp-build') as (folder: string) => Binding;
  return load(dirname(entry));
}

/** Runs a query over a whole tree; on timeout, returns what was found so far. */
export function capturesOf(query: Parser.Query, tree: Parser.Tree, timeoutMs: number): Captures {
  handOver(tree.rootNode);
  const limits = [...NO_RANGE, ...NO_LIMITS, timeoutMs * 1000];
  const [flat, nodes] = (query as unknown as NativeQuery)._matches(tree, ...limits);
  if (flat.length !== 2 * nodes.length)
    throw new RangeError('a pattern of the query has not exactly one capture');
  const fields = binding.nodeTransferArray.slice(0, nodes.length * FIELDS);
  const { starts, fieldsAt } = placesOf(nodes, fields);
  return {
    starts,
    pattern: (place) => flat[2 * place] as number,
    name: (place) => flat[2 * place + 1] as string,
    node: (place) => {
      const known = nodes[place]!;
      if (typeof known === 'object') return known;
      return nodeOf(tree, known, fields.subarray(fieldsAt[place]!, fieldsAt[place]! + FIELDS));
    },
  };
}

function handOver(node: Parser.SyntaxNode): void {
  const fields = node as unknown as Record<number, number>;
  for (let i = 0; i < FIELDS; i++) binding.nodeTransferArray[i] = fields[i]!;
}

/** Where each node starts, and where its fields are. Nodes that the tree has passed before are not in the buffer. */
function placesOf(nodes: FlatMatches[1], fields: Uint32Array) {
  const starts = new Uint32Array(nodes.length);
  const fieldsAt = new Uint32Array(nodes.length);
  let next = 0;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!;
    fieldsAt[i] = next;
    starts[i] = typeof node === 'object' ? node.startIndex : fields[next + START_BYTE]! / 2;
    if (typeof node !== 'object') next += FIELDS;
  }
  return { starts, fieldsAt };
}

function nodeOf(tree: Parser.Tree, type: number, fields: Uint32Array): Parser.SyntaxNode {
  const language = (tree as unknown as { language: LoadedLanguage }).language;
  const Class = language.nodeSubclasses[type] ?? PlainNode;
  const node = new Class(tree);
  for (let i = 0; i < FIELDS; i++) node[i] = fields[i]!;
  return node;
}
