import { languageNumber } from '../extraction/languages.js';
import { FULL_LENGTH } from './name-weight.js';
import type { GraphFiles } from './graph-changes.js';
import { SHOWS, SHOWS_METHOD, type ReferenceGraph } from './reference-graph.js';
import { DEFINITION_KINDS, isWithinTests, shownKind, type DefinitionKind, type ShownKind } from '../tags.js';
import type { TagColumns } from '../cache/tag-columns.js';

/**
 * The relative worth of a definition that nobody mentions: types help orientation more than constants. What is shown as
 * another kind is worth as much as that unless it stands here, and nothing within tests.
 */
const KIND_WORTH: Readonly<Record<ShownKind, number> & Partial<Record<DefinitionKind, number>>> = {
  class: 1,
  interface: 1,
  struct: 1,
  trait: 1,
  protocol: 1,
  record: 1,
  object: 1,
  component: 1,
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
  'open-namespace': 0.1,
  const: 0.4,
  'local-fn': 0.4,
  'local-class': 0.4,
  'local-struct': 0.4,
  'local-type': 0.4,
  // Not left out as other methods are: any object has something of this name.
  constructor: 0.6,
  'associated-type': 0.4,
  'path-module': 0.1,
};

/** Mentions are told from other words by what the file itself defines and imports; numbers as in the tags' column. */
const TOLD_FROM_WORDS: ReadonlySet<number> = new Set(
  ['typescript', 'tsx', 'javascript', 'go', 'python', 'php'].map((name) => 1 + languageNumber(name)),
);
/** Takes back what names of fewer than eight characters lose by their length, down to four. */
const MOST_RAISED = 2;

/** By the kinds' numbers in the columns. */
const WORTH = Float64Array.from(DEFINITION_KINDS, (kind, number) =>
  isWithinTests(number) ? 0 : (KIND_WORTH[kind] ?? KIND_WORTH[shownKind(number)]),
);

/** A line of it would tell no more than its file's path, which stands above it. */
const SAID_BY_PATH = DEFINITION_KINDS.indexOf('path-module');

/**
 * What a mention of a method counts in a file that mentions nothing else of the method's file, without a focus:
 * `json.decode()` is hardly the `decode` of a `Stream`.
 */
const UNKNOWN_METHOD = 0.1;
const TYPES: ReadonlySet<DefinitionKind> = new Set<DefinitionKind>([
  'class',
  'interface',
  'struct',
  'trait',
  'protocol',
  'record',
  'object',
  'enum',
  'type',
]);
/** By kind. */
const IS_TYPE = Uint8Array.from(DEFINITION_KINDS, (kind) => Number(TYPES.has(kind)));

/** As bytes of names. */
const [HYPHEN, DOT, COLON, UNDERSCORE] = Buffer.from('-.:_');
const LAST_OF_ASCII = 0x7f;
/** From a capital letter to its small one. */
const TO_SMALL = 0x20;

/** The share of a file's rank that its definitions get by kind alone; the rest comes from who mentions them. */
const OWN_SHARE = 0.15;
/** With something in focus its users count as such, and users are mentioned by nobody. */
const OWN_SHARE_IN_FOCUS = 2;
/** Around a focus a file appears by its own rank, which a test with sixty functions would spread over all of them. */
const FIRST_SHARE_IN_FOCUS = 3;
/** What each further definition gets that a file in focus mentions. */
const MENTIONED_SHARE_IN_FOCUS = 1;
/** What a file's only definition gets, mentions aside. */
export const ONLY_DEFINITION_SHARE_IN_FOCUS = OWN_SHARE_IN_FOCUS + FIRST_SHARE_IN_FOCUS;

/**
 * What is mentioned: around a focus, each file passes its rank on along its mentions. Without one, all of a file's
 * mentions count in full, however many it has, by the root of its rank: else the few names that a file of few words
 * mentions come before what the whole tree uses (decision 0022). A little comes from the definition's own file.
 *
 * @param focus numbers of the files in focus, if any
 * @returns one value per definition, in the columns' order
 */
