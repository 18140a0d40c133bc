/** The bars of a program's steps begin at the same place: behind `Reading transcripts`. */
const STEP_WIDTH = 19;
/** Of ` 100% | 12m30s left`, with room to spare. */
const TIME_WIDTH = 21;
const LONGEST_BAR = 40;
/** A narrower terminal shows none: it would wrap. */
const SHORTEST_BAR = 5;
const REDRAWN_AFTER_MS = 100;

const CLEAR_TO_END = '\u001b[K';

/**
 * One bar on a terminal, for the step that runs; nothing where stderr is none. Nothing of the terminal is changed, such
 * as its cursor: a process that is killed could not change it back.
 */
export class StepBar {
  private step = '';
  private startedAtMs = 0;
  private drawnAtMs = 0;

  /** @param step what is said before the bar; another one begins another bar */
  show(step: string, done: number, total: number): void {
    if (!process.stderr.isTTY || total === 0) return;
    const nowMs = performance.now();
    if (step !== this.step) {
      this.stop();
      this.step = step;
      this.startedAtMs = nowMs;
    } else if (nowMs - this.drawnAtMs < REDRAWN_AFTER_MS) return;
    this.drawnAtMs = nowMs;
    const line = lineOf(step, done / total, nowMs - this.startedAtMs);
    if (line !== undefined) process.stderr.write(`\r${line}${CLEAR_TO_END}`);
  }

  stop(): void {
    if (this.step !== '') process.stderr.write(`\r${CLEAR_TO_END}`);
    this.step = '';
  }
}

function lineOf(step: string, share: number, elapsedMs: number): string | undefined {
  const label = step.padEnd(STEP_WIDTH);
  const width = Math.min(LONGEST_BAR, (process.stderr.columns || 80) - label.length - TIME_WIDTH);
  if (width < SHORTEST_BAR) return undefined;
  const filled = Math.round(width * share);
  const bar = '='.repeat(filled) + '-'.repeat(width - filled);
  const left = share > 0 ? duration((elapsedMs / 1000) * (1 / share - 1)) : '?';
  return `${label} ${bar} ${Math.floor(share * 100)}% | ${left} left`;
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${Math.round(seconds)}s`;
  return minutes < 60
    ? `${minutes}m${Math.floor(seconds % 60)}s`
    : `${Math.floor(minutes / 60)}h${minutes % 60}m`;
}
