import { existsSync, readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { abortedError, recordOfError, type ErrorRecord } from './task-errors.js';
import { unwrapTransferred, type TaskContext, type TaskFunction } from './task.js';

/** What the pool sends to a worker for one task. */
export interface Envelope {
  url: string;
  name: string;
  input: unknown;
  /** Shared with the pool: the cells {@link CANCEL} and {@link PHASE}. */
  control: Int32Array;
  /** Where progress goes; absent when nobody listens. */
  progressPort: MessagePort | undefined;
  /** Whether this thread is to give way to all others. */
  background: boolean;
}

/** 1 asks the task to stop. */
export const CANCEL = 0;
/** 0 before the task runs in the worker, then {@link RUNNING}, then {@link FINISHED}. */
export const PHASE = 1;
export const RUNNING = 1;
export const FINISHED = 2;

export type Reply = { ok: true; value: unknown } | { ok: false; error: ErrorRecord };

const functions = new Map<string, TaskFunction<unknown, unknown>>();

/** The only function piscina ever calls: finds the task's own function, runs it, and never throws. */
export async function runEnvelope(envelope: Envelope): Promise<Reply> {
  const { control } = envelope;
  if (envelope.background) giveWay();
  Atomics.store(control, PHASE, RUNNING);
  try {
    // In this order: a process that leaves sees that the task runs, or the task that it is not to.
    if (Atomics.load(control, CANCEL) === 1) throw abortedError();
    const run = await loadFunction(envelope.url, envelope.name);
    const result = await run(envelope.input, contextOf(envelope));
    return await replyWith(result);
  } catch (error) {
    return { ok: false, error: recordOfError(error) };
  } finally {
    envelope.progressPort?.close();
    Atomics.store(control, PHASE, FINISHED);
    Atomics.notify(control, PHASE);
  }
}

/** As `nice` does for processes; a thread cannot go back, so it does for all of its pool's tasks. */
const BACKGROUND_PRIORITY = 10;

let givesWay = false;

function giveWay(): void {
  if (givesWay) return;
  givesWay = true;
  const self = '/proc/thread-self';
  if (process.platform !== 'linux' || !existsSync(self)) return;
  try {
    const [, thread] = /\/task\/(\d+)$/.exec(readlinkSync(self)) ?? [];
    if (thread) setPriority(Number(thread), BACKGROUND_PRIORITY);
  } catch {
    // A sandbox may forbid it: the work is done all the same.
  }
}

function contextOf({ control, progressPort }: Envelope): TaskContext {
  return {
    cancelled: () => Atomics.load(control, CANCEL) === 1,
    progress: (done, total) => progressPort?.postMessage([done, total]),
  };
}

async function loadFunction(url: string, name: string): Promise<TaskFunction<unknown, unknown>> {
  const key = `${url}#${name}`;
  const known = functions.get(key);
  if (known) return known;
  const exported = ((await import(url)) as Record<string, unknown>)[name];
  if (typeof exported !== 'function') throw new Error(`The module ${url} exports no function "${name}".`);
  const loaded = exported as TaskFunction<unknown, unknown>;
  functions.set(key, loaded);
  return loaded;
}

/** Fewer bytes are copied: sooner than a thread loads what moves them. */
const WORTH_MOVING_BYTES = 64 * 1024;

async function replyWith(result: unknown): Promise<Reply> {
  const { value, buffers } = unwrapTransferred(result);
  const reply: Reply = { ok: true, value };
  const bytes = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (bytes < WORTH_MOVING_BYTES) return reply;
  const { move, transferableSymbol, valueSymbol } = await import('piscina');
  const movable = { [transferableSymbol]: buffers, [valueSymbol]: reply };
  return move(movable as unknown as ArrayBuffer) as unknown as Reply; // Its types know no symbol keys.
}
