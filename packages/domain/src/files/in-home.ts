import { CausanticError, ConfigError, errorMessage } from '../errors.js';
import { assertWritable } from './atomic-file.js';
import { databasePath } from './folders.js';
import { makeFolder } from './private-file.js';

/**
 * Makes Causantic's home, if it is not there yet.
 * @throws ConfigError where it cannot be made or written to
 */
export function makeHome(home: string): void {
  inHome(home, () => {
    makeFolder(home);
    assertWritable(databasePath(home));
  });
}

/**
 * Do what writes to Causantic's home.
 * @throws ConfigError in the place of the system's own errors, which do not say what the file is for
 */
export function inHome<T>(home: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof CausanticError) throw cause;
    throw new ConfigError(
      `Cannot write to ${home} (${errorMessage(cause)}). Causantic's home must be a folder of yours; CAUSANTIC_HOME names it.`,
      { cause, data: { home } },
    );
  }
}
