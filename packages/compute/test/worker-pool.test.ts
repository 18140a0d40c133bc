import {
  ComputeError,
  ConfigError,
  InvalidArgumentError,
  NotFoundError,
  StorageError,
} from '@causantic/domain';
import { WorkerPool, defineTask, type TaskOptions, type WorkerPoolOptions } from '@causantic/compute';
import { spawnSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { availableParallelism, getPriority } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CANCEL, FINISHED, PHASE, runEnvelope } from '../src/pool/pool-worker.js';

const tasks = new URL('./fixtures/tasks.mjs', import.meta.url);
const double = defineTask<number, number>(tasks, 'double');
const waitForGate = defineTask<{ gate: Int32Array; label: string }, string>(tasks, 'waitForGate');
const untilCancelled = defineTask<{ started: Int32Array }, void>(tasks, 'untilCancelled');
const countCalls = defineTask<null, number>(tasks, 'countCalls');
const report = defineTask<number, number>(tasks, 'report');
const fail = defineTask<string, never>(tasks, 'fail');
const die = defineTask<string, never>(tasks, 'die');
const moveBack = defineTask<ArrayBuffer, { bytes: Uint8Array }>(tasks, 'moveBack');
const bytesLeftBehind = defineTask<null, number>(tasks, 'bytesLeftBehind');

const pools: WorkerPool[] = [];

function newPool(options: WorkerPoolOptions = { threads: 1 }): WorkerPool {
  const pool = new WorkerPool(options);
  pools.push(pool);
  return pool;
}

function newCells(count: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(count * 4));
}

function open(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}

/** Occupies one thread until `release`; labels are collected in the order in which tasks finish. */
function blockedPool(options?: WorkerPoolOptions) {
  const pool = newPool(options);
  const gate = newCells(1);
  const finished: string[] = [];
  const run = (label: string, taskOptions?: TaskOptions) =>
    pool.run(waitForGate, { gate, label }, taskOptions).then((name) => finished.push(name));
  const first = run('first');
  return { pool, run, first, finished, release: () => open(gate) };
}

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close({ abort: true });
});

describe('running', () => {
  it('gives the result and starts no thread before the first task', async () => {
    const pool = newPool();
    expect(pool.diagnostics().started).toBe(0);
    expect(await pool.run(double, 21)).toBe(42);
    expect(pool.diagnostics()).toMatchObject({ started: 1, running: 0, tasks: { double: { count: 1 } } });
  });

  it('of threads that have nothing to do, one is left, and more start again', async () => {
    const pool = newPool({ threads: 3, idleTimeoutMs: 20 });
    for (const round of ['first', 'second']) {
      const gate = newCells(1);
      const tasks = ['a', 'b', 'c'].map((name) => pool.run(waitForGate, { gate, label: `${round} ${name}` }));
      expect(pool.diagnostics().started).toBe(3);
      open(gate);
      expect(await Promise.all(tasks)).toEqual([`${round} a`, `${round} b`, `${round} c`]);
      await vi.waitUntil(() => pool.diagnostics().started === 1, { timeout: 10_000 });
    }
    expect(pool.diagnostics()).toMatchObject({ started: 1, crashed: 0 });
  });

  it.runIf(process.platform === 'linux')('gives way to other threads in the background only', async () => {
    const ownPriority = defineTask<null, number>(tasks, 'ownPriority');
    const before = await newPool().run(ownPriority, null);
    const background = await newPool({ threads: 1, background: true }).run(ownPriority, null);
    // The tests themselves may have been started with `nice`.
    expect(before).toBe(getPriority());
    if (before < 10) expect(background).toBeGreaterThan(before);
    expect(await newPool().run(ownPriority, null)).toBe(before);
  });

  it('keeps the module loaded between tasks', async () => {
    const pool = newPool();
    expect([await pool.run(countCalls, null), await pool.run(countCalls, null)]).toEqual([1, 2]);
  });

  it('reports progress in order and completely, before the result', async () => {
    const seen: string[] = [];
    const onProgress = (done: number, total: number) => seen.push(`${done}/${total}`);
    expect(await newPool().run(report, 2000, { onProgress })).toBe(2000);
    expect(seen).toEqual(Array.from({ length: 2000 }, (_, i) => `${i + 1}/2000`));
  });

  it.each([
    ['moves buffers there and back', 100_000, 0],
    ['copies a small one back, sooner than a thread loads what moves it', 2, 2],
  ])('%s', async (_, size, left) => {
    const pool = newPool();
    const { buffer } = new Uint8Array(size).fill(41);
    const { bytes } = await pool.run(moveBack, buffer, { transfer: [buffer] });
    expect(bytes).toEqual(new Uint8Array(size).fill(41).fill(42, 0, 1));
    expect(buffer.byteLength).toBe(0);
    expect(await pool.run(bytesLeftBehind, null)).toBe(left);
  });

  it('has one thread less than the machine has cores, and refuses to have none', () => {
    expect(newPool({}).threads).toBe(Math.max(1, availableParallelism() - 1));
    expect(() => new WorkerPool({ threads: 0 })).toThrow(InvalidArgumentError);
    expect(() => new WorkerPool({ maxQueue: 0 })).toThrow(InvalidArgumentError);
    expect(() => new WorkerPool({ threads: NaN })).toThrow(/"threads": got NaN; expected a whole number/);
  });
});

