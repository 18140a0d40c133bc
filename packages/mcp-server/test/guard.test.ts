import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { RequestGuard } from '../src/http/guard.js';

it('pages of other servers of this machine are foreign ones, by whatever name it is reached', () => {
  const guard = new RequestGuard('token', '0.0.0.0');
  const authorization = 'Bearer token';
  const host = `${hostname()}:7077`;
  expect(guard.refusal({ host, authorization })).toBeUndefined();
  expect(guard.refusal({ host, authorization, origin: 'http://localhost:3000' })).toBeUndefined();
  expect(guard.refusal({ host, authorization, origin: `http://${hostname()}:3000` })?.status).toBe(403);
});
