import {
  type CausanticError,
  ComputeError,
  ConfigError,
  InvalidArgumentError,
  NotFoundError,
  StorageError,
  errorMessage,
} from '@causantic/domain/errors';

/** An error as it crosses a thread: a structured clone would lose its class, code and data. */
export interface ErrorRecord {
  code: string;
  message: string;
  data: Record<string, unknown>;
  stack: string | undefined;
}

export function recordOfError(error: unknown): ErrorRecord {
  const stack = error instanceof Error ? error.stack : undefined;
  if (error instanceof Error && hasKnownCode(error)) {
    return { code: error.code, message: error.message, data: cloneable(error.data ?? {}), stack };
  }
  const name = error instanceof Error ? error.name : typeof error;
  return { code: 'TASK_FAILED', message: errorMessage(error), data: { name }, stack };
}

/** The error that was thrown in the worker, as an instance of its class; the worker's stack is the cause's. */
export function errorOfRecord(record: ErrorRecord): CausanticError {
  const { code, message, data } = record;
  const cause = new Error(message);
  if (record.stack !== undefined) cause.stack = record.stack;
  const options = { data, cause };
  switch (code) {
    case 'INVALID_ARGUMENT':
      return rebuiltInvalidArgument(record);
    case 'NOT_FOUND':
      return new NotFoundError(message, options);
    case 'CONFIG':
      return new ConfigError(message, options);
    case 'BUSY':
    case 'CORRUPT':
    case 'NO_ACCESS':
    case 'NO_ROOM':
    case 'MIGRATION_FAILED':
      return new StorageError(code, message, options);
    case 'QUEUE_FULL':
    case 'ABORTED':
    case 'WORKER_CRASHED':
    case 'MODEL_MISSING':
      return new ComputeError(code, message, options);
    default:
      return new ComputeError('TASK_FAILED', message, options);
  }
}

function rebuiltInvalidArgument({ message, data }: ErrorRecord): InvalidArgumentError {
  const error = new InvalidArgumentError(String(data['argument']), undefined, String(data['accepted']));
  error.message = message; // The value itself did not cross; the message that quotes it did.
  return error;
}

const KNOWN_CODES = new Set([
  ...[
    'INVALID_ARGUMENT',
    'NOT_FOUND',
    'CONFIG',
    'BUSY',
    'CORRUPT',
    'NO_ACCESS',
    'NO_ROOM',
    'MIGRATION_FAILED',
  ],
  ...['QUEUE_FULL', 'ABORTED', 'WORKER_CRASHED', 'MODEL_MISSING', 'TASK_FAILED'],
]);

interface CodedError extends Error {
  code: string;
  data?: Readonly<Record<string, unknown>>;
}

/** By its code, not by its class: the core's errors have the codes only, and a bundle may hold a class twice. */
function hasKnownCode(error: Error): error is CodedError {
  return 'code' in error && typeof error.code === 'string' && KNOWN_CODES.has(error.code);
}

function cloneable(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  try {
    return structuredClone(data);
  } catch (error) {
    return { uncloneable: errorMessage(error) };
  }
}
