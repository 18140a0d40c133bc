// Finds transcripts below folders, and the order in which they are to be read.
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type InputIssue, NotFoundError, errorReason, madeOnce } from '@causantic/domain';
import { describeSession, describeTranscript, type TranscriptFile } from './describe-transcript.js';
import { beginsWithCopy } from '../clients/claude-code/copies.js';
import { isNote } from '../clients/notes/origin.js';
import { fileOf, transcriptName } from './open-transcript.js';
import { isSessionDatabase, type SessionHead, sessionHeads } from '../clients/opencode/database.js';

/** Clients that note with records that they are copies. */
const NOTE_COPIES = new Set(['claude-code', 'qwen']);

/** Gemini's older chats, and Cline's sessions: one JSON document. */
const CHAT_DOCUMENT = /^session-.*\.json$|.\.messages\.json$/;

/**
 * Transcripts under these folders, or at these paths: main files before those of their sub-agents, oldest first, so that a
 * forked session comes after its original. The order depends only on the contents. Other files are skipped, and files
 * that cannot be read are issues.
 * @throws NotFoundError if a root does not exist
 */
export function findTranscripts(
  roots: readonly string[],
  onIssue: (issue: InputIssue) => void = () => undefined,
): TranscriptFile[] {
  return describeTranscripts(transcriptPaths(roots, onIssue), onIssue);
}

/** What may be transcripts, by canonical name; with its head, where one was looked at together with all in its database. */
export type FoundTranscripts = Map<string, SessionHead | undefined>;

/**
 * Canonical paths of possible transcripts under these roots, each once, unordered.
 * @throws NotFoundError if a root does not exist
 */
export function transcriptPaths(
  roots: readonly string[],
  onIssue: (issue: InputIssue) => void,
): FoundTranscripts {
  const visited = new Set<string>();
  const found: FoundTranscripts = new Map();
  const add = (real: string, isRoot: boolean): void => {
    if (isSessionDatabase(real)) {
      for (const [name, head] of attempt(real, onIssue, sessionHeads) ?? []) found.set(name, head);
      return;
    }
    const name = transcriptName(real);
    if (isRoot || mayBeTranscript(name)) found.set(name, undefined);
  };
  const visit = (path: string, isRoot: boolean): void => {
    const real = realpathSync(path);
    if (visited.has(real)) return;
    visited.add(real);
    if (!statSync(real).isDirectory()) return add(real, isRoot);
    for (const entry of readdirSync(real, { withFileTypes: true })) {
      const child = join(real, entry.name);
      // What is no link needs no look of its own.
      if (entry.isFile()) add(child, false);
      else attempt(child, onIssue, () => visit(child, false));
    }
  };
  for (const root of roots) {
    if (!existsSync(root))
      throw new NotFoundError(`No such file or folder: ${root}`, { data: { path: root } });
    attempt(root, onIssue, (path) => visit(path, true));
  }
  return found;
}

function mayBeTranscript(path: string): boolean {
  const name = basename(path);
  return name.endsWith('.jsonl') || CHAT_DOCUMENT.test(name) || isNote(path);
}

/** A file that cannot be read is an issue, and does not affect the others. */
function attempt<T>(path: string, onIssue: (issue: InputIssue) => void, work: (path: string) => T): T | null {
  try {
    return work(path);
  } catch (error) {
    onIssue({ file: path, line: null, code: 'unreadable', message: errorReason(error) });
    return null;
  }
}

/** Those that are transcripts, in the order in which they should be read. */
export function describeTranscripts(
  found: FoundTranscripts,
  onIssue: (issue: InputIssue) => void,
): TranscriptFile[] {
  const describe = (path: string, head?: SessionHead): TranscriptFile | null =>
    head ? describeSession(path, head) : attempt(fileOf(path), onIssue, () => describeTranscript(path));
  const files = [...found].flatMap(([path, head]) => describe(path, head) ?? []);
  const copies = new Map<string, boolean>();
  const isCopy = ({ file, source, kind, sessionUuid }: TranscriptFile): boolean => {
    if (!NOTE_COPIES.has(source) || kind !== 'main') return false;
    const isMarked = () => attempt(file, onIssue, () => beginsWithCopy(file, sessionUuid)) ?? false;
    return madeOnce(copies, file, isMarked);
  };
  return files.sort((a, b) => byOrigin(a, b, isCopy));
}

/**
 * Forks share their first records with their original. Some clients mark copied records, or start the fork's file with a
 * later time. For others the shorter file is the older one, because a fork starts as a copy of everything so far.
 */
function byOrigin(a: TranscriptFile, b: TranscriptFile, isCopy: (file: TranscriptFile) => boolean): number {
  return (
    Number(a.kind === 'subagent') - Number(b.kind === 'subagent') ||
    (a.firstTimeMs ?? 0) - (b.firstTimeMs ?? 0) ||
    Number(isCopy(a)) - Number(isCopy(b)) ||
    (a.begunTimeMs ?? 0) - (b.begunTimeMs ?? 0) ||
    a.bytes - b.bytes ||
    (a.path < b.path ? -1 : 1)
  );
}
