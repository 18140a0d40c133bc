import { defineTask, VectorIndexes, type RunInWorker, type VectorSource } from '@causantic/compute';
import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { SMALLEST_BLOCK_BYTES } from '../src/indexes/block-memory.js';

const DIM = 24; // Not a multiple of sixteen: padding must not count.

let directory: string;
let opened: VectorIndexes[] = [];

beforeEach(() => {
  directory = temporaryFolder();
});

afterEach(() => Promise.all(opened.splice(0).map((indexes) => indexes.close())));

/** The same unit vector for an id wherever it is asked for. */
function vectorOf(id: number): Float32Array {
  let state = id * 2654435761;
  const vector = Float32Array.from({ length: DIM }, () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return state / 2 ** 31;
  });
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, j) => sum + value * b[j]!, 0);
}

/** Stands in for SQLite: ids by key, and what was asked for. */
class MemorySource implements VectorSource {
  readonly ids_ = new Map<string, number[]>();
  modelId = 'model-a';
  version = 1;
  idsAsked = 0;
  vectorsRead = 0;

  set(key: string, ids: number[]): void {
    this.ids_.set(key, ids);
    this.version++;
  }

  state(key: string) {
    return this.ids_.has(key) ? { modelId: this.modelId, dim: DIM, version: this.version } : undefined;
  }

  ids(key: string, _run?: RunInWorker): Float64Array | Promise<Float64Array> {
    this.idsAsked++;
    return Float64Array.from(this.ids_.get(key)!);
  }

