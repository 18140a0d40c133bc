import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { InvalidArgumentError } from '@causantic/domain';

/**
 * Asked before the work whose result is to be written there.
 * @throws InvalidArgumentError for a folder, and for a file in a folder that is not there
 */
export function assertFilePlace(argument: string, path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new InvalidArgumentError(argument, path, 'a file, not a folder');
  if (!existsSync(dirname(path)))
    throw new InvalidArgumentError(argument, path, 'a file in a folder that exists');
}
