import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { assertNotReadOnly, writeAtomically } from '@causantic/domain';
import { readJsonFile, textsIn, updateJsonFile } from '../locked-json-file.js';
import { withBlock, withoutBlock } from './marked-block.js';

/** Names the files that hold a block, so that uninstalling finds them all. */
function listFile(home: string): string {
  return join(home, 'claude-md.json');
}

/** Put the block into a file; tells what became of that. */
export function keepBlock(home: string, file: string, content: string): string {
  const read = (): string | null => (existsSync(file) ? textIn(file) : '');
  const text = read();
  if (text === null) return 'left unchanged: not UTF-8';
  const wanted = withBlock(text, content);
  if (wanted === text) return 'unchanged';
  if (isReadOnly(file)) return 'left unchanged: read-only';
  updateJsonFile(listFile(home), (list) => ({
    ...list,
    files: [...new Set([...textsIn(list['files']), file])],
  }));
  const isWritten = writeAtomically(file, wanted, { mode: 0o644, isWanted: () => read() === text });
  return isWritten ? 'updated' : 'left unchanged: another program has just changed it';
}

function isReadOnly(file: string): boolean {
  try {
    assertNotReadOnly(file);
    return false;
  } catch {
    return true;
  }
}

/** Null where the file holds bytes that are no UTF-8: written back, they would be others. */
function textIn(file: string): string | null {
  const bytes = readFileSync(file);
  return isUtf8(bytes) ? bytes.toString('utf8') : null;
}

/** Files that hold a block of ours now. */
export function filesWithBlock(home: string): string[] {
  return textsIn(readJsonFile(listFile(home))['files']).filter((file) => {
    const text = statSync(file, { throwIfNoEntry: false })?.isFile() ? textIn(file) : null;
    return text !== null && withoutBlock(text) !== text;
  });
}
