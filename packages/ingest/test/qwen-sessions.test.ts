import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ingestTree } from '../src/index.js';
import { endsWithTurn } from '../src/clients/end-of-turn.js';
import { every, expectSameInPieces, read, stored, TestStore } from './ingested.js';
import { QwenSession } from './qwen-session.js';
import { temporaryFolder } from './recording.js';

const TILL = '/home/ada/shop/src/till.ts';

function report(output: string, code: number): string {
  return `Command: npm test\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: ${code}\nSignal: (none)\nProcess Group PGID: (none)`;
}

function worked(): QwenSession {
  return new QwenSession('s1')
    .prompt('open the till')
    .answer(
      'I look at it.',
      [
        ['c1', 'read_file', { file_path: TILL, offset: 10 }],
        ['c2', 'run_shell_command', { command: 'npm test', description: 'Run the tests' }],
        ['c3', 'run_shell_command', { command: 'npm run lint' }],
      ],
      'A till has a drawer.',
    )
    .gave('c1', 'read_file', 'class Till {}')
    .failed('c2', 'run_shell_command', report('Error: the drawer is stuck', 1))
    .gave('c3', 'run_shell_command', report('2 problems', 2))
    .answer('', [
      ['c4', 'edit', { file_path: TILL, old_string: 'shut', new_string: 'open' }],
      ['c5', 'write_file', { file_path: '/home/ada/shop/bell.ts', content: 'ring();' }],
      ['c6', 'run_shell_command', { command: 'git commit -m "Open the drawer"' }],
      ['c7', 'mcp__causantic__search', { query: 'bells' }],
    ])
    .gave('c4', 'edit', 'Edited')
    .gave('c5', 'write_file', 'Written')
    .gave('c6', 'run_shell_command', report('[main abc1234] Open the drawer', 0))
    .gave('c7', 'mcp__causantic__search', 'What memory holds of bells')
    .answer('It opens now.')
    .system('unheard_of', { text: 'nobody knows' })
    .record('unheard_of', { message: { role: 'user', parts: [{ text: 'nobody knows' }] } });
}

