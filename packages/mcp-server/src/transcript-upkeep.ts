import { databasePath, type TranscriptClient } from '@causantic/domain';

/** Clients that come and go at a server for many find little new so soon. */
const AGAIN_AFTER_MS = 60_000;

/**
 * Reads what clients have kept and no hook has read, in a thread of its own that gives way and ends with it. Makes no vectors:
 * that begins when all is read, so that one thread works at a time.
 */
export class TranscriptUpkeep {
  private readonly stop = new AbortController();
  private readonly readAtMs = new Map<TranscriptClient, number>();
  private running: Promise<unknown> = Promise.resolve();

  /** @param folders of a client, by absolute paths: a server leaves the folder that it was started in */
  constructor(
    private readonly home: string,
    private readonly folders: Record<TranscriptClient, string[]>,
  ) {}

  /**
   * @param writtenBeforeMs what was written to since is left to the next
   * @returns what could not be read, in a sentence
   * @throws StorageError; any error once it was closed
   */
  read(client: TranscriptClient, writtenBeforeMs: number): Promise<string | undefined> {
    const reading = this.running.then(() => this.readUnlessDone(client, writtenBeforeMs));
    this.running = reading.catch(() => undefined);
    return reading;
  }

  /** Ends with the piece that is being read. */
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
