/**
 * Measures the built apps from outside, over transcripts it makes: reading them, starting the server, searching,
 * answering pings while another process writes. Prints one JSON object.
 *
 *   node tools/bench/apps.bench.mjs [--chunks 20000] [--starts 12]
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runMeasured } from './measured-process.mjs';
import { reindex, throwAwayFolder } from './programs.mjs';
import { search, ServerProcess } from './server-process.mjs';
import { quantiles, rounded, timesDuring } from './times.mjs';
import { makeQuestion, makeTranscripts, seededRandom } from './transcripts.mjs';

const parseProgram = fileURLToPath(new URL('./parse-only.mjs', import.meta.url));

const searches = 300;
const pingPauseMs = 5;

const { values } = parseArgs({
  options: { chunks: { type: 'string', default: '20000' }, starts: { type: 'string', default: '12' } },
});
const folder = throwAwayFolder();
console.log(JSON.stringify(await measure(Number(values.chunks), Number(values.starts)), null, 2));

/**
 * @param {number} chunks about as many
 * @param {number} starts
 */
async function measure(chunks, starts) {
  const home = join(folder, 'home');
  const transcripts = join(folder, 'transcripts');
  const later = join(folder, 'later');
  const made = makeTranscripts(transcripts, { chunks, seed: 1 });
  const ingest = await measureIngest(home, transcripts, made.bytes);
  const initialize = await measureStarts(home, starts);
  makeTranscripts(later, { chunks: Math.max(500, chunks / 5), seed: 2 });
  const server = await ServerProcess.start(home);
  try {
    const firstSearchMs = await server.millisecondsOf(...search(makeQuestion(seededRandom(99))));
    const searchMs = await measureSearches(server);
    const pings = await measurePings(server, home, later);
    return { ingest, initialize, firstSearchMs: rounded(firstSearchMs), search: searchMs, ...pings };
  } finally {
    await server.close();
  }
}

/**
 * @param {string} home
 * @param {string} source
 * @param {number} bytes
 */
async function measureIngest(home, source, bytes) {
  const read = await reindex(home, source);
  const again = await reindex(home, source);
  const reference = await runMeasured([parseProgram, source], {});
  const report = JSON.parse(read.lastLine);
  const megabytes = bytes / 1e6;
  return {
    megabytes: rounded(megabytes),
    files: report.files,
    chunks: report.chunks,
    edges: report.edges,
    vectors: report.vectors,
    // Without vectors, by the program's own clock; then all of it.
    readingMegabytesPerSecond: rounded(megabytes / report.seconds),
    megabytesPerSecond: rounded(megabytes / read.seconds),
    megabytesPerCpuSecond: rounded(megabytes / read.cpuSeconds),
    peakHeapMegabytes: rounded(read.peakHeapMegabytes),
    peakMemoryMegabytes: rounded(read.peakMemoryMegabytes),
    unchangedSeconds: rounded(again.seconds),
    reference: 'read the same files and JSON.parse every line',
    referenceMegabytesPerCpuSecond: rounded(megabytes / reference.cpuSeconds),
    referencePeakHeapMegabytes: rounded(reference.peakHeapMegabytes),
    cpuTimesReference: rounded(read.cpuSeconds / reference.cpuSeconds),
    heapTimesReference: rounded(read.peakHeapMegabytes / reference.peakHeapMegabytes),
  };
}

/**
 * From the start of the process to its answer to `initialize`, by turns with a Node that does nothing.
 *
 * @param {string} home
 * @param {number} starts
 */
async function measureStarts(home, starts) {
  const [ours, bare] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (let i = 0; i < starts; i++) {
    const server = await ServerProcess.start(home);
    ours.push(server.startMs);
    await server.close();
    bare.push((await runMeasured(['-e', '0'], {}, { isTraced: false })).seconds * 1000);
  }
  const [fastest, fastestBare] = [Math.min(...ours), Math.min(...bare)];
  return {
    ...quantiles(ours),
    fastestMs: rounded(fastest),
    reference: 'node -e 0, start to end',
    referenceP50Ms: quantiles(bare).p50Ms,
    referenceFastestMs: rounded(fastestBare),
    timesReference: rounded(fastest / fastestBare),
  };
}

/** @param {ServerProcess} server */
async function measureSearches(server) {
  const random = seededRandom(7);
  const times = [];
  for (let i = 0; i < searches; i++) times.push(await server.millisecondsOf(...search(makeQuestion(random))));
  return { searches, ...quantiles(times), serverMemoryMegabytes: server.memoryMegabytes() };
}

/**
 * Pings beside searches in the same server, then while another process reads new transcripts into its store.
 *
 * @param {ServerProcess} server
 * @param {string} home
 * @param {string} source
 */
async function measurePings(server, home, source) {
  const duringSearches = await pingWhile(server, measureSearches(server));
  const duringIngest = await pingWhile(server, reindex(home, source));
  return { pingDuringSearches: duringSearches, pingDuringIngest: duringIngest };
}

/**
 * @param {ServerProcess} server
 * @param {Promise<unknown>} work
 */
async function pingWhile(server, work) {
  const times = await timesDuring(work, () => server.millisecondsOf('ping', {}), pingPauseMs);
  return { pings: times.length, ...quantiles(times) };
}