describe('a session of Qwen Code', () => {
  it('has each word once, by who said it', () => {
    const store = stored(worked());
    expect(store.saidBy('user')).toEqual(['open the till']);
    expect(store.saidBy('assistant')).toEqual(['I look at it.', 'It opens now.']);
    expect(store.chunks('thinking').map(({ text }) => text)).toEqual(['A till has a drawer.']);
    expect(store.text()).not.toMatch(/nobody knows|promptCount|qwen-code/);
  });

  it('tells the file that is open in an editor as no word of the person', () => {
    const store = stored(
      new QwenSession('s1')
        .prompt('/home/ada/my shop/till.ts\nc:\\Users\\ada\\shop\\.till.local#3-9\n\nring the bell\n\ntwice')
        .answer('It rings.')
        .prompt('c:\\shop\\till.ts')
        .answer('What of it?'),
    );
    expect(store.saidBy('user')).toEqual(['ring the bell\n\ntwice', 'c:\\shop\\till.ts']);
    expect(store.chunks('meta').map(({ text }) => text)).toEqual([
      expect.stringContaining('.till.local#3-9'),
    ]);
  });

  it('tells a pasted picture as one, not by the file that the client keeps it in', () => {
    const folder = 'C:\\Users\\ada\\.qwen\\tmp\\clipboard';
    const id = '1712345678901-0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f';
    const store = stored(
      new QwenSession('s1')
        .prompt(`ring it\n\n@${folder}\\clipboard-${id}.png @docs/clipboard-notes.png`)
        .answer('It rings.'),
    );
    expect(store.saidBy('user')).toEqual(['ring it\n\n[image] @docs/clipboard-notes.png']);
  });

  it.each([
    '/review src/till.ts\n\nring the bell',
    'till.ts\n\nring the bell',
    'c:\\shop\\till.ts\nring the bell',
    '/home/ada/till.ts rings no bell\n\nwhy?',
    'c:\\shop\\till.ts or c:\\shop\\bell.ts\n\nwhich rings?',
    '/home/ada/till.ts and /home/ada/bell.ts\n\nwhich rings?',
  ])('but not what a person wrote above it: %j', (text) => {
    expect(stored(new QwenSession('s1').prompt(text).answer('It rings.')).saidBy('user')).toEqual([text]);
  });

  it('names its client, folder, branch, version and title', () => {
    const store = stored(worked().system('custom_title', { customTitle: 'Bells', titleSource: 'manual' }));
    expect(store.contents()['sessions']).toMatchObject([
      {
        uuid: 's1',
        source: 'qwen',
        project: '/home/ada/shop',
        git_branch: 'main',
        client_version: '0.24.4',
        title: 'Bells',
      },
    ]);
  });

  it('has its calls with what came of them', () => {
    const store = stored(worked());
    const text = store.text('dialogue');
    expect(text).toContain(`[read_file] ${TILL} from line 10\n→ class Till {}`);
    expect(text).toContain('# Run the tests\n→ Error: Exit code 1\nError: the drawer is stuck');
    expect(text).toContain('npm run lint\n→ Error: Exit code 2\n2 problems');
    expect(text).toContain(`[edit] ${TILL}\n- shut\n+ open`);
    expect(text).not.toMatch(/Process Group|What memory holds/);
    expect(store.facts()).toMatchObject([
      {
        filesTouched: [TILL, '/home/ada/shop/bell.ts'],
        commits: [{ subject: 'Open the drawer', hash: 'abc1234' }],
      },
    ]);
  });

  it('tells what a person typed from what the client put beside it', () => {
    const hook = { text: '<qwen:user-prompt-submit-context>\nbe kind\n</qwen:user-prompt-submit-context>' };
    const files = ['\n--- Content from referenced files ---', '\nContent from bell.md:\n', 'Of brass.\n'];
    const said = (text: string) => ({ provenance: 'system', message: { role: 'user', parts: [{ text }] } });
    const store = stored(
      new QwenSession('s1')
        .prompt('polish it', { systemPayload: { displayText: 'polish it', hookContext: 'be kind' } }, [hook])
        .answer('', [['c1', 'run_shell_command', { command: 'rm -r src' }]])
        .failed('c1', 'run_shell_command', '[Operation Cancelled] Reason: User did not allow', 'cancelled')
        .prompt('use the brass one', {
          subtype: 'mid_turn_user_message',
          systemPayload: { displayText: 'use the brass one' },
        })
        .answer('Brass it is.')
        .prompt(
          'look at @bell.md',
          {},
          [...files, '\n--- End of content ---'].map((text) => ({ text })),
        )
        .answer('I see.')
        .prompt('and this', {}, [{ inlineData: { mimeType: 'image/png', data: 'AA' } }, { text: 'be swift' }])
        .answer('I see that.')
        .command('/weave linen', true)
        .prompt('Weave a cloth called linen.')
        .answer('Woven.')
        .command('/clear')
        .record('user', said('The machine woke up.'))
        .prompt('<system-reminder>\n1 background agent was restored.\n</system-reminder>\n\n', {}, [
          { text: 'go on with it' },
        ])
        .prompt('now ring it')
        .system('ui_telemetry', {
          uiEvent: { 'event.name': 'qwen-code.api_error', error_message: 'No more requests today' },
        }),
    );
    expect(store.saidBy('user')).toEqual([
      'polish it',
      'use the brass one',
      'look at @bell.md',
      'and this\n[file]',
      '/weave linen',
      'go on with it',
      'now ring it',
    ]);
    expect(store.text('error')).toBe('No more requests today');
    for (const added of [
      'be kind',
      'Of brass.',
      'be swift',
      'called linen',
      '/clear',
      'woke up',
      'was restored',
    ])
      expect(store.text('meta')).toContain(added);
    expect(store.text().match(/be kind/g)).toHaveLength(1);
    expect(store.facts().flatMap(({ request }) => request ?? [])).toEqual([
      'polish it',
      'look at @bell.md',
      'and this [file]',
      '/weave linen',
      'go on with it',
      'now ring it',
    ]);
    expect(store.facts()[0]).not.toHaveProperty('errors');
  });

  it('has what the person answered as the person’s words', () => {
    const [answers, none] = [
      'User has provided the following answers:\n\n**Bell**: brass',
      'User declined to answer the questions.',
    ];
    const questions = [{ question: 'Which bell?', header: 'Bell', options: [{ label: 'brass' }] }];
    const store = stored(
      new QwenSession('s1')
        .prompt('ring')
        .answer('', [
          ['c1', 'ask_user_question', { questions }],
          ['c2', 'ask_user_question', { questions }],
        ])
        .gave('c1', 'ask_user_question', answers)
        .gave('c2', 'ask_user_question', none),
    );
    expect(store.saidBy('user')).toEqual(['ring', answers]);
  });

  it('keeps the summary of what the model no longer sees', () => {
    const told = '<state_snapshot>A till was opened.</state_snapshot>';
    const parts = [{ text: `${told}\n\nResume the prior task using the summary above. Do not greet.` }];
    const compressedHistory = [
      { role: 'user', parts },
      { role: 'user', parts: [{ text: 'open the till' }] },
    ];
    const store = stored(worked().system('chat_compression', { info: {}, compressedHistory }));
    expect(store.text('compaction')).toBe(told);
    expect(store.saidBy('user')).toEqual(['open the till']);
  });

  it('loses what the person took back', () => {
    const session = worked();
    const first = session.lines.length;
    session.prompt('paint it red').answer('Red.').prompt('and the bell').answer('Red, too.');
    session.rewindTo(first).prompt('paint it blue').answer('Blue.');
    const store = stored(session);
    expect(store.saidBy('user')).toEqual(['open the till', 'paint it blue']);
    const all = session.rewindTo(0).prompt('begin again').answer('Gladly.');
    expect(stored(all).saidBy('user')).toEqual(['begin again']);
  });

  it('has what was said behind a command whose prompt was kept back', () => {
    const later = new QwenSession('s1', 3).prompt('then sew').answer('Sewn.');
    const session = worked().command('/weave linen', true);
    session.lines.push(...later.lines);
    expect(stored(session).saidBy('user')).toEqual(['open the till', '/weave linen', 'then sew']);
  });

  it('of a version that does not tell which commands the model gets has what follows one at once as its prompt', () => {
    const session = worked();
    const at = (time: string): { timestamp: string } => ({ timestamp: `2026-07-01T10:${time}Z` });
    const told = (rawCommand: string, time: string): QwenSession =>
      session
        .system('slash_command', { phase: 'invocation', rawCommand }, at(`${time}.000`))
        .system('slash_command', { phase: 'result', rawCommand, outputHistoryItems: [] }, at(`${time}.080`));
    const linen = { message: { role: 'user', parts: [{ text: 'Weave a cloth:\n\n/weave linen, white' }] } };
    // The client writes one blank for two.
    told('/weave linen,  white', '00:00').record('user', { ...linen, ...at('00:00.130') });
    session.answer('Woven.');
    const silk = { message: { role: 'user', parts: [{ text: 'silk is for sale' }] } };
    told('/stats model', '01:00').record('user', { ...silk, ...at('01:02.500') });
    session.answer('I know.');
    told('/copy that', '02:00').record('user', { ...silk, ...at('02:00.120') });
    const store = stored(session);
    const said = ['open the till', '/weave linen,  white', '/stats model', 'silk is for sale'];
    expect(store.saidBy('user')).toEqual([...said, '/copy that', 'silk is for sale']);
    expect(store.facts().map(({ request }) => request)).toContain('/weave linen, white');
    expect(store.chunks('meta').map(({ text }) => text)).toContain('Weave a cloth:\n\n/weave linen, white');
    expectSameInPieces(session.text);
  });

  it('loses a command with what it had the model do', () => {
    const session = worked().command('/weave linen', true);
    const prompt = session.lines.length;
    session
      .prompt('Weave a cloth called linen.')
      .answer('Woven.')
      .rewindTo(prompt)
      .prompt('sew')
      .answer('Sewn.');
    expect(stored(session).saidBy('user')).toEqual(['open the till', 'sew']);
  });

  it('keeps what two terminals said behind the same record', () => {
    const session = worked();
    const other = session.fork('s1', 3);
    session.prompt('ring').answer('Rung.');
    other.lines = [];
    session.lines.push(...other.prompt('sing').answer('Sung.').lines);
    expect(stored(session).saidBy('user')).toEqual(['open the till', 'ring', 'sing']);
  });

  it('of a project that is left out stays out', () => {
    const folder = temporaryFolder();
    worked().writeTo(folder);
    new QwenSession('s2', 0, { cwd: '/home/ada/till' }).prompt('hello').answer('Hello.').writeTo(folder);
    const store = new TestStore();
    ingestTree(store.store, [folder], { exclude: { paths: ['**/shop'] } });
    expect(store.contents()['sessions']).toMatchObject([{ uuid: 's2' }]);
  });

  it('without a word is none', () => {
    const folder = temporaryFolder();
    new QwenSession('s1').command('/quit').writeTo(folder);
    expect(ingestTree(new TestStore().store, [folder])).toMatchObject({ sessions: 0, issues: [] });
  });

  it('has notes beside it that are called its own', () => {
    const folder = temporaryFolder();
    worked().writeTo(folder);
    const memory = join(folder, '-home-ada-shop', 'memory');
    mkdirSync(memory);
    writeFileSync(join(memory, 'MEMORY.md'), '# Bells\nBells are of brass.\n');
    expect(read(folder).contents()['sessions']).toContainEqual(
      expect.objectContaining({ title: 'Notes of Qwen Code', project: '/home/ada/shop' }),
    );
  });
});

