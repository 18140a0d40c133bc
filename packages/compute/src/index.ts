export { defineTask, transferred, type Task, type TaskContext, type TaskFunction } from './task.js';
export type { Priority } from './task-queue.js';
export type { TaskTiming } from './task-timings.js';
export { WorkerPool, type PoolDiagnostics, type TaskOptions, type WorkerPoolOptions } from './worker-pool.js';
