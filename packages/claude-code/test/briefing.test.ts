import { countTokens } from '@causantic/domain/tokens';
import { describe, expect, it } from 'vitest';
import { briefing, readProjectMemory } from '../src/index.js';
import { RememberingHome, sessionOn, SHOP } from './remembered.js';
import { TranscriptBuilder } from '../../../test/e2e/transcript-builder.js';

function brief(home: RememberingHome, budgetTokens = 1_500, session?: string): string {
  const memory = readProjectMemory(home.store, { project: home.project, ...(session && { session }) });
  return memory ? briefing(memory, budgetTokens) : '';
}

const edit = (file: string) => ({ file_path: `${SHOP}/${file}`, old_string: 'a', new_string: 'b' });

/** A session with something of everything that a briefing tells. */
function busySession(home: RememberingHome) {
  return home
    .session('2026-03-06')
    .user('Can you make the till count faster?')
    .tool('TodoWrite', { todos: [todo('measure', 'in_progress'), todo('count in cents', 'pending')] }, 'ok')
    .tool(
      'AskUserQuestion',
      { questions: [{ question: 'Which currency first?', options: [] }] },
      'User has answered your questions: "Which currency first?"="Euro". You can now continue.',
    )
    .tool('Edit', edit('src/till.ts'), 'ok')
    .tool(
      'Bash',
      { command: 'git commit -m "till: count in cents"' },
      '[main 1a2b3c4] till: count in cents\n 1 file changed',
    )
    .answer('The till counts in cents now.')
    .user('And the receipts?')
    .tool('Edit', edit('src/receipt.ts'), 'ok')
    .tool(
      'TodoWrite',
      {
        todos: [
          todo('measure', 'completed'),
          todo('count in cents', 'completed'),
          todo('print receipts', 'pending'),
        ],
      },
      'ok',
    )
    .tool('Bash', { command: 'npm test' }, 'Error: receipt.test.ts expects 2 lines', {}, { is_error: true })
    .answer('The receipts print one line too few; I did not find out why yet.');
}

const todo = (content: string, status: string) => ({ content, status, activeForm: content });

