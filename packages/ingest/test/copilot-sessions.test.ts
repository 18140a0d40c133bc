import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ingestTree } from '../src/index.js';
import { endsWithTurn } from '../src/clients/end-of-turn.js';
import { CopilotSession } from './copilot-session.js';
import { every, expectSameInPieces, stored, TestStore } from './ingested.js';
import { temporaryFolder } from './recording.js';

const TILL = '/home/ada/shop/src/till.ts';

const PATCH = `*** Begin Patch\n*** Add File: docs/till.md\n+# The till\n*** End Patch\n`;

function worked(): CopilotSession {
  return new CopilotSession('s1')
    .event('hook.start', { hookType: 'userPromptSubmitted', input: { prompt: 'open the till' } })
    .prompt('open the till')
    .event('session.usage_record', { usage: { model: 'm' } })
    .event('assistant.message', { content: '', reasoningText: 'A till has a drawer.', toolRequests: [] })
    .answer('I look at it.', [
      ['c1', 'view', { path: TILL, view_range: [10, 20] }],
      ['c2', 'bash', { command: 'npm test', description: 'Run the tests' }],
    ])
    .gave('c2', 'Error: the drawer is stuck\n<shellId: 0 completed with exit code 1>')
    .gave(
      'c1',
      'Output too large to read at once (27 KB). Saved to: /tmp/o.txt\nConsider using tools like grep.\n\nPreview (first 500 chars):\nclass Till {}',
    )
    .answer('', [
      ['c3', 'edit', { path: TILL, old_str: 'shut', new_str: 'open' }],
      ['c4', 'create', { path: '/home/ada/shop/bell.ts', file_text: 'ring();' }],
      ['c5', 'apply_patch', PATCH],
      ['c6', 'edit', { path: '/home/ada/shop/none.ts', old_str: 'a', new_str: 'b' }],
    ])
    .gave('c3', 'File updated with changes.')
    .gave('c4', 'Created file')
    .gave('c5', 'Added 1 file(s)')
    .failed('c6', 'Path does not exist')
    .answer('', [
      ['c7', 'bash', { command: 'git commit -m "Open the drawer"' }],
      ['c8', 'ask_user', { question: 'Which bell?', choices: ['brass', 'tin'] }],
      ['c9', 'causantic-search', { query: 'bells' }],
    ])
    .gave('c7', '[main abc1234] Open the drawer\n<exited with exit code 0>')
    .gave('c8', 'User responded: brass')
    .gave('c9', 'What memory holds of bells')
    .answer('', [
      ['c10', 'report_intent', { intent: 'Looking for the bell' }],
      ['c11', 'rg', { pattern: 'ring', paths: ['src'] }],
      ['c12', 'glob', { pattern: '*.md', paths: ['docs', 'src'] }],
      ['c13', 'task_complete', { summary: `The till opens. ${'It rings. '.repeat(200)}At last.` }],
    ])
    .gave('c10', 'Intent logged')
    .gave('c11', 'src/bell.ts')
    .gave('c12', 'docs/bell.md')
    .gave('c13', 'The till opens.')
    .event('skill.invoked', { name: 'greet', content: 'Say hello politely.' })
    .answer('It opens now.')
    .event('session.unheard_of', { content: 'nobody knows' })
    .event('session.shutdown', { shutdownType: 'routine', codeChanges: { filesModified: [TILL] } });
}

