#!/usr/bin/env node
/**
 * `npm test [-- vitest's arguments]`: sets up if needed, runs every test and closes with one line
 * `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool, setUp, workspaceRoot } from './setup.mjs';

/**
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/** What is said when no test could be run at all. */
let outcome = { passed: 0, failed: 1, skipped: 0 };
await runTool(async () => {
  await setUp();
  outcome = await runTests(process.argv.slice(2));
});
if (outcome.failed > 0 || outcome.passed === 0) process.exitCode = 1;
console.log(summaryLine(outcome));

/**
 * @param {string[]} args
 * @returns {Promise<Outcome>}
 */
async function runTests(args) {
  const reportFolder = mkdtempSync(join(tmpdir(), 'causantic-test-'));
  const reportPath = join(reportFolder, 'report.json');
  try {
    const status = await runVitest([
      ...args,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportPath}`,
    ]);
    return outcomeOf(reportPath, status);
  } finally {
    rmSync(reportFolder, { recursive: true, force: true });
  }
}

/**
 * @param {string[]} args
 * @returns {Promise<number>} its exit status
 */
function runVitest(args) {
  return new Promise((resolve) => {
    const program = join(workspaceRoot, 'node_modules', 'vitest', 'vitest.mjs');
    const child = spawn(process.execPath, [program, 'run', ...args], {
      cwd: workspaceRoot,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('close', (status) => resolve(status ?? 1));
  });
}

/**
 * A file that could not be loaded, an error outside of any test and a crash count as one failure each:
 * vitest's own figures leave them out.
 *
 * @param {string} reportPath
 * @param {number} status
 * @returns {Outcome}
 */
function outcomeOf(reportPath, status) {
  if (!existsSync(reportPath)) return { passed: 0, failed: 1, skipped: 0 };
  const report = JSON.parse(readFileSync(reportPath, 'utf8'));
  const brokenFiles = report.testResults.filter(
    (/** @type {{ status: string, assertionResults: { status: string }[] }} */ file) =>
      file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = report.numFailedTests + brokenFiles;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** @param {Outcome} outcome */
function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
