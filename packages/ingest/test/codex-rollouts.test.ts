import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openSqlite } from '@causantic/storage';
import { describe, expect, it } from 'vitest';
import { ingestTree } from '../src/index.js';
import { contentsInPieces, expectSameInPieces, TestStore } from './ingested.js';
import { temporaryFolder } from './recording.js';
import { message, NumberedRollout, ofKinds, Rollout, threadId } from './rollout.js';

const PATCH = `*** Begin Patch
*** Update File: src/till.ts
@@ class Till
   open() {
-    return this.drawer;
+    return this.drawer.open();
   }
*** Add File: docs/till.md
+# The till
*** End Patch
`;

function stored(...rollouts: Rollout[]): { store: TestStore; folder: string } {
  const folder = temporaryFolder();
  const store = new TestStore();
  for (const rollout of rollouts) {
    rollout.writeTo(join(folder, '2026', '03', '01', `rollout-2026-03-01T10-00-00-${rollout.thread}.jsonl`));
  }
  ingestTree(store.store, [folder]);
  return { store, folder };
}

describe('a Codex rollout', () => {
  const rollout = new Rollout(threadId(1))
    .context()
    .prompt('open the till')
    .item({
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'A till has a drawer.' }],
      encrypted_content: 'x',
    })
    .answer('I look at it.')
    .call('c1', 'exec_command', { cmd: 'npm test', workdir: '/home/ada/shop' })
    .ran('c1', 'Error: the drawer is stuck', 1)
    .call('c2', 'exec_command', { cmd: "sed -n '1,80p' src/till.ts" })
    .ran('c2', 'class Till {}')
    .patch('c3', PATCH)
    .call('c4', 'shell', { command: ['bash', '-lc', 'git commit -m "Open the drawer"'] })
    .output('c4', JSON.stringify({ output: '[main abc1234] Open the drawer', metadata: { exit_code: 0 } }))
    .call('c5', 'update_plan', { plan: [{ step: 'Oil it', status: 'in_progress' }] })
    .output('c5', 'Plan updated')
    .item({
      type: 'function_call',
      name: 'ask',
      namespace: 'mcp__wiki',
      arguments: '{"q":"tills"}',
      call_id: 'c6',
    })
    .output('c6', [
      { type: 'input_text', text: 'Tills ring.' },
      { type: 'input_image', image_url: 'data:' },
    ])
    .answer('It opens now.')
    .event({ type: 'token_count', info: {} });

  it('has each word once, by who said it', () => {
    const { store } = stored(rollout);
    expect(store.saidBy('user')).toEqual(['open the till']);
    expect(store.saidBy('assistant')).toEqual(['I look at it.', 'It opens now.']);
    expect(store.chunks('thinking').map(({ text }) => text)).toEqual(['A till has a drawer.']);
    expect(store.text('meta')).toContain('be kind');
    expect(store.text('meta')).toContain('ask first');
    expect(store.text()).not.toContain('You are Codex');
  });

  it('names its client, folder, branch and version', () => {
    const { store } = stored(rollout);
    expect(store.contents()['sessions']).toMatchObject([
      {
        uuid: threadId(1),
        source: 'codex',
        project: '/home/ada/shop',
        git_branch: 'main',
        client_version: '0.142.5',
      },
    ]);
  });

  it('has its calls with what came of them', () => {
    const { store } = stored(rollout);
    const text = store.text('dialogue');
    expect(text).toContain('[exec_command] npm test\n→ Error: Exit code 1\nError: the drawer is stuck');
    expect(text).toContain('- ' + '    return this.drawer;\n+     return this.drawer.open();');
    expect(text).toContain('docs/till.md (new)\n+ # The till');
    expect(text).toContain('[mcp__wiki__ask] q: tills\n→ Tills ring.\n[image]');
    expect(text).not.toContain('Chunk ID');
    expect(store.chunks().flatMap(({ files }) => files)).toEqual(['src/till.ts', 'docs/till.md']);
    expect(store.facts()).toMatchObject([
      {},
      {
        request: 'open the till',
        filesTouched: ['src/till.ts', 'docs/till.md'],
        commands: ['npm test', "sed -n '1,80p' src/till.ts", 'git commit -m "Open the drawer"'],
        commits: [{ subject: 'Open the drawer', hash: 'abc1234' }],
        errors: [{ message: 'Error: the drawer is stuck' }],
        tasks: [{ text: 'Oil it', status: 'in_progress' }],
      },
    ]);
  });

  it('has the latest name that its thread was given', () => {
    const home = temporaryFolder();
    const store = new TestStore();
    const names = [
      { id: threadId(1), thread_name: 'First name' },
      { id: threadId(2), thread_name: 'Another thread' },
      { id: threadId(1), thread_name: 'The till, with ghp_0123456789abcdefghijklmnopqrstuvwxyz' },
    ];
    writeFileSync(
      join(home, 'session_index.jsonl'),
      `${names.map((name) => JSON.stringify(name)).join('\n')}\n{"id":`,
    );
    rollout.writeTo(join(home, 'sessions', '2026', '03', '01', 'rollout.jsonl'));
    ingestTree(store.store, [join(home, 'sessions')]);
    expect(store.contents()['sessions']).toMatchObject([
      { title: expect.stringMatching(/^The till, with \[REDACTED/) },
    ]);
  });

  it('without a folder of its own belongs to no day', () => {
    const folder = temporaryFolder();
    for (const [n, day] of ['01', '02'].entries()) {
      const rollout = new Rollout(threadId(n), { cwd: undefined }).item(message('user', `day ${day}`));
      rollout.writeTo(join(folder, 'sessions', '2026', '03', day, `rollout-${rollout.thread}.jsonl`));
    }
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    expect(store.store.projects.list().map(({ path }) => path)).toEqual([join(folder, 'sessions')]);
  });

  it('is recognised whatever its file is called', () => {
    const store = new TestStore();
    store.ingest(rollout.writeTo(join(temporaryFolder(), 'some-file.txt')));
    expect(store.contents()['sessions']).toMatchObject([{ source: 'codex' }]);
  });

  it.each([
    [{ type: 'search', query: 'tills', queries: ['tills', 'old tills'] }, 'query: tills\nold tills'],
    [{ type: 'open_page', url: 'https://till.test/' }, 'type: open_page\nurl: https://till.test/'],
    [{ type: 'find_in_page', url: 'u', pattern: 'drawer' }, 'type: find_in_page\nurl: u\npattern: drawer'],
  ])('tells what was searched for on the web, once: %j', (action, expected) => {
    const rollout = new Rollout(threadId(1)).prompt('go').item({ type: 'web_search_call', action });
    expect(stored(rollout).store.text('dialogue')).toBe(`User: go\n\n[web_search] ${expected}`);
  });

  it.each([
    [
      'apply_patch verification failed: no such lines',
      'Error: apply_patch verification failed: no such lines',
    ],
    ['aborted by user after 2.0s', 'Error: aborted by user after 2.0s'],
    ['Wall time: 3.4 seconds\naborted by user', 'Error: aborted by user'],
    ['Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\nstill at it', 'still at it'],
    [
      'Wall time: 1 seconds\nOutput:\nWarning: truncated output (original token count: 9000)\nTotal output lines: 70\n\na\nb',
      'a\nb',
    ],
    ['Wall time: 1 seconds\nOutput:\nTotal output lines: 70\n\na\nb', 'a\nb'],
    [{ content: 'refused', success: false }, 'Error: refused'],
    [
      'failed to parse function arguments: missing field `cmd`',
      'Error: failed to parse function arguments: missing field `cmd`',
    ],
    [
      'request_user_input is unavailable in Default mode',
      'Error: request_user_input is unavailable in Default mode',
    ],
    [
      [
        { type: 'input_text', text: 'Wall time: 0.1 seconds\nOutput:' },
        { type: 'input_text', text: 'Tills ring.' },
      ],
      'Tills ring.',
    ],
    [
      [
        { type: 'input_text', text: 'Wall time: 0.1 seconds\nOutput:' },
        {
          type: 'input_text',
          text: 'tool call error: tool call failed for `tills/ring`\n\nCaused by:\n    No till.\n\nStack backtrace:\n   0: <unknown>',
        },
      ],
      'Error: tool call error: tool call failed for `tills/ring`\n\nCaused by:\n    No till.',
    ],
    ['{"output":"told","metadata":{"exit_code":3}}', 'Error: Exit code 3\ntold'],
    ['the build failed: see above', 'the build failed: see above'],
    ['Wall time: 1 seconds\nProcess exited with code 1\nOutput:\n', 'Exit code 1'],
    [
      `a\n${'─'.repeat(200)}\n${'-'.repeat(30)}${'x'.repeat(50)}`,
      `a\n${'─'.repeat(10)}\n${'-'.repeat(30)}${'x'.repeat(50)}`,
    ],
    [
      `Wall time: 0.8 seconds\nOutput:\n${JSON.stringify([
        { type: 'text', text: 'Tills\nring.' },
        { type: 'image', data: 'AA' },
      ])}`,
      'Tills\nring.\n[image]',
    ],
    [`Wall time: 1 seconds\nOutput:\n${JSON.stringify({ result: 'Tills\nring.' })}`, 'Tills\nring.'],
    ['[{"url":"a\\nb"}]', '[{"url":"a\\nb"}]'],
    ['{"result":"a\\nb","more":1}', '{"result":"a\\nb","more":1}'],
    ['{"result":"cut', '{"result":"cut'],
  ])('tells what came of a call: %j', (output, expected) => {
    const { store } = stored(
      new Rollout(threadId(1)).prompt('go').call('c', 'exec_command', { cmd: 'x' }).output('c', output),
    );
    expect(store.text('dialogue')).toBe(`User: go\n\n[exec_command] x\n→ ${expected}`);
  });

  it('a command that the person broke off is no error', () => {
    const { store } = stored(
      new Rollout(threadId(1))
        .prompt('go')
        .call('c', 'exec_command', { cmd: 'npm test' })
        .output('c', 'Wall time: 3.4 seconds\naborted by user'),
    );
    expect(store.facts()[0]).not.toHaveProperty('errors');
  });

  describe('with a command that goes on running', () => {
    const running = (session: number): string =>
      `Wall time: 1 seconds\nProcess running with session ID ${session}\nOutput:\n`;
    const rollout = new Rollout(threadId(1))
      .prompt('make it ring')
      .call('c1', 'exec_command', { cmd: 'npm test' })
      .output('c1', running(7))
      .call('c2', 'write_stdin', { session_id: 7, chars: '' })
      .ran('c2', 'Error: the bell is mute', 1)
      .call('c3', 'exec_command', { cmd: 'npm test' })
      .output('c3', running(8))
      .call('c4', 'exec_command', { cmd: 'git commit -m "Oil the bell"' })
      .output('c4', running(9))
      .call('c9', 'write_stdin', { session_id: 9, chars: '' })
      .output('c9', running(9))
      .call('c5', 'write_stdin', { session_id: 9, chars: 'y\n' })
      .output('c5', `${running(9)}[main abc1234] Oil the bell`)
      .call('c6', 'write_stdin', { session_id: 9, chars: '' })
      .ran('c6', 'pushed');

    it('tells with each later call which command it is about', () => {
      const text = stored(rollout).store.text('dialogue');
      expect(text).toContain('[write_stdin] # npm test\n→ Error: Exit code 1\nError: the bell is mute');
      expect(text).toContain('[write_stdin] y\n# git commit -m "Oil the bell"\n→ [main abc1234]');
    });

    it('knows what came of it when a later call tells', () => {
      const message = 'Error: the bell is mute';
      const facts = stored(rollout).store.facts().at(-1);
      expect(facts?.['commits']).toEqual([{ subject: 'Oil the bell', hash: 'abc1234' }]);
      expect(facts?.['errors']).toEqual([{ message }]);
      const later = new Rollout(threadId(2)).copy(rollout).call('c7', 'write_stdin', { session_id: 8 });
      expect(stored(later.ran('c7', 'passed')).store.facts().at(-1)).toMatchObject({
        errors: [{ message, resolvedBy: 'exec_command: npm test' }],
      });
    });

    it('tells no call that waited for nothing, and what was written to a shell', () => {
      const rollout = new Rollout(threadId(1))
        .prompt('go')
        .call('c1', 'exec_command', { cmd: 'bash', tty: true })
        .output('c1', running(7))
        .call('c2', 'write_stdin', { session_id: 7, chars: '' })
        .output('c2', running(7))
        .call('c3', 'write_stdin', { session_id: 7, chars: 'git commit -m "Oil it"\n' })
        .output('c3', `${running(7)}[main abc1234] Oil it`);
      const { store } = stored(rollout);
      expect(store.text('dialogue')).toBe(
        'User: go\n\n[exec_command] bash\n\n[write_stdin] git commit -m "Oil it"\n# bash\n→ [main abc1234] Oil it',
      );
      expect(store.facts()[0]).toMatchObject({ commits: [{ subject: 'Oil it', hash: 'abc1234' }] });
    });

    it('is read the same in pieces', () => {
      expectSameInPieces(rollout.text);
    });
  });

  it('has what the model says of its plan', () => {
    const plan = [{ step: 'Oil the bell', status: 'pending' }];
    const rollout = new Rollout(threadId(1)).prompt('go');
    rollout
      .call('c', 'update_plan', { explanation: 'The bell comes first.', plan })
      .output('c', 'Plan updated');
    expect(stored(rollout).store.text('dialogue')).toBe(
      'User: go\n\n[update_plan] The bell comes first.\n- [ ] Oil the bell',
    );
  });

  it.each([
    ["nl -ba src/till.ts | sed -n '5,9p;20,30p'", ['src/till.ts']],
    ["nl -ba src/till.ts | sed -i 's/a/b/'", []],
    ["sed -n '1,9p' a.ts && sed -n '1,9p' b.ts", ['a.ts', 'b.ts']],
  ])('names the files that a command does nothing but print: %s', (cmd, files) => {
    const { store } = stored(
      new Rollout(threadId(1)).prompt('go').call('c', 'exec_command', { cmd }).ran('c', 'class Till {}'),
    );
    expect(store.chunks().flatMap((chunk) => chunk.files)).toEqual(files);
  });

  it.each([
    ['/home/ada/shop', 'a.ts'],
    ['/home/ada/bell/', '/home/ada/bell/a.ts'],
    ['packages/bell', 'packages/bell/a.ts'],
  ])('finds files from where a command ran: %s', (workdir, file) => {
    const patch = `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.ts\n+1\n*** End Patch\nEOF`;
    const { store } = stored(
      new Rollout(threadId(1))
        .prompt('go')
        .call('c1', 'exec_command', { cmd: 'cat a.ts /etc/hosts', workdir })
        .call('c2', 'shell', { command: ['bash', '-lc', patch], workdir })
        .call('c3', 'exec_command', { cmd: 'echo 1 > b.ts', workdir }),
    );
    const named = store.chunks().flatMap(({ files }) => files);
    const written = file.replace('a.ts', 'b.ts');
    expect(new Set(named)).toEqual(new Set([file, written, '/etc/hosts']));
    expect(store.facts()[0]).toMatchObject({ filesTouched: [file, written] });
  });

  it.each([
    [['bash', '-lc', 'npm test'], 'npm test'],
    [['C:\\Windows\\powershell.exe', '-NoProfile', '-Command', 'npm test'], 'npm test'],
    [['pwsh', '-nologo', '-NoProfile', '-c', 'npm test'], 'npm test'],
    [['npm', 'run', 'test'], 'npm run test'],
  ])('tells the script that a shell ran: %j', (command, expected) => {
    const { store } = stored(new Rollout(threadId(1)).prompt('go').call('c', 'shell', { command }));
    expect(store.text('dialogue')).toBe(`User: go\n\n[shell] ${expected}`);
  });

  const PATCHED =
    'src/till.ts\n-     return this.drawer;\n+     return this.drawer.open();\ndocs/till.md (new)\n+ # The till';
  it.each([
    ['shell', { command: ['apply_patch', PATCH] }, `[apply_patch] ${PATCHED}`],
    [
      'shell',
      { command: ['bash', '-lc', `cd src && apply_patch <<'EOF'\n${PATCH}EOF`] },
      `[apply_patch] ${PATCHED.replace('src/', 'src/src/').replace('docs/', 'src/docs/')}`,
    ],
    ['shell', { command: `cd "$TILL" && apply_patch <<'EOF'\n${PATCH}EOF` }, `[apply_patch] ${PATCHED}`],
    [
      'shell',
      { command: 'apply_patch <<EOF\n*** Begin Patch' },
      '[shell] apply_patch <<EOF\n*** Begin Patch',
    ],
    ['apply_patch', { input: PATCH }, `[apply_patch] ${PATCHED}`],
    [
      'send_message',
      { target: 'ada', message: `gAAAAAB${'x1'.repeat(40)}` },
      '[send_message] target: ada\nmessage:',
    ],
    ['ask', '{"q": ', '[ask] arguments: {"q":'],
  ])('tells a call in whichever form: %s %j', (name, input, expected) => {
    const rollout = new Rollout(threadId(1)).prompt('go').item({
      type: 'function_call',
      name,
      arguments: typeof input === 'string' ? input : JSON.stringify(input),
      call_id: 'c',
    });
    expect(stored(rollout).store.text('dialogue')).toBe(`User: go\n\n${expected}`);
  });

  it.each([
    [{ type: 'tool_search_call', arguments: { query: 'wiki' } }, '[tool_search] query: wiki'],
    [{ type: 'image_generation_call', revised_prompt: 'A till' }, '[image_generation] prompt: A till'],
    [{ type: 'local_shell_call', action: { command: ['ls', '-a'] } }, '[shell] ls -a'],
    [{ type: 'custom_tool_call', name: 'js', input: '6 * 7' }, '[js] input: 6 * 7'],
    [{ type: 'function_call', name: '_ask', namespace: 'mcp__wiki', arguments: '{}' }, '[mcp__wiki_ask]'],
    [
      { type: 'function_call', name: 'wait_agent', namespace: 'collaboration', arguments: '{}' },
      '[wait_agent]',
    ],
  ])('tells a call of any kind: %j', (item, expected) => {
    const rollout = new Rollout(threadId(1)).prompt('go').item(item);
    expect(stored(rollout).store.text('dialogue')).toBe(`User: go\n\n${expected}`);
  });

  it('keeps what a person answers to questions, to the last word, as the person’s', () => {
    const told = `Brass. ${'It does not rust. '.repeat(200)}So says the smith.`;
    const questions = [
      { id: 'm', header: 'Metal', question: 'Which?', options: [{ label: 'Brass' }] },
      { id: 'b', header: 'Bell', question: 'And a bell?', options: [{ label: 'Yes' }] },
    ];
    const { store } = stored(
      new Rollout(threadId(1))
        .prompt('go')
        .call('c', 'request_user_input', { questions })
        .output('c', JSON.stringify({ answers: { m: { answers: [told] } } }))
        .call('d', 'request_user_input', { questions })
        .output(
          'd',
          JSON.stringify({
            answers: { b: { answers: ['Yes', 'user_note: a loud one'] }, m: { answers: ['Tin'] } },
          }),
        )
        .call('e', 'request_user_input', { questions })
        .output('e', JSON.stringify({ answers: { m: { answers: [] } } })),
    );
    const text = store.text();
    expect(text).toContain(
      '[request_user_input] Which?\n- Brass\nAnd a bell?\n- Yes\n→ User answered: Brass.',
    );
    expect(text).not.toContain('left out');
    expect(text).toContain('→ User answered:\nMetal: Tin\nBell: Yes, a loud one\n');
    const said = store.saidBy('user').join(' ');
    expect(said.match(/It does not rust\./g)).toHaveLength(200);
    expect(said).toContain('a loud one');
    expect(store.saidBy('tool_result')).toEqual(['{"answers":{"m":{"answers":[]}}}']);
  });

  it('takes a prompt that is written in one form only', () => {
    const both = new Rollout(threadId(1)).turn().event({ type: 'user_message', message: 'event only' });
    both.turn().item(message('user', 'item only')).prompt('twice').prompt('twice');
    expect(stored(both).store.saidBy('user')).toEqual(['event only', 'item only', 'twice', 'twice']);
  });

  it('takes a prompt once that is written in three forms, and one that stands in the newest alone', () => {
    const completed = (text: string): Record<string, unknown> => ({
      type: 'item_completed',
      item: { type: 'UserMessage', id: 'i', content: [{ type: 'text', text }] },
    });
    const rollout = new Rollout(threadId(1));
    for (const text of ['yes', 'yes']) rollout.event(completed(text)).prompt(text).answer('Done.');
    rollout.prompt('go on').event(completed('go on')).answer('Gone.');
    rollout.turn().event(completed('alone')).answer('Heard.');
    const { store } = stored(rollout);
    expect(store.saidBy('user')).toEqual(['yes', 'yes', 'go on', 'alone']);
  });

  it.each([
    [
      '# Context from my IDE setup:\n\n## Open tabs:\n- till.ts: src/till.ts\n\n## My request for Codex:\n',
      'till.ts',
    ],
    [
      '\n<in-app-browser-context source="ambient-ui-state">\n# In app browser:\n- Current URL: http://till\n</in-app-browser-context>\n\n## My request:\n',
      'Current URL',
    ],
    [
      '\n# Review findings:\n\n## Finding 1 (till.ts:3) [added]\n[P2] The drawer sticks\n\nIt is dry.\n\n## My request for Codex:\n',
      'The drawer sticks',
    ],
    [
      '\n# Files mentioned by the user:\n\n## a.md: /a.md\n\n# Files pasted by the user:\n\n## "Error: dry…": /tmp/pasted-text.txt\n\n## My request:\n',
      'Error: dry…',
    ],
    ['# Applications mentioned by the user:\n\n## Till: /till\n\n## My request:\n', 'Till: /till'],
    ['# Chrome tabs:\n- Current URL: http://till\n\n## My request for Codex:\n', 'Current URL'],
    ['## Prior conversation with Codex:\n\nWe oiled it.\n\n## My request:\n', 'We oiled it.'],
    ...[
      '# MCP app context',
      '# Worktree instructions',
      '# Failing PR checks',
      '## Pull request fix',
      '## Pull request merge conflict',
      '## Pull request merge task',
      '# Auto resolve merge',
      '# Code review guidelines',
      '# Referenced chats with Codex',
      '# Referenced ChatGPT conversation',
    ].map((section): [string, string] => [
      `${section}:\n\nCI is red.\n\n## My request for Codex:\n`,
      'CI is red.',
    ]),
  ])('takes a request without what is put before it, once: %j', (before, context) => {
    const request = `${before}oil the till\n`;
    const { store } = stored(
      new Rollout(threadId(1))
        .prompt(request)
        .answer('Done.')
        .turn()
        .event({ type: 'user_message', message: request, images: ['data:'] }),
    );
    expect(store.saidBy('user')).toEqual(['oil the till', '[image]\noil the till']);
    expect(store.text('meta')).toContain(context);
  });

  it.each([
    ['\n## My request for Codex:\noil the till\n', 'oil the till'],
    [
      'Generate a file named AGENTS.md that serves as a contributor guide for this repository.\nYour goal is to produce a clear, concise, and well-structured document.',
      '/init',
    ],
    ['PLEASE IMPLEMENT THIS PLAN:\n# Oil the till\n1. Buy oil', 'PLEASE IMPLEMENT THIS PLAN: Oil the till'],
    [
      '# Context from my IDE setup:\n\n## My request for Codex:\nPLEASE IMPLEMENT THIS PLAN:\n1. Buy oil',
      'PLEASE IMPLEMENT THIS PLAN:',
    ],
    [
      '\r\n## User Input\r\n\r\n```text\r\nPhase 2\r\n```\r\n\r\nYou **MUST** consider the user input before proceeding (if not empty).\r\n\r\n## Outline\r\n\r\n1. Go.',
      'Phase 2',
    ],
    [
      '# Response annotations:\nEach item contains text selected from an earlier response.\n<response-annotations>\n[{"text":"It is\\ndry.","annotation":"really?"},{"text":"Oil it."}]\n</response-annotations>\n\n## My request:\ngo on\n',
      '> It is dry.\nreally?\ngo on',
    ],
    [
      '# Response annotations:\n<response-annotations>\n[{"text":"dry","annotation":"why?"}]\n</response-annotations>\n\n## My request:\n\n',
      '> dry\nwhy?',
    ],
    [
      '<system_instruction>\nYou work inside an app.\n</system_instruction>\n\n<system-instruction>\nRead them.\n</system-instruction>\n\noil the till',
      'oil the till',
    ],
    [
      'Automation: The till\nAutomation ID: till\nAutomation memory: $CODEX_HOME/automations/till/memory.md\nLast run: 2026-03-07T04:04:51.320Z (1772856291320)\n\nOil the till.',
      'Oil the till.',
    ],
    ['Automation: The till\nis to be oiled', 'Automation: The till\nis to be oiled'],
    [
      '\n# Files pasted by the user:\n\n## "Oil the till, then…": C:\\pasted-text.txt\n\nPasted text contains the user\'s request.\n\n## My request:\n\n\n',
      'Oil the till, then…',
    ],
  ])('takes of %j what was typed', (text, typed) => {
    const { store } = stored(new Rollout(threadId(1)).prompt(text).answer('Done.'));
    expect(store.saidBy('user')).toEqual([typed]);
  });

  it.each([
    [
      'Phase 2',
      '1. Run `check-prerequisites.sh --json --require-tasks` from repo root.',
      '/speckit.implement Phase 2',
    ],
    ['', '1. **Setup**: Run `.specify/scripts/bash/setup-plan.sh --json`.', '/speckit.plan'],
    [
      '',
      'The text the user typed after `/speckit.specify` is it. Next: `/speckit.plan`.',
      '/speckit.specify',
    ],
    ['', '1. Oil the till, and say so.\n2. Shut it.', '1. Oil the till, and say so.'],
    ['the big one', '1. Oil the till.', 'the big one'],
  ])(
    'takes of a command of Spec Kit’s with %j behind it, and of another in its frame, what was called: %j',
    (typed, page, called) => {
      const frame = 'You **MUST** consider the user input before proceeding (if not empty).';
      const text = `## User Input\n\n\`\`\`text\n${typed}\n\`\`\`\n\n${frame}\n\n## Outline\n\n${page}`;
      const { store } = stored(new Rollout(threadId(1)).prompt(text).answer('Done.'));
      expect([store.saidBy('user'), store.saidBy('assistant')]).toEqual([[called], ['Done.']]);
      expect(store.text('meta')).toContain(page);
    },
  );

  it('takes the guide that an editor puts before a request once more for no part of it', () => {
    const guide = '# The shop\n\n- oil the till\n'.repeat(20);
    const rollout = new Rollout(threadId(1))
      .item(
        message(
          'user',
          `# AGENTS.md instructions for /home/ada/shop\n\n<INSTRUCTIONS>\n${guide}\n## Skills\n</INSTRUCTIONS>`,
        ),
      )
      .item(message('user', '<environment_context>\n  <cwd>/home/ada/shop</cwd>\n</environment_context>'))
      .item(message('user', guide, 'shut it'))
      .event({ type: 'user_message', message: `${guide}shut it` })
      .prompt(guide);
    const { store } = stored(rollout);
    expect(store.saidBy('user')).toEqual(['shut it', guide.trim()]);
  });

  it('takes a page of Spec Kit’s that was sent with its head, and not filled in, for its command (0.40)', () => {
    const text =
      '---\r\ndescription: Plan the till.\r\nscripts:\r\n  sh: plan.sh\r\n---\r\n\r\n## User Input\r\n\r\n```text\r\n$ARGUMENTS\r\n```\r\n\r\nYou **MUST** consider the user input before proceeding (if not empty).\r\n\r\nRun `setup-plan.ps1 -Json`.';
    const { store } = stored(new Rollout(threadId(1)).prompt(text).answer('Done.'));
    expect(store.saidBy('user')).toEqual(['/speckit.plan']);
  });

  it('takes of a page of Spec Kit’s that was not filled in what it says it does', () => {
    const text =
      '---\ndescription: Plan the till.\n---\n\nThe user input to you can be provided directly by the agent or as a command argument.\n\nUser input:\n\n$ARGUMENTS\n\nGo.';
    const { store } = stored(
      new Rollout(threadId(1)).prompt(text).prompt(text.replace('The user input to you', 'It')),
    );
    expect(store.saidBy('user')).toEqual(['Plan the till.', expect.stringContaining('$ARGUMENTS')]);
  });

  it('takes what stands below an answer for the app alone for no part of it', () => {
    const citation =
      '<oai-mem-citation>\n<citation_entries>\nMEMORY.md:1-2|note=[tills]\n</citation_entries>\n</oai-mem-citation>';
    const git =
      '::git-stage{cwd="/home/ada/shop"} ::git-commit{cwd="/home/ada/shop"}\n::git-push{cwd="/home/ada/shop" branch="oil"}';
    const shown = `I ran this:\n\n${git}\n\nIt is a directive.`;
    const { store } = stored(
      new Rollout(threadId(1)).prompt('go').answer(`Pushed.\n\n${git}\n\n${citation}`).answer(shown),
    );
    expect(store.saidBy('assistant')).toEqual(['Pushed.', shown]);
    expect(store.text('meta')).toContain('MEMORY.md:1-2');
  });

  it.each([
    'What does this mean?\n## My request for Codex:',
    '# Review findings:\n\n## Finding 1\ndry\n\n# Diff comments:\n## Comment 1\nwhy?\n\n## My request for Codex:\n',
    '# In app browser:\n- open\n\n# Selected text:\n## Selection 1\nit sticks here\n\n## My request for Codex:\n',
    '# In app browser:\n- open\n\n# Browser comments:\n## Comment 1\nmore room here\n\n## My request for Codex:\n',
  ])('takes all that the person wrote: %j', (prompt) => {
    expect(stored(new Rollout(threadId(1)).prompt(prompt)).store.saidBy('user')).toEqual([prompt.trim()]);
  });

  it.each(['images', 'local_images'])('tells that a picture came with a prompt, from %s', (key) => {
    const event = { type: 'user_message', message: 'look', [key]: ['till.png'] };
    expect(stored(new Rollout(threadId(1)).turn().event(event)).store.saidBy('user')).toEqual([
      '[image]\nlook',
    ]);
  });

  it.each([
    ['looked at by the model', [], []],
    ['sent by the person', ['user.image'], ['[image]']],
  ])('takes a picture alone for one %s', (_, kinds, said) => {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'data:' }] };
    const rollout = new Rollout(threadId(1)).turn().item(ofKinds(item, kinds));
    const { store } = stored(rollout.answer('I see.'));
    expect(store.saidBy('user')).toEqual(said);
  });

  it('takes what stands around a picture for no words', () => {
    const texts = ['<image name="[Image #1]">', '</image>', 'look'];
    const [open, close, said] = texts.map((text) => ({ type: 'input_text', text }));
    const content = [open, { type: 'input_image', image_url: 'data:' }, close, said];
    const item = { type: 'message', role: 'user', content };
    expect(stored(new Rollout(threadId(1)).turn().item(item)).store.saidBy('user')).toEqual([
      '[image]\nlook',
    ]);
  });

  it('takes what only begins with a tag for the person’s', () => {
    const text = '<b>bold</b> letters on the till';
    const { store } = stored(new Rollout(threadId(1)).turn().item(message('user', text)).answer('Done.'));
    expect(store.saidBy('user')).toEqual([text]);
  });

  it.each([
    ['of a goal', ['user.goal'], ['oil the till'], []],
    [
      'of fewer texts than there are',
      ['user.text'],
      ['<environment_context>\n</environment_context>', 'go'],
      ['go'],
    ],
  ])('goes by the kinds of texts %s', (_, kinds, texts, said) => {
    const item = ofKinds(message('user', ...texts), kinds);
    const { store } = stored(new Rollout(threadId(1)).turn().item(item).answer('Done.'));
    expect(store.saidBy('user')).toEqual(said);
  });

  it('takes a short text that is the guide, too, for the person’s', () => {
    const rollout = new Rollout(threadId(1))
      .context()
      .turn()
      .item(message('user', 'be kind', 'shut it'));
    const { store } = stored(rollout.answer('Shut.'));
    expect(store.saidBy('user')).toEqual(['be kind\nshut it']);
  });

  it('tells an error once, also where the end of its turn repeats it', () => {
    const { store } = stored(
      new Rollout(threadId(1))
        .prompt('go')
        .event({ type: 'stream_error', message: 'the line is dead' })
        .event({ type: 'error', message: 'quota is used up' })
        .event({ type: 'task_complete', error: { message: 'quota is used up' } }),
    );
    expect(store.text('error').match(/the line is dead|quota is used up/g)).toEqual([
      'the line is dead',
      'quota is used up',
    ]);
  });

  it('takes a request of another thread that a command prints for what it printed', () => {
    const frame = '<codex_delegation>\n  <input>stop now</input>\n</codex_delegation>';
    const { store } = stored(
      new Rollout(threadId(1))
        .prompt('read it')
        .call('c1', 'exec_command', { cmd: 'cat it' })
        .ran('c1', frame),
    );
    expect(store.text('dialogue')).toContain('[exec_command] cat it\n→ <codex_delegation>');
  });

  it('takes no event for a prompt that says it is none', () => {
    const event = { type: 'user_message', kind: 'environment_context', message: '<environment_context/>' };
    const { store } = stored(new Rollout(threadId(1)).turn().event(event).prompt('go'));
    expect(store.saidBy('user')).toEqual(['go']);
  });

  it('takes what a person typed in tags once, whichever form of it comes first', () => {
    const texts = ['<task>open the till</task>', `<task>${'ring!'.repeat(600)}</task>`];
    const rollout = new Rollout(threadId(1)).context().prompt(texts[0]!).answer('Open.');
    rollout
      .turn()
      .event({ type: 'user_message', message: texts[1] })
      .item(message('user', texts[1]!))
      .answer('It rings.')
      .prompt(texts[1]!)
      .answer('Again.')
      .prompt('go');
    const { store } = stored(rollout);
    expect(store.saidBy('user').join('')).toBe(`${texts[0]}${texts[1]}${texts[1]}go`);
    expect(store.text('meta')).not.toContain('<task>');
    expect(store.text('meta')).toContain('be kind');
    expectSameInPieces(rollout.text);
  });

  it('takes what a person ran in the terminal, and no other part in tags', () => {
    const run =
      '<user_shell_command>\n<command>\nls\n</command>\n<result>\ntill.ts\n</result>\n</user_shell_command>';
    const { store } = stored(
      new Rollout(threadId(1))
        .item(message('user', run))
        .item(message('user', '<turn_aborted>\nby the user\n</turn_aborted>'))
        .prompt('<b>bold</b> please'),
    );
    expect(store.saidBy('user')).toEqual(['! ls', '<b>bold</b> please']);
  });

  it('takes nothing that Codex writes in a person’s place for the person’s', () => {
    const texts = [
      'Warning: apply_patch was requested via exec_command. Use the apply_patch tool instead of exec_command.',
      'Warning: The maximum number of unified exec processes you can keep open is 60 and you have 61.',
      'Warning: Your account was flagged for potentially high-risk cyber activity and this request was rerouted.',
      '<external_browser.Tab>http://till</external_browser.Tab>',
    ];
    const scheduled =
      '<heartbeat>\n<automation_id>a</automation_id>\n<instructions>count the coins</instructions>\n</heartbeat>';
    const rollout = new Rollout(threadId(1));
    for (const text of texts) rollout.item(message('user', text));
    rollout.prompt('Warning: apply_patch was requested via exec_command by my colleague').prompt(scheduled);
    const { store } = stored(rollout.answer('Counted.'));
    expect(store.saidBy('user')).toEqual([
      'Warning: apply_patch was requested via exec_command by my colleague',
    ]);
    expect(store.text('meta').match(/count the coins/g)).toHaveLength(1);
    expect(store.saidBy('assistant')).toEqual(['Counted.']);
  });

  it.each([
    ['source', { source: { internal: 'memory_consolidation' }, thread_source: 'memory_consolidation' }],
    ['source of another kind', { source: { subagent: { other: 'guardian' } }, thread_source: 'subagent' }],
  ])('that Codex starts for itself holds no person’s words: %s', (_, meta) => {
    const { store } = stored(new Rollout(threadId(1), meta).prompt('Consolidate the notes.').answer('Done.'));
    expect(store.saidBy('user')).toEqual([]);
    expect(store.text()).toContain('Consolidate the notes.');
    const [agent] = store.contents()['agents'] as { name: string }[];
    expect(['memory_consolidation', 'guardian']).toContain(agent!.name);
  });

  it('tells as another thread’s what that asks for, once', () => {
    const frame = (input: string): string =>
      `<codex_delegation>\n  <source_thread_id>${threadId(9)}</source_thread_id>\n  <input>${input}</input>\n</codex_delegation>`;
    const { store } = stored(
      new Rollout(threadId(1))
        .prompt(frame('is a &lt; b?'))
        .answer('Yes.')
        .item({
          type: 'function_call_output',
          id: 'fco_1',
          name: 'send_message_to_thread',
          namespace: 'codex_app',
          output: frame('stop now'),
        })
        .answer('Stopped.'),
    );
    expect(store.saidBy('user')).toEqual([]);
    for (const text of ['is a < b?', 'stop now'])
      expect(store.text('dialogue').split(`another thread → main: ${text}`)).toHaveLength(2);
  });

  it('takes what a person asked for by voice, in both forms once', () => {
    const spoken =
      '<realtime_delegation>\n  <input>is a &lt; b &amp;&amp; c?</input>\n  <transcript_delta>user: hm</transcript_delta>\n</realtime_delegation>';
    const { store } = stored(new Rollout(threadId(1)).prompt(spoken).answer('Yes.'));
    expect(store.saidBy('user')).toEqual(['is a < b && c?']);
  });

  it('takes what a person answered to a question that the agent did not wait for, in all forms once', () => {
    const reply = (...replies: [string, string][]): string =>
      `<send_user_message_question_reply>\n${JSON.stringify(
        replies.map(([question, answer]) => ({
          questionItemId: '["request_user_input_async","c",0]',
          question,
          answer,
        })),
      )}\n</send_user_message_question_reply>`;
    const [metal, polish] = [['Which metal?', 'Brass, "polished".'] as const, ['Polish?', 'Yes.'] as const];
    const editors = `# Context from my IDE setup:\n\n## Open tabs:\n- till.ts\n\n## My request for Codex:\n${reply([...polish])}`;
    const { store } = stored(
      new Rollout(threadId(1))
        .prompt('go')
        .call('c', 'request_user_input_async', { questions: [{ title: metal[0], options: ['Brass'] }] })
        .output('c', '{"accepted":true}')
        .prompt(reply([...metal], [...polish]))
        .event({
          type: 'item_completed',
          item: {
            type: 'UserMessage',
            id: 'u',
            content: [{ type: 'text', text: reply([...metal], [...polish]) }],
          },
        })
        .answer('Good.')
        .prompt(editors)
        .prompt('<send_user_message_question_reply>\n[{"answ'),
    );
    expect(store.saidBy('user')).toEqual([
      'go',
      'Brass, "polished".\nYes.',
      'Yes.',
      '<send_user_message_question_reply>\n[{"answ',
    ]);
    expect(store.text()).toContain('[request_user_input_async] Which metal?\n- Brass');
  });

  it('takes what a person asked for by a command, once', () => {
    const goal = (objective: string, turnId?: string): Record<string, unknown> => ({
      type: 'thread_goal_updated',
      threadId: threadId(1),
      ...(turnId !== undefined && { turnId }),
      goal: { objective, status: 'active', tokensUsed: 1 },
    });
    const rollout = new Rollout(threadId(1)).prompt('hello').answer('Hello.').event(goal('polish all tills'));
    rollout.turn().event(goal('polish all tills', 't')).answer('Polished.').event(goal('polish all tills'));
    rollout.turn().event(goal('count them', 't')).answer('Counted.').event(goal('count them'));
    for (const target of [
      { type: 'custom', instructions: 'look at the drawer' },
      { type: 'uncommittedChanges' },
    ]) {
      rollout.turn().event({ type: 'entered_review_mode', target, user_facing_hint: 'current changes' });
      rollout
        .item(message('user', '<user_action>\n<action>review</action>\n</user_action>'))
        .answer('It is fine.');
    }
    const { store, folder } = stored(rollout);
    const prompts = [
      'hello',
      '/goal polish all tills',
      '/review look at the drawer',
      '/review current changes',
    ];
    expect(store.saidBy('user')).toEqual(prompts);
    const fork = new Rollout(threadId(2), { forked_from_id: threadId(1) }, 5).copy(rollout);
    fork.writeTo(join(folder, `rollout-2026-03-01T10-05-00-${threadId(2)}.jsonl`));
    ingestTree(store.store, [folder]);
    expect(store.saidBy('user')).toEqual(prompts);
  });

  it('keeps a compaction and what the person rolled back apart', () => {
    const { store } = stored(
      new Rollout(threadId(1))
        .prompt('first')
        .answer('one')
        .prompt('a wrong turn')
        .answer('into the wall')
        .event({ type: 'thread_rolled_back', num_turns: 1 })
        .prompt('second')
        .answer('two')
        .record('compacted', { message: 'So far: the till opens.', replacement_history: [] })
        .answer('three'),
    );
    expect(store.saidBy('user')).toEqual(['first', 'second']);
    expect(store.saidBy('assistant')).toEqual(['one', 'two', 'three']);
    expect(store.text('compaction')).toBe('So far: the till opens.');
    // No place stays empty.
    const places = (store.contents()['chunks'] as { seq: number }[]).map(({ seq }) => seq);
    expect(places).toEqual([...places.keys()]);
  });

  it('takes all back where more is rolled back than is known', () => {
    const { store } = stored(
      new Rollout(threadId(1))
        .prompt('a wrong turn')
        .answer('into the wall')
        .event({ type: 'thread_rolled_back', num_turns: 3 })
        .prompt('second')
        .answer('two'),
    );
    expect(store.saidBy('user')).toEqual(['second']);
  });

  it.each(['patch rejected by user', 'exec command rejected by user'])('touches nothing: %s', (refusal) => {
    const { store } = stored(
      new Rollout(threadId(1))
        .prompt('ring the bell')
        .item({ type: 'custom_tool_call', call_id: 'p', name: 'apply_patch', input: PATCH })
        .output('p', refusal),
    );
    expect(store.text()).toContain(`→ Error: ${refusal}`);
    expect(store.facts()[0]).not.toHaveProperty('filesTouched');
  });

  it.each([
    ['CreateProcess { message: "Rejected(\\"rejected by user\\")" }', 'rejected by user', []],
    [
      'CreateProcess { message: "Rejected(\\"Too great a risk.\\\\nReason: it doesn\\\\\'t ring.\\\\nThe agent must not attempt to ring another.\\")" }',
      "Too great a risk.\nReason: it doesn't ring.",
      [],
    ],
    [
      'SandboxDenied { message: "no bell\\n", output: ExecToolCallOutput { exit_code: 1, stdout: StreamOutput { text: "", truncated_after_lines: None }, stderr: StreamOutput { text: "no bell\\n", truncated_after_lines: None }, aggregated_output: StreamOutput { text: "no bell\\n", truncated_after_lines: None }, duration: 0ns } }',
      'Exit code 1\nno bell',
      ['no bell'],
    ],
    [
      'SandboxDenied { output: ExecToolCallOutput { exit_code: 1, aggregated_output: StreamOutput { text: "no \\"C:\\\\new\\\\bell\\"\\n", truncated_after_lines: None } } }',
      'Exit code 1\nno "C:\\new\\bell"',
      ['no "C:\\new\\bell"'],
    ],
    [
      'CreateProcess { message: "SandboxDenied { exit_code: 1, aggregated_output: StreamOutput { text: \\"no C:\\\\\\\\new\\\\nbell\\\\n\\", truncated_after_lines: None } }" }',
      'Exit code 1\nno C:\\new\nbell',
      ['bell'],
    ],
    [
      'CreateProcess { message: "No such file" }',
      'CreateProcess { message: "No such file" }',
      ['CreateProcess { message: "No such file" }'],
    ],
  ])('says why a command was not done: %s', (error, told, errors) => {
    const { store } = stored(
      new Rollout(threadId(1))
        .prompt('ring the bell')
        .call('c', 'exec_command', { cmd: 'ring `date`' })
        .output('c', `exec_command failed for \`/bin/zsh -lc 'ring \`date\`'\`: ${error}`),
    );
    expect(store.text()).toContain(`[exec_command] ring \`date\`\n→ Error: ${told}`);
    expect(store.text()).not.toMatch(/must not attempt|failed for/);
    expect(store.facts().flatMap(({ errors }) => errors ?? [])).toEqual(
      errors.map((message) => ({ message })),
    );
  });

  it('says why a command was not done that the error does not name (winter 2026)', () => {
    const { store } = stored(
      new Rollout(threadId(1))
        .prompt('ring the bell')
        .call('c', 'exec_command', { cmd: 'ring' })
        .output(
          'c',
          'exec_command failed: SandboxDenied { message: "no bell\\n", output: ExecToolCallOutput { exit_code: 1, aggregated_output: StreamOutput { text: "no bell\\n", truncated_after_lines: None } } }',
        ),
    );
    expect(store.text()).toContain('[exec_command] ring\n→ Error: Exit code 1\nno bell');
    expect(store.facts().flatMap(({ errors }) => errors ?? [])).toEqual([{ message: 'no bell' }]);
  });

  it.each([
    [
      'failed in sandbox MacosSeatbelt with execution error: sandbox denied exec error, exit code: 1, stdout: 1 bell\n, stderr: error: no tongue\n',
      'Exit code 1\n1 bell\nerror: no tongue',
      'error: no tongue',
    ],
    [
      'failed in sandbox LinuxSeccomp with execution error: Denied { output: ExecToolCallOutput { exit_code: 1, stdout: StreamOutput { text: "", truncated_after_lines: None }, aggregated_output: StreamOutput { text: "no bell\\n", truncated_after_lines: None } } }',
      'Exit code 1\nno bell',
      'no bell',
    ],
    [
      'failed in sandbox None with execution error: command timed out',
      'command timed out',
      'command timed out',
    ],
    ['failed in sandbox: error: no C:\\new\\bell\n', 'error: no C:\\new\\bell', 'error: no C:\\new\\bell'],
    ['failed in sandbox: ', 'failed in sandbox', 'failed in sandbox'],
    [
      'execution error: No such file or directory (os error 2)',
      'No such file or directory (os error 2)',
      'No such file or directory (os error 2)',
    ],
  ])('knows a command that failed in the sandbox (2025): %s', (output, told, message) => {
    const { store } = stored(
      new Rollout(threadId(1))
        .prompt('hang the bell')
        .call('c', 'shell', { command: ['bash', '-lc', 'git commit -m "Hang the bell"'] })
        .output('c', output),
    );
    expect(store.text()).toContain(`\n→ Error: ${told}`);
    expect(store.text()).not.toMatch(/execution error|sandbox: /);
    expect(store.facts()[0]).toMatchObject({ errors: [{ message }] });
    expect(store.facts()[0]).not.toHaveProperty('commits');
  });

  it('keeps what a command wrote, a closing tag in it too', () => {
    const ran = '<command>\ncat a.xml\n</command>\n<result>\n<result>1</result>\n<b/>\n</result>';
    const { store } = stored(
      new Rollout(threadId(1)).item(message('user', `<user_shell_command>\n${ran}\n</user_shell_command>`)),
    );
    expect(store.saidBy('user')).toEqual(['! cat a.xml']);
    expect(store.text('dialogue')).toBe('User: ! cat a.xml\n→ <result>1</result>\n<b/>');
  });

  it('tells of a command that failed in the terminal as of any other', () => {
    const ran =
      '<command>\nnpm test\n</command>\n<result>\nExit code: 1\nDuration: 2.5 seconds\nOutput:\nstuck\n</result>';
    const { store } = stored(
      new Rollout(threadId(1)).item(message('user', `<user_shell_command>\n${ran}\n</user_shell_command>`)),
    );
    expect(store.text('dialogue')).toBe('User: ! npm test\n→ Error: Exit code 1\nstuck');
  });

  it('keeps no secret in its checkpoint that stands in the name of its branch', () => {
    const secret = `ghp_${'x1'.repeat(18)}`;
    const git = { branch: `till/${secret}` };
    const { store } = stored(new Rollout(threadId(1), { git }).prompt('go').answer('gone').prompt('on'));
    expect(store.chunks().length).toBeGreaterThan(1);
    expect(store.contents()['chunks']).toContainEqual(
      expect.objectContaining({ git_branch: 'till/[REDACTED:github]' }),
    );
    const { state } = store.store.transcripts.checkpoint(store.transcriptPaths()[0]!)!;
    expect(state).toContain('till/[REDACTED:github]');
    expect(state).not.toContain(secret);
  });

  it('loses its secrets and private parts', () => {
    const { store } = stored(
      new Rollout(threadId(1))
        .prompt('use <private>my diary</private> and AKIAIOSFODNN7EXAMPLF')
        .call('c', 'exec_command', { cmd: 'export GITHUB_TOKEN=ghp_0123456789abcdefghijklmnopqrstuvwxyz' }),
    );
    const all = JSON.stringify(store.contents());
    for (const secret of ['my diary', 'AKIAIOSFODNN7EXAMPLF', 'ghp_0123456789'])
      expect(all).not.toContain(secret);
  });

  it('costs nothing but itself where a record is damaged', () => {
    const damaged = new Rollout(threadId(1))
      .raw('{"timestamp":"2026-03-01T10:00:00Z","type":"response_item","payload":{"type":"mess')
      .raw('[]')
      .record('response_item', { type: 'function_call', name: 'exec_command', arguments: '{"cmd": ' })
      .record('response_item', { type: 'message', role: 'assistant', content: 7 })
      .record('something_new', { a: 1 })
      .prompt('go on');
    const folder = temporaryFolder();
    const store = new TestStore();
    damaged.writeTo(join(folder, 'rollout.jsonl'));
    const { issues } = ingestTree(store.store, [folder]);
    expect(issues.map(({ code }) => code)).toEqual(['invalid-json', 'not-an-object']);
    expect(store.saidBy('user')).toEqual(['go on']);
  });

  it('is none while nothing was said in it', () => {
    expect(stored(new Rollout(threadId(1))).store.contents()['sessions']).toEqual([]);
  });

  it('goes by the thread that its name tells where its first record is damaged', () => {
    const rollout = new Rollout(threadId(1)).prompt('go on');
    rollout.lines[0] = rollout.lines[0]!.slice(0, 90);
    expect(stored(rollout).store.contents()['sessions']).toMatchObject([{ uuid: threadId(1) }]);
  });

  it('is read on behind a record that was broken off, as by a crash', () => {
    const { lines } = new Rollout(threadId(1)).prompt('go on').answer('gone');
    const last = lines.at(-1)!;
    const path = join(temporaryFolder(), 'rollout.jsonl');
    for (const rest of [last.slice(0, 90), '\0'.repeat(100)]) {
      writeFileSync(path, `${[...lines.slice(0, -1), rest + last].join('\n')}\n`);
      const store = new TestStore();
      expect(store.ingest(path).issues).toMatchObject([{ line: lines.length, code: 'invalid-json' }]);
      expect(store.saidBy('assistant')).toEqual(['gone']);
    }
  });

  it('of the first versions, without envelopes, is read', () => {
    const path = join(temporaryFolder(), `rollout-2025-05-07T17-24-21-${threadId(1)}.jsonl`);
    const records = [
      { id: threadId(1), timestamp: '2025-05-07T17:24:21.123Z', instructions: null },
      message(
        'user',
        '<environment_context>\nCurrent working directory: /home/ada/old\nShell: zsh\n</environment_context>',
      ),
      { record_type: 'state' },
      message('user', 'ring the bell'),
      { type: 'function_call', name: 'shell', arguments: '{"command":["ls","-a"]}', call_id: 'c' },
      { type: 'function_call_output', call_id: 'c', output: '{"output":"bell","metadata":{"exit_code":0}}' },
      {
        type: 'custom_tool_call',
        name: 'apply_patch',
        input: '*** Update File: bell.ts\n+ring',
        call_id: 'p',
      },
      { type: 'custom_tool_call_output', call_id: 'p', output: 'aborted by user after 2s' },
      message('assistant', 'It rang.'),
    ];
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const store = new TestStore();
    store.ingest(path);
    expect(store.contents()['sessions']).toMatchObject([{ uuid: threadId(1), project: '/home/ada/old' }]);
    // No record but the first has a time.
    const startTime = Date.parse('2025-05-07T17:24:21.123Z');
    expect(store.contents()['turns']).toMatchObject([{ start_time: startTime }, { start_time: startTime }]);
    expect(store.text('dialogue')).toBe(
      'User: ring the bell\n\n[shell] ls -a\n→ bell\n\n[apply_patch] bell.ts\n+ ring\n→ Error: aborted by user after 2s\n\nAssistant: It rang.',
    );
  });
});

