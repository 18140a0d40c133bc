import { crc32 } from 'node:zlib';
import { errorReason } from '@causantic/domain/errors';
import { isComponentFile, scriptOf, withComponents } from './component-file.js';
import { LANGUAGES, languageOfContent } from './languages.js';
import {
  isBundle,
  isLibraryCopy,
  isTranslation,
  looksGenerated,
  looksMinified,
} from '../files/left-out-files.js';
import { ParseTimeoutError } from './parse-timeout.js';
import { withOwn, withSaidByPath } from './own-definitions.js';
import { extractWithRegex } from './regex-extractor.js';
import { readSource, type SourceFile } from './source-text.js';
import type { FileTags, RepoMapIssue } from '../tags.js';
import { TreeSitterExtractor } from './tree-sitter-extractor.js';

export interface ReadFile {
  /** CRC-32 of its content; {@link NO_HASH} where it could not be read. */
  hash: number;
  /** Undefined for a file that turned out not to be source: binary, generated, minified, a copy of a library. */
  tags: FileTags | undefined;
  issue: RepoMapIssue | undefined;
}

/** A file of the largest size allowed parses in well under a second; ten times that is a parser in trouble. */
const FILE_TIMEOUT_MS = 2000;
export const NO_HASH = 0;
/** What takes the place of a file that is not part of the tree, or no more. */
export const NOT_READ: ReadFile = { hash: NO_HASH, tags: undefined, issue: undefined };

/** One per thread: loaded grammars are worth keeping, whichever project the next file is from. */
const treeSitter = new TreeSitterExtractor(FILE_TIMEOUT_MS);

/** Reads a file and extracts its tags. Never throws: an error becomes the file's issue. */
export async function readTags(root: string, path: string): Promise<ReadFile> {
  let source: SourceFile;
  try {
    source = readSource(`${root}/${path}`);
  } catch (error) {
    // Deleted since it was listed, as by a checkout: it is not missing from the map.
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isGone ? NOT_READ : { ...NOT_READ, issue: issueOf(path, 'UNREADABLE', error) };
  }
  const hash = crc32(source.content);
  try {
    return { hash, tags: await tagsOf(path, source.text), issue: undefined };
  } catch (error) {
    const code = error instanceof ParseTimeoutError ? 'PARSE_TIMEOUT' : 'PARSE_FAILED';
    return { hash, tags: undefined, issue: issueOf(path, code, error) };
  }
}

async function tagsOf(path: string, text: string | undefined): Promise<FileTags | undefined> {
  if (text === undefined || looksGenerated(text) || looksMinified(text)) return undefined;
  if (isTranslation(path, text) || isLibraryCopy(path, text) || isBundle(path, text)) return undefined;
  const number = languageOfContent(path, text);
  if (number === undefined) return undefined;
  const { name, extractor } = LANGUAGES[number]!;
  const isComponent = isComponentFile(path);
  const source = isComponent ? scriptOf(text) : text;
  const extracted =
    extractor === 'tree-sitter'
      ? await treeSitter.extract(name, source)
      : extractWithRegex(name, source, FILE_TIMEOUT_MS);
  const definitions = withSaidByPath(withOwn(extracted.definitions, path, name, source), path, name);
  const tags = { ...extracted, definitions };
  return { language: number, ...(isComponent ? withComponents(tags, path, text) : tags) };
}

function issueOf(file: string, code: RepoMapIssue['code'], error: unknown): RepoMapIssue {
  return { file, code, message: errorReason(error) };
}
