// How a tool call reads, which files it names, and how much of its result is kept.
import { type JsonObject, isObject, listOf, stringOf } from '../transcripts/records.js';
import { changedLines } from './changed-lines.js';
import { patchedFiles, patchText } from './patch-text.js';
import { oneLine, shortenMiddle } from '../text/shorten.js';
import { commonTool } from './tool-names.js';

/** How much of a tool's result is kept at each end, in characters. */
export interface KeptChars {
  head: number;
  tail: number;
  /** Of lines between them that name a failure, such as a test's, or a commit that was made. */
  telling?: number;
}

interface ToolRule {
  /** The text after the call's name. */
  call(input: JsonObject): string;
  files?(input: JsonObject): unknown[];
  result?: KeptChars | 'errors';
}

/** Enough of a command's output to find it by its errors, most of which are at the ends. */
const DEFAULT_RESULT: KeptChars = { head: 800, tail: 700, telling: 600 };
const LOOKUP_RESULT: KeptChars = { head: 500, tail: 100 };
/** Reports and answers are prose that somebody wrote for the agent. */
const REPORT_RESULT: KeptChars = { head: 12_000, tail: 4_000 };
const ERROR_RESULT: KeptChars = { head: 1_200, tail: 800, telling: 600 };

const MAX_BODY: KeptChars = { head: 4_000, tail: 2_000 };
const MAX_VALUE: KeptChars = { head: 1_000, tail: 300 };
const MAX_ASSIGNMENT: KeptChars = { head: 1_200, tail: 300 };

/** One, or a list of them. */
const filePath = (input: JsonObject): unknown[] =>
  [input['file_path'] ?? input['notebook_path'] ?? input['path']].flat();

/** A path that ends in a name with an ending; `.github` has none. */
const FILE_NAME = /[^\\/.][^\\/]*\.[^\\/.]+$/;

const shell: ToolRule = {
  call: (input) => lines([shorten(input['command'], MAX_BODY), comment(input['description'])]),
  // Named where the command does nothing but print files.
  files: (input) => [input['file_path']].flat(),
};
const spawn: ToolRule = {
  call: (input) =>
    lines([
      words(input['name'], input['subagent_type'], input['description']),
      shorten(input['prompt'], MAX_ASSIGNMENT),
    ]),
  result: REPORT_RESULT,
};
const read: ToolRule = {
  call: (input) =>
    words(
      ...[input['file_path']].flat(),
      input['offset'] === undefined ? '' : `from line ${show(input['offset'])}`,
    ),
  files: filePath,
  result: { head: 400, tail: 0 },
};
const question: ToolRule = { call: (input) => questions(input['questions']), result: REPORT_RESULT };

/** By tool name; tools of MCP servers and unknown ones show their input field by field. */
const RULES: Record<string, ToolRule> = {
  Bash: shell,
  PowerShell: shell,
  Edit: {
    call: (input) => lines([words(input['file_path']), change(input)]),
    files: filePath,
    result: 'errors',
  },
  MultiEdit: {
    call: (input) =>
      lines([words(input['file_path']), ...listOf(input['edits']).filter(isObject).map(change)]),
    files: filePath,
    result: 'errors',
  },
  Write: {
    call: (input) => lines([words(input['file_path']), shorten(input['content'], MAX_BODY)]),
    files: filePath,
    result: 'errors',
  },
  apply_patch: {
    call: (input) => shorten(patchText(show(input['patch'])), MAX_BODY),
    files: (input) => patchedFiles(show(input['patch'])),
    result: 'errors',
  },
  write_stdin: {
    call: (input) => lines([shorten(input['chars'], MAX_VALUE).trimEnd(), comment(input['command'])]),
  },
  NotebookEdit: {
    call: (input) => lines([words(input['notebook_path']), shorten(input['new_source'], MAX_BODY)]),
    files: filePath,
    result: 'errors',
  },
  Read: read,
  /** A file that the person mentioned, not a tool. */
  Attachment: read,
  Grep: {
    call: (input) =>
      words(input['pattern'], input['path'] && `in ${show(input['path'])}`, input['glob'] ?? input['type']),
    // Most searches are in a folder, which is no file that two turns have in common.
    files: (input) => paths(filePath(input)).filter((path) => FILE_NAME.test(path)),
    result: LOOKUP_RESULT,
  },
  Glob: {
    call: (input) => words(input['pattern'], input['path'] && `in ${show(input['path'])}`),
    result: LOOKUP_RESULT,
  },
  LS: { call: (input) => words(input['path']), result: LOOKUP_RESULT },
  WebFetch: {
    call: (input) => lines([words(input['url']), shorten(input['prompt'], MAX_VALUE)]),
    result: { head: 2_000, tail: 500 },
  },
  WebSearch: { call: (input) => words(input['query']), result: { head: 2_000, tail: 500 } },
  Task: spawn,
  Agent: spawn,
  spawn_agent: {
    call: (input) =>
      lines([words(input['agent_type'] ?? input['task_name']), shorten(input['message'], MAX_ASSIGNMENT)]),
    // Codex gives the agent's number, Cline its report.
    result: REPORT_RESULT,
  },
  TaskOutput: { call: (input) => words(input['task_id']), result: REPORT_RESULT },
  SendMessage: {
    call: (input) =>
      `${words(input['from'], '→', input['to'])}: ${shorten(input['message'] ?? input['content'], REPORT_RESULT)}`,
    result: 'errors',
  },
  TodoWrite: {
    call: (input) =>
      lines([words(input['explanation']), ...listOf(input['todos']).filter(isObject).map(todo)]),
    result: 'errors',
  },
  TaskCreate: {
    call: (input) => lines([words(input['subject']), shorten(input['description'], MAX_VALUE)]),
    result: 'errors',
  },
  TaskUpdate: {
    call: (input) => words(`#${show(input['taskId'])}`, input['status'], input['subject']),
    result: 'errors',
  },
  AskUserQuestion: question,
  ExitPlanMode: { call: (input) => shorten(input['plan'], REPORT_RESULT), result: REPORT_RESULT },
  report_intent: { call: (input) => words(input['intent']), result: 'errors' },
  update_topic: {
    call: (input) =>
      lines([
        words(input['title']),
        shorten(input['summary'], MAX_VALUE),
        shorten(input['strategic_intent'], MAX_VALUE),
      ]),
    result: 'errors',
  },
  /** What an agent says at the end that works alone; the result repeats it. */
  task_complete: { call: (input) => shorten(input['summary'], REPORT_RESULT), result: 'errors' },
  /** What it says while it works; Codex's terminal shows it as an answer. */
  send_message_to_user_async: { call: (input) => shorten(input['message'], REPORT_RESULT), result: 'errors' },
  Skill: { call: (input) => words(input['skill'] ?? input['command'], input['args']), result: LOOKUP_RESULT },
};