describe('a Codex rollout that grows', () => {
  const rollout = new Rollout(threadId(1))
    .context()
    .prompt('first')
    .answer('one')
    .call('c1', 'spawn_agent', { agent_type: 'explorer', message: 'look around' })
    .output('c1', JSON.stringify({ agent_id: threadId(7), nickname: 'Ada' }))
    .prompt('second')
    .call('c2', 'exec_command', { cmd: 'sleep 9' })
    .turn()
    .event({ type: 'user_message', message: 'steer' })
    .ran('c2', 'slept')
    .item(message('user', 'steer'))
    .answer('two')
    .prompt('wrong')
    .answer('lost')
    .event({ type: 'thread_rolled_back', num_turns: 2 })
    .prompt('third')
    .record('compacted', { message: 'in short' })
    .answer('three')
    .patch('c3', PATCH);
  const bytes = Buffer.from(rollout.text);

  const contentsAfter = (cuts: readonly number[]): unknown => contentsInPieces(bytes, cuts);

  it.each([331, 97])('gives the same as at once, cut every %i bytes', (step) => {
    const expected = contentsAfter([bytes.length]);
    for (let cut = 300; cut < bytes.length; cut += step * 7) {
      expect(contentsAfter([cut, bytes.length])).toEqual(expected);
    }
    const all = Array.from({ length: Math.floor(bytes.length / step) }, (_, n) => (n + 1) * step);
    expect(contentsAfter([...all, bytes.length])).toEqual(expected);
  });

  it('is read from its last open turn on', () => {
    const path = rollout.writeTo(join(temporaryFolder(), 'rollout.jsonl'));
    const store = new TestStore();
    store.ingest(path);
    appendFileSync(path, `${new Rollout(threadId(1)).answer('more').lines.at(-1)}\n`);
    const report = store.ingest(path);
    expect(report.bytes).toBeLessThan(bytes.length / 2);
    expect(store.saidBy('assistant')).toEqual(['one', 'three', 'more']);
  });
});

