import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ingestTree } from '../src/index.js';
import { expectSameInPieces, ingested, read, sessionId, TestStore } from './ingested.js';
import { Recording, temporaryFolder } from './recording.js';

function copyOf(original: Recording, session: string): Recording {
  const copy = new Recording(session);
  for (const line of original.lines)
    copy.raw(line.replaceAll(`"sessionId":"${original.session}"`, `"sessionId":"${session}"`));
  return copy.backTo(original.at);
}

describe('a forked session', () => {
  const original = new Recording(sessionId(1))
    .user('build a till')
    .answer('built')
    .call('t', 'Monitor', { a: 1 });
  const fork = copyOf(original, sessionId(2)).user('make it blue').answer('blue it is').result('t', 'late');
  const second = copyOf(fork, sessionId(3)).user('make it red').answer('red it is');

  it('is stored once, linked to the session it continues, in whatever order the files are listed', () => {
    const folder = temporaryFolder();
    const store = new TestStore();
    // The names sort the other way round.
    second.writeTo(join(folder, `${sessionId(3)}.jsonl`));
    fork.writeTo(join(folder, `${sessionId(2)}.jsonl`));
    original.writeTo(join(folder, `${sessionId(1)}.jsonl`));
    const report = ingestTree(store.store, [folder]);
    expect(store.saidBy('user').sort()).toEqual(['build a till', 'make it blue', 'make it red']);
    expect(report.copiedRecords).toBe(3 + 6);
    expect(store.contents()['sessions']).toMatchObject([
      { uuid: sessionId(1), continues_uuid: null },
      { uuid: sessionId(2), continues_uuid: sessionId(1) },
      { uuid: sessionId(3), continues_uuid: sessionId(2) },
    ]);
    expect(store.text()).toContain('[Monitor] → late');
  });

  it('changes nothing when all is read again', () => {
    const folder = temporaryFolder();
    const store = new TestStore();
    fork.writeTo(join(folder, 'fork.jsonl'));
    original.writeTo(join(folder, 'original.jsonl'));
    ingestTree(store.store, [folder]);
    const before = store.contents();
    const again = ingestTree(store.store, [folder]);
    expect(again).toMatchObject({ files: 2, skipped: 2, chunks: 0 });
    expect(store.contents()).toEqual(before);
    expect(ingestTree(store.store, [folder], { anew: true })).toMatchObject({ files: 2, skipped: 0 });
    expect(store.contents()).toEqual(before);
  });

  it('has no agents of its original', () => {
    const folder = temporaryFolder();
    const spawning = new Recording(sessionId(1))
      .user('build a till')
      .call('t', 'Task', { subagent_type: 'Explore', description: 'look', prompt: 'Look' })
      .result('t', 'Seen.', { toolUseResult: { agentId: 'a1' } });
    spawning.writeTo(join(folder, 'a.jsonl'));
    copyOf(spawning, sessionId(2)).user('make it blue').writeTo(join(folder, 'b.jsonl'));
    expect(read(folder).contents()['agents']).toMatchObject([{ uuid: sessionId(1), key: 'a1' }]);
  });

  it('keeps no secret for which the original asked', () => {
    const folder = temporaryFolder();
    const asking = new Recording(sessionId(1)).user('build a till').answer('Please tell me the password.');
    asking.writeTo(join(folder, 'a.jsonl'));
    copyOf(asking, sessionId(2)).user('tr0ub4dor!').writeTo(join(folder, 'b.jsonl'));
    expect(read(folder).saidBy('user')).toEqual(['build a till', '[REDACTED:told]']);
  });
});

