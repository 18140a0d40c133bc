import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { pause } from '../pause.js';
import { giveAway } from './private-file.js';

/** A longer chain of symbolic links is a loop. */
const MAX_LINKS = 20;
/** How long a file in use is waited for, on Windows, and between two tries. */
const MAX_WAIT_MS = 1_000;
const PAUSE_MS = 10;

/**
 * Replace a file's contents atomically: a reader sees either the old or the new contents, even if this process is
 * killed. A link stays a link, and its target is replaced; an existing file keeps its mode and owner.
 * @param mode of a new file
 * @param synced whether to wait for the disk, which may take seconds; otherwise a power failure may leave an empty file
 * @param isWanted asked last of all, behind that wait: other programs may have written the file meanwhile
 * @returns false if it was not wanted, and nothing was written
 */
export function writeAtomically(
  path: string,
  contents: string | Buffer,
  {
    mode = 0o600,
    synced = true,
    isWanted = () => true,
  }: { mode?: number; synced?: boolean; isWanted?: () => boolean } = {},
): boolean {
  const target = linkTarget(path);
  const draft = join(
    dirname(target),
    `.${basename(target)}.${process.pid}.${randomBytes(4).toString('hex')}`,
  );
  const kept = statSync(target, { throwIfNoEntry: false });
  const owner = kept ?? statSync(dirname(target));
  const descriptor = openSync(draft, 'wx', mode);
  try {
    writeWhole(descriptor, contents, { mode: kept?.mode, owner, synced });
    const wanted = isWanted();
    if (wanted) putInPlace(draft, target);
    else rmSync(draft);
    return wanted;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Nothing takes the place of a file that is mounted by itself, as into a container: it is written over. */
function putInPlace(draft: string, target: string): void {
  try {
    renameOver(draft, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
    copyFileSync(draft, target);
    rmSync(draft);
  }
}

/**
 * Renames a file to the name of another, which it replaces. Windows refuses that while any program has the other one
 * open, be it one that reads it or one that looks for viruses, so it is tried again for a second.
 * @throws NodeJS.ErrnoException
 */
export function renameOver(by: string, path: string): void {
  for (const startMs = performance.now(); ; pause(PAUSE_MS)) {
    try {
      return renameSync(by, path);
    } catch (error) {
      if (!mayBeInUse(error) || performance.now() - startMs > MAX_WAIT_MS) throw error;
    }
  }
}

/** Of a file that some program has open, or is deleting: only Windows refuses those. */
export function mayBeInUse(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(code);
}

/**
 * Checks that a file could be written: to its folder or, if that is missing, to the nearest existing one above it.
 * @throws Error of the system if it could not
 */
export function assertWritable(path: string): void {
  const target = linkTarget(path);
  let folder = dirname(target);
  // What a link leads to may be on a disk that is not there now: no folders are made for it.
  const mayBeMade = target === resolve(path);
  while (mayBeMade && dirname(folder) !== folder && !lstatSync(folder, { throwIfNoEntry: false }))
    folder = dirname(folder);
  // The dot also asks whether it is a folder, but not on Windows.
  accessSync(`${folder}${sep}.`, constants.W_OK | constants.X_OK);
  if (!statSync(folder).isDirectory()) throw new Error(`ENOTDIR: not a directory, access '${folder}'`);
}

/**
 * A new file takes the place of one that is only to be read: what its owner made read-only is to stay as it is.
 * @throws Error if there is such a file
 */
export function assertNotReadOnly(path: string): void {
  if (existsSync(path)) accessSync(path, constants.W_OK);
}

function writeWhole(
  descriptor: number,
  contents: string | Buffer,
  { mode, owner, synced }: { mode: number | undefined; owner: Stats; synced: boolean },
): void {
  try {
    giveAway(() => fchownSync(descriptor, owner.uid, owner.gid));
    // Not when it is opened: the process's mask would take rights away.
    if (mode !== undefined) fchmodSync(descriptor, mode & 0o777);
    writeFileSync(descriptor, contents);
    if (synced) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Where a chain of links ends, whether or not anything is there; the absolute path itself, if it is no link.
 * @throws Error if the links form a loop
 */
export function linkTarget(path: string): string {
  let target = resolve(path);
  for (let links = 0; links < MAX_LINKS; links++) {
    if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  throw new Error(`Symbolic links at ${path} form a loop.`);
}
