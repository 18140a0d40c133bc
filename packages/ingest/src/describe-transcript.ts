import { closeSync, fstatSync, openSync } from 'node:fs';
import { ClaudeCodeHead } from './claude-code/head.js';
import { CodexHead, isCodexRecord } from './codex/head.js';
import { fileRecords, layoutOf, type TranscriptLayout } from './file-records.js';
import { GeminiHead, isGeminiMetadata } from './gemini/head.js';
import { isNote, noteOrigin } from './notes/origin.js';
import type { JsonObject } from './records.js';
import type { TranscriptHead, TranscriptOrigin } from './transcript-origin.js';

/** A transcript on the disk. */
export interface TranscriptFile extends TranscriptOrigin {
  path: string;
  layout: TranscriptLayout;
  bytes: number;
  modifiedMs: number;
}

/** A file's session and folder stand in its first lines, behind at most some snapshots. */
const HEAD_RECORDS = 200;
const HEAD_BYTES = 4 << 20;

/** What a file is, by what stands in it; null where it is no transcript of a known client. */
export function describeTranscript(path: string): TranscriptFile | null {
  const descriptor = openSync(path, 'r');
  try {
    const { size, mtimeMs } = fstatSync(descriptor);
    const layout = isNote(path) ? 'markdown' : layoutOf(descriptor, path);
    const origin =
      layout === 'markdown'
        ? noteOrigin(path, Math.trunc(mtimeMs))
        : readHead(descriptor, size, layout).origin(path);
    return origin && { ...origin, path, layout, bytes: size, modifiedMs: Math.trunc(mtimeMs) };
  } finally {
    closeSync(descriptor);
  }
}

function readHead(descriptor: number, size: number, layout: TranscriptLayout): TranscriptHead {
  let isKnown = layout === 'document';
  let head: TranscriptHead = isKnown ? new GeminiHead() : new ClaudeCodeHead();
  for (const { parsed, number, offset } of fileRecords({ descriptor, size, layout })) {
    const { record } = parsed;
    if (record) {
      const other: TranscriptHead | null = isKnown ? null : headOf(record);
      isKnown ||= other !== null;
      head = other ?? head;
      head.add(record);
    }
    if (head.isComplete || number >= HEAD_RECORDS || offset > HEAD_BYTES) break;
  }
  return head;
}

/** The head of the client that is known by its records; Claude Code's have no common mark. */
function headOf(record: JsonObject): TranscriptHead | null {
  if (isCodexRecord(record)) return new CodexHead();
  return isGeminiMetadata(record) ? new GeminiHead() : null;
}
