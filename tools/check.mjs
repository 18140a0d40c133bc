#!/usr/bin/env node
/**
 * `npm run check`: everything that can be said about the code without running its tests. All steps run,
 * even after one that failed.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installWorkspace, runTool, workspaceRoot } from './setup.mjs';
import { runNpm } from './setup/dependencies.mjs';
import { runNode, secondsSince } from './setup/report.mjs';
import { runNx } from './setup/workspace.mjs';

/**
 * @typedef {{ ok: boolean, output: string }} StepResult
 * @typedef {{ name: string, run: () => Promise<StepResult> }} Step
 */

/** What no Nx project covers. */
const looseFiles = ['tools', 'test', 'eslint.config.mjs', 'vitest.config.ts', '.dependency-cruiser.cjs'];

/** @type {Step[]} */
const steps = [
  { name: 'lock file', run: checkLockFile },
  { name: 'types', run: checkTypes },
  {
    name: 'formatting',
    run: () =>
      runProgram('prettier/bin/prettier.cjs', ['--check', '--cache', '--no-color', '--log-level=warn', '.']),
  },
  { name: 'lint', run: lint },
  { name: 'import cycles', run: checkCycles },
  { name: 'unused exports', run: checkUnusedExports },
  { name: 'examples', run: checkDocumentation },
];

await runTool(async () => {
  console.log('Set-up');
  await installWorkspace();
  console.log('\nCheck');
  const failed = [];
  for (const step of steps) {
    if (!(await runStep(step))) failed.push(step.name);
  }
  if (failed.length > 0) process.exitCode = 1;
  console.log(failed.length > 0 ? `\nFailed: ${failed.join(', ')}` : '\nAll checks passed');
});

/** @param {Step} step */
async function runStep({ name, run }) {
  const startedAt = performance.now();
  const result = await run();
  console.log(`  ${result.ok ? '✓' : '✗'} ${name.padEnd(16)} ${secondsSince(startedAt)}`);
  if (!result.ok) console.log(`${result.output.trimEnd().replace(/^/gm, '    ')}\n`);
  return result.ok;
}

/**
 * A package that satisfies nobody's range is no matter to npm 11 and later if it is an optional peer, but makes
 * `npm ci` of npm 10 refuse the whole lock file. Of packages that `overrides` names, npm 11.6 says it wrongly.
 */
async function checkLockFile() {
  const { overrides } = JSON.parse(readFileSync(join(workspaceRoot, 'package.json'), 'utf8'));
  const { output } = await runNpm(['ls', '--all', '--package-lock-only'], { cwd: workspaceRoot });
  const problems = output
    .split('\n')
    .filter((line) => /^npm error (invalid|missing):/.test(line))
    .filter((line) => !Object.keys(overrides).some((name) => line.includes(` ${name}@`)));
  return { ok: problems.length === 0, output: problems.join('\n') };
}

/** First of all, since what follows reads the built packages. */
async function checkTypes() {
  const built = await runNx(workspaceRoot, ['run-many', '-t', 'build']);
  if (!built.ok) return built;
  return runProgram('typescript/bin/tsc', ['-p', 'tools', '--pretty', 'false']);
}

/** Through Nx: plain ESLint passes the rule about layers over when it finds no project graph. */
async function lint() {
  const projects = await runNx(workspaceRoot, ['run-many', '-t', 'lint']);
  const rest = await runProgram('eslint/bin/eslint.js', looseFiles);
  return { ok: projects.ok && rest.ok, output: `${projects.ok ? '' : projects.output}${rest.output}` };
}

function checkCycles() {
  const folders = ['packages', 'apps']
    .flatMap((parent) => readdirSync(join(workspaceRoot, parent)).map((name) => `${parent}/${name}/src`))
    // Beside them may lie what macOS notes of a folder, or what a branch has left.
    .filter((folder) => existsSync(join(workspaceRoot, folder)));
  const options = ['--config', '.dependency-cruiser.cjs', '--output-type', 'err'];
  return runProgram('dependency-cruiser/bin/dependency-cruise.mjs', [...options, ...folders, 'tools']);
}

/** @returns {Promise<StepResult>} */
async function checkUnusedExports() {
  const { findUnusedExports } = await import('./check/unused-exports.mjs');
  const found = findUnusedExports(workspaceRoot);
  return {
    ok: found.length === 0,
    output: found.map((line) => `${line} is exported, but used nowhere else`).join('\n'),
  };
}

/** @returns {Promise<StepResult>} */
async function checkDocumentation() {
  const { checkExamples, examplesOfWorkspace } = await import('./check/examples.mjs');
  const problems = await checkExamples(workspaceRoot, examplesOfWorkspace(workspaceRoot));
  return { ok: problems.length === 0, output: problems.join('\n') };
}

/**
 * @param {string} program its path in node_modules
 * @param {string[]} args
 */
function runProgram(program, args) {
  return runNode([join('node_modules', program), ...args], { cwd: workspaceRoot });
}
