import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SingleBar } from 'cli-progress';
import { causanticHome, claudeConfigDir, databasePath, loadConfig, NotFoundError } from '@causantic/domain';
import { ingestTree, type TreeProgress, type TreeReport } from '@causantic/ingest';
import { Store } from '@causantic/storage';

export interface ReindexOptions {
  source?: string[];
  json?: boolean;
  rebuild?: 'vectors' | 'edges' | 'clusters' | 'all';
  dryRun?: boolean;
}

export interface ReindexReport extends TreeReport {
  edges: number;
  vectors: number;
}

/** Bring the memory up to date with these sources. */
export async function reindex(options: ReindexOptions): Promise<ReindexReport> {
  const home = causanticHome();
  const config = loadConfig({ home, projectDir: process.cwd(), env: process.env });
  // A dry run reads into a store that is thrown away.
  const store = Store.open(options.dryRun ? ':memory:' : databasePath(home));
  const progress = new Progress(process.stderr.isTTY && !options.json);
  try {
    // Reading the sources ends with linking whatever has no edges.
    if (options.rebuild === 'edges' || options.rebuild === 'all') store.edges.clear();
    const report = ingestTree(store, sources(options), {
      exclude: { paths: config.ingest.excludePaths },
      onProgress: (state) => progress.show(state),
    });
    progress.stop();
    const { edges } = store.statistics();
    return { ...report, edges, vectors: 0 };
  } finally {
    progress.stop();
    store.close();
  }
}

function sources({ source }: ReindexOptions): string[] {
  if (source && source.length > 0) return source;
  const standard = join(claudeConfigDir(), 'projects');
  if (existsSync(standard)) return [standard];
  throw new NotFoundError(`No transcripts at ${standard}. Name a folder with --source.`, {
    data: { path: standard },
  });
}

const MEGABYTE = 1_000_000;

class Progress {
  private bar: SingleBar | undefined;

  constructor(private readonly visible: boolean) {}

  show({ bytes, totalBytes, files, totalFiles }: TreeProgress): void {
    if (!this.visible) return;
    if (!this.bar) {
      this.bar = new SingleBar({
        format:
          'Reading transcripts {bar} {percentage}% | {files}/{totalFiles} files | {megabytes} MB | {eta_formatted} left',
        hideCursor: true,
        clearOnComplete: true,
      });
      this.bar.start(totalBytes, 0, { files, totalFiles, megabytes: '0' });
    }
    this.bar.update(bytes, { files, totalFiles, megabytes: (bytes / MEGABYTE).toFixed(1) });
  }

  stop(): void {
    this.bar?.stop();
    this.bar = undefined;
  }
}