  async vectors(_key: string, ids: Float64Array) {
    this.vectorsRead += ids.length;
    const vectors = new Float32Array(ids.length * DIM);
    ids.forEach((id, i) => vectors.set(vectorOf(id), i * DIM));
    return vectors;
  }
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function exactBest(ids: number[], query: Float32Array, k: number): number[] {
  const score = new Map(ids.map((id) => [id, dot(vectorOf(id), query)]));
  return [...ids].sort((a, b) => score.get(b)! - score.get(a)!).slice(0, k);
}

type Options = Partial<ConstructorParameters<typeof VectorIndexes>[0]>;

function open(source: VectorSource, options: Options = {}): VectorIndexes {
  const indexes = new VectorIndexes({ directory, source, ...options });
  opened.push(indexes);
  return indexes;
}

async function reopen(
  indexes: VectorIndexes,
  source: VectorSource,
  options: Options = {},
): Promise<VectorIndexes> {
  await indexes.close();
  opened = opened.filter((other) => other !== indexes);
  return open(source, options);
}

/** Where faiss-node was not built, only the other way can be tested. */
const faissIsBuilt =
  spawnSync(process.execPath, ['-e', 'require("faiss-node")'], { cwd: import.meta.dirname }).status === 0;
const kinds: [string, Options][] = [['the exact scan', { useFaiss: false }]];
if (faissIsBuilt) kinds.unshift(['FAISS', {}]);

describe.each(kinds)('with %s', (name, options) => {
  it('finds what a comparison with every vector finds, in the same order', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 700));
    const indexes = open(source, options);
    for (const query of [vectorOf(3), vectorOf(10_000), vectorOf(10_001)]) {
      const { ids, scores } = await indexes.search({ keys: ['p'], query, k: 20 });
      expect([...ids]).toEqual(exactBest(range(1, 700), query, 20));
      expect(scores[0]).toBeCloseTo(dot(vectorOf(ids[0]!), query), 5);
    }
    expect((await indexes.diagnostics()).backend).toBe(name === 'FAISS' ? 'faiss' : 'exact-scan');
  });

  it('asks for the ids, of which there may be many, only when the version has changed', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 50));
    const indexes = open(source, options);
    const searchAgain = () => indexes.search({ keys: ['p'], query: vectorOf(3), k: 5 });
    for (let search = 0; search < 3; search++) await searchAgain();
    expect(source.idsAsked).toBe(1);
    source.set('p', range(1, 51));
    for (let search = 0; search < 3; search++) await searchAgain();
    expect(source).toMatchObject({ idsAsked: 2, vectorsRead: 51 });
  });

  it('finds the same in a folder that cannot be written', async () => {
    writeFileSync(join(directory, 'file'), '');
    const source = new MemorySource();
    source.set('p', range(1, 700));
    const indexes = open(source, {
      ...options,
      directory: join(directory, 'file', 'indexes'),
    });
    const query = vectorOf(3);
    const { ids } = await indexes.search({ keys: ['p'], query, k: 20 });
    expect([...ids]).toEqual(exactBest(range(1, 700), query, 20));
    expect((await indexes.diagnostics()).backendReason).toContain('cannot be written');
    await expect(indexes.close()).resolves.toBeUndefined();
  });

  it('filters before the cut, also when the filter leaves few or none', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 700));
    const indexes = open(source, options);
    const query = vectorOf(1);
    const farthest = exactBest(range(1, 700), query, 700).slice(350);
    const even = range(1, 700).filter((id) => id % 10 === 0);
    for (const allowed of [range(300, 700), [650, 7, 100], even, farthest]) {
      const { ids } = await indexes.search({
        keys: ['p'],
        query,
        k: 15,
        allowed: Float64Array.from(allowed),
      });
      expect([...ids]).toEqual(exactBest(allowed, query, 15));
    }
    const none = await indexes.search({ keys: ['p'], query, k: 15, allowed: Float64Array.from([9999]) });
    expect(none.ids.length).toBe(0);
  });

  it('filters ids that came in any order', async () => {
    const source = new MemorySource();
    const indexes = open(source, options);
    for (const ids of [range(50, 90), range(1, 90), range(1, 90).filter((id) => id % 7 !== 0)]) {
      source.set('p', ids);
      const allowed = [3, 60, 20, 88, 7];
      const search = { keys: ['p'], query: vectorOf(1), k: 5, allowed: Float64Array.from(allowed) };
      const kept = allowed.filter((id) => ids.includes(id));
      expect([...(await indexes.search(search)).ids]).toEqual(exactBest(kept, vectorOf(1), 5));
    }
  });

  it('finds nothing for a query of another width', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 20));
    const query = new Float32Array(2 * DIM).fill(0.1);
    expect((await open(source, options).search({ keys: ['p'], query, k: 5 })).ids).toHaveLength(0);
  });

  it('finds no vector that a model made of no numbers, and all others', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 100));
    const { vectors } = source;
    source.vectors = async (...asked) => (await vectors.apply(source, asked)).fill(NaN, 0, DIM);
    const { ids } = await open(source, options).search({ keys: ['p'], query: vectorOf(77), k: 10 });
    expect([...ids]).toEqual(exactBest(range(2, 100), vectorOf(77), 10));
  });

  it('follows what is added and removed, reading only what is new', async () => {
    const source = new MemorySource();
    const indexes = open(source, options);
    const query = vectorOf(42);
    const check = async (ids: number[]) => {
      source.set('p', ids);
      const hits = await indexes.search({ keys: ['p'], query, k: 10 });
      expect([...hits.ids]).toEqual(exactBest(ids, query, 10));
    };
    await check(range(1, 50));
    await check(range(1, 53));
    await check(range(1, 500));
    expect(source.vectorsRead).toBe(500);
    await check(range(1, 500).filter((id) => id % 3 !== 0));
    await check([...range(1, 500).filter((id) => id % 3 !== 0), 42]);
    expect(source.vectorsRead).toBe(501);
    await check([]);
    await check([5, 42]);
    // A few go another way into FAISS than many.
    await check(range(1, 100));
  });

  it('searches what it has when it may lag, and only what it has never seen is read', async () => {
    const source = new MemorySource();
    const indexes = open(source, options);
    const find = async (mayLag: boolean) => {
      const { ids } = await indexes.search({ keys: ['p'], query: vectorOf(42), k: 10, mayLag });
      return [...ids];
    };
    source.set('p', [1, 2]);
    expect((await find(true)).sort()).toEqual([1, 2]);
    source.set('p', [1, 2, 42]);
    expect((await find(true)).sort()).toEqual([1, 2]);
    expect((await find(false))[0]).toBe(42);
  });

  it('answers with what it has while what is new is read', async () => {
    const source = new MemorySource();
    const indexes = open(source, options);
    source.set('p', [1, 2]);
    await indexes.sync('p');
    source.set('p', [1, 2, 42]);
    const { vectors } = source;
    const gate = new EventEmitter();
    const reading = once(gate, 'reading');
    source.vectors = async (...asked) => {
      await Promise.all([once(gate, 'read'), gate.emit('reading')]);
      return vectors.apply(source, asked);
    };
    const syncing = indexes.sync('p');
    await reading;
    const search = { keys: ['p'], query: vectorOf(42), k: 10 };
    const found = indexes.search({ ...search, mayLag: true });
    const first = await Promise.race([found, setTimeout(10_000)]);
    gate.emit('read');
    expect([...first!.ids].sort()).toEqual([1, 2]);
    await syncing;
    expect((await indexes.search(search)).ids[0]).toBe(42);
  });

  it('finds all though vectors could not be read at first, and some are gone since', async () => {
    const source = new MemorySource();
    const indexes = open(source, options);
    source.set('p', range(1, 40));
    const { vectors } = source;
    source.vectors = () => Promise.reject(new Error('The disk failed.'));
    await expect(indexes.sync('p')).rejects.toThrow('The disk failed.');
    source.vectors = vectors;
    source.set('p', range(1, 10));
    const { ids } = await indexes.search({ keys: ['p'], query: vectorOf(3), k: 20 });
    expect([...ids]).toEqual(exactBest(range(1, 10), vectorOf(3), 20));
  });

  it('brings to memory what is about to be searched, once', async () => {
    const source = new MemorySource();
    source.set('p', [1, 2, 42]);
    const indexes = open(source, options);
    await indexes.prepare(['p', 'nothing']);
    expect((await indexes.diagnostics()).indexes).toMatchObject([{ key: 'p', count: 3 }]);
    source.set('p', [1, 2]);
    await indexes.prepare(['p']);
    expect((await indexes.diagnostics()).indexes).toMatchObject([{ key: 'p', count: 3 }]);
    const { ids } = await indexes.search({ keys: ['p'], query: vectorOf(42), k: 10 });
    expect([...ids].sort()).toEqual([1, 2]);
  });

  it.each([
    ['its folder', (folder: string) => folder],
    ['all around it, so that nothing can be written', dirname],
  ])('goes on after somebody deleted %s', async (_, deletedWith) => {
    const source = new MemorySource();
    const keys = ['p', 'q'];
    keys.forEach((key, i) => source.set(key, range(1000 * i + 1, 1000 * i + 20)));
    const folder = join(directory, 'home', 'indexes');
    const limits = { directory: folder, memoryBudgetBytes: 1, exactBytes: 100 * DIM * 4 };
    const indexes = open(source, { ...options, ...limits });
    const query = vectorOf(77);
    await indexes.search({ keys, query, k: 10 });
    rmSync(deletedWith(folder), { recursive: true });
    keys.forEach((key, i) => source.set(key, range(1000 * i + 1, 1000 * i + 120)));
    const { ids } = await indexes.search({ keys, query, k: 3 });
    const all = [...range(1, 120), ...range(1001, 1120)];
    expect([...ids].sort()).toEqual(exactBest(all, query, 3).sort());
  });

  it('writes its files again in a folder that was deleted', async () => {
    const source = new MemorySource();
    source.set('p', [1, 2]);
    const folder = join(directory, 'indexes');
    const first = open(source, { ...options, directory: folder });
    await first.sync('p');
    rmSync(folder, { recursive: true });
    source.set('p', range(1, 50));
    await first.sync('p');
    const second = await reopen(first, source, { ...options, directory: folder });
    expect(await second.sync('p')).toEqual({ origin: 'file', added: 0, dropped: 0 });
  });

  it('drops for good what was just being read', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 50));
    const indexes = open(source, options);
    let dropped: Promise<void> | undefined;
    const { vectors } = source;
    source.vectors = async (...asked) => {
      dropped ??= indexes.drop('p');
      await indexes.diagnostics(); // The worker has done what it was asked for.
      return vectors.apply(source, asked);
    };
    await indexes.sync('p');
    await dropped;
    expect((await indexes.diagnostics()).indexes).toEqual([]);
    await indexes.close();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('writes no vector that was deleted since the last search', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 50));
    source.set('q', range(51, 60));
    const first = open(source, options);
    await first.search({ keys: ['p', 'q'], query: vectorOf(1), k: 5 });
    source.set('p', range(2, 55));
    source.ids_.delete('q');
    const second = await reopen(first, source, options);
    expect(readdirSync(directory)).toEqual(['p.faiss']);
    expect(await second.sync('p')).toEqual({ origin: 'file', added: 5, dropped: 0 });
  });

  it('merges the best of several keys and knows nothing under an unknown one', async () => {
    const source = new MemorySource();
    source.set('a', range(1, 40));
    source.set('b', range(41, 80));
    const query = vectorOf(20_000);
    const { ids } = await open(source, options).search({ keys: ['a', 'b', 'nothing'], query, k: 12 });
    expect([...ids]).toEqual(exactBest(range(1, 80), query, 12));
  });

  it('searches any number of keys at once', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 5));
    const keys = ['p', ...range(1, 4200).map((i) => `nothing-${i}`)];
    const { ids } = await open(source, options).search({ keys, query: vectorOf(3), k: 1 });
    expect([...ids]).toEqual([3]);
  });

  it('puts the lower id first where vectors are equal, whichever key they are under', async () => {
    const source = new MemorySource();
    source.set('a', [10, 11, 12]);
    source.set('b', [3, 2, 1]);
    source.vectors = async (_key, ids) => {
      const vectors = new Float32Array(ids.length * DIM);
      for (let row = 0; row < ids.length; row++) vectors.set(vectorOf(1), row * DIM);
      return vectors;
    };
    const { ids } = await open(source, options).search({ keys: ['a', 'b'], query: vectorOf(1), k: 4 });
    expect([...ids]).toEqual([1, 2, 3, 10]);
  });

  it('takes the lower ids of those whose vectors are equal, where not all are wanted', async () => {
    const source = new MemorySource();
    const ids = range(1, 400);
    source.set('p', ids);
    const sixOf = (id: number) => vectorOf(Math.imul(id, 7919) % 6);
    source.vectors = async (_key, asked) => {
      const vectors = new Float32Array(asked.length * DIM);
      asked.forEach((id, row) => vectors.set(sixOf(id), row * DIM));
      return vectors;
    };
    const indexes = open(source, options);
    for (const query of range(0, 5).map(vectorOf)) {
      const score = new Map(ids.map((id) => [id, dot(sixOf(id), query)]));
      for (const among of [ids, ids.filter((id) => id % 3 === 0)]) {
        const best = among.toSorted((a, b) => score.get(b)! - score.get(a)! || a - b);
        for (const k of [1, 10, 50, 100]) {
          const allowed = among === ids ? {} : { allowed: Float64Array.from(among) };
          const found = await indexes.search({ keys: ['p'], query, k, ...allowed });
          expect([...found.ids]).toEqual(best.slice(0, k));
        }
      }
    }
  });

  it('reads its file at the next start instead of the vectors', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 300));
    const first = open(source, options);
    const search = { keys: ['p'], query: vectorOf(5), k: 30 };
    const before = await first.search(search);
    const second = await reopen(first, source, options);
    source.vectorsRead = 0;
    expect(await second.sync('p')).toEqual({ origin: 'file', added: 0, dropped: 0 });
    expect(await second.search(search)).toEqual(before);
    expect(source.vectorsRead).toBe(0);
  });

  it('answers the same after its worker crashed, though its file is older', async () => {
    const source = new MemorySource();
    const indexes = open(source, options);
    for (const last of [1500, 1510]) {
      source.set('p', range(1, last));
      await indexes.sync('p');
    }
    const { ids } = source;
    const die = defineTask<string, Float64Array>(new URL('./fixtures/tasks.mjs', import.meta.url), 'die');
    source.ids = (_key, run) => run!(die, 'exit');
    source.ids_.set('q', [1]);
    await expect(indexes.sync('q')).rejects.toMatchObject({ code: 'WORKER_CRASHED' });
    source.ids = ids;
    const found = await indexes.search({ keys: ['p'], query: vectorOf(1505), k: 3 });
    expect([...found.ids]).toEqual(exactBest(range(1, 1510), vectorOf(1505), 3));
  });

  it('keeps within its memory and still answers for what it put away', async () => {
    const source = new MemorySource();
    const keys = range(1, 6).map((i) => `p${i}`);
    keys.forEach((key, i) => source.set(key, range(1000 * i + 1, 1000 * i + 500)));
    const indexes = open(source, { ...options, memoryBudgetBytes: 100_000 });
    const query = vectorOf(77);
    for (const key of [...keys, ...keys]) {
      const i = keys.indexOf(key);
      const { ids } = await indexes.search({ keys: [key], query, k: 3 });
      expect([...ids]).toEqual(exactBest(range(1000 * i + 1, 1000 * i + 500), query, 3));
    }
    expect((await indexes.diagnostics()).indexes.length).toBeLessThan(keys.length);
    expect(source.vectorsRead).toBe(6 * 500);
  });

  it('misses nothing of an index that another search has made again', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 40));
    source.set('q', range(41, 80));
    const gate = new EventEmitter();
    let isGated = false;
    const gated: VectorSource = {
      state: (key) =>
        key === 'r' ? once(gate, 'state may be told').then(() => undefined) : source.state(key),
      ids: (key) => source.ids(key),
      vectors: async (key, ids) => {
        if (isGated) await Promise.all([once(gate, 'vectors may be read'), gate.emit('reading')]);
        return source.vectors(key, ids);
      },
    };
    const indexes = open(gated, { ...options, memoryBudgetBytes: 1 });
    const search = { query: vectorOf(3), k: 5 };
    await indexes.search({ ...search, keys: ['p'] });
    await indexes.search({ ...search, keys: ['q'] });
    // What was put away cannot be read again.
    for (const name of readdirSync(directory)) rmSync(join(directory, name));
    isGated = true;
    const reading = once(gate, 'reading');
    const late = indexes.search({ ...search, keys: ['p', 'r'] });
    const first = indexes.search({ ...search, keys: ['p'] });
    await reading;
    gate.emit('state may be told');
    await Promise.race([late, setTimeout(50)]);
    gate.emit('vectors may be read');
    const wanted = exactBest(range(1, 40), search.query, 5);
    expect([...(await first).ids]).toEqual(wanted);
    expect([...(await late).ids]).toEqual(wanted);
  });

  it('puts away what was not searched for longest', async () => {
    const source = new MemorySource();
    for (const key of ['p', 'q', 'r']) source.set(key, [1]);
    const memoryBudgetBytes = name === 'FAISS' ? 2 * DIM * 4 : 2 * SMALLEST_BLOCK_BYTES;
    const indexes = open(source, { ...options, memoryBudgetBytes });
    for (const key of ['p', 'q', 'p', 'r']) await indexes.search({ keys: [key], query: vectorOf(1), k: 1 });
    const held = (await indexes.diagnostics()).indexes.map(({ key }) => key);
    expect(held.sort()).toEqual(['p', 'r']);
  });

  it('does not take what another process wrote for what it put away', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 50));
    source.set('q', range(51, 100));
    const indexes = open(source, { ...options, memoryBudgetBytes: 1 });
    const search = { keys: ['p', 'q'], query: vectorOf(42), k: 60 };
    await indexes.search(search);
    const behind = new MemorySource();
    // As many as here: the files have the same size.
    behind.set('p', range(201, 250));
    behind.set('q', range(251, 300));
    const other = open(behind, { ...options, useFaiss: false });
    await other.search(search);
    await other.close();
    expect([...(await indexes.search(search)).ids]).toEqual(exactBest(range(1, 100), vectorOf(42), 60));
  });

  it('fills indexes that do not fit in memory together one after the other', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 20_000));
    source.set('q', range(20_001, 40_000));
    const indexes = open(source, { ...options, memoryBudgetBytes: 1 });
    const query = vectorOf(77);
    const { ids } = await indexes.search({ keys: ['p', 'q'], query, k: 3 });
    expect([...ids]).toEqual(exactBest(range(1, 40_000), query, 3));
    // Each may lose some pages until it is noticed.
    expect(source.vectorsRead).toBeLessThan(44_000);
  });
});

