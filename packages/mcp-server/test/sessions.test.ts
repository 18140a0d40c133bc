import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Sessions } from '../src/http/sessions.js';
import { Services } from '../src/services.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

it('the calls of a client that has no connection left are cancelled', async () => {
  const services = new Services('0', { CAUSANTIC_HOME: temporaryFolder() });
  const sessions = new Sessions(services);
  const session = (await sessions.begin())!;
  onTestFinished(async () => {
    await session.server.close();
    await services.close();
  });
  const { signal } = session.server['leaving'];
  const [listening, calling] = [newResponse(), newResponse()];
  sessions.hold(session, listening);
  sessions.hold(session, calling);
  listening.emit('close');
  expect(signal.aborted).toBe(false);
  calling.emit('close');
  expect(signal.aborted).toBe(true);
});

function newResponse(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}
