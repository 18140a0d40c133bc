import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, readdirSync, type Dirent, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { errorReason } from '@causantic/domain/errors';
import ignore, { type Ignore } from 'ignore';
import { Column } from '../cache/column.js';
import { languageOfName, mayHaveInterpreterLine } from '../extraction/languages.js';
import { MAX_FILE_BYTES, hasGeneratedName, isOutputDirectory, isVendored } from './left-out-files.js';
import { stopIfCancelled, type Cancelling } from '../stop-if-cancelled.js';
import type { RepoMapIssue } from '../tags.js';

/** Windows does not say which files are programs. */
const HAS_MODES = process.platform !== 'win32';
/** As git has it where a repository is made: on these, `TAGS` in a `.gitignore` means `tags`, too. */
const ANY_CASE = process.platform === 'win32' || process.platform === 'darwin';

/** The possible source files, by path, with what shows whether they changed. */
export interface FileListing {
  /** Relative to the root, with `/`, ascending. */
  paths: string[];
  mtimeMs: Float64Array;
  ctimeMs: Float64Array;
  size: Float64Array;
  /** Folders that are separate repositories (submodules or not): git lists the folder, not its contents. */
  repositories: string[];
  issues: RepoMapIssue[];
  /** Before the first look: what changes later is not in here. */
  listedAtMs: number;
}

/** What one listing of a folder found out that makes the next one cheaper. */
export interface EarlierListing {
  /** Git's own list, as printed; undefined if there is none. */
  gitList: Buffer | undefined;
  /** The paths in it that may be source or a repository, ascending. */
  candidates: readonly string[];
}

export interface Look {
  /** The listing if no files came or went since the last one; available before git has answered. */
  assumed: FileListing | undefined;
  /** The actual listing; `assumed` itself if that was right. */
  actual: Promise<{ listing: FileListing; next: EarlierListing }>;
}

/**
 * Lists the files below a folder. It mostly blocks its thread, so run it in a worker. Symbolic links are never followed, so
 * nothing loops.
 *
 * @throws ComputeError ABORTED once the caller has cancelled; so does its promise
 */
export function lookAtFiles(
  root: string,
  context: Cancelling,
  earlier?: EarlierListing,
  gitLimitMs = GIT_LIMIT_MS,
): Look {
  const listedAtMs = Date.now();
  const git = gitList(root, context, gitLimitMs);
  const assumed = earlier?.gitList && { ...withStats(root, earlier.candidates, [], context), listedAtMs };
  const actual = async () => {
    const list = await git;
    if (assumed && list && earlier.gitList?.equals(list)) return { listing: assumed, next: earlier };
    stopIfCancelled(context);
    const issues: RepoMapIssue[] = [];
    const found =
      list === undefined
        ? walkedFiles(root, issues, context).filter(mayBeSource)
        : pathsIn(list).filter((path) => mayBeSource(path) || mayBeRepository(root, path));
    const candidates = [...new Set(found)].sort();
    const listing = { ...withStats(root, candidates, issues, context), listedAtMs };
    return { listing, next: { gitList: list, candidates } };
  };
  return { assumed, actual: actual() };
}

function pathsIn(gitList: Buffer): string[] {
  const paths = gitList.toString('utf8').split('\0');
  paths.pop();
  return paths;
}

function mayBeSource(path: string): boolean {
  const named = languageOfName(path) !== undefined || mayHaveInterpreterLine(path);
  return named && !isVendored(path) && !hasGeneratedName(path);
}

/** Git lists a folder instead of its files only if it is another repository. */
function mayBeRepository(root: string, path: string): boolean {
  return statsOf(root, path, [])?.isDirectory() === true;
}

function withStats(
  root: string,
  paths: readonly string[],
  issues: RepoMapIssue[],
  context: Cancelling,
): Omit<FileListing, 'listedAtMs'> {
  const kept: string[] = [];
  const repositories: string[] = [];
  const mtimeMs = new Column(new Float64Array(paths.length));
  const ctimeMs = new Column(new Float64Array(paths.length));
  const size = new Column(new Float64Array(paths.length));
  for (const path of paths) {
    stopIfCancelled(context);
    const stats = statsOf(root, path, issues);
    if (stats?.isDirectory() && !isVendored(`${path}/`) && hasOwnRepository(`${root}/${path}`)) {
      repositories.push(path.replace(/\/$/, ''));
    }
    if (!stats?.isFile() || stats.size === 0 || stats.size > MAX_FILE_BYTES) continue;
    const executable = !HAS_MODES || (stats.mode & 0o111) !== 0;
    if (!executable && mayHaveInterpreterLine(path) && languageOfName(path) === undefined) continue;
    mtimeMs.push(stats.mtimeMs);
    ctimeMs.push(stats.ctimeMs);
    size.push(stats.size);
    kept.push(path);
  }
  return {
    paths: kept,
    mtimeMs: mtimeMs.trimmed(),
    ctimeMs: ctimeMs.trimmed(),
    size: size.trimmed(),
    repositories,
    issues,
  };
}

/** What takes the place of such bytes: the file that is asked for under this name is not the one that was listed. */
const NO_UTF8 = '\ufffd';

