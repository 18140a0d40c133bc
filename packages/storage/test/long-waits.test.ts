import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { Store } from '../src/index.js';
import { memoryPath, storeSession } from './sessions.js';

const program = fileURLToPath(new URL('writing-process.mjs', import.meta.url));

it('who waits for another writer is told after two seconds for whom', async () => {
  const path = memoryPath();
  const waits: (string | null)[] = [];
  const store = Store.open(path, { onWait: (writer) => void waits.push(writer) });
  onTestFinished(() => store.close());
  storeSession(store, '1', 'before');
  expect(waits).toEqual([]);
  const writer = spawn(process.execPath, [program, path, '3500'], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(writer.stdout, 'data');
  const startedAt = performance.now();
  storeSession(store, '2', 'after');
  expect(performance.now() - startedAt).toBeGreaterThan(2_000);
  const who = process.platform === 'linux' ? `${writer.pid} (node writing-process.mjs memory.db)` : null;
  expect(waits).toEqual([who]);
  expect(store.statistics().chunks).toBe(2);
});
