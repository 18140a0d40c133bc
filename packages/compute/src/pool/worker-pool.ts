import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { ComputeError, errorMessage, InvalidArgumentError } from '@causantic/domain';
import { ArrayTaskQueue, Piscina } from 'piscina';
import { CANCEL, FINISHED, PHASE, RUNNING, type Envelope, type Reply } from './pool-worker.js';
import { refuseTelemetry } from '../no-telemetry.js';
import { abortedError, errorOfRecord } from './task-errors.js';
import { TaskQueue, type Priority } from './task-queue.js';
import { TaskTimings, type TaskTiming } from './task-timings.js';
import type { Task } from './task.js';

export interface WorkerPoolOptions {
  /** Default: one less than the machine's cores, but at least one. */
  threads?: number;
  /** How many tasks of each priority may wait; more are refused with QUEUE_FULL. Default 256. */
  maxQueue?: number;
  /** Runs its threads at the lowest priority, if the system has priorities per thread (Linux). */
  background?: boolean;
  /** Threads that had no task for this long end, but for one. Default one minute. */
  idleTimeoutMs?: number;
}

export interface TaskOptions {
  /** `interactive` overtakes every waiting `batch` task. Default `batch`. */
  priority?: Priority;
  /** Drops a waiting task and asks a running one to stop; either way the promise rejects with ABORTED. */
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
  /** Moved to the worker instead of copied; unusable here afterwards. */
  transfer?: ArrayBuffer[];
}

export interface PoolDiagnostics {
  threads: number;
  /** Worker threads alive now: 0 until the first task. */
  started: number;
  running: number;
  queued: Record<Priority, number>;
  crashed: number;
  /** By task name. */
  tasks: Record<string, TaskTiming>;
}

interface Job {
  priority: Priority;
  task: Task<unknown, unknown>;
  input: unknown;
  transfer: ArrayBuffer[];
  /** See pool-worker.ts. */
  control: Int32Array<SharedArrayBuffer>;
  onProgress: TaskOptions['onProgress'];
  queuedAtMs: number;
  settled: Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** How long a process waits at most for its tasks when it exits: a large model's batch takes a second or two. */
const EXIT_WAIT_MS = 5000;

/** A server lives for days, and each thread that has parsed or embedded holds some 30 MB. */
const IDLE_TIMEOUT_MS = 60_000;

/**
 * Runs tasks in worker threads. No thread starts before the first task, and of idle ones one is left; an idle pool does
 * not keep the process alive. A worker is never terminated while a task runs in it: native code would abort the process.
 */
export class WorkerPool {
  readonly threads: number;
  private readonly queue: TaskQueue<Job>;
  private readonly background: boolean;
  private readonly idleTimeoutMs: number;
  /** Each running job with the end of its run, which comes after its promise when it was aborted. */
  private readonly running = new Map<Job, Promise<void>>();
  private readonly timings = new TaskTimings();
  private readonly roomWaiters: (() => void)[] = [];
  /** Fewer than {@link threads} where the system has refused to start more. */
  private mostThreads: number;
  private piscina: Piscina | undefined;
  /** Those of piscina's tasks whose thread is still to start. */
  private readonly unsent = new ArrayTaskQueue();
  /** All threads that were to end have. */
  private ended: Promise<unknown> = Promise.resolve();
  private crashed = 0;
  private closed: Promise<void> | undefined;

  constructor(options: WorkerPoolOptions = {}) {
    const { threads = Math.max(1, availableParallelism() - 1), maxQueue = 256 } = options;
    for (const [name, value] of Object.entries({ threads, maxQueue })) {
      if (!Number.isInteger(value) || value < 1)
        throw new InvalidArgumentError(name, value, 'a whole number of at least 1');
    }
    this.threads = threads;
    this.mostThreads = threads;
    this.queue = new TaskQueue(maxQueue);
    this.background = options.background ?? false;
    this.idleTimeoutMs = options.idleTimeoutMs ?? IDLE_TIMEOUT_MS;
  }

  /**
   * Runs a task and returns its result.
   *
   * @throws ComputeError QUEUE_FULL (see {@link runWhenRoom}), ABORTED, WORKER_CRASHED, or TASK_FAILED for an error that is
   *   not of one of the domain's classes; those keep their class.
   */
  run<I, O>(task: Task<I, O>, input: I, options: TaskOptions = {}): Promise<O> {
    const priority = options.priority ?? 'batch';
    const refusal = this.refusal(priority, options.signal);
    if (refusal) return Promise.reject(refusal);
    const job = newJob(task as Task<unknown, unknown>, input, { ...options, priority });
    this.abortOnSignal(job, options.signal);
    this.queue.push(job, priority);
    this.dispatch();
    return job.settled as Promise<O>;
  }