describe('a forked session whose records say that they are copies', () => {
  const original = new Recording(sessionId(1)).user('build a till').answer('built '.repeat(50));
  const noted = (copy: Recording, from: string): Recording => {
    const lines = copy.lines.splice(0);
    for (const line of lines)
      copy.raw(line.includes('"assistant"') ? line.replace('{', `{"requestSessionId":"${from}",`) : line);
    return copy;
  };
  const fork = noted(copyOf(original, sessionId(2)), sessionId(1))
    .user('make it blue')
    .answer('blue it is');
  const sessions = [
    { uuid: sessionId(1), continues_uuid: null },
    { uuid: sessionId(2), continues_uuid: sessionId(1) },
  ];

  it('continues the original, though that is longer', () => {
    const folder = temporaryFolder();
    const store = new TestStore();
    fork.writeTo(join(folder, 'a.jsonl'));
    const longer = copyOf(original, sessionId(1)).user('make it red').answer('red it is '.repeat(50));
    longer.writeTo(join(folder, 'b.jsonl'));
    expect(ingestTree(store.store, [folder])).toMatchObject({ copiedRecords: 2, chunks: 3 });
    expect(store.contents()['sessions']).toMatchObject(sessions);
  });

  it('is known by the ids of its original, which older clients leave in what the person said', () => {
    const folder = temporaryFolder();
    const store = new TestStore();
    const older = new Recording(sessionId(2));
    for (const line of copyOf(original, sessionId(2)).lines)
      older.raw(line.includes('"user"') ? line.replace(sessionId(2), sessionId(1)) : line);
    older.backTo(original.at).user('make it blue').answer('blue it is');
    older.writeTo(join(folder, `${sessionId(2)}.jsonl`));
    const longer = copyOf(original, sessionId(1)).user('make it red').answer('red it is '.repeat(50));
    longer.writeTo(join(folder, `${sessionId(1)}.jsonl`));
    expect(ingestTree(store.store, [folder])).toMatchObject({ copiedRecords: 2, chunks: 3 });
    expect(store.contents()['sessions']).toMatchObject(sessions);
  });

  it.each([
    ['queue', { type: 'queue-operation', operation: 'dequeue', timestamp: '2026-03-01T11:00:00.000Z' }],
    ['snapshot', { type: 'file-history-snapshot', snapshot: { timestamp: '2026-03-01T11:00:00.000Z' } }],
  ])('is known by the time of what stands before its first record: a %s', (_what, head) => {
    const folder = temporaryFolder();
    const store = new TestStore();
    const unmarked = new Recording(sessionId(2)).raw(JSON.stringify(head));
    for (const line of copyOf(original, sessionId(2)).lines) unmarked.raw(line);
    unmarked.backTo(original.at).user('make it blue').answer('blue it is');
    unmarked.writeTo(join(folder, `${sessionId(2)}.jsonl`));
    const longer = copyOf(original, sessionId(1)).user('make it red').answer('red it is '.repeat(50));
    longer.writeTo(join(folder, `${sessionId(1)}.jsonl`));
    expect(ingestTree(store.store, [folder])).toMatchObject({ copiedRecords: 2, chunks: 3 });
    expect(store.contents()['sessions']).toMatchObject(sessions);
  });

  it('is known by the ids that it notes, where its copies have new ones, and so is a fork of it', () => {
    const renewed = (copied: Recording, session: string): Recording => {
      const fork = new Recording(session);
      const ids = new Map<unknown, string>();
      for (const line of copied.lines) {
        const { uuid, parentUuid, ...record } = JSON.parse(line) as Record<string, unknown>;
        const forkedFrom = { sessionId: copied.session, messageUuid: uuid };
        ids.set(uuid, randomUUID());
        const own = { uuid: ids.get(uuid), parentUuid: ids.get(parentUuid) ?? null, sessionId: session };
        fork.raw(JSON.stringify({ ...record, ...own, forkedFrom }));
      }
      return fork.backTo(ids.get(copied.at)!);
    };
    const fork = renewed(original, sessionId(2)).user('make it blue').answer('blue it is');
    const second = renewed(fork, sessionId(3)).user('make it red').answer('red it is');
    const folder = temporaryFolder();
    const store = new TestStore();
    second.writeTo(join(folder, `${sessionId(3)}.jsonl`));
    fork.writeTo(join(folder, `${sessionId(2)}.jsonl`));
    original.writeTo(join(folder, `${sessionId(1)}.jsonl`));
    expect(ingestTree(store.store, [folder])).toMatchObject({ copiedRecords: 2 + 4 });
    expect(store.saidBy('user').sort()).toEqual(['build a till', 'make it blue', 'make it red']);
    expect(store.contents()['sessions']).toMatchObject([
      ...sessions,
      { uuid: sessionId(3), continues_uuid: sessionId(2) },
    ]);
  });

  it('gives back what is the original’s, though it was read before', () => {
    const folder = temporaryFolder();
    const store = new TestStore();
    fork.writeTo(join(folder, 'fork.jsonl'));
    ingestTree(store.store, [folder]);
    expect(store.saidBy('user')).toEqual(['build a till', 'make it blue']);
    original.writeTo(join(folder, 'original.jsonl'));
    ingestTree(store.store, [folder]);
    expect(
      (store.contents()['sessions'] as { uuid: string }[]).toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1)),
    ).toMatchObject(sessions);
    expect(store.saidBy('user').sort()).toEqual(['build a till', 'make it blue']);
    const turns = store.contents()['turns'] as { path: string }[];
    expect(turns.map(({ path }) => basename(path)).sort()).toEqual(['fork.jsonl', 'original.jsonl']);
  });

  it.each(['123', '132', '213', '231', '312', '321'])(
    'is stored once, and so is a fork of it, in whatever order the three come: %s',
    (order) => {
      const branched = (from: Recording, session: string): Recording => {
        const copy = copyOf(from, session);
        for (const line of copy.lines.splice(0)) {
          const record = JSON.parse(line) as Record<string, unknown>;
          const forkedFrom = { sessionId: from.session, messageUuid: record['uuid'] };
          copy.raw(JSON.stringify({ ...record, forkedFrom }));
        }
        return copy;
      };
      const longer = copyOf(original, sessionId(1)).user('make it red').answer('red it is');
      const fork = branched(original, sessionId(2)).user('make it blue').answer('blue it is');
      const second = branched(fork, sessionId(3)).user('make it green').answer('green it is');
      const folder = temporaryFolder();
      const store = new TestStore();
      for (const which of order) {
        const session = { '1': longer, '2': fork, '3': second }[which]!;
        session.writeTo(join(folder, `${session.session}.jsonl`));
        ingestTree(store.store, [folder]);
      }
      expect(ingestTree(store.store, [folder])).toMatchObject({ skipped: 3, chunks: 0 });
      const together = read(folder);
      expect(store.contents()['chunks']).toEqual(together.contents()['chunks']);
      expect(store.saidBy('user')).toEqual(['build a till', 'make it red', 'make it blue', 'make it green']);
      expect(
        (store.contents()['sessions'] as { continues_uuid: unknown }[]).map(
          ({ continues_uuid }) => continues_uuid,
        ),
      ).toEqual([null, sessionId(1), sessionId(2)]);
    },
  );
});

