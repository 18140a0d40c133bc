/** Runs every test and leaves their figures where `npm test` reads them. Nx runs this, if anything has changed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../setup.mjs';
import { FIGURES, runVitest } from './vitest.mjs';

const outcome = await runVitest(workspaceRoot, []);
writeFileSync(join(workspaceRoot, FIGURES), JSON.stringify(outcome));
if (outcome.failed > 0 || outcome.passed === 0) process.exitCode = 1;
