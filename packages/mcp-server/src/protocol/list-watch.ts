import type { Store } from '@causantic/storage';

/** Often enough for a list that a person looks at. Asking SQLite whether anything changed takes microseconds. */
const INTERVAL_MS = 1_000;

/** Reports when other processes add or remove projects in the memory. */
export class ProjectListWatch {
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param onChange called when the list has changed since the last check
   * @param onProblem called when the memory cannot be read; the next check tries again
   */
  constructor(
    private readonly onChange: () => void,
    private readonly onProblem: (error: unknown) => void,
  ) {}

  /** Starts or restarts, assuming the client knows the current list of `store`. */
  start(store: Store): void {
    this.stop();
    let version = store.dataVersion();
    let known = store.projects.slugsInUse().join('\n');
    const look = (): void => {
      if (!store.isInPlace()) {
        // Whoever asks for the list now gets that of the memory which is there then, and has it watched.
        this.stop();
        return this.onChange();
      }
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
