import { setTimeout } from 'node:timers/promises';
import { WorkerPool } from '@causantic/compute';
import { buildRepoMap } from '@causantic/repomap';
import { afterAll, describe, expect, it } from 'vitest';
import { project, temporaryFolder } from './project.js';

/** Needs the built package: workers load what `dist` holds. */
const pool = new WorkerPool({ threads: 2 });
afterAll(() => pool.close());

function sources(count: number): Record<string, string> {
  const files: Record<string, string> = {};
  for (let i = 0; i < count; i++)
    files[`file${i}.lua`] = `function shared_${i}() return shared_${(i + 1) % count}() end\n`;
  return files;
}

/** Two maps of one tree: after two batches, the one that reads waits until the other one knows that it has to wait. */
function onceBothKnow(onBatch?: (files: number) => void): Pick<WorkerPool, 'run' | 'threads'> {
  let surveys = 0;
  let batches = 0;
  let release: () => void;
  const bothKnow = new Promise<void>((resolve) => (release = resolve));
  return {
    threads: pool.threads,
    run: async (task, input, options) => {
      if (task.name === 'readFiles') {
        onBatch?.((input as { files: Uint32Array }).files.length);
        if (++batches > 2) await bothKnow;
      }
      const output = await pool.run(task, input, options);
      if (task.name === 'surveyProject' && ++surveys === 2) release();
      return output;
    },
  };
}

