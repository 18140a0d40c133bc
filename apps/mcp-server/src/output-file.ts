import { existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { assertWritable, errorReason, InvalidArgumentError, linkTarget } from '@causantic/domain';

/**
 * Asked before the work whose result is to be written there.
 * @returns the path, or that of what a link there leads to
 * @throws InvalidArgumentError for a folder, and for a file in a folder that is not there or that cannot be written to
 */
export function filePlace(argument: string, path: string): string {
  try {
    const target = linkTarget(path);
    const stats = statSync(target, { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw new InvalidArgumentError(argument, target, 'a file, not a folder');
    if (!existsSync(dirname(target)))
      throw new InvalidArgumentError(argument, target, 'a file in a folder that exists');
    // What is there, such as a device, may be written over where nothing new can be made.
    if (!stats) assertWritable(target);
    return target;
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw error;
    const accepted = `a file in a folder that you can write to (${errorReason(error)})`;
    throw new InvalidArgumentError(argument, path, accepted);
  }
}

/** @throws Error that names the file: of a disk that is full, the system does not */
export function writeOutput(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (cause) {
    throw new Error(`Cannot write ${resolve(path)}: ${errorReason(cause)}`, { cause });
  }
}
