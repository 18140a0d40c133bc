import { spawn } from 'node:child_process';

/** A problem a person can act on: printed without a stack trace. */
export class SetupError extends Error {}

/** @param {number} startedAt as of `performance.now()` */
export function secondsSince(startedAt) {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

/**
 * One line of the report: `  better-sqlite3         compiled (98.1 s)`.
 *
 * @param {string} subject
 * @param {string} text
 */
export function reportLine(subject, text) {
  console.log(`  ${subject.padEnd(22)} ${text}`);
}

/**
 * @typedef {object} CommandResult
 * @property {boolean} ok exit status 0
 * @property {string} output stdout and stderr in the order in which they came
 * @property {string} stdout alone
 *
 * @typedef {object} CommandOptions
 * @property {string} [cwd]
 * @property {Record<string, string>} [env] added to this process's environment
 * @property {number} [timeoutMs] after which the command is ended and counts as failed
 */

/**
 * Runs a command without a stdin and keeps what it prints. Never rejects: a command that cannot be
 * started is a failed one, with the reason as its output.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<CommandResult>}
 */
export function runCommand(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
    });
    let output = '';
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (data) => (stdout += data));
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (data) => (output += data));
    child.on('error', (error) => resolve({ ok: false, output: `${output}${error.message}\n`, stdout }));
    child.on('close', (status) => resolve({ ok: status === 0, output, stdout }));
  });
}

/**
 * Runs a JavaScript program of a dependency with the Node that runs this one.
 *
 * @param {string[]} args the program's path and its arguments
 * @param {CommandOptions} [options]
 */
export function runNode(args, options) {
  return runCommand(process.execPath, args, options);
}

/**
 * The end of a long output, where compilers and npm say what went wrong.
 *
 * @param {string} output
 */
export function lastLines(output, count = 40) {
  const lines = output.trimEnd().split('\n');
  const kept = lines.slice(-count);
  return [...(kept.length < lines.length ? ['…'] : []), ...kept].map((line) => `    ${line}`).join('\n');
}
