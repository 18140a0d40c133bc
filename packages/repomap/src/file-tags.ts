import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { errorMessage } from '@causantic/domain';
import { LANGUAGES, languageOfContent } from './languages.js';
import { looksGenerated, looksMinified } from './left-out-files.js';
import { ParseTimeoutError } from './parse-timeout.js';
import { extractWithRegex } from './regex-extractor.js';
import { decodeSource } from './source-text.js';
import type { FileTags, RepoMapIssue } from './tags.js';
import { TreeSitterExtractor } from './tree-sitter-extractor.js';

/** A checksum and a hash of 32 bits each: they tell changed content from a touched file, where sizes are equal. */
export type ContentHash = readonly [number, number];

export interface ReadFile {
  hash: ContentHash;
  /** Undefined for what turned out to be no source: binary, generated, minified. */
  tags: FileTags | undefined;
  issue: RepoMapIssue | undefined;
}

/** A file of the largest size allowed parses in well under a second; ten times that is a parser in trouble. */
const FILE_TIMEOUT_MS = 2000;
export const NO_HASH: ContentHash = [0, 0];

/** One a thread: loaded grammars are worth keeping, whichever project the next file is from. */
const treeSitter = new TreeSitterExtractor(FILE_TIMEOUT_MS);

/** Reads a file and extracts its tags. Never throws: what fails becomes the file's issue. */
export async function readTags(root: string, path: string): Promise<ReadFile> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(`${root}/${path}`);
  } catch (error) {
    return { hash: NO_HASH, tags: undefined, issue: issueOf(path, 'UNREADABLE', error) };
  }
  const hash = contentHash(bytes);
  try {
    return { hash, tags: await tagsOf(path, bytes), issue: undefined };
  } catch (error) {
    const code = error instanceof ParseTimeoutError ? 'PARSE_TIMEOUT' : 'PARSE_FAILED';
    return { hash, tags: undefined, issue: issueOf(path, code, error) };
  }
}

async function tagsOf(path: string, bytes: Buffer): Promise<FileTags | undefined> {
  const text = decodeSource(bytes);
  if (text === undefined || looksGenerated(text) || looksMinified(text)) return undefined;
  const number = languageOfContent(path, text);
  if (number === undefined) return undefined;
  const { name, extractor } = LANGUAGES[number]!;
  const extracted =
    extractor === 'tree-sitter'
      ? await treeSitter.extract(name, text)
      : extractWithRegex(name, text, FILE_TIMEOUT_MS);
  return { language: number, ...extracted };
}

export function contentHash(bytes: Buffer): ContentHash {
  return [crc32(bytes), wordHash(bytes)];
}

/** FNV-1a, four bytes at a time; what is left over at the end is in the checksum. */
function wordHash(bytes: Buffer): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i + 4 <= bytes.length; i += 4) {
    const word = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    hash = Math.imul(hash ^ word, 0x01000193);
  }
  return hash >>> 0;
}

function issueOf(file: string, code: RepoMapIssue['code'], error: unknown): RepoMapIssue {
  return { file, code, message: errorMessage(error) };
}
