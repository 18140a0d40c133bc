#!/usr/bin/env node
/**
 * `npm run bench`: sets up if needed, runs the benchmarks one after the other, prints their figures and keeps them as
 * JSON in bench-results/. Each is a program of its own that prints one JSON object: those of the packages
 * (`packages/<name>/bench/<topic>.bench.mjs`) and those of the apps.
 */
import { mkdirSync, readdirSync, existsSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { linesOf } from './bench/figures.mjs';
import { runTool, setUp, workspaceRoot } from './setup.mjs';
import { SetupError, runNode, secondsSince } from './setup/report.mjs';

const resultsFolder = join(workspaceRoot, 'bench-results');

/**
 * So that all of them together take less than five minutes; each takes more when started by hand.
 *
 * @type {Record<string, string[]>}
 */
const defaultArguments = {
  repomap: [join(workspaceRoot, 'packages')],
  walk: ['300000', '300'],
};

/**
 * What each of them measures.
 *
 * @type {Record<string, string>}
 */
const subjects = {
  hdbscan: 'Clustering 10,000 synthetic vectors.',
  compute:
    'Tokenizing, embedding on one worker thread, and searching 10,000 and 100,000 vectors with FAISS, our own scan and a plain loop.',
  walk: 'Walking chains over a graph in memory, from ten chunks at a time.',
  clusters:
    'Clustering the chunks of a project as a server does it: in workers, with the main thread free to answer.',
  ingest: 'Reading synthetic transcripts into chunks, without vectors.',
  repomap: 'A map of these packages: the first (cold), with nothing changed (warm), with one file changed.',
  ablation:
    'What each part of the ranking is worth. The bundled sample is too small to decide that; started by hand it takes a --home and --questions.',
  apps: 'The programs from outside, over synthetic transcripts: reading all, starting a server, searching, answering pings.',
  hooks: 'The hooks from outside, including process start: each has 400 ms, session-end more.',
  vectors:
    'A server that embeds what other processes stored, with search by meaning meanwhile and afterwards.',
  'map-beside': 'A map of a large code base, and how fast the server answers meanwhile.',
  'own-history': 'Reading and searching your own transcripts.',
};

const usage = `Usage: npm run bench [-- NAME… options]
  --chunks N           chunks of the synthetic memory of apps, hooks and vectors
  --starts N           process starts measured by apps and hooks
  --synthetic N        additional synthetic vectors for vectors
  --map FOLDER         a large code base, for map-beside
  --transcripts FOLDER for own-history, such as ~/.claude/projects
  --help               this text

${Object.entries(subjects)
  .map(([name, subject]) => `  ${name.padEnd(20)} ${subject}`)
  .join('\n')}`;

/** @typedef {{ name: string, program: string, args: string[] }} Benchmark */

await runTool(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      chunks: { type: 'string' },
      starts: { type: 'string' },
      synthetic: { type: 'string' },
      map: { type: 'string' },
      transcripts: { type: 'string' },
    },
  });
  const chosen = choose(benchmarks(values), positionals);
  await setUp();
  mkdirSync(resultsFolder, { recursive: true });
  const failed = [];
  for (const benchmark of chosen) if (!(await run(benchmark))) failed.push(benchmark.name);
  console.log(`JSON in ${relative(workspaceRoot, resultsFolder)}/`);
  if (failed.length > 0) throw new SetupError(`Failed: ${failed.join(', ')}.`);
}, usage);

/**
 * Those of a folder of one's own only where it is named.
 *
 * @param {Record<string, string | undefined>} options
 * @returns {Benchmark[]}
 */
function benchmarks({ map, transcripts, ...sizes }) {
  const given = (/** @type {string[]} */ ...names) =>
    names.flatMap((name) => (sizes[name] === undefined ? [] : [`--${name}`, sizes[name]]));
  const ofApps = {
    apps: given('chunks', 'starts'),
    hooks: given('chunks', 'starts'),
    vectors: given('chunks', 'synthetic'),
    ...(map !== undefined && { 'map-beside': ['--map', resolve(map)] }),
    ...(transcripts !== undefined && { 'own-history': ['--transcripts', resolve(transcripts)] }),
  };
  return [
    ...readdirSync(join(workspaceRoot, 'packages')).flatMap(benchmarksOfPackage),
    ...Object.entries(ofApps).map(([name, args]) => {
      return { name, program: join(workspaceRoot, 'tools', 'bench', `${name}.bench.mjs`), args };
    }),
  ];
}

/** @param {string} name of the package's folder */
function benchmarksOfPackage(name) {
  const folder = join(workspaceRoot, 'packages', name, 'bench');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.bench.mjs'))
    .map((file) => {
      const topic = basename(file, '.bench.mjs');
      return { name: topic, program: join(folder, file), args: defaultArguments[topic] ?? [] };
    });
}

/**
 * @param {Benchmark[]} all
 * @param {string[]} names all of them, if empty
 */
function choose(all, names) {
  const unknown = names.find((name) => !all.some((benchmark) => benchmark.name === name));
  if (unknown !== undefined) {
    if (unknown in subjects) throw new SetupError(`${unknown} needs a folder: npm run bench -- --help`);
    throw new SetupError(
      `There is no benchmark "${unknown}". Known: ${all.map(({ name }) => name).join(', ')}.`,
    );
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

/**
 * @param {Benchmark} benchmark
 * @returns {Promise<boolean>} whether it ended well
 */
async function run({ name, program, args }) {
  const startedAt = performance.now();
  const load = loadavg();
  const { ok, output, stdout } = await runNode([program, ...args], { cwd: workspaceRoot });
  const busy = `load ${load.map((minutes) => minutes.toFixed(1)).join(' ')} on ${cpus().length} cores`;
  console.log(`━━ ${name} (${secondsSince(startedAt)}, ${busy})\n`);
  console.log(`  ${subjects[name] ?? ''}\n`);
  if (!ok) {
    console.log(`${output.trimEnd()}\n`);
    return false;
  }
  const result = JSON.parse(stdout);
  for (const line of linesOf(result)) console.log(line === '' ? '' : `  ${line}`);
  console.log('');
  const about = { name, at: new Date().toISOString(), node: process.version, load, cpus: cpus().length };
  writeFileSync(
    join(resultsFolder, `${name}.json`),
    `${JSON.stringify({ ...about, args, result }, null, 2)}\n`,
  );
  return true;
}
