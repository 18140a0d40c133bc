import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

/** A chain of links longer than this leads in a circle. */
const MAX_LINKS = 20;

/**
 * Replace a file's contents as a whole: a reader sees the old or the new ones, also when this process is killed. A
 * link stays a link, and what it points to is replaced; an existing file keeps its mode.
 * @param mode of a new file
 */
export function writeAtomically(path: string, contents: string | Buffer, mode = 0o600): void {
  const target = linkTarget(path);
  const draft = join(
    dirname(target),
    `.${basename(target)}.${process.pid}.${randomBytes(4).toString('hex')}`,
  );
  const kept = statSync(target, { throwIfNoEntry: false })?.mode;
  const descriptor = openSync(draft, 'wx', mode);
  try {
    writeWhole(descriptor, typeof contents === 'string' ? Buffer.from(contents, 'utf8') : contents, kept);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * Would a file have a place in its folder, or in the first above it that there is?
 * @throws Error of the system where it would not
 */
export function assertWritable(path: string): void {
  let folder = dirname(linkTarget(path));
  while (dirname(folder) !== folder && !lstatSync(folder, { throwIfNoEntry: false }))
    folder = dirname(folder);
  // Also asks whether it is a folder.
  accessSync(`${folder}${sep}.`, constants.W_OK | constants.X_OK);
}

function writeWhole(descriptor: number, bytes: Buffer, mode: number | undefined): void {
  try {
    // Not when it is opened: the process's mask would take rights away.
    if (mode !== undefined) fchmodSync(descriptor, mode & 0o777);
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Where a chain of links ends, whether or not anything is there. */
function linkTarget(path: string): string {
  let target = resolve(path);
  for (let links = 0; links < MAX_LINKS; links++) {
    if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  throw new Error(`Symbolic links at ${path} form a loop.`);
}
