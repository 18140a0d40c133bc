/**
 * A function that runs in a worker thread: the module at `url` exports it under `name`. The type parameters are its
 * input and output; both must survive a structured clone.
 */
export interface Task<I, O> {
  readonly url: string;
  readonly name: string;
  /** Never set: carries the types only. */
  readonly signature?: (input: I) => O;
}

/** What a task's function gets besides its input. */
export interface TaskContext {
  /** True once the caller has cancelled: finish the current step, free resources, and throw or return early. */
  cancelled(): boolean;
  /** Reports that `done` of `total` units are ready. Costs nothing without a listener. */
  progress(done: number, total: number): void;
}

export type TaskFunction<I, O> = (input: I, context: TaskContext) => O | Promise<O>;

/**
 * Describes a task; nothing is loaded before it first runs.
 *
 * @param url of the module, as `new URL('./my-task.js', import.meta.url)`, so that it is found in a bundle too
 * @param name of the exported function, see {@link TaskFunction}
 */
export function defineTask<I, O>(url: URL, name: string): Task<I, O> {
  return { url: url.href, name };
}

const TRANSFER = Symbol.for('causantic.transfer');

interface Transferred {
  value: unknown;
  [TRANSFER]: ArrayBuffer[];
}

/**
 * Wrap a task's result in this to move `buffers` to the caller where they are large, instead of copying them; the worker may not use
 * them afterwards.
 */
export function transferred<T>(value: T, buffers: ArrayBuffer[]): T {
  const wrapped: Transferred = { value, [TRANSFER]: buffers };
  return wrapped as unknown as T;
}

/** Unwraps what {@link transferred} made; any other value is returned with no buffers. */
export function unwrapTransferred(result: unknown): { value: unknown; buffers: ArrayBuffer[] } {
  if (typeof result !== 'object' || result === null || !(TRANSFER in result))
    return { value: result, buffers: [] };
  const { value, [TRANSFER]: buffers } = result as Transferred;
  return { value, buffers };
}
