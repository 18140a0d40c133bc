import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WorkerPool } from '@causantic/compute';
import { Store } from '@causantic/storage';
import { ProjectListWatch } from '../src/protocol/list-watch.js';
import { SemanticService } from '../src/semantic-service.js';
import { VectorUpkeep } from '../src/vector-upkeep.js';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

let home: string;
let store: Store;

beforeEach(() => {
  home = temporaryFolder();
  store = Store.open(join(home, 'memory.db'));
  onTestFinished(() => store.close());
});

const nothing = (): Promise<void> => Promise.resolve();

it('a memory that cannot be read is a problem of the upkeep, and does not end the process', async () => {
  const upkeep = new VectorUpkeep({
    store,
    home,
    onProgress: nothing,
    beforeServing: nothing,
    onDone: nothing,
  });
  store.close();
  upkeep.start();
  await upkeep.close();
  expect(upkeep.problem).toContain('vectors and topics are not kept up to date: ');
});

it('no thread is left where the model is missing, which is looked for when somebody changes something', async () => {
  store.transcripts.write('/s1.jsonl', (writer) => {
    writer.putSession(sessionDraft('s1'), { path: '/home/me/app', name: 'app' });
    writer.putTurn(turnDraft(0, [chunkDraft(0, 'What grinds the corn?')]));
  });
  store.embedding.choose('a-model-that-is-not-there');
  const upkeep = new VectorUpkeep({
    store,
    home,
    onProgress: nothing,
    beforeServing: nothing,
    onDone: nothing,
  });
  upkeep.start();
  await vi.waitUntil(() => upkeep.problem !== undefined, { timeout: 10_000 });
  expect(upkeep.problem).toContain('a-model-that-is-not-there');
  expect(upkeep['pool']).toBeUndefined();
  await upkeep.close();
});

it('what fails is not done again and again: finding topics takes all cores, and may fail on a full disk each time', async () => {
  store.transcripts.write('/s1.jsonl', (writer) => {
    writer.putSession(sessionDraft('s1'), { path: '/home/me/app', name: 'app' });
    for (let turn = 0; turn < 30; turn++)
      writer.putTurn(turnDraft(turn, [chunkDraft(turn, `What grinds the corn of farm ${turn}?`)]));
  });
  let rounds = 0;
  const fail = async (): Promise<void> => {
    rounds++;
    await sleep(500);
    throw new Error('the disk is full');
  };
  const upkeep = new VectorUpkeep({
    store,
    home,
    onProgress: nothing,
    beforeServing: nothing,
    onDone: fail,
  });
  upkeep.start();
  await vi.waitUntil(() => upkeep.problem !== undefined, { timeout: 60_000 });
  await sleep(3_000); // It looks every two seconds, and rests five or more.
  expect(rounds).toBe(1);
  await upkeep.close();
});

it('what failed twice is done at a later look, and is no problem then', async () => {
  // Nobody waits for the rest behind a failure, which is as long as this clock goes on.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  store.transcripts.write('/s1.jsonl', (writer) => {
    writer.putSession(sessionDraft('s1'), { path: '/home/me/app', name: 'app' });
    for (let turn = 0; turn < 30; turn++)
      writer.putTurn(turnDraft(turn, [chunkDraft(turn, `What grinds the corn of farm ${turn}?`)]));
  });
  let rounds = 0;
  const failTwice = (): Promise<void> =>
    rounds++ < 2 ? Promise.reject(new Error('the disk is full')) : Promise.resolve();
  const upkeep = new VectorUpkeep({
    store,
    home,
    onProgress: nothing,
    beforeServing: nothing,
    onDone: failTwice,
  });
  upkeep.start();
  while (upkeep.problem === undefined) await sleep(20);
  expect(upkeep.problem).toContain('the disk is full');
  while (upkeep.problem !== undefined) await sleep(20);
  expect(rounds).toBe(3);
  await upkeep.close();
});

it('a memory that cannot be read is a problem of the list of projects, told at the next look', async () => {
  const problem = await new Promise((resolve) => {
    const watch = new ProjectListWatch(
      () => resolve('changed'),
      (error) => {
        watch.stop();
        resolve(error);
      },
    );
    watch.start(store);
    store.close();
  });
  expect(problem).toBeInstanceOf(Error);
});

describe('the list of projects', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
  });

  function watched(): { changes: number } {
    const seen = { changes: 0 };
    const watch = new ProjectListWatch(
      () => seen.changes++,
      (error) => expect.fail(String(error)),
    );
    onTestFinished(() => watch.stop());
    watch.start(store);
    return seen;
  }

  it('has not changed with what another process writes, where no project is new', () => {
    const seen = watched();
    const other = Store.open(store.path);
    onTestFinished(() => other.close());
    for (const [name, changes] of [
      ['app', 1],
      ['app', 1],
      ['web', 2],
    ] as const) {
      other.transcripts.write(`/${name}-${seen.changes}.jsonl`, (writer) => {
        writer.putSession(sessionDraft(`${name} ${seen.changes}`), { path: `/home/me/${name}`, name });
        writer.putTurn(turnDraft(0, [chunkDraft(0, 'What grinds the corn?')]));
      });
      vi.advanceTimersByTime(5_000);
      expect(seen.changes).toBe(changes);
    }
  });

  // On Windows a file that somebody has open cannot be moved.
  it.skipIf(process.platform === 'win32')('changes once where the memory is gone', () => {
    const seen = watched();
    renameSync(store.path, `${store.path}.old`);
    vi.advanceTimersByTime(5_000);
    expect(seen.changes).toBe(1);
  });
});

it('a model that cannot be opened leaves the indexes to the one that comes after it', async () => {
  const pool = new WorkerPool({ threads: 1 });
  const service = new SemanticService({ store, home, workers: () => Promise.resolve(pool) });
  try {
    const first = await service.search();
    const { backend } = await first.diagnostics();
    store.embedding.serve('a-model-that-is-not-there');
    await expect(service.search()).rejects.toMatchObject({ code: 'MODEL_MISSING' });
    store.embedding.serve(first.modelId);
    expect(await (await service.search()).diagnostics()).toMatchObject({ backend });
    await service.close({ keepIndexes: true });
    await expect(first.diagnostics()).rejects.toThrow();
  } finally {
    await service.close({ keepIndexes: true });
    await pool.close();
  }
});
