import { SingleBar } from 'cli-progress';

/** Of ` 100% | 12m30s left`, with room to spare. */
const TIME_WIDTH = 21;
/** A narrower terminal shows none: it would wrap. */
const LEAST_BAR = 5;

/** One bar on a terminal, for the step that runs; nothing where there is no terminal. */
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
    const room = (process.stderr.columns || 80) - step.length - TIME_WIDTH;
    if (room < LEAST_BAR) return;
    this.bar = new SingleBar({
      format: `${step} {bar} {percentage}% | {eta_formatted} left`,
      barsize: Math.min(40, room),
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
