import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { takenBack } from '../src/clients/codex/segments.js';
import { ingestTree } from '../src/index.js';
import { describe, expect, it } from 'vitest';
import { every, expectSameInPieces, TestStore } from './ingested.js';
import { temporaryFolder } from './recording.js';
import { message, NumberedRollout, ofKinds, Rollout, scriptOutput, threadId } from './rollout.js';

function stored(...rollouts: Rollout[]): TestStore {
  const folder = temporaryFolder();
  const store = new TestStore();
  for (const rollout of rollouts) rollout.writeTo(join(folder, `rollout-${rollout.thread}.jsonl`));
  ingestTree(store.store, [folder]);
  return store;
}

const facts = (store: TestStore): unknown =>
  (store.contents()['turns'] as { facts: string }[]).map((turn) => JSON.parse(turn.facts) as unknown).at(-1);

describe('scripts of Codex’s model', () => {
  const rollout = new NumberedRollout(threadId(1))
    .context()
    .prompt('open the till')
    .script('c1', 'const r = await tools.exec_command({cmd: "cat till.ts"}); text(r.output);')
    .ranBy('1', 'cat till.ts', 'class Till {}\n')
    .wrote('c1', 'class Till {}\n')
    .script('c2', 'text(await tools.apply_patch("*** Begin Patch…"));')
    .completed({
      type: 'FileChange',
      id: 'exec-2',
      changes: {
        '/home/ada/shop/docs/till.md': { type: 'add', content: '# The till\n' },
        '/home/ada/shop/till.ts': {
          type: 'update',
          unified_diff: '@@ -1 +1 @@\n-shut\n+open\n',
          move_path: null,
        },
      },
      status: 'completed',
      stdout: 'Success.',
    })
    .wrote('c2', '{}')
    .script('c3', 'await Promise.all([tools.exec_command(a), tools.exec_command(b)])')
    .ranBy('3', 'git commit -m "Open the drawer"', '[main abc1234] Open the drawer\n')
    .ranBy('4', 'npm test', 'Error: the drawer is stuck\n', 1)
    .wrote('c3', JSON.stringify({ exit_code: 1, output: 'Error: the drawer is stuck\n' }), 'two are open')
    .script('c4', 'text(await tools.mcp__wiki__ask({q: "tills"}));')
    .completed({
      type: 'McpToolCall',
      id: 'exec-5',
      server: 'wiki',
      tool: 'ask',
      arguments: { q: 'tills' },
      status: 'completed',
      result: { content: [{ type: 'text', text: 'Tills ring.' }] },
    })
    .wrote('c4', JSON.stringify({ content: [{ type: 'text', text: 'Tills ring.' }] }))
    .script('c5', 'text(6 * 7);')
    .wrote('c5', '42')
    .answer('It opens now.');

  it('are told by what they called, each with what came of it, once', () => {
    const text = stored(rollout).text('dialogue');
    expect(text).toContain('[exec_command] cat till.ts\n→ class Till {}');
    expect(text).toContain(
      '/home/ada/shop/docs/till.md (new)\n+ # The till\n/home/ada/shop/till.ts\n- shut\n+ open',
    );
    expect(text).toContain('[mcp__wiki__ask] q: tills\n→ Tills ring.');
    expect(text.split('the drawer is stuck')).toHaveLength(2);
    expect(text).not.toContain('cat till.ts"');
  });

  it('have made no call that the person declined, and so none that failed', () => {
    const changes = { '/home/ada/shop/bell.ts': { type: 'delete', content: 'ring()' } };
    const store = stored(
      new NumberedRollout(threadId(1))
        .prompt('go')
        .script('c1', 'text(await tools.apply_patch("*** Begin Patch…"));')
        .completed({
          type: 'FileChange',
          id: 'exec-1',
          changes,
          status: 'declined',
          stderr: 'patch rejected',
        })
        .wrote('c1', '{}')
        .script('c2', 'text(await tools.exec_command({cmd: "rm bell.ts"}));')
        .completed({
          type: 'CommandExecution',
          id: 'exec-2',
          command: 'rm bell.ts',
          status: 'declined',
          aggregated_output: 'exec command rejected',
        })
        .wrote('c2', '{}')
        .answer('It stays.'),
    );
    expect(store.text('dialogue')).toContain('→ Error: patch rejected');
    expect(store.text('dialogue')).toContain('→ Error: exec command rejected');
    expect(facts(store)).not.toHaveProperty('errors');
    expect(facts(store)).not.toHaveProperty('filesTouched');
  });

  it('are told by events of earlier versions, too, also where a call failed or was refused', () => {
    const changes = { '/home/ada/shop/bell.ts': { type: 'delete', content: 'ring()' } };
    const wiki = { server: 'wiki', tool: 'ask', arguments: { q: 'bells' } };
    const text = stored(
      new Rollout(threadId(1))
        .prompt('go')
        .event({ type: 'patch_apply_end', call_id: 'exec-1', changes, success: true, stdout: 'Success.' })
        .event({
          type: 'patch_apply_end',
          call_id: 'exec-2',
          changes,
          success: false,
          stderr: 'no such file',
        })
        .event({
          type: 'mcp_tool_call_end',
          call_id: 'exec-3',
          invocation: wiki,
          result: { Ok: { content: [{ type: 'text', text: 'Bells ring.' }] } },
        })
        .event({ type: 'mcp_tool_call_end', call_id: 'exec-4', invocation: wiki, result: { Err: 'no wiki' } })
        .event({
          type: 'exec_command_end',
          call_id: 'exec-5',
          command: ['ls'],
          stdout: 'a\n',
          stderr: 'b',
          exit_code: 2,
        })
        .event({ type: 'exec_command_end', call_id: 'c6', command: ['told by its item'] }),
    ).text('dialogue');
    expect(text.split('\n\n')).toEqual([
      'User: go',
      '[apply_patch] /home/ada/shop/bell.ts (deleted)',
      '[apply_patch] /home/ada/shop/bell.ts (deleted)\n→ Error: no such file',
      '[mcp__wiki__ask] q: bells\n→ Bells ring.',
      '[mcp__wiki__ask] q: bells\n→ Error: no wiki',
      '[exec_command] ls\n→ Error: Exit code 2\na\nb',
    ]);
  });

  it('that a person stopped are told with that', () => {
    const rollout = new NumberedRollout(threadId(1)).prompt('go').script('c1', 'text(await wait());');
    const stopped = rollout.item({
      type: 'custom_tool_call_output',
      call_id: 'c1',
      output: 'aborted by user',
    });
    expect(stored(stopped).text('dialogue')).toBe(
      'User: go\n\n[exec] input: text(await wait());\n→ Error: aborted by user',
    );
  });

  it('whose call of a server’s tool failed are told by that, without Codex’s trace', () => {
    const message = 'tool call error: tool call failed for `wiki/ask`\n\nCaused by:\n    No page.';
    const traced = `${message}\n\nStack backtrace:\n   0: <unknown>`;
    const rollout = new NumberedRollout(threadId(1))
      .prompt('go')
      .script('c1', 'text(await tools.mcp__wiki__ask({q: "bells"}));')
      .completed({
        type: 'McpToolCall',
        id: 'exec-1',
        server: 'wiki',
        tool: 'ask',
        arguments: { q: 'bells' },
        status: 'failed',
        error: { message: traced },
      })
      .wrote('c1', JSON.stringify({ content: [{ type: 'text', text: traced }], isError: true }));
    expect(stored(rollout).text('dialogue')).toBe(
      `User: go\n\n[mcp__wiki__ask] q: bells\n→ Error: ${message}`,
    );
  });

  it('show what they found out themselves', () => {
    const text = stored(rollout).text('dialogue');
    expect(text).toContain('→ two are open');
    expect(text).toContain('[exec] input: text(6 * 7);\n→ 42');
  });

  it('leave the same facts as calls of the model', () => {
    expect(facts(stored(rollout))).toMatchObject({
      filesTouched: ['/home/ada/shop/docs/till.md', '/home/ada/shop/till.ts'],
      commands: ['cat till.ts', 'git commit -m "Open the drawer"', 'npm test'],
      commits: [{ subject: 'Open the drawer', hash: 'abc1234' }],
      errors: [{ message: 'Error: the drawer is stuck' }],
    });
  });

  it('are told by their commands where no event tells of these', () => {
    const old = new Rollout(threadId(1)).prompt('open the till');
    const run = (id: string, input: string, ...texts: string[]): Rollout =>
      old
        .item({ type: 'custom_tool_call', call_id: id, name: 'exec', input })
        .item({ type: 'custom_tool_call_output', call_id: id, output: scriptOutput(...texts) });
    run('c1', 'const r = await tools.exec_command({cmd: "echo \\"hi\\""}); text(r.output);', 'hi');
    run(
      'c2',
      `const [a, b] = await Promise.all([tools.exec_command({workdir: "/x", cmd: 'git commit -m "Oil it"'}), tools.exec_command({cmd: \`npm test -t "dry"\`})]);`,
      '[main abc1234] Oil it',
      '{"exit_code":2,"output":"Error: dry"}',
    );
    run('c3', 'text(await tools.exec_command({cmd: `cat ${file}`}))', 'no literal');
    const store = stored(old);
    expect(store.text()).toContain('[exec_command] echo "hi"\n→ hi');
    expect(store.text()).toContain(
      '[exec] input: text(await tools.exec_command({cmd: `cat ${file}`}))\n→ no literal',
    );
    expect(facts(store)).toMatchObject({
      commands: ['echo "hi"', 'git commit -m "Oil it"', 'npm test -t "dry"'],
      commits: [{ subject: 'Oil it', hash: 'abc1234' }],
      errors: [{ message: 'Error: dry' }],
    });
  });

  it('are told once where a command of theirs is a patch, of which events tell in any version', () => {
    const patch = "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: bell.ts\n*** End Patch\nEOF";
    const input = `text((await tools.exec_command({cmd: ${JSON.stringify(patch)}})).output)`;
    const changes = { 'bell.ts': { type: 'delete', content: 'ring()' } };
    const old = new Rollout(threadId(1))
      .prompt('go')
      .item({ type: 'custom_tool_call', call_id: 'c1', name: 'exec', input })
      .event({ type: 'patch_apply_end', call_id: 'exec-1', changes, success: true, stdout: 'Success.' })
      .item({ type: 'custom_tool_call_output', call_id: 'c1', output: scriptOutput('Success.') });
    expect(stored(old).text('dialogue')).toBe('User: go\n\n[apply_patch] bell.ts (deleted)');
  });

  it('are told by their commands on Windows, too, also where a command fails', () => {
    const old = new Rollout(threadId(1)).prompt('open the till');
    const framed = (code: number, text: string): string =>
      `Exit code: ${code}\nWall time: 0.2 seconds\nOutput:\n${text}`;
    const run = (id: string, input: string, state: string, ...texts: string[]): Rollout =>
      old.item({ type: 'custom_tool_call', call_id: id, name: 'exec', input }).item({
        type: 'custom_tool_call_output',
        call_id: id,
        output: [`Script ${state}\nWall time 0.3 seconds\nOutput:\n`, ...texts].map((text) => ({
          type: 'input_text',
          text,
        })),
      });
    run(
      'c1',
      'const r = await tools.shell_command({"command":"Get-Content -LiteralPath \'C:\\\\shop\\\\the till.ts\' -Encoding UTF8"}); text(r);',
      'completed',
      `Warning: truncated output (original token count: 10024)\nTotal output lines: 270\n\n${framed(0, 'class Till {}')}`,
    );
    run(
      'c2',
      'text(await tools.shell_command({"command":"npm test"}))',
      'failed',
      `Script error:\n${framed(1, 'Error: dry')}`,
    );
    run(
      'c3',
      'text(await tools.shell_command({command: "a"}) + await tools.shell_command({command: "b"}))',
      'failed',
      'Script error:\nno such module',
    );
    run(
      'c4',
      'for (const file of files) text(await tools.shell_command({command: file}))',
      'completed',
      framed(0, 'ok'),
    );
    const store = stored(old);
    expect(store.text()).toContain(
      "[shell_command] Get-Content -LiteralPath 'C:\\shop\\the till.ts' -Encoding UTF8\n→ class Till {}",
    );
    expect(store.text()).toContain('[shell_command] npm test\n→ Error: Exit code 1\nError: dry');
    expect(store.text()).toContain(
      '[exec] input: for (const file of files) text(await tools.shell_command({command: file}))\n→ ok',
    );
    expect(store.text()).toMatch(/\[exec\] input: text\(await tools[^]*no such module/);
    expect(facts(store)).toMatchObject({ commands: [expect.stringContaining('Get-Content'), 'npm test'] });
    expect(store.chunks('dialogue').flatMap(({ files }) => files)).toContain('C:\\shop\\the till.ts');
  });

  it('are told by no item of an unknown kind, whatever that is called', () => {
    const rollout = new NumberedRollout(threadId(1)).prompt('open the till');
    const folder = temporaryFolder();
    for (const type of ['Telepathy', 'constructor', '__proto__', {}, null])
      rollout.completed({ type, id: 'exec-1' });
    rollout.answer('It opens now.').writeTo(join(folder, `rollout-${rollout.thread}.jsonl`));
    const store = new TestStore();
    expect(ingestTree(store.store, [folder]).issues).toEqual([]);
    expect(store.text()).toMatch(/open the till\n+Assistant: It opens now\.$/);
  });

  it('are told by the events of a numbered thread on Windows', () => {
    const store = stored(
      new NumberedRollout(threadId(1), { cwd: 'C:\\shop' })
        .prompt('open the till')
        .script('c1', 'text((await tools.exec_command({cmd:"Get-Content till.ts"})).output)')
        .completed({
          type: 'CommandExecution',
          id: 'exec-1',
          command: ['C:\\Program Files\\PowerShell\\pwsh.exe', '-Command', 'Get-Content till.ts'],
          cwd: 'file:///C:/shop',
          aggregated_output: 'class Till {}\r\n',
          exit_code: 0,
        })
        .wrote('c1', 'class Till {}\r\n')
        .script('c2', 'await tools.view_image({path: "C:/shop/till.png"})')
        .completed({ type: 'ImageView', id: 'exec-2', path: 'file:///C:/shop/till.png' })
        .wrote('c2', '{}'),
    );
    expect(store.text()).toContain('[exec_command] Get-Content till.ts\n→ class Till {}');
    expect(store.text()).toContain('[view_image] path: C:/shop/till.png');
    expect(store.text()).not.toContain('[exec]');
    expect(store.chunks('dialogue').flatMap(({ files }) => files)).toContain('till.ts');
  });

  it.each([
    ['Get-Content till.ts', 'till.ts'],
    ['Get-Content -Path src/till.ts -TotalCount 200', 'src/till.ts'],
    ['Get-Content src\\till.ts -Raw | Select-Object -Skip 10 -First 20', 'src\\till.ts'],
    ["Get-Content -LiteralPath 'the till.ts' -Tail 5", 'the till.ts'],
    ['Get-Content till.ts | Select-String drawer', undefined],
    ['Get-Content *.ts', undefined],
    ['Get-Content $file', undefined],
    ['Get-Content a.ts; Get-Content b.ts', undefined],
  ])('tell on Windows of the file that they print: %s', (command, file) => {
    const store = stored(
      new Rollout(threadId(1))
        .prompt('look')
        .call('c', 'shell_command', { command })
        .ran('c', 'class Till {}'),
    );
    expect(store.chunks('dialogue').flatMap(({ files }) => files)).toEqual(file === undefined ? [] : [file]);
  });

  it('are told by their commands in a thread that was made over, whose items have ids of that thread alone', () => {
    const madeOver = (thread: string, text: string): Rollout => {
      const content = [{ type: 'text', text }];
      return new NumberedRollout(thread)
        .turn()
        .completed({ type: 'UserMessage', id: 'item-1', content })
        .script('c1', 'text((await tools.exec_command({cmd: "npm test"})).output)')
        .wrote('c1', 'ok');
    };
    const store = stored(madeOver(threadId(1), 'open the till'), madeOver(threadId(2), 'shut the till'));
    expect(store.saidBy('user')).toEqual(['open the till', 'shut the till']);
    expect(facts(store)).toMatchObject({ commands: ['npm test'] });
  });

  it('are errors where they fail, and go on being waited for', () => {
    const slow = new NumberedRollout(threadId(1))
      .prompt('open the till')
      .script('c1', 'throw new Error("no such module");')
      .item({
        type: 'custom_tool_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_text', text: 'Script failed\nWall time 0.0 seconds\nOutput:\n' },
          { type: 'input_text', text: 'Script error:\nError: no such module' },
        ],
      })
      .script('c2', 'text("early"); text((await tools.exec_command({cmd: "slow"})).output)')
      .item({ type: 'custom_tool_call_output', call_id: 'c2', output: 'half way', name: 'exec' })
      .item({
        type: 'custom_tool_call_output',
        call_id: 'c2',
        output: [
          { type: 'input_text', text: 'Script running with cell ID 3\nWall time 0.5 seconds\nOutput:\n' },
          { type: 'input_text', text: 'early' },
        ],
      })
      .call('c3', 'wait', { cell_id: '3' })
      .ranBy('1', 'slow', 'late\n')
      .output('c3', scriptOutput('late\n'))
      .answer('Done.');
    const store = stored(slow);
    expect(facts(store)).toMatchObject({
      errors: [{ message: 'Error: no such module' }],
      commands: ['slow'],
    });
    expect(store.text()).toContain('[exec_command] slow\n→ late');
    expect(store.text()).toMatch(/half way[^]*\[exec\] input: text\("early"\)[^]*→ early/);
    expect(store.text().split('late')).toHaveLength(2);
    expect(store.text()).not.toContain('[wait]');
  });

  describe('of a session that was ended midway', () => {
    const cutOff = (): NumberedRollout =>
      new NumberedRollout(threadId(1))
        .prompt('open the till')
        .script('c1', 'text(await tools.exec_command({cmd: "npm run till"}));')
        .script('c2', 'text(await open(drawer));');
    const CALLS = '[exec_command] npm run till\n\n[exec] input: text(await open(drawer));';

    it('are told at the end, without what came of them', () => {
      const store = stored(cutOff());
      expect(store.text('dialogue')).toBe(`User: open the till\n\n${CALLS}`);
      expect(facts(store)).toMatchObject({ commands: ['npm run till'] });
    });

    it('are told in their turn when another one begins', () => {
      const turns = stored(cutOff().prompt('and now?').answer('It opens.')).contents()['turns'];
      expect(turns).toMatchObject([
        { facts: expect.stringContaining('npm run till') as string },
        { facts: expect.not.stringContaining('toolCounts') as string },
      ]);
    });

    it('give the same in pieces as at once', () => {
      const rollout = cutOff()
        .prompt('and now?')
        .script('c3', 'text(1)')
        .wrote('c3', '1')
        .script('c4', 'ring()');
      expectSameInPieces(rollout.text, every(97));
    });

    it('go with what is taken back, and are not told again by a fork', () => {
      const back = cutOff().event({ type: 'thread_rolled_back', num_turns: 1 }).prompt('close it');
      expect(stored(back).text('dialogue')).toBe('User: close it');
      const fork = new NumberedRollout(threadId(2), { forked_from_id: threadId(1) }, 5);
      for (const line of cutOff().lines) fork.raw(line);
      const toldBy = (...all: Rollout[]) =>
        stored(...all)
          .text('dialogue')
          .match(/npm run till/g);
      expect(toldBy(cutOff(), fork)).toHaveLength(1);
      expect(toldBy(cutOff(), fork.prompt('close it'))).toHaveLength(1);
    });
  });

  it('give the same in pieces as at once', () => {
    expectSameInPieces(rollout.prompt('and close it').answer('Closed.').text, every(151));
  });
});

