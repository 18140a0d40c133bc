import { existsSync, statSync } from 'node:fs';
import { listFiles, type EarlierListing, type FileListing } from './file-listing.js';
import { loadProjectFiles, saveProjectFiles, type ProjectFiles } from './project-cache.js';
import { planUpdate, type UpdatePlan } from './project-update.js';
import { buildReferenceGraph, type EarlierGraph, type ReferenceGraph } from './reference-graph.js';

/** What is known of the files before they are read anew. */
export interface Known {
  cached: ProjectFiles | undefined;
  plan: UpdatePlan;
}

/**
 * What a thread remembers of a project between two maps: the cache on disk as last read or written, the graph made
 * from it, and what git listed. Another thread or process may replace the cache at any time; then it is read again.
 */
export class ProjectState {
  private listed: EarlierListing | undefined;
  private cached: KeptFiles | undefined;
  private earlier: EarlierGraph | undefined;

  /** @param cacheFile undefined to remember nothing */
  constructor(
    readonly root: string,
    readonly cacheFile: string | undefined,
  ) {}

  async list(): Promise<FileListing> {
    const { listing, next } = await listFiles(this.root, this.listed);
    if (this.cacheFile !== undefined) this.listed = next;
    return listing;
  }

  /** Whether a cache is there that may hold the files. */
  isKnown(): boolean {
    return this.cacheFile !== undefined && existsSync(this.cacheFile);
  }

  planned(listing: FileListing): Known {
    const cached = this.cachedFiles();
    return { cached, plan: planUpdate(this.root, listing, cached) };
  }

  /** @throws Error where the cache cannot be written */
  keep(files: ProjectFiles): void {
    if (this.cacheFile === undefined) return;
    saveProjectFiles(this.cacheFile, files);
    this.cached = { files, identity: identityOf(this.cacheFile)! };
  }

  graphOf(files: ProjectFiles): ReferenceGraph {
    if (this.earlier?.files === files) return this.earlier.graph;
    const graph = buildReferenceGraph(files, this.earlier);
    if (this.cacheFile !== undefined) this.earlier = { files, graph };
    return graph;
  }

  private cachedFiles(): ProjectFiles | undefined {
    if (this.cacheFile === undefined) return undefined;
    try {
      this.cached = lastKept(this.cacheFile, this.cached);
    } catch {
      this.cached = undefined; // Unreadable, so rebuilt; if it cannot be written either, that is reported.
    }
    return this.cached?.files;
  }
}

interface KeptFiles {
  files: ProjectFiles;
  /** Of the file on disk that says the same. */
  identity: string;
}

function lastKept(cacheFile: string, known: KeptFiles | undefined): KeptFiles | undefined {
  const identity = identityOf(cacheFile);
  if (identity === undefined) return undefined;
  if (identity === known?.identity) return known;
  const files = loadProjectFiles(cacheFile);
  return files && { files, identity };
}

function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.mtimeNs} ${stats.size}`;
}
