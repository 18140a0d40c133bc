import { getSystemErrorMap } from 'node:util';
import { wellFormed } from './text/shorten.js';

/**
 * Every error Causantic throws on purpose. `code` is stable and machine-readable, and `data` holds the contents of
 * the message as fields. Only the MCP layer knows JSON-RPC numbers.
 */
export abstract class CausanticError extends Error {
  abstract readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(message: string, options: { data?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.data = options.data ?? {};
  }
}

/** The caller's fault: an argument has the wrong type, range or form. */
export class InvalidArgumentError extends CausanticError {
  readonly code = 'INVALID_ARGUMENT';

  /** @param accepted what would have been right, as the end of "…; expected …" */
  constructor(argument: string, value: unknown, accepted: string) {
    const name = abridged(argument);
    super(`Invalid argument "${name}": got ${describeValue(value)}; expected ${accepted}.`, {
      data: { argument: name, accepted },
    });
  }
}

/** An unknown project, session or file. */
export class NotFoundError extends CausanticError {
  readonly code = 'NOT_FOUND';
}

/** A configuration key or value that is not accepted; names the key, the value and their origin. */
export class ConfigError extends CausanticError {
  readonly code = 'CONFIG';
}

export const STORAGE_ERROR_CODES = [
  'BUSY',
  'CORRUPT',
  'NO_ACCESS',
  'NO_ROOM',
  'DISK_FAILED',
  'MIGRATION_FAILED',
] as const;
type StorageErrorCode = (typeof STORAGE_ERROR_CODES)[number];

/** The database cannot be used. */
export class StorageError extends CausanticError {
  constructor(
    readonly code: StorageErrorCode,
    message: string,
    options: { data?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options);
  }
}

export const COMPUTE_ERROR_CODES = [
  'QUEUE_FULL',
  'ABORTED',
  'WORKER_CRASHED',
  'MODEL_MISSING',
  'TASK_FAILED',
] as const;
export type ComputeErrorCode = (typeof COMPUTE_ERROR_CODES)[number];

/** A task in a worker did not return a result. */
export class ComputeError extends CausanticError {
  constructor(
    readonly code: ComputeErrorCode,
    message: string,
    options: { data?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options);
  }
}

export type ArchiveErrorCode =
  'NOT_AN_ARCHIVE' | 'DAMAGED' | 'NEWER_VERSION' | 'PASSPHRASE_NEEDED' | 'WRONG_PASSPHRASE' | 'NOT_EMPTY';

/** An archive of the memory cannot be used, or not in this home; nothing was changed. */
export class ArchiveError extends CausanticError {
  constructor(
    readonly code: ArchiveErrorCode,
    message: string,
    options: { cause?: unknown } = {},
  ) {
    super(message, options);
  }
}

/** A native module is missing, or was built for another machine or another version of Node. */
export class NativeModuleError extends CausanticError {
  readonly code = 'NATIVE_MODULE';

  constructor(name: string, cause: unknown) {
    const node = `Node ${process.version} (${process.execPath})`;
    super(`${name} is missing, or not built for ${node}. ${howToBuild(name)}`, { cause, data: { name } });
  }
}

/** What a person can do about a native module that does not load. */
export function howToBuild(name: string): string {
  return (
    `In a clone, run npm run setup. If npm installed Causantic, run npm rebuild ${name} ` +
    `(with npm 12 or later, first npm approve-scripts ${name}).`
  );
}

/** @throws NativeModuleError if `load` cannot load the module; any other error passes through */
export function loadNative<T>(name: string, load: () => T): T {
  try {
    return load();
  } catch (cause) {
    throw asNativeModuleError(cause, name);
  }
}

/** Turns an error from loading the module into a NativeModuleError, unless it has another cause. */
export function asNativeModuleError(cause: unknown, name: string): unknown {
  return isNotLoadable(cause) ? new NativeModuleError(name, cause) : cause;
}

const LOADER_CODES = new Set(['ERR_DLOPEN_FAILED', 'MODULE_NOT_FOUND']);

/** Messages of the two packages that look for a binary in many places. */
const LOADER_MESSAGES = /^(Could not locate the bindings file|No native build was found)/;

function isNotLoadable(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  return LOADER_CODES.has((cause as NodeJS.ErrnoException).code ?? '') || LOADER_MESSAGES.test(cause.message);
}

/** What went wrong, for a message that names the file itself: `permission denied`. */
export function errorReason(error: unknown): string {
  const number = error instanceof Error ? (error as NodeJS.ErrnoException).errno : undefined;
  const [, reason] = (number !== undefined && getSystemErrorMap().get(number)) || [];
  return reason ?? errorMessage(error);
}

/** The message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The system's own message does not say what is full.
  const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
  return isFull ? `no space left on the disk (${error.message})` : error.message;
}

/** A value as messages show it: as JSON, shortened. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  // JSON has no NaN, nor any infinity: it says null.
  const text = typeof value === 'number' ? String(value) : (asJson(value) ?? typeof value);
  return abridged(text);
}

/** A name that somebody gave, as messages repeat it. */
export function abridged(text: string): string {
  return text.length > 80 ? `${wellFormed(text.slice(0, 77))}...` : text;
}

/** Undefined for what JSON cannot say: a function, or lists in lists without end, which a caller may send. */
function asJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
