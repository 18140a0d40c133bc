#!/usr/bin/env node
/**
 * `npm test [-- vitest's arguments]`: sets up if needed, runs every test and closes with one line
 * `N passed, N failed`. Where nothing has changed since all tests passed, Nx tells again what they printed;
 * `npm test -- --again` runs them anyway.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool, setUp, workspaceRoot } from './setup.mjs';
import { showNx } from './setup/workspace.mjs';
import { ASKED_AGAIN, FIGURES, runVitest } from './test/vitest.mjs';

const AGAIN = '--again';

/** @type {import('./test/vitest.mjs').Outcome} what is said when no test could be run at all */
let outcome = { passed: 0, failed: 1, skipped: 0 };
await runTool(async () => {
  await setUp();
  const given = process.argv.slice(2);
  // Nothing is kept of a run of some tests.
  const args = given.filter((arg) => arg !== AGAIN);
  outcome = args.length > 0 ? await runVitest(workspaceRoot, args) : await runAll(given.includes(AGAIN));
});
if (outcome.failed > 0 || outcome.passed === 0) process.exitCode = 1;
console.log(summaryLine(outcome));

/** @param {boolean} isAgain */
async function runAll(isAgain) {
  const figures = join(workspaceRoot, FIGURES);
  rmSync(figures, { force: true });
  if (isAgain) writeFileSync(join(workspaceRoot, ASKED_AGAIN), new Date().toISOString());
  await showNx(workspaceRoot, [
    'run',
    'causantic-workspace:all-tests',
    '--output-style=stream-without-prefixes',
  ]);
  return existsSync(figures) ? JSON.parse(readFileSync(figures, 'utf8')) : outcome;
}

/** @param {import('./test/vitest.mjs').Outcome} outcome */
function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