describe('older versions of Codex', () => {
  it('told the model the command, as well, when it had run', () => {
    const head = `Command: /bin/bash -lc 'cat <<E\nOutput:\nE\nnpm test'\nChunk ID: a1\nWall time: 0.1 seconds`;
    const { store } = stored(
      new Rollout(threadId(1))
        .prompt('open the till')
        .call('c1', 'exec_command', { cmd: 'npm test' })
        .output('c1', `${head}\nProcess exited with code 1\nOriginal token count: 3\nOutput:\nError: stuck`)
        .answer('Stuck.'),
    );
    expect(store.text()).toContain('[exec_command] npm test\n→ Error: Exit code 1\nError: stuck');
    expect(store.text()).not.toContain('Chunk ID');
  });

  it('wrote what the model looked at as a message of the person’s, who said nothing', () => {
    const image = { type: 'input_image', image_url: 'data:' };
    const pasted = { type: 'message', role: 'user', content: [image] };
    const { store } = stored(
      new Rollout(threadId(1))
        .prompt('see the till')
        .call('c1', 'view_image', { path: 'till.png' })
        .item(pasted)
        .output('c1', 'attached local image path')
        .answer('I see it.')
        .turn()
        .item(pasted)
        .event({ type: 'user_message', message: '', images: ['data:'] })
        .answer('Another one.'),
    );
    expect(store.saidBy('user')).toEqual(['see the till', '[image]']);
  });
});

