import { inspect } from 'node:util';
import {
  type CausanticError,
  COMPUTE_ERROR_CODES,
  ComputeError,
  ConfigError,
  InvalidArgumentError,
  NotFoundError,
  STORAGE_ERROR_CODES,
  StorageError,
  errorMessage,
} from '@causantic/domain/errors';

/** An error as it is sent between threads: a structured clone would lose its class, code and data. */
export interface ErrorRecord {
  code: string;
  message: string;
  data: Record<string, unknown>;
  /** With those of its causes. */
  stack: string | undefined;
}

export function abortedError(): ComputeError {
  return new ComputeError('ABORTED', 'The task was cancelled.');
}

const OTHER_CODES = ['INVALID_ARGUMENT', 'NOT_FOUND', 'CONFIG'] as const;

function isOneOf<T extends string>(codes: readonly T[], code: string): code is T {
  return codes.some((known) => known === code);
}

export function recordOfError(error: unknown): ErrorRecord {
  const stack = error instanceof Error ? inspect(error) : undefined;
  if (error instanceof Error && hasKnownCode(error)) {
    return { code: error.code, message: error.message, data: cloneable(error.data ?? {}), stack };
  }
  const name = error instanceof Error ? error.name : typeof error;
  return { code: 'TASK_FAILED', message: errorMessage(error), data: { name }, stack };
}

/** The error that was thrown in the worker, as an instance of its class; the worker's stack is the cause's. */
export function errorOfRecord(record: ErrorRecord): CausanticError {
  const { code, message, data, stack } = record;
  const cause = new Error(message);
  if (stack !== undefined) cause.stack = stack;
  const options = { data, cause };
  if (isOneOf(STORAGE_ERROR_CODES, code)) return new StorageError(code, message, options);
  if (code === 'INVALID_ARGUMENT') return rebuiltInvalidArgument(record, cause);
  if (code === 'NOT_FOUND') return new NotFoundError(message, options);
  if (code === 'CONFIG') return new ConfigError(message, options);
  return new ComputeError(isOneOf(COMPUTE_ERROR_CODES, code) ? code : 'TASK_FAILED', message, options);
}

function rebuiltInvalidArgument({ message, data }: ErrorRecord, cause: Error): InvalidArgumentError {
  const error = new InvalidArgumentError(String(data['argument']), undefined, String(data['accepted']));
  error.message = message; // The value itself did not cross; the message that quotes it did.
  error.cause = cause;
  return error;
}

interface CodedError extends Error {
  code: string;
  data?: Readonly<Record<string, unknown>>;
}

/** By its code, not by its class: the core's errors have the codes only, and a bundle may hold a class twice. */
function hasKnownCode(error: Error): error is CodedError {
  if (!('code' in error) || typeof error.code !== 'string') return false;
  return isOneOf([...STORAGE_ERROR_CODES, ...COMPUTE_ERROR_CODES, ...OTHER_CODES], error.code);
}

function cloneable(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  try {
    return structuredClone(data);
  } catch (error) {
    return { uncloneable: errorMessage(error) };
  }
}
