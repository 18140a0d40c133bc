import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '@causantic/domain';
import { LANGUAGES, languageOfContent } from './languages.js';
import { looksGenerated, looksMinified } from './left-out-files.js';
import { ParseTimeoutError } from './parse-timeout.js';
import { extractWithRegex } from './regex-extractor.js';
import { decodeSource } from './source-text.js';
import type { FileTags, RepoMapIssue } from './tags.js';
import { TreeSitterExtractor } from './tree-sitter-extractor.js';

/** The first 64 bits of SHA-1: tells changed content from a touched file; nothing depends on it being secret. */
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

/** Reads files and extracts their tags; keeps loaded grammars between files. */
export class FileTagReader {
  private readonly treeSitter = new TreeSitterExtractor(FILE_TIMEOUT_MS);

  constructor(private readonly root: string) {}

  /** Never throws: what fails becomes the file's issue. */
  async read(path: string): Promise<ReadFile> {
    let bytes: Buffer;
    try {
      bytes = readFileSync(join(this.root, path));
    } catch (error) {
      return { hash: NO_HASH, tags: undefined, issue: issueOf(path, 'UNREADABLE', error) };
    }
    const hash = contentHash(bytes);
    try {
      return { hash, tags: await this.tagsOf(path, bytes), issue: undefined };
    } catch (error) {
      const code = error instanceof ParseTimeoutError ? 'PARSE_TIMEOUT' : 'PARSE_FAILED';
      return { hash, tags: undefined, issue: issueOf(path, code, error) };
    }
  }

  private async tagsOf(path: string, bytes: Buffer): Promise<FileTags | undefined> {
    const text = decodeSource(bytes);
    if (text === undefined || looksGenerated(text) || looksMinified(text)) return undefined;
    const number = languageOfContent(path, text);
    if (number === undefined) return undefined;
    const { name, extractor } = LANGUAGES[number]!;
    const extracted =
      extractor === 'tree-sitter'
        ? await this.treeSitter.extract(name, text)
        : extractWithRegex(name, text, FILE_TIMEOUT_MS);
    return { language: number, ...extracted };
  }
}

export function contentHash(bytes: Buffer): ContentHash {
  const digest = createHash('sha1').update(bytes).digest();
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)];
}

function issueOf(file: string, code: RepoMapIssue['code'], error: unknown): RepoMapIssue {
  return { file, code, message: errorMessage(error) };
}