describe('a Codex fork', () => {
  const original = new Rollout(threadId(1)).context().prompt('build a till').answer('built');
  const fork = new Rollout(threadId(2), { forked_from_id: threadId(1) }, 10)
    .copy(original)
    .prompt('make it blue')
    .answer('blue it is');
  const second = new Rollout(threadId(3), { forked_from_id: threadId(2) }, 20)
    .copy(fork)
    .prompt('make it red')
    .answer('red it is');

  it('is stored once, linked to the thread it continues', () => {
    const { store } = stored(second, fork, original);
    expect(store.saidBy('user').toSorted()).toEqual(['build a till', 'make it blue', 'make it red']);
    expect(store.contents()['sessions']).toMatchObject([
      { uuid: threadId(1), continues_uuid: null },
      { uuid: threadId(2), continues_uuid: threadId(1) },
      { uuid: threadId(3), continues_uuid: threadId(2) },
    ]);
  });

  it.each(['123', '132', '213', '231', '312', '321'])('is so in whatever order: %s', (order) => {
    const folder = temporaryFolder();
    const paths = [original, fork, second].map((each) => each.writeTo(join(folder, `${each.thread}.jsonl`)));
    const store = new TestStore();
    // What was taken back from a fork is read again by the next run.
    for (const at of `${order}${order}`) store.ingest(paths[Number(at) - 1]!);
    expect(store.contents()['sessions']).toMatchObject([
      { uuid: threadId(1), continues_uuid: null },
      { uuid: threadId(2), continues_uuid: threadId(1) },
      { uuid: threadId(3), continues_uuid: threadId(2) },
    ]);
    const turns = store.contents()['turns'] as { path: string; facts: string }[];
    const requests = turns.map(({ path, facts }) => [
      path,
      (JSON.parse(facts) as Record<string, unknown>)['request'],
    ]);
    expect(requests.filter(([, request]) => request)).toEqual([
      [paths[0], 'build a till'],
      [paths[1], 'make it blue'],
      [paths[2], 'make it red'],
    ]);
  });

  it('is known by its turns where its file begins in the middle of its original', () => {
    const turnOf = (n: number) => ({ turn_id: `019f0000-0000-7000-8000-00000000000${n}` });
    const older = new Rollout(threadId(5)).record('turn_context', turnOf(1)).item(message('user', 'sweep'));
    const latter = (rollout: Rollout) =>
      rollout.record('turn_context', turnOf(2)).item(message('user', 'oil it')).answer('oiled');
    const part = latter(new Rollout(threadId(6), { forked_from_id: threadId(5) }, 10));
    expect(stored(latter(older), part.item(message('user', 'ring it'))).store.saidBy('user')).toEqual([
      'sweep',
      'oil it',
      'ring it',
    ]);
  });

  it('goes on on its own branch, whatever its copy says of that of its original', () => {
    const onOther = new Rollout(threadId(7), { git: { branch: 'oil' } }).context().prompt('oil it');
    const branched = new Rollout(threadId(8), { forked_from_id: threadId(7) }, 10)
      .copy(onOther)
      .prompt('ring it');
    const { store } = stored(onOther, branched);
    const db = openSqlite(store.path, { readonly: true });
    const branches = db.prepare("SELECT git_branch FROM chunk WHERE kind = 'dialogue'").pluck().all();
    db.close();
    expect(branches).toEqual(['oil', 'main']);
  });

  it('does not swallow another thread that says the same', () => {
    const twin = new Rollout(threadId(4), {}, 30).context().prompt('build a till').answer('built');
    expect(stored(original, twin).store.saidBy('user')).toEqual(['build a till', 'build a till']);
  });

  it('nor one whose turns have names that say nothing', () => {
    const swept = (n: number) => {
      const begun = new Rollout(threadId(n), {}, n).event({ type: 'task_started', turn_id: 'turn-1' });
      return begun.item(message('user', 'sweep')).answer('swept');
    };
    expect(stored(swept(5), swept(6)).store.saidBy('user')).toEqual(['sweep', 'sweep']);
  });

  it('of a moved file changes nothing', () => {
    const { store, folder } = stored(original);
    const before = store.saidBy('user');
    original.writeTo(join(folder, 'archived', 'rollout.jsonl'));
    ingestTree(store.store, [folder]);
    expect(store.saidBy('user')).toEqual(before);
  });
});

