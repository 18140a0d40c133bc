import { once } from 'node:events';
import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { BLOCK_BYTES, BlockMemory } from '../src/indexes/block-memory.js';
import { FloatRows } from '../src/indexes/float-rows.js';
import { IndexFile } from '../src/indexes/index-file.js';
import { IndexShelf, type ShelfConfig } from '../src/indexes/index-shelf.js';
import { Int8Rows } from '../src/indexes/int8-rows.js';

const DIM = 64;
const BLOCKS = 6;
const ROWS = (BLOCKS * BLOCK_BYTES) / (4 * DIM);

let directory: string;
let config: ShelfConfig;
beforeEach(() => {
  directory = temporaryFolder();
  config = { directory, memoryBudgetBytes: 1e9, exactBytes: 1e9, useFaiss: false };
});

async function fill(shelf: IndexShelf, modelId: string, key = 'p', rows = ROWS): Promise<void> {
  const ids = Float64Array.from({ length: rows }, (_, row) => row + 1);
  await shelf.reconcile(key, { modelId, dim: DIM }, ids);
  await shelf.append(key, ids, new Float32Array(rows * DIM).fill(0.1));
}

/** Unlike any other of the first two thousand. */
function vectorOf(dim: number, row: number): Float32Array {
  const vector = Float32Array.from({ length: dim }, (_, at) => Math.sin((row + 1) * (at + 1)));
  const length = Math.hypot(...vector);
  return vector.map((component) => component / length);
}

/** Blocks that the shelf has taken from its memory and not given back. */
function blocksInUse(shelf: IndexShelf): number {
  const { memory, free } = shelf['memory'] as unknown as {
    memory: WebAssembly.Memory;
    free: Map<number, number[]>;
  };
  let bytes = memory.buffer.byteLength - BLOCK_BYTES;
  for (const [size, addresses] of free) bytes -= size * addresses.length;
  return bytes / BLOCK_BYTES;
}

