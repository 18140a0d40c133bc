import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/** Where the figures of a run of all tests stand. */
export const FIGURES = '.setup/tests.json';
/** Holds when all tests were to be run again: what passed before that counts no more. */
export const ASKED_AGAIN = '.setup/tests-again';

/**
 * @param {string} root of the workspace
 * @param {string[]} args vitest's
 * @returns {Promise<Outcome>}
 */
export async function runVitest(root, args) {
  const reportFolder = mkdtempSync(join(tmpdir(), 'causantic-test-'));
  const reportPath = join(reportFolder, 'report.json');
  try {
    const status = await statusOf(root, [
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
 * @param {string} root
 * @param {string[]} args
 * @returns {Promise<number>} its exit status
 */
function statusOf(root, args) {
  return new Promise((resolve) => {
    const program = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const child = spawn(process.execPath, [program, 'run', ...args], {
      cwd: root,
      env: withoutNx(process.env),
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('close', (status) => resolve(status ?? 1));
  });
}

/**
 * Programs that the tests start are to know nothing of Nx.
 *
 * @param {NodeJS.ProcessEnv} env
 */
function withoutNx(env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(NX_.*|LERNA_PACKAGE_NAME|FORCE_COLOR)$/.test(name)),
  );
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
