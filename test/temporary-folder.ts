import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder for the test that runs, which goes with it. No link leads to it, as one does on macOS. */
export function temporaryFolder(): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'causantic-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
