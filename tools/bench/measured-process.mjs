import { spawn } from 'node:child_process';

const usageModule = new URL('./report-usage.mjs', import.meta.url).href;

/** `[41:0x1]  80 ms: Scavenge 12.3 (15.0) -> 11.0 (16.0) MB` */
const collection = /ms: [A-Z][^\n]*? (\d+\.\d+) \(\d+\.\d+\) -> /g;

/**
 * Runs a Node program and measures it from outside.
 *
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @param {{ isTraced?: boolean }} [options] without the trace, nothing but the time on the clock is known
 * @returns {Promise<{ lastLine: string, seconds: number, cpuSeconds: number, peakHeapMegabytes: number, peakMemoryMegabytes: number }>}
 */
export async function runMeasured(args, env, { isTraced = true } = {}) {
  const startedAt = performance.now();
  const flags = isTraced ? ['--trace-gc', '--import', usageModule] : [];
  const { stdout, stderr } = await run([...flags, ...args], env);
  const seconds = (performance.now() - startedAt) / 1000;
  const usage = isTraced ? JSON.parse(lastLineOf(stderr)) : { cpuMicroseconds: NaN, maxRssKilobytes: NaN };
  return {
    // The trace goes to the same place as the program's own output.
    lastLine: lastLineOf(stdout.replace(/^\[\d+:0x.*$/gm, '')),
    seconds,
    cpuSeconds: usage.cpuMicroseconds / 1e6,
    peakHeapMegabytes: Math.max(...[...stdout.matchAll(collection)].map((match) => Number(match[1])), 0),
    peakMemoryMegabytes: usage.maxRssKilobytes / 1024,
  };
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<{ stdout: string, stderr: string }>}
 */
function run(args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => (stderr += data));
    child.on('error', reject);
    child.on('close', (status) => {
      if (status === 0) resolve({ stdout, stderr });
      else reject(new Error(`${args.join(' ')} failed:\n${stderr}`));
    });
  });
}

/** @param {string} text */
function lastLineOf(text) {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
