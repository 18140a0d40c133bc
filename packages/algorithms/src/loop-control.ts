/** Lets a caller watch and end a long loop; both are called at intervals of a few milliseconds. */
export type LoopControl = {
  shouldStop?: () => boolean;
  /** The unit of `total` is the loop's own; `done === total` comes last. */
  onProgress?: (done: number, total: number) => void;
};

/** Thrown when `shouldStop` answers true; `code` is what a worker hands to its caller. */
export class StoppedError extends Error {
  readonly code = 'ABORTED';

  constructor() {
    super('Stopped before the end, as asked.');
    this.name = 'StoppedError';
  }
}

export function reportProgress(control: LoopControl, done: number, total: number): void {
  if (control.shouldStop?.() === true) throw new StoppedError();
  control.onProgress?.(done, total);
}
