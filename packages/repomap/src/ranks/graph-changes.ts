import { SymbolTable, type SymbolTableArrays } from '@causantic/domain/symbol-table';
import { alignedNumbers } from '../cache/aligned-numbers.js';
import { familyOf } from './definers.js';
import { IMPORT, leastPassedOn, modulesIn } from './imported-files.js';
import { endOfModule, endsOfFile, isPythonPackage } from './module-names.js';
import { rowLength, type TagColumns } from '../cache/tag-columns.js';
import { canBeMeant } from '../tags.js';

/** What the graph is made of. */
export interface GraphFiles {
  /** Ascending. */
  paths: readonly string[];
  hashes: Uint32Array;
  tags: TagColumns;
}

/** The parts of a graph that are still valid after files changed. */
export interface GraphChanges {
  /** Per file, its number before if all it mentions means the same as before, else -1. */
  keptFrom: Int32Array;
  /** By number before, the number now; undefined where all numbers are the same. */
  numberNow: Int32Array | undefined;
  /** Whether no files were added or removed. */
  samePaths: boolean;
  /** Per changed file (its number now), where its definitions stand now, by their place before; -1 for none. */
  placesNow: ReadonlyMap<number, Int32Array>;
}

/** @returns undefined if nothing can be kept, because numbers of names or re-exports have changed */
export function graphChanges(before: GraphFiles, now: GraphFiles): GraphChanges | undefined {
  if (!extendsTable(before.tags.symbols, now.tags.symbols)) return undefined;
  const keptFrom = alignedNumbers(now.paths, before.paths);
  const numberNow = inverse(keptFrom, before.paths.length);
  const touched = new Uint8Array(now.tags.symbols.ends.length);
  const placesNow = new Map<number, Int32Array>();
  const cameOrWent = [
    ...before.paths.filter((_, old) => numberNow[old]! < 0),
    ...now.paths.filter((_, number) => keptFrom[number]! < 0),
  ];
  numberNow.forEach((file, old) => {
    if (file < 0) touchAll(touched, firstPlaces({ tags: before.tags, file: old }));
  });
  for (let number = 0; number < keptFrom.length; number++) {
    if (sameContent(before, keptFrom[number]!, now, number)) continue;
    const file = { tags: now.tags, file: number };
    const earlier = { tags: before.tags, file: keptFrom[number]! };
    if (earlier.file < 0) touchAll(touched, firstPlaces(file));
    else if (!sameTags(earlier, file)) {
      if (passedOn(earlier, now.paths[number]!) !== passedOn(file, now.paths[number]!)) return undefined;
      placesNow.set(number, placesNowOf(earlier, file));
      touchDifference(touched, earlier, file);
      keptFrom[number] = -1;
    }
  }
  if (touched.includes(1)) dropThoseThatMention(touched, now.tags, keptFrom);
  if (cameOrWent.length > 0 && !dropThoseThatImport(cameOrWent, now, keptFrom)) return undefined;
  const renumbered = numberNow.some((file, old) => file !== old);
  const samePaths = !renumbered && now.paths.length === before.paths.length;
  return { keptFrom, numberNow: renumbered ? numberNow : undefined, samePaths, placesNow };
}

/** Numbers stay as long as names are only added. */
function extendsTable(before: SymbolTableArrays, now: SymbolTableArrays): boolean {
  return beginsWith(now.bytes, before.bytes) && beginsWith(bytesOf(now.ends), bytesOf(before.ends));
}

function beginsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return Buffer.compare(bytes.subarray(0, start.length), start) === 0;
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function inverse(numbers: Int32Array, count: number): Int32Array {
  const inverted = new Int32Array(count).fill(-1);
  numbers.forEach((number, place) => {
    if (number >= 0) inverted[number] = place;
  });
  return inverted;
}

/** A file of one state of the tags. */
interface FileOf {
  tags: TagColumns;
  file: number;
}

/** Says so of most files without looking at their tags; whether the tags are the same all the same, {@link sameTags} says. */
function sameContent(before: GraphFiles, old: number, now: GraphFiles, number: number): boolean {
  return (
    old >= 0 &&
    before.hashes[old] === now.hashes[number] &&
    rowLength(before.tags.definitionStart, old) === rowLength(now.tags.definitionStart, number) &&
    rowLength(before.tags.referenceStart, old) === rowLength(now.tags.referenceStart, number)
  );
}