describe('a Codex thread that was taken over from another agent', () => {
  const note = '[external_agent_tool_call: Bash]\ncommand: ls\n[/external_agent_tool_call]';
  const result = '[external_agent_tool_result]\ntill.ts\n[/external_agent_tool_result]';
  const imported = (thread: string, minute = 0): Rollout =>
    new Rollout(thread, { cwd: '/home/ada/shop' }, minute)
      .event({ type: 'task_started', turn_id: 'external-import-turn-1' })
      .item(message('user', 'open the till'))
      .event({ type: 'user_message', message: 'open the till' })
      .item(message('assistant', `I look.\n\n${note}`))
      .event({ type: 'agent_message', message: `I look.\n\n${note}` })
      .item(message('assistant', result))
      .item(message('assistant', 'It is open.'))
      .event({ type: 'task_complete', turn_id: 'external-import-turn-1' });

  function read(source: string, isThere: boolean, ...rollouts: Rollout[]): TestStore {
    const home = temporaryFolder();
    const original = join(home, source);
    mkdirSync(dirname(original), { recursive: true });
    if (isThere) writeFileSync(original, '');
    const another = join(dirname(join(home, claudes)), `${threadId(8)}.jsonl`);
    mkdirSync(dirname(another), { recursive: true });
    writeFileSync(another, '');
    const records = [
      { source_path: original, imported_thread_id: threadId(1), content_sha256: 'x' },
      { source_path: another, imported_thread_id: threadId(8), content_sha256: 'y' },
    ];
    writeFileSync(join(home, 'external_agent_session_imports.json'), JSON.stringify({ records }));
    const store = new TestStore();
    for (const rollout of rollouts) {
      rollout.writeTo(join(home, 'sessions', '2026', '03', '01', `rollout-x-${rollout.thread}.jsonl`));
      ingestTree(store.store, [join(home, 'sessions')]);
    }
    return store;
  }
  const claudes = `.claude/projects/-home-ada-shop/${threadId(9)}.jsonl`;

  it('is told from where it went on, if it was one of Claude Code’s that is there; so are its forks', () => {
    const rollout = imported(threadId(1)).prompt('and close it').answer('Closed.');
    const fork = new Rollout(threadId(2), { forked_from_id: threadId(1) }, 5)
      .copy(rollout)
      .prompt('now ring');
    const store = read(claudes, true, rollout, fork);
    expect(store.saidBy('user')).toEqual(['and close it', 'now ring']);
    expect(store.saidBy('assistant')).toEqual(['Closed.']);
  });

  it.each([
    ['is gone', claudes, false],
    ['is of an agent that is not read', `.cursor/projects/shop/agent-transcripts/${threadId(9)}.jsonl`, true],
  ])('is told where the original %s, with what the agent did not say told apart', (_, source, isThere) => {
    const store = read(source, isThere, imported(threadId(1)).prompt('and close it').answer('Closed.'));
    expect(store.saidBy('user')).toEqual(['open the till', 'and close it']);
    expect(store.saidBy('assistant')).toEqual(['I look.', 'It is open.', 'Closed.']);
    expect(store.text('meta')).toContain('till.ts');
  });
});

