import { describe, expect, it } from 'vitest';
import { SymbolTable } from '../src/symbol-table.js';

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

describe('a table of names', () => {
  it('gives each name one number, in the order of coming', () => {
    const table = new SymbolTable();
    const all = names('naïve', 20_000);
    expect(all.map((name) => table.intern(name))).toEqual(all.map((_, i) => i));
    expect(all.map((name) => table.intern(name))).toEqual(all.map((_, i) => i));
    expect([table.name(0), table.name(19_999), table.size]).toEqual(['naïve0', 'naïve19999', 20_000]);
  });

  it('knows names that begin alike apart, however long they are', () => {
    const all = [...names('n', 20_000), '数'.repeat(700), '数'.repeat(701)].toReversed();
    const table = new SymbolTable();
    expect(all.map((name) => table.intern(name))).toEqual(all.map((_, i) => i));
    expect(all.map((_, i) => table.name(i))).toEqual(all);
  });

  it('leaves alone the arrays that it is made of', () => {
    const first = new SymbolTable();
    for (const name of names('known', 2_000)) first.intern(name);
    const arrays = first.arrays();
    const before = structuredClone(arrays);
    for (let time = 0; time < 2; time++) {
      const table = new SymbolTable(arrays);
      for (const name of names(`new${time}-`, 600)) table.intern(name);
      expect(table.intern('known7')).toBe(7);
      expect(table.size).toBe(2_600);
      // Names left in their slots would fill them: then no search for a name would end.
      expect(arrays).toEqual(before);
    }
  });
});
