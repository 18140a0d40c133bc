import { chmodSync, statSync } from 'node:fs';

/** What a file system says that has no modes to set (FAT, exFAT, some folders of other machines). */
const NO_MODES = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Mode 0600, where there are modes. On Windows a folder of the user's own is private, and a file in use may refuse. */
export function makePrivate(file: string): void {
  if (process.platform === 'win32') return;
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!NO_MODES.has(code) || !isOwn(file)) throw error;
  }
}

/** Only the owner of a file may set its mode. */
function isOwn(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.uid === process.getuid?.();
}