describe('a session of Copilot CLI', () => {
  it('has each word once, by who said it', () => {
    const store = stored(worked());
    expect(store.saidBy('user')).toEqual(['open the till', 'User responded: brass']);
    expect(store.saidBy('assistant')).toEqual(['I look at it.', 'It opens now.']);
    expect(store.chunks('thinking').map(({ text }) => text)).toEqual(['A till has a drawer.']);
    expect(store.text()).not.toMatch(/be kind|You are the|hello politely|nobody knows|usage/);
  });

  it('names its client, folder, branch and version', () => {
    const store = stored(worked());
    const [session] = store.contents()['sessions']!;
    expect(session).toMatchObject({
      uuid: 's1',
      source: 'copilot',
      project: '/home/ada/shop',
      git_branch: 'main',
      client_version: '1.0.102',
    });
  });

  it('has its calls with what came of them', () => {
    const store = stored(worked());
    const text = store.text('dialogue');
    expect(text).toContain(`[view] ${TILL} from line 10\n→ class Till {}`);
    expect(text).toContain(
      '[bash] npm test\n# Run the tests\n→ Error: Exit code 1\nError: the drawer is stuck',
    );
    expect(text).toContain(`[edit] ${TILL}\n- shut\n+ open`);
    expect(text).toContain('docs/till.md (new)\n+ # The till');
    expect(text).toContain('[ask_user] Which bell?\n- brass\n- tin\n→ User responded: brass');
    expect(text).toContain('[report_intent] Looking for the bell\n\n[rg] ring in src\n→ src/bell.ts');
    expect(text).toContain('[glob] *.md in ["docs","src"]\n→ docs/bell.md');
    expect(text.match(/It rings\./g)).toHaveLength(200);
    expect(text).not.toMatch(/exit code 0|too large|completed with|What memory holds/);
    expect(store.facts()).toMatchObject([
      {
        request: 'open the till',
        filesTouched: [TILL, '/home/ada/shop/bell.ts', 'docs/till.md'],
        commands: ['npm test', 'git commit -m "Open the drawer"'],
        commits: [{ subject: 'Open the drawer', hash: 'abc1234' }],
        errors: [{ message: 'Error: the drawer is stuck' }, { message: 'Path does not exist' }],
      },
    ]);
  });

  it('knows that a command failed which Windows ended with a number below zero', () => {
    const ended = 'stuck\n<exited with exit code -1073741510>';
    const store = stored(
      new CopilotSession('s1')
        .event('tool.user_requested', { toolCallId: 'u1', arguments: { command: 'ring' } })
        .event('tool.execution_complete', {
          toolCallId: 'u1',
          isUserRequested: true,
          success: true,
          result: { content: ended },
        })
        .prompt('why?')
        .answer('', [['c1', 'powershell', { command: 'Show-Bell' }]])
        .gave('c1', '<exited with exit code -1>'),
    );
    expect(store.text('dialogue')).toContain('! ring\n→ Error: Exit code -1073741510\nstuck');
    expect(store.facts()[1]).not.toHaveProperty('errors');
  });

  it('tells what a person typed from what the client had the agent do', () => {
    const store = stored(
      new CopilotSession('s1')
        .prompt('look at @bell.png', {
          attachments: [{ type: 'file', path: 'bell.png', mimeType: 'image/png' }],
        })
        .answer('', [['c1', 'bash', { command: 'rm -r src' }]])
        .failed('c1', 'The user rejected this tool call. User feedback: keep it', 'denied')
        .event('user.message', { content: 'use the brass one', delivery: 'steering' })
        .answer('Brass it is.')
        .event('user.message', { content: '', transformedContent: 'Go on.', source: 'autopilot' })
        .event('user.message', { content: '<skill-context>Bells</skill-context>', source: 'skill-bells' })
        .event('system.notification', {
          content: '<system_notification>\nShell done.\n</system_notification>',
        })
        .event('hook.end', {
          hookType: 'agentStop',
          success: true,
          output: { decision: 'block', reason: 'polish it' },
        })
        .prompt('polish it', { delivery: 'queued' })
        .answer('Polished.')
        .event('tool.user_requested', {
          toolCallId: 'u1',
          toolName: 'local_shell',
          arguments: { command: 'ls bells' },
        })
        .event('tool.execution_complete', {
          toolCallId: 'u1',
          isUserRequested: true,
          success: true,
          result: { content: 'brass.txt' },
        })
        .prompt('now ring it')
        .event('session.error', { errorType: 'quota', message: 'No more requests today' })
        .event('abort', { reason: 'user_initiated' }),
    );
    expect(store.saidBy('user')).toEqual([
      '[image]\nlook at @bell.png',
      'keep it',
      'use the brass one',
      '! ls bells',
      'now ring it',
    ]);
    expect(store.text('error')).toBe('No more requests today');
    for (const added of ['Bells', 'Shell done.', 'polish it', '[aborted]'])
      expect(store.text('meta')).toContain(added);
    expect(store.text('dialogue')).toContain('User: ! ls bells\n→ brass.txt');
    expect(store.text()).not.toContain('Go on.');
    expect(store.facts().map(({ request }) => request)).toEqual([
      '[image] look at @bell.png',
      '! ls bells',
      'now ring it',
    ]);
    expect(store.text('dialogue')).toContain('→ Error: The user rejected this tool call.');
    expect(store.facts()[0]).not.toHaveProperty('errors');
  });

  it.each(['User responded: brass', 'User selected: brass'])(
    'has what the person answered as the person’s words: %s',
    (result) => {
      const store = stored(
        new CopilotSession('s1')
          .prompt('ring')
          .answer('', [['c1', 'ask_user', { question: 'Which bell?', choices: ['brass', 'tin'] }]])
          .gave('c1', result)
          .answer('', [['c2', 'view', { path: TILL }]])
          .gave('c2', 'User selected: nothing'),
      );
      expect(store.saidBy('user')).toEqual(['ring', result]);
    },
  );

  it('goes on where it was resumed, in another folder and on another branch', () => {
    const store = stored(
      worked()
        .event('session.resume', { eventCount: 9, context: { cwd: '/home/ada/till', branch: 'bells' } })
        .prompt('and now?')
        .answer('Now it rings.'),
    );
    expect(store.contents()['sessions']).toMatchObject([{ project: '/home/ada/shop', git_branch: 'main' }]);
    expect(store.contents()['chunks']!.at(-1)).toMatchObject({ git_branch: 'bells' });
  });

  it('goes on on the branch that it changes to', () => {
    const store = stored(
      worked()
        .event('session.context_changed', { cwd: '/home/ada/till', branch: 'bells' })
        .prompt('and now?')
        .answer('Now it rings.'),
    );
    expect(store.contents()['sessions']).toMatchObject([{ project: '/home/ada/shop', git_branch: 'main' }]);
    expect(store.contents()['chunks']!.at(-1)).toMatchObject({ git_branch: 'bells' });
  });

  it('keeps the summary of what the model no longer sees', () => {
    const store = stored(
      worked()
        .event('session.compaction_start', {})
        .event('model.messages_snapshot', { messages: [{ role: 'user', content: 'open the till' }] })
        .event('session.compaction_complete', { success: true, summaryContent: 'A till was opened.' })
        .event('session.compaction_complete', { success: false, error: 'no' }),
    );
    expect(store.text('compaction')).toBe('A till was opened.');
    expect(store.saidBy('user')).toEqual(['open the till', 'User responded: brass']);
  });

  it('of an early version has no word of the client’s, and the folder that the model was told', () => {
    const session = new CopilotSession('s1', 0, { cwd: undefined })
      .event('user.message', {
        content: 'open the till\n\n<current_datetime>2025-12-02T08:26:25.627Z</current_datetime>',
        attachments: [],
      })
      .event('system.message', {
        content: 'You are a terminal assistant.\n* Current working directory: /home/ada/shop\n* Linux',
      })
      .answer('', [
        ['c1', 'str_replace_editor', { command: 'view', path: TILL }],
        [
          'c2',
          'str_replace_editor',
          { command: 'str_replace', path: TILL, old_str: 'shut', new_str: 'open' },
        ],
      ])
      .gave('c1', 'class Till {}')
      .gave('c2', 'Edited.')
      .answer('What is <current_datetime>now</current_datetime>?');
    const store = stored(session);
    expect(store.saidBy('user')).toEqual(['open the till']);
    expect(store.text('dialogue')).toContain(`[view] ${TILL}\n→ class Till {}`);
    expect(store.text('dialogue')).toContain(`[edit] ${TILL}\n- shut\n+ open`);
    expect(store.contents()['sessions']).toMatchObject([{ project: '/home/ada/shop' }]);
    expect(store.facts()).toMatchObject([{ filesTouched: [TILL] }]);
  });

  it('is found in the older layout, too', () => {
    const folder = temporaryFolder();
    const session = new CopilotSession('s1', 0, { cwd: undefined }).prompt('hello').answer('Hello.');
    renameSync(session.writeTo(folder), join(folder, 's1.jsonl'));
    const other = new CopilotSession('s2').prompt('hello again').answer('Hello again.');
    other.lines.shift();
    other.writeTo(folder);
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    expect(store.contents()['sessions']).toMatchObject([
      { uuid: 's1', project: folder },
      { uuid: 's2', project: folder },
    ]);
  });

  it('of a project that is left out stays out', () => {
    const folder = temporaryFolder();
    worked().writeTo(folder);
    new CopilotSession('s2', 0, { cwd: '/home/ada/till' }).prompt('hello').answer('Hello.').writeTo(folder);
    const store = new TestStore();
    ingestTree(store.store, [folder], { exclude: { paths: ['**/shop'] } });
    expect(store.contents()['sessions']).toMatchObject([{ uuid: 's2' }]);
  });

  it('without a word is none', () => {
    const folder = temporaryFolder();
    new CopilotSession('s1').event('session.model_change', {}).writeTo(folder);
    const store = new TestStore();
    expect(ingestTree(store.store, [folder])).toMatchObject({ sessions: 0, issues: [] });
  });
});

