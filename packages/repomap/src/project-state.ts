import { existsSync, statSync } from 'node:fs';
import { lookAtFiles, type EarlierListing, type FileListing } from './files/file-listing.js';
import { loadProjectFiles, saveProjectFiles, type ProjectFiles } from './cache/project-cache.js';
import { NO_HASH } from './extraction/file-tags.js';
import { planUpdate, type UpdatePlan } from './project-update.js';
import type { Cancelling } from './stop-if-cancelled.js';
import { buildReferenceGraph, type EarlierGraph, type ReferenceGraph } from './ranks/reference-graph.js';

const MAX_UNSAVED_FILES = 24;

/** What is known about the files before they are read again. */
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
  private unsavedFiles = 0;

  /** @param cacheFile undefined to remember nothing */
  constructor(
    readonly root: string,
    readonly cacheFile: string | undefined,
  ) {}

  /** @see lookAtFiles */
  look(context: Cancelling): {
    assumed: FileListing | undefined;
    actual: Promise<FileListing>;
  } {
    const { assumed, actual } = lookAtFiles(this.root, context, this.listed);
    const remembered = actual.then(({ listing, next }) => {
      if (this.cacheFile !== undefined) this.listed = next;
      return listing;
    });
    remembered.catch(() => undefined); // Nobody waits for it where what was assumed could not be mapped.
    return { assumed, actual: remembered };
  }

  /** Whether there is a cache that may have the files. */
  isKnown(): boolean {
    return this.cacheFile !== undefined && existsSync(this.cacheFile);
  }

  planned(listing: FileListing): Known {
    const cached = this.cachedFiles();
    return { cached, plan: planUpdate(this.root, listing, cached) };
  }

  /**
   * A few changed files are kept only in memory: reading them again after a restart is faster than writing the cache.
   *
   * @throws Error where the cache cannot be written
   */
  keep(files: ProjectFiles, staleFiles: number): void {
    if (this.cacheFile === undefined) return;
    this.unsavedFiles += staleFiles;
    const isNew = this.cached === undefined;
    // Also where it cannot be written: the next map of this thread need not read everything again.
    this.cached = { files, identity: identityOf(this.cacheFile) };
    if (!isNew && this.unsavedFiles <= MAX_UNSAVED_FILES) return;
    saveProjectFiles(this.cacheFile, files);
    this.unsavedFiles = 0;
    this.cached = { files, identity: identityOf(this.cacheFile) };
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
  /** Of the file on disk when these were last compared with it. */
  identity: string | undefined;
}

function lastKept(cacheFile: string, known: KeptFiles | undefined): KeptFiles | undefined {
  const identity = identityOf(cacheFile);
  if (identity === known?.identity) return known;
  const files = loadProjectFiles(cacheFile);
  // A file that took too long may have met a busy machine: each process tries it once more.
  for (const { file, code } of files?.issues ?? [])
    if (code === 'PARSE_TIMEOUT') files!.hashes[files!.paths.indexOf(file)] = NO_HASH;
  return files && { files, identity };
}

/** Undefined where there is no such file, or none that can be looked at. */
function identityOf(path: string): string | undefined {
  try {
    const { ino, mtimeNs, size } = statSync(path, { bigint: true });
    return `${ino} ${mtimeNs} ${size}`;
  } catch {
    return undefined;
  }
}
