import progress from 'cli-progress'; // Node finds no names in it.

/** The bars of all steps start in the same column, after `Reading transcripts`. */
const STEP_WIDTH = 19;
/** Width of ` 100% | 12m30s left`, with room to spare. */
const TIME_WIDTH = 21;
const LONGEST_BAR = 40;
/** On a narrower terminal the bar would wrap, so none is shown. */
const SHORTEST_BAR = 5;

/** A progress bar for the current step; shows nothing if stderr is not a terminal. */
export class StepBar {
  private bar: progress.SingleBar | undefined;
  private step = '';

  /**
   * @param step the label before the bar; a new label starts a new bar
   * @param total may have grown since, as where other programs add to what is to be done
   */
  show(step: string, done: number, total: number): void {
    if (!process.stderr.isTTY || total === 0) return;
    if (step !== this.step) this.start(step, total);
    this.bar?.setTotal(total);
    this.bar?.update(done);
  }

  private start(step: string, total: number): void {
    this.stop();
    this.step = step;
    const label = step.padEnd(STEP_WIDTH);
    const room = (process.stderr.columns || 80) - label.length - TIME_WIDTH;
    if (room < SHORTEST_BAR) return;
    this.bar = new progress.SingleBar({
      format: `${label} {bar} {percentage}% | {eta_formatted} left`,
      // Nobody knows before something is done.
      formatTime: (seconds, ...how) =>
        Number.isFinite(seconds) ? progress.Format.TimeFormat(seconds, ...how) : '…',
      barsize: Math.min(LONGEST_BAR, room),
      clearOnComplete: true,
      // The terminal's state, such as its cursor, is left alone: a killed process could not restore it.
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