  /** As {@link run}, but waits while the queue is full, so that a producer keeps the pool's pace. */
  async runWhenRoom<I, O>(task: Task<I, O>, input: I, options: TaskOptions = {}): Promise<O> {
    const { priority = 'batch', signal } = options;
    const wake = () => this.wakeProducers();
    listen(signal, wake);
    // Several may wait for one place: each looks again and takes it in the same step.
    while (!this.closed && !signal?.aborted && !this.queue.hasRoom(priority)) {
      await new Promise<void>((resolve) => this.roomWaiters.push(resolve));
    }
    signal?.removeEventListener('abort', wake);
    return this.run(task, input, options);
  }

  diagnostics(): PoolDiagnostics {
    return {
      threads: this.threads,
      started: this.piscina?.threads.length ?? 0,
      running: this.running.size,
      queued: { interactive: this.queue.length('interactive'), batch: this.queue.length('batch') },
      crashed: this.crashed,
      tasks: this.timings.summary(),
    };
  }

  /**
   * Accepts no more tasks, lets waiting and running ones finish, and ends the threads.
   *
   * @param options `abort` drops waiting tasks and asks running ones to stop; it still waits for those
   */
  close(options: { abort?: boolean } = {}): Promise<void> {
    this.closed ??= this.drain();
    if (options.abort) this.abortAll();
    return this.closed;
  }

  /** Ends the threads with all that they hold, models for one, as soon as no task runs. The next task starts others. */
  async endThreads(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.values());
    const { piscina } = this;
    this.piscina = undefined;
    this.ended = Promise.all([this.ended, piscina?.destroy()]);
    await this.ended;
  }

  private refusal(priority: Priority, signal: AbortSignal | undefined): ComputeError | undefined {
    if (this.closed) return new ComputeError('ABORTED', 'The worker pool is closed.');
    if (signal?.aborted) return abortedError();
    if (this.queue.hasRoom(priority)) return undefined;
    const data = { priority, limit: this.queue.limit };
    return new ComputeError('QUEUE_FULL', `Already ${this.queue.limit} ${priority} tasks are waiting.`, {
      data,
    });
  }

  private abortOnSignal(job: Job, signal: AbortSignal | undefined): void {
    if (!signal) return;
    const onAbort = () => this.abort(job);
    listen(signal, onAbort);
    const forget = () => signal.removeEventListener('abort', onAbort);
    job.settled.then(forget, forget);
  }

  private abort(job: Job): void {
    Atomics.store(job.control, CANCEL, 1);
    if (this.queue.remove(job)) this.wakeProducers();
    job.reject(abortedError());
  }

  private abortAll(): void {
    for (let job = this.queue.shift(); job; job = this.queue.shift()) job.reject(abortedError());
    for (const job of this.running.keys()) this.abort(job);
  }

  private dispatch(): void {
    while (this.running.size < this.mostThreads) {
      const job = this.queue.shift();
      if (!job) return;
      this.running.set(job, this.runJob(job));
      this.wakeProducers();
    }
  }

  private async runJob(job: Job): Promise<void> {
    const startedAtMs = performance.now();
    let hasRun = true;
    try {
      const reply = await this.post(job);
      hasRun = reply !== undefined;
      if (!reply) this.queue.putBack(job, job.priority);
      else if (reply.ok) job.resolve(reply.value);
      else job.reject(errorOfRecord(reply.error));
    } catch (error) {
      job.reject(this.lostTaskError(job, error));
      this.endWaitWithoutThreads(error);
    } finally {
      this.running.delete(job);
      if (hasRun)
        this.timings.record(job.task.name, startedAtMs - job.queuedAtMs, performance.now() - startedAtMs);
      this.dispatch();
    }
  }

  /** Undefined for a task that has to wait for another thread. */
  private async post(job: Job): Promise<Reply | undefined> {
    const { port, close } = progressChannel(job);
    const envelope: Envelope = {
      url: job.task.url,
      name: job.task.name,
      input: job.input,
      control: job.control,
      progressPort: port,
      background: this.background,
    };
    try {
      return await this.startedPiscina().run(envelope, {
        transferList: port ? [...job.transfer, port] : job.transfer,
      });
    } catch (error) {
      if (!this.hasTakenBack(job)) throw error;
      return undefined;
    } finally {
      close();
    }
  }

  /**
   * The system may let no further thread start (a container's limit, say). Then piscina has thrown, but keeps the task, and
   * would try again where nobody catches the error.
   */
  private hasTakenBack({ control }: Job): boolean {
    const isOfJob = (each: unknown) => (each as { task: Envelope }).task.control === control; // Its types tell less.
    const stray = this.unsent.tasks.find(isOfJob);
    if (!stray || !this.piscina) return false;
    this.unsent.remove(stray);
    const { length } = this.piscina.threads;
    if (length > 0) this.mostThreads = this.piscina.options.maxThreads = length;
    return length > 0;
  }

