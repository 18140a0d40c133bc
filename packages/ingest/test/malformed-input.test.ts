import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { greatest, least } from '../src/times.js';
import { exclusionBySettings, ingestTree } from '../src/index.js';
import { ingested, sessionId, TestStore } from './ingested.js';
import { Recording, temporaryFolder } from './recording.js';
import { Rollout, threadId } from './rollout.js';

const recording = (): Recording => new Recording(sessionId(1));

describe('bad input never costs a good record', () => {
  it.skipIf(process.platform === 'win32')(
    'a folder that may be listed but not entered costs itself only',
    () => {
      const folder = temporaryFolder();
      const locked = join(folder, 'locked');
      mkdirSync(locked);
      new Recording(sessionId(1)).user('sew a sail').writeTo(join(folder, `${sessionId(1)}.jsonl`));
      const path = new Recording(sessionId(2))
        .user('mend a net')
        .writeTo(join(locked, `${sessionId(2)}.jsonl`));
      chmodSync(folder, 0o755);
      chmodSync(locked, 0o644);
      const { store } = new TestStore();
      const isRoot = process.getuid?.() === 0;
      // Root may enter any.
      if (isRoot) process.seteuid!(65_534);
      try {
        const { issues, turns } = ingestTree(store, [folder]);
        expect(turns).toBe(1);
        expect(issues).toMatchObject([{ file: path, code: 'unreadable' }]);
      } finally {
        if (isRoot) process.seteuid!(0);
        chmodSync(locked, 0o755);
      }
    },
  );

  it.each([
    ['zeros, as after a loss of power', `${'\0'.repeat(5000)}\n`],
    ['another format', 'a,b\n1,2\n'],
  ])('a transcript of %s is told and costs itself only', (_, content) => {
    const folder = temporaryFolder();
    const path = join(folder, `${sessionId(1)}.jsonl`);
    writeFileSync(path, content);
    new Recording(sessionId(2)).user('mend a net').writeTo(join(folder, `${sessionId(2)}.jsonl`));
    const { issues, turns } = ingestTree(new TestStore().store, [folder]);
    expect(turns).toBe(1);
    expect(issues).toMatchObject([{ file: path, code: 'unreadable' }]);
    expect(issues[0]!.message).toBe('none of its lines can be read: the line is not valid JSON');
  });

  it.each([
    ['is empty', ''],
    ['is only begun', '{"type":"us'],
    ['is of another program', '{"a":1}\n'],
  ])('a file that %s is no fault', (_, content) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, `${sessionId(1)}.jsonl`), content);
    expect(ingestTree(new TestStore().store, [folder]).issues).toEqual([]);
  });

  it('a transcript that is deleted while it is looked into costs itself only', () => {
    const folder = temporaryFolder();
    const path = join(folder, `${sessionId(1)}.jsonl`);
    new Recording(sessionId(1)).user('sew a sail').writeTo(path);
    new Recording(sessionId(2)).user('mend a net').writeTo(join(folder, `${sessionId(2)}.jsonl`));
    const ofSession = (): string[] => {
      rmSync(path, { force: true });
      return [];
    };
    const { issues, turns } = ingestTree(new TestStore().store, [folder], { exclude: { ofSession } });
    expect(turns).toBe(1);
    expect(issues).toMatchObject([
      { file: path, code: 'failed', message: expect.stringContaining('ENOENT') },
    ]);
  });

  it('settings of a project that cannot be read cost its sessions only', () => {
    const [folder, broken] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(broken, 'causantic.config.json'), '{"ingest":{"excludePath":["**"]}}');
    const path = new Recording(sessionId(1), { cwd: broken })
      .user('sew a sail')
      .writeTo(join(folder, `${sessionId(1)}.jsonl`));
    new Recording(sessionId(2)).user('mend a net').writeTo(join(folder, `${sessionId(2)}.jsonl`));
    const store = new TestStore();
    const { issues } = ingestTree(store.store, [folder], { exclude: exclusionBySettings(folder, []) });
    expect(store.saidBy('user')).toEqual(['mend a net']);
    expect(issues).toMatchObject([{ file: path, code: 'failed' }]);
    expect(issues[0]!.message).toContain('ingest.excludePath');
  });

  const lines: [what: string, line: string, code: string | null][] = [
    ['a null line', 'null', 'not-an-object'],
    ['an array', '[1,2]', 'not-an-object'],
    ['a number', '7', 'not-an-object'],
    ['broken JSON', '{"type":"user",', 'invalid-json'],
    ['a blank line', '   ', null],
    ['a record without content', '{"type":"user","message":{}}', 'no-content'],
    ['a record without message', '{"type":"assistant"}', 'no-content'],
    ['a message that is a number', '{"type":"user","message":5}', 'no-content'],
    ['a content that is a number', '{"type":"user","message":{"content":5}}', null],
    ['null blocks', '{"type":"user","message":{"content":[null,1]}}', 'bad-block'],
    [
      'a block whose type is an object',
      '{"type":"assistant","message":{"content":[{"type":"text","text":"half"},{"type":{"toString":0}}]}}',
      'unreadable-record',
    ],
    ['a notice of the client', '{"type":"system","subtype":"informational","content":"It rains"}', null],
    ['an unknown type', '{"type":"telepathy","message":{"content":"hello"}}', null],
    ['no type', '{}', null],
    ['a progress record without data', '{"type":"progress"}', null],
    ['an attachment without content', '{"type":"attachment","attachment":null}', null],
  ];
  it.each(lines)('%s', (_what, line, code) => {
    const { store, report } = ingested(
      recording().user('where is the till').raw(line).answer('in the cellar'),
    );
    expect(store.saidBy('user')).toEqual(['where is the till']);
    expect(store.saidBy('assistant')).toEqual(['in the cellar']);
    expect(report.issues.map((issue) => [issue.line, issue.code])).toEqual(code === null ? [] : [[2, code]]);
  });

  it('reads a whole record that was appended to a half-written one', () => {
    const whole = recording().user('ask').answer('answer').lines;
    const { store, report } = ingested(
      recording()
        .raw(whole[0]!)
        .raw(whole[1]!.slice(0, 40) + whole[1]!),
    );
    expect(store.saidBy('assistant')).toEqual(['answer']);
    expect(report.issues).toMatchObject([{ line: 2, code: 'invalid-json' }]);
  });

  it('takes a tool result without content and a tool call without input', () => {
    const { store, report } = ingested(
      recording().user('go').call('t1', 'Bash', undefined).result('t1', undefined).answer('done'),
    );
    expect(store.text()).toContain('[Bash]');
    expect(store.saidBy('assistant')).toEqual(['done']);
    expect(report.issues).toMatchObject([{ line: 2, code: 'no-input' }]);
  });

  it('takes records without timestamps, also the first one', () => {
    const { store } = ingested(
      recording().user('no time', { timestamp: undefined }).answer('here', { timestamp: 'yesterday-ish' }),
    );
    expect(store.saidBy('user')).toEqual(['no time']);
    expect(store.contents()['turns']).toMatchObject([{ start_time: null }]);
  });

  it('reads past a byte order mark, with Windows line ends and without a last line break', () => {
    const { lines } = recording().user('first').answer('second');
    const { store, report } = ingested(recording().raw(`\uFEFF${lines[0]}\r`).raw(`${lines[1]}\r`));
    expect(report.issues).toEqual([]);
    expect(store.saidBy('user')).toEqual(['first']);
    expect(store.saidBy('assistant')).toEqual(['second']);
  });

  it('takes a field of which no text can be made for one that is missing', () => {
    const noText = { toString: 7 };
    const { store, report } = ingested(
      recording()
        .raw(JSON.stringify({ type: noText, uuid: 'a' }))
        .raw(JSON.stringify({ type: noText, payload: {} }))
        .user('where is the till')
        .call('t', 'TaskUpdate', { taskId: noText, status: 'completed', subject: 'Find it' })
        .answer('in the cellar'),
    );
    expect(report.issues).toEqual([]);
    expect(store.saidBy('user')).toEqual(['where is the till']);
    expect(store.saidBy('assistant')).toEqual(['in the cellar']);
    expect(store.facts()).toMatchObject([{ tasks: [{ text: 'Find it', status: 'completed' }] }]);
  });

  it('does not quote a broken line', () => {
    const { report } = ingested(recording().user('go').raw('{"type": my-secret-value}'));
    expect(report.issues).toMatchObject([{ line: 2, code: 'invalid-json' }]);
    expect(JSON.stringify(report.issues)).not.toContain('secret');
  });

  it.each([
    [
      'a command',
      (text: string) => recording().call('t', 'Bash', { command: text }).result('t', 'ok'),
      'git ',
    ],
    ['a result', (text: string) => recording().call('t', 'Bash', {}).result('t', text), '<system-reminder>'],
    ['a prompt', (text: string) => recording().user(`so ${text}`), '<system-reminder>'],
    ['a message', (text: string) => recording().user(text), '\n '],
  ])('reads %s that says the same thousands of times', (_what, said, text) => {
    const { report } = ingested(said(text.repeat(200_000)).answer('done'));
    expect(report).toMatchObject({ status: 'ingested', issues: [] });
  });

  it('reads a turn of more pieces than a function takes arguments', () => {
    const times = Array.from({ length: 300_000 }, (_, index) => (index === 7 ? null : index));
    expect([least(times), greatest(times), least([null]), greatest([])]).toEqual([0, 299_999, null, null]);
  });

  it('survives absurd nesting', () => {
    const nested = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const line = `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"deep","input":{"a":${nested}}}]}}`;
    const { store } = ingested(recording().user('before').raw(line).answer('after'));
    expect(store.saidBy('assistant')).toEqual(['after']);
    expect(store.text()).toContain('[deep]');
  });

  it('a call whose arguments are nested too deep costs itself only, and says so', () => {
    const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const rollout = new Rollout(threadId(1))
      .prompt('where is the till')
      .item({ type: 'function_call', call_id: 'c', name: 'shell', arguments: `{"command":${nested}}` })
      .answer('in the cellar');
    const store = new TestStore();
    const { issues } = store.ingest(rollout.writeTo(join(temporaryFolder(), 'rollout.jsonl')));
    expect(store.saidBy('user')).toEqual(['where is the till']);
    expect(store.saidBy('assistant')).toEqual(['in the cellar']);
    expect(issues).toMatchObject([
      { line: 6, code: 'unreadable-record', message: 'it is nested too deep, or too long' },
    ]);
  });

  it('does not take a file of other JSON for a transcript', () => {
    const { report, store } = ingested(recording().raw('{"a":1}').raw('{"commit":"x","subject":"y"}'));
    expect(report.status).toBe('no-transcript');
    expect(store.chunks()).toEqual([]);
  });
});

it.skipIf(process.platform === 'win32')('does not wait for a pipe that nobody writes to', () => {
  const folder = temporaryFolder();
  recording()
    .user('where is the till')
    .writeTo(join(folder, `${sessionId(1)}.jsonl`));
  execFileSync('mkfifo', [join(folder, 'pipe.jsonl')]);
  const { store } = new TestStore();
  const { issues, sessions } = ingestTree(store, [folder]);
  expect(sessions).toBe(1);
  expect(issues.map(({ file, message }) => [basename(file), message])).toEqual([
    ['pipe.jsonl', 'neither a file nor a folder'],
  ]);
});