describe('a rewind', () => {
  it('leaves out what was replaced, to the end of the abandoned branch', () => {
    const recording = new Recording(sessionId(1)).user('start').answer('started');
    const place = recording.at;
    recording.user('wrong way').answer('going wrong').user('further wrong').answer('lost');
    recording.backTo(place).user('right way').answer('going right');
    const { store, report } = ingested(recording);
    expect(report).toMatchObject({ turns: 2, chunks: store.chunks().length });
    expect(store.saidBy('user')).toEqual(['start', 'right way']);
    expect(store.saidBy('assistant')).toEqual(['started', 'going right']);
  });

  it('leaves no empty place: what follows it stands right behind what came before', async () => {
    const recording = new Recording(sessionId(1)).user('start').answer('started');
    const place = recording.at;
    recording.user('wrong way').answer('going wrong').backTo(place).user('right way').answer('going right');
    const { chunks, directory } = ingested(recording).store.store;
    const [first, right] = [...chunks.walk({}, 'oldest')];
    expect([right?.seq, right && chunks.turnBefore(right.turnId)]).toEqual([1, first?.turnId]);
    await directory.refresh();
    expect(directory.neighbour(right!.id, -1)).toBe(first?.id);
  });

  it('of prompt after prompt, the last one first, leaves out each and what was said in its place', () => {
    const recording = new Recording(sessionId(1)).user('start').answer('started');
    const places: (string | null)[] = [];
    for (const way of ['first', 'second', 'third', 'fourth']) {
      places.push(recording.at);
      recording.user(`${way} way`).answer(`going the ${way} way`);
    }
    for (const at of [3, 2, 1])
      recording.backTo(places[at]!).user(`back to ${at}`).answer(`gone back to ${at}`);
    recording.user('go on').answer('gone on');
    const { store } = ingested(recording);
    expect(store.saidBy('user')).toEqual(['start', 'first way', 'back to 1', 'go on']);
    expectSameInPieces(recording.text);
  });

  it('is seen where the replaced prompt followed what the client did itself', () => {
    const recording = new Recording(sessionId(1)).user('start').answer('started');
    recording.user('<command-name>/reload</command-name>\n<command-args></command-args>');
    recording.user('<local-command-stdout>Reloaded</local-command-stdout>');
    const place = recording.at;
    recording.user('try it').backTo(place).user('try it').answer('tried');
    const { store } = ingested(recording);
    expect(store.saidBy('user')).toEqual(['start', 'try it']);
  });

  it('is not seen in parallel tool calls, their results and injected records', () => {
    const recording = new Recording(sessionId(1)).user('start').call('t1', 'Bash', { command: 'one' });
    const place = recording.at;
    recording.call('t2', 'Bash', { command: 'two' }).backTo(place).result('t1', 'first');
    recording.backTo(place).result('t2', 'second').backTo(place).user('a skill', { isMeta: true });
    recording.backTo(place).user('<system-reminder>x</system-reminder>').answer('done');
    const { store } = ingested(recording);
    expect(store.text()).toContain('first');
    expect(store.text()).toContain('second');
    expect(store.contents()['turns']).toHaveLength(1);
  });

  it('is not seen where records have no parent', () => {
    const { store } = ingested(
      new Recording(sessionId(1)).user('one').backTo(null).user('two').backTo(null).user('three'),
    );
    expect(store.saidBy('user')).toEqual(['one', 'two', 'three']);
  });
});