/** Lines do not matter to the graph. */
function sameTags(a: FileOf, b: FileOf): boolean {
  return (
    a.tags.language[a.file] === b.tags.language[b.file] &&
    sameRow(a, b, 'definitionStart', 'definitionName') &&
    sameRow(a, b, 'definitionStart', 'definitionKind') &&
    sameRow(a, b, 'referenceStart', 'referenceName') &&
    sameRow(a, b, 'referenceStart', 'referenceCount') &&
    sameRow(a, b, 'referenceStart', 'referenceForm')
  );
}

function sameRow(
  a: FileOf,
  b: FileOf,
  start: 'definitionStart' | 'referenceStart',
  column: 'definitionName' | 'definitionKind' | 'referenceName' | 'referenceCount' | 'referenceForm',
): boolean {
  const [first, end] = [a.tags[start][a.file]!, a.tags[start][a.file + 1]!];
  const shift = b.tags[start][b.file]! - first;
  if (b.tags[start][b.file + 1]! - end !== shift) return false;
  const [left, right] = [a.tags[column], b.tags[column]];
  for (let i = first; i < end; i++) if (left[i] !== right[i + shift]) return false;
  return true;
}

/** By name, the place of a file's first definition of it. */
function firstPlaces({ tags, file }: FileOf): Map<number, number> {
  const places = new Map<number, number>();
  const start = tags.definitionStart[file]!;
  for (let d = tags.definitionStart[file + 1]! - 1; d >= start; d--)
    if (canBeMeant(tags.definitionKind[d]!)) places.set(tags.definitionName[d]!, d - start);
  return places;
}

function placesNowOf(before: FileOf, now: FileOf): Int32Array {
  const places = new Int32Array(rowLength(before.tags.definitionStart, before.file)).fill(-1);
  const placesNow = firstPlaces(now);
  for (const [name, place] of firstPlaces(before)) places[place] = placesNow.get(name) ?? -1;
  return places;
}

/** In another language all its names mean something else. */
function touchDifference(touched: Uint8Array, before: FileOf, now: FileOf): void {
  const [names, namesNow] = [firstPlaces(before), firstPlaces(now)];
  const sameFamily = familyIn(before) === familyIn(now);
  for (const name of [...names.keys(), ...namesNow.keys()]) {
    const sameKind = kindAt(before, names.get(name)) === kindAt(now, namesNow.get(name));
    if (!sameFamily || !sameKind) touched[name] = 1;
  }
}

/** @returns undefined for no place */
function kindAt({ tags, file }: FileOf, place: number | undefined): number | undefined {
  return place === undefined ? undefined : tags.definitionKind[tags.definitionStart[file]! + place]!;
}

function familyIn({ tags, file }: FileOf): number {
  return familyOf(tags.language[file]!);
}

function touchAll(touched: Uint8Array, names: ReadonlyMap<number, number>): void {
  for (const name of names.keys()) touched[name] = 1;
}

function dropThoseThatMention(touched: Uint8Array, tags: TagColumns, keptFrom: Int32Array): void {
  for (let file = 0; file < keptFrom.length; file++) {
    const end = tags.referenceStart[file + 1]!;
    for (let r = tags.referenceStart[file]!; r < end; r++) {
      if (touched[tags.referenceName[r]!] === 1) keptFrom[file] = -1;
    }
  }
}

/** The modules that a file brings in for those that import it. */
function passedOn({ tags, file }: FileOf, path: string): string {
  return modulesIn(tags, file, leastPassedOn(path)).join();
}

/** @returns whether what files pass on is the same still */
function dropThoseThatImport(
  cameOrWent: readonly string[],
  { paths, tags }: GraphFiles,
  keptFrom: Int32Array,
): boolean {
  if (cameOrWent.some(isPythonPackage)) return false;
  const ends = new Set(cameOrWent.flatMap(endsOfFile));
  const symbols = new SymbolTable(tags.symbols);
  const known: (boolean | undefined)[] = [];
  const isTouched = (module: number): boolean =>
    (known[module] ??= ends.has(endOfModule(symbols.name(module))));
  for (let file = 0; file < keptFrom.length; file++) {
    if (modulesIn(tags, file, leastPassedOn(paths[file]!)).some(isTouched)) return false;
    if (modulesIn(tags, file, IMPORT).some(isTouched)) keptFrom[file] = -1;
  }
  return true;
}
