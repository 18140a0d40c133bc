import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Program } from '@causantic/claude-code';

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');

export const { version } = JSON.parse(manifest) as { version: string };

/** This program, as a client is told to start it. */
export function ownProgram(): Program {
  return {
    node: process.execPath,
    script: fileURLToPath(new URL('../bin/causantic.mjs', import.meta.url)),
  };
}
