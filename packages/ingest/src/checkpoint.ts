import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import type { AgentDraft, SessionDraft } from '@causantic/domain';
import type { TranscriptCheckpoint } from '@causantic/storage';
import type { BranchesState } from './claude-code/branches.js';
import type { ReplayState } from './replayed-history.js';
import type { TurnsState } from './turns.js';

/** Everything that reading has to remember up to the place where the next run starts. */
export interface RunState {
  /** The reader's own. */
  reader: unknown;
  turns: TurnsState;
  session: SessionDraft;
  agents: AgentDraft[];
  lastCopied: string | null;
  forkOf: string | null;
  replay: ReplayState | undefined;
  branches: BranchesState | undefined;
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

const FINGERPRINT_BYTES = 4096;

/**
 * Hash of the file's first bytes and of those just before the place: a rewritten file differs in one of them.
 * @param begin byte offset of the first record that stays as it is when the file grows
 */
export function fingerprint(descriptor: number, begin: number, offset: number): string {
  const hash = createHash('sha256');
  for (const start of [begin, Math.max(begin, offset - FINGERPRINT_BYTES)]) {
    const bytes = Buffer.alloc(Math.max(0, Math.min(FINGERPRINT_BYTES, offset - start)));
    readSync(descriptor, bytes, 0, bytes.length, start);
    hash.update(bytes);
  }
  return hash.digest('hex');
}