const AGENT = { agentId: 'a1' };

/** @param more what marks an agent's events, which before 1.0.45 had no mark of their own */
function withAgent(more: Record<string, unknown>): CopilotSession {
  const task = {
    agent_type: 'explore',
    name: 'find-bell',
    description: 'Find the bell',
    prompt: 'Where is it?',
  };
  return new CopilotSession('s1')
    .prompt('find the bell')
    .answer('I ask an agent.', [['t1', 'task', task]])
    .event('subagent.started', { toolCallId: 't1', agentName: 'explore', agentDescription: 'Explores' }, more)
    .prompt('Where is it?', { source: 'agent-s1' }, more)
    .event('assistant.message', { content: 'On the wall.', parentToolCallId: 't1' }, more)
    .event('subagent.completed', { toolCallId: 't1', agentName: 'explore' }, more)
    .gave('t1', 'On the wall.')
    .answer('It is on the wall.');
}

describe('an agent of Copilot CLI', () => {
  it('has a stream of its own, under the name that its call gives it', () => {
    const store = stored(withAgent(AGENT));
    expect(store.contents()['agents']).toMatchObject([
      { key: 'a1', name: 'find-bell', description: 'Find the bell', tool_use_id: 't1' },
    ]);
    const [own] = store.chunks().filter(({ agent }) => agent === 'a1');
    expect(own?.text).toBe('Assignment: Where is it?\n\nAssistant: On the wall.');
    expect(store.saidBy('user')).toEqual(['find the bell']);
    expect(store.text('dialogue')).toContain(
      '[task] find-bell explore Find the bell\nWhere is it?\n→ On the wall.',
    );
    expect(store.edgeTypes()).toEqual(['brief']);
  });

  it('goes by its call before agents had ids', () => {
    const session = withAgent({});
    session.lines.splice(7, 3);
    const store = stored(session);
    expect(store.contents()['agents']).toMatchObject([{ key: 't1', name: 'find-bell' }]);
    expect(store.chunks().filter(({ agent }) => agent === 't1')).toHaveLength(1);
  });
});

