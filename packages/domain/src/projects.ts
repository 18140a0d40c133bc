// Tells which project a folder belongs to.
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { MAX_PATH_CHARS, realPath } from './files/real-path.js';
import { folderWithGit } from './files/repository-folder.js';
import { readWholeFile } from './files/whole-file.js';
import type { ProjectDraft } from './transcript.js';

const WINDOWS_PATH = /^(?:[A-Za-z]:[\\/]|\\\\)/;

/** Where clients, people and workmux (`__worktrees`) put the worktrees of a repository; group 1 is the repository. */
const WORKTREE_PATHS = [
  /^(.+?)[\\/]\.claude[\\/]worktrees[\\/][^\\/]+(?:[\\/][^]*)?$/,
  /^(.+?)[\\/]\.worktrees[\\/][^\\/]+(?:[\\/][^]*)?$/,
  /^(.+?[^\\/])(?:\.|__)worktrees[\\/][^\\/]+(?:[\\/][^]*)?$/,
];

/** A folder of such a name may hold anything: only a repository beside it tells. */
const WORKTREE_BESIDE = /^(.+?[^\\/])[-_]worktrees[\\/][^\\/]+/;

/** The same behind the repository's folder, in a path with slashes. */
const INTO_WORKTREE =
  /^\/(?:\.claude\/worktrees|\.worktrees)\/[^/]+(?=\/)|^(?:[.-]|__?)worktrees\/[^/]+(?=\/)/;

/** What follows a project's folder in the path of a file, whether the file is in it or in a worktree of it. */
export function outOfWorktree(rest: string): string {
  return rest.replace(INTO_WORKTREE, '');
}

/** A file's path with slashes. Where folders are on a drive of Windows, so is `/c/`, as Git's shell spells it there. */
export function withSlashes(file: string, folders: readonly (string | null)[]): string {
  const isOnDrive = (folder: string | null): boolean => folder !== null && WINDOWS_PATH.test(folder);
  // An agent may write a blank as in a shell, for a tool that takes the path as it is.
  const unescaped = /^(?:[A-Za-z]:|\\)/.test(file) ? file : file.replaceAll('\\ ', ' ');
  return unescaped
    .replaceAll('\\', '/')
    .replace(/^\/([A-Za-z])(?=\/)/, (found, drive: string) =>
      folders.some(isOnDrive) ? `${drive.toUpperCase()}:` : found,
    );
}

/** Gemini names a folder of chats so, whose project nothing may tell. */
export function isPathHash(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}

/** A home folder is not a repository: worktrees directly in it belong to repositories that the path does not name. */
const HOME_FOLDER = /^(?:\/(?:Users|home)\/[^/]+|\/root|[A-Za-z]:\\Users\\[^\\]+)$/;

/**
 * The project of a working folder: its repository, or for a worktree the main repository. Folders on this machine are
 * inspected; others are judged by the form of their path.
 */
export function projectOf(cwd: string): ProjectDraft {
  const path = root(WINDOWS_PATH.test(cwd) ? windowsPath(cwd) : cwd.replace(/(?<=[^/])\/+$/, ''));
  const name = path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
  // The name stands in every header.
  return { path, name: isPathHash(name) ? name.slice(0, 8) : name };
}

/** On these a session is mostly about something new, and what was done on others comes back to them. */
const MAIN_LINE = /^(?:main|master|trunk|develop|dev|next)$/;

/** The topic branch that is checked out in a working folder; undefined on the main line, or if nobody can tell. */
export function topicBranchOf(cwd: string): string | undefined {
  const repository = folderWithGit(realPath(cwd));
  if (repository === null) return undefined;
  const git = join(repository, '.git');
  const head = textIn(join(linkedGitFolder(git) ?? git, 'HEAD'));
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim();
  return branch === undefined || MAIN_LINE.test(branch) ? undefined : branch;
}

function windowsPath(path: string): string {
  const plain = path.replace(/\//g, '\\').replace(/(?<=[^\\])\\+$/, '');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

function root(path: string): string {
  const isOfThisSystem = process.platform === 'win32' ? WINDOWS_PATH.test(path) : isAbsolute(path);
  if (!isOfThisSystem || path.length > MAX_PATH_CHARS) return textualRoot(path);
  const real = realPath(path);
  const repository = repositoryAbove(real);
  // People keep their settings in a repository that is their home folder: what was deleted below was no part of it.
  const isOwn = repository !== null && (existsSync(path) || repository !== realPath(homedir()));
  return (isOwn ? repository : besideRepository(real)) ?? textualRoot(real);
}

/** The repository of a worktree that is gone, given where people put them: `shop-worktrees/blue` beside `shop`. */
function besideRepository(path: string): string | null {
  const repository = WORKTREE_BESIDE.exec(path)?.[1];
  return repository !== undefined && existsSync(repository) ? repositoryAbove(repository) : null;
}

function textualRoot(path: string): string {
  for (const pattern of WORKTREE_PATHS) {
    const repository = pattern.exec(path)?.[1];
    if (repository !== undefined && !HOME_FOLDER.test(repository)) return repository;
  }
  return path;
}

function repositoryAbove(folder: string): string | null {
  const repository = folderWithGit(folder);
  if (repository === null) return null;
  return mainRepository(join(repository, '.git')) ?? repository;
}

/** The folder that a worktree's or a submodule's `.git` file points to; null if it is a folder itself, or broken. */
function linkedGitFolder(git: string): string | null {
  const path = /^gitdir:\s*(.+)$/m.exec(textIn(git))?.[1]?.trim();
  return path ? resolve(dirname(git), path) : null;
}

/** Empty where there is no file, or none that may be read: macOS shows programs files that it does not let them open. */
function textIn(path: string): string {
  try {
    return readWholeFile(path).toString('utf8');
  } catch {
    return '';
  }
}

/** The repository that a worktree's `.git` file points to; null if it is not a worktree (a submodule) or is broken. */
function mainRepository(git: string): string | null {
  const folder = linkedGitFolder(git);
  if (folder === null) return null;
  const path = textIn(join(folder, 'commondir')).trim();
  const common = resolve(folder, path);
  return path !== '' && existsSync(common) ? ownerOf(realpathSync.native(common)) : worktreeOwner(folder);
}

/** The folder that people call the repository, given git's own: `shop/.git`, `shop/.bare`, `shop.git`. */
function ownerOf(gitFolder: string): string {
  const [folder, name] = [dirname(gitFolder), basename(gitFolder)];
  if (name === '.git') return folder;
  // That of a submodule, `shop/.git/modules/lib`, names the submodule.
  const [, submodule] = /^\s*worktree\s*=\s*(.+)$/m.exec(textIn(join(gitFolder, 'config'))) ?? [];
  if (submodule !== undefined) return resolve(gitFolder, submodule.trim());
  return name.startsWith('.') && !HOME_FOLDER.test(folder) ? folder : gitFolder;
}

/** `<repository>/.git/worktrees/<name>`, judged by its form if the folder is gone. */
function worktreeOwner(gitFolder: string): string | null {
  return /^(.+)[\\/]\.(?:git|bare)[\\/]worktrees[\\/][^\\/]+$/.exec(gitFolder)?.[1] ?? null;
}
