import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { EXTRACTION_VERSION } from '../extraction/extraction-version.js';
import type { ProjectFiles } from './project-cache.js';
import type { MapInput, ProjectMap } from '../project-map.js';
import { replaceFile } from './replace-file.js';

interface Answer {
  key: string;
  map: ProjectMap;
}

/** An agent asks for the same few maps again and again. */
const ANSWERS_KEPT = 8;

/**
 * Earlier answers, stored beside the cache of tags. While no file has changed, the same question has the same answer, and
 * neither graph nor tokenizer need to be loaded.
 */
export class AnswerMemo {
  private readonly path: string;

  constructor(cacheFile: string) {
    this.path = `${cacheFile}.answers`;
  }

  find(files: ProjectFiles, request: MapInput): ProjectMap | undefined {
    const key = keyOf(files, request);
    return this.answers().find((answer) => answer.key === key)?.map;
  }

  /** @throws Error where the folder cannot be written */
  keep(files: ProjectFiles, request: MapInput, map: ProjectMap): void {
    const key = keyOf(files, request);
    const others = this.answers().filter((answer) => answer.key !== key);
    const kept = [{ key, map }, ...others].slice(0, ANSWERS_KEPT);
    replaceFile(this.path, [Buffer.from(JSON.stringify(kept))]);
  }

  private answers(): Answer[] {
    try {
      const answers: unknown = JSON.parse(readFileSync(this.path, 'utf8'));
      return Array.isArray(answers) ? (answers as Answer[]) : [];
    } catch {
      return []; // Missing or damaged: the map is made anew.
    }
  }
}

/**
 * The tags are identified by the time of their listing, and by the contents: two processes may list in one moment.
 * Hashed, since a request names what sessions touched, which may be forgotten later.
 */
function keyOf({ readAtMs, paths, hashes }: ProjectFiles, request: MapInput): string {
  const key = JSON.stringify([EXTRACTION_VERSION, readAtMs, paths.length, crc32(hashes), request]);
  return createHash('sha256').update(key).digest('base64');
}
