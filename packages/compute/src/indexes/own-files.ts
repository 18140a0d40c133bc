import { randomBytes } from 'node:crypto';

/**
 * Part of the names of this thread's own files. Another thread of the process writes to the same folder, and so may a
 * process of the same number in another container.
 */
export const OWN_NAME = `${process.pid}-${randomBytes(4).toString('hex')}`;