describe('a fork of a session of Copilot CLI', () => {
  it('has what it went on with, whichever is read first', () => {
    const original = withAgent(AGENT);
    const fork = original.fork('s0', 5);
    fork.event('session.resume', { context: {} }).prompt('and the rope?').answer('Beside it.');
    original.prompt('thanks').answer(`You are ${'very '.repeat(500)}welcome.`);
    const store = stored(original, fork);
    expect(store.saidBy('user')).toEqual(['and the rope?', 'find the bell', 'thanks']);
    expect(store.contents()['agents']).toHaveLength(1);
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
    expect([...new Set(other.saidBy('user'))]).toHaveLength(other.saidBy('user').length);
    expect(other.saidBy('user').toSorted()).toEqual(store.saidBy('user').toSorted());
  });
});

describe('what a session of Copilot CLI took back after it was forked', () => {
  function takenBack(between: (store: TestStore) => void = () => undefined): string[] {
    const folder = temporaryFolder();
    const original = new CopilotSession('s1').prompt('first').answer('One.');
    const kept = original.text;
    original.prompt('second').answer('Two.');
    const path = original.writeTo(folder);
    original.fork('s2', 5).prompt('third').answer('Three.').writeTo(folder);
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    between(store);
    writeFileSync(path, kept);
    ingestTree(store.store, [folder]);
    writeFileSync(path, kept + new CopilotSession('s3').prompt('fourth').lines.slice(1).join('\n'));
    ingestTree(store.store, [folder]);
    return store.saidBy('user');
  }

  it('is told by the fork', () => {
    expect(takenBack()).toEqual(['first', 'fourth', 'second', 'third']);
  });

  it('stays away where the user deleted it', () => {
    expect(takenBack((store) => store.forget('second'))).toEqual(['first', 'fourth', 'third']);
  });
});

