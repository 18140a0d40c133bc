import { afterEach, beforeEach, expect, test } from 'vitest';
import { chunkDraft as chunk, sessionDraft, turnDraft as turn } from '../../../test/drafts.js';
import { Store } from '../src/index.js';
import { memoryPath } from './sessions.js';

let path: string;
let server: Store;
let reader: Store;

beforeEach(() => {
  path = memoryPath();
  server = Store.open(path);
  reader = Store.open(path);
});

afterEach(() => {
  server.close();
  reader.close();
});

/** Read a transcript again from its first line, as a session that goes on is read. */
function readAgain(transcript: string, ...texts: string[]): number[] {
  reader.transcripts.write(transcript, (writer) => {
    writer.putSession(sessionDraft('s1'), { path: '/p', name: 'p' });
    writer.dropTurnsFromLine(1);
    writer.putTurn(
      turn(
        0,
        texts.map((text, seq) => chunk(seq, text)),
      ),
    );
  });
  return reader.chunks.get(Array.from({ length: 100 }, (_, id) => id)).map(({ id }) => id);
}

test('a server that saw a session grow weighs it as a program does that sees it for the first time', async () => {
  for (const texts of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
    readAgain('/s1.jsonl', ...texts);
    await server.directory.refresh();
  }
  readAgain('/s1/agent.jsonl', 'd');
  await server.directory.refresh();
  await reader.directory.refresh();
  for (const { directory } of [server, reader]) {
    expect([directory.sessionSize(1), directory.meanSessionSize()]).toEqual([4, 4]);
  }
});

test('neighbours are those of the latest reading, in the same transcript', async () => {
  readAgain('/s1.jsonl', 'a', 'b', 'c');
  await server.directory.refresh();
  const others = readAgain('/s1/agent.jsonl', 'd', 'e');
  const [a, b] = readAgain('/s1.jsonl', 'a', 'b').filter((id) => !others.includes(id)) as [number, number];
  await server.directory.refresh();
  const { directory } = server;
  expect([directory.neighbour(a, -1), directory.neighbour(a, 1)]).toEqual([undefined, b]);
  expect(directory.neighbour(b, -1)).toBe(a);
  expect(directory.session(1)).toBeUndefined();
  expect(directory.idsBelow).toBe(b + 1);
});
