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

/** @param {number} milliseconds */
export function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
