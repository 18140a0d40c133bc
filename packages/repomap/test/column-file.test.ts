import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readColumnFile, writeColumnFile } from '../src/cache/column-file.js';
import { temporaryFolder } from './project.js';

describe('a file of columns', () => {
  const columns = {
    bytes: Uint8Array.of(1, 2, 3),
    numbers: Float64Array.of(0.5, 7),
    none: new Uint32Array(),
  };

  function written(change: (bytes: Buffer) => Buffer = (bytes) => bytes): string {
    const path = join(temporaryFolder(), 'columns');
    writeColumnFile(path, 'a version', columns);
    writeFileSync(path, change(readFileSync(path)));
    return path;
  }

  it('gives back what was written', () => {
    expect(readColumnFile(written(), 'a version')).toEqual(columns);
  });

  it('of another version is not used, nor one that is not there', () => {
    expect(readColumnFile(written(), 'another version')).toBeUndefined();
    expect(readColumnFile(join(temporaryFolder(), 'nothing'), 'a version')).toBeUndefined();
  });

  it('is not used once any of it is damaged', () => {
    const whole = readFileSync(written());
    for (let length = 0; length < whole.length; length++) {
      const cut = written((bytes) => bytes.subarray(0, length));
      expect(readColumnFile(cut, 'a version'), `cut to ${length}`).toBeUndefined();
    }
    const bodyStart = 8 + whole.readUInt32LE(4);
    for (const at of [0, 8, bodyStart, bodyStart + 2, whole.length - 1]) {
      const flipped = written((bytes) => {
        bytes[at]! ^= 0x40;
        return bytes;
      });
      expect(readColumnFile(flipped, 'a version'), `at ${at}`).toBeUndefined();
    }
  });
});