describe('in a worker pool', () => {
  it('gives the same map as without one, reports progress, and leaves this thread free', async () => {
    const root = project(sources(300));
    const progress: [number, number][] = [];
    const onProgress = (done: number, total: number) => void progress.push([done, total]);
    const pooled = await buildRepoMap({ root, pool, onProgress });
    const here = await buildRepoMap({ root });
    expect(pooled.text.split('\n').slice(1)).toEqual(here.text.split('\n').slice(1));
    expect(progress.at(-1)).toEqual([300, 300]);
    expect(progress.map(([done]) => done)).toEqual([...progress.map(([done]) => done)].sort((a, b) => a - b));
  });

  it('starts no thread for a single batch', async () => {
    const pool = new WorkerPool({ threads: 4 });
    expect((await buildRepoMap({ root: project(sources(300)), pool })).files).toBe(300);
    expect(pool.diagnostics()).toMatchObject({ started: 2, tasks: { readFiles: { count: 3 } } });
    await pool.close();
  });

  it('shares what it read with the next run', async () => {
    const root = project(sources(100));
    const cacheDir = temporaryFolder();
    expect((await buildRepoMap({ root, pool, cacheDir })).parsedFiles).toBe(100);
    expect((await buildRepoMap({ root, pool, cacheDir })).parsedFiles).toBe(0);
  });

  it('stops when it is cancelled and goes on with the next', async () => {
    const root = project(sources(400));
    const stop = new AbortController();
    const onProgress = () => stop.abort();
    await expect(buildRepoMap({ root, pool, onProgress, signal: stop.signal })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    expect((await buildRepoMap({ root, pool })).files).toBe(400);
  });

  it('reads nothing more once a worker has failed', async () => {
    let asked = 0;
    const failing: Pick<WorkerPool, 'run' | 'threads'> = {
      threads: pool.threads,
      run: (task, input, options) => {
        if (task.name !== 'readFiles' || ++asked > 1) return pool.run(task, input, options);
        return Promise.reject(new Error('The worker ended.'));
      },
    };
    await expect(buildRepoMap({ root: project(sources(900)), pool: failing })).rejects.toThrow('ended');
    while (pool.diagnostics().running > 0) await setTimeout(10);
    expect(asked).toBeLessThanOrEqual(pool.threads + 1);
  });

  it.each([
    ['pool', pool],
    ['thread', undefined],
  ])('goes on from where the last one was cancelled, in a %s', async (_where, given) => {
    const root = project({ ...sources(900), 'zz/last.lua': 'function zz() return shared_5() end\n' });
    const run = { root, cacheDir: temporaryFolder(), ...(given && { pool: given }) };
    for (let time = 0; time < 2; time++) {
      const stop = new AbortController();
      const onProgress = (done: number) => void (done >= 250 && stop.abort());
      await expect(buildRepoMap({ ...run, onProgress, signal: stop.signal })).rejects.toMatchObject({
        code: 'ABORTED',
      });
    }
    const map = await buildRepoMap(run);
    // Each time one batch of a hundred at least was whole.
    expect(map.parsedFiles).toBeLessThanOrEqual(701);
    expect(map.text.split('\n').slice(1)).toEqual((await buildRepoMap({ root })).text.split('\n').slice(1));
    expect((await buildRepoMap(run)).parsedFiles).toBe(0);
  });

  it('reads a tree once for two that ask at the same time, and both hear how far it is', async () => {
    const root = project(sources(900));
    const batches: number[] = [];
    const heard = [0, 0];
    const options = { root, pool: onceBothKnow((files) => batches.push(files)), cacheDir: temporaryFolder() };
    const maps = heard.map((_, one) =>
      buildRepoMap({ ...options, onProgress: (done) => void (heard[one] = done) }),
    );
    const [first, second] = await Promise.all(maps);
    expect(batches.reduce((sum, files) => sum + files)).toBe(900);
    expect(heard).toEqual([900, 900]);
    expect(first!.text.split('\n').slice(1)).toEqual(second!.text.split('\n').slice(1));
  });

  it.each(['reads', 'waits'])(
    'of two at the same time goes on where the one that %s is cancelled',
    async (which) => {
      const run = { root: project(sources(900)), pool, cacheDir: temporaryFolder() };
      const stops = [new AbortController(), new AbortController()];
      let reader: number | undefined;
      let read = 0;
      const maps = stops.map(({ signal }, one) => {
        const onProgress = (done: number) => {
          reader ??= one;
          read = done;
          if (done >= 250) stops[which === 'reads' ? reader : 1 - reader]!.abort();
        };
        return buildRepoMap({ ...run, onProgress, signal });
      });
      const cancelled = await Promise.any(
        maps.map((map, one) => map.catch((error: unknown) => ({ one, error }))),
      );
      expect(cancelled).toMatchObject({ error: { code: 'ABORTED' } });
      // Who only waits need not wait for the end; what the other has read is not read again.
      if (which === 'waits') expect(read).toBeLessThan(900);
      const one = 'one' in cancelled ? cancelled.one : -1;
      expect(one).toBe(which === 'reads' ? reader : 1 - reader!);
      const map = await maps[1 - one]!;
      expect(map.files).toBe(900);
      // Of two at a time, one batch of a hundred was whole.
      if (which === 'reads') expect(map.parsedFiles).toBeLessThanOrEqual(800);
    },
  );

  it('never tells one that waited of less than before, where the other is cancelled', async () => {
    const run = { root: project(sources(900)), pool: onceBothKnow(), cacheDir: temporaryFolder() };
    const heard: number[][] = [[], []];
    const stops = heard.map(() => new AbortController());
    let reader: number | undefined;
    const maps = stops.map(({ signal }, one) => {
      const onProgress = (done: number) => {
        heard[one]!.push(done);
        reader ??= one;
        if (heard[1 - reader]!.length > 0) stops[reader]!.abort();
      };
      return buildRepoMap({ ...run, onProgress, signal });
    });
    await Promise.allSettled(maps);
    const [first = 0, ...later] = heard[1 - reader!]!;
    expect(first).toBeGreaterThanOrEqual(100);
    expect(later).toEqual(later.filter((done, at) => done > (later[at - 1] ?? first)));
    expect(await maps[1 - reader!]).toMatchObject({ files: 900 });
  });

  it('passes errors on as what they are', async () => {
    await expect(buildRepoMap({ root: temporaryFolder(), pool })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
