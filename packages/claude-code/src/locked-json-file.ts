import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObject, jsonValue, makeFolder, withFileLock, writeAtomically } from '@causantic/domain';

/**
 * Change a small JSON file; several processes that do so at once lose nothing. A file that is damaged begins anew.
 * @param update is given what stands in the file, `{}` where there is none
 * @param synced see `writeAtomically`; others wait meanwhile
 */
export function updateJsonFile(
  file: string,
  update: (current: Record<string, unknown>) => Record<string, unknown>,
  { synced = true } = {},
): void {
  makeFolder(dirname(file));
  const write = (): void => {
    writeAtomically(file, `${JSON.stringify(update(readJsonFile(file)), null, 2)}\n`, { synced });
  };
  withFileLock(file, write, { synced });
}

/** The object in a JSON file; `{}` where there is no file, or none that can be read as one. */
export function readJsonFile(file: string): Record<string, unknown> {
  return (existsSync(file) && parseObject(readFileSync(file, 'utf8'))) || {};
}

/** Undefined where the text is no JSON object. PowerShell and some editors put a mark before it. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  const value = jsonValue(text.replace(/^\ufeff/, ''));
  return isObject(value) ? value : undefined;
}

/** The texts in a list of JSON; none where it is no list. */
export function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
}