it.each([
  ['has the agent go on with a goal', { provenance: 'goal_runtime', subtype: 'goal_runtime' }],
  ['brings from another agent', { provenance: 'external_agent', subtype: 'agent_message' }],
  [
    'asks on a schedule',
    { provenance: undefined, subtype: 'cron', systemPayload: { displayText: 'Go on.' } },
  ],
])('what Qwen Code %s is none of the person’s words', (_, marks) => {
  const store = stored(worked().prompt('Go on with the bell.', marks).answer('It rings.'));
  expect(store.saidBy('user')).toEqual(['open the till']);
  expect(store.text('meta')).toContain('Go on');
});

describe('an agent of Qwen Code', () => {
  it('has a stream of its own, and tells what it found', () => {
    const folder = temporaryFolder();
    const key = 'explore-t1';
    const task = { subagent_type: 'explore', description: 'Find the bell', prompt: 'Where is it?' };
    const notice = `<task-notification>\n<task-id>${key}</task-id>\n<tool-use-id>t1</tool-use-id>\n<summary>Agent "Find the bell" completed.</summary>\n<result>On the wall. <summary>It rings.</summary></result>\n</task-notification>`;
    new QwenSession('s1')
      .prompt('find the bell')
      .answer('I ask an agent.', [['t1', 'agent', task]])
      .gave(
        't1',
        'agent',
        'Background agent launched successfully.\ntask_id: x (internal ID)\nDo not read it.',
      )
      .answer('It looks.')
      .record('user', {
        provenance: 'system',
        subtype: 'notification',
        message: { role: 'user', parts: [{ text: notice }] },
      })
      .answer('It is there.')
      .writeTo(folder);
    const path = join(folder, '-home-ada-shop', 'subagents', 's1', `agent-${key}.jsonl`);
    new QwenSession('s1', 1, { agentId: key, agentName: 'explore', isSidechain: true })
      .prompt('Where is it?', { provenance: undefined })
      .answer('On the wall.')
      .writeAs(path);
    const meta = { agentId: key, agentType: 'explore', description: 'Find the bell', toolUseId: 't1' };
    writeFileSync(path.replace(/jsonl$/, 'meta.json'), JSON.stringify(meta));
    const store = read(folder);
    expect(store.text()).not.toContain('Do not read it');
    expect(store.contents()['agents']).toMatchObject([
      { key, name: 'explore', description: 'Find the bell', tool_use_id: 't1' },
    ]);
    const [own] = store.chunks().filter(({ agent }) => agent === key);
    expect(own?.text).toBe('Assignment: Where is it?\n\nAssistant: On the wall.');
    expect(store.saidBy('user')).toEqual(['find the bell']);
    expect(store.text('dialogue')).toContain(
      'explore (Agent "Find the bell" completed.) → main: On the wall. <summary>',
    );
    expect(store.edgeTypes()).toContain('brief');
  });
});