it('what the agent says while it works is kept whole, and not that it was delivered', () => {
  const said = `The drawer is stuck. ${'It needs oil. '.repeat(200)}May I?`;
  const { store } = stored(
    new Rollout(threadId(1))
      .prompt('open the till')
      .call('c', 'send_message_to_user_async', { message: said })
      .output('c', '{"accepted":true}'),
  );
  const text = store.text('dialogue');
  expect(text).toContain('[send_message_to_user_async] The drawer is stuck.');
  expect(text.split('It needs oil.')).toHaveLength(201);
  expect(text).not.toContain('accepted');
});

it('what a script asks by `codex exec` is known to be asked by a program', () => {
  const { store } = stored(
    new Rollout(threadId(1)).prompt('open the till').answer('It opens.'),
    new Rollout(threadId(2), { source: 'exec', originator: 'codex_exec' })
      .prompt('Name this commit.')
      .answer('fix: it'),
    new Rollout(threadId(3), { source: 'exec', originator: 'codex_exec' })
      .event({ type: 'entered_review_mode', user_facing_hint: 'current changes' })
      .answer('It is fine.'),
  );
  expect(store.facts()).toEqual([
    expect.not.objectContaining({ byProgram: true }),
    expect.objectContaining({ request: 'Name this commit.', byProgram: true }),
    expect.objectContaining({ request: '/review current changes', byProgram: true }),
  ]);
});

