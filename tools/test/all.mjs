/** Runs every test and leaves their figures where `npm test` reads them. Nx runs this, if anything has changed. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FIGURES, runVitest } from './vitest.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const outcome = await runVitest(root, []);
writeFileSync(join(root, FIGURES), JSON.stringify(outcome));
if (outcome.failed > 0 || outcome.passed === 0) process.exitCode = 1;
