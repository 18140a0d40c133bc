import type { Store } from '@causantic/storage';

/** Often enough for a list that a person looks at; asking SQLite whether anything changed takes microseconds. */
const INTERVAL_MS = 1_000;

/** Tells when projects come or go in a memory that other processes write. */
export class ProjectListWatch {
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param onChange called when the list is another one than when it was looked at last
   * @param onProblem called when the memory cannot be read; it is looked at again
   */
  constructor(
    private readonly onChange: () => void,
    private readonly onProblem: (error: unknown) => void,
  ) {}

  /** Begin, or begin anew: what `store` holds now is known to the client. */
  start(store: Store): void {
    this.stop();
    let version = store.dataVersion();
    let known = store.projects.slugsInUse().join('\n');
    const look = (): void => {
      const latest = store.dataVersion();
      if (latest === version) return;
      const now = store.projects.slugsInUse().join('\n');
      version = latest;
      if (now === known) return;
      known = now;
      this.onChange();
    };
    // No reason for a process to stay.
    this.timer = setInterval(() => this.attempt(look), INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private attempt(look: () => void): void {
    try {
      look();
    } catch (error) {
      this.onProblem(error);
    }
  }
}
