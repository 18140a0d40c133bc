// Tells which client wrote a file, and of which session, by its first records.
import { dirname } from 'node:path';
import { ClaudeCodeHead } from '../clients/claude-code/head.js';
import { ClineHead, isClineHead } from '../clients/cline/head.js';
import { CodexHead, isCodexRecord } from '../clients/codex/head.js';
import { CopilotHead, isCopilotRecord } from '../clients/copilot/head.js';
import { fileRecords, layoutOf, type TranscriptLayout } from './file-records.js';
import { GeminiHead, isGeminiMetadata } from '../clients/gemini/head.js';
import { isNote, noteOrigin } from '../clients/notes/origin.js';
import { type OpenTranscript, whileOpen } from './open-transcript.js';
import { databaseOf, type SessionHead, sessionHead } from '../clients/opencode/database.js';
import { isQwenRecord, QwenHead } from '../clients/qwen/head.js';
import type { JsonObject } from './records.js';
import type { TranscriptHead, TranscriptOrigin } from './transcript-origin.js';

/** A transcript on the disk. */
export interface TranscriptFile extends TranscriptOrigin {
  /** Its name; `file` differs if it is compressed. */
  path: string;
  file: string;
  layout: TranscriptLayout;
  /** Of the file on the disk. */
  bytes: number;
  modifiedMs: number;
}

/** A file's session and folder are in its first lines, after at most a few snapshots. */
const HEAD_RECORDS = 200;
/** One of them shows whose file it is, also where the very first is damaged or of a form that nobody has seen. */
const FIRST_RECORDS = 5;
export const HEAD_BYTES = 4 << 20;

/**
 * Identifies a file by its content; null if it is not a transcript of a known client.
 * @throws Error if it is damaged from the start
 */
export function describeTranscript(path: string): TranscriptFile | null {
  const database = databaseOf(path);
  if (database !== null) return describeSession(path, sessionHead(database, path));
  return whileOpen(path, { maxBytes: HEAD_BYTES }, (open) => {
    const file = describeOpenTranscript(path, open);
    const damage = file === null ? (open.damage ?? damageOfLines(open, path)) : null;
    if (damage !== null) throw new Error(damage);
    return file;
  });
}

/** Of a file of lines of which none can be read, as after a loss of power; null for any other file. */
function damageOfLines({ descriptor, size }: OpenTranscript, path: string): string | null {
  if (isNote(path) || layoutOf(descriptor, path) !== 'lines') return null;
  let damage: string | null = null;
  for (const { parsed, number } of fileRecords({ descriptor, size, layout: 'lines' })) {
    if (parsed.record) return null;
    damage ??= parsed.issue?.message ?? null;
    if (number >= HEAD_RECORDS) break;
  }
  return damage && `none of its lines can be read: ${damage}`;
}

export function describeOpenTranscript(
  path: string,
  { descriptor, size, file, origin: known }: OpenTranscript,
): TranscriptFile | null {
  if (known !== undefined) return describeSession(path, { origin: known, stamp: file });
  const modifiedMs = Math.trunc(file.mtimeMs);
  const layout = isNote(path) ? 'markdown' : layoutOf(descriptor, path);
  const origin =
    layout === 'markdown' ? noteOrigin(path, modifiedMs) : readHead(descriptor, size, layout).origin(path);
  return origin && { ...origin, path, file: file.path, layout, bytes: file.size, modifiedMs };
}

/** A session of a database is known without its text. */
export function describeSession(path: string, { origin, stamp }: SessionHead): TranscriptFile | null {
  const { size: bytes, mtimeMs: modifiedMs } = stamp;
  return origin && { ...origin, path, file: dirname(path), layout: 'lines', bytes, modifiedMs };
}

function readHead(descriptor: number, size: number, layout: TranscriptLayout): TranscriptHead {
  let isKnown = false;
  let head: TranscriptHead = new ClaudeCodeHead();
  for (const { parsed, number, offset } of fileRecords({ descriptor, size, layout })) {
    const { record } = parsed;
    if (record) {
      const other: TranscriptHead | null = isKnown ? null : headOf(record, layout);
      isKnown ||= other !== null;
      head = other ?? head;
      if (!head.isComplete) head.add(record);
    }
    const isCertain = isKnown || number >= FIRST_RECORDS;
    if ((head.isComplete && isCertain) || number >= HEAD_RECORDS || offset > HEAD_BYTES) break;
  }
  return head;
}

/** The head of the client, recognized by its records; Claude Code's have no common mark. */
function headOf(record: JsonObject, layout: TranscriptLayout): TranscriptHead | null {
  if (layout === 'document') return isClineHead(record) ? new ClineHead() : new GeminiHead();
  if (isCodexRecord(record)) return new CodexHead();
  if (isCopilotRecord(record)) return new CopilotHead();
  if (isQwenRecord(record)) return new QwenHead();
  return isGeminiMetadata(record) ? new GeminiHead() : null;
}
