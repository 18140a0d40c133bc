/** Prints what the outcome of the tests depends on besides the files of the workspace: Nx asks, and keeps an outcome for each. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ASKED_AGAIN } from './vitest.mjs';

const asked = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), ASKED_AGAIN);
const { version, platform, arch } = process;
console.log(version, platform, arch, existsSync(asked) ? readFileSync(asked, 'utf8') : '');