describe('files', () => {
  const damages: [string, (path: string) => void][] = [
    ['missing', (path) => rmSync(path)],
    ['damaged', (path) => truncateSync(path, 5000)],
    ['damaged', (path) => truncateSync(path, 0)],
    ['damaged', (path) => writeFileSync(path, flipped(readFileSync(path), 1234))],
    ['damaged', (path) => writeFileSync(path, flipped(readFileSync(path), 2))],
    ['damaged', (path) => writeFileSync(path, flipped(readFileSync(path), -1))], // The mark at its end.
    ['damaged', (path) => writeFileSync(path, flipped(readFileSync(path), -9))], // The length of the description.
    ['damaged', (path) => writeFileSync(path, flipped(readFileSync(path), -13))], // Its last brace.
    ['damaged', (path) => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('more')]))],
    ['damaged', (path) => (rmSync(path), mkdirSync(path))], // As one that may not be read: root could read that.
  ];

  /** @param position of a byte, from the end where it is negative */
  function flipped(bytes: Buffer, position: number): Buffer {
    bytes[position < 0 ? bytes.length + position : position]! ^= 1;
    return bytes;
  }

  it.each(damages)('that are %s are noticed and made again (%#)', async (origin, damage) => {
    const source = new MemorySource();
    source.set('p', range(1, 100));
    const first = open(source);
    const search = { keys: ['p'], query: vectorOf(5), k: 10 };
    const before = await first.search(search);
    await first.close();
    damage(join(directory, 'p.faiss'));
    const second = await reopen(first, source);
    expect(await second.sync('p')).toEqual({ origin, added: 100, dropped: 0 });
    expect(await second.search(search)).toEqual(before);
  });

  it('of many new vectors are written at once: a kill would cost too much', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 1100));
    await open(source).sync('p');
    await vi.waitFor(() => expect(readdirSync(directory)).toEqual(['p.faiss']));
  });

  it('that cannot be written keep nobody from closing: they are made again', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 100));
    const first = open(source);
    await first.sync('p');
    mkdirSync(join(directory, 'p.faiss'));
    await expect(first.close()).resolves.toBeUndefined();
  });

  it.runIf(faissIsBuilt)('leaves FAISS, which frees no query, before that takes much memory', async () => {
    const dim = 4096;
    const keys = Array.from({ length: 20 }, (_, n) => `p${n}`);
    const unit = (id: number) => Float32Array.from({ length: dim }, (_, at) => Number(at === id));
    const source: VectorSource = {
      state: () => ({ modelId: 'wide', dim, version: 1 }),
      ids: (key) => Float64Array.of(keys.indexOf(key)),
      vectors: (_key, ids) => unit(ids[0]!),
    };
    const indexes = new VectorIndexes({ directory, source });
    opened.push(indexes);
    const wrong: number[] = [];
    for (let n = 0; n < 300; n++) {
      const { ids } = await indexes.search({ keys, query: unit(n % keys.length), k: 1 });
      if (ids[0] !== n % keys.length) wrong.push(n);
      if (n === 0) expect((await indexes.diagnostics()).backend).toBe('faiss');
    }
    expect(wrong).toEqual([]);
    expect(await indexes.diagnostics()).toMatchObject({
      backend: 'exact-scan',
      backendReason: expect.stringContaining('frees no query'),
      indexes: keys.map((key) => ({ key, count: 1 })),
    });
  });

  it.runIf(faissIsBuilt && process.platform === 'linux')(
    'that a quota or a limit keeps FAISS from writing end no process',
    () => {
      const program = `
        import { VectorIndexes } from '@causantic/compute';
        const source = {
          state: () => ({ modelId: 'm', dim: 256, version: 1 }),
          ids: () => Float64Array.from({ length: 2000 }, (_, i) => i),
          vectors: (key, ids) => new Float32Array(ids.length * 256).fill(0.0625),
        };
        const indexes = new VectorIndexes({ directory: ${JSON.stringify(directory)}, source });
        await indexes.sync('p');
        console.log((await indexes.diagnostics()).backend);
        await indexes.close();`;
      const limited = `ulimit -f 1000; exec "$0" --input-type=module -e "$1"`;
      const child = spawnSync('bash', ['-c', limited, process.execPath, program], {
        cwd: import.meta.dirname,
        encoding: 'utf8',
        // Of a language that is set but not installed, as over ssh, the shell would complain.
        env: { ...process.env, LC_ALL: 'C' },
      });
      expect(child).toMatchObject({ status: 0, stdout: 'faiss\n', stderr: '' });
      expect(readdirSync(directory)).toEqual([]);
    },
  );

  it('of another model are not used', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 100));
    const first = open(source);
    await first.sync('p');
    await first.close();
    source.modelId = 'model-b';
    const second = await reopen(first, source);
    expect(await second.sync('p')).toMatchObject({ origin: 'stale', added: 100 });
    source.modelId = 'model-c';
    expect(await second.sync('p')).toMatchObject({ origin: 'stale', added: 100 });
  });

  it('are made of a part of an array too, which stays with its owner', async () => {
    const source = new MemorySource();
    source.set('p', [1, 2]);
    const all = Float32Array.from([...vectorOf(0), ...vectorOf(1), ...vectorOf(2)]);
    source.vectors = async () => all.subarray(DIM);
    const { ids } = await open(source).search({ keys: ['p'], query: vectorOf(2), k: 1 });
    expect([...ids]).toEqual([2]);
    expect(all).toHaveLength(3 * DIM);
  });

  it('that are behind are brought up to date with what they lack', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 100));
    const first = open(source);
    await first.sync('p');
    await first.close();
    source.set('p', range(11, 105));
    expect(await (await reopen(first, source)).sync('p')).toEqual({ origin: 'file', added: 5, dropped: 10 });
  });

  it('lose nothing when the directory is emptied while the server runs', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 100));
    source.set('q', range(101, 200));
    const indexes = open(source, { memoryBudgetBytes: 1 });
    const query = vectorOf(150);
    await indexes.search({ keys: ['p', 'q'], query, k: 5 });
    readdirSync(directory).forEach((name) => rmSync(join(directory, name)));
    const { ids } = await indexes.search({ keys: ['p', 'q'], query, k: 5 });
    expect([...ids]).toEqual(exactBest(range(1, 200), query, 5));
  });

  it('hold nothing that was deleted, though nothing else changed', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 50));
    const first = open(source);
    await first.sync('p');
    const second = await reopen(first, source);
    await second.sync('p');
    source.set('p', range(2, 50));
    const third = await reopen(second, source);
    expect(await third.sync('p')).toEqual({ origin: 'file', added: 0, dropped: 0 });
  });

  it('of another key are not used', async () => {
    const source = new MemorySource();
    source.set('p', range(1, 50));
    const first = open(source);
    await first.sync('p');
    await first.close();
    renameSync(join(directory, 'p.faiss'), join(directory, 'q.faiss'));
    source.set('q', range(1, 50));
    expect(await open(source).sync('q')).toEqual({ origin: 'damaged', added: 50, dropped: 0 });
  });

  it('have a name for any key, and go when their key goes', async () => {
    const source = new MemorySource();
    const key = '/home/me/../a project: "ü"';
    source.set(key, range(1, 20));
    const first = open(source);
    await first.sync(key);
    const second = await reopen(first, source);
    expect(await second.sync(key)).toMatchObject({ origin: 'file' });
    expect(readdirSync(directory)).toHaveLength(1);
    source.ids_.delete(key);
    expect((await second.search({ keys: [key], query: vectorOf(1), k: 5 })).ids.length).toBe(0);
    expect(readdirSync(directory)).toHaveLength(0);
  });

  it.each(kinds)('written in another way are read by %s', async (_, options) => {
    const source = new MemorySource();
    source.set('p', range(1, 300));
    const first = open(source, { useFaiss: !(options.useFaiss ?? true) });
    const search = { keys: ['p'], query: vectorOf(5), k: 10 };
    const before = [...(await first.search(search)).ids];
    const second = await reopen(first, source, options);
    expect(await second.sync('p')).toMatchObject({ origin: 'file' });
    expect([...(await second.search(search)).ids]).toEqual(before);
  });
});

