import { expect, it } from 'vitest';
import { ClientLog } from '../src/protocol/client-log.js';

it('the same warning is told once, and none to a client that asks for errors alone', () => {
  const told: unknown[] = [];
  const log = new ClientLog((level, data) => told.push([level, data]));
  for (const reason of ['no model', 'no model', 'no workers']) log.warnOnce(reason, { reason });
  expect(told).toEqual([
    ['warning', { reason: 'no model' }],
    ['warning', { reason: 'no workers' }],
  ]);
  log.level = 'error';
  log.warnOnce('a full disk', {});
  expect(told).toHaveLength(2);
});