describe('IndexShelf', () => {
  it('holds nothing of a file whose vectors are of another model or width', async () => {
    const earlier = new IndexShelf(config);
    await fill(earlier, 'one');
    earlier.save(true);
    const shelf = new IndexShelf(config);
    await shelf.search(['p'], new Float32Array(2 * DIM), 1, undefined);
    expect(blocksInUse(shelf)).toBe(0);
    await fill(shelf, 'two');
    expect(blocksInUse(shelf)).toBe(BLOCKS);
  });

  it('holds nothing of what it put away, where the question has another width', async () => {
    const shelf = new IndexShelf({ ...config, memoryBudgetBytes: 1 });
    for (const key of ['p', 'q']) await fill(shelf, 'one', key);
    expect(shelf.diagnostics().indexes).toMatchObject([{ key: 'q' }]);
    const { absent } = await shelf.search(['p'], new Float32Array(2 * DIM), 1, undefined);
    expect(absent).toEqual(['p']);
    expect(blocksInUse(shelf)).toBe(BLOCKS);
  });

  it('begins anew, and gives back the memory, where vectors in memory are of another width or model', async () => {
    const shelf = new IndexShelf(config);
    for (const state of [
      { modelId: 'one', dim: 2 * DIM },
      { modelId: 'two', dim: DIM },
    ]) {
      await fill(shelf, 'one');
      const { origin, missing } = await shelf.reconcile('p', state, Float64Array.of(1, 2));
      expect([origin, ...missing]).toEqual(['stale', 1, 2]);
      expect(blocksInUse(shelf)).toBe(0);
    }
  });

  it('holds and writes what has grown beyond the exact limit in eight bits alone', async () => {
    const limited = new IndexShelf({ ...config, exactBytes: 4 * DIM * 1000 });
    await fill(limited, 'one', 'p', 990);
    limited.save(true);
    const { size } = statSync(join(directory, 'p.faiss'));
    const ids = Float64Array.from({ length: 1010 }, (_, row) => row + 1);
    await limited.reconcile('p', { modelId: 'one', dim: DIM }, ids);
    await limited.append('p', ids.slice(990), new Float32Array(20 * DIM).fill(0.2));
    expect(limited.diagnostics().indexes).toMatchObject([{ precision: 'int8', count: 1010 }]);
    const coded = new IndexShelf({ ...config, exactBytes: 0 });
    await fill(coded, 'one', 'q', 1010);
    expect(blocksInUse(limited)).toBe(blocksInUse(coded));
    limited.save(false);
    expect(statSync(join(directory, 'p.faiss')).size).toBeLessThan(size / 2);
    expect(readdirSync(directory)).toEqual(['p.faiss']);
  });

  it('writes a few new rows only when it is to write all', async () => {
    const shelf = new IndexShelf(config);
    await fill(shelf, 'one', 'p', 900);
    await fill(shelf, 'one', 'q', 1100);
    shelf.save(false);
    expect(readdirSync(directory)).toEqual(['q.faiss']);
    shelf.save(true);
    expect(readdirSync(directory).sort()).toEqual(['p.faiss', 'q.faiss']);
  });

  it('gives back the memory of rows that are gone', async () => {
    const shelf = new IndexShelf(config);
    await fill(shelf, 'one');
    await shelf.reconcile('p', { modelId: 'one', dim: DIM }, Float64Array.of(ROWS));
    expect(blocksInUse(shelf)).toBe(1);
    await shelf.drop('p');
    expect(blocksInUse(shelf)).toBe(0);
  });

  it('compresses an index while another thread compresses one in the same folder', async () => {
    const [threads, rounds] = [3, 8];
    const arrivals = new SharedArrayBuffer(4 * rounds);
    const program = new URL('compressing-thread.mjs', import.meta.url);
    const workers = Array.from({ length: threads }, (_, thread) => {
      const workerData = { config: { ...config, exactBytes: 1 }, thread, threads, arrivals };
      return new Worker(program, { workerData });
    });
    const problems = await Promise.all(workers.map((worker) => once(worker, 'message')));
    expect(problems.flat(2)).toEqual([]);
  });

  it('finds all in memory that other rows have left, whatever their bytes say as a number', () => {
    const memory = new BlockMemory();
    const coded = new Int8Rows(DIM, memory);
    // Four codes of −1 are no number.
    for (let row = 0; row < 100; row++) coded.append(new Float32Array(DIM).fill(-1 / 127).fill(1, 0, 1));
    coded.free();
    const width = 24; // Not a multiple of sixteen: there is a gap behind each vector.
    const exact = new FloatRows(width, memory);
    exact.append(new Float32Array(width).fill(0.1));
    expect(exact.search(new Float32Array(width).fill(1), 5)).toEqual({
      rows: [0],
      scores: [expect.closeTo(2.4, 5)],
    });
  });

  it('finds what has no direction last, in eight bits as in full', () => {
    const memory = new BlockMemory();
    for (const rows of [new FloatRows(DIM, memory), new Int8Rows(DIM, memory)]) {
      rows.append(new Float32Array(2 * DIM).fill(1, DIM, DIM + 1));
      const query = new Float32Array(DIM).fill(1, 0, 1);
      expect(rows.search(query, 5)).toEqual({ rows: [1, 0], scores: [expect.closeTo(1, 5), 0] });
      expect(rows.search(new Float32Array(DIM), 5).scores).toEqual([0, 0]);
    }
  });

  it('reads no more files in a search than do not fit in memory', async () => {
    const shelf = new IndexShelf({ ...config, memoryBudgetBytes: 3.5 * BLOCKS * BLOCK_BYTES });
    const keys = ['p', 'q', 'r', 's'];
    for (const key of keys) await fill(shelf, 'one', key);
    await shelf.search(keys, new Float32Array(DIM), 1, undefined);
    const opening = vi.spyOn(IndexFile, 'read');
    await shelf.search(keys, new Float32Array(DIM), 1, undefined);
    expect(opening).toHaveBeenCalledTimes(1);
    opening.mockRestore();
  });

  it('finds of what is equally near the lowest numbers, whichever index holds them', async () => {
    const shelf = new IndexShelf(config);
    for (const [key, numbers] of [
      ['p', [2, 4]],
      ['q', [1, 3]],
    ] as const) {
      const ids = Float64Array.from(numbers);
      await shelf.reconcile(key, { modelId: 'one', dim: DIM }, ids);
      await shelf.append(key, ids, new Float32Array(ids.length * DIM).fill(0.1));
    }
    for (const keys of [
      ['p', 'q'],
      ['q', 'p'],
    ]) {
      const { ids } = await shelf.search(keys, new Float32Array(DIM).fill(1), 2, undefined);
      expect([...ids]).toEqual([1, 2]);
    }
  });

  it('keeps thousands of indexes of a few rows in memory', async () => {
    const shelf = new IndexShelf({ ...config, memoryBudgetBytes: 4e6, exactBytes: 1 });
    const keys = Array.from({ length: 400 }, (_, n) => `p${n}`);
    for (const key of keys) await fill(shelf, 'one', key, 9);
    expect(shelf.diagnostics().indexes.length).toBe(keys.length);
    expect(shelf.diagnostics().bytes).toBeLessThan(4e6);
    const { ids } = await shelf.search(keys, new Float32Array(DIM).fill(1), 4000, undefined);
    expect(ids.length).toBe(9 * keys.length);
  });

  it.each([DIM, 4096])('finds every row of %i components, however many there came to be', (dim) => {
    const memory = new BlockMemory();
    for (const rows of [new FloatRows(dim, memory), new Int8Rows(dim, memory)]) {
      const beside = new FloatRows(dim, memory);
      const counts = dim === DIM ? [1, 3, 40, 200, 2_000] : [1, 3, 9];
      for (const count of counts) {
        while (rows.count < count) {
          rows.append(vectorOf(dim, rows.count));
          beside.append(new Float32Array(dim).fill(2)); // It must not be in the way.
        }
        for (const row of [0, count >> 1, count - 1])
          expect(rows.search(vectorOf(dim, row), 1).rows).toEqual([row]);
      }
      rows.keep(Uint32Array.of(0, rows.count - 1));
      expect(rows.search(vectorOf(dim, counts.at(-1)! - 1), 1).rows).toEqual([1]);
      rows.free();
      beside.free();
    }
  });

  it('leaves no part of a file that could not be written', async () => {
    const shelf = new IndexShelf(config);
    await fill(shelf, 'one');
    mkdirSync(join(directory, 'p.faiss'));
    shelf.save(true);
    expect(readdirSync(directory)).toEqual(['p.faiss']);
  });

  const isWindows = process.platform === 'win32'; // It waits until the file is read.
  it.skipIf(isWindows)(
    'reads one file to its end, though another process replaces it meanwhile',
    async () => {
      const shelf = new IndexShelf(config);
      await fill(shelf, 'one', 'p', 20);
      await fill(shelf, 'one', 'q', 10);
      shelf.save(true);
      const found = IndexFile.read(join(directory, 'p.faiss'), (file) => {
        renameSync(join(directory, 'q.faiss'), join(directory, 'p.faiss'));
        return [[...file.floatPages(100)][0]!.length / DIM, file.ids().length];
      });
      expect(found).toEqual([20, 20]);
    },
  );
});
