import { describe, expect, it } from 'vitest';
import { toolInput as copilotInput } from '../src/clients/copilot/tools.js';
import { toolInput as geminiInput } from '../src/clients/gemini/content.js';
import { toolInput as opencodeInput } from '../src/clients/opencode/tools.js';
import { changedLines } from '../src/turns/changed-lines.js';
import { callFiles, callText } from '../src/turns/tool-text.js';

type Input = Record<string, unknown>;

describe('a call reads as a person would tell it', () => {
  it.each<[name: string, input: Input, text: string]>([
    ['Bash', { command: 'npm test', description: 'run all' }, 'npm test\n# run all'],
    ['Read', { file_path: 'a.ts', offset: 7 }, 'a.ts from line 7'],
    ['Write', { file_path: 'a.ts', content: 'ring()' }, 'a.ts\nring()'],
    ['Edit', { file_path: 'a.ts', old_string: 'a\nb\nc', new_string: 'a\nd\nc' }, 'a.ts\n- b\n+ d'],
    [
      'MultiEdit',
      { file_path: 'a.ts', edits: [{ old_string: 'a', new_string: 'b' }, { new_string: 'c' }] },
      'a.ts\n- a\n+ b\n+ c',
    ],
    ['NotebookEdit', { notebook_path: 'a.ipynb', new_source: 'ring()' }, 'a.ipynb\nring()'],
    ['write_stdin', { chars: 'yes\n', session_id: 7 }, 'yes'],
    ['Grep', { pattern: 'ring', path: 'src', type: 'ts' }, 'ring in src ts'],
    ['Glob', { pattern: '*.ts', path: 'src' }, '*.ts in src'],
    ['LS', { path: 'src' }, 'src'],
    ['WebFetch', { url: 'https://a.example', prompt: 'what is it' }, 'https://a.example\nwhat is it'],
    ['WebSearch', { query: 'tills' }, 'tills'],
    ['TaskOutput', { task_id: 'b1' }, 'b1'],
    ['Agent', { subagent_type: 'Explore', description: 'Look', prompt: 'Find it' }, 'Explore Look\nFind it'],
    ['SendMessage', { from: 'ada', to: 'all', content: 'done' }, 'ada → all: done'],
    ['TaskUpdate', { taskId: 1, status: 'completed' }, '#1 completed'],
    ['Skill', { skill: 'till', args: 'green' }, 'till green'],
    ['apply_patch', { patch: 'no patch' }, 'no patch'],
    [
      'apply_patch',
      { patch: '*** Update File: a.ts\n*** Move to: b.ts\n@@\n a\n-b\n+c\n*** Delete File: d.ts' },
      'a.ts\n→ b.ts\n- b\n+ c\nd.ts (deleted)',
    ],
    ['mcp__db__query', { sql: 'select 1', limit: 2, where: null }, 'sql: select 1\nlimit: 2\nwhere:'],
  ])('%s %j', (name, input, text) => {
    expect(callText(name, input)).toBe(`[${name}] ${text}`);
  });
});

const INPUTS = { opencode: opencodeInput, copilot: copilotInput, gemini: geminiInput };

describe('a call of another client has what it is about under the names that all have', () => {
  it.each<[client: keyof typeof INPUTS, name: string, input: Input, text: string]>([
    ['opencode', 'multiedit', { filePath: 'a', edits: [{ oldString: 'b', newString: 'c' }] }, 'a\n- b\n+ c'],
    ['opencode', 'patch', { patchText: '*** Add File: a\n+b' }, 'a (new)\n+ b'],
    ['opencode', 'skill', { name: 'till' }, 'till'],
    ['copilot', 'read_agent', { agent_id: 'a1' }, 'a1'],
    ['copilot', 'exit_plan_mode', { summary: 'Oil it.' }, 'Oil it.'],
    ['copilot', 'ask_user', { question: 'Which?', choices: ['brass'] }, 'Which?\n- brass'],
    ['gemini', 'codebase_investigator', { objective: 'Find it' }, 'Find it'],
    ['gemini', 'list_directory', { dir_path: 'src' }, 'src'],
    ['gemini', 'read_file', { absolute_path: '/a.ts' }, '/a.ts'],
  ])('%s: %s %j', (client, name, input, text) => {
    expect(callText(name, INPUTS[client](name, input))).toBe(`[${name}] ${text}`);
  });
});

it('files that a patch moves are named as they were and as they are', () => {
  const patch = '*** Update File: a.ts\n*** Move to: b.ts\n-b';
  for (const lines of [patch, patch.replaceAll('\n', '\r\n')])
    expect(callFiles('apply_patch', { patch: lines })).toEqual(['a.ts', 'b.ts']);
});

it.each([
  ['src', []],
  ['D:\\shop\\.github', []],
  ['/home/ada/shop/', []],
  ['src/till.ts', ['src/till.ts']],
  ['D:\\shop\\.eslintrc.json', ['D:\\shop\\.eslintrc.json']],
])('a search in %s is about the files %j', (path, files) => {
  expect(callFiles('Grep', { pattern: 'ring', path })).toEqual(files);
});

it('lines that both sides share at their ends are no change', () => {
  expect(changedLines('a\nb\nb\nc', 'a\nb\nc')).toBe('- b');
  expect(changedLines('', 'a\nb')).toBe('+ a\n+ b');
  expect(changedLines('a\n\nb', 'a\nb')).toBe('- ');
});