describe('two terminals in one session', () => {
  const start = (): Recording => new Recording(sessionId(1)).user('start').answer('started');

  /** What each adds goes on behind what it added before. */
  function terminal(recording: Recording): (add: (recording: Recording) => Recording) => void {
    let at = recording.at;
    return (add) => void (at = add(recording.backTo(at)).at);
  }

  function both(recording: Recording): void {
    const [first, second] = [terminal(recording), terminal(recording)];
    first((r) => r.user('llamas?').answer('about llamas').call('t1', 'Bash', { command: 'llama' }));
    second((r) => r.user('whales?'));
    first((r) => r.result('t1', 'a llama').answer('a llama it is'));
    second((r) => r.answer('about whales').user('wrong sharks?').answer('wrong sharks'));
    first((r) => r.user('lions?').answer('about lions'));
  }

  it('are both kept, to the last word', () => {
    const recording = start();
    both(recording);
    const { store } = ingested(recording);
    expect(store.saidBy('user')).toEqual(['start', 'llamas?', 'whales?', 'wrong sharks?', 'lions?']);
    expect(store.saidBy('assistant')).toContain('a llama it is');
    const [turn] = store.chunks().filter(({ text }) => text.includes('whales?'));
    expect(turn!.text).toBe('User: whales?\n\nAssistant: about whales');
    expectSameInPieces(recording.text);
  });

  it('may be many, each of which goes on', () => {
    const recording = start();
    const terminals = Array.from({ length: 100 }, () => terminal(recording));
    for (const [n, add] of terminals.entries()) add((r) => r.user(`llama ${n}?`));
    for (const [n, add] of terminals.entries()) add((r) => r.answer(`about llama ${n}`));
    const { store } = ingested(recording);
    expect(store.saidBy('user')).toEqual(['start', ...terminals.map((_, n) => `llama ${n}?`)]);
    expect(store.saidBy('assistant')).toHaveLength(101);
  });

  it('may be ten, and what one says stands in no turn of another', () => {
    const recording = start();
    const terminals = Array.from({ length: 10 }, () => terminal(recording));
    for (const [n, add] of terminals.entries()) add((r) => r.user(`llama ${n}?`));
    for (const [n, add] of terminals.entries()) add((r) => r.answer(`about llama ${n}`));
    const { store } = ingested(recording);
    const said = store.chunks().map(({ text }) => text.match(/about llama \d/g) ?? []);
    expect(said.filter((answers) => answers.length > 0)).toHaveLength(10);
    expectSameInPieces(recording.text);
  });

  it('may each rewind, and are left out where nothing follows', () => {
    const recording = start();
    const beginning = recording.at;
    const [first, second] = [terminal(recording), terminal(recording)];
    first((r) => r.user('llamas?').answer('about llamas'));
    second((r) => r.user('whales?').answer('about whales'));
    const place = recording.at;
    second((r) => r.user('wrong sharks?').answer('wrong sharks'));
    first((r) => r.user('lions?'));
    second((r) => r.user('more wrong sharks?'));
    first((r) => r.answer('about lions'));
    second((r) => r.answer('more wrong sharks'));
    recording.backTo(place).user('rays?').answer('about rays');
    const { store } = ingested(recording);
    expect(store.saidBy('user')).toEqual(['start', 'llamas?', 'whales?', 'lions?', 'rays?']);
    expect(store.saidBy('assistant').join()).toMatch(/about whales,about lions,about rays$/);
    expectSameInPieces(recording.text);
    recording.backTo(beginning).user('ants?').answer('about ants');
    expect(ingested(recording).store.saidBy('user')).toEqual(['start', 'ants?']);
    expectSameInPieces(recording.text);
  });

  it('are told apart in a branch of a branch, in whatever order these were found to go on', () => {
    const recording = start();
    const beginning = recording.at;
    const [first, second] = [terminal(recording), terminal(recording)];
    first((r) => r.user('llamas?'));
    second((r) => r.user('wrong whales?').backTo(beginning).user('whales?'));
    first((r) => r.answer('about llamas'));
    const third = terminal(recording);
    first((r) => r.user('lions?').answer('about lions'));
    second((r) => r.answer('about whales'));
    third((r) => r.user('tigers?'));
    first((r) => r.answer('more lions'));
    third((r) => r.answer('about tigers'));
    const { store } = ingested(recording);
    expect(store.text()).toContain('User: tigers?\n\nAssistant: about tigers');
    expectSameInPieces(recording.text);
  });

  it('are not seen in what comes late to a branch that was rewound', () => {
    const recording = start();
    const agent = (text: string) => ({
      type: 'progress',
      parentToolUseID: 't1',
      data: {
        type: 'agent_progress',
        agentId: 'p1',
        message: { type: 'assistant', message: { content: text } },
      },
    });
    const [first, second] = [terminal(recording), terminal(recording)];
    first((r) => r.user('wrong way').call('t1', 'Task', { description: 'look', prompt: 'Find it' }));
    second((r) => r.user('right way').answer('going right'));
    for (let i = 0; i < 200; i++) first((r) => r.record(agent(`looking ${i}`)));
    first((r) => r.result('t1', 'found').user('[Request interrupted by user]'));
    second((r) => r.user('further').answer('further right'));
    const { store } = ingested(recording);
    expect(store.saidBy('user')).toEqual(['start', 'right way', 'further']);
    expectSameInPieces(recording.text);
  });
});

