import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveFocus } from '../src/files/focus-files.js';

describe('the files in focus', () => {
  const root = resolve('/work/mill');
  const paths = ['lib/src/wheel.ts', 'src/Wheel.ts', 'src/mill/gear.ts', 'src/mill/stone.ts', 'src/wheel.ts'];

  it.each([
    ['./src/wheel.ts', ['src/wheel.ts']],
    ['src/WHEEL.ts', ['src/Wheel.ts', 'src/wheel.ts']],
    ['wheel.ts', ['lib/src/wheel.ts', 'src/wheel.ts']],
    ['src/mill', ['src/mill/gear.ts', 'src/mill/stone.ts']],
    ['src/mill/../wheel.ts', ['src/wheel.ts']],
    ['src\\mill\\gear.ts', ['src/mill/gear.ts']],
    ['src/mill/gear.ts#L12', ['src/mill/gear.ts']],
    ['src/mill/gear.ts#L4-19', ['src/mill/gear.ts']],
    ['eel.ts', []],
    ['../src/wheel.ts.orig', []],
  ])('%s are %j', (name, expected) => {
    const { matches, unmatched } = resolveFocus(root, paths, [name]);
    expect(matches.flat().map((file) => paths[file])).toEqual(expected);
    expect(unmatched).toEqual(expected.length === 0 ? [name] : []);
  });

  it('are told by name, in the order in which they were named', () => {
    const { matches } = resolveFocus(root, paths, ['src/mill/stone.ts', 'src/mill']);
    expect(matches).toEqual([[3], [2, 3]]);
  });

  it.each(['.', './', '/work/mill', '../mill', 'src/..'])('are none in particular for %s', (name) => {
    expect(resolveFocus(root, paths, [name])).toEqual({ matches: [], unmatched: [] });
  });
});
