// A thread that opens memories, each at the same moment as the other threads do; run by tests.
import { parentPort, workerData } from 'node:worker_threads';
import { Store } from '@causantic/storage';

const { paths, threads, arrivals } = workerData;
const arrived = new Int32Array(arrivals);
const problems = [];
paths.forEach((path, at) => {
  Atomics.add(arrived, at, 1);
  while (Atomics.load(arrived, at) < threads);
  try {
    Store.open(path).close();
  } catch (error) {
    problems.push(error.message);
  }
});
parentPort.postMessage(problems);
