import { projectOf } from '@causantic/domain';
import { expect, test } from 'vitest';
import { withTagsClosed } from '../src/clients/claude-code/content.js';
import { withoutClientNotes } from '../src/clients/claude-code/result-notes.js';
import { splitUserText, withoutTranscriptNote } from '../src/clients/claude-code/user-text.js';
import { requestIn, userPart } from '../src/clients/codex/content.js';
import { importedAnswer } from '../src/clients/codex/imports.js';
import { toolCall, toolOutput } from '../src/clients/codex/tools.js';
import { isExcluded } from '../src/exclusion.js';
import { FactsCollector } from '../src/turns/facts.js';
import { commandResult, userMessage } from '../src/clients/gemini/content.js';
import { CHUNK_SIZES } from '../src/index.js';
import { projectFile } from '../src/links/link-files.js';
import { Redactor } from '../src/redaction/redaction.js';
import { callText, withoutPlan } from '../src/turns/tool-text.js';
import { ingested } from './ingested.js';
import { Recording, sessionId } from './recording.js';

/** So long that what takes the square of a text's length takes minutes, and runs into the test's time-out. */
const filled = (text: string): string => text.repeat(1_000_000 / text.length);

const codexCommand = (command: string) => ({ type: 'local_shell_call', action: { command } });

const READINGS: Record<string, () => unknown> = {
  'how to resume': () => withoutClientNotes(`x\nagentId: ${filled('to continue this agent')}\nx`),
  refusals: () => withoutClientNotes(filled(' The tool use was rejected (eg. if it was a file edit, ')),
  'calls that were stopped': () =>
    withoutClientNotes(
      `The user doesn't want to ${filled('Correction to the text above: this call was stopped while running ').repeat(6)}`,
    ),
  'how to read answers': () => withoutClientNotes(`${filled(' Read the answers carefully — ').repeat(4)}\nx`),
  'a note on the transcript': () =>
    withoutTranscriptNote(
      `\nIf you need specific details from before x, read the full transcript at: ${filled(' ')}\nx`,
    ),
  reminders: () => splitUserText(filled('a<system-reminder></system-reminder>').repeat(6)),
  'private parts that are not closed': () =>
    withTagsClosed(Array.from({ length: 100_000 }, () => ({ type: 'text', text: '<private>' }))),
  'a request by voice': () => part(`<realtime_delegation><input>${filled('</input>')}`),
  'a request of another thread': () => part(`<codex_delegation>${filled('</codex_delegation><input>')}x`),
  'a schedule': () => part(`<heartbeat>${filled('</heartbeat> ')}x`),
  'answers to questions': () =>
    part(`<send_user_message_question_reply>${filled('</send_user_message_question_reply> ')}x`),
  'sections before a request': () => requestIn(filled('# Chrome tabs:\n## My request')),
  'files that were pasted': () =>
    requestIn(`# Files pasted by the user:\n${filled('## "": "": ')}\n## My request:`),
  'instructions of an app': () => requestIn(`${filled('<system_instruction></system_instruction> <')}x`),
  'commands in a shell': () => part(`<user_shell_command>${filled('<command>')}</user_shell_command>`),
  'results of a shell': () =>
    part(`<user_shell_command><command></command>${filled('<result>')}</user_shell_command>`),
  'imported calls': () => importedAnswer(filled('[external_agent_tool_call]')),
  'patches without an end': () => toolCall(codexCommand(`apply_patch ${filled('*** Begin Patch')}`), null),
  'commands to patch': () =>
    toolCall(codexCommand(`cd a ${filled('&& apply_patch *** Begin Patch ')}`), null),
  'folders to patch in': () => toolCall(codexCommand(filled("cd 'a")), null),
  'files to print': () => toolCall(codexCommand(filled('cat "a\' b; ')), null),
  'words to print': () => toolCall(codexCommand(`cat ${filled('a\\ \\b ')} |`), null),
  'headings between files': () => toolCall(codexCommand(`echo ${filled(' \'"\'" ')}`), null),
  "headers of a command's output": () =>
    toolOutput({ output: `Command: x\n${filled('Chunk ID: \nWall time: \n').repeat(4)}` }),
  'results in a prompt of Gemini': () =>
    userMessage(
      {
        content: `I ran the following shell command:\n\`\`\`sh\n${filled('\n```\n\nThis produced the following result:\n```\n')}x`,
      },
      false,
    ),
  'hooks without an end': () => userMessage({ content: `x${filled('<hook_context>')}` }, false),
  'ends of hooks': () => userMessage({ content: `x${filled('</hook_context>')}` }, false),
  'hooks behind a prompt': () =>
    userMessage({ content: `x${filled('<hook_context>y</hook_context>')}` }, false),
  'reports of commands': () =>
    commandResult(`Command: ${filled('\nDirectory: x\nOutput: x\nError: (none)')}`),
  'reports of failed commands': () => commandResult(`Output: ${filled('\nExit Code: 1\nSignal: 1')}`),
  'blanks before a plan': () => withoutPlan(`${filled(' ')}x plan`, { plan: 'plan' }),
  'slashes in a folder': () => [
    projectOf(`/a${filled('/')}x`),
    projectFile('a', [`/a${filled('/')}x`]),
    isExcluded({ paths: ['**/x'] }, '/t', { cwd: null, project: `/a${filled('/')}x` }),
  ],
  'worktrees in worktrees': () => projectOf(`${filled('/.worktrees/a')}\n`),
  'here-documents': () => committed(`git commit ${filled('<<A\n')}`),
  'an empty here-document': () => committed(`git commit <<EOF\n${filled('\n')}x`),
  'a message that is not closed': () => committed(`git commit -m "${filled('a').repeat(10)}`),
  passwords: () => new Redactor().clean(filled('PASSWORD=')),
};

