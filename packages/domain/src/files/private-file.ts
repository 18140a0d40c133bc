import { chmodSync, existsSync, lchownSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** What a file system says that has no modes to set (FAT, exFAT, some folders of other machines). */
const NO_MODES = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * Makes a folder and those above it, as far as they are not there. What root makes in another user's folder is theirs.
 * @param mode of new folders
 */
export function makeFolder(folder: string, mode = 0o700): void {
  const whole = resolve(folder);
  const missing = uppermostMissing(whole);
  const isMade = makeAlone(missing, mode);
  const below = mkdirSync(whole, { recursive: true, mode });
  const first = isMade ? missing : below;
  if (first === undefined) return;
  giveAway(() => {
    const above = dirname(first);
    const { uid, gid } = statSync(above);
    for (let made = whole; made !== above; made = dirname(made)) lchownSync(made, uid, gid);
  });
}

function uppermostMissing(folder: string): string {
  const above = dirname(folder);
  return above === folder || existsSync(above) ? folder : uppermostMissing(above);
}

/**
 * Not with `recursive`: where a file system takes no new folders, as `/proc`, Node would try for ever.
 * @returns false if it is there, or cannot be made for a reason that Node knows how to tell
 */
function makeAlone(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    return false;
  }
}

/**
 * Mode 0600, where there are modes. On Windows a folder of the user's own is private, and a file in use may refuse. What
 * root has made in another user's folder is theirs.
 */
export function makePrivate(file: string): void {
  if (process.platform === 'win32') return;
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!NO_MODES.has(code) || !isOwn(file)) throw error;
  }
  giveAway(() => {
    const { uid, gid } = statSync(dirname(file));
    lchownSync(file, uid, gid);
  });
}

/** Only the owner of a file may set its mode. */
function isOwn(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

/** `sudo` may keep the home, and a container may have one of another user: what root writes there is still theirs. */
export function giveAway(change: () => void): void {
  if (process.getuid?.() !== 0) return;
  try {
    change();
  } catch {
    // The disk knows no owners, or not this root.
  }
}
