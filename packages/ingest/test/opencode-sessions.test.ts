import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTranscripts, ingestTree } from '../src/index.js';
import { whileOpen } from '../src/transcripts/open-transcript.js';
import { endsWithTurn } from '../src/clients/end-of-turn.js';
import { TestStore } from './ingested.js';
import { OpencodeDatabase, type OpencodeSession, toolPart } from './opencode-database.js';
import { temporaryFolder } from './recording.js';

const TILL = '/home/ada/shop/till.ts';

function database(): OpencodeDatabase {
  return new OpencodeDatabase(temporaryFolder());
}

function stored({ path }: OpencodeDatabase): TestStore {
  const store = new TestStore();
  read(store, path);
  return store;
}

function read(store: TestStore, path: string): ReturnType<typeof ingestTree> {
  const report = ingestTree(store.store, [path]);
  expect(report.issues).toEqual([]);
  return report;
}

const SYNTHETIC = { type: 'text', synthetic: true };

function work(db: OpencodeDatabase): OpencodeSession {
  return db
    .session('ses_1', { title: 'Opening the till' })
    .prompt('open the till', [
      { ...SYNTHETIC, text: 'Called the Read tool' },
      { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AAAA' },
    ])
    .answer('I look at it.', [
      { type: 'reasoning', text: 'A till has a drawer.', time: { start: 1 }, metadata: { signature: 'zz' } },
      toolPart('read', { filePath: TILL, offset: 10 }, { output: 'class Till {}', title: 'till.ts' }),
      toolPart('bash', { command: 'npm test' }, { output: 'the drawer is stuck', metadata: { exit: 1 } }),
    ])
    .answer('', [
      toolPart('edit', { filePath: TILL, oldString: 'shut', newString: 'open' }),
      toolPart('write', { filePath: '/home/ada/shop/bell.ts', content: 'ring();' }),
      toolPart('edit', { filePath: '/home/ada/shop/none.ts' }, { status: 'error', error: 'File not found' }),
      toolPart('grep', { pattern: 'ring', path: 'src', include: '*.ts' }, { output: 'src/bell.ts' }),
      toolPart('todowrite', { todos: [{ content: 'polish', status: 'pending' }] }),
      toolPart('causantic_search', { query: 'bells' }, { output: 'What memory holds of bells' }),
      { type: 'patch', files: [TILL] },
    ])
    .answer('It opens now.');
}

describe('a session of opencode', () => {
  it('has what a plugin shows the person as nothing that they asked', () => {
    const db = database();
    work(db).message({ role: 'user' }, [
      { type: 'text', text: '3 calls left out of context', ignored: true },
    ]);
    const store = stored(db);
    expect(store.saidBy('user')).toEqual(['[image]\nopen the till']);
    expect(store.saidBy('system')).toContain('3 calls left out of context');
  });

  it('has each word once, by who said it, and its calls with what came of them', () => {
    const db = database();
    work(db);
    const store = stored(db);
    expect(store.saidBy('user')).toEqual(['[image]\nopen the till']);
    expect(store.saidBy('assistant')).toEqual(['I look at it.', 'It opens now.']);
    expect(store.chunks('thinking').map(({ text }) => text)).toEqual(['A till has a drawer.']);
    const text = store.text('dialogue');
    expect(text).toContain(`[read] ${TILL} from line 10\n→ class Till {}`);
    expect(text).toContain('[bash] npm test\n→ Error: Exit code 1\nthe drawer is stuck');
    expect(text).toContain(`[edit] ${TILL}\n- shut\n+ open`);
    expect(text).toContain('→ Error: File not found');
    expect(text).toContain('[grep] ring in src *.ts\n→ src/bell.ts');
    expect(text).toContain('[todowrite] - [ ] polish');
    expect(store.text()).not.toMatch(/What memory holds|AAAA|signature/);
    expect(store.facts()).toMatchObject([
      {
        request: '[image] open the till',
        filesTouched: [TILL, '/home/ada/shop/bell.ts'],
        commands: ['npm test'],
      },
    ]);
  });

  it('names its client, folder, version and title, if it was given one', () => {
    const db = database();
    work(db);
    db.session('ses_2').prompt('ring');
    const [first, second] = stored(db).contents()['sessions']!;
    expect(first).toMatchObject({
      uuid: 'ses_1',
      source: 'opencode',
      project: '/home/ada/shop',
      title: 'Opening the till',
      client_version: '1.18.33',
    });
    expect(second).toMatchObject({ title: null });
  });

  it.each([
    ['**Opening the till**', 'Opening the till'],
    ['**Conversation Title:** "Why the till opens"', 'Why the till opens'],
    ['Why "till" and 2 ** 3', 'Why "till" and 2 ** 3'],
  ])('is called %j by the model, and so by %j', (given, title) => {
    const db = database();
    db.session('ses_1', { title: given }).prompt('ring');
    expect(stored(db).contents()['sessions']).toMatchObject([{ title }]);
  });

  it.each([
    ['', '/review'],
    ['a1b2c3, and what is not committed', '/review a1b2c3, and what is not committed'],
  ])('has of `/review %s` what the person typed, not what opencode makes of it', (args, typed) => {
    const prompt = `You are a code reviewer. Your job is to review code changes and provide actionable feedback.\n\n---\n\nInput: ${args}\n\n---\n\n## Determining What to Review\n\nRead all.\n`;
    const db = database();
    const command = { description: 'review changes', agent: 'build', command: 'review', prompt };
    db.session('ses_1')
      .message({ role: 'user' }, [{ type: 'subtask', ...command }])
      .answer('', [
        toolPart('task', { ...command, subagent_type: 'build' }, { metadata: { sessionId: 'ses_2' } }),
      ]);
    db.session('ses_2', { parent: 'ses_1' }).prompt(prompt).answer('It is fine.');
    const store = stored(db);
    expect(store.saidBy('user')).toEqual([typed]);
    expect(store.text()).toContain(`Assignment: ${typed}\n`);
    expect(store.text()).not.toMatch(/code reviewer|Read all/);
  });

  it("tells the person's commands, summaries, failures and what was stopped from what was said", () => {
    const db = database();
    const refused = 'The user rejected permission to use this specific tool call';
    db.session('ses_1')
      .message({ role: 'user' }, [{ ...SYNTHETIC, text: 'The following tool was executed by the user' }])
      .message({ role: 'assistant' }, [toolPart('bash', { command: 'ls' }, { output: 'till.ts' })])
      .prompt('go on')
      .answer('', [
        ...['The user rejected it', 'The user dismissed this question', 'Tool execution aborted'].map(
          (error) => toolPart('bash', { command: 'rm till.ts' }, { status: 'error', error }),
        ),
        toolPart(
          'bash',
          { command: 'rm bell.ts' },
          { status: 'error', error: `${refused} with the following feedback: keep it` },
        ),
      ])
      .answer('Half', [], { error: { name: 'MessageAbortedError', data: { message: 'Aborted' } } })
      .message({ role: 'user' }, [{ type: 'compaction', auto: false }])
      .answer('We opened a till.', [], { summary: true })
      .prompt('more')
      .message({ role: 'assistant', error: { name: 'APIError', data: { message: 'overloaded' } } }, []);
    const store = stored(db);
    expect(store.saidBy('user')).toEqual(['! ls', 'go on', 'keep it', 'more']);
    expect(store.text()).toContain(`rm bell.ts\n→ Error: ${refused}.\n`);
    expect(store.saidBy('assistant')).toEqual(['Half']);
    expect(store.chunks('compaction').map(({ text }) => text)).toEqual(['We opened a till.']);
    expect(store.text('dialogue')).toMatch(/^User: ! ls\n→ till\.ts$/m);
    expect(store.text('meta')).toBe('[aborted]');
    expect(store.chunks('error').map(({ text }) => text)).toEqual(['overloaded']);
    expect(store.facts().flatMap(({ errors }) => errors ?? [])).toEqual([]);
  });

  it('has what a tool gave without what is written around it for the model', () => {
    const frame = (type: string, tag: string, lines: string[]): string =>
      `<path>${TILL}</path>\n<type>${type}</type>\n<${tag}>${lines.join('\n')}\n</${tag}>`;
    const file = frame('file', 'content', [
      '9: class Till {',
      '10:   open(</content>)',
      '11: }',
      '',
      '(End of file - total 11 lines)',
    ]);
    const folder = frame('directory', 'entries', ['', 'till.ts', '2: bell.ts', '', '(2 entries)']);
    const report =
      'task_id: ses_2 (for resuming to continue this task if needed)\n\n<task_result>\nIn the hall.\n</task_result>\n';
    const db = database();
    db.session('ses_1')
      .prompt('find it')
      .answer('I look.', [
        toolPart('read', { filePath: TILL }, { output: `${file}\n\nMind the drawer.` }),
        toolPart('read', { filePath: '/home/ada/shop' }, { output: folder }),
        toolPart('task', { subagent_type: 'general', prompt: 'where?' }, { output: report }),
        toolPart('bash', { command: 'cat x' }, { output: file }),
      ]);
    const text = stored(db).text('dialogue');
    expect(text).toContain(`[read] ${TILL}\n→ class Till {\n  open(</content>)\n}\n\nMind the drawer.`);
    expect(text).toContain('[read] /home/ada/shop\n→ till.ts\n2: bell.ts');
    expect(text).toContain('\n→ In the hall.');
    expect(text).not.toMatch(/task_result|for resuming/);
    expect(text).toContain(`[bash] cat x\n→ ${file}`);
  });

  it('holds what its agents did, under who they are', () => {
    const db = database();
    const task = { subagent_type: 'general', description: 'Find the bell', prompt: 'where?' };
    const found = { output: 'In the hall.', metadata: { sessionId: 'ses_2' } };
    db.session('ses_1')
      .prompt('find it')
      .answer('I ask.', [toolPart('task', task, found)])
      .answer('It is there.');
    db.session('ses_2', { parent: 'ses_1', title: 'Find the bell (@general subagent)' })
      .prompt('where?')
      .answer('In the hall.');
    db.session('ses_3', { parent: 'ses_2' }).prompt('and the rope?').answer('Behind it.');
    const store = stored(db);
    expect(store.contents()['sessions']).toHaveLength(1);
    expect(store.saidBy('user')).toEqual(['find it']);
    expect(store.contents()['agents']).toMatchObject([
      {
        key: 'ses_2',
        name: 'general',
        description: 'Find the bell',
        tool_use_id: expect.stringMatching(/^task/),
      },
      { key: 'ses_3' },
    ]);
    expect(store.text()).toContain('Assignment: where?\n\nAssistant: In the hall.');
    expect(store.text()).toContain('Assignment: and the rope?');
  });

  it('is picked up where it goes on, each word once, and left alone where it does not', () => {
    const db = database();
    const session = work(db);
    const store = stored(db);
    expect(read(store, db.path)).toMatchObject({ files: 1, skipped: 1, turns: 0 });
    session.prompt('and the bell?').answer('It rings.');
    expect(read(store, db.path)).toMatchObject({ skipped: 0 });
    session.summarized().prompt('louder').answer('It booms.');
    // The turn before is looked at again, those before it are not.
    expect(read(store, db.path)).toMatchObject({ turns: 2 });
    expect(store.contents()).toEqual(stored(db).contents());
    expect(store.saidBy('user')).toHaveLength(3);
  });

  it('is read as it is by then, though opencode writes while others are read', () => {
    const db = database();
    work(db);
    const last = db.session('ses_2').prompt('ring');
    const store = new TestStore();
    ingestTree(store.store, [db.path], {
      onProgress: ({ files }) => void (files === 1 && last.answer('Ding.')),
    });
    expect(store.saidBy('assistant').at(-1)).toBe('Ding.');
    expect(read(store, db.path)).toMatchObject({ skipped: 2 });
  });

  it('in pieces equals at once, also where a call is at work', () => {
    const db = database();
    const session = db.session('ses_1').prompt('count').answer('I count.');
    session.part(toolPart('bash', { command: 'wc' }, { status: 'running' }));
    const store = stored(db);
    db.run(
      `UPDATE part SET time_updated = ?, data = json_set(data, '$.state.status', 'completed', '$.state.output', '42')
        WHERE data ->> '$.type' = 'tool'`,
      db.now(),
    );
    session.answer('There are 42.');
    read(store, db.path);
    expect(store.text()).toContain('[bash] wc\n→ 42');
    expect(store.contents()).toEqual(stored(db).contents());
  });

  it('goes on behind a command that the person ran, which stays theirs', () => {
    const db = database();
    const session = db
      .session('ses_1')
      .prompt('count')
      .answer('Counted.')
      .message({ role: 'user' }, [{ ...SYNTHETIC, text: 'The following tool was executed by the user' }])
      .message({ role: 'assistant' }, [toolPart('bash', { command: 'ls' }, { output: 'till.ts' })]);
    const store = stored(db);
    session.answer('There is a till.');
    read(store, db.path);
    expect(store.saidBy('user')).toEqual(['count', '! ls']);
    expect(store.contents()).toEqual(stored(db).contents());
  });

  it('forgets what was undone, until it is done again', () => {
    const db = database();
    const session = work(db).prompt('shut it').answer('Shut.').prompt('ring');
    session.answer('Ding.', [{ type: 'text', text: 'Dong.' }]);
    const store = stored(db);
    session.revertTo('shut it');
    read(store, db.path);
    expect(store.saidBy('user')).toEqual(['[image]\nopen the till']);
    session.revertTo('Dong.', true);
    read(store, db.path);
    expect(store.saidBy('assistant').at(-1)).toBe('Ding.');
    expect(store.saidBy('user').at(-1)).toBe('ring');
    session.revertTo(null);
    read(store, db.path);
    expect(store.saidBy('assistant').at(-1)).toBe('Dong.');
  });

  it('is continued by its fork, which tells what it has lost', () => {
    const db = database();
    const session = work(db);
    session.fork('ses_0').prompt('only here').answer('Here.');
    const store = stored(db);
    expect(store.saidBy('user').toSorted()).toEqual(['[image]\nopen the till', 'only here']);
    expect(store.contents()['sessions']).toMatchObject([
      { uuid: 'ses_0', continues_uuid: 'ses_1' },
      { uuid: 'ses_1' },
    ]);
    session.revertTo('open the till');
    read(store, db.path);
    expect(store.saidBy('user').toSorted()).toEqual(['[image]\nopen the till', 'only here']);
  });

  it('tells what its original has lost, also where nothing was said in it yet', () => {
    const db = database();
    const session = work(db).prompt('ring').answer('Ding.');
    const fork = session.fork('ses_2');
    const store = stored(db);
    session.revertTo('ring');
    read(store, db.path);
    expect(store.saidBy('assistant').at(-1)).toBe('Ding.');
    fork.prompt('louder');
    read(store, db.path);
    expect(store.saidBy('user')).toEqual(['[image]\nopen the till', 'ring', 'louder']);
    expect(store.contents()['sessions']).toMatchObject([{}, { uuid: 'ses_2', continues_uuid: 'ses_1' }]);
  });

  it('tells what its original has lost, also where nobody asked for it', () => {
    const db = database();
    const session = db.session('ses_1').answer('A bell rings.');
    session.fork('ses_2').prompt('which?');
    const store = stored(db);
    session.revertTo('A bell rings.');
    read(store, db.path);
    expect(store.saidBy('assistant')).toEqual(['A bell rings.']);
  });

  it('stays in memory when opencode deletes it, or is of another version', () => {
    const db = database();
    work(db);
    const store = stored(db);
    for (const table of ['part', 'message', 'session']) db.run(`DELETE FROM ${table}`);
    read(store, db.path);
    expect(store.saidBy('user')).toHaveLength(1);
    db.run('DROP TABLE session');
    expect(ingestTree(store.store, [db.path]).issues).toMatchObject([{ file: db.path, code: 'unreadable' }]);
    expect(store.saidBy('user')).toHaveLength(1);
  });

  it('is at work until it has answered or been stopped', () => {
    const db = database();
    const isOver = (): boolean => endsWithTurn({ path: join(db.path, 'ses_1'), source: 'opencode' });
    const session = db.session('ses_1').prompt('ring');
    expect(isOver()).toBe(false);
    session.answer('I ring.', [toolPart('bash', { command: 'ring' })]);
    expect(isOver()).toBe(false);
    session.answer('It rang.');
    expect(isOver()).toBe(true);
    session.prompt('again');
    expect(isOver()).toBe(false);
    session.answer('', [], { finish: undefined, error: { name: 'MessageAbortedError' } });
    expect(isOver()).toBe(true);
  });

  it('is left out with its project, and alone by its name', () => {
    const db = database();
    work(db);
    db.session('ses_2', { directory: '/home/ada/diary' }).prompt('dear diary');
    db.session('ses_3').prompt('not this one');
    const store = new TestStore();
    ingestTree(store.store, [db.path], { exclude: { paths: ['/home/ada/diary', '**/ses_3'] } });
    expect(store.saidBy('user')).toEqual(['[image]\nopen the till']);
  });

  it('leaves no secret', () => {
    const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
    const db = database();
    db.session('ses_1', { title: secret })
      .prompt(`use ${secret}`)
      .answer(secret, [toolPart('bash', { command: `curl -H ${secret}` }, { output: secret })])
      .message({ role: 'assistant', error: { name: 'APIError', data: { message: secret } } }, []);
    db.session('ses_2', { parent: 'ses_1', title: `With ${secret} (@general subagent)` }).prompt('hm');
    expect(JSON.stringify(stored(db).contents())).not.toContain(secret.slice(4));
  });

  it('is read past rows of a form that nobody has seen', () => {
    const db = database();
    const session = work(db);
    for (const data of ['null', '7', 'no JSON', '[]', '{"role":"user","time":7}', '{"role":7}'])
      db.run('INSERT INTO message VALUES (?, ?, ?, ?, ?)', db.id('msg'), 'ses_1', db.now(), db.now(), data);
    session.message({ role: 'user' }, [
      { type: 'text', text: 7 },
      { type: 'tool', state: 3 },
      { type: 'new' },
    ]);
    session.message({ role: 'assistant', error: 'x' }, [{ type: 'text' }, { type: 'tool', state: null }]);
    db.run('INSERT INTO part VALUES (?, ?, ?, 1, 1, ?)', 'prt_0', 'msg_0', 'ses_1', '{"half of ses_2');
    db.session('ses_2', { parent: 'ses_1' }).prompt('who?').answer('Me.');
    session.message({ role: 'user', time: { created: 1e20 } }, [
      { type: 'text', text: 'when?' },
      { type: 'file', mime: { toString: 7 } },
    ]);
    session.answer('', [{ type: 'text', text: 'At half a second.', time: { start: 0.5 } }]);
    session.prompt('still there?').answer('Still here.');
    const store = stored(db);
    expect(store.saidBy('user')).toEqual(['[image]\nopen the till', 'when?', 'still there?']);
  });

  it('is read though fields of it hold what opencode never puts there', () => {
    const db = database();
    work(db);
    db.run("UPDATE session SET title = x'00ff', directory = x'00ff', version = x'00ff'");
    // Without what opencode asks of its columns, as in a damaged file.
    for (const table of ['message', 'part']) {
      db.run(`CREATE TABLE other AS SELECT * FROM ${table}`);
      db.run(`DROP TABLE ${table}`);
      db.run(`ALTER TABLE other RENAME TO ${table}`);
      db.run(`INSERT INTO ${table} (id, session_id, time_created) VALUES ('msg_0', 'ses_1', 0)`);
    }
    db.run("UPDATE part SET message_id = 'msg_000001' WHERE message_id IS NULL");
    const deep = `{"type":"text","text":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    db.run('UPDATE part SET data = ? WHERE data LIKE ?', deep, '%I look at it%');
    expect(stored(db).saidBy('assistant')).toEqual(['It opens now.']);
    expect(stored(db).saidBy('user')).toEqual(['[image]\nopen the till']);
  });

  it('is never in memory with all that its tools gave', () => {
    const db = database();
    const given = { output: 'x'.repeat(2_000_000), attachments: [{ url: 'y'.repeat(2_000_000) }] };
    const calls = Array.from({ length: 5 }, () => toolPart('bash', { command: 'ring' }, given));
    db.session('ses_1').prompt('ring').answer('I ring.', calls).answer('It rang.');
    const bytes = whileOpen(join(db.path, 'ses_1'), {}, ({ size }) => size);
    expect(bytes).toBeLessThan(1_000_000);
    expect(stored(db).text()).toMatch(/x{500}[^]*It rang/);
  });

  it('is found in its database only, not in what lies beside it', () => {
    const db = database();
    work(db);
    expect(findTranscripts([db.path]).map(({ path }) => path)).toEqual([join(db.path, 'ses_1')]);
  });
});