export function rankDefinitions(
  files: Pick<GraphFiles, 'paths' | 'tags'>,
  graph: ReferenceGraph,
  fileRanks: Float64Array,
  focus: readonly number[],
): Float64Array {
  const { tags } = files;
  const inFocus = focus.length > 0;
  const ranks = new Float64Array(tags.definitionName.length);
  shareOwnRank(tags, fileRanks, ranks, inFocus ? OWN_SHARE_IN_FOCUS : OWN_SHARE);
  const { start, to, place, weight, shows } = graph.mentions;
  const hasTypes = inFocus ? undefined : filesWithTypes(tags);
  for (let from = 0; from < fileRanks.length; from++) {
    const end = start[from + 1]!;
    const rank = fileRanks[from]!;
    const share = inFocus ? rank / sumOf(weight, start[from]!, end) : Math.sqrt(rank / fileRanks.length);
    for (let m = start[from]!; m < end; m++) {
      const definition = tags.definitionStart[to[m]!]! + place[m]!;
      if (hasTypes === undefined || shows[m] === SHOWS) ranks[definition]! += share * weight[m]!;
      else if (shows[m] === SHOWS_METHOD)
        ranks[definition]! += share * weight[m]! * (hasTypes[to[m]!] === 1 ? UNKNOWN_METHOD : 1);
    }
  }
  passOnWhatPathsSay(tags, ranks);
  if (inFocus) raiseShown(files, graph, fileRanks, ranks, focus);
  else raiseShortNames(tags, ranks);
  return ranks;
}

/** Per file, 1 if it defines a type: others have methods of types in other files. */
function filesWithTypes({ language, definitionStart, definitionKind }: TagColumns): Uint8Array {
  const hasTypes = new Uint8Array(language.length);
  for (let file = 0; file < hasTypes.length; file++)
    for (let d = definitionStart[file]!; d < definitionStart[file + 1]! && hasTypes[file] === 0; d++)
      hasTypes[file] = IS_TYPE[definitionKind[d]!]!;
  return hasTypes;
}

/** Who mentions `Shop.Cart` means `Shop/Cart.hs`: the best of what else that defines is shown for it. */
function passOnWhatPathsSay({ definitionStart, definitionKind }: TagColumns, ranks: Float64Array): void {
  for (let file = 0; file + 1 < definitionStart.length; file++) {
    const [module, end] = [definitionStart[file]!, definitionStart[file + 1]!];
    if (definitionKind[module] !== SAID_BY_PATH || end - module < 2) continue;
    let best = module + 1;
    for (let d = best; d < end; d++) if (ranks[d]! > ranks[best]!) best = d;
    ranks[best]! += ranks[module]!;
    ranks[module] = 0;
  }
}

/**
 * A short name says little about the files that mention it, but what many files mention is worth showing by whatever name.
 * Where a mention may be any word of that name, only with a capital, as types have it.
 */
function raiseShortNames(
  { symbols, definitionName, definitionStart, language }: TagColumns,
  ranks: Float64Array,
): void {
  for (let file = 0; file < language.length; file++) {
    const isAnyTold = TOLD_FROM_WORDS.has(language[file]!);
    for (let d = definitionStart[file]!; d < definitionStart[file + 1]!; d++) {
      const name = definitionName[d]!;
      const start = name === 0 ? 0 : symbols.ends[name - 1]!;
      const length = charactersIn(symbols.bytes, start, symbols.ends[name]!);
      if (length < FULL_LENGTH && (isAnyTold || isCapital(symbols.bytes[start]!)))
        ranks[d]! *= Math.min(MOST_RAISED, FULL_LENGTH / length) ** 2;
    }
  }
}

/** Of UTF-8, in which all bytes of a character but the first begin with the bits 10. */
function charactersIn(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if ((bytes[at]! & 0xc0) !== 0x80) count++;
  return count;
}

function isCapital(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}

function sumOf(values: Float32Array, start: number, end: number): number {
  let sum = 0;
  for (let i = start; i < end; i++) sum += values[i]!;
  return sum;
}

