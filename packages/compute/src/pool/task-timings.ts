export interface TaskTiming {
  count: number;
  meanWaitMs: number;
  meanRunMs: number;
  maxRunMs: number;
}

interface Sums {
  count: number;
  waitMs: number;
  runMs: number;
  maxRunMs: number;
}

/** Running sums of how long tasks waited and ran, by name. */
export class TaskTimings {
  private readonly sums = new Map<string, Sums>();

  record(name: string, waitMs: number, runMs: number): void {
    const sums = this.sums.get(name) ?? { count: 0, waitMs: 0, runMs: 0, maxRunMs: 0 };
    sums.count++;
    sums.waitMs += waitMs;
    sums.runMs += runMs;
    sums.maxRunMs = Math.max(sums.maxRunMs, runMs);
    this.sums.set(name, sums);
  }

  summary(): Record<string, TaskTiming> {
    const entries = [...this.sums].map(([name, { count, waitMs, runMs, maxRunMs }]) => {
      return [name, { count, meanWaitMs: waitMs / count, meanRunMs: runMs / count, maxRunMs }] as const;
    });
    return Object.fromEntries(entries);
  }
}