describe('a thread that an editor starts', () => {
  const exec = { source: 'exec', originator: 'codex_vscode' };
  const title =
    'Generate a concise UI title (20-40 characters) for this task.\nReturn only the title.\n\nTask:\nopen the till';

  it('to find a title is none', () => {
    const { store } = stored(
      new Rollout(threadId(1)).prompt('open the till').answer('It opens.'),
      new Rollout(threadId(2), exec).context().prompt(title).answer('Open the till'),
    );
    expect(store.saidBy('user')).toEqual(['open the till']);
    expect(store.contents()['sessions']).toHaveLength(1);
  });

  it.each([
    '# Overview\n\nGenerate 0 to 3 hyperpersonalized suggestions for what this user can do with Codex in this local project: /till',
    'You are an expert at upholding safety and compliance standards for Codex ambient suggestions.\n\nI will present you',
    'You write the one-line activity update displayed beneath an existing Codex task title.\nFill the field',
  ])('to show something in the app is none: %s', (text) => {
    const meta = { source: 'vscode', originator: 'Codex Desktop' };
    const { store } = stored(
      new Rollout(threadId(1), meta).prompt('open the till').answer('It opens.'),
      new Rollout(threadId(2), meta).context().prompt(text).answer('{}'),
      new NumberedRollout(threadId(3), meta).prompt(text).answer('{}'),
      new NumberedRollout(threadId(4), { thread_source: 'system' }).prompt('Sum up').answer('{}'),
    );
    expect(store.saidBy('user')).toEqual(['open the till']);
    expect(store.contents()['sessions']).toHaveLength(1);
  });

  it('is none while what it asks is yet to come', () => {
    const begun = new Rollout(threadId(2), exec).context().item(message('user', title));
    expect(stored(begun).store.contents()['sessions']).toEqual([]);
    expect(stored(begun.answer('Open the till')).store.contents()['sessions']).toHaveLength(1);
  });

  it('is one where it does something, or where a person asks for a title', () => {
    const { store } = stored(
      new Rollout(threadId(1), exec).context().prompt('open the till').answer('It opens.'),
      new Rollout(threadId(2)).context().prompt(title).answer('Open the till'),
    );
    expect(store.contents()['sessions']).toHaveLength(2);
  });
});

