import { crc32 } from 'node:zlib';
import { SymbolTable } from '@causantic/domain/symbol-table';
import { alignedNumbers } from './cache/aligned-numbers.js';
import { Column } from './cache/column.js';
import type { FileListing } from './files/file-listing.js';
import { NO_HASH } from './extraction/file-tags.js';
import type { ProjectFiles } from './cache/project-cache.js';
import { readSource } from './extraction/source-text.js';
import { rowLength, TagColumnsBuilder, type TagColumns, type TagCounts } from './cache/tag-columns.js';
import type { RepoMapIssue } from './tags.js';

/** Tags of a batch of files, as one worker read them. */
export interface ReadBatch {
  /** The files' numbers in the listing. */
  files: Uint32Array;
  tags: TagColumns;
  /** One a file, see ReadFile. */
  hashes: Uint32Array;
  issues: RepoMapIssue[];
}

/** Where each listed file's tags come from. */
export interface UpdatePlan {
  /** Per listed file: its number in the cached files, or -1 to read it. */
  cachedNumber: Int32Array;
  /** The listed files to read, ascending. */
  toRead: number[];
  /** Whether the cache on disk differs from the files. */
  cacheIsStale: boolean;
  /** For how many files it differs. */
  staleFiles: number;
}

/** The coarsest file system times (FAT). A change this shortly before a read may go unnoticed. */
const RACY_MS = 2000;

/**
 * Compares the listing with the cache. Equal times and size mean unchanged, unless the file was changed just before it was
 * read. If only the times differ, as after a checkout, the content's hash decides.
 */
export function planUpdate(root: string, listing: FileListing, cached: ProjectFiles | undefined): UpdatePlan {
  const { paths } = listing;
  const cachedNumber = alignedNumbers(paths, cached?.paths ?? []);
  const toRead: number[] = [];
  let staleFiles = 0;
  cachedNumber.forEach((number, file) => {
    const state = cached && number >= 0 ? compare(root, listing, file, cached, number) : 'changed';
    if (state !== 'same') staleFiles++;
    if (state !== 'changed') return;
    cachedNumber[file] = -1;
    toRead.push(file);
  });
  const cacheIsStale = staleFiles > 0 || cached?.paths.length !== paths.length;
  return { cachedNumber, toRead, cacheIsStale, staleFiles };
}

function compare(
  root: string,
  listing: FileListing,
  file: number,
  cached: ProjectFiles,
  number: number,
): 'same' | 'touched' | 'changed' {
  // Whoever could not read it may have been too early: another program had it open, or a drive did not answer.
  if (listing.size[file] !== cached.size[number] || cached.hashes[number] === NO_HASH) return 'changed';
  const sameTimes =
    listing.mtimeMs[file] === cached.mtimeMs[number] && listing.ctimeMs[file] === cached.ctimeMs[number];
  const racy = cached.mtimeMs[number]! + RACY_MS > cached.readAtMs;
  if (sameTimes && !racy) return 'same';
  const hash = hashOnDisk(`${root}/${listing.paths[file]!}`);
  if (hash === NO_HASH || hash !== cached.hashes[number]) return 'changed';
  const stillRacy = listing.mtimeMs[file]! + RACY_MS > listing.listedAtMs;
  return sameTimes && stillRacy ? 'same' : 'touched';
}

function hashOnDisk(path: string): number {
  try {
    return crc32(readSource(path).content);
  } catch {
    return NO_HASH; // Then it counts as changed, and reading it again reports why it cannot be read.
  }
}

/** A changed share above this is built afresh, so that names of files long gone do not pile up. */
const FRESH_TABLE_SHARE = 0.25;

/** What is known of several files, from the cache or a batch. */
interface Source {
  tags: TagColumns;
  hashes: Uint32Array;
  /** What the names' numbers become; undefined where they stay. */
  names: Uint32Array | undefined;
}

/** @param batches hold what was read of `plan.toRead`; where that is not all, the rest is left out */
export function mergeUpdate(
  listing: FileListing,
  plan: UpdatePlan,
  cached: ProjectFiles | undefined,
  batches: readonly ReadBatch[],
): ProjectFiles {
  const { paths } = listing;
  const fresh = cached === undefined || plan.toRead.length > paths.length * FRESH_TABLE_SHARE;
  const symbols = new SymbolTable(fresh ? undefined : cached.tags.symbols);
  const namesIn = ({ tags }: { tags: TagColumns }) => symbols.internAll(new SymbolTable(tags.symbols));
  const kept = cached && { ...cached, names: fresh ? namesIn(cached) : undefined };
  const sources = new Array<Source | undefined>(paths.length).fill(kept);
  const numbers = plan.cachedNumber.slice();
  for (const batch of batches) {
    const source = { ...batch, names: namesIn(batch) };
    batch.files.forEach((file, number) => {
      sources[file] = source;
      numbers[file] = number;
    });
  }
  const builder = new TagColumnsBuilder(symbols, sizeOf(plan, cached, batches));
  const isKnown = (_: unknown, file: number) => numbers[file]! >= 0;
  const issues = batches.flatMap((batch) => batch.issues);
  if (cached !== undefined && cached.issues.length > 0) {
    const unchanged = new Set(paths.filter((_, file) => sources[file] === kept && isKnown(_, file)));
    issues.unshift(...cached.issues.filter(({ file }) => unchanged.has(file)));
  }
  return {
    paths: paths.filter(isKnown),
    mtimeMs: listing.mtimeMs.filter(isKnown),
    ctimeMs: listing.ctimeMs.filter(isKnown),
    size: listing.size.filter(isKnown),
    ...copied(sources, numbers, builder),
    issues,
    readAtMs: listing.listedAtMs,
  };
}

/** Takes each file from its source, by its number there; as many at once as follow each other. */
function copied(
  sources: readonly (Source | undefined)[],
  numbers: Int32Array,
  builder: TagColumnsBuilder,
): Pick<ProjectFiles, 'hashes' | 'tags'> {
  const hashes = new Column(new Uint32Array(numbers.length));
  for (let file = 0, end = 1; file < numbers.length; file = end++) {
    const source = sources[file];
    const first = numbers[file]!;
    if (source === undefined || first < 0) continue;
    while (sources[end] === source && numbers[end] === first + end - file) end++;
    builder.copyFiles(source.tags, { first, count: end - file }, source.names);
    hashes.pushAll(source.hashes.subarray(first, first + end - file));
  }
  return { hashes: hashes.trimmed(), tags: builder.finish() };
}

function sizeOf(
  { cachedNumber }: UpdatePlan,
  cached: ProjectFiles | undefined,
  batches: readonly ReadBatch[],
): TagCounts {
  const size = { files: cachedNumber.length, definitions: 0, references: 0 };
  for (const { tags } of batches) {
    size.definitions += tags.definitionName.length;
    size.references += tags.referenceName.length;
  }
  if (cached === undefined) return size;
  const { definitionStart, referenceStart } = cached.tags;
  for (const number of cachedNumber) {
    if (number < 0) continue;
    size.definitions += rowLength(definitionStart, number);
    size.references += rowLength(referenceStart, number);
  }
  return size;
}
