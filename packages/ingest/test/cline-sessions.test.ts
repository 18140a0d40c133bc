import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ingestTree } from '../src/index.js';
import { endsWithTurn } from '../src/clients/end-of-turn.js';
import { ClineSession } from './cline-session.js';
import { stored, TestStore } from './ingested.js';
import { temporaryFolder } from './recording.js';

const TILL = '/home/ada/shop/src/till.ts';

/** As the client says that one thing of a call was done, and that another failed. */
const done = (query: string, result: unknown) => ({ query, result, success: true });
const failed = (query: string, error: string, result = '') => ({ query, result, error, success: false });

/** What a tool of a server gave. */
const served = (text: string, isError = false): string =>
  JSON.stringify({ content: [{ type: 'text', text }], isError });

function worked(): ClineSession {
  return new ClineSession('1795541844877_gyaep')
    .prompt('open the till in @src/till.ts', [{ type: 'file', path: TILL, content: 'class Till {}' }])
    .answer('I look at it.', [
      ['c1', 'read_files', { files: [{ path: TILL, start_line: 2, end_line: 3 }, { path: '/none.ts' }] }],
      ['c2', 'run_commands', { commands: ['npm test', 'git commit -m "Open the drawer"'] }],
      ['c3', 'search_codebase', { queries: ['bell'] }],
      ['c4', 'fetch_web_content', { requests: [{ url: 'https://bells.example', prompt: 'Which ring?' }] }],
    ])
    .gave('c1', 'read_files', [
      done(`${TILL}:2-3`, ' 9 | open() {\n10 |   ring();'),
      failed('/none.ts', 'Error reading file: ENOENT'),
    ])
    .gave('c2', 'run_commands', [
      failed(
        'npm test',
        'Command exited with code 1',
        '[Command exited with code 1]\nout\n\n[stderr]\nstuck',
      ),
      done('git commit', '[main abc1234] Open the drawer'),
    ])
    .gave('c3', 'search_codebase', [done('bell', 'src/bell.ts:1')])
    .gave('c4', 'fetch_web_content', [done('https://bells.example', 'Brass ones.')])
    .message('assistant', [{ type: 'thinking', thinking: 'A till has a drawer.' }])
    .answer('', [
      ['c5', 'editor', { path: TILL, old_text: 'shut', new_text: 'open' }],
      ['c6', 'editor', { path: '/home/ada/shop/bell.ts', new_text: 'ring();' }],
      ['c7', 'editor', { path: '/home/ada/shop/lost.ts', old_text: 'a', new_text: 'b' }],
      ['c8', 'ask_question', { question: 'Which bell?', options: ['brass', 'tin'] }],
      ['c9', 'causantic__search', { query: 'bells' }],
      ['c10', 'read_files', { files: [{ path: '/home/ada/shop/bell.png' }] }],
    ])
    .gave('c5', 'editor', JSON.stringify(done(`edit:${TILL}`, 'Edited')))
    .gave('c6', 'editor', JSON.stringify(done('edit:bell.ts', 'File created')))
    .gave('c7', 'editor', JSON.stringify(failed('edit:lost.ts', 'text not found in lost.ts')))
    .gave('c8', 'ask_question', 'the brass one')
    .gave('c9', 'causantic__search', served('What memory holds of bells'))
    .answer('', [
      ['c11', 'foundry__cast', { metal: 'brass' }],
      ['c12', 'foundry__cast', { metal: 'tin' }],
    ])
    .gave('c11', 'foundry__cast', served('A bell of brass'))
    .gave('c12', 'foundry__cast', served('No more tin', true))
    .gave('c10', 'read_files', [
      done('bell.png', [
        { type: 'text', text: 'Successfully read image' },
        { type: 'image', data: 'iVBORw0KGgo=' },
      ]),
    ])
    .answer('It opens now.');
}

