/** @param {number[]} times */
export function quantiles(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ share) => rounded(sorted[Math.floor((sorted.length - 1) * share)] ?? NaN);
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}

/** @param {number} value */
export function rounded(value) {
  return Number(value.toFixed(2));
}

/** @param {() => Promise<unknown>} work */
export async function millisecondsOf(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/**
 * How long something takes, again and again as long as other work runs.
 *
 * @param {Promise<unknown>} work
 * @param {() => Promise<number>} measure
 * @param {number} pauseMs after each time
 */
export async function timesDuring(work, measure, pauseMs) {
  const times = [];
  let isRunning = true;
  const ended = work.finally(() => (isRunning = false));
  for (; isRunning; await wait(pauseMs)) times.push(await measure());
  await ended;
  return times;
}

/** @param {number} milliseconds */
export function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