describe('a session of Copilot CLI that is read while it grows', () => {
  const session = withAgent(AGENT)
    .prompt('once more')
    .answer('', [['t2', 'task', { name: 'late', description: 'Look late', prompt: 'Look' }]])
    .gave('t2', 'Agent started in background')
    .answer('It looks.')
    .prompt('meanwhile')
    .event('subagent.started', { toolCallId: 't2', agentName: 'explore' }, { agentId: 'a2' })
    .answer('Late, and on the wall: naïve façade 🚪.', [], { agentId: 'a2' })
    .answer('Done.');

  it('is as if read at once', () => {
    for (const step of [97, 331, Math.ceil(session.text.length / 10)])
      expectSameInPieces(session.text, every(step));
    expect(JSON.stringify(stored(session).contents())).toContain('"late"');
  });

  it('loses what the person took back: Copilot cuts the file off there', () => {
    const folder = temporaryFolder();
    const path = session.writeTo(folder);
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    const rest = session.lines.slice(
      0,
      session.lines.findIndex((line) => line.includes('once more')),
    );
    writeFileSync(path, `${rest.join('\n')}\n`);
    ingestTree(store.store, [folder]);
    expect(store.saidBy('user')).toEqual(['find the bell']);
  });

  it('is at work until it has answered, been stopped or ended', () => {
    const folder = temporaryFolder();
    const isOver = (more: CopilotSession): boolean =>
      endsWithTurn({ path: more.writeTo(folder), source: 'copilot' });
    const asked = new CopilotSession('s1').prompt('ring');
    expect(isOver(asked)).toBe(false);
    expect(isOver(asked.answer('I ring.', [['c1', 'bash', { command: 'ring' }]]))).toBe(false);
    expect(isOver(asked.gave('c1', 'rang').event('assistant.turn_end', { turnId: '0' }))).toBe(false);
    expect(isOver(asked.answer('Half done.', [], AGENT))).toBe(false);
    expect(isOver(asked.answer('It rang.'))).toBe(true);
    expect(isOver(asked.prompt('again'))).toBe(false);
    expect(isOver(asked.event('abort', { reason: 'user_initiated' }))).toBe(true);
  });
});

describe('damage in a session of Copilot CLI', () => {
  it('costs the damaged lines only', () => {
    const session = worked();
    session.lines.splice(3, 0, '{"type":"user.message","data":{"content":"half', '\u0000\u0000', '[1]');
    for (const data of [null, 7, 'text', [], { content: 7, toolRequests: 'x', attachments: 3 }])
      for (const type of ['user.message', 'assistant.message', 'tool.execution_complete', 'subagent.started'])
        session.event(type, data as never);
    session.prompt('still there?', { attachments: [{ mimeType: { toString: 7 } }] }).answer('Still here.');
    const folder = temporaryFolder();
    session.writeTo(folder);
    const store = new TestStore();
    const { issues } = ingestTree(store.store, [folder]);
    expect(issues.map(({ line, code }) => [line, code])).toEqual([
      [4, 'invalid-json'],
      [5, 'invalid-json'],
      [6, 'not-an-object'],
    ]);
    expect(store.saidBy('user')).toEqual(['open the till', 'User responded: brass', 'still there?']);
  });

  it('leaves no secret', () => {
    const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
    const task = { name: 'find', description: `With ${secret}`, prompt: secret };
    const store = stored(
      new CopilotSession('s1', 0, { branch: `till/${secret}` })
        .prompt(`use ${secret}`)
        .answer(secret, [
          ['t1', 'task', task],
          ['c1', 'bash', { command: `curl -H ${secret}` }],
        ])
        .event('subagent.started', { toolCallId: 't1', agentName: 'find' }, AGENT)
        .gave('c1', secret)
        .event('session.compaction_complete', { summaryContent: secret })
        .prompt('next'),
    );
    expect(JSON.stringify(store.contents())).not.toContain(secret.slice(4));
    const { state } = store.store.transcripts.checkpoint(store.transcriptPaths()[0]!)!;
    expect(state).toContain('With [REDACTED');
    expect(state).not.toContain(secret);
    expect(store.contents()['agents']).toMatchObject([{ description: expect.stringContaining('REDACTED') }]);
  });
});