describe('a session of Cline', () => {
  it('has each word once, by who said it', () => {
    const store = stored(worked());
    expect(store.saidBy('user')).toEqual(['open the till in @src/till.ts', 'User answered: the brass one']);
    expect(store.saidBy('assistant')).toEqual(['I look at it.', 'It opens now.']);
    expect(store.chunks('thinking').map(({ text }) => text)).toEqual(['A till has a drawer.']);
    expect(store.text()).not.toMatch(/You are Cline|user_input|What memory holds|iVBOR/);
  });

  it('names its client, folder, branch and version', () => {
    const store = stored(worked());
    expect(store.contents()['sessions']).toMatchObject([
      {
        uuid: '1795541844877_gyaep',
        source: 'cline',
        project: '/home/ada/shop',
        git_branch: 'main',
        client_version: '3.0.65',
        title: null,
      },
    ]);
    expect(store.contents()['chunks']![0]).toMatchObject({ git_branch: 'main' });
  });

  it('has each thing that its calls asked for with what came of it', () => {
    const store = stored(worked());
    const text = store.text('dialogue');
    expect(text).toContain(`[Attachment] ${TILL}\n→ class Till {}`);
    expect(text).toContain(`[read_files] ${TILL} from line 2\n→ open() {\n  ring();`);
    expect(text).toContain('[read_files] /none.ts\n→ Error: Error reading file: ENOENT');
    expect(text).toContain('[run_commands] npm test\n→ Error: Exit code 1\nout\n\n[stderr]\nstuck');
    expect(text).toContain('[search_codebase] bell\n→ src/bell.ts:1');
    expect(text).toContain('[fetch_web_content] https://bells.example\nWhich ring?\n→ Brass ones.');
    expect(text).toContain(`[editor] ${TILL}\n- shut\n+ open`);
    expect(text).toContain('[editor] /home/ada/shop/bell.ts\n+ ring();');
    expect(text).toContain('- a\n+ b\n→ Error: text not found in lost.ts');
    expect(text).toContain('[ask_question] Which bell?\n- brass\n- tin\n→ User answered: the brass one');
    expect(text).toContain('→ Successfully read image\n[image]');
    expect(text).toContain('[foundry__cast] metal: brass\n→ A bell of brass');
    expect(text).toContain('[foundry__cast] metal: tin\n→ Error: No more tin');
    expect(store.facts()).toMatchObject([
      {
        request: 'open the till in @src/till.ts',
        filesTouched: [TILL, '/home/ada/shop/bell.ts'],
        commands: ['npm test', 'git commit -m "Open the drawer"'],
        commits: [{ subject: 'Open the drawer', hash: 'abc1234' }],
        errors: [
          { message: expect.stringContaining('ENOENT') },
          { message: expect.stringContaining('stuck') },
          { message: expect.stringContaining('not found') },
          { message: expect.stringContaining('No more tin') },
        ],
      },
    ]);
  });

  it('tells what a person typed from what the client wrote', () => {
    const rejected = {
      error: 'This tool call was rejected by the user and not executed. Clarify before proceeding.',
    };
    const notice = '<mode_notice>The user switched from act mode to plan mode.</mode_notice>\n';
    const store = stored(
      new ClineSession('s1')
        .prompt(`${notice}look at the bell`, [{ type: 'image', data: 'iVBORw0KGgo=' }], 'plan')
        .answer('', [['c1', 'run_commands', { commands: ['rm -r src', 'ls'] }]])
        .gave('c1', 'run_commands', JSON.stringify(rejected), { is_error: true })
        .message('user', [{ type: 'text', text: 'You repeat yourself.' }], {
          metadata: { kind: 'loop_detection_notice' },
        })
        .message('user', 'What was said so far.', { metadata: { kind: 'compaction_summary' } })
        .prompt('<user_command slash="greet">Say hello politely.</user_command> to <private>Bob</private>')
        .answer('Hello.'),
    );
    expect(store.saidBy('user')).toEqual(['look at the bell\n[image]', '/greet to [private]']);
    expect(store.text('compaction')).toBe('What was said so far.');
    for (const added of ['You repeat yourself.', 'Say hello politely.'])
      expect(store.text('meta')).toContain(added);
    expect(store.text('dialogue')).toContain(
      '[run_commands] rm -r src\n→ Error: This tool call was rejected',
    );
    expect(store.text()).not.toMatch(/switched|Bob/);
    expect(store.facts()[0]).not.toHaveProperty('errors');
  });

  it('has the title that somebody gave it', () => {
    const metadata = { title: 'The old till' };
    const store = stored(new ClineSession('s1', { metadata }).prompt('open the till').answer('It opens.'));
    expect(store.contents()['sessions']).toMatchObject([{ title: 'The old till' }]);
  });

  it('is read without what stands beside it', () => {
    const folder = temporaryFolder();
    rmSync(join(dirname(worked().writeTo(folder)), '1795541844877_gyaep.json'));
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    expect(store.contents()['sessions']).toMatchObject([
      { uuid: '1795541844877_gyaep', project: folder, git_branch: null },
    ]);
  });

  it('without a word is none, and other documents beside it are none', () => {
    const folder = temporaryFolder();
    const path = new ClineSession('s1').writeTo(folder);
    writeFileSync(join(dirname(path), 's1.compaction.json'), '{"version": 1, "messages": []}');
    writeFileSync(join(folder, 'chat.messages.json'), '{"messages": [{"role": "user", "content": "hello"}]}');
    writeFileSync(join(folder, 'some.messages.json'), '["messages"]');
    const store = new TestStore();
    expect(ingestTree(store.store, [folder])).toMatchObject({ sessions: 0, issues: [] });
  });

  it('read message by message has what it has when it is read at once', () => {
    const folder = temporaryFolder();
    const whole = worked().prompt('and now?').answer('Now it rings.');
    const store = new TestStore();
    const growing = new ClineSession(whole.id);
    let path = '';
    for (const message of whole.messages) {
      growing.messages.push(message);
      path = growing.writeTo(folder);
      store.ingest(path);
    }
    const atOnce = new TestStore();
    atOnce.ingest(path);
    expect(store.contents()).toEqual(atOnce.contents());
    expect(store.ingest(path).status).toBe('unchanged');
  });
});