describe('a history that the client writes again when it reopens a session', () => {
  const old = new Recording(sessionId(1))
    .user('start')
    .call('t1', 'Bash', { command: 'make' })
    .result('t1', 'made')
    .answer('done')
    .user('further')
    .answer('went further');
  const again = old.lines.map((line) =>
    line.replaceAll('00000001-', '0000000a-').replace('"0000000a-1111', '"00000001-1111'),
  );
  const later = new Recording(sessionId(1)).user('day two', { timestamp: '2026-03-02T10:00:00.000Z' });
  const text = [
    ...old.lines,
    ...again,
    ...later.answer('on', { timestamp: '2026-03-02T10:00:01.000Z' }).lines,
  ];
  const said = ['start', 'further', 'day two'];

  it('is left out, and what follows is not', () => {
    const recording = new Recording(sessionId(1));
    for (const line of text) recording.raw(line);
    const { store, report } = ingested(recording);
    expect([store.saidBy('user'), store.saidBy('assistant')]).toEqual([said, ['done', 'went further', 'on']]);
    expect(report.copiedRecords).toBe(old.lines.length);
  });

  it.each(text.map((_, line) => line + 1))('is known where the file ended after line %i before', (end) => {
    const path = join(temporaryFolder(), `${sessionId(1)}.jsonl`);
    const store = new TestStore();
    for (const lines of [text.slice(0, end), text]) {
      writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
      store.ingest(path);
    }
    expect(store.saidBy('user')).toEqual(said);
  });
});
