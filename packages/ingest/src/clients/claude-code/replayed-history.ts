import type { TranscriptEvent } from '../events.js';

export interface ReplayState {
  /** Of the first prompt. */
  firstMs: number | null;
  /** The latest time so far. */
  lastMs: number;
  isReplaying: boolean;
}

/**
 * Reopening a session, some versions of Claude Code write all that was said once more into the same file: under new
 * ids, at the old times.
 */
export class ReplayedHistory {
  /** Before the line that was asked for last: who goes on from it reads that line again. */
  before: ReplayState;

  constructor(private readonly state: ReplayState = { firstMs: null, lastMs: 0, isReplaying: false }) {
    this.before = { ...state };
  }

  /** Was this said before? To be asked once for the first event of each line, in order. */
  holds(event: TranscriptEvent): boolean {
    const { state } = this;
    this.before = { ...state };
    const { timeMs } = event;
    if (timeMs === null) return state.isReplaying;
    if (timeMs > state.lastMs) state.isReplaying = false;
    else if (this.beginsAnew(event)) state.isReplaying = true;
    state.lastMs = Math.max(state.lastMs, timeMs);
    if (event.type === 'prompt') state.firstMs ??= timeMs;
    return state.isReplaying;
  }

  private beginsAnew({ type, parentUuid, timeMs }: TranscriptEvent): boolean {
    const { firstMs, lastMs } = this.state;
    return type === 'prompt' && parentUuid === null && timeMs === firstMs && timeMs !== lastMs;
  }
}