describe('a numbered Codex rollout', () => {
  const spawn = (id: string, name: string): Record<string, unknown> => ({
    type: 'function_call',
    namespace: 'collaboration',
    name: 'spawn_agent',
    call_id: id,
    arguments: JSON.stringify({ task_name: name, message: 'look in the cellar', fork_turns: 'all' }),
  });
  const letter = (
    kind: string,
    author: string,
    recipient: string,
    text: string,
  ): Record<string, unknown> => ({
    type: 'agent_message',
    author,
    recipient,
    content: [
      {
        type: 'input_text',
        text: `Message Type: ${kind}\nTask name: ${recipient}\nSender: ${author}\nPayload:\n`,
      },
      { type: 'encrypted_content', encrypted_content: text },
    ],
  });
  const begin = new NumberedRollout(threadId(1))
    .prompt('explore')
    .answer('I send somebody.')
    .item(spawn('c1', 'cellar'));
  const childMeta = {
    session_id: threadId(1),
    forked_from_id: threadId(1),
    thread_source: 'subagent',
    source: { subagent: { thread_spawn: { parent_thread_id: threadId(1), agent_path: '/root/cellar' } } },
    agent_nickname: 'Bohr',
    agent_path: '/root/cellar',
  };

  it('of an agent that got its parent’s history has what it did alone', () => {
    const child = new NumberedRollout(threadId(2), childMeta, 5)
      .copy(begin)
      .turn()
      .item(letter('NEW_TASK', '/root', '/root/cellar', 'look in the cellar'))
      .answer('It is dry.');
    const parent = begin
      .completed({
        type: 'SubAgentActivity',
        id: 'c1',
        kind: 'started',
        agent_thread_id: threadId(2),
        agent_path: '/root/cellar',
      })
      .output('c1', JSON.stringify({ task_name: '/root/cellar' }))
      .item(letter('FINAL_ANSWER', '/root/cellar', '/root', 'The cellar is dry.'))
      .item(letter('MESSAGE', '/root/cellar', '/root', `gAAAAAB${'x1'.repeat(40)}`))
      .record('inter_agent_communication', {
        author: '/root/cellar',
        recipient: '/root',
        content: 'In one piece.',
      })
      .answer('Dry.');
    const store = stored(parent, child);
    expect(store.text()).toContain('cellar → main: In one piece.');
    expect(store.saidBy('user')).toEqual(['explore']);
    expect(store.text()).toContain('Assignment: look in the cellar');
    expect(store.text()).toContain('[spawn_agent] cellar\nlook in the cellar');
    expect(store.text()).toContain('cellar → main: The cellar is dry.');
    expect(store.text().split('I send somebody.')).toHaveLength(2);
    expect(store.text()).not.toContain('gAAAA');
    expect(store.contents()['agents']).toMatchObject([
      { key: threadId(2), name: 'cellar', tool_use_id: 'c1' },
    ]);
    const agents = store.chunks().map(({ text, agent }) => (text.includes('It is dry.') ? agent : null));
    expect(agents).toContain(threadId(2));
  });

  it('tells of a review what the person asked for, not what Codex asks the reviewer', () => {
    const target = { target: { type: 'uncommittedChanges' }, user_facing_hint: 'current changes' };
    const asked = 'Review the current code changes (staged, unstaged, and untracked files)';
    const told = { type: 'user_message', message: asked, images: [] };
    const result = message('user', '<user_action>\n  <action>review</action>\n</user_action>');
    const numbered = new NumberedRollout(threadId(1))
      .completed({ type: 'EnteredReviewMode', ...target })
      .turn()
      .typed(asked, threadId(7))
      .item(result)
      .completed({ type: 'ExitedReviewMode' })
      .prompt('thanks');
    const older = new Rollout(threadId(1))
      .event({ type: 'entered_review_mode', ...target })
      .event(told)
      .event(told)
      .item(result)
      .event({ type: 'exited_review_mode' })
      .prompt('thanks');
    for (const rollout of [numbered, older])
      expect(stored(rollout).saidBy('user')).toEqual(['/review current changes', 'thanks']);
  });

  it('of the agent that decides on approvals does not tell the session again', () => {
    const meta = {
      session_id: threadId(1),
      parent_thread_id: threadId(1),
      thread_source: 'subagent',
      source: { subagent: { other: 'guardian' } },
    };
    const store = stored(
      new NumberedRollout(threadId(1)).prompt('delete the till').answer('May I?'),
      new NumberedRollout(threadId(2), meta, 5)
        .prompt('The following is the Codex agent history.\n[1] user: delete the till')
        .answer('{"outcome":"deny"}'),
    );
    expect(store.text('dialogue').split('delete the till')).toHaveLength(2);
    expect(store.text('dialogue')).toContain('Assistant: {"outcome":"deny"}');
  });

  it('of the agent that decides on approvals belongs to the thread that its first prompt names, where nothing else does', () => {
    const meta = { source: { subagent: { other: 'guardian' } } };
    const store = stored(
      new NumberedRollout(threadId(1)).prompt('delete the till').answer('May I?'),
      new NumberedRollout(threadId(2), meta, 5)
        .prompt(`The following is the Codex agent history.\n\nReviewed Codex session id: ${threadId(1)}\n`)
        .answer('{"outcome":"deny"}'),
    );
    expect(store.contents()['sessions']).toHaveLength(1);
    expect(store.contents()['agents']).toMatchObject([{ key: threadId(2), name: 'guardian' }]);
    expect(store.saidBy('user')).toEqual(['delete the till']);
  });

  it('of the agent that decides on approvals is kept where no prompt tells whose it is', () => {
    const meta = { source: { subagent: { other: 'guardian' } } };
    const store = stored(new NumberedRollout(threadId(2), meta).answer('{"outcome":"deny"}'));
    expect(store.text()).toContain('{"outcome":"deny"}');
  });

  it('has the error that ended a turn', () => {
    const numbered = new NumberedRollout(threadId(1))
      .prompt('open the till')
      .event({ type: 'task_complete', last_agent_message: null, error: { message: 'Quota exceeded.' } })
      .prompt('again')
      .answer('Open.')
      .event({ type: 'task_complete', last_agent_message: 'Open.' });
    const older = new Rollout(threadId(1))
      .prompt('open the till')
      .event({ type: 'error', message: 'Quota exceeded.' })
      .event({ type: 'task_complete', last_agent_message: null });
    for (const rollout of [numbered, older]) expect(stored(rollout).text('error')).toBe('Quota exceeded.');
  });

  it('has what a person typed in tags once', () => {
    const text = '<task>open the till</task>';
    const typed = ofKinds(message('user', text), ['user.text']);
    const store = stored(new NumberedRollout(threadId(1)).turn().item(typed).typed(text).answer('Open.'));
    expect(store.saidBy('user')).toEqual([text]);
    expect(store.text('meta')).toBe('');
  });

  it('has no text as a person’s that Codex says is none, nor what the app sends in their place', () => {
    const given = (...parts: [kind: string, text: string][]): Record<string, unknown> =>
      ofKinds(
        message('user', ...parts.map(([, text]) => text)),
        parts.map(([kind]) => kind),
      );
    const scheduled = '<heartbeat>\n  <instructions>look at the till</instructions>\n</heartbeat>';
    const delegated = '<codex_delegation>\n  <input>count the coins</input>\n</codex_delegation>';
    const rollout = new NumberedRollout(threadId(1))
      .turn()
      .item(given(['skills.selected_skill_instructions', 'Polish twice.'], ['user.text', 'polish it']))
      .typed('polish it')
      .answer('Polished.')
      .item(given(['user.heartbeat', scheduled]))
      .answer('Looked.')
      .item(given(['user.text', scheduled]))
      .typed(scheduled)
      .answer('Looked again.')
      .item(given(['user.text', delegated]))
      .typed(delegated)
      .answer('Ten.')
      .item(given(['unknown', 'and the notes']))
      .answer('Four.');
    const store = stored(rollout);
    expect(store.saidBy('user')).toEqual(['polish it', 'and the notes']);
    expect(store.text('meta')).toContain('Polish twice.');
    expect(store.text('meta').split('look at the till')).toHaveLength(3);
    expect(store.text('dialogue').split('another thread → main: count the coins')).toHaveLength(2);
  });

  it('has a summary once, and no word of the client as a tool’s', () => {
    const rollout = new NumberedRollout(threadId(1))
      .prompt('explore')
      .item(message('assistant', 'We explored.'), { compaction_output: true })
      .record('compacted', { message: 'Summary: We explored.' })
      .item(
        { type: 'function_call_output', name: 'goal_objective', namespace: 'agent', output: 'Explore all' },
        { additional_context_tool_output: true },
      )
      .answer('Done.');
    const store = stored(rollout);
    expect(store.saidBy('assistant')).toEqual(['Done.']);
    expect(store.text('compaction')).toBe('Summary: We explored.');
    expect(store.text('meta')).toContain('Explore all');
  });
});