describe('above the exact limit', () => {
  it.each(kinds)(
    'eight bits find nearly the same, after growing into it and from the file (%s)',
    async (_, options) => {
      const source = new MemorySource();
      const limited = { ...options, exactBytes: 200 * DIM * 4 };
      source.set('p', range(1, 150));
      const first = open(source, limited);
      await first.sync('p');
      expect((await first.diagnostics()).indexes[0]).toMatchObject({ precision: 'float32', count: 150 });
      source.set('p', range(1, 2000));
      await first.sync('p');
      const check = async (indexes: VectorIndexes, kept: number[]) => {
        const query = vectorOf(99);
        const { ids, scores } = await indexes.search({ keys: ['p'], query, k: 50 });
        const best = new Set(exactBest(kept, query, 50));
        expect([...ids].filter((id) => best.has(id)).length).toBeGreaterThan(45);
        ids.forEach((id, i) => expect(Math.abs(scores[i]! - dot(vectorOf(id), query))).toBeLessThan(0.01));
        expect(Math.max(...scores)).toBeLessThanOrEqual(1.00001);
      };
      await check(first, range(1, 2000));
      expect((await first.diagnostics()).indexes[0]).toMatchObject({ precision: 'int8', count: 2000 });
      const second = await reopen(first, source, limited);
      expect(await second.sync('p')).toMatchObject({ origin: 'file' });
      await check(second, range(1, 2000));
      source.set('p', range(500, 1999));
      await check(second, range(500, 1999));
      const allowed = Float64Array.from(range(1500, 1510));
      expect((await second.search({ keys: ['p'], query: vectorOf(1), k: 50, allowed })).ids).toHaveLength(11);
    },
  );

  it('in eight bits every row has its own score, however many there are', async () => {
    // A block of 256 KiB holds 131 such rows, the memory grows by 16 blocks, and scores are made four at a time.
    const dim = 2000;
    const axis = (id: number) => Float32Array.from({ length: dim }, (_, at) => Number(at === id % dim));
    let count = 0;
    const source: VectorSource = {
      state: () => ({ modelId: 'wide', dim, version: count }),
      ids: () => Float64Array.from(range(0, count - 1)),
      vectors: (_key, ids) => {
        const rows = new Float32Array(ids.length * dim);
        ids.forEach((id, row) => rows.set(axis(id), row * dim));
        return rows;
      },
    };
    const indexes = new VectorIndexes({ directory, source, exactBytes: 0 });
    opened.push(indexes);
    const scale = Math.sqrt(6 / (dim * (dim + 1) * (2 * dim + 1)));
    const query = Float32Array.from({ length: dim }, (_, at) => (at + 1) * scale);
    for (count of [1, 2, 3, 4, 5, 6, 7, 127, 128, 129, 130, 131, 132, 16 * 128, 16 * 131]) {
      const { ids, scores } = await indexes.search({ keys: ['p'], query, k: 10_000 });
      expect([...ids].sort((a, b) => a - b)).toEqual(range(0, count - 1));
      const off = [...ids].map((id, at) => Math.abs(scores[at]! - query[id % dim]!));
      expect(Math.max(...off)).toBeLessThan(0.001);
    }
  });

  it.each(kinds)('eight bits need no file that can be replaced (%s)', async (_, options) => {
    const source = new MemorySource();
    mkdirSync(join(directory, 'p.faiss'));
    const indexes = open(source, { ...options, exactBytes: 200 * DIM * 4 });
    source.set('p', range(1, 150));
    await indexes.sync('p');
    source.set('p', range(1, 300));
    await indexes.sync('p');
    expect((await indexes.diagnostics()).indexes).toMatchObject([{ precision: 'int8', count: 300 }]);
    const { ids } = await indexes.search({ keys: ['p'], query: vectorOf(299), k: 1 });
    expect([...ids]).toEqual([299]);
    await indexes.close();
    expect(readdirSync(directory)).toEqual(['p.faiss']);
  });

  it.each(kinds)('what does not fit any more is written in eight bits once (%s)', async (_, options) => {
    const source = new MemorySource();
    source.set('a', range(1, 150));
    source.set('b', range(151, 300));
    const search = { keys: ['a', 'b'], query: vectorOf(99), k: 5 };
    const first = open(source, options);
    await first.search(search);
    const limited = { ...options, exactBytes: 200 * DIM * 4 };
    const sizeOf = (name: string) => statSync(join(directory, `${name}.faiss`)).size;
    const second = await reopen(first, source, limited);
    const [sizeOfA, sizeOfB] = [sizeOf('a'), sizeOf('b')];
    await second.search(search);
    await reopen(second, source, limited);
    expect(sizeOf('a')).toBe(sizeOfA);
    expect(sizeOf('b')).toBeLessThan(sizeOfB / 2);
  });
});

