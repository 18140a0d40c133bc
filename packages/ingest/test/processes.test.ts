import type { Database } from 'better-sqlite3';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, createWriteStream, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Store } from '@causantic/storage';
import { ingestTree } from '../src/index.js';
import { sessionId, TestStore } from './ingested.js';
import { Recording, temporaryFolder } from './recording.js';
import { storeContents } from './store-contents.js';

const program = fileURLToPath(new URL('ingesting-process.mjs', import.meta.url));

function start(database: string, folder: string, ...nodeOptions: string[]): ChildProcess {
  return spawn(process.execPath, [...nodeOptions, program, database, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function manySessions(): string {
  const folder = temporaryFolder();
  for (let n = 1; n <= 6; n++) {
    const recording = new Recording(sessionId(n));
    for (let turn = 0; turn < 30; turn++) {
      recording
        .user(`question ${turn} of session ${n}`)
        .call(`t${turn}`, 'Bash', { command: `echo ${turn}` });
      recording.result(`t${turn}`, 'word '.repeat(300)).answer(`answer ${turn} `.repeat(40));
    }
    recording.writeTo(join(folder, `${sessionId(n)}.jsonl`));
  }
  return folder;
}

function undisturbed(folder: string): unknown {
  const { store, path } = new TestStore();
  ingestTree(store, [folder]);
  return storeContents(path);
}

describe('several processes and one store', () => {
  it('a killed run is finished by the next', async () => {
    const folder = manySessions();
    const database = join(temporaryFolder(), 'memory.db');
    // The fourth run is left alone.
    for (const stopAfter of [0, 1, 3, Infinity]) {
      const child = start(database, folder);
      let files = 0;
      child.stdout!.on('data', (data: Buffer) => {
        files += data.toString().split('\n').length - 1;
        if (files > stopAfter) child.kill('SIGKILL');
      });
      await once(child, 'close');
    }
    expect(storeContents(database)).toEqual(undisturbed(folder));
  });

  it('two at once store everything once', async () => {
    const folder = manySessions();
    const database = join(temporaryFolder(), 'memory.db');
    const children = [start(database, folder), start(database, folder)];
    const codes = await Promise.all(
      children.map(async (child) => (child.stdout!.resume(), (await once(child, 'close'))[0] as number)),
    );
    expect(codes).toEqual([0, 0]);
    const { sessions, ...rest } = storeContents(database);
    const { sessions: expected, ...others } = undisturbed(folder) as ReturnType<typeof storeContents>;
    expect(rest).toEqual(others);
    expect(sessions).toHaveLength(expected!.length);
  });
});

describe('a huge line', () => {
  it('does not become as much heap', async () => {
    const folder = temporaryFolder();
    const path = join(folder, `${sessionId(1)}.jsonl`);
    const file = createWriteStream(path);
    const recording = new Recording(sessionId(1))
      .user('go')
      .call('t1', 'Edit', { file_path: 'big.txt', old_string: 'a', new_string: 'b' });
    file.write(recording.text);
    const bulk = 'lorem \\"ipsum\\" \\u00e9 \\ud83d\\ude00 é\\n'.repeat(800_000);
    const result = recording
      .result('t1', 'The file was updated', { toolUseResult: { originalFile: '@@' } })
      .lines.at(-1)!;
    const output = recording.call('t2', 'Bash', { command: 'cat' }).lines.at(-1)!;
    const printed = recording.result('t2', '@@').lines.at(-1)!;
    file.write(`${result.replace('@@', bulk)}\n${output}\n${printed.replace('@@', bulk)}\n`);
    file.end(`${recording.answer('still here').lines.at(-1)!}\n`);
    await once(file, 'close');
    const database = join(temporaryFolder(), 'memory.db');
    // The two lines are 32 MB each: parsed as they are, one of them alone ends the process.
    const { status } = spawnSync(process.execPath, ['--max-old-space-size=40', program, database, folder]);
    expect(status).toBe(0);
    const store = Store.open(database);
    const text = [...store.chunks.walk({}, 'oldest')].map((chunk) => chunk.text).join('\n');
    store.close();
    expect(text).toContain('still here');
    expect(text).toContain('[Bash] cat\n→ lorem "ipsum" é 😀 é');
    expect(text).toMatch(/left out …\]/);
  });
});

it('a transcript with a gigabyte of zeros in it does not take as much memory', () => {
  const folder = temporaryFolder();
  const path = join(folder, `${sessionId(1)}.jsonl`);
  const lines = new Recording(sessionId(1)).user('where is the till').answer('in the cellar').lines;
  writeFileSync(path, `${lines[0]!}\n`);
  truncateSync(path, 1 << 30);
  appendFileSync(path, `\n${lines[1]!}\n`);
  const { store } = new TestStore();
  const before = process.memoryUsage().rss;
  const { chunks, issues } = ingestTree(store, [folder]);
  expect([chunks, issues.map(({ line, code }) => [line, code])]).toEqual([1, [[2, 'invalid-json']]]);
  expect(process.resourceUsage().maxRSS * 1024 - before).toBeLessThan(700 << 20);
});

it('a full disk ends the run, and the next one goes on', () => {
  const folder = manySessions();
  const { store, path } = new TestStore();
  const { db } = store as unknown as { db: Database };
  const pages = db.pragma('page_count', { simple: true }) as number;
  db.pragma(`max_page_count = ${pages + 60}`);
  const noRoom = { code: 'NO_ROOM', message: expect.stringContaining(path) as string };
  expect(() => ingestTree(store, [folder])).toThrow(expect.objectContaining(noRoom) as Error);
  db.pragma('max_page_count = 100000');
  expect(ingestTree(store, [folder]).issues).toEqual([]);
  const undisturbed = new TestStore();
  ingestTree(undisturbed.store, [folder]);
  expect(storeContents(path)).toEqual(undisturbed.contents());
});