describe('an agent of Cline', () => {
  const task = 'Find the bell.\nLook everywhere.';

  function withAgent(): ClineSession[] {
    return [
      new ClineSession('s1')
        .prompt('find the bell')
        .answer('I ask an agent.', [
          ['t1', 'spawn_agent', { systemPrompt: 'You find things.', task: `\n${task}` }],
        ])
        .gave('t1', 'spawn_agent', '{"text":"On the wall.","iterations":2,"finishReason":"completed"}')
        .answer('It is on the wall.'),
      new ClineSession('s1', {}, { mode: 'subagent', subagent: 'agent_1' })
        .message('user', [{ type: 'text', text: `\n${task}` }])
        .answer('On the wall.'),
    ];
  }

  it('has a stream of its own, and is known by its task', () => {
    const store = stored(...withAgent());
    expect(store.contents()['sessions']).toHaveLength(1);
    expect(store.contents()['agents']).toMatchObject([
      { key: 'agent_1', name: 'subagent', description: 'Find the bell.' },
    ]);
    const [own] = store.chunks().filter(({ agent }) => agent === 'agent_1');
    expect(own?.text).toBe(`Assignment: ${task}\n\nAssistant: On the wall.`);
    expect(store.saidBy('user')).toEqual(['find the bell']);
    expect(store.text('dialogue')).toContain(`[spawn_agent] ${task}\n→ On the wall.`);
    expect(store.edgeTypes()).toEqual(['brief']);
  });

  it('of a team has a name, and begins with what it said before where it goes on', () => {
    const lead = new ClineSession('s1')
      .prompt('find the bell')
      .answer('', [['t1', 'team_run_task', { agentId: 'ada', task, runMode: 'sync' }]])
      .gave('t1', 'team_run_task', '{"agentId":"ada","status":"running","text":"On the wall."}')
      .answer('', [['t2', 'team_run_task', { agentId: 'ada', task: 'Ring it.' }]])
      .gave('t2', 'team_run_task', '{"agentId":"ada","status":"running","text":"It rings."}');
    const run = (name: string): ClineSession =>
      new ClineSession('s1', {}, { mode: 'team', subagent: 'ada', run: name });
    const [first, second] = [run('teamtask__ada__b'), run('teamtask__ada__a')];
    first.message('user', task).answer('On the wall.');
    second.messages.push(...first.messages);
    second.message('user', 'Ring it.').answer('It rings.');
    const store = stored(lead, first, second);
    expect(store.contents()['agents']).toMatchObject([{ name: 'ada' }, { name: 'ada' }]);
    const own = store.chunks().filter(({ agent }) => agent !== null);
    expect(own.map(({ agent, text }) => [agent, text])).toEqual([
      ['teamtask__ada__a', 'Assignment: Ring it.\n\nAssistant: It rings.'],
      ['teamtask__ada__b', `Assignment: ${task}\n\nAssistant: On the wall.`],
    ]);
    expect(store.text('dialogue')).toContain(`[team_run_task] ada\n${task}\n→ On the wall.`);
    expect(store.edgeTypes()).toEqual(['brief', 'brief']);
  });
});

describe('the end of a turn of Cline', () => {
  it.each([
    ['an answer', true, worked()],
    ['a call', false, worked().answer('', [['c99', 'run_commands', { commands: ['ls'] }]])],
    ['a result', false, worked().gave('c99', 'run_commands', '"role": "assistant"')],
    ['a prompt', false, worked().prompt('and now?')],
  ] as const)('is %s: %s', (_, isEnd, session) => {
    const path = session.writeTo(temporaryFolder());
    expect(endsWithTurn({ path, source: 'cline' })).toBe(isEnd);
  });
});