describe('misuse', () => {
  it.each([
    [{ k: 0 }, '"k"'],
    [{ k: 1.5 }, '"k"'],
    [{ query: new Float32Array(0) }, '"dim"'],
    [{ query: new Float32Array(DIM).fill(NaN) }, '"query"'],
  ])('%j is refused', async (wrong, message) => {
    const search = { keys: ['p'], query: vectorOf(1), k: 5, ...wrong };
    await expect(open(new MemorySource()).search(search)).rejects.toThrow(message);
  });

  it('gives FAISS to one instance at a time', async () => {
    open(new MemorySource());
    expect((await open(new MemorySource()).diagnostics()).backend).toBe('exact-scan');
  });

  it.runIf(faissIsBuilt && existsSync('/proc/self/task'))('FAISS starts no threads of its own', () => {
    const threadsWith = (useFaiss: boolean): number => {
      const program = `
        import { readdirSync } from 'node:fs';
        import { VectorIndexes } from '@causantic/compute';
        const directory = ${JSON.stringify(directory)};
        const indexes = new VectorIndexes({ directory, source: {}, useFaiss: ${useFaiss} });
        const { backend } = await indexes.diagnostics();
        console.log(JSON.stringify({ backend, threads: readdirSync('/proc/self/task').length }));
        await indexes.close();`;
      const run = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
        cwd: import.meta.dirname,
        encoding: 'utf8',
      });
      const { backend, threads } = JSON.parse(run.stdout) as { backend: string; threads: number };
      expect(backend).toBe(useFaiss ? 'faiss' : 'exact-scan');
      return threads;
    };
    expect(threadsWith(true)).toBe(threadsWith(false));
  });

  it('is told when the source gives too few components', async () => {
    const source = new MemorySource();
    source.set('p', [1, 2]);
    source.vectors = async () => new Float32Array(3);
    await expect(open(source).sync('p')).rejects.toThrow('2 × 24 components');
  });
});
