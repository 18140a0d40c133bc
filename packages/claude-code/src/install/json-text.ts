import { existsSync } from 'node:fs';
import { ConfigError, errorMessage, isObject, readWholeFile } from '@causantic/domain';
import { type ParseError, parse } from 'jsonc-parser';

export const PARSING = { allowTrailingComma: true, allowEmptyContent: true };

/** Some editors put it before everything else. */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * A settings file as it stands; null where there is none.
 * @throws ConfigError when it cannot be read, is no UTF-8 or holds no JSON object: it must not be written to then
 */
export function readJsonText(file: string): string | null {
  if (!existsSync(file)) return null;
  try {
    const text = readText(file);
    objectIn(text);
    return text;
  } catch (cause) {
    throw new ConfigError(`Cannot read ${file}: ${errorMessage(cause)}. Nothing was changed.`, {
      cause,
      data: { file },
    });
  }
}

/**
 * What `read` finds in such a file, of which an empty text stands for none.
 * @throws ConfigError as `readJsonText` does, and for what `read` throws
 */
export function inSettings<T>(file: string, read: (text: string) => T): T {
  const text = readJsonText(file) ?? '';
  return naming(file, () => read(text));
}

/** Errors name the file that they are about. */
export function naming<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new ConfigError(`${file}: ${errorMessage(cause)}`, { cause, data: { file } });
  }
}

/** The object in such a file; `{}` where there is none. */
export function readJsonObject(file: string): Record<string, unknown> {
  return objectIn(readJsonText(file) ?? '');
}

/** @throws TypeError when it is no UTF-8 */
export function readText(file: string): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readWholeFile(file));
}

/** The object in a text with comments; `{}` in an empty one. */
export function objectIn(text: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const value: unknown = parse(withoutMark(text), errors, PARSING);
  const [error] = errors;
  if (error) throw new SyntaxError(`invalid JSON at ${lineAndColumn(withoutMark(text), error.offset)}`);
  if (value === undefined) return {};
  if (!isObject(value)) throw new TypeError('not a JSON object');
  return value;
}

function lineAndColumn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
}

export function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