function part(text: string): unknown {
  return userPart({ text, kind: '' });
}

function committed(command: string): unknown {
  const facts = new FactsCollector(new Map());
  facts.result('Bash', { command }, { text: 'done', isError: false });
  return facts.facts();
}

test.each(Object.keys(READINGS))('a text of nothing but %s is read', (name) => {
  expect(() => READINGS[name]!()).not.toThrow();
});

test('an input of very many fields or entries is a call like any other', () => {
  const entries = Array.from({ length: 200_000 }, (_, index) => ({ content: `step ${index}` }));
  expect(callText('TodoWrite', { todos: entries })).toContain('step 199999');
  expect(callText('mcp__any__tool', { ...entries })).toContain('199999: ');
});

test('tools and states called like the properties of every object are counted like others', () => {
  const facts = new FactsCollector(new Map());
  facts.call('constructor', {}, []);
  facts.call('__proto__', {}, []);
  expect(Object.entries(facts.facts().toolCounts!)).toEqual([
    ['constructor', 1],
    ['__proto__', 1],
  ]);
  const todos = [{ content: 'pay', status: 'constructor' }];
  expect(callText('TodoWrite', { todos })).toBe('[TodoWrite] - [ ] pay');
});

test('names too long for a chunk cost nothing of what stands with them', () => {
  const name = 'till '.repeat(2_000);
  const { store } = ingested(
    new Recording(sessionId(1))
      .user('go')
      .result('late', 'rung', {}, {})
      .call('t', name, { a: 1 })
      .user('next'),
  );
  const late = ingested(
    new Recording(sessionId(2)).user('go').call('t', name, {}).user('next').result('t', 'rung'),
  );
  expect(store.saidBy('user')).toEqual(['go', 'next']);
  expect(late.store.text()).toMatch(/^\[till (.|\n)*…\] → rung/m);
});

test('a name that takes more tokens than a chunk may have is cut like what is said', () => {
  const name = 'မြန်မာ'.repeat(50);
  const { store } = ingested(
    new Recording(sessionId(1))
      .user(`<teammate-message teammate_id="${name}">the till is open</teammate-message>`)
      .answer('well'),
  );
  const chunks = store.chunks('dialogue');
  expect(Math.max(...chunks.map(({ tokens }) => tokens))).toBeLessThanOrEqual(CHUNK_SIZES.limit);
  expect(chunks.map(({ text }) => text).join('')).toContain(`${name.slice(-10)} → main: the till is open`);
});

test('what is too long for the path of a file is said in the call, and in no chunk named as a file', () => {
  const path = `/till/${'door/'.repeat(20_000)}`;
  const { store } = ingested(
    new Recording(sessionId(1)).user('go').call('t', 'Write', { file_path: path, content: 'open' }),
  );
  expect(store.chunks().length).toBeGreaterThan(100);
  expect(store.chunks().every(({ files }) => files.length === 0)).toBe(true);
});
