import { databasePath, type TranscriptClient } from '@causantic/domain';

/** With a server for many clients, little is new when the next one connects this soon. */
const AGAIN_AFTER_MS = 60_000;

/**
 * Reads sessions that clients have kept and no hook has read, in a low-priority thread that ends with the work. It makes no
 * vectors: that starts when everything is read, so that one thread works at a time.
 */
export class TranscriptUpkeep {
  private readonly stop = new AbortController();
  private readonly readAtMs = new Map<TranscriptClient, number>();
  private running: Promise<unknown> = Promise.resolve();

  /** @param folders of a client, as absolute paths, because a server leaves the folder in which it was started */
  constructor(
    private readonly home: string,
    private readonly folders: Record<TranscriptClient, string[]>,
  ) {}

  /**
   * @param writtenBeforeMs files written to since then are left to the next run
   * @returns what could not be read, in a sentence
   * @throws StorageError; any error after it was closed
   */
  read(client: TranscriptClient, writtenBeforeMs: number): Promise<string | undefined> {
    const reading = this.running.then(() => this.readUnlessDone(client, writtenBeforeMs));
    this.running = reading.catch(() => undefined);
    return reading;
  }

  /** Stops after the piece that is being read. */
  async close(): Promise<void> {
    this.stop.abort();
    await this.running;
  }

  private async readUnlessDone(
    client: TranscriptClient,
    writtenBeforeMs: number,
  ): Promise<string | undefined> {
    const lastMs = this.readAtMs.get(client) ?? -Infinity;
    if (this.stop.signal.aborted || performance.now() - lastMs < AGAIN_AFTER_MS) return undefined;
    const [{ readInBackground }, { WorkerPool }] = await Promise.all([
      import('@causantic/ingest'),
      import('@causantic/compute'),
    ]);
    const pool = new WorkerPool({ threads: 1, background: true });
    try {
      const issues = await readInBackground({
        databasePath: databasePath(this.home),
        home: this.home,
        folders: this.folders[client],
        writtenBeforeMs,
        pool,
        signal: this.stop.signal,
      });
      const [first, ...more] = issues;
      return (
        first &&
        `could not read ${first.file}: ${first.message}${more.length > 0 ? ` (and ${more.length} more)` : ''}`
      );
    } finally {
      this.readAtMs.set(client, performance.now());
      await pool.close();
    }
  }
}
