import type { BranchesState } from './clients/claude-code/branches.js';
import type { MovedPiece } from './turns/forgotten.js';

/** What a reading found out that has to be known from the file's start. */
export interface Foreknown {
  /** Deleted texts that were met in other lines than theirs. */
  moved: readonly MovedPiece[];
  /** Branches that went on, of which some had been left out as rewound. */
  branches: BranchesState | null;
  /** How often the file was read in vain, because it was written to meanwhile. */
  inVain: number;
}

/** Ends a reading: what it wrote is taken back, and the next one begins with what it found out. */
export class ReadAgain extends Error {
  constructor(readonly found: Partial<Foreknown>) {
    super('the transcript is to be read again');
  }
}
