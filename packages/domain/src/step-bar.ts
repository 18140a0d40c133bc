import { SingleBar } from 'cli-progress';

/** The bars of a program's steps begin at the same place: behind `Reading transcripts`. */
const STEP_WIDTH = 19;
/** Of ` 100% | 12m30s left`, with room to spare. */
const TIME_WIDTH = 21;
const LONGEST_BAR = 40;
/** A narrower terminal shows none: it would wrap. */
const SHORTEST_BAR = 5;

/** One bar on a terminal, for the step that runs; nothing where stderr is none. */
export class StepBar {
  private bar: SingleBar | undefined;
  private step = '';

  /** @param step what is said before the bar; another one begins another bar */
  show(step: string, done: number, total: number): void {
    if (!process.stderr.isTTY || total === 0) return;
    if (step !== this.step) this.start(step, total);
    this.bar?.update(done);
  }

  private start(step: string, total: number): void {
    this.stop();
    this.step = step;
    const label = step.padEnd(STEP_WIDTH);
    const room = (process.stderr.columns || 80) - label.length - TIME_WIDTH;
    if (room < SHORTEST_BAR) return;
    this.bar = new SingleBar({
      format: `${label} {bar} {percentage}% | {eta_formatted} left`,
      barsize: Math.min(LONGEST_BAR, room),
      clearOnComplete: true,
      // Nothing of the terminal is changed, such as its cursor: a process that is killed could not change it back.
      linewrap: true,
    });
    this.bar.start(total, 0);
  }

  stop(): void {
    this.bar?.stop();
    this.bar = undefined;
    this.step = '';
  }
}