  /** The worker itself replies to everything a task throws; this is for what could not be sent, and a lost worker. */
  private lostTaskError({ task: { name }, control }: Job, error: unknown): ComputeError {
    const options = { data: { task: name }, cause: error };
    // What piscina says of it cannot be sent whole either: an empty object arrives, or an error without a message.
    if (Atomics.load(control, PHASE) === FINISHED)
      return new ComputeError('TASK_FAILED', `The output of "${name}" cannot be sent.`, options);
    const message = errorMessage(error);
    if (error instanceof Error && error.name === 'DataCloneError')
      return new ComputeError('TASK_FAILED', `The input of "${name}" cannot be sent: ${message}`, options);
    if (Atomics.load(control, PHASE) !== RUNNING)
      return new ComputeError(
        'WORKER_CRASHED',
        `No thread can be started for "${name}": ${message}`,
        options,
      );
    this.crashed++;
    return new ComputeError('WORKER_CRASHED', `The worker that ran "${name}" ended: ${message}`, options);
  }

  private startedPiscina(): Piscina {
    if (this.piscina) return this.piscina;
    refuseTelemetry();
    const piscina = new Piscina({
      filename: fileURLToPath(new URL('./pool-worker.js', import.meta.url)),
      name: 'runEnvelope',
      minThreads: 1, // To load a model for the next question takes longer than to search with it.
      maxThreads: this.mostThreads,
      idleTimeout: this.idleTimeoutMs,
      recordTiming: false,
      taskQueue: this.unsent,
    });
    // Of a thread without a task, and so of one that fails as it starts, such as in a folder that was deleted.
    piscina.on('error', (error: Error) => this.endWaitWithoutThreads(error));
    process.off('exit', this.leaveNativeCode).once('exit', this.leaveNativeCode);
    return (this.piscina = piscina);
  }

  /** Where no thread is left, nobody starts one for the tasks that wait for it. */
  private endWaitWithoutThreads(error: unknown): void {
    const { piscina } = this;
    if (!piscina || piscina.threads.length > 0) return;
    this.piscina = undefined; // The next task starts another.
    for (const job of this.running.keys()) job.reject(this.lostTaskError(job, error));
    void piscina.destroy();
  }

  private async drain(): Promise<void> {
    this.wakeProducers();
    await this.endThreads();
    process.off('exit', this.leaveNativeCode);
  }

  /**
   * `process.exit` ends threads wherever they are, and native code answers that by aborting the process. So running tasks
   * are asked to stop first, and waited for.
   */
  private readonly leaveNativeCode = (): void => {
    const untilMs = performance.now() + EXIT_WAIT_MS;
    for (const { control } of this.running.keys()) Atomics.store(control, CANCEL, 1);
    for (const { control } of this.running.keys())
      Atomics.wait(control, PHASE, RUNNING, Math.max(0, untilMs - performance.now()));
  };

  private wakeProducers(): void {
    for (const wake of this.roomWaiters.splice(0)) wake();
  }
}

function listen(signal: AbortSignal | undefined, onAbort: () => void): void {
  if (!signal) return;
  setMaxListeners(0, signal); // On a machine of many cores Node would take so many tasks of one signal for a leak.
  signal.addEventListener('abort', onAbort, { once: true });
}

function newJob(
  task: Task<unknown, unknown>,
  input: unknown,
  options: TaskOptions & { priority: Priority },
): Job {
  let resolve!: Job['resolve'];
  let reject!: Job['reject'];
  const settled = new Promise<unknown>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return {
    priority: options.priority,
    task,
    input,
    transfer: options.transfer ?? [],
    control: new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)),
    onProgress: options.onProgress,
    queuedAtMs: performance.now(),
    settled,
    resolve,
    reject,
  };
}

function progressChannel({ onProgress, control }: Job): {
  port: MessagePort | undefined;
  close: () => void;
} {
  if (!onProgress) return { port: undefined, close: () => undefined };
  const { port1, port2 } = new MessageChannel();
  const report = ([done, total]: [number, number]) => {
    if (Atomics.load(control, CANCEL) === 0) onProgress(done, total); // Its caller was told that it has ended.
  };
  port1.on('message', report);
  const close = () => {
    // The result may overtake progress that was sent before it.
    for (let late = receiveMessageOnPort(port1); late; late = receiveMessageOnPort(port1))
      report(late.message);
    port1.close();
  };
  return { port: port2, close };
}
