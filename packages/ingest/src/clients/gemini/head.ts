import { basename, dirname } from 'node:path';
import {
  type JsonObject,
  isObject,
  listOf,
  objectOf,
  stringOf,
  timeMsOf,
} from '../../transcripts/records.js';
import type { TranscriptHead, TranscriptOrigin } from '../../transcripts/transcript-origin.js';
import { contentParts, fileOpenBeside, isSessionContext, textOf, workspaceFolders } from './content.js';
import { findProjectFolder } from './project-folder.js';

/** Paths looked at for the project's folder. */
const MAX_PATHS = 1_000;

/** Where a chat that was not answered shows that it is Qwen Code's. */
const QWEN_FOLDER = /[\\/]\.qwen[\\/]/;

/** Is this the record that a chat of Gemini begins with, or a whole chat? */
export function isGeminiMetadata(record: JsonObject): boolean {
  return (
    typeof record['sessionId'] === 'string' &&
    (typeof record['projectHash'] === 'string' || Array.isArray(record['messages']))
  );
}

/** What the first records of a Gemini chat tell of it. */
export class GeminiHead implements TranscriptHead {
  /** The folder's name may need all paths that the first records name. */
  readonly isComplete = false;
  private metadata: JsonObject = {};
  private hasContent = false;
  /** Early versions of Qwen Code kept chats in this form, with what tools gave as the user's words. They are not read. */
  private isQwens = false;
  private readonly paths = new Set<string>();

  add(record: JsonObject): void {
    const fields = isObject(record['$set']) ? record['$set'] : record;
    this.metadata = { ...this.metadata, ...(isMessage(fields) ? {} : fields), messages: undefined };
    for (const message of isMessage(fields) ? [fields] : listOf(fields['messages']).filter(isObject)) {
      const parts = contentParts(message['content']);
      const isSaid = message['type'] === 'user' || message['type'] === 'gemini';
      // A server of the client's writes a chat of nothing but what every session begins with.
      this.hasContent ||= isSaid && !parts.every((part) => isSessionContext(stringOf(part['text']) ?? ''));
      this.isQwens ||= message['type'] === 'qwen';
      for (const call of listOf(message['toolCalls']).filter(isObject)) this.addPaths(objectOf(call['args']));
      const text = textOf(parts);
      this.addPath(fileOpenBeside(text));
      for (const path of [...workspaceFolders(text), ...pathsIn(text)]) this.addPath(path);
    }
    for (const path of listOf(fields['directories'])) this.addPath(path);
  }

  private addPaths(args: JsonObject): void {
    for (const value of Object.values(args)) this.addPath(value);
  }

  private addPath(value: unknown): void {
    const isPath = typeof value === 'string' && value.length < 500 && /^(?:\/|[A-Za-z]:[\\/])/.test(value);
    if (isPath && this.paths.size < MAX_PATHS) this.paths.add(value);
  }

  origin(path: string): TranscriptOrigin | null {
    const id = stringOf(this.metadata['sessionId']);
    if (!this.hasContent || this.isQwens || QWEN_FOLDER.test(path) || id === null) return null;
    const isSubagent = this.metadata['kind'] === 'subagent';
    // A sub-agent's chat lies in a folder named by its parent's session.
    const chats = isSubagent ? dirname(dirname(path)) : dirname(path);
    const folder = dirname(chats);
    return {
      source: 'gemini',
      kind: isSubagent ? 'subagent' : 'main',
      agentKey: isSubagent ? id : null,
      sessionUuid: isSubagent ? basename(dirname(path)) : id,
      cwd: findProjectFolder({
        folder,
        hash: stringOf(this.metadata['projectHash']),
        paths: [...this.paths],
      }),
      folder,
      title: null,
      firstTimeMs: timeMsOf(this.metadata['startTime']),
    };
  }
}

/** Paths that are told in a text: versions that keep no calls name a folder nowhere else. */
function pathsIn(text: string): string[] {
  const found = text.matchAll(/(?<![\w./\\~-])(?:\/(?!\/)|[A-Za-z]:[\\/])[^\s"'`<>|*?()[\]{},;]{1,300}/g);
  return [...found].map(([path]) => path.replace(/[.:!…]+$/, ''));
}

function isMessage(fields: JsonObject): boolean {
  return typeof fields['id'] === 'string' && typeof fields['type'] === 'string';
}
