import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect, it, onTestFinished } from 'vitest';
import { MemoryServer } from '../src/protocol/server.js';
import { Services } from '../src/services.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

it('keeps nothing of calls that are over', async () => {
  const services = new Services('0', { CAUSANTIC_HOME: temporaryFolder() });
  const server = new MemoryServer(services);
  const client = new Client({ name: 'test', version: '0' });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  onTestFinished(async () => {
    await client.close();
    await server.close();
    await services.close();
  });
  for (let n = 0; n < 20; n++) await client.callTool({ name: 'hook-status', arguments: {} });
  const { signal } = server['leaving'];
  // Node keeps them as weak references, which go with the signal alone.
  const made = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'kDependantSignals',
  );
  expect((signal as unknown as Record<symbol, Set<unknown> | undefined>)[made!]?.size ?? 0).toBe(0);
});
