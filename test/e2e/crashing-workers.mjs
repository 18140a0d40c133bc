// Imported first in every thread of a server: while the file named by CRASH_FLAG exists, no worker lives.
import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (!isMainThread) {
  setInterval(() => {
    if (existsSync(process.env.CRASH_FLAG ?? '')) process.exit(9);
  }, 10).unref();
}