describe('a fork of a session of Qwen Code', () => {
  it('has what it went on with, whichever is read first', () => {
    const original = worked();
    const fork = original.fork('s0', 5).prompt('and the rope?').answer('Beside it.');
    original.prompt('thanks').answer(`You are ${'very '.repeat(500)}welcome.`);
    const store = stored(original, fork);
    expect(store.saidBy('user')).toEqual(['and the rope?', 'open the till', 'thanks']);
    expect(store.contents()['sessions']).toMatchObject([
      { uuid: 's0', continues_uuid: 's1' },
      { uuid: 's1', continues_uuid: null },
    ]);

    const folder = temporaryFolder();
    const other = new TestStore();
    fork.writeTo(folder);
    ingestTree(other.store, [folder]);
    original.writeTo(folder);
    ingestTree(other.store, [folder]);
    expect(other.saidBy('user').toSorted()).toEqual(store.saidBy('user').toSorted());
  });
});

describe('a session of Qwen Code that is read while it grows', () => {
  it('is as if read at once', () => {
    const session = worked().prompt('meanwhile').answer('Naïve façade 🚪.');
    const back = session.lines.length;
    session.command('/weave linen', true).prompt('Weave linen.').answer('Woven.');
    session.prompt('paint').answer('Painted.').rewindTo(back).prompt('stop').answer('Done.');
    for (const step of [97, 331, Math.ceil(session.text.length / 10)])
      expectSameInPieces(session.text, every(step));
    expect(JSON.stringify(stored(session).contents())).not.toContain('Painted');
  });

  it('is Qwen Code’s, though its first record alone might be another client’s', () => {
    const session = new QwenSession('s1').record('system', { subtype: 'new' });
    const folder = temporaryFolder();
    const store = new TestStore();
    store.ingest(session.writeTo(folder));
    store.ingest(session.prompt('ring').answer('Ding.').writeTo(folder));
    expect(store.contents()['sessions']).toMatchObject([{ source: 'qwen' }]);
  });

  it('is at work until it has answered', () => {
    const folder = temporaryFolder();
    const isOver = (more: QwenSession): boolean =>
      endsWithTurn({ path: more.writeTo(folder), source: 'qwen' });
    const asked = new QwenSession('s1').prompt('ring');
    expect(isOver(asked)).toBe(false);
    expect(isOver(asked.answer('I ring.', [['c1', 'run_shell_command', { command: 'ring' }]]))).toBe(false);
    expect(isOver(asked.gave('c1', 'run_shell_command', 'rang'))).toBe(false);
    expect(isOver(asked.answer('It rang.').command('/quit'))).toBe(true);
    expect(isOver(asked.prompt('again'))).toBe(false);
  });
});

