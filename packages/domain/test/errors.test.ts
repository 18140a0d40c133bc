import { getSystemErrorMap } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import {
  asNativeModuleError,
  ConfigError,
  describeValue,
  errorMessage,
  errorReason,
  InvalidArgumentError,
  NativeModuleError,
} from '../src/index.js';

const endless: unknown[] = [];
endless.push(endless);

test.each([
  [undefined, 'nothing'],
  [null, 'null'],
  [NaN, 'NaN'],
  [-Infinity, '-Infinity'],
  [1e300, '1e+300'],
  ['many', '"many"'],
  [{ a: [1] }, '{"a":[1]}'],
  [() => 1, 'function'],
  [10n, 'bigint'],
  [endless, 'object'],
  ['x'.repeat(78), `"${'x'.repeat(78)}"`],
  ['x'.repeat(79), `"${'x'.repeat(76)}...`],
])('messages show %s as %s', (value, shown) => {
  expect(describeValue(value)).toBe(shown);
});

describe('what went wrong', () => {
  const ofSystem = (code: string) => {
    const [errno] = [...getSystemErrorMap()].find(([, [name]]) => name === code)!;
    return Object.assign(new Error(`${code}: said by the system, open '/x'`), { code, errno });
  };

  it('is said without the file where the message names it itself', () => {
    expect(errorReason(ofSystem('EACCES'))).toBe('permission denied');
    expect(errorReason(new Error('It is damaged.'))).toBe('It is damaged.');
    expect(errorReason('only a text')).toBe('only a text');
  });

  it('says that the disk is full, which the system does not', () => {
    expect(errorMessage(ofSystem('ENOSPC'))).toBe(
      "no space left on the disk (ENOSPC: said by the system, open '/x')",
    );
    expect(errorMessage(ofSystem('EACCES'))).toBe("EACCES: said by the system, open '/x'");
  });
});

test('an error that was made without a cause has none', () => {
  expect('cause' in new InvalidArgumentError('k', 0, 'more')).toBe(false);
  expect(new ConfigError('No home.', { cause: 'HOME' }).cause).toBe('HOME');
});

test.each([
  [Object.assign(new Error('wrong ELF class'), { code: 'ERR_DLOPEN_FAILED' }), true],
  [Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' }), true],
  [new Error('Could not locate the bindings file. Tried: …'), true],
  [new Error('No native build was found for platform=linux'), true],
  [new Error('file is not a database'), false],
  ['No native build was found', false],
])('%s tells of a module that does not load: %s', (error, isOfLoader) => {
  const told = asNativeModuleError(error, 'sqlite');
  expect(told instanceof NativeModuleError).toBe(isOfLoader);
  if (isOfLoader) expect(told).toMatchObject({ cause: error, data: { name: 'sqlite' } });
  else expect(told).toBe(error);
});
