import { fileURLToPath } from 'node:url';
import type { Program } from '@causantic/claude-code';

/** This program, as a client is told to start it. */
export function ownProgram(): Program {
  return {
    node: process.execPath,
    script: fileURLToPath(new URL('../bin/causantic.mjs', import.meta.url)),
  };
}
