/**
 * Measures search by meaning in the real server: while it embeds and indexes chunks that were stored without vectors,
 * afterwards, and, if asked for, over synthetic vectors. Prints one JSON object.
 *
 *   node tools/bench/vectors.bench.mjs [--chunks 5000] [--synthetic 1000000]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { builtInModel } from '@causantic/compute';
import { ingestTree } from '@causantic/ingest';
import { Store } from '@causantic/storage';
import { throwAwayFolder } from './programs.mjs';
import { search, ServerProcess } from './server-process.mjs';
import { writeSyntheticMemory } from './synthetic-memory.mjs';
import { quantiles, rounded, timesDuring, wait } from './times.mjs';
import { makeQuestion, makeTranscripts, seededRandom } from './transcripts.mjs';

const pingPauseMs = 5;
const searchPauseMs = 100;
const searches = 300;

const { values } = parseArgs({
  options: { chunks: { type: 'string', default: '5000' }, synthetic: { type: 'string', default: '0' } },
});
const folder = throwAwayFolder();
const builtIn = await builtInModel();
const results = {
  backlog: await measureBacklog(Number(values.chunks)),
  ...(Number(values.synthetic) > 0 && { synthetic: await measureSynthetic(Number(values.synthetic)) }),
};
console.log(JSON.stringify(results, null, 2));

/** @param {number} chunks about as many are stored without vectors before the server starts */
async function measureBacklog(chunks) {
  const home = join(folder, 'backlog');
  const transcripts = join(folder, 'transcripts');
  makeTranscripts(transcripts, { chunks, seed: 1 });
  const store = Store.open(join(home, 'memory.db'));
  ingestTree(store, [transcripts]);
  const pending = () => store.vectors.countPending(builtIn.id);
  const total = pending();
  const server = await ServerProcess.start(home);
  const idle = await ServerProcess.start(join(folder, 'idle'));
  try {
    const firstSearchMs = await server.millisecondsOf(...search(makeQuestion(seededRandom(99))));
    const startedAt = performance.now();
    const cpuBefore = server.mainThreadCpuMs();
    const work = whenDone(() => pending() === 0);
    const [pings, idlePings, found] = await Promise.all([
      timesDuring(work, () => server.millisecondsOf('ping', {}), pingPauseMs),
      timesDuring(work, () => idle.millisecondsOf('ping', {}), pingPauseMs),
      timesDuring(work, askers(server, 7), searchPauseMs),
    ]);
    const seconds = (performance.now() - startedAt) / 1000;
    return {
      chunks: total,
      firstSearchMs: rounded(firstSearchMs),
      chunksPerSecond: rounded(total / seconds),
      whileEmbedding: {
        ping: { count: pings.length, ...quantiles(pings) },
        pingReference: { what: 'a server beside it that does nothing', ...quantiles(idlePings) },
        search: { count: found.length, ...quantiles(found) },
        mainThreadCpuShare: rounded((server.mainThreadCpuMs() - cpuBefore) / 1000 / seconds),
        memoryMegabytes: server.memoryMegabytes(),
      },
      afterwards: await measureSearches(server),
    };
  } finally {
    await Promise.all([server.close(), idle.close()]);
    store.close();
  }
}

/** @param {number} vectors */
async function measureSynthetic(vectors) {
  const home = join(folder, 'synthetic');
  writeSyntheticMemory(join(home, 'memory.db'), { vectors, model: builtIn });
  const server = await ServerProcess.start(home);
  const started = await measureStart(server);
  const quiet = await measureSearches(server);
  await server.close();
  const again = await ServerProcess.start(home);
  const restarted = await measureStart(again);
  await again.close();
  return { vectors, indexMadeAnew: started, ...quiet, indexFromFile: restarted };
}

/**
 * A search answers by words alone when the index is not ready in time; so asked until all of it is there.
 *
 * @param {ServerProcess} server
 */
async function measureStart(server) {
  const startedAt = performance.now();
  const firstSearchMs = await server.millisecondsOf(...search(makeQuestion(seededRandom(99))));
  const isReady = async () => {
    const { _meta } = await server.resultOf(...search(makeQuestion(seededRandom(99))));
    return _meta['causantic/diagnostics'].degraded.length === 0;
  };
  while (!(await isReady()));
  return {
    firstSearchMs: rounded(firstSearchMs),
    readyAfterMs: rounded(performance.now() - startedAt),
    memoryMegabytes: server.memoryMegabytes(),
  };
}

/** @param {ServerProcess} server */
async function measureSearches(server) {
  const ask = askers(server, 11);
  await ask();
  const cpuBefore = server.mainThreadCpuMs();
  const times = [];
  for (let i = 0; i < searches; i++) times.push(await ask());
  return {
    searches,
    ...quantiles(times),
    mainThreadCpuMsASearch: rounded((server.mainThreadCpuMs() - cpuBefore) / searches),
    memoryMegabytes: server.memoryMegabytes(),
  };
}

/**
 * @param {ServerProcess} server
 * @param {number} seed of the questions
 */
function askers(server, seed) {
  const random = seededRandom(seed);
  return () => server.millisecondsOf(...search(makeQuestion(random)));
}

/** @param {() => boolean} isDone */
async function whenDone(isDone) {
  while (!isDone()) await wait(250);
}
