import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { removeAbandonedFiles } from '@causantic/domain';
import { readColumnFile, writeColumnFile, type ColumnArray } from './column-file.js';
import { EXTRACTION_VERSION } from '../extraction/extraction-version.js';
import type { TagColumns } from './tag-columns.js';
import type { RepoMapIssue } from '../tags.js';

/** What is known of every file of a project: the listing's facts and the tags, in the listing's order. */
export interface ProjectFiles {
  paths: string[];
  mtimeMs: Float64Array;
  ctimeMs: Float64Array;
  size: Float64Array;
  /** CRC-32 of each file's content: tells changed content, where lengths are equal. */
  hashes: Uint32Array;
  tags: TagColumns;
  issues: RepoMapIssue[];
  /** When these were read: the times of a file that changed at the same moment cannot be trusted. */
  readAtMs: number;
}

/** Of all projects: their tags and answers. */
const CACHE_FILES = /-[0-9a-f]{8}\.repomap(?:\.answers)?$/;
/** What a killed program was about to put in their place. */
const DRAFTS = /-[0-9a-f]{8}\.repomap(?:\.answers)?\.[\d-]+\.tmp$/;

/** Agents work in folders that are soon gone. A cache that goes too early is made again. */
const UNUSED_AFTER_MS = 90 * 24 * 3_600_000;

/** Leaves room for what is added to it: systems take names of 255. */
const MAX_NAME_CHARACTERS = 100;

/** One file per project root, named so that a person can tell which. */
export function cacheFileOf(cacheDir: string, root: string): string {
  const digest = crc32(root).toString(16).padStart(8, '0');
  const name =
    basename(root)
      .replace(/[^\w.-]/g, '_')
      .slice(0, MAX_NAME_CHARACTERS) || 'root';
  return join(cacheDir, `${name}-${digest}.repomap`);
}

export function saveProjectFiles(path: string, files: ProjectFiles): void {
  tidy(dirname(path));
  const { symbols, ...tags } = files.tags;
  writeColumnFile(path, EXTRACTION_VERSION, {
    paths: Buffer.from(files.paths.join('\0')),
    issues: Buffer.from(JSON.stringify(files.issues)),
    readAtMs: Float64Array.of(files.readAtMs),
    mtimeMs: files.mtimeMs,
    ctimeMs: files.ctimeMs,
    size: files.size,
    hashes: files.hashes,
    ...prefixed('symbols.', { ...symbols }),
    ...prefixed('tags.', tags),
  });
}

function tidy(cacheDir: string): void {
  try {
    removeAbandonedFiles(cacheDir, DRAFTS);
    removeAbandonedFiles(cacheDir, CACHE_FILES, UNUSED_AFTER_MS);
  } catch {
    // A folder or a file that is not ours: writing reports it.
  }
}

/** @returns undefined where nothing usable is cached */
export function loadProjectFiles(path: string): ProjectFiles | undefined {
  const columns = readColumnFile(path, EXTRACTION_VERSION);
  if (columns === undefined) return undefined;
  const paths = textOf(columns['paths']);
  return {
    paths: paths === '' ? [] : paths.split('\0'),
    issues: JSON.parse(textOf(columns['issues'])) as RepoMapIssue[],
    readAtMs: columns['readAtMs']![0]!,
    mtimeMs: columns['mtimeMs'] as Float64Array,
    ctimeMs: columns['ctimeMs'] as Float64Array,
    size: columns['size'] as Float64Array,
    hashes: columns['hashes'] as Uint32Array,
    tags: {
      ...unprefixed('tags.', columns),
      symbols: unprefixed('symbols.', columns),
    } as unknown as TagColumns,
  };
}

function textOf(column: ColumnArray | undefined): string {
  return Buffer.from(column as Uint8Array).toString('utf8');
}

function prefixed(prefix: string, columns: Record<string, ColumnArray>): Record<string, ColumnArray> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [prefix + name, column]));
}

function unprefixed(prefix: string, columns: Record<string, ColumnArray>): Record<string, ColumnArray> {
  const own = Object.entries(columns).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, column]) => [name.slice(prefix.length), column]));
}
