import { expect, it } from 'vitest';
import { ServerProcess } from '../../tools/bench/server-process.mjs';
import { temporaryFolder } from '../temporary-folder.js';

it('a benchmark whose server ends is told so, and does not wait for it', async () => {
  const server = await ServerProcess.start(temporaryFolder());
  // A line that is too long ends it.
  const waiting = server.millisecondsOf('ping', { padding: 'x'.repeat(11_000_000) });
  await expect(waiting).rejects.toThrow('The server ended.');
  await expect(server.millisecondsOf('ping', {})).rejects.toThrow('The server ended.');
  await server.close();
});
