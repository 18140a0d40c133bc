/** Prints what the outcome of the tests depends on besides the files of the workspace: Nx asks, and keeps an outcome for each. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../setup.mjs';
import { ASKED_AGAIN } from './vitest.mjs';

const asked = join(workspaceRoot, ASKED_AGAIN);
const { version, platform, arch } = process;
console.log(version, platform, arch, existsSync(asked) ? readFileSync(asked, 'utf8') : '');