describe('waiting', () => {
  it('lets what is interactive overtake every waiting batch', async () => {
    const { run, first, finished, release } = blockedPool();
    const rest = [run('batch 1'), run('batch 2'), run('query', { priority: 'interactive' })];
    release();
    await Promise.all([first, ...rest]);
    expect(finished).toEqual(['first', 'query', 'batch 1', 'batch 2']);
  });

  it('refuses a batch when the queue is full, and still takes a query', async () => {
    const { run, first, release } = blockedPool({ threads: 1, maxQueue: 1 });
    const second = run('second');
    await expect(run('third')).rejects.toMatchObject({ code: 'QUEUE_FULL', data: { limit: 1 } });
    const query = run('query', { priority: 'interactive' });
    release();
    await Promise.all([first, second, query]);
  });

  it('takes all that wait for room, though it comes one by one', async () => {
    const { pool, run, first, release } = blockedPool({ threads: 1, maxQueue: 1 });
    const second = run('second');
    const producers = [1, 2, 3].map((input) => pool.runWhenRoom(double, input));
    expect(pool.diagnostics().queued.batch).toBe(1);
    release();
    expect(await Promise.all(producers)).toEqual([2, 4, 6]);
    await Promise.all([first, second]);
  });
});

describe('cancelling', () => {
  it.each(['batch', 'interactive'] as const)('drops a waiting task: %s', async (priority) => {
    const { pool, run, first, finished, release } = blockedPool();
    const abort = new AbortController();
    const second = run('second', { priority, signal: abort.signal });
    abort.abort();
    await expect(second).rejects.toMatchObject({ code: 'ABORTED' });
    expect(pool.diagnostics().queued[priority]).toBe(0);
    release();
    await first;
    expect(finished).toEqual(['first']);
  });

  it('asks a running task to stop and keeps its worker', async () => {
    const pool = newPool();
    const abort = new AbortController();
    const started = newCells(2);
    const running = pool.run(untilCancelled, { started }, { signal: abort.signal });
    await Atomics.waitAsync(started, 0, 0).value;
    abort.abort();
    await expect(running).rejects.toBeInstanceOf(ComputeError);
    await Atomics.waitAsync(started, 1, 0).value;
    expect(await pool.run(double, 1)).toBe(2);
    expect(pool.diagnostics()).toMatchObject({ started: 1, crashed: 0 });
  });

  it('takes a task for each of many cores with one signal, without a warning, and leaves nothing there', async () => {
    const warn = vi.fn();
    process.on('warning', warn);
    const { signal } = new AbortController();
    const pool = newPool();
    await Promise.all(Array.from({ length: 12 }, () => pool.run(double, 1, { signal })));
    await Promise.all(Array.from({ length: 12 }, () => pool.runWhenRoom(double, 1, { signal })));
    process.off('warning', warn);
    expect(warn).not.toHaveBeenCalled();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ends the reports of progress, though the task still runs', async () => {
    const pool = newPool();
    const abort = new AbortController();
    const started = newCells(2);
    const seen: number[] = [];
    const onProgress = (done: number) => {
      seen.push(done);
      abort.abort();
    };
    const reporting = defineTask<{ started: Int32Array }, void>(tasks, 'reportUntilCancelled');
    await expect(
      pool.run(reporting, { started }, { signal: abort.signal, onProgress }),
    ).rejects.toMatchObject({
      code: 'ABORTED',
    });
    await Atomics.waitAsync(started, 1, 0).value;
    await pool.close();
    expect(seen).toEqual([1]);
  });

  it('makes room for who waits for it', async () => {
    const { pool, run, first, release } = blockedPool({ threads: 1, maxQueue: 1 });
    const abort = new AbortController();
    const second = run('second', { signal: abort.signal });
    const producer = pool.runWhenRoom(double, 2);
    abort.abort();
    await expect(second).rejects.toMatchObject({ code: 'ABORTED' });
    expect(pool.diagnostics().queued.batch).toBe(1);
    release();
    expect(await producer).toBe(4);
    await first;
  });

  it('ends the wait for room', async () => {
    const { pool, run, first, release } = blockedPool({ threads: 1, maxQueue: 1 });
    const second = run('second');
    const abort = new AbortController();
    const waiting = pool.runWhenRoom(double, 1, { signal: abort.signal });
    const other = pool.runWhenRoom(double, 2);
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
    release();
    expect(await other).toBe(4);
    await Promise.all([first, second]);
  });

  it('does not start with a signal that is aborted already', async () => {
    const pool = newPool();
    await expect(pool.run(double, 1, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    expect(pool.diagnostics().started).toBe(0);
  });
});

describe('failing', () => {
  it('rebuilds the class, code, message and data of an error', async () => {
    const pool = newPool();
    const invalid = await pool.run(fail, 'invalid').catch((error: unknown) => error);
    expect(invalid).toBeInstanceOf(InvalidArgumentError);
    expect(invalid).toMatchObject({
      message: 'Invalid argument "budget": got -1; expected a positive number.',
      data: { argument: 'budget', accepted: 'a positive number' },
    });
    const missing = await pool.run(fail, 'missing').catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).toMatchObject({ message: 'No such session.', data: { session: 'abc' } });
    const busy = await pool.run(fail, 'busy').catch((error: unknown) => error);
    expect(busy).toBeInstanceOf(StorageError);
    expect(busy).toMatchObject({ code: 'BUSY', data: { uncloneable: expect.any(String) as string } });
  });

  it.each(['invalid', 'config', 'plain'])('tells where in the worker it went wrong: %s', async (kind) => {
    const error = await newPool()
      .run(fail, kind)
      .catch((failure: unknown) => failure as Error);
    const { stack } = (error as Error).cause as Error;
    expect(stack).toContain('tasks.mjs');
    if (kind === 'config') {
      expect(error).toBeInstanceOf(ConfigError);
      expect(stack).toContain('read from a file');
    }
  });

  it.each([
    ['plain', 'plain', 'TypeError'],
    ['text', 'only a string', 'string'],
    ['file', 'No such file.', 'Error'],
  ])('reports %s as TASK_FAILED', async (kind, message, name) => {
    await expect(newPool().run(fail, kind)).rejects.toMatchObject({
      code: 'TASK_FAILED',
      message,
      data: { name },
    });
  });

  it('knows a code without a class', async () => {
    const stopped = await newPool()
      .run(fail, 'stopped')
      .catch((error: unknown) => error);
    expect(stopped).toBeInstanceOf(ComputeError);
    expect(stopped).toMatchObject({ code: 'ABORTED', message: 'Stopped.' });
  });

  it.each(['exit', 'throw'])('replaces a worker that crashed (%s)', async (how) => {
    const pool = newPool();
    const waiting = Promise.all([pool.run(die, how).catch((error: unknown) => error), pool.run(double, 4)]);
    const [error, result] = await waiting;
    expect(error).toMatchObject({ code: 'WORKER_CRASHED', data: { task: 'die' } });
    expect(result).toBe(8);
    expect(pool.diagnostics().crashed).toBe(1);
  });

  it('names a module or a function that is not there, and what cannot be sent', async () => {
    const pool = newPool();
    await expect(pool.run(defineTask(tasks, 'absent'), null)).rejects.toThrow('exports no function "absent"');
    const noModule = defineTask(new URL('./fixtures/absent.mjs', import.meta.url), 'x');
    await expect(pool.run(noModule, null)).rejects.toThrow('absent.mjs');
    const unsendable = { run: () => 1 } as unknown as number;
    await expect(pool.run(double, unsendable)).rejects.toMatchObject({ code: 'TASK_FAILED' });
    const output = pool.run(defineTask(tasks, 'notSendable'), null);
    await expect(output).rejects.toMatchObject({
      code: 'TASK_FAILED',
      message: 'The output of "notSendable" cannot be sent.',
    });
    expect(pool.diagnostics().crashed).toBe(0);
  });
});

describe('no thread starts', () => {
  /** What a program says, in which the system lets only so many threads start, as it does where a container has a limit. */
  function said(threads: number, program: string): string {
    const limited = `
      import { WorkerPool, defineTask } from '@causantic/compute';
      import { mkdtempSync, rmdirSync } from 'node:fs';
      import { tmpdir } from 'node:os';
      import { join } from 'node:path';
      import workerThreads from 'node:worker_threads';
      const { Worker } = workerThreads;
      let left = ${threads};
      workerThreads.Worker = class extends Worker {
        constructor(...args) {
          if (left-- <= 0) throw new Error('EAGAIN');
          super(...args);
        }
      };
      const task = (name) => defineTask(new URL(${JSON.stringify(tasks.href)}), name);
      const failure = ({ code, message }) => code + ' ' + message;
      ${program}`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', limited], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout;
  }

  it('beside those that run: these do all the work, each task once and in order', () => {
    const program = `
      const pool = new WorkerPool({ threads: 4 });
      const gate = new Int32Array(new SharedArrayBuffer(4));
      const finished = [];
      const run = (label, options) =>
        pool.run(task('waitForGate'), { gate, label }, options).then(() => finished.push(label), failure);
      const cancelled = new AbortController();
      const first = run('a');
      const calls = pool.run(task('countCalls'), null).then((count) => (finished.push('calls'), count));
      const runs = [first, ...['b', 'c', 'd'].map((label) => run(label))];
      const dropped = run('dropped', { signal: cancelled.signal });
      const urgent = run('urgent', { priority: 'interactive' });
      setTimeout(() => {
        cancelled.abort();
        Atomics.store(gate, 0, 1);
        Atomics.notify(gate, 0);
      }, 200);
      await Promise.all([...runs, urgent]);
      const { started, crashed, tasks } = pool.diagnostics();
      console.log(await dropped, finished.join(), await calls, started, crashed, tasks.countCalls.count);
      await pool.close();`;
    expect(said(1, program)).toBe('ABORTED The task was cancelled. a,urgent,calls,b,c,d 1 1 0 1\n');
  });

  it('at all: the error says so, and the next task tries again', () => {
    const program = `
      const pool = new WorkerPool({ threads: 2 });
      const tries = Array.from({ length: 20 }, () => pool.run(task('double'), 1).catch(failure));
      console.log([...new Set(await Promise.all(tries))].join());
      workerThreads.Worker = Worker;
      console.log(await pool.run(task('double'), 2));
      await pool.close();`;
    expect(said(0, program)).toBe('WORKER_CRASHED No thread can be started for "double": EAGAIN\n4\n');
  });

  it.skipIf(process.platform === 'win32').each([1, 2, 3, 5])(
    'in a folder that was deleted: the error says so, %i times',
    (count) => {
      const program = `
      const pool = new WorkerPool({ threads: 2 });
      const folder = mkdtempSync(join(tmpdir(), 'causantic-gone-'));
      process.chdir(folder);
      rmdirSync(folder);
      const tries = Array.from({ length: ${count} }, () => pool.run(task('double'), 1).catch(failure));
      const waiting = setTimeout(() => {}, 30_000);
      console.log([...new Set(await Promise.all(tries))].join());
      clearTimeout(waiting);
      process.chdir(tmpdir());
      console.log(await pool.run(task('double'), 2));
      await pool.close();`;
      // What follows differs between versions of Node.
      expect(said(99, program)).toMatch(
        /^WORKER_CRASHED No thread can be started for "double": ENOENT: .*no such file or directory.*\n4\n$/,
      );
    },
  );
});

describe('ending the threads', () => {
  it('lets what was accepted finish, and the next task find new ones', async () => {
    const { pool, run, first, finished, release } = blockedPool();
    const second = run('second');
    const ending = pool.endThreads();
    release();
    await ending;
    expect(finished).toEqual(['first', 'second']);
    await Promise.all([first, second]);
    expect(pool.diagnostics().started).toBe(0);
    const calls = [await pool.run(countCalls, null), await pool.run(countCalls, null)];
    await pool.endThreads();
    expect([...calls, await pool.run(countCalls, null)]).toEqual([1, 2, 1]);
  });

  it('is waited for when the pool closes meanwhile', async () => {
    const pool = newPool();
    await pool.run(double, 2);
    const order: string[] = [];
    const ending = pool.endThreads().then(() => order.push('ended'));
    await pool.close().then(() => order.push('closed'));
    await ending;
    expect(order).toEqual(['ended', 'closed']);
  });

  it('is nothing where none has started', async () => {
    const pool = newPool();
    await pool.endThreads();
    expect(await pool.run(double, 2)).toBe(4);
  });
});

describe('closing', () => {
  it('finishes what was accepted and takes nothing more', async () => {
    const { pool, run, first, finished, release } = blockedPool();
    const second = run('second');
    const closing = pool.close();
    await expect(run('late')).rejects.toMatchObject({ code: 'ABORTED' });
    release();
    await Promise.all([first, second, closing]);
    expect(finished).toEqual(['first', 'second']);
  });

  it('drops what waits when told to, but waits for what runs', async () => {
    const { pool, run, first, finished, release } = blockedPool();
    const second = run('second').catch((error: unknown) => error);
    const closing = pool.close({ abort: true });
    expect(await second).toMatchObject({ code: 'ABORTED' });
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
    release();
    await closing;
    expect(finished).toEqual([]);
    expect(pool.diagnostics()).toMatchObject({ running: 0, started: 0 });
  });

  it('takes nobody who waits for room', async () => {
    const { pool, run, first, release } = blockedPool({ threads: 1, maxQueue: 1 });
    const dropped = [first, run('second'), pool.runWhenRoom(double, 1)].map((task) =>
      expect(task).rejects.toMatchObject({ code: 'ABORTED' }),
    );
    const closing = pool.close({ abort: true });
    release();
    await Promise.all([...dropped, closing]);
  });

  it('tells who waits for room at once, though what runs takes long', async () => {
    const { pool, run, first, release } = blockedPool({ threads: 1, maxQueue: 1 });
    const second = run('second');
    const waiting = pool.runWhenRoom(double, 1).catch(({ code }: ComputeError) => code);
    const closing = pool.close();
    expect(await Promise.race([waiting, setTimeout(10_000, 'waits')])).toBe('ABORTED');
    release();
    await Promise.all([first, second, closing]);
  });

  it('leaves nothing that waits for the end of the process', async () => {
    const before = process.listenerCount('exit');
    const pool = newPool();
    await pool.run(double, 1);
    await pool.close();
    expect(process.listenerCount('exit')).toBe(before);
  });

  it('lets the process end while a pool is idle', () => {
    const program = `
      import { WorkerPool, defineTask } from '@causantic/compute';
      const pool = new WorkerPool({ threads: 2 });
      console.log(await pool.run(defineTask(new URL(${JSON.stringify(tasks.href)}), 'double'), 2));`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect(child).toMatchObject({ status: 0, stdout: '4\n' });
  });
});

it('a process that leaves asks all running tasks to stop at once', () => {
  const program = `
    import { WorkerPool, defineTask } from '@causantic/compute';
    const pool = new WorkerPool({ threads: 3 });
    const asked = new Int32Array(new SharedArrayBuffer(4));
    const untilAllAreAsked = defineTask(new URL(${JSON.stringify(tasks.href)}), 'untilAllAreAsked');
    let started = 0;
    const onProgress = () => ++started === 3 && process.exit(0);
    for (let i = 0; i < 3; i++) pool.run(untilAllAreAsked, { asked, all: 3 }, { onProgress }).catch(() => undefined);`;
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(child).toMatchObject({ status: 0, stdout: 'all all all ' });
});

it('a task that is cancelled before its thread begins does not run: a process that leaves does not wait for it', async () => {
  const control = newCells(2);
  control[CANCEL] = 1;
  const envelope = { url: 'file:///not-there.js', name: 'run', input: 0, control, background: false };
  const reply = await runEnvelope({ ...envelope, progressPort: undefined });
  expect(reply).toMatchObject({ ok: false, error: { code: 'ABORTED' } });
  expect(control[PHASE]).toBe(FINISHED);
});