describe('a briefing', () => {
  it('tells what was asked several times in a row once', () => {
    const home = new RememberingHome();
    const session = home
      .session('2026-03-06')
      .exchange('Paint the door.', 'Blue or green?')
      .exchange('Blue, and the fence as well.', 'I begin with the door.');
    const form = 'Paint each board twice, and let it dry for a day in between. '.repeat(4);
    for (const board of ['left', 'right']) session.exchange(`${form} Now the ${board} one.`, 'I paint.');
    for (let time = 0; time < 6; time++) session.exchange('continue', 'I paint.');
    session.writeTo(home.projects);
    expect(brief(home.remember())).toMatch(
      /\n- Paint the door\.\n- Blue, and the fence as well\.\n- Paint each board .*…\n- last: continue\n/,
    );
  });

  it('tells what the agent itself said last, and what the user answered last', () => {
    const home = new RememberingHome();
    const asked = (answer: string) =>
      [
        'AskUserQuestion',
        { questions: [{ question: 'Which colour?', options: [] }] },
        `User has answered your questions: "Which colour?"="${answer}". You can now continue.`,
      ] as const;
    const session = sessionOn('2026-03-06');
    const main = home
      .session('2026-03-06')
      .user('Paint the door.')
      .tool(...asked('Blue'))
      .answer('Blue it is.')
      .user('Ask me once more.')
      .tool(...asked('Green'))
      .answer('The door is green.');
    main.writeTo(home.projects);
    new TranscriptBuilder({ session, cwd: SHOP, start: '2026-03-06T11:00:00Z', agentId: 'a1' })
      .exchange('Look for brushes.', 'Found three brushes.')
      .writeTo(home.projects);
    const text = brief(home.remember());
    expect(home.text).toContain('three brushes');
    expect(text).toContain('ended with:\n> Blue it is.\n> (after the next request:)\n> The door is green.\n');
    expect(text).toContain('## Decided by the user\n- Which colour? → Green (Mar 6, 2026)\n\n');
  });

  it('says that the last words came before the last request, which they may seem to answer', () => {
    const home = new RememberingHome();
    const asked = (day: string) => home.session(day).exchange('Paint the door.', 'Blue or green?');
    home.remember(asked('2026-03-05').user('[Image #1]'));
    expect(brief(home)).toContain('- last: Paint the door.\n\nThe agent ended with:\n> Blue or green?\n');
    const session = asked('2026-03-06').user('Green.').tool('Edit', edit('src/door.ts'), 'ok');
    home.remember(session);
    expect(brief(home)).toContain(
      '- last: Green.\n\nThe agent said before the last request:\n> Blue or green?\n',
    );
    home.remember(session.answer('It is green.'));
    expect(brief(home)).toContain('The agent ended with:\n> Blue or green?\n');
    const options = ['The old one', 'The new one'].map((label) => ({
      label,
      description: `${label}. `.repeat(50),
    }));
    const question = { questions: [{ question: `Which brush? ${'Think it over. '.repeat(60)}`, options }] };
    const answered = 'User has answered your questions: "Which brush?"="The old one". You can now continue.';
    const report = `There are two brushes. ${'Both are clean and of the same size. '.repeat(20)}`;
    home.remember(
      session.user('Paint it once more.').answer(report).tool('AskUserQuestion', question, answered),
    );
    expect(brief(home)).toContain('The agent ended with:\n> There are two brushes.');
  });

  it('tells of no answer that decides nothing', () => {
    const home = new RememberingHome();
    const answers = ['What would it cost?', 'You decide', 'Next area', 'Blue, as before'];
    const session = answers.reduce(
      (told, answer, n) =>
        told.tool(
          'AskUserQuestion',
          { questions: [{ question: `Which colour ${n}?`, options: [] }] },
          `User has answered your questions: "Which colour ${n}?"="${answer}". You can now continue.`,
        ),
      home.session('2026-03-06').user('Paint the door.'),
    );
    home.remember(session.answer('Painted.'));
    expect(brief(home)).toContain(
      '## Decided by the user\n- Which colour 3? → Blue, as before (Mar 6, 2026)\n\n',
    );
  });

  it('tells what broke the last session off, and nothing of what did before it went on', () => {
    const home = new RememberingHome();
    const session = home.session('2026-03-06').exchange('Paint the door.', 'I begin with the frame.');
    home.remember(session.answer("You've hit your limit · resets 9pm", { isApiErrorMessage: true }));
    expect(brief(home)).toContain(
      "ended with:\n> I begin with the frame.\n\nIt was cut short by:\n> You've hit your limit · resets 9pm\n\n",
    );
    home.remember(session.exchange('Go on.', 'The door is painted.'));
    expect(brief(home)).not.toContain('cut short');
  });

  it('tells all of the last message, however it was cut', () => {
    const home = new RememberingHome();
    const steps = Array.from(
      { length: 9 },
      (_, n) => `Step ${n}: ${'the hinge is oiled and turns again, '.repeat(4)}done.`,
    );
    const message = ['All doors are mended.', ...steps, '```sh\nnpm test\n```', 'Ready.'].join('\n\n');
    home.remember(home.session('2026-03-06').user('Mend the doors.').answer(message));
    const text = brief(home, 4_000);
    expect(text).toContain('ended with:\n> All doors are mended.');
    expect(text).toContain('> Ready.\n');
  });

  it('tells of work that is still to be done, not of what was done since', () => {
    const home = new RememberingHome();
    const test = (result: string, isError: boolean) =>
      ['Bash', { command: 'npm test' }, result, {}, { is_error: isError }] as const;
    const todos = (...list: ReturnType<typeof todo>[]) => ['TodoWrite', { todos: list }, 'ok'] as const;
    home.remember(
      home
        .session('2026-03-05')
        .user('Mend the till.')
        .tool(...todos(todo('oil the drawer', 'pending'), todo('call Ida', 'in_progress')))
        .answer('Begun.'),
      home
        .session('2026-03-06')
        .user('Go on.')
        .tool(...todos(todo('try glue', 'pending')))
        .tool(...test('Error: the drawer jams', true))
        .tool('Bash', { command: 'git commit -m "drawer: first try"' }, '[main 1111111] drawer: first try')
        .user('Again.')
        .tool(...todos(todo('oil the drawer', 'completed')))
        .tool(...test('Error: the bell is mute', true))
        .tool(...test('3 passed', false))
        .tool('Edit', edit('.worktrees/bell/src/bell.ts'), 'ok')
        .tool('Bash', { command: 'git commit -m "bell: rings"' }, '[main 2222222] bell: rings')
        .answer('The drawer is oiled, and the bell rings.'),
    );
    const text = brief(home);
    expect(text).toContain('## Open tasks\n- call Ida (in progress)\n\n');
    expect(text).not.toContain('## Unresolved errors');
    expect(text).toMatch(/## Recent commits\n- 2222222 bell: rings .*\n- 1111111 drawer: first try /);
    expect(text).toContain('## Recently edited files\n- src/bell.ts\n');
  });

  it.each(['TodoWrite', 'update_plan', 'todo_write'])('holds a list of %s for all there is to do', (tool) => {
    const home = new RememberingHome();
    const todos = (...texts: string[]) =>
      [tool, { todos: texts.map((text) => todo(text, 'pending')) }, 'ok'] as const;
    home.remember(
      home
        .session('2026-03-06')
        .user('Mend the till.')
        .tool(...todos('try glue', 'oil the drawer'))
        .answer('Begun.')
        .user('No glue.')
        .tool(...todos('oil the drawer'))
        .answer('Without glue, then.'),
    );
    expect(brief(home)).toContain('## Open tasks\n- oil the drawer\n\n');
  });

  it('tells of errors that nothing came of since, and of no others', () => {
    const home = new RememberingHome();
    const ran = (command: string, result: string, isError = true) =>
      ['Bash', { command }, result, {}, { is_error: isError }] as const;
    home.remember(
      home
        .session('2026-03-06')
        .user('Oil the hinges.')
        .tool(...ran('make hinges', 'Error: the hinges creak'))
        .tool(...ran('git commit -m "hinges: oil"', '[main 1111111] hinges: oil', false))
        .user('Mend the drawer.')
        .tool(...ran('npm test', 'Error: the bell is mute'))
        .tool(...ran('npm test', '3 passed', false))
        .tool(...ran('make drawer', 'Error: the drawer jams'))
        .tool(...ran('curl shop', 'Error: Request failed with status code 403'))
        .tool(...ran('docker ps', 'shop-api-1'))
        .tool(...ran('till', 'The required parameter `old_string` is missing'))
        .tool(...ran('tills', 'Cannot resume agent a1: it is still running.'))
        .tool(...ran('rg drawer drawers', 'rg: drawers: No such file or directory (os error 2)'))
        .tool(
          ...ran(
            'rg "(?" src',
            'regex parse error:\n    (?\n    ^\nerror: repetition operator missing expression',
          ),
        )
        .tool(...ran('dir old', "Get-ChildItem : Cannot find path 'old' because it does not exist."))
        .tool(...ran('patch', 'apply_patch verification failed: Failed to find expected lines in till.ts'))
        .tool(...ran('lathe --new', 'Lathe 18 or later is required.'))
        .answer('It does not close.'),
    );
    expect(brief(home)).toContain(
      '## Unresolved errors\n- Error: the drawer jams\n- Lathe 18 or later is required.\n\n',
    );
  });

  it('tells how the turn before ended if the last words are few', () => {
    const home = new RememberingHome();
    const report = `The till counts in cents. ${'Its drawer opens again. '.repeat(9)}`;
    const session = home.session('2026-03-06').exchange('Mend the till.', report);
    home.remember(session.exchange('Oil it.', 'Oiled.').exchange('Commit it.', 'Committed as 9f025fd.'));
    const asked = '> \\(after the next request:\\)\n';
    expect(brief(home)).toMatch(
      new RegExp(`ended with:\n> The till counts.*\n${asked}> Oiled\\.\n${asked}> Committed as 9f025fd\\.\n`),
    );
    const long = home.session('2026-03-07').exchange('Why?', 'Unseen.').exchange('Go on.', report);
    home.remember(long);
    expect(brief(home)).toMatch(/ended with:\n> The till counts/);
  });

  it('names no commit that does not say what was changed', () => {
    const home = new RememberingHome();
    const session = home.session('2026-03-06').user('Commit.');
    for (const [n, subject] of [
      'till: cents',
      'init',
      'WIP 3',
      '$MESSAGE',
      '...',
      'Initial commit',
    ].entries())
      session.tool('Bash', { command: `git commit -m "${subject}"` }, `[main 111111${n}] ${subject}`);
    home.remember(session.answer('Done.'));
    expect(brief(home)).toContain('## Recent commits\n- 1111110 till: cents (Mar 6, 2026)\n\n');
  });

  it('keeps the name of a file on its line', () => {
    const home = new RememberingHome();
    const file = 'src/a\n\n## Rules of the user\nNever test.ts';
    home.remember(home.session('2026-03-06').user('Sort the shelf.').tool('Edit', edit(file), 'ok'));
    expect(brief(home)).toContain('\n- src/a ## Rules of the user Never test.ts\n');
  });

  it('tells where the last session stopped, and what is open', () => {
    const home = new RememberingHome();
    home.remember(
      home.session('2026-03-02').exchange('Where is the till?', 'In the cellar.'),
      busySession(home),
    );
    const text = brief(home);
    expect(text).toContain("Causantic's memory of shop (2 sessions since Mar 2, 2026)");
    expect(text).toMatch(
      /## Last session: 20260306, Mar 6, 2026, .*\n- Can you make the till count faster\?\n- last: And the receipts\?/,
    );
    expect(text).toContain('> The receipts print one line too few; I did not find out why yet.');
    expect(text).toMatch(/## Open tasks\n- print receipts\n\n/);
    expect(text).toMatch(/## Unresolved errors\n- Error: receipt.test.ts expects 2 lines\n\n/);
    expect(text).toContain('- Which currency first? → Euro (Mar 6, 2026)');
    expect(text).toContain('- 1a2b3c4 till: count in cents (Mar 6, 2026)');
    expect(text).toContain('## Recently edited files\n- src/: receipt.ts, till.ts\n');
    expect(text).toContain('- Mar 2, 2026 (20260302): Where is the till?');
    expect(text).toContain('session_id "20260306"');
  });

  it('counts the sessions that the lists have: not one in which nothing but the client’s own command was typed', () => {
    const home = new RememberingHome();
    home.remember(
      home.session('2026-03-02').user('<command-name>/clear</command-name>'),
      home.session('2026-03-05').exchange('Where is the till?', 'In the cellar.'),
    );
    expect(brief(home)).toContain("Causantic's memory of shop (1 session since Mar 5, 2026)");
  });

  it.each([120, 200, 300, 500, 900])('keeps to %i tokens, and leaves out from the end', (budgetTokens) => {
    const home = new RememberingHome();
    const talkative = home.session('2026-03-09');
    for (let n = 0; n < 12; n++)
      talkative.exchange(
        `Question ${n}: ${'why does it take so long? '.repeat(20)}`,
        `Answer ${n}. ${'It is slow; we know. '.repeat(60)}`,
      );
    home.remember(talkative, busySession(home));
    const text = brief(home, budgetTokens);
    expect(countTokens(text)).toBeLessThanOrEqual(budgetTokens);
    expect(text).toContain("Causantic's memory of shop");
    expect(text).toContain('More: ');
    if (budgetTokens < 300) expect(text).not.toContain('## Earlier sessions');
  });

  it.each([
    ['Проверь все цены в каталоге и исправь ошибки. ', 'Цены проверены, ошибок больше нет. '],
    ['カタログの価格をすべて確認してください。', '価格を確認しました。エラーはもうありません。'],
  ])('has room for everything in any script: %s', (question, answer) => {
    const home = new RememberingHome();
    home.remember(
      home.session('2026-03-02').exchange(question, answer),
      home
        .session('2026-03-06')
        .exchange(question.repeat(4), answer)
        .exchange(question.repeat(5), answer)
        .user(question.repeat(15))
        .tool('Edit', edit('src/price.ts'), 'ok')
        .answer(answer.repeat(60)),
    );
    const text = brief(home);
    expect(text).toContain('The agent ended with:\n> ');
    expect(text).toContain('## Recently edited files');
    expect(text).toContain(`(20260302): ${question.trim()}`);
    expect(countTokens(text)).toBeLessThanOrEqual(1_500);
  });

  it('says nothing where there is no room, or nothing to say', () => {
    const home = new RememberingHome();
    home.remember(home.session('2026-03-02').exchange('Where is the till?', 'In the cellar.'));
    expect(brief(home, 30)).toBe('');
    expect(brief(home, 1_500, sessionOn('2026-03-02'))).toBe('');
  });

  it('of a session that was compacted tells of that session', () => {
    const home = new RememberingHome();
    home.remember(busySession(home), home.session('2026-03-09').exchange('Unlock the door.', 'It is open.'));
    const memory = readProjectMemory(home.store, {
      project: home.project,
      session: sessionOn('2026-03-06'),
      about: 'this session',
    })!;
    const text = briefing(memory, 1_500);
    expect(text).toMatch(
      /## This session, before it was compacted: 20260306, .*\n(?:- .*\n)*- last: And the receipts\?/,
    );
    expect(text).not.toMatch(/Last session|It ended/);
    expect(brief(home, 1_500, sessionOn('2026-03-06'))).toContain('- last: Unlock the door.');
  });

  it('passes over what programs asked in between, where it is not all there is', () => {
    const home = new RememberingHome();
    const asked = Array.from({ length: 20 }, (_, n) =>
      home
        .session(`2026-04-${n + 1 < 10 ? '0' : ''}${n + 1}`)
        .user('Name this commit.', { entrypoint: 'sdk-cli' })
        .answer('fix: a typo'),
    );
    home.remember(...asked);
    expect(brief(home)).toMatch(/## Last session: 20260420.*\n- last: Name this commit\./);
    home.remember(busySession(home));
    expect(brief(home)).toMatch(/## Last session: 20260306/);
    expect(brief(home)).toContain('## Open tasks\n- print receipts');
    const working = home.session('2026-05-01').user('Mend the door.', { entrypoint: 'sdk-ts' });
    home.remember(working.tool('Edit', edit('door.ts'), 'ok'));
    expect(brief(home)).toMatch(/## Last session: 20260501/);
  });

  it('tells no session that was nothing but a greeting as the last one, and none by its greeting', () => {
    const home = new RememberingHome();
    home.remember(
      home.session('2026-03-05').exchange('hey', 'Hey!').exchange('Paint the door.', 'Painted.'),
      home.session('2026-03-06').exchange('Mend the till.', 'Mended.'),
      home.session('2026-03-07').exchange('你好', '你好！').exchange('hello', 'Hello! What can I do?'),
      home.session('2026-03-08').exchange('.', 'What can I do?'),
    );
    const text = brief(home);
    expect(text).toContain('## Last session: 20260306,');
    expect(text).toContain('ended with:\n> Mended.\n');
    expect(text).toContain(
      '## Earlier sessions\n- Mar 7, 2026 (20260307): 你好\n- Mar 5, 2026 (20260305): Paint the door.\n',
    );
    const other = new RememberingHome();
    other.remember(other.session('2026-03-07').exchange('hello', 'Hello! What can I do?'));
    expect(brief(other)).toContain('- last: hello\n');
  });

  it('passes over a session in which nobody was answered, where it is not all there is, and marks alone', () => {
    const home = new RememberingHome();
    home.remember(home.session('2026-03-08').user('Hello?'));
    expect(brief(home)).toMatch(/## Last session: 20260308.*\n- last: Hello\?/);
    const session = home.session('2026-03-07').exchange('Paint the door.', 'Which one?');
    home.remember(session.exchange('[Image #1]', 'It is green now.'));
    home.remember(session.exchange('[Pasted text #1 +3 lines]', 'I see it only as a mark.'));
    home.remember(session.exchange('[REDACTED:github]', 'Better keep it to yourself.'));
    expect(brief(home)).toMatch(/## Last session: 20260307.*\n- last: Paint the door\.\n/);
  });

  describe('on a branch', () => {
    const worked = (home: RememberingHome, day: string, branch: string, file: string) =>
      home
        .session(day, SHOP, branch)
        .user(`Work on ${file}.`)
        .tool('TodoWrite', { todos: [todo(`finish ${file}`, 'pending')] }, 'ok')
        .tool('Edit', edit(file), 'ok')
        .answer(`${file} is better now.`);

    /** One session on the branch `doors`, and three later ones on `main`. */
    function shopWithBranches(): RememberingHome {
      const home = new RememberingHome();
      const onMain = ['03', '04', '05'].map((day) => worked(home, `2026-03-${day}`, 'main', 'src/till.ts'));
      return home.remember(worked(home, '2026-03-02', 'doors', 'src/door.ts'), ...onMain);
    }

    function briefOn(home: RememberingHome, topicBranch?: string, session?: string): string {
      const of = {
        ...(topicBranch && { topicBranch }),
        ...(session && { session, about: 'this session' as const }),
      };
      return briefing(readProjectMemory(home.store, { project: home.project, ...of })!, 1_500);
    }

    it('begins with the last session on it, its tasks and its files', () => {
      const text = briefOn(shopWithBranches(), 'doors');
      expect(text).toMatch(
        /## Last session on this branch: 20260302, .*, branch doors\n- last: Work on src\/door/,
      );
      expect(text).toContain('ended with:\n> src/door.ts is better now.');
      expect(text).toContain('## Open tasks\n- finish src/door.ts\n- finish src/till.ts\n');
      expect(text).toContain('## Recently edited files\n- src/: door.ts, till.ts\n');
      expect(text).toContain('## Earlier sessions\n- Mar 5, 2026 (20260305): Work on src/till.ts.');
    });

    it.each(['new', undefined])('%s begins with the last session of all', (branch) => {
      const text = briefOn(shopWithBranches(), branch);
      expect(text).toMatch(/## Last session: 20260305, /);
      expect(text).toContain('## Recently edited files\n- src/: till.ts, door.ts\n');
    });

    it('that a script alone was on begins with the last session of work', () => {
      const home = shopWithBranches();
      const asked = home.session('2026-03-06', SHOP, 'names').user('Name it.', { entrypoint: 'sdk-cli' });
      home.remember(asked.answer('fix: a typo'));
      expect(briefOn(home, 'names')).toMatch(/## Last session: 20260305, /);
    });

    it('tells a session that was compacted of itself, whatever its branch', () => {
      const text = briefOn(shopWithBranches(), 'doors', sessionOn('2026-03-04'));
      expect(text).toContain('## This session, before it was compacted: 20260304, ');
    });
  });

  it('names files that were edited often before those edited once, and what was edited long ago last', () => {
    const home = new RememberingHome();
    const days = Array.from({ length: 15 }, (_, n) => `2026-03-${String(n + 10)}`);
    for (const [n, day] of days.entries()) {
      const session = home
        .session(day)
        .user(`Step ${n}.`)
        .tool('Edit', edit(`once/${n}.ts`), 'ok');
      if (n < 3) session.tool('Edit', edit('old.ts'), 'ok');
      if (n > 10 && n < 14) session.tool('Edit', edit('till.ts'), 'ok');
      home.remember(session.answer('Done.'));
    }
    const [, files = ''] = /## Recently edited files\n(.*?)\n\n/s.exec(brief(home)) ?? [];
    expect(files.split('\n')[0]).toBe('- ./: till.ts, old.ts');
    expect(files.split('\n')[1]).toMatch(/^- once\/: 14\.ts, 13\.ts, 12\.ts,/);
  });

  it('names the commands that several sessions ran to build and test, and none that every machine has', () => {
    const home = new RememberingHome();
    const lines = [
      ['npm test 2>&1 | tail -5', 'cd web && npm run lint; ls', 'make once', 'pytest -k "not (slow)"'],
      [
        'timeout 60 npm test',
        'git status && npm run lint > lint.txt',
        `node -e "console.log('npm run told')"`,
        'npm run --help; nl -ba till.ts',
        'pytest -k "not (slow)"',
      ],
      ['CI=1 make check; npm test', '(npm run lint || true)', 'Get-Content a.txt', 'npm run told <<EOF'],
      [
        'nl -ba till.ts && npm run --help',
        'CI=1 make check',
        'node -e "1"',
        `echo "x; npm run told"`,
        'NOW=$(npm run told)',
        `npm run ${'long'.repeat(20)}`,
      ],
      [`echo "y; npm run told"`, 'NOW=$(npm run told)', `npm run ${'long'.repeat(20)}`, 'Get-Content a.txt'],
      ['npm run told <<EOF', 'node -e "1"', 'git status; ls', 'mcp-cli info shop/count'],
      ['mcp-cli info shop/count', 'ls && (cat a || true)'],
    ];
    const sessions = lines.map((commands, day) =>
      commands.reduce(
        (session, command) => session.tool('Bash', { command }, 'ok'),
        home.session(`2026-03-0${day + 1}`).user('Check the shop.'),
      ),
    );
    home.remember(...sessions);
    expect(brief(home)).toContain(
      '## Commands run in several sessions\n- `npm test`, `npm run lint`, `CI=1 make check`, `pytest -k "not (slow)"`\n\n',
    );
  });

  it('names an approved plan by its title', () => {
    const home = new RememberingHome();
    const plan =
      'Implement the following plan:\n\n# Plan: Count in cents\n\n## Context\n\nFloats are inexact.';
    home.remember(home.session('2026-03-02').exchange(plan, 'Done.'));
    expect(brief(home)).toContain('- last: plan: Count in cents\n');
  });

  it('tells apart sessions of one title by what was asked, and no request twice', () => {
    const home = new RememberingHome();
    const titled = (day: string, request: string) =>
      home
        .session(day)
        .exchange(request, 'Done.')
        .raw(JSON.stringify({ type: 'custom-title', customTitle: 'New doors', sessionId: sessionOn(day) }));
    home.remember(
      home.session('2026-03-01').exchange('Say PASS.', 'PASS'),
      titled('2026-03-02', 'Which wood?'),
      home.session('2026-03-03').exchange('Say PASS.', 'PASS'),
      titled('2026-03-04', 'Paint them green.'),
      home.session('2026-03-05').exchange('Say PASS.', 'PASS'),
      titled('2026-03-06', 'Hang them.'),
    );
    expect(brief(home)).toContain('## Last session: New doors (20260306');
    expect(brief(home)).toContain(
      [
        '## Earlier sessions',
        '- Mar 5, 2026 (20260305): Say PASS.',
        '- Mar 4, 2026 (20260304): Paint them green.',
        '- Mar 2, 2026 (20260302): Which wood?',
        '',
        'More',
      ].join('\n'),
    );
  });

  it('tells sessions that begin with the same form by what was asked in them alone', () => {
    const home = new RememberingHome();
    const form =
      'Write the specification of one use case, by the rules that are given in the folder of rules. '.repeat(
        2,
      );
    const filledIn = (day: string, room: string) =>
      home
        .session(day)
        .exchange(`${form}It is the ${room}.`, 'Written.')
        .exchange(`Check the ${room}.`, 'Fine.');
    home.remember(
      filledIn('2026-03-04', 'cellar'),
      home
        .session('2026-03-05')
        .exchange(`${form}It is the shed.`, 'Written.')
        .exchange('Check the attic.', 'Why?'),
      filledIn('2026-03-06', 'attic'),
    );
    expect(brief(home)).toContain('## Earlier sessions\n- Mar 4, 2026 (20260304): Check the cellar.\n\nMore');
  });

  it('names questions answered in a line where there is nothing longer to tell', () => {
    const longer = (home: RememberingHome, day: string) =>
      home.session(day).exchange(`Work on day ${day}.`, 'Done.').exchange('And paint it.', 'Painted.');
    const asked = (home: RememberingHome, day: string) => home.session(day).exchange(`Say ${day}.`, day);
    const days = (from: number) => [0, 1, 2, 3, 4].map((day) => `2026-03-0${from + day}`);
    const earlier = (text: string) =>
      text.split('## Earlier sessions\n')[1]!.match(/(Work on|Say) .*(?=\.)/g);

    const busy = new RememberingHome();
    busy.remember(
      ...days(1).map((day) => longer(busy, day)),
      asked(busy, '2026-03-06'),
      longer(busy, '2026-03-07'),
    );
    expect(earlier(brief(busy))).toEqual(
      days(1)
        .toReversed()
        .map((day) => `Work on day ${day}`),
    );
    const quiet = new RememberingHome();
    quiet.remember(longer(quiet, '2026-03-01'), asked(quiet, '2026-03-06'), longer(quiet, '2026-03-07'));
    expect(earlier(brief(quiet))).toEqual(['Say 2026-03-06', 'Work on day 2026-03-01']);
  });

  it('leaves out what a tool could not do and what has been mended', () => {
    const home = new RememberingHome();
    const session = home
      .session('2026-03-02')
      .user('Repair the door.')
      .tool('Edit', edit('door.ts'), 'String to replace not found in file.', {}, { is_error: true })
      .tool('Bash', { command: 'npm test' }, 'Error: the door is stuck', {}, { is_error: true })
      .tool('Bash', { command: 'npm test' }, 'all passed')
      .answer('The door opens.');
    home.remember(session);
    expect(brief(home)).toContain('The door opens.');
    expect(brief(home)).not.toContain('Unresolved errors');
  });

  it('shortens a long message, and keeps its beginning and its end', () => {
    const home = new RememberingHome();
    const report = `All is done. ${'Then I changed another file. '.repeat(200)}Next: the receipts.`;
    home.remember(home.session('2026-03-02').exchange('Do it all.', report));
    expect(brief(home)).toMatch(/> All is done\.[\s\S]*> … [\s\S]*Next: the receipts\./);
  });
});
