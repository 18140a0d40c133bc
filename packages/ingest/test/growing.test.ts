import { appendFileSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '@causantic/storage';
import { describe, expect, it } from 'vitest';
import { contentsInPieces, ingested, lineEnds, sessionId, TestStore } from './ingested.js';
import { Recording, temporaryFolder } from './recording.js';

/** A session with something of everything, so that a cut anywhere hits something. */
function eventful(): Recording {
  const recording = new Recording(sessionId(1));
  recording
    .user('<ide_opened_file>till.ts</ide_opened_file>')
    .user('fix the till')
    .answer('I look at it first.')
    .call('t1', 'Task', { subagent_type: 'Explore', description: 'look', prompt: 'Find the till' });
  const parent = recording.at;
  recording
    .backTo(null)
    .user('Find the till', { isSidechain: true })
    .answer('It is in the cellar.', { isSidechain: true });
  const side = recording.at;
  recording
    .backTo(parent)
    .result('t1', [{ type: 'text', text: 'In the cellar.' }], { toolUseResult: { agentId: 'a1' } })
    .call('t2', 'Bash', { command: 'npm test' })
    .result('t2', 'Error: it is stuck', {}, { is_error: true })
    .call('t3', 'Bash', { command: 'sleep 100' })
    .queue('enqueue', 'and paint it')
    .queue('enqueue', 'twice')
    .queue('remove')
    .user('and the door?')
    .queue('remove');
  const main = recording.at;
  recording
    .backTo(side)
    .answer('Or in the attic.', { isSidechain: true })
    .backTo(main)
    .assistant([{ type: 'thinking', thinking: 'Doors … hmm.' }])
    .result('t3', 'slept')
    .call('c1', 'TaskCreate', { subject: 'Oil the door', description: '' })
    .result('c1', 'Task #1 created')
    .raw('{"type":"custom-title","customTitle":"Till and door"}')
    .user('This session is being continued …', { isCompactSummary: true })
    .answer('Going on after compaction: naïve façade 🚪.')
    .call('c2', 'TaskUpdate', { taskId: '1', status: 'completed' });
  const rewound = recording.at;
  recording
    .user('a prompt that was rewound')
    .answer('an answer nobody wanted')
    .backTo(rewound)
    .user('the prompt that counts')
    .answer('The door is oiled.')
    .record({
      type: 'progress',
      parentToolUseID: 't1',
      data: {
        type: 'agent_progress',
        agentId: 'p1',
        message: {
          type: 'assistant',
          uuid: 'f'.repeat(32),
          message: { content: [{ type: 'text', text: 'progress text' }] },
        },
      },
    })
    .raw('null')
    .user('thanks')
    .answer('You are welcome.');
  return recording;
}

const bytes = Buffer.from(eventful().text);

const contentsAfter = (cuts: readonly number[]): unknown => contentsInPieces(bytes, cuts);

describe('a growing transcript', () => {
  const atOnce = (): unknown => contentsAfter([bytes.length]);

  it('fed in ten prefixes gives the same as at once', () => {
    const cuts = Array.from({ length: 10 }, (_, n) => Math.floor((bytes.length * (n + 1)) / 10));
    expect(contentsAfter(cuts)).toEqual(atOnce());
  });

  it('fed line by line gives the same as at once', () => {
    expect(contentsAfter(lineEnds(bytes))).toEqual(atOnce());
  });

  it('cut at any place gives the same as at once', () => {
    const expected = atOnce();
    for (let cut = 37; cut < bytes.length; cut += 331)
      expect(contentsAfter([cut, bytes.length])).toEqual(expected);
  });

  it('fed behind a compaction amid its calls gives the same as at once', () => {
    const recording = new Recording(sessionId(1))
      .user('Oil the till.')
      .call('t1', 'Bash', { command: 'find oil' })
      .queue('enqueue', '{"task_id":"1"}')
      .queue('enqueue', 'And the door.')
      .result('t1', 'oil.txt')
      .user('This session is being continued …', { isCompactSummary: true })
      .queue('remove')
      .record({
        type: 'system',
        subtype: 'local_command',
        content: '<command-name>/rename</command-name>\n<command-args>till</command-args>',
      })
      .answer('Oiled.');
    const lines = Buffer.from(recording.text);
    expect(contentsInPieces(lines, lineEnds(lines))).toEqual(contentsInPieces(lines, [lines.length]));
  });

  it('keeps a first prompt that stands behind something later', () => {
    const recording = new Recording(sessionId(1))
      .answer('Welcome back.', { timestamp: '2026-03-01T10:30:00.000Z' })
      .backTo(null)
      .user('fix the till');
    const { store, path } = ingested(recording);
    recording.answer('Fixed.').appendTo(path, 2);
    store.ingest(path);
    expect(store.saidBy('user')).toEqual(['fix the till']);
    expect(store.saidBy('assistant')).toEqual(['Welcome back.', 'Fixed.']);
  });

  it.each([50, 331, 2_000, 1_000_000])(
    'read in pieces of %i bytes gives the same as at once',
    (maxNewBytes) => {
      const path = join(temporaryFolder(), 'session.jsonl');
      writeFileSync(path, bytes);
      const store = new TestStore();
      let pieces = 0;
      while (store.ingest(path, { maxNewBytes }).status === 'ingested') pieces++;
      expect(pieces).toBeLessThanOrEqual(Math.ceil(bytes.length / maxNewBytes));
      expect(store.contentsOf(path)).toEqual(atOnce());
    },
  );

  it('a turn that is longer than many pieces is not read again with each of them', () => {
    const recording = new Recording(sessionId(1)).user('go');
    for (let n = 0; n < 200; n++) recording.answer(`I ring bell ${n}.`);
    const path = recording.writeTo(join(temporaryFolder(), 'session.jsonl'));
    const store = new TestStore();
    let read = 0;
    for (let isMore = true; isMore;) {
      const report = store.ingest(path, { maxNewBytes: 1_000 });
      read += report.bytes;
      isMore = report.status === 'ingested';
    }
    expect(store.saidBy('assistant')).toHaveLength(200);
    expect(read).toBeLessThan(4 * statSync(path).size);
  });

  it('read again without a change is not read at all', () => {
    const { store, path } = ingested(eventful());
    const before = store.contents();
    expect(store.ingest(path)).toMatchObject({ status: 'unchanged', bytes: 0, chunks: 0 });
    expect(store.contents()).toEqual(before);
  });

  it('reads only from the last open turn on', () => {
    const recording = eventful();
    const { store, path } = ingested(recording);
    const size = statSync(path).size;
    const lines = recording.lines.length;
    recording.answer('One more thing.').appendTo(path, lines);
    const report = store.ingest(path);
    expect(report.bytes).toBeLessThan(size / 3);
    expect(report).toMatchObject({ turns: 1, chunks: 1 });
    expect(store.saidBy('assistant').at(-1)).toBe('One more thing.');
  });

  it('picks up what follows a compaction', () => {
    const recording = new Recording(sessionId(1)).user('go').user('continued …', { isCompactSummary: true });
    const { store, path } = ingested(recording);
    recording.answer('after the compaction').appendTo(path, 2);
    store.ingest(path);
    expect(store.saidBy('assistant')).toEqual(['after the compaction']);
  });

  it('leaves a half-written last line for the next run', () => {
    const recording = new Recording(sessionId(1)).user('go').answer('whole');
    const { store, path } = ingested(recording);
    const line = recording.answer('halved').lines.at(-1)!;
    appendFileSync(path, line.slice(0, 50));
    expect(store.ingest(path).issues).toEqual([]);
    expect(store.saidBy('assistant')).toEqual(['whole']);
    appendFileSync(path, `${line.slice(50)}\n`);
    store.ingest(path);
    expect(store.saidBy('assistant')).toEqual(['whole', 'halved']);
  });
});

describe('a transcript that changed otherwise', () => {
  it('is read anew when it was rewritten', () => {
    const { store, path } = ingested(eventful());
    new Recording(sessionId(1))
      .user('all new')
      .answer('indeed')
      .user('longer')
      .answer('x'.repeat(20_000))
      .writeTo(path);
    store.ingest(path);
    expect(store.saidBy('user')).toEqual(['all new', 'longer']);
  });

  it('is read anew when it was cut short', () => {
    const recording = eventful();
    const { store, path } = ingested(recording);
    writeFileSync(
      path,
      readFileSync(path).subarray(0, Buffer.byteLength(`${recording.lines.slice(0, 3).join('\n')}\n`)),
    );
    store.ingest(path);
    expect(store.saidBy('assistant')).toEqual(['I look at it first.']);
  });

  it('is read anew, unchanged or longer, where another version of this program read it before', () => {
    const recording = eventful();
    const { store, path } = ingested(recording);
    for (const more of ['', 'One more thing.']) {
      const db = openSqlite(store.path);
      db.prepare('UPDATE transcript SET checkpoint = replace(checkpoint, ?, ?)').run(
        '"{\\"version\\":1,',
        '"{\\"version\\":0,',
      );
      db.prepare('UPDATE chunk SET text = ?').run('as that version had it');
      db.close();
      if (more !== '') recording.answer(more).writeTo(path);
      expect(store.ingest(path).status).toBe('ingested');
      expect(store.contentsOf(path)).toEqual(contentsInPieces(Buffer.from(recording.text), [Infinity]));
    }
  });

  it('stays in the store when the file is deleted', () => {
    const { store, path } = ingested(eventful());
    const before = store.contents();
    rmSync(path);
    expect(() => store.ingest(path)).toThrow(/Cannot open transcript .*: no such file or directory/);
    expect(store.contents()).toEqual(before);
  });
});

describe('what the user deleted', () => {
  it('does not come back when the transcript grows or is touched', () => {
    const recording = new Recording(sessionId(1))
      .user('keep this')
      .answer('kept')
      .user('my secret plan')
      .answer('I know it');
    const { store, path } = ingested(recording);
    store.forget('secret');
    recording.user('next').answer('on we go').appendTo(path, 4);
    store.ingest(path);
    expect(store.text()).not.toContain('secret');
    expect(JSON.stringify(store.facts())).not.toContain('secret');
    expect(store.saidBy('user')).toEqual(['keep this', 'next']);
  });
});

describe('what the user deleted from a session', () => {
  it('does not come back with a new fork, a title or a rewritten file', () => {
    const recording = new Recording(sessionId(1))
      .user('my secret plan')
      .answer('I know the secret')
      .user('keep this');
    recording.raw('{"type":"custom-title","customTitle":"The secret"}');
    const { store, path } = ingested(recording);
    store.forget('secret');
    utimesSync(path, new Date(), new Date(Date.now() + 60_000));
    store.ingest(path);
    const fork = join(temporaryFolder(), 'fork.jsonl');
    writeFileSync(fork, recording.text.replaceAll(sessionId(1), sessionId(2)));
    store.ingest(fork);
    expect(store.text()).not.toContain('secret');
    expect(store.saidBy('user')).toEqual(['keep this']);
  });
});

describe('what the user deleted from a turn that goes on', () => {
  it('does not come back in another chunk', () => {
    const recording = new Recording(sessionId(1))
      .user('start')
      .answer('begun')
      .user('my secret plan')
      .answer('I know the secret');
    const { store, path } = ingested(recording);
    store.forget('secret');
    recording.answer('Something else, said later.').appendTo(path, 4);
    store.ingest(path);
    expect(JSON.stringify(store.contents())).not.toContain('secret');
    expect(store.saidBy('assistant')).toEqual(['begun', 'Something else, said later.']);
  });
});

describe('what the user deleted from a file whose lines move', () => {
  const title = (n: number): string =>
    JSON.stringify({ type: 'summary', summary: `Title ${n}`, leafUuid: 'x' });
  const titles = Array.from({ length: 12 }, (_, n) => `${title(n)}\n`).join('');

  it.each([
    ['down', '', titles],
    ['up', titles, ''],
  ])('does not come back %s', (_way, before, after) => {
    const recording = new Recording(sessionId(1))
      .user('go on')
      .answer('Gone on.')
      .user('my secret plan')
      .answer('I know the secret')
      .call('t', 'Bash', { command: 'echo secret' })
      .result('t', 'secret')
      .answer('Another thing, of some length. '.repeat(30));
    const { store, path } = ingested(recording);
    writeFileSync(path, before + recording.text);
    store.ingest(path);
    store.forget('secret');
    writeFileSync(path, after + recording.text);
    store.ingest(path);
    recording.answer('Something new.').user('go on').appendTo(path, 7);
    store.ingest(path);
    expect(JSON.stringify(store.contents())).not.toContain('secret');
    expect(store.saidBy('user')).toEqual(['go on', 'go on']);
    expect(store.saidBy('assistant')).toContain('Something new.');
  });

  it('does not come back where two terminals had it open', () => {
    const recording = new Recording(sessionId(1)).user('my secret plan').answer('A secret.');
    recording.user('start').answer('Started.');
    const begin = recording.at;
    const first = recording.user('llamas?').at;
    recording.backTo(begin).user('whales?').backTo(first).answer('About llamas.');
    const { store, path } = ingested(recording);
    store.forget('secret');
    writeFileSync(path, titles + recording.text);
    store.ingest(path);
    expect(store.saidBy('user')).toEqual(['start', 'llamas?', 'whales?']);
    expect(store.saidBy('assistant')).toEqual(['Started.', 'About llamas.']);
  });
});