/**
 * One definition stands for each file: the one that has its name, unless the files in focus mention others of it alone; else
 * the best, one that they mention, if there is any. The others that they mention are shown beside it.
 */
function raiseShown(
  { paths, tags }: Pick<GraphFiles, 'paths' | 'tags'>,
  graph: ReferenceGraph,
  fileRanks: Float64Array,
  ranks: Float64Array,
  focus: readonly number[],
): void {
  const mentioned = mentionedBy(focus, tags, graph);
  for (let file = 0; file < fileRanks.length; file++) {
    const [start, end] = [tags.definitionStart[file]!, tags.definitionStart[file + 1]!];
    const namesake = namesakeOf(tags, file, paths[file]!);
    let first = namesake ?? start;
    for (let d = start; d < end; d++) {
      const more = mentioned[d]! - mentioned[first]! || (first === namesake ? 0 : ranks[d]! - ranks[first]!);
      if (more > 0) first = d;
    }
    for (let d = start; d < end; d++) {
      if (isWithinTests(tags.definitionKind[d]!)) continue;
      const share = d === first ? FIRST_SHARE_IN_FOCUS : MENTIONED_SHARE_IN_FOCUS * mentioned[d]!;
      ranks[d]! += share * fileRanks[file]!;
    }
  }
}

/** The definition that has its file's name: `ReaderMenu` of `readermenu.lua`, or `Shop.OrderLine` of `order_line.ex`. */
function namesakeOf(tags: TagColumns, file: number, path: string): number | undefined {
  const stem = Buffer.from(
    path
      .slice(path.lastIndexOf('/') + 1)
      .replace(/\.[^.]*$/, '')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase(),
  );
  let best: number | undefined;
  for (let d = tags.definitionStart[file]!; d < tags.definitionStart[file + 1]!; d++) {
    const worth = WORTH[tags.definitionKind[d]!]!;
    if (worth <= KIND_WORTH.package || !isNamed(tags, d, stem)) continue;
    if (best === undefined || worth > WORTH[tags.definitionKind[best]!]!) best = d;
  }
  return best;
}

/** Whether its name, or what of it stands behind the last dot or colon, is this but for case, `_` and `-`. */
function isNamed({ symbols, definitionName }: TagColumns, definition: number, stem: Uint8Array): boolean {
  const name = definitionName[definition]!;
  const start = name === 0 ? 0 : symbols.ends[name - 1]!;
  if (stem.some((byte) => byte > LAST_OF_ASCII)) {
    const own = Buffer.from(symbols.bytes.subarray(start, symbols.ends[name])).toString();
    return own.toLowerCase().replace(/[_-]/g, '').split(/[.:]/).at(-1) === Buffer.from(stem).toString();
  }
  let left = stem.length;
  for (let at = symbols.ends[name]! - 1; at >= start; at--) {
    const byte = symbols.bytes[at]!;
    if (byte === UNDERSCORE || byte === HYPHEN) continue;
    if (left === 0) return byte === DOT || byte === COLON;
    if ((isCapital(byte) ? byte + TO_SMALL : byte) !== stem[--left]) return false;
  }
  return left === 0 && stem.length > 0;
}

/** @returns per definition, 1 for those that one of these files mentions; other code hardly means what a test defines */
function mentionedBy(
  files: readonly number[],
  tags: TagColumns,
  { mentions: { start, to, place }, tests }: ReferenceGraph,
): Uint8Array {
  const mentioned = new Uint8Array(tags.definitionName.length);
  for (const from of files)
    for (let m = start[from]!; m < start[from + 1]!; m++) {
      const definition = tags.definitionStart[to[m]!]! + place[m]!;
      const isMeant = tests[to[m]!] === 0 || tests[from] === 1;
      if (isMeant && tags.definitionKind[definition] !== SAID_BY_PATH) mentioned[definition] = 1;
    }
  return mentioned;
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
    for (let d = start; d < end; d++) total += WORTH[tags.definitionKind[d]!]!;
    const share = (ownShare * fileRanks[file]!) / (total || 1);
    for (let d = start; d < end; d++) ranks[d] = share * WORTH[tags.definitionKind[d]!]!;
  }
}
