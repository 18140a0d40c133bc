import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMeasured } from './measured-process.mjs';

const appsFolder = fileURLToPath(new URL('../../apps/', import.meta.url));
const reindexProgram = join(appsFolder, 'reindex', 'bin', 'causantic-reindex.mjs');

export const causanticProgram = join(appsFolder, 'mcp-server', 'bin', 'causantic.mjs');

/**
 * Reads transcripts into a home; the last line is the report as JSON.
 *
 * @param {string} home
 * @param {string} source
 */
export function reindex(home, source) {
  return runMeasured([reindexProgram, '--source', source, '--json'], { CAUSANTIC_HOME: home });
}

/** A folder that goes when this program ends. */
export function throwAwayFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'causantic-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