describe('damage in a session of Qwen Code', () => {
  it('is known by its other records where the first is of a form that nobody has seen', () => {
    const session = new QwenSession('s1').record('system', { subtype: 'new' }).prompt('ring').answer('Ding.');
    expect(stored(session).contents()['sessions']).toMatchObject([{ source: 'qwen' }]);
    expect(stored(session).saidBy('assistant')).toEqual(['Ding.']);
  });

  it('costs the damaged lines only', () => {
    const session = worked();
    session.lines.splice(3, 0, '{"type":"user","message":{"parts":[{"text":"half', '\u0000\u0000', '[1]');
    for (const message of [null, 7, 'text', [], { parts: 7 }, { parts: [7, null, { functionCall: 7 }] }])
      for (const type of ['user', 'assistant', 'tool_result', 'system'])
        session.record(type, { message, systemPayload: message, toolCallResult: message });
    for (const subtype of ['slash_command', 'chat_compression', 'rewind', 'ui_telemetry', 'custom_title'])
      session.record('system', { subtype, systemPayload: { compressedHistory: 7, rawCommand: {} } });
    session.prompt('still there?').answer('Still here.');
    const folder = temporaryFolder();
    session.writeTo(folder);
    const store = new TestStore();
    const { issues } = ingestTree(store.store, [folder]);
    expect(issues.map(({ line, code }) => [line, code])).toEqual([
      [4, 'invalid-json'],
      [5, 'invalid-json'],
      [6, 'not-an-object'],
    ]);
    expect(store.saidBy('user')).toEqual(['open the till', 'still there?']);
  });

  it('leaves no secret', () => {
    const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
    const store = stored(
      new QwenSession('s1')
        .prompt(`use ${secret}`, { systemPayload: { hookContext: secret } })
        .answer(secret, [['c1', 'run_shell_command', { command: `curl -H ${secret}` }]], secret)
        .gave('c1', 'run_shell_command', secret)
        .command(`/login ${secret}`, true)
        .system('chat_compression', { compressedHistory: [{ parts: [{ text: secret }] }] })
        .prompt('next'),
    );
    expect(JSON.stringify(store.contents())).not.toContain(secret.slice(4));
    const { state } = store.store.transcripts.checkpoint(store.transcriptPaths()[0]!)!;
    expect(state).not.toContain(secret.slice(4));
  });
});
