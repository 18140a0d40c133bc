import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { remoteFile } from '../src/models/file-download.js';

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('a server that redirects to what is no address is named', async () => {
  const url = await serve(
    (_request, response) => void response.writeHead(302, { location: 'http://[' }).end(),
  );
  await expect(remoteFile(`${url}/model.onnx`)).rejects.toMatchObject({
    code: 'MODEL_MISSING',
    message: expect.stringContaining(`${url}/model.onnx: the server redirects to "http://["`),
  });
});

it('a file that was moved five times is found, and none that is moved without end', async () => {
  const url = await serve((request, response) => {
    const left = Number(request.url!.slice(1));
    if (left === 0) response.writeHead(200, { 'content-length': 7, etag: 'W/"tag"' }).end();
    else response.writeHead(307, { location: `/${left - 1}` }).end();
  });
  expect(await remoteFile(`${url}/5`)).toEqual({ url: `${url}/0`, bytes: 7, etag: 'tag' });
  await expect(remoteFile(`${url}/6`)).rejects.toThrow('redirects without end');
});