const OTHER: ToolRule = {
  call: (input) =>
    lines(Object.entries(input).map(([name, value]) => `${name}: ${shorten(value, MAX_VALUE)}`)),
  files: (input) => [input['file_path'], input['filePath']],
};

/**
 * Causantic's own tools, under the names that clients give to tools of a server. Their answers are in memory already: a
 * second copy would rank before the original, and would stay when the original is forgotten.
 */
const OWN_TOOL = /(?:^|_)causantic(?:_{1,2}|-)[a-z_-]+$/;
const OWN: ToolRule = { ...OTHER, result: 'errors' };

/** A tool call as a person would read it: `[Bash] npm test`, `[Edit] src/a.ts` with the changed lines. */
export function callText(name: string, input: JsonObject): string {
  return `[${name}] ${ruleOf(name).call(input)}`.trim();
}

/** No system opens a longer one, and each chunk of the call names it. */
const MAX_PATH_CHARS = 4_096;

/** Paths that a call names; a pattern is none. */
export function callFiles(name: string, input: JsonObject): string[] {
  return paths(ruleOf(name).files?.(input) ?? []);
}

export function paths(values: readonly unknown[]): string[] {
  return values.filter(
    (path): path is string =>
      typeof path === 'string' && path !== '' && !path.includes('*') && path.length <= MAX_PATH_CHARS,
  );
}

/** Does a call only wait for what an earlier one started? Where nothing comes of it, there is nothing to tell. */
export function onlyWaits(name: string, input: JsonObject): boolean {
  return name === 'write_stdin' && !stringOf(input['chars']);
}

/**
 * How much of a tool's result is worth keeping; null for none. Errors are always kept, and so are refusals, which contain
 * what the person said.
 */
export function keptOfResult(name: string, isError: boolean, input: JsonObject): KeptChars | null {
  const isPrintedFile = ruleOf(name) === shell && input['file_path'] !== undefined;
  const rule = (isPrintedFile ? read : ruleOf(name)).result ?? DEFAULT_RESULT;
  if (isError) return rule === 'errors' || rule.head < ERROR_RESULT.head ? ERROR_RESULT : rule;
  return rule === 'errors' ? null : rule;
}

function ruleOf(name: string): ToolRule {
  const common = commonTool(name);
  if (OWN_TOOL.test(name)) return OWN;
  return Object.hasOwn(RULES, common) ? RULES[common]! : OTHER;
}

function change(edit: JsonObject): string {
  const changed = changedLines(stringOf(edit['old_string']) ?? '', stringOf(edit['new_string']) ?? '');
  return shorten(changed, MAX_BODY);
}

function questions(list: unknown): string {
  return lines(
    listOf(list)
      .filter(isObject)
      .map((entry) => {
        const options = listOf(entry['options']).map((option) =>
          show(isObject(option) ? option['label'] : option),
        );
        return lines([show(entry['question'] ?? entry['title']), ...options.map((option) => `- ${option}`)]);
      }),
  );
}

const TODO_MARKS = new Map([
  ['completed', 'x'],
  ['in_progress', '~'],
]);

function todo(entry: JsonObject): string {
  return `- [${TODO_MARKS.get(show(entry['status'])) ?? ' '}] ${show(entry['content'])}`;
}

function comment(description: unknown): string {
  return stringOf(description) === null ? '' : `# ${oneLine(description as string, 200)}`;
}

function shorten(value: unknown, kept: KeptChars): string {
  return shortenMiddle(show(value), kept.head, kept.tail);
}

function show(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function words(...values: unknown[]): string {
  return values.map(show).filter(Boolean).join(' ');
}

function lines(values: readonly string[]): string {
  return values.filter(Boolean).join('\n');
}
