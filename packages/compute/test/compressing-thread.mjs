// A thread that compresses indexes, each at the same moment as the other threads do theirs; run by tests.
import { parentPort, workerData } from 'node:worker_threads';
import { IndexShelf } from '../dist/indexes/index-shelf.js';

const { config, thread, threads, arrivals } = workerData;
const [DIM, ROWS] = [64, 4_000];
const arrived = new Int32Array(arrivals);
const ids = Float64Array.from({ length: ROWS }, (_, row) => row + 1);
const problems = [];
for (let round = 0; round < arrived.length; round++) {
  const shelf = new IndexShelf(config);
  const key = `${thread}-${round}`;
  await shelf.reconcile(key, { modelId: 'm', dim: DIM }, new Float64Array(0));
  Atomics.add(arrived, round, 1);
  while (Atomics.load(arrived, round) < threads);
  await shelf
    .append(key, ids, new Float32Array(ROWS * DIM).fill(0.1))
    .catch((error) => problems.push(error.message));
  const [{ precision }] = shelf.diagnostics().indexes;
  if (precision !== 'int8') problems.push(`${key} was not compressed`);
}
parentPort.postMessage(problems);
