import { spawnSync } from 'node:child_process';
import { lstatSync, readFileSync, readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '@causantic/domain';
import ignore, { type Ignore } from 'ignore';
import { languageOfName, mayHaveInterpreterLine } from './languages.js';
import { MAX_FILE_BYTES, hasGeneratedName, isOutputDirectory, isVendored } from './left-out-files.js';
import type { RepoMapIssue } from './tags.js';

/** The files that may be source, by path, with what tells whether they changed. */
export interface FileListing {
  /** Relative to the root, with `/`, ascending. */
  paths: string[];
  mtimeMs: Float64Array;
  ctimeMs: Float64Array;
  size: Float64Array;
  issues: RepoMapIssue[];
  /** Before the first look: what changes later is not in here. */
  listedAtMs: number;
}

/** Blocks the thread it runs on: for a worker. Symbolic links are never followed, so nothing loops. */
export function listFiles(root: string): FileListing {
  const issues: RepoMapIssue[] = [];
  const listedAtMs = Date.now();
  const found = gitFiles(root) ?? walkedFiles(root, issues);
  const paths = [...new Set(found)].filter(mayBeSource).sort();
  return { ...withStats(root, paths, issues), listedAtMs };
}

function mayBeSource(path: string): boolean {
  const named = languageOfName(path) !== undefined || mayHaveInterpreterLine(path);
  return named && !isVendored(path) && !hasGeneratedName(path);
}

function withStats(root: string, paths: string[], issues: RepoMapIssue[]): Omit<FileListing, 'listedAtMs'> {
  const kept: string[] = [];
  const [mtimeMs, ctimeMs, size] = [0, 1, 2].map(() => new Float64Array(paths.length)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (const path of paths) {
    let stats;
    try {
      stats = lstatSync(join(root, path), { throwIfNoEntry: false });
    } catch (error) {
      issues.push({ file: path, code: 'UNREADABLE', message: errorMessage(error) });
    }
    if (!stats?.isFile() || stats.size === 0 || stats.size > MAX_FILE_BYTES) continue;
    if (languageOfName(path) === undefined && (stats.mode & 0o111) === 0) continue;
    mtimeMs[kept.length] = stats.mtimeMs;
    ctimeMs[kept.length] = stats.ctimeMs;
    size[kept.length] = stats.size;
    kept.push(path);
  }
  const count = kept.length;
  return {
    paths: kept,
    mtimeMs: mtimeMs.slice(0, count),
    ctimeMs: ctimeMs.slice(0, count),
    size: size.slice(0, count),
    issues,
  };
}

const MAX_LISTING_BYTES = 512 * 1024 * 1024;

/**
 * Git's own list: tracked, and untracked but not ignored.
 *
 * @returns undefined where the root is no work tree, git is missing or refuses, or git ignores all that is there
 */
function gitFiles(root: string): string[] | undefined {
  // A repository's own configuration may name a program to watch its files; it is not run here.
  const args = ['-c', 'core.fsmonitor=false', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const result = spawnSync('git', args, {
    cwd: root,
    env: gitEnvironment(),
    maxBuffer: MAX_LISTING_BYTES,
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  if (result.status !== 0 || result.error !== undefined) return undefined;
  const paths = result.stdout.toString('utf8').split('\0');
  paths.pop();
  return paths.length === 0 ? undefined : paths;
}

/** A hook's environment names the repository it runs in; the one asked for is another. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX)$/.test(name),
  );
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: '0' };
}

interface IgnoreFile {
  /** Its directory relative to the root, ending in `/`, or empty. */
  base: string;
  rules: Ignore;
}

function walkedFiles(root: string, issues: RepoMapIssue[]): string[] {
  const files: string[] = [];
  const open: { base: string; ignoreFiles: readonly IgnoreFile[] }[] = [{ base: '', ignoreFiles: [] }];
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
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
    issues.push({ file: base, code: 'UNREADABLE', message: errorMessage(error) });
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
    const rules = ignore().add(readFileSync(join(root, base, '.gitignore'), 'utf8'));
    return [...inherited, { base, rules }];
  } catch {
    return inherited; // An unreadable .gitignore ignores nothing, as with git itself.
  }
}

/** The deepest file that says anything about the path decides; within one, `ignore` lets the last rule win. */
function isIgnored(path: string, ignoreFiles: readonly IgnoreFile[]): boolean {
  for (let i = ignoreFiles.length - 1; i >= 0; i--) {
    const { base, rules } = ignoreFiles[i]!;
    const { ignored, unignored } = rules.test(path.slice(base.length));
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}
