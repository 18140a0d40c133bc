import type { Store } from '@causantic/storage';

/** Often enough for a list that a person looks at; asking SQLite whether anything changed takes microseconds. */
const INTERVAL_MS = 1_000;

/** Tells when projects come or go in a memory that other processes write. */
export class ProjectListWatch {
  private timer: NodeJS.Timeout | undefined;

  /** @param onChange called when the list is another one than when it was looked at last */
  constructor(private readonly onChange: () => void) {}

  /** Begin, or begin anew: what `store` holds now is known to the client. */
  start(store: Store): void {
    this.stop();
    let version = store.dataVersion();
    let known = store.projects.slugsInUse().join('\n');
    this.timer = setInterval(() => {
      if (store.dataVersion() === version) return;
      version = store.dataVersion();
      const now = store.projects.slugsInUse().join('\n');
      if (now === known) return;
      known = now;
      this.onChange();
    }, INTERVAL_MS);
    // No reason for a process to stay.
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