function statsOf(root: string, path: string, issues: RepoMapIssue[]): Stats | undefined {
  try {
    const stats = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
    if (stats === undefined && path.includes(NO_UTF8)) {
      issues.push({ file: path, code: 'UNREADABLE', message: 'its name is not valid UTF-8' });
    }
    return stats;
  } catch (error) {
    issues.push({ file: path, code: 'UNREADABLE', message: errorReason(error) });
    return undefined;
  }
}

/** Not true for a submodule without a checkout, nor for another work tree, which has the same files again. */
function hasOwnRepository(folder: string): boolean {
  try {
    const link = readFileSync(join(folder, '.git'), 'utf8').trim();
    const gitFolder = resolve(folder, link.replace(/^gitdir:\s*/, ''));
    const isLikeWorktree = /[\\/]worktrees[\\/][^\\/]+$/.test(gitFolder);
    // A submodule's folder may have such a name, too. Where the folder is gone, the name is all there is to go by.
    return !isLikeWorktree || (existsSync(gitFolder) && !existsSync(join(gitFolder, 'commondir')));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR';
  }
}

/** Looking for new files in a home folder or on a network may keep git busy for minutes. */
const LOOK_FOR_CANCELLING_MS = 50;
/** Git might prompt for something, or wait for a lost network, forever. */
const GIT_LIMIT_MS = 20_000;

/**
 * Git's own list: tracked, and untracked but not ignored, each path ended by a zero.
 *
 * @returns undefined if the root is not a work tree, if git is missing, refuses or does not answer, or if it ignores
 *   everything there
 */
async function gitList(root: string, context: Cancelling, limitMs: number): Promise<Buffer | undefined> {
  // A repository's own configuration may name a program to watch its files; it is not run here.
  const own = ['-C', root, '-c', 'core.fsmonitor=false'];
  const args = [...own, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const git = spawn('git', args, {
    // Windows looks for programs in the working folder first: none of the repository's is to be found there. Elsewhere it
    // has to be there alone, and Node's own folder may be gone once Node is updated.
    cwd: HAS_MODES ? '/' : dirname(process.execPath),
    env: gitEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const startedMs = performance.now();
  const chunks: Buffer[] = [];
  git.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  let watch: NodeJS.Timeout | undefined;
  const status = await new Promise<number | null>((resolve) => {
    git.on('close', resolve);
    git.on('error', () => resolve(null));
    watch = setInterval(() => {
      if (!context.cancelled() && performance.now() - startedMs < limitMs) return;
      git.kill('SIGKILL');
      // Processes of its own may live on and keep the pipe open.
      git.stdout.destroy();
    }, LOOK_FOR_CANCELLING_MS);
  });
  clearInterval(watch);
  const list = Buffer.concat(chunks);
  return status === 0 && list.length > 0 ? list : undefined;
}

/**
 * A hook's environment names the repository it runs in, which is not the one to list. Nothing is fetched: to fetch missing
 * objects, git would run a program that the repository's own configuration names.
 */
function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX)$/.test(name),
  );
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: '0', GIT_ALLOW_PROTOCOL: '' };
}

interface IgnoreFile {
  /** Its directory relative to the root, ending in `/`, or empty. */
  base: string;
  rules: Ignore;
}

function walkedFiles(root: string, issues: RepoMapIssue[], context: Cancelling): string[] {
  const files: string[] = [];
  const open: { base: string; ignoreFiles: readonly IgnoreFile[] }[] = [{ base: '', ignoreFiles: [] }];
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    stopIfCancelled(context);
    const { base } = directory;
    const entries = readDirectory(root, base, issues);
    const ignoreFiles = withIgnoreFile(root, base, directory.ignoreFiles, entries);
    for (const entry of entries) {
      const path = base + entry.name;
      if (entry.isDirectory()) {
        if (!isLeftOutDirectory(entry.name, `${path}/`, ignoreFiles))
          open.push({ base: `${path}/`, ignoreFiles });
      } else if (entry.isFile() && !isIgnored(path, ignoreFiles)) files.push(path);
    }
  }
  return files;
}

function readDirectory(root: string, base: string, issues: RepoMapIssue[]): Dirent[] {
  try {
    return readdirSync(join(root, base), { withFileTypes: true });
  } catch (error) {
    issues.push({ file: base, code: 'UNREADABLE', message: errorReason(error) });
    return [];
  }
}

function isLeftOutDirectory(name: string, path: string, ignoreFiles: readonly IgnoreFile[]): boolean {
  return isOutputDirectory(name) || isVendored(path) || isIgnored(path, ignoreFiles);
}

function withIgnoreFile(
  root: string,
  base: string,
  inherited: readonly IgnoreFile[],
  entries: readonly Dirent[],
): readonly IgnoreFile[] {
  if (!entries.some((entry) => entry.name === '.gitignore' && entry.isFile())) return inherited;
  try {
    const rules = ignore({ ignoreCase: ANY_CASE }).add(readFileSync(join(root, base, '.gitignore'), 'utf8'));
    return [...inherited, { base, rules }];
  } catch {
    return inherited; // An unreadable .gitignore ignores nothing, as with git itself.
  }
}

/** The deepest file that says anything about the path decides; within one, `ignore` lets the last rule win. */
function isIgnored(path: string, ignoreFiles: readonly IgnoreFile[]): boolean {
  for (const { base, rules } of ignoreFiles.toReversed()) {
    const { ignored, unignored } = rules.test(path.slice(base.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
