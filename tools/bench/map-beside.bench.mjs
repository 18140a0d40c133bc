/**
 * Measures, through the official client, how a server answers while it maps a large tree for the first time: pings and
 * searches before the map and while it is made. Prints one JSON object.
 *
 *   node tools/bench/map-beside.bench.mjs --map FOLDER [--chunks 5000]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { causanticProgram, reindex, throwAwayFolder } from './programs.mjs';
import { millisecondsOf, quantiles, rounded, timesDuring, wait } from './times.mjs';
import { makeQuestion, makeTranscripts, seededRandom } from './transcripts.mjs';

const pingPauseMs = 5;
const searchPauseMs = 250;
const secondsBefore = 10;
const mapTimeoutMs = 3_600_000;

const { values } = parseArgs({
  options: { chunks: { type: 'string', default: '5000' }, map: { type: 'string', default: '.' } },
});
const folder = throwAwayFolder();
console.log(JSON.stringify(await measure(values.map, Number(values.chunks)), null, 2));

/**
 * @param {string} project
 * @param {number} chunks
 */
async function measure(project, chunks) {
  const home = join(folder, 'home');
  makeTranscripts(join(folder, 'transcripts'), { chunks, seed: 1 });
  await reindex(home, join(folder, 'transcripts'));
  const client = new Client({ name: 'bench', version: '0' });
  const env = { ...process.env, CAUSANTIC_HOME: home };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [causanticProgram, 'serve'], env }),
  );
  try {
    const ask = questions(client);
    const firstSearchMs = rounded(await ask());
    const before = await answersWhile(client, ask, wait(secondsBefore * 1000));
    const startedAt = performance.now();
    const map = client.callTool({ name: 'repomap', arguments: { project } }, undefined, {
      timeout: mapTimeoutMs,
    });
    const during = await answersWhile(client, ask, map);
    const mapSeconds = rounded((performance.now() - startedAt) / 1000);
    return { map: headerOf(await map), mapSeconds, firstSearchMs, before, during };
  } finally {
    await client.close();
  }
}

/**
 * @param {Client} client
 * @returns {() => Promise<number>} asks something new and gives the milliseconds until the answer
 */
function questions(client) {
  const random = seededRandom(99);
  return () => {
    const query = makeQuestion(random);
    return millisecondsOf(() => client.callTool({ name: 'search', arguments: { query } }));
  };
}

/**
 * @param {Client} client
 * @param {() => Promise<number>} ask
 * @param {Promise<unknown>} work
 */
async function answersWhile(client, ask, work) {
  const [pings, searches] = await Promise.all([
    timesDuring(work, () => millisecondsOf(() => client.ping()), pingPauseMs),
    timesDuring(work, ask, searchPauseMs),
  ]);
  return { ping: answersIn(pings), search: answersIn(searches) };
}

/** @param {number[]} times */
function answersIn(times) {
  return { answers: times.length, ...quantiles(times), maxMs: rounded(Math.max(...times)) };
}

/** @param {any} answer */
function headerOf({ content }) {
  return String(content[0]?.text).split('\n')[0];
}
