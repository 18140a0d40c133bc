// Worker entry points for background reading. Each does little, so that waiting for its end takes only a moment.
import { existsSync } from 'node:fs';
import { errorMessage, type InputIssue } from '@causantic/domain';
import { type Store, withThreadStore } from '@causantic/storage';
import { describeTranscript, type TranscriptFile } from './transcripts/describe-transcript.js';
import type { Exclusion } from './exclusion.js';
import { joinHashedFolders } from './clients/gemini/hashed-folders.js';
import { dropDeletedNotes, findUnread, ingestSafely } from './ingest-tree.js';
import { PIECE_BYTES } from './ingest-transcript.js';
import { linkSessions } from './links/link-sessions.js';
import { inOneOpening } from './clients/opencode/database.js';
import { ingestSettings } from './session-settings.js';
import { endsWithTurn } from './clients/end-of-turn.js';

export interface ReadingPlace {
  databasePath: string;
  /** Causantic's home, whose settings apply. */
  home: string;
  /** Files written to since then belong to sessions in progress. */
  writtenBeforeMs: number;
}

export interface UnreadInput extends ReadingPlace {
  /** Missing folders are skipped. */
  folders: readonly string[];
}

export interface Unread {
  /** In the order in which they should be read. */
  paths: string[];
  issues: InputIssue[];
}

export function listUnread({ databasePath, folders }: UnreadInput): Unread {
  const issues: InputIssue[] = [];
  const onIssue = (issue: InputIssue): void => void issues.push(issue);
  const there = folders.filter((folder) => existsSync(folder));
  const find = (store?: Store): TranscriptFile[] => {
    if (store) dropDeletedNotes(store, there);
    return findUnread(store, there, onIssue).unread;
  };
  // No memory is made for nothing.
  const files = existsSync(databasePath) ? withThreadStore(databasePath, find) : find();
  return { paths: files.map(({ path }) => path), issues };
}

/** How much later than its session a server may start, for example while `npx` looks for the latest version. */
const START_MS = 60_000;

/** Whether a session seems to be running, judging by its file: it should not find what it has just asked. */
function goesOn(transcript: TranscriptFile, writtenBeforeMs: number): boolean {
  const { modifiedMs, source, path, file } = transcript;
  if (modifiedMs >= writtenBeforeMs) return true;
  // Gemini CLI writes to it only when its servers have answered, notes are no session, and what is compressed is over.
  const mayHaveBegun =
    source === 'opencode' || (!['gemini', 'claude-code-notes'].includes(source) && file === path);
  return mayHaveBegun && modifiedMs >= writtenBeforeMs - START_MS && !endsWithTurn(transcript);
}

export interface PieceInput extends ReadingPlace {
  path: string;
}

export interface Piece {
  /** Whether there may be more to read. */
  hasMore: boolean;
  /** Other transcripts that are to be read again. */
  takenFrom: string[];
  issues: InputIssue[];
}

export function readPiece(input: PieceInput): Piece {
  const issues: InputIssue[] = [];
  const report = inOneOpening(() =>
    withThreadStore(input.databasePath, (store) => {
      // Looked at anew each time: it may be written to meanwhile, and what another one took records from may be at work.
      const exclude = exclusionOf(input, issues);
      return exclude && ingestSafely(store, input.path, { exclude, maxNewBytes: PIECE_BYTES }, issues);
    }),
  );
  return { hasMore: report?.status === 'ingested', takenFrom: report?.takenFrom ?? [], issues };
}

/** Null if the file should not be read at all, or not yet. */
function exclusionOf({ path, home, writtenBeforeMs }: PieceInput, issues: InputIssue[]): Exclusion | null {
  try {
    const file = describeTranscript(path);
    if (file && goesOn(file, writtenBeforeMs)) return null;
    const everywhere = ingestSettings(home);
    const here = ingestSettings(home, file?.cwd ?? undefined);
    return everywhere.background && here.background ? { paths: here.excludePaths } : null;
  } catch (error) {
    issues.push({ file: path, line: null, code: 'failed', message: errorMessage(error) });
    return null;
  }
}

/** Links one project; false where none is left. */
export function linkNext({ databasePath }: Pick<ReadingPlace, 'databasePath'>): boolean {
  return withThreadStore(databasePath, (store) => {
    joinHashedFolders(store);
    const [next] = store.edges.unlinkedProjects();
    if (next !== undefined) linkSessions(store, [next]);
    return next !== undefined;
  });
}