describe('a Codex thread in which the person went back', () => {
  const first = new NumberedRollout(threadId(1)).prompt('build a till').answer('Built.');
  const kept = first.lines.length;
  first.prompt('paint it red').answer('Red.');
  /** The thread goes on in another file, from a record of an earlier one on. */
  function goneBack(end: number, base: string, name: string): { name: string; rollout: NumberedRollout } {
    const history_base = { thread_id: base, end_ordinal_exclusive: end };
    const rollout = new NumberedRollout(threadId(1), { history_base }, 20 + Number(name.slice(-1)), end);
    return { name: `rollout-2026-03-01T1${name.slice(-1)}-00-00-${threadId(1)}_${name}.jsonl`, rollout };
  }
  const second = goneBack(kept, threadId(1), threadId(2));
  second.rollout.prompt('paint it blue').answer('Blue.').prompt('and shine it').answer('Shiny.');
  const third = goneBack(kept + 1, threadId(2), threadId(3));
  third.rollout.prompt('paint it green').answer('Green.');
  const base = { name: `rollout-2026-03-01T10-00-00-${threadId(1)}.jsonl`, rollout: first };

  function after(...readings: { name: string; rollout: Rollout }[][]): string[] {
    const folder = temporaryFolder();
    const store = new TestStore();
    for (const files of readings) {
      for (const { name, rollout } of files) rollout.writeTo(join(folder, name));
      ingestTree(store.store, [folder]);
    }
    return store.saidBy('user').concat(store.saidBy('assistant'));
  }

  it('holds what was kept and what was said instead, however it is read', () => {
    const expected = ['build a till', 'paint it blue', 'and shine it', 'Built.', 'Blue.', 'Shiny.'];
    expect(after([base, second])).toEqual(expected);
    expect(after([base], [second])).toEqual(expected);
    expect(after([second], [base])).toEqual(expected);
  });

  it('is taken back from the first record on that its next file does not keep, whatever files of others are called', () => {
    const folder = temporaryFolder();
    const paths = [base, second].map(({ name, rollout }) => rollout.writeTo(join(folder, name)));
    const history_base = { thread_id: threadId(1), end_ordinal_exclusive: 1 };
    const other = new NumberedRollout(threadId(7), { history_base }, 50, 1).writeTo(
      join(folder, `rollout-2026-03-01T16-00-00-${threadId(7)}-of-${threadId(1)}.jsonl`),
    );
    expect([...takenBack(threadId(1), [...paths, other])]).toEqual([[paths[0], kept + 1]]);
  });

  it('holds none of what was taken back twice', () => {
    const expected = ['build a till', 'paint it green', 'Built.', 'Green.'];
    expect(after([base, second, third])).toEqual(expected);
    expect(after([base], [second], [third])).toEqual(expected);
    expect(after([third], [base, second])).toEqual(expected);
  });

  it('holds none of what was taken back where no more was said', () => {
    const expected = ['build a till', 'Built.'];
    const silent = goneBack(kept, threadId(1), threadId(2));
    expect(after([base, silent])).toEqual(expected);
    expect(after([base], [silent])).toEqual(expected);
    expect(after([silent], [base])).toEqual(expected);
  });

  it('is whole where the other file does not say in numbers what was kept', () => {
    const odd = goneBack(kept, threadId(1), threadId(2));
    const [first = ''] = odd.rollout.lines;
    odd.rollout.lines[0] = first.replace(/(?<="end_ordinal_exclusive":)\d+/, '{"toString":7}');
    expect(odd.rollout.lines[0]).not.toBe(first);
    expect(after([odd], [base])).toEqual(after([base]));
  });

  it('is whole where an agent goes on from it, which has said nothing yet', () => {
    const agent = new NumberedRollout(
      threadId(6),
      {
        source: { subagent: { thread_spawn: { parent_thread_id: threadId(1) } } },
        history_base: { thread_id: threadId(1), end_ordinal_exclusive: kept },
      },
      40,
      kept,
    ).record('event_msg', { type: 'task_started', turn_id: 'turn-9' });
    const file = { name: `rollout-2026-03-01T15-00-00-${threadId(6)}.jsonl`, rollout: agent };
    expect(after([base, file], [base])).toEqual(after([base]));
    expect(after([file], [base])).toEqual(after([base]));
  });

  it('is read without a look into files of its agents, which may not be readable any more', () => {
    const folder = temporaryFolder();
    const agent = new NumberedRollout(
      threadId(6),
      { source: { subagent: { thread_spawn: { parent_thread_id: threadId(1) } } } },
      40,
    ).answer('Counted.');
    const agentPath = agent.writeTo(join(folder, `rollout-2026-03-01T15-00-00-${threadId(6)}.jsonl`));
    base.rollout.writeTo(join(folder, base.name));
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    rmSync(agentPath);
    mkdirSync(agentPath);
    second.rollout.writeTo(join(folder, second.name));
    expect(ingestTree(store.store, [folder]).issues).toEqual([]);
    expect(store.saidBy('user')).toEqual(['build a till', 'paint it blue', 'and shine it']);
    expect(store.saidBy('assistant')).toContain('Counted.');
  });

  it('stays as it is where a late result is written to the earlier file', () => {
    const late = new NumberedRollout(threadId(1));
    late.lines.splice(0, 1, ...first.lines);
    late.ranBy('9', 'sleep 60', 'late\n');
    const grown = { name: base.name, rollout: late };
    expect(after([base, second], [grown])).toEqual(after([base, second]));
  });

  it('is whole for a fork of it, which goes on from it', () => {
    const fork = new NumberedRollout(
      threadId(5),
      { forked_from_id: threadId(1), history_base: { thread_id: threadId(1), end_ordinal_exclusive: kept } },
      40,
      kept,
    ).prompt('make it wood');
    const file = { name: `rollout-2026-03-01T15-00-00-${threadId(5)}.jsonl`, rollout: fork };
    expect(after([base, file])).toEqual(['build a till', 'paint it red', 'make it wood', 'Built.', 'Red.']);
    const sessions = stored(first, fork).contents()['sessions'];
    expect(sessions).toMatchObject([{ continues_uuid: null }, { continues_uuid: threadId(1) }]);
  });
});
