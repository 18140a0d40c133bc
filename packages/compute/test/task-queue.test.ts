import { expect, it } from 'vitest';
import { TaskQueue } from '../src/pool/task-queue.js';

it('what is put back comes first again, though others have taken its room', () => {
  const queue = new TaskQueue<string>(2);
  for (const entry of ['a', 'b']) queue.push(entry, 'batch');
  expect(queue.shift()).toBe('a');
  queue.push('c', 'batch');
  queue.putBack('a', 'batch');
  queue.push('query', 'interactive');
  expect([queue.length('batch'), queue.hasRoom('batch')]).toEqual([3, false]);
  expect(Array.from({ length: 5 }, () => queue.shift())).toEqual(['query', 'a', 'b', 'c', undefined]);
});
