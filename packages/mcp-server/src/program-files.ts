import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OWN_FILE = fileURLToPath(import.meta.url);

function ownFile(): string {
  const file = statSync(OWN_FILE, { throwIfNoEntry: false });
  return file ? `${file.ino} ${file.mtimeMs}` : 'gone';
}

const atStart = ownFile();

/** Whether Causantic was updated or removed since this process started, so that files not yet loaded may be gone. */
export function isProgramReplaced(): boolean {
  return ownFile() !== atStart;
}
