// What is stored with a transcript, so that the next run reads on and notices what was rewritten.
import { crc32 } from 'node:zlib';
import type { AgentDraft } from '@causantic/domain';
import type { TranscriptCheckpoint } from '@causantic/storage';
import type { BranchesState } from './claude-code/branches.js';
import type { ReplayState } from './claude-code/replayed-history.js';
import type { CopiedState } from './copied-records.js';
import { readPieces } from './lines.js';
import type { OpenTranscript } from './open-transcript.js';
import type { ReadSessionState } from './read-session.js';
import type { TurnsState } from './turns.js';

/** Everything that reading has to remember up to the place where the next run starts. */
export interface RunState extends CopiedState, ReadSessionState {
  /** The reader's own. */
  reader: unknown;
  turns: TurnsState;
  agents: AgentDraft[];
  replay: ReplayState | undefined;
  branches: BranchesState | undefined;
}

/** What tells whether the file was written to since; a copied text is longer than what it was made from, or shorter. */
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

/** A state of another version is not understood: the transcript is read from its start. */
const STATE_VERSION = 1;

export function encodeState(state: RunState): string {
  return JSON.stringify({ version: STATE_VERSION, run: state });
}

/** The state in a checkpoint; null where another version of this program wrote it. */
export function stateOf(checkpoint: TranscriptCheckpoint): RunState | null {
  const { version, run } = JSON.parse(checkpoint.state) as { version?: number; run: RunState };
  return version === STATE_VERSION ? run : null;
}

/**
 * CRC-32 of the file's bytes between two offsets, going on from that of the bytes before: of all of them, since what is
 * put in the place of a word as long leaves the rest as it was. Some five gigabytes a second.
 */
export function checksum(descriptor: number, from: number, to: number, before = 0): number {
  let sum = before;
  for (const { bytes } of readPieces(descriptor, from, to)) sum = crc32(bytes, sum);
  return sum;
}
