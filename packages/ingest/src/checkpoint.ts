// What is stored with a transcript, so that the next run reads on and notices what was rewritten.
import { crc32 } from 'node:zlib';
import type { AgentDraft } from '@causantic/domain';
import type { TranscriptCheckpoint } from '@causantic/storage';
import type { BranchesState } from './clients/claude-code/branches.js';
import type { ReplayState } from './clients/claude-code/replayed-history.js';
import type { CopiedState } from './transcripts/copied-records.js';
import { readPieces } from './transcripts/lines.js';
import type { OpenTranscript } from './transcripts/open-transcript.js';
import type { ForgottenState } from './turns/forgotten.js';
import type { ReadSessionState } from './turns/read-session.js';
import type { TurnsState } from './turns/turns.js';

/** Everything that reading must remember from before the place where the next run starts. */
export interface RunState extends CopiedState, ForgottenState, ReadSessionState {
  /** The reader's own. */
  reader: unknown;
  turns: TurnsState;
  agents: AgentDraft[];
  replay: ReplayState | undefined;
  branches: BranchesState | undefined;
}

/** Shows whether the file was written to since. For a text copied out of a file, the sizes of both differ. */
export function stampOf({
  file,
  isCopy,
}: OpenTranscript): Pick<TranscriptCheckpoint, 'mtimeMs' | 'ctimeMs' | 'compressedSize'> {
  return {
    mtimeMs: file.mtimeMs,
    ctimeMs: file.ctimeMs,
    compressedSize: isCopy ? file.size : undefined,
  };
}

/** A state from another version is ignored, and the transcript read from its start. */
const STATE_VERSION = 1;

export function encodeState(run: RunState): string {
  return JSON.stringify({ version: STATE_VERSION, run });
}

/** Of a transcript that holds nothing to go on from: it is read from its start when it changes. */
export function encodeNoState(session: string): string {
  return JSON.stringify({ version: STATE_VERSION, session });
}

function decoded({ state }: TranscriptCheckpoint): { run?: RunState; session?: string } {
  const { version, ...known } = JSON.parse(state) as { version?: number; run?: RunState; session?: string };
  return version === STATE_VERSION ? known : {};
}

/** The state in a checkpoint; null where there is none, or where another version of this program wrote it. */
export function stateOf(checkpoint: TranscriptCheckpoint): RunState | null {
  return decoded(checkpoint).run ?? null;
}

/** The session that a checkpoint is of; null where another version of this program wrote it. */
export function sessionOf(checkpoint: TranscriptCheckpoint): string | null {
  const { run, session } = decoded(checkpoint);
  return run?.session.uuid ?? session ?? null;
}

/**
 * CRC-32 of the file's bytes between two offsets, continuing from that of the bytes before. It covers all bytes, because
 * replacing a word by one of the same length changes nothing else. About five gigabytes per second.
 */
export function checksum(descriptor: number, from: number, to: number, before = 0): number {
  let sum = before;
  for (const { bytes } of readPieces(descriptor, from, to)) sum = crc32(bytes, sum);
  return sum;
}
