import { createHash } from 'node:crypto';
import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openSqlite } from '@causantic/storage';
import { describe, expect, it } from 'vitest';
import { ingestTree } from '../src/index.js';
import { readDocument } from '../src/transcripts/document.js';
import { TestStore } from './ingested.js';
import { temporaryFolder } from './recording.js';

type Json = Record<string, unknown>;

const SESSION = '7b1e2c4a-2f6d-4d55-9a0b-6f2f0e7c1a11';
const SHOP = '/home/ada/shop';
const HASH = createHash('sha256').update(SHOP).digest('hex');

let seconds = 0;
function message(id: string, type: string, content: unknown, more: Json = {}): Json {
  const timestamp = new Date(Date.UTC(2026, 2, 2, 9, 0, seconds++)).toISOString();
  return { id, timestamp, type, content, ...more };
}

const read: Json = {
  id: 'read-1',
  name: 'read_file',
  args: { absolute_path: `${SHOP}/src/till.ts` },
  status: 'success',
  result: [{ functionResponse: { id: 'read-1', name: 'read_file', response: { output: 'class Till {}' } } }],
};
const edit: Json = {
  id: 'edit-1',
  name: 'replace',
  args: { file_path: `${SHOP}/src/till.ts`, old_string: 'shut', new_string: 'open' },
  status: 'success',
  result: [{ functionResponse: { response: { output: 'done' } } }],
};
const failing: Json = {
  id: 'sh-1',
  name: 'run_shell_command',
  args: { command: 'npm test' },
  status: 'error',
  result: [{ functionResponse: { response: { error: 'Error: the drawer is stuck' } } }],
};
const thoughts = [{ subject: 'Looking', description: 'The till has a drawer.' }];

const MESSAGES: Json[] = [
  message('u0', 'user', '<session_context>\nToday is Monday.\n</session_context>'),
  message('u1', 'user', [{ text: 'open the till' }]),
  message('g1', 'gemini', 'I read it.', { thoughts, toolCalls: [read] }),
  message('i1', 'info', 'Update available'),
  message('u2', 'user', [
    { text: 'look at @a.md' },
    {
      text: '\n--- Content from referenced files ---\nContent from @a.md:\nTills ring.\n--- End of content ---',
    },
  ]),
  message('g2', 'gemini', [{ thought: true, text: 'Hm.' }, { text: 'It opens: naïve façade 🚪.' }], {
    toolCalls: [
      edit,
      failing,
      { name: 'write_todos', args: { todos: [{ description: 'Oil it', status: 'pending' }] } },
    ],
  }),
  message('u3', 'user', '/stats'),
  message('e1', 'error', 'quota exceeded'),
  message('u4', 'user', 'thanks'),
  message('g4', 'gemini', 'You are welcome.'),
];

const metadata = { sessionId: SESSION, projectHash: HASH, startTime: '2026-03-02T09:00:00.000Z' };

function document(messages: Json[], more: Json = {}): string {
  const lastUpdated = messages.at(-1)?.['timestamp'];
  return JSON.stringify({ ...metadata, lastUpdated, messages, ...more }, null, 2);
}

