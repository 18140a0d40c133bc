#!/usr/bin/env node
/**
 * The one command for a fresh clone: sets everything up, reads transcripts, and shows what questions and a
 * repository map give.
 *
 *   npm run quickstart                               the bundled sample, in a throw-away home
 *   npm run quickstart -- --source DIR [--home DIR]  your transcripts, in your home
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runTool, setUp, workspaceRoot } from './setup.mjs';
import { SetupError, secondsSince } from './setup/report.mjs';

const usage = `Usage: npm run quickstart [-- options]
  --source DIR            transcripts to read; can be repeated (default: a bundled sample)
  --home DIR              where to keep the memory (default: $CAUSANTIC_HOME or ~/.causantic; the sample
                          uses a temporary folder)
  --keep                  keep the sample's folder
  --with-system-packages  install what compiling takes, and Debian's faiss library (as root)`;

const commands = {
  causantic: join(workspaceRoot, 'apps', 'mcp-server', 'bin', 'causantic.mjs'),
  'causantic-reindex': join(workspaceRoot, 'apps', 'reindex', 'bin', 'causantic-reindex.mjs'),
};

const sampleFolder = join(workspaceRoot, 'test', 'sample', 'claude', 'projects');
/** @typedef {[command: 'search' | 'explain' | 'recall', question: string]} Question */

/** @type {Question[]} */
const sampleQuestions = [
  ['search', 'which refresh token is used twice?'],
  ['search', 'on which CI runners does the upload test fail?'],
  ['search', 'DROP TABLE deletes rows in a migration'],
  ['explain', 'why were users logged out at random?'],
  ['recall', 'how did we find out why the upload test is flaky?'],
];
/** @type {Question[]} */
const generalQuestions = [
  ['search', 'what was decided, and why?'],
  ['search', 'which error came up and how was it fixed?'],
  ['search', 'failing test'],
];

/** A reader wants to see what an answer looks like, not all of it. */
const shownLines = 24;

await runTool(async () => {
  const options = readOptions();
  try {
    await setUp({ withSystemPackages: options.withSystemPackages });
    await showMemory(options);
    await show('Repository map of this clone', 'causantic', ['repomap', workspaceRoot], options.home);
    showHowToAttach(options);
  } finally {
    if (options.isThrowAway) rmSync(options.home, { recursive: true, force: true });
  }
}, usage);

/**
 * @typedef {object} Options
 * @property {string[]} sources
 * @property {string} home
 * @property {boolean} isThrowAway whether the home is removed at the end
 * @property {Question[]} questions
 * @property {boolean} withSystemPackages
 */

/** @returns {Options} */
function readOptions() {
  const { values } = parseArgs({
    options: {
      source: { type: 'string', multiple: true },
      home: { type: 'string' },
      keep: { type: 'boolean' },
      'with-system-packages': { type: 'boolean' },
    },
  });
  const isSample = values.source === undefined;
  const namedHome =
    values.home ?? (isSample ? undefined : process.env['CAUSANTIC_HOME'] || join(homedir(), '.causantic'));
  const missing = values.source?.find((source) => !existsSync(source));
  if (missing !== undefined) throw new SetupError(`No such file or folder: ${missing}`);
  return {
    sources: values.source?.map((source) => resolve(source)) ?? [sampleFolder],
    home: namedHome === undefined ? mkdtempSync(join(tmpdir(), 'causantic-quickstart-')) : resolve(namedHome),
    isThrowAway: namedHome === undefined && !values.keep,
    questions: isSample ? sampleQuestions : generalQuestions,
    withSystemPackages: values['with-system-packages'] === true,
  };
}

/** @param {Options} options */
async function showMemory({ sources, home, questions }) {
  const sourceArgs = sources.flatMap((source) => ['--source', source]);
  const what = sources[0] === sampleFolder ? 'the bundled sample' : sources.join(', ');
  await show(`Reading ${what}`, 'causantic-reindex', sourceArgs, home);
  await show('Projects', 'causantic', ['list-projects'], home);
  for (const [command, question] of questions)
    await show(`causantic ${command} ${question}`, 'causantic', [command, question], home);
}

/**
 * Runs a command and prints the beginning of its answer under a title.
 *
 * @param {string} title
 * @param {keyof typeof commands} command
 * @param {string[]} args
 * @param {string} home
 */
async function show(title, command, args, home) {
  console.log(`━━ ${title}\n`);
  const startedAt = performance.now();
  const { ok, output } = await runCommandLine([commands[command], ...args], home);
  const lines = output.trimEnd().split('\n');
  const isCut = lines.length > shownLines + 1;
  for (const line of isCut ? lines.slice(0, shownLines) : lines)
    console.log(line === '' ? '' : `  ${shorten(line)}`);
  const rest = isCut ? `… ${lines.length - shownLines} more lines ` : '';
  console.log(`  ${rest}(${secondsSince(startedAt)})\n`);
  if (!ok) throw new SetupError(`${command} ${args.join(' ')} failed.`);
}

/**
 * @param {string[]} args
 * @param {string} home
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
function runCommandLine(args, home) {
  return new Promise((resolve) => {
    // A progress bar on stderr stays one: it is for the terminal.
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, CAUSANTIC_HOME: home },
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (data) => (output += data));
    child.on('close', (status) => resolve({ ok: status === 0, output }));
  });
}

/** @param {string} line */
function shorten(line) {
  const width = Math.max(60, (process.stdout.columns ?? 120) - 4);
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}

/**
 * For a command line that is copied into a shell, of whatever kind.
 *
 * @param {string} path
 */
function quoted(path) {
  return path.includes(' ') ? `"${path}"` : path;
}

/** @param {Options} options */
function showHowToAttach({ home, isThrowAway }) {
  const standardHome = join(homedir(), '.causantic');
  const variable = isThrowAway || home === standardHome ? '' : `CAUSANTIC_HOME=${quoted(home)} `;
  const program = quoted(commands.causantic);
  console.log('━━ Next\n');
  if (isThrowAway) {
    console.log('  Read your own sessions:');
    console.log('    npm run quickstart -- --source ~/.claude/projects\n');
  }
  console.log('  Set up Claude Code with the server, hooks and skills, and show how to attach other agents:');
  console.log(`    ${variable}node ${program} init`);
  console.log('  Or the server alone:');
  const option = variable === '' ? '' : ` --env ${variable.trim()}`;
  console.log(`    claude mcp add --scope user causantic${option} -- node ${program} serve`);
}