describe('a Codex sub-agent', () => {
  it('reports by its path', () => {
    const notice = { agent_path: '/root/explorer', status: { completed: 'The cellar is dry.' } };
    const text = `<subagent_notification>\n${JSON.stringify(notice)}\n</subagent_notification>`;
    const { store } = stored(
      new Rollout(threadId(1)).prompt('explore').item(message('user', text)).answer('Dry.'),
    );
    expect(store.text()).toContain('/root/explorer → main: The cellar is dry.');
  });

  it('belongs to the session that started it, under its name', () => {
    const parent = new Rollout(threadId(1))
      .prompt('explore')
      .call('c1', 'spawn_agent', { agent_type: 'explorer', message: 'look in the cellar' })
      .output('c1', JSON.stringify({ agent_id: threadId(2), nickname: 'Hypatia' }))
      .answer('Meanwhile I count the stairs. '.repeat(80))
      .item(
        message(
          'user',
          `<subagent_notification>\n${JSON.stringify({ agent_id: threadId(2), status: { completed: 'The cellar is dry.' } })}\n</subagent_notification>`,
        ),
      )
      .answer('Dry.');
    const source = { subagent: { thread_spawn: { parent_thread_id: threadId(1), depth: 1 } } };
    const child = new Rollout(
      threadId(2),
      {
        session_id: threadId(1),
        source,
        thread_source: 'subagent',
        agent_nickname: 'Hypatia',
        agent_role: 'explorer',
      },
      5,
    )
      .prompt('look in the cellar')
      .answer('It is dry.');
    const { store } = stored(child, parent);
    expect(store.contents()['sessions']).toHaveLength(1);
    expect(store.contents()['agents']).toMatchObject([
      { key: threadId(2), kind: 'subagent', name: 'Hypatia', description: 'explorer', tool_use_id: 'c1' },
    ]);
    expect(store.saidBy('user')).toEqual(['explore']);
    expect(store.text()).toContain('Assignment: look in the cellar');
    expect(store.text()).toContain('Hypatia → main: The cellar is dry.');
    expect(store.chunks().find(({ text }) => text.includes('It is dry.'))).toMatchObject({
      agent: threadId(2),
    });
    expect(edges(store)).toEqual([
      ['brief', expect.stringContaining('[spawn_agent] explorer'), expect.stringContaining('Assignment: ')],
      ['debrief', expect.stringContaining('Assignment: '), expect.stringContaining('The cellar is dry.')],
    ]);
  });
});

/** What an agent was given and gave back, with the texts at both ends. */
function edges(store: TestStore): unknown[] {
  const db = openSqlite(store.path, { readonly: true });
  const rows = db.prepare(
    `SELECT e.type, a.text, b.text FROM edge e JOIN chunk a ON a.id = from_id JOIN chunk b ON b.id = to_id
     WHERE e.type IN ('brief', 'debrief') ORDER BY e.type`,
  );
  const found = rows.raw().all();
  db.close();
  return found;
}