function chatPath(home = temporaryFolder(), ending = 'json'): string {
  return join(home, '.gemini', 'tmp', HASH, 'chats', `session-2026-03-02T09-00-7b1e2c4a.${ending}`);
}

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const linesOf = (records: Json[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

describe.each([
  ['in one document', 'json', (messages: Json[]) => document(messages)],
  ['on one line', 'json', (messages: Json[]) => JSON.stringify({ ...metadata, messages })],
  ['in lines', 'jsonl', (messages: Json[]) => linesOf([metadata, ...messages])],
])('a Gemini chat %s', (_, ending, format) => {
  function stored(messages = MESSAGES): TestStore {
    const store = new TestStore();
    store.ingest(write(chatPath(undefined, ending), format(messages)));
    return store;
  }

  it('has each word once, by who said it', () => {
    const store = stored();
    expect(store.saidBy('user')).toEqual(['open the till', 'look at @a.md', 'thanks']);
    expect(store.saidBy('assistant')).toEqual([
      'I read it.',
      'It opens: naïve façade 🚪.',
      'You are welcome.',
    ]);
    expect(store.chunks('thinking').map(({ text }) => text)).toEqual([
      'Looking: The till has a drawer.',
      'Hm.',
    ]);
    expect(store.text('error')).toBe('quota exceeded');
    for (const added of ['Today is Monday', 'Tills ring', '/stats', 'Update available']) {
      expect(store.text('meta')).toContain(added);
    }
  });

  it('takes what the client sends as a user for none of the person’s words', () => {
    const response = { functionResponse: { id: 'x', name: 'read_file', response: { output: 'a picture' } } };
    const steering =
      'User steering update:\n<user_input>\nuse the big till\n</user_input>\nInternal instruction: Re-evaluate the active plan.';
    const ran =
      'I ran the following shell command:\n```sh\nls \\`pwd\\`\n```\n\nThis produced the following result:\n```\ntill.ts\n```';
    const store = stored([
      message('c1', 'user', [{ text: 'look at it' }]),
      message('c2', 'user', [response, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }]),
      message('c3', 'user', [{ text: steering }, response]),
      message('c4', 'user', [{ text: ran }]),
      message('c5', 'user', [{ text: 'Please continue.' }], { displayContent: [{ text: 'look at it' }] }),
      message('c6', 'user', [{ text: 'System: Potential loop detected. Details: none.' }]),
      message('c6a', 'user', [{ text: 'System: Please continue.' }]),
      message('c6b', 'user', '[Function Response: read_many_files]--- till.ts ---\n\nring()\n'),
      message('c7', 'user', 'First, reason in your scratchpad. Then, generate the <state_snapshot>.'),
      message(
        'c8',
        'user',
        'Your task is to do a deep investigation of the codebase to find all relevant files, code locations, and insights to solve  for the following user objective:\n<objective>\nFind the till.\n</objective>',
      ),
      message(
        'c9',
        'user',
        'Your task is to answer the following question about Gemini CLI:\n<question>\nWhat is a till?\n</question>',
      ),
    ]);
    expect(store.saidBy('user')).toEqual(['look at it', 'use the big till', '! ls `pwd`']);
    expect(store.text('dialogue')).toMatch(/^User: ! ls `pwd`\n→ till\.ts$/m);
    expect(store.text()).not.toMatch(/\[file\]|Internal instruction/);
  });

  it('tells of a command that a person ran what it printed, and whether it failed, as of any other', () => {
    const ran = (command: string, result: string): string =>
      `I ran the following shell command:\n\`\`\`sh\n${command}\n\`\`\`\n\nThis produced the following result:\n\`\`\`\n${result}\n\`\`\``;
    const store = stored([
      message('c1', 'user', ran('npm test', 'Command exited with code 1.\nthe drawer is stuck')),
      message('c2', 'user', ran('touch till', '(Command produced no output)')),
      message('c3', 'user', ran('false', 'Command exited with code 1.\n(Command produced no output)')),
    ]);
    expect(store.chunks('dialogue').map(({ text }) => text)).toEqual([
      'User: ! npm test\n→ Error: Exit code 1\nthe drawer is stuck',
      'User: ! touch till',
      'User: ! false\n→ Exit code 1',
    ]);
  });

  it('has what a person says beside what hooks add', () => {
    const hook = '<hook_context>Remember the bell &lt;b&gt;.</hook_context>';
    const output = `<untrusted_context>\nOutput: shut\nExit Code: 1\nProcess Group PGID: 7\n</untrusted_context>\n\n${hook}`;
    const ran = {
      ...failing,
      status: 'success',
      result: [{ functionResponse: { response: { output } } }],
    };
    const store = stored([
      message('c0', 'user', [{ text: hook }]),
      message('c1', 'user', [{ text: `${hook}\n\nopen the till` }, { text: hook }], {
        displayContent: [{ text: `${hook}\n\nopen the till` }],
      }),
      message('c2', 'gemini', '', { toolCalls: [ran] }),
      message('c3', 'user', [
        { text: 'read @a.md' },
        { text: '\n--- Content from referenced files ---' },
        { text: 'Tills ring.' },
        { text: hook },
      ]),
    ]);
    expect(store.saidBy('user')).toEqual(['open the till', 'read @a.md']);
    expect(store.text('dialogue')).toContain('→ Error: Exit code 1\nshut');
    expect(store.text('dialogue')).not.toContain('bell');
    expect(store.text('meta')).toContain('Remember the bell');
    expect(store.text('meta')).toContain('Tills ring.');
  });

  it('has what a person says before what an editor adds, and nothing of what it repeats', () => {
    const file = '\nCurrent File Path:\n```css\nc:\\\\shop\\\\till.css\n```\n\n';
    const selection = 'Current Selection:\n```css\n.till {}\n```\n\n';
    const files = '\nUser Selected Files:\n- c:\\\\shop\\\\README.md\n';
    const store = stored([
      message('c1', 'user', `open the till${file}${selection}`),
      message('c2', 'gemini', 'It opens.'),
      message('c3', 'user', `close it\n${files}`),
      message('c4', 'user', `and now?${file}${files}\n\n\n\n PRIOR CHAT HISTORY: open the till\nIt opens.`),
      message('c5', 'user', `${file}${selection}`),
      message('c6', 'user', 'PRIOR CHAT HISTORY: what is that?'),
      message(
        'c7',
        'user',
        'You have exceeded the time limit. You have one final chance to complete the task with a short grace period.',
      ),
      message(
        'c7a',
        'user',
        'You have exceeded the maximum number of turns. You have one final chance to complete the task with a short grace period.',
      ),
      message('c7b', 'user', 'Background execution update: the drawer has opened.'),
      message(
        'c7c',
        'user',
        "Here is a summary of changes in the user's editor context, in JSON format. This is for your information only.\n{}",
      ),
      message(
        'c8',
        'user',
        'You have stopped calling tools without finishing. You have one final chance to complete the task with a short grace period.',
      ),
    ]);
    expect(store.saidBy('user')).toEqual([
      'open the till',
      'close it',
      'and now?',
      'PRIOR CHAT HISTORY: what is that?',
    ]);
    expect(store.saidBy('assistant')).toEqual(['It opens.']);
    expect(store.text('meta').match(/\.till \{\}/g)).toHaveLength(2);
  });

  it('names each of the files that one call reads, and no pattern', () => {
    const many = {
      id: 'm',
      name: 'read_many_files',
      args: { include: ['src/a.ts', 'src/b.ts', 'docs/**/*.md'] },
      status: 'success',
    };
    const store = stored([message('c1', 'user', 'go'), message('c2', 'gemini', '', { toolCalls: [many] })]);
    expect(store.text('dialogue')).toContain('[read_many_files] src/a.ts src/b.ts docs/**/*.md');
    expect(store.chunks().flatMap(({ files }) => files)).toEqual(['src/a.ts', 'src/b.ts']);
  });

  it('touches no file by an edit that the person refused', () => {
    const output = '[Operation Cancelled] Reason: User did not allow tool call';
    const refused = {
      ...edit,
      status: 'cancelled',
      result: [{ functionResponse: { response: { output } } }],
    };
    const store = stored([
      message('c1', 'user', 'open it'),
      message('c2', 'gemini', '', { toolCalls: [refused] }),
    ]);
    expect(store.text()).toContain('→ Error: [Operation Cancelled]');
    expect(store.facts()[0]).not.toHaveProperty('filesTouched');
    expect(store.facts()[0]).not.toHaveProperty('errors');
  });

  it('is none of Gemini’s with answers of Qwen Code, as its early versions kept them', () => {
    const path = write(
      chatPath(undefined, ending),
      format([
        message('u1', 'user', 'open the till'),
        message('q1', 'qwen', 'I look at it.'),
        message('u2', 'user', '[Function Response: read_file]\nclass Till {}'),
        message('q2', 'qwen', 'It opens.'),
      ]),
    );
    const { store } = new TestStore();
    expect(ingestTree(store, [dirname(path)])).toMatchObject({
      files: 0,
      sessions: 0,
      chunks: 0,
      issues: [],
    });
  });

  it('is none, either, that was not answered in a folder of Qwen Code', () => {
    const path = chatPath(undefined, ending).replace('.gemini', '.qwen');
    write(
      path,
      format([message('u1', 'user', '<system-reminder>You have agents.</system-reminder>open it')]),
    );
    expect(ingestTree(new TestStore().store, [dirname(path)])).toMatchObject({ files: 0, issues: [] });
  });

  it('has its calls with what came of them', () => {
    const store = stored();
    const text = store.text('dialogue');
    expect(text).toContain(`[read_file] ${SHOP}/src/till.ts\n→ class Till {}`);
    expect(text).toContain(`[replace] ${SHOP}/src/till.ts\n- shut\n+ open`);
    expect(text).toContain('[run_shell_command] npm test\n→ Error: Error: the drawer is stuck');
    expect(store.facts()).toContainEqual(
      expect.objectContaining({
        request: 'look at @a.md',
        filesTouched: [`${SHOP}/src/till.ts`],
        commands: ['npm test'],
        errors: [{ message: 'Error: the drawer is stuck' }],
        tasks: [{ text: 'Oil it', status: 'pending' }],
      }),
    );
  });

  it('has the commands that failed as errors, without what the client tells around their output', () => {
    const command = (output: string, at: number): Json => ({
      id: `sh-${at}`,
      name: 'run_shell_command',
      args: { command: `step ${at}` },
      status: 'success',
      result: [{ functionResponse: { response: { output } } }],
    });
    const outputs = [
      '<untrusted_context>\nOutput: one\nError: the drawer is stuck\nExit Code: 3\nProcess Group PGID: 7\n</untrusted_context>',
      'Command: step 1\nDirectory: (root)\nOutput: the bell is broken\nError: (none)\nExit Code: 2\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 7',
      'Command: step 2\nDirectory: (root)\nOutput: two\nError: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 7',
      'Output: Exit Code: 7\nOutput: x\nProcess Group PGID: 7',
      'Output: started\nSignal: 9\nProcess Group PGID: 7',
      '<untrusted_context>\nOutput: (empty)\nProcess Group PGID: 7\n</untrusted_context>',
      '<untrusted_context>\nCommand moved to background (PID: 7). Output hidden.\n</untrusted_context>',
    ];
    const store = stored([
      message('c1', 'user', 'go'),
      message('c2', 'gemini', '', { toolCalls: outputs.map(command) }),
    ]);
    expect(store.text('dialogue').split('\n\n[run_shell_command] ').slice(1)).toEqual([
      'step 0\n→ Error: Exit code 3\none\nError: the drawer is stuck',
      'step 1\n→ Error: Exit code 2\nthe bell is broken',
      'step 2\n→ two',
      'step 3\n→ Exit Code: 7\nOutput: x',
      'step 4\n→ Error: Ended by signal 9\nstarted',
      'step 5',
      'step 6\n→ Command moved to background (PID: 7). Output hidden.',
    ]);
    expect(store.facts()[0]).toHaveProperty('errors', [
      { message: 'Error: the drawer is stuck' },
      { message: 'the bell is broken' },
      { message: 'started' },
    ]);
  });

  it('has what the person answered as the person’s words', () => {
    const ask = (id: string, output: string): Json => ({
      id,
      name: 'ask_user',
      args: {
        questions: [
          { question: 'Which bell?', header: 'Bell', type: 'text' },
          { question: 'Oil it?', header: 'Oil', type: 'yesno' },
        ],
      },
      status: 'success',
      result: [{ functionResponse: { response: { output } } }],
    });
    const toolCalls = [
      ask('a1', '{"answers":{"0":"brass"}}'),
      ask('a2', '{"answers":{"0":"tin","1":"Yes"}}'),
      ask('a3', '{"answers":{}}'),
    ];
    const store = stored([message('u1', 'user', 'ring'), message('g1', 'gemini', '', { toolCalls })]);
    expect(store.saidBy('user')).toEqual([
      'ring',
      'User answered: brass',
      'User answered:\nBell: tin\nOil: Yes',
    ]);
  });

  it('has below each of the calls that were made at once what that one gave, though what all gave is noted with each', () => {
    const response = (id: string, output: string): Json => ({
      functionResponse: { id, response: { output } },
    });
    const result = [response('r1', 'class Till {}'), { inlineData: {} }, response('r2', 'class Bell {}')];
    const call = (id: string, file: string): Json => ({
      id,
      name: 'read_file',
      args: { file_path: file },
      status: 'success',
      result,
    });
    const toolCalls = [call('r1', 'till.ts'), call('r2', 'bell.ts')];
    const store = stored([message('u1', 'user', 'go'), message('g1', 'gemini', '', { toolCalls })]);
    expect(store.text('dialogue')).toContain(
      '[read_file] till.ts\n→ class Till {}\n[file]\n\n[read_file] bell.ts\n→ class Bell {}',
    );
  });

  it('has as thoughts what the model wrote out before its answer, as it sees them in a session that goes on', () => {
    const written = '**Looking** The till.\n[Thought: true]**Oiling** The bell.\n[Thought: true]It rings.';
    const store = stored([
      message('u1', 'user', 'go'),
      message('g1', 'gemini', written),
      message('g2', 'gemini', 'See:\n[Thought: true]'),
    ]);
    expect(store.saidBy('assistant')).toEqual(['It rings.', 'See:\n[Thought: true]']);
    expect(store.chunks('thinking').map(({ text }) => text)).toEqual([
      '**Looking** The till.\n**Oiling** The bell.',
    ]);
  });

  it('names the skill that it uses', () => {
    const skill = { id: 'k', name: 'activate_skill', args: { name: 'brew' }, status: 'success' };
    const store = stored([message('c1', 'user', 'go'), message('c2', 'gemini', '', { toolCalls: [skill] })]);
    expect(store.text('dialogue')).toContain('[activate_skill] brew');
  });

  it('is in the project above the file that was open at a prompt, by the hash of its path', () => {
    const prompt = `why?\nCurrent File Path:\n\`\`\`ts\n${SHOP}/src/till.ts\n\`\`\`\n\n`;
    expect(stored([message('c1', 'user', prompt)]).contents()['sessions']).toMatchObject([{ project: SHOP }]);
  });

  it('says once what it is about now', () => {
    const told = {
      id: 't1',
      name: 'update_topic',
      args: { title: 'The till', summary: 'It is stuck.', strategic_intent: 'Oil it.' },
      status: 'success',
      result: [{ functionResponse: { response: { output: 'Current topic: "The till"\nIt is stuck.' } } }],
    };
    const store = stored([message('c1', 'user', 'hm'), message('c2', 'gemini', '', { toolCalls: [told] })]);
    expect(store.text('dialogue')).toBe('User: hm\n\n[update_topic] The till\nIt is stuck.\nOil it.');
  });

  it('names its client and its project, found by the hash of its path', () => {
    expect(stored().contents()['sessions']).toMatchObject([
      { uuid: SESSION, source: 'gemini', project: SHOP },
    ]);
  });

  it('grown message by message is the same as at once', () => {
    const expected = stored();
    const path = chatPath(undefined, ending);
    const store = new TestStore();
    for (let count = 0; count <= MESSAGES.length; count++) {
      store.ingest(write(path, format(MESSAGES.slice(0, count))));
    }
    expect(store.contentsOf(path)).toEqual(expected.contentsOf(expected.transcriptPaths()[0]!));
  });
});

describe('a Gemini chat that is written anew as it grows', () => {
  it('keeps what was read, and adds the rest', () => {
    const path = chatPath();
    const store = new TestStore();
    store.ingest(write(path, document(MESSAGES.slice(0, 6))));
    const before = [...store.store.chunks.walk({}, 'oldest')];
    const report = store.ingest(write(path, document(MESSAGES)));
    const after = [...store.store.chunks.walk({}, 'oldest')];
    expect(report.bytes).toBeLessThan(document(MESSAGES).length * 0.8);
    // Two turns were closed: their chunks are the same rows.
    expect(after[0]).toEqual(before[0]);
    expect(store.saidBy('user')).toEqual(['open the till', 'look at @a.md', 'thanks']);
    expect(store.ingest(path).status).toBe('unchanged');
  });

  it('is read anew where it was rewound', () => {
    const path = chatPath();
    const store = new TestStore();
    store.ingest(write(path, document(MESSAGES)));
    store.ingest(write(path, document([...MESSAGES.slice(0, 3), message('u9', 'user', 'another way')])));
    expect(store.saidBy('user')).toEqual(['open the till', 'another way']);
  });

  it('that is cut off gives what is whole', () => {
    const text = document(MESSAGES);
    const store = new TestStore();
    const report = store.ingest(write(chatPath(), text.slice(0, text.indexOf('You are welcome'))));
    expect(report.issues).toEqual([]);
    expect(store.saidBy('user').at(-1)).toBe('thanks');
  });

  it('has each message once where a megabyte of it, as it is read at a time, ends between two', () => {
    const messagesOf = (answer: string): Json[] => [
      message('u0', 'user', 'open the till'),
      message('g0', 'gemini', answer),
      message('u9', 'user', 'and the bell?'),
    ];
    const short = document(messagesOf(''));
    const behindAnswer = short.indexOf('}', short.indexOf('"g0"')) + 1;
    const messages = messagesOf('a'.repeat((1 << 20) - behindAnswer));
    const descriptor = openSync(write(chatPath(), document(messages)), 'r');
    const { size } = fstatSync(descriptor);
    const [, ...parts] = [...readDocument(descriptor, { offset: 0, line: 1 }, size)];
    closeSync(descriptor);
    const said = parts.map(({ bytes }) => JSON.parse(bytes.toString('utf8')) as Json);
    expect(said.slice(0, messages.length)).toEqual(messages);
  });

  it('may name its session behind its messages, and hold what is no message', () => {
    const { sessionId, ...rest } = metadata;
    const text = JSON.stringify({
      ...rest,
      messages: [null, 'x', ...MESSAGES, [1]],
      sessionId,
      summary: 'The till',
    });
    const store = new TestStore();
    store.ingest(write(chatPath(), text));
    expect(store.contents()['sessions']).toMatchObject([{ uuid: SESSION, title: 'The till' }]);
    expect(store.saidBy('user')).toHaveLength(3);
  });
});

describe('a Gemini chat in lines', () => {
  const g1 = message('g1', 'gemini', '');
  const records: Json[] = [
    { ...metadata, kind: 'main' },
    message('u1', 'user', 'open the till'),
    g1,
    { ...g1, thoughts, toolCalls: [{ ...read, status: 'executing', result: undefined }] },
    { ...g1, thoughts, toolCalls: [read], tokens: { total: 9 } },
    { ...g1, content: 'It is read.', thoughts, toolCalls: [read] },
    { $set: { lastUpdated: '2026-03-02T10:00:00Z' } },
    message('u2', 'user', 'burn it'),
    message('g2', 'gemini', 'It burns.'),
    { $rewindTo: 'u2' },
    message('u3', 'user', 'polish it'),
    message('g3', 'gemini', 'It shines.'),
    {
      $set: {
        summary: 'The till shines',
        messages: [g1, message('s1', 'user', '<state_snapshot>In short.</state_snapshot>')],
      },
    },
    message('g4', 'gemini', 'Still shining.'),
  ];

  function stored(cuts: number[]): { store: TestStore; path: string } {
    const path = chatPath(undefined, 'jsonl');
    const store = new TestStore();
    const text = linesOf(records);
    for (const cut of cuts) store.ingest(write(path, text.slice(0, cut)));
    return { store, path };
  }
  const size = linesOf(records).length;

  it('has the last version of each message, without what was rewound', () => {
    const { store } = stored([size]);
    expect(store.saidBy('user')).toEqual(['open the till', 'polish it']);
    expect(store.saidBy('assistant')).toEqual(['It is read.', 'It shines.', 'Still shining.']);
    expect(store.text('compaction')).toContain('In short.');
    expect(store.text().match(/\[read_file\]|→ class Till \{\}/g)).toHaveLength(2);
    expect(store.text()).toMatch(/\[read_file\] [^\n]*\n→ class Till \{\}\n\nAssistant: It is read\./);
    expect(store.contents()['sessions']).toMatchObject([{ title: 'The till shines' }]);
  });

  it('grown by any piece is the same as at once', () => {
    const once = stored([size]);
    for (let cut = 200; cut < size; cut += 151) {
      const twice = stored([cut, size]);
      expect(twice.store.contentsOf(twice.path)).toEqual(once.store.contentsOf(once.path));
    }
    const steps = Array.from({ length: Math.ceil(size / 97) }, (_, n) => Math.min(size, (n + 1) * 97));
    const stepwise = stored(steps);
    expect(stepwise.store.contentsOf(stepwise.path)).toEqual(once.store.contentsOf(once.path));
  });

  it('is read on behind a record that was broken off, as by a crash', () => {
    const [first, ...rest] = [message('u1', 'user', 'open the till'), message('g9', 'gemini', 'It is open.')];
    const text = linesOf([metadata, first!]) + JSON.stringify(first).slice(0, 60) + linesOf(rest);
    const store = new TestStore();
    store.ingest(write(chatPath(undefined, 'jsonl'), text));
    expect(store.saidBy('assistant')).toEqual(['It is open.']);
  });

  describe('in which the person went back', () => {
    const rung = (...behind: Json[]): string[] => {
      const store = new TestStore();
      const said = [message('u1', 'user', 'ring it'), message('g1', 'gemini', 'It rings.')];
      const again = [message('u2', 'user', 'burn it'), message('g2', 'gemini', 'It burns.')];
      const text = linesOf([metadata, ...said, ...again, ...behind]);
      store.ingest(write(chatPath(undefined, 'jsonl'), text));
      return [...store.saidBy('user'), ...store.saidBy('assistant')];
    };

    it('to a message that is not known has nothing left of what was said before', () => {
      expect(rung({ $rewindTo: 'u0' }, message('u3', 'user', 'polish it'))).toEqual(['polish it']);
    });

    it('has what was taken back and is said again, under its own id and under a new one', () => {
      const kept = ['ring it', 'burn it', 'It rings.', 'It smokes.'];
      for (const id of ['u2', 'u3']) {
        const [rewind, answer] = [{ $rewindTo: 'u2' }, message('g3', 'gemini', 'It smokes.')];
        const again = message(id, 'user', 'burn it');
        expect(rung(rewind, again, answer)).toEqual(kept);
        expect(rung(rewind, { $set: { messages: [again] } }, answer)).toEqual(kept);
      }
    });
  });

  it('that went on from a document is stored once', () => {
    const home = temporaryFolder();
    write(chatPath(home), document(MESSAGES));
    const lines = linesOf([metadata, ...MESSAGES, message('u5', 'user', 'one more thing')]);
    write(chatPath(home, 'jsonl'), lines);
    const store = new TestStore();
    ingestTree(store.store, [home]);
    expect(store.contents()['sessions']).toHaveLength(1);
    expect(store.saidBy('user')).toEqual(['open the till', 'look at @a.md', 'thanks', 'one more thing']);
  });

  it('of a sub-agent belongs to the session that started it, where its task and its report stand', () => {
    const home = temporaryFolder();
    const agent = 'c3a9f0d2-5f0e-4f6b-8a53-1f9f2b8f3e77';
    const report = `Two tills.${' A till.'.repeat(500)}`;
    const call = {
      id: 'agent-1',
      name: 'invoke_agent',
      args: { agent_name: 'finder', prompt: 'List the tills.' },
      result: [{ functionResponse: { response: { output: report } } }],
      status: 'success',
      agentId: agent,
      displayName: 'Invoke Subagent',
    };
    const calling = message('a1', 'gemini', '', { toolCalls: [call] });
    const path = write(
      chatPath(home, 'jsonl'),
      linesOf([...records, message('a0', 'user', 'which?'), calling]),
    );
    write(
      join(dirname(path), SESSION, `${agent}.jsonl`),
      linesOf([
        { ...metadata, sessionId: agent, kind: 'subagent', directories: [SHOP] },
        message('s1', 'user', [
          { text: '\n<loaded_context>\nRing the bell.\n</loaded_context>' },
          {
            text: 'Your task is to do a deep investigation of the codebase to find all relevant files, code locations, and tills.',
          },
        ]),
        message('s2', 'gemini', 'Two tills.'),
      ]),
    );
    const store = new TestStore();
    ingestTree(store.store, [home]);
    expect(store.contents()['sessions']).toHaveLength(1);
    expect(store.contents()['agents']).toMatchObject([
      { uuid: SESSION, key: agent, kind: 'subagent', name: 'finder' },
    ]);
    expect(store.text()).toContain('Assignment: Your task is to do a deep');
    expect(store.text('dialogue')).not.toContain('Ring the bell');
    expect(store.text()).toContain('[invoke_agent] finder\nList the tills.');
    expect(store.text().match(/A till\./g)).toHaveLength(500);
    const db = openSqlite(store.path, { readonly: true });
    expect(db.prepare('SELECT type FROM edge').pluck().all()).toContain('brief');
    db.close();
  });
});

it('a Gemini chat of nothing but what every session begins with is no session until something is said', () => {
  const path = chatPath(undefined, 'jsonl');
  const begun = { $set: { messages: [MESSAGES[0]] } };
  write(path, linesOf([{ ...metadata, sessionId: 'a2a-server', kind: 'main' }, begun]));
  const store = new TestStore();
  expect(ingestTree(store.store, [dirname(path)])).toMatchObject({ files: 0, sessions: 0, issues: [] });
  appendFileSync(path, linesOf([message('u1', 'user', [{ text: 'open the till' }])]));
  expect(ingestTree(store.store, [dirname(path)])).toMatchObject({ files: 1, sessions: 1 });
  expect(store.saidBy('user')).toEqual(['open the till']);
});

describe('a Gemini chat whose history the client writes again', () => {
  const context = '<session_context>\nToday is Monday.\n</session_context>';
  const editor =
    "Here is the user's editor context as a JSON object. This is for your information only.\n```json\n{}\n```";
  const call = { functionCall: { id: 'read-1', name: 'read_file', args: {} } };
  const response = {
    functionResponse: { id: 'read-1', name: 'read_file', response: { output: 'class Till {}' } },
  };
  const masked = { functionResponse: { ...response.functionResponse, response: { output: '(left out)' } } };
  const said: Json[] = [
    { ...metadata, kind: 'main' },
    message('c', 'user', [{ text: context }]),
    message('e', 'user', [{ text: editor }]),
    message('u1', 'user', [{ text: 'open the till' }]),
    message('g1', 'gemini', 'I read it.', { thoughts, toolCalls: [read] }),
    message('r1', 'user', [response]),
    message('g2', 'gemini', 'It opens.'),
    message('g2', 'gemini', 'It opens.', { tokens: { total: 9 } }),
    message('u2', 'user', [{ text: 'go on' }]),
    message('g3', 'gemini', 'It shines.'),
    message('u3', 'user', [{ text: 'go on' }]),
    message('g4', 'gemini', 'It shines.'),
  ];
  const again = (id: string, type: string, parts: Json[]): Json => message(id, type, parts);
  /** As when the outputs of tools are taken out: all anew, neighbours of one role together. */
  const written = [
    again('x1', 'user', [{ text: context }, { text: editor }, { text: 'open the till' }]),
    again('x2', 'gemini', [
      { text: 'Looking: The till has a drawer.', thought: true },
      { text: 'I read it.' },
      call,
    ]),
    again('x3', 'user', [masked]),
    again('x4', 'gemini', [{ text: 'It opens.' }]),
    again('x5', 'user', [{ text: 'go on' }]),
    again('x6', 'gemini', [{ text: 'It shines.' }]),
    again('x7', 'user', [{ text: 'go on' }]),
    again('x8', 'gemini', [{ text: 'It shines.' }]),
  ].map((record) => ({ ...record, timestamp: '2026-03-02T11:00:00.000Z' }));
  const list = { $set: { messages: written } };
  /** As when it is compressed. */
  const compressed = {
    $set: {
      messages: [
        again('y0', 'user', [
          { text: '<scratchpad>Hm.</scratchpad>\n<state_snapshot>In short.</state_snapshot>' },
        ]),
        again('y1', 'gemini', [{ text: 'Got it. Thanks for the additional context!' }]),
        again('y2', 'user', [{ text: 'go on' }]),
        again('y3', 'gemini', [{ text: 'It shines.' }]),
      ],
    },
  };
  const after = [message('u9', 'user', [{ text: 'go on' }]), message('g9', 'gemini', 'It shines.')].map(
    (record) => ({
      ...record,
      timestamp: '2026-03-02T12:00:00.000Z',
    }),
  );

  it.each([
    ['message by message', [...said, ...written, list, ...after]],
    ['message by message, until it ended', [...said, ...written, ...after]],
    ['in a list', [...said, compressed, ...after]],
    ['again and again', [...said, ...written, list, compressed, ...after]],
  ])('%s is told once, and what is said twice is told twice', (_, records) => {
    const path = chatPath(undefined, 'jsonl');
    const store = new TestStore();
    store.ingest(write(path, linesOf(records)));
    expect(store.saidBy('user')).toEqual(['open the till', 'go on', 'go on', 'go on']);
    expect(store.saidBy('assistant')).toEqual([
      'I read it.',
      'It opens.',
      ...Array<string>(3).fill('It shines.'),
    ]);
    expect(store.text().match(/The till has a drawer/g)).toHaveLength(1);
    expect(store.text('compaction')).toContain(records.includes(compressed) ? 'In short.' : '');
    expect(store.text()).not.toMatch(/left out|Got it/);
    const whole = store.contentsOf(path);
    const pieces = new TestStore();
    for (let end = 1; end <= records.length; end++)
      pieces.ingest(write(path, linesOf(records.slice(0, end))));
    expect(pieces.contentsOf(path)).toEqual(whole);
  });

  describe('in another session', () => {
    const other = {
      ...metadata,
      sessionId: 'e434dd12-2633-419d-928c-da8dd95ccae6',
      startTime: '2026-03-02T11:00:00.000Z',
    };
    const ran =
      'I ran the following shell command:\n```sh\nls\n```\n\nThis produced the following result:\n```\ntill.ts\n```';
    const files = [
      { text: '\n--- Content from referenced files ---' },
      { text: 'Tills ring.' },
      { text: '\n--- End of content ---' },
    ];
    const earlier = [
      ...said,
      message('u4', 'user', [{ text: 'read @a.md' }, ...files], { displayContent: [{ text: 'read @a.md' }] }),
      message('u5', 'user', [{ text: ran }]),
      message('u6', 'user', [{ text: 'thanks' }]),
      message('g6', 'gemini', 'You are welcome.'),
    ];
    const restored = [
      { $set: { messages: [again('c', 'user', [{ text: context }])] } },
      ...[
        ...written,
        again('x9', 'user', [{ text: 'read @a.md' }, ...files, { text: ran }, { text: 'thanks' }]),
        again('x10', 'gemini', [{ text: 'You are welcome.' }]),
        again('x11', 'gemini', [{ text: '[The previous response was interrupted before it completed.]' }]),
      ].map((record) => ({ ...record, timestamp: '2026-03-02T11:00:00.000Z' })),
    ];
    const later = linesOf([other, ...restored, ...after]);

    function stored(...texts: string[]): TestStore {
      const home = temporaryFolder();
      texts.forEach((text, at) => write(chatPath(home, 'jsonl').replace('7b1e2c4a', `7b1e2c4${at}`), text));
      const store = new TestStore();
      ingestTree(store.store, [home]);
      return store;
    }

    it('is told once, and that session goes on from the other', () => {
      const store = stored(linesOf(earlier), later);
      expect(store.saidBy('user')).toEqual([
        'open the till',
        'go on',
        'go on',
        'read @a.md',
        '! ls',
        'thanks',
        'go on',
      ]);
      expect(store.saidBy('assistant').filter((text) => text === 'You are welcome.')).toHaveLength(1);
      expect(store.text()).not.toContain('interrupted before');
      expect(store.contents()['sessions']).toMatchObject([
        { uuid: SESSION, continues_uuid: null },
        { uuid: other.sessionId, continues_uuid: SESSION },
      ]);
    });

    it('is of that session though the same words were said in others', () => {
      const third = { ...metadata, sessionId: 'a434dd12-2633-419d-928c-da8dd95ccae6' };
      const unrelated = linesOf([
        third,
        message('v1', 'user', 'thanks'),
        message('h1', 'gemini', 'You are welcome.'),
      ]);
      for (const texts of [
        [unrelated, linesOf(earlier), later],
        [linesOf(earlier), later, unrelated],
        [linesOf(earlier), unrelated, later],
      ]) {
        const store = stored(...texts);
        expect(store.saidBy('user').filter((text) => text === 'thanks')).toHaveLength(2);
        expect(store.contents()['sessions']).toMatchObject([
          { uuid: SESSION, continues_uuid: null },
          { uuid: third.sessionId, continues_uuid: null },
          { uuid: other.sessionId, continues_uuid: SESSION },
        ]);
      }
    });

    it('is told there, each message for itself, where the other is gone', () => {
      const store = stored(later);
      expect(store.saidBy('user')).toEqual([
        'open the till',
        'go on',
        'read @a.md',
        '! ls',
        'thanks',
        'go on',
      ]);
      expect(store.text('meta')).toContain('Tills ring.');
    });
  });

  it('that begins like the client’s is the person’s', () => {
    const store = new TestStore();
    const prompt = '<loaded_context> is what kind of tag?';
    store.ingest(write(chatPath(undefined, 'jsonl'), linesOf([metadata, message('u', 'user', prompt)])));
    expect(store.saidBy('user')).toEqual([prompt]);
  });

  it('is taken back from where a message stood first', () => {
    const store = new TestStore();
    store.ingest(
      write(
        chatPath(undefined, 'jsonl'),
        linesOf([...said, ...written, list, { $rewindTo: 'x5' }, ...after]),
      ),
    );
    expect(store.saidBy('user')).toEqual(['open the till', 'go on']);
    expect(store.saidBy('assistant')).toEqual(['I read it.', 'It opens.', 'It shines.']);
  });

  it('is told from what a first list says twice', () => {
    const store = new TestStore();
    store.ingest(
      write(chatPath(undefined, 'jsonl'), linesOf([metadata, { $set: { messages: said.slice(1) } }])),
    );
    expect(store.saidBy('user')).toEqual(['open the till', 'go on', 'go on']);
    expect(store.text()).toContain('→ class Till {}');
  });
});

describe("a Gemini chat's project", () => {
  const chat = linesOf([{ ...metadata, projectHash: 'unknown' }, message('u', 'user', 'hello')]);

  it.each<[string, (home: string, folder: string) => void, string]>([
    [
      'a mark in its folder',
      (_, folder) => write(join(folder, '.project_root'), '/srv/marked\n'),
      '/srv/marked',
    ],
    [
      'the list of short names',
      (home) =>
        write(join(home, '.gemini', 'projects.json'), JSON.stringify({ projects: { '/srv/listed': HASH } })),
      '/srv/listed',
    ],
    ['its folder, where nothing names it', () => undefined, 'FOLDER'],
    [
      'its folder, where the list is damaged',
      (home) => write(join(home, '.gemini', 'projects.json'), '{"projects":'),
      'FOLDER',
    ],
  ])('is told by %s', (_, prepare, expected) => {
    const home = temporaryFolder();
    const path = write(chatPath(home, 'jsonl'), chat);
    const folder = dirname(dirname(path));
    prepare(home, folder);
    const store = new TestStore();
    store.ingest(path);
    expect(store.contents()['sessions']).toMatchObject([
      { project: expected === 'FOLDER' ? folder : expected },
    ]);
  });

  it.each([
    ['a path in what is said', `look at @${SHOP}/src/till.ts, please`, []],
    ['the folder at the end of a sentence', `I am in ${SHOP}.`, []],
    [
      'a folder that a call names with a slash behind it',
      'list it',
      [{ name: 'list_directory', args: { path: `${SHOP}/` } }],
    ],
  ])('is told by %s', (_, said, toolCalls) => {
    const chat = [metadata, message('u', 'user', said), message('g', 'gemini', 'hi', { toolCalls })];
    const store = new TestStore();
    store.ingest(write(chatPath(undefined, 'jsonl'), linesOf(chat)));
    expect(store.contents()['sessions']).toMatchObject([{ project: SHOP }]);
  });

  it('is told by the folders in the context of the session, also with blanks in their names', () => {
    const folder = 'D:\\my downloads\\shop';
    const context = `<session_context>\n- **Workspace Directories:**\n  - ${folder}\n- **Directory Structure:**\n</session_context>`;
    const chat = linesOf([
      { ...metadata, projectHash: createHash('sha256').update(folder).digest('hex') },
      message('u', 'user', context),
      message('v', 'user', 'go'),
    ]);
    const store = new TestStore();
    store.ingest(write(chatPath(undefined, 'jsonl'), chat));
    expect(store.contents()['sessions']).toMatchObject([{ project: folder }]);
  });

  it('is the home folder, where the client was started there', () => {
    const home = temporaryFolder();
    const projectHash = createHash('sha256').update(home).digest('hex');
    const chat = linesOf([
      { ...metadata, projectHash },
      message('u', 'user', 'see https://tills.example/home'),
    ]);
    const store = new TestStore();
    store.ingest(write(chatPath(home, 'jsonl'), chat));
    expect(store.contents()['sessions']).toMatchObject([{ project: home }]);
  });

  it('is told by trusted folders with the right hash', () => {
    const home = temporaryFolder();
    const path = write(chatPath(home, 'jsonl'), linesOf([metadata, message('u', 'user', 'hello')]));
    write(
      join(home, '.gemini', 'trustedFolders.json'),
      JSON.stringify({ '/home/ada': 'x', [SHOP]: 'TRUST_FOLDER' }),
    );
    const store = new TestStore();
    store.ingest(path);
    expect(store.contents()['sessions']).toMatchObject([{ project: SHOP }]);
    appendFileSync(path, linesOf([message('g', 'gemini', 'hi')]));
    store.ingest(path);
    expect(store.saidBy('assistant')).toEqual(['hi']);
  });

  it('is that of another session in the folder with its hash, read before or later', () => {
    const home = temporaryFolder();
    const other = (at: number, ...messages: Json[]): string => {
      const path = chatPath(home, 'jsonl').replace('7b1e2c4a', `7b1e2c4${at}`);
      return write(path, linesOf([{ ...metadata, sessionId: `${SESSION.slice(0, -1)}${at}` }, ...messages]));
    };
    other(2, message('u', 'user', 'hello'));
    const store = new TestStore();
    ingestTree(store.store, [home]);
    const projects = (): unknown[] =>
      store.contents()['sessions']!.map((session) => (session as { project: string }).project);
    expect(projects()).toEqual([expect.stringContaining(HASH)]);
    expect(store.store.projects.slugsInUse()).toEqual([HASH.slice(0, 8)]);
    other(3, message('v', 'user', 'read it'), message('w', 'gemini', '', { toolCalls: [read] }));
    ingestTree(store.store, [home]);
    expect(projects()).toEqual([SHOP, SHOP]);
    other(4, message('x', 'user', 'bye'));
    ingestTree(store.store, [home]);
    expect(projects()).toEqual([SHOP, SHOP, SHOP]);
  });

  it('takes the chats of its agents along when it becomes known', () => {
    const home = temporaryFolder();
    const path = write(chatPath(home, 'jsonl'), linesOf([metadata, message('u', 'user', 'hello')]));
    write(
      join(dirname(path), SESSION, 'agent.jsonl'),
      linesOf([
        { ...metadata, sessionId: 'agent', kind: 'subagent' },
        message('s', 'user', 'List the tills.'),
      ]),
    );
    const store = new TestStore();
    ingestTree(store.store, [home]);
    const before = store.text();
    appendFileSync(path, linesOf([{ $set: { directories: [SHOP] } }]));
    expect(ingestTree(store.store, [home])).toMatchObject({ files: 2, skipped: 1, chunks: 1 });
    expect(store.contents()['sessions']).toMatchObject([{ project: SHOP }]);
    expect(store.text()).toBe(before);
  });
});
