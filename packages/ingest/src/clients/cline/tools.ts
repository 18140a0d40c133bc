// Brings Cline's calls and what they gave into the form that all clients' have.
import { resultText } from '../claude-code/content.js';
import type { ToolOutput } from '../events.js';
import { endedWith } from '../../text/exit-code.js';
import { type JsonObject, isObject, jsonIn, listOf, objectOf, stringOf } from '../../transcripts/records.js';

/** Tools that do several things in one call: the list of their input, and one thing as another client's tool is told it. */
const LISTS: Record<string, { key: string; input(entry: unknown): JsonObject }> = {
  run_commands: { key: 'commands', input: (entry) => ({ command: commandLine(entry) }) },
  read_files: {
    key: 'files',
    input: (entry) => {
      const { path = entry, start_line: offset } = objectOf(entry);
      return { file_path: path, ...(typeof offset === 'number' && { offset }) };
    },
  },
  search_codebase: { key: 'queries', input: (entry) => ({ pattern: entry }) },
  fetch_web_content: { key: 'requests', input: (entry) => objectOf(entry) },
};

/** What each of the things that a call asks for is about, under the names that all clients' calls have. */
export function toolInputs(name: string, given: unknown): JsonObject[] {
  const input = objectOf(given);
  const list = Object.hasOwn(LISTS, name) ? LISTS[name]! : undefined;
  if (list) return [input[list.key] ?? []].flat().map(list.input);
  return [toolInput(name, input)];
}

function toolInput(name: string, input: JsonObject): JsonObject {
  switch (name) {
    case 'editor':
      return { file_path: input['path'], old_string: input['old_text'], new_string: input['new_text'] };
    case 'apply_patch':
      return { patch: input['input'] ?? input['patch'] };
    case 'ask_question':
      return { questions: [{ question: input['question'], options: listOf(input['options']) }] };
    case 'spawn_agent':
      return { message: taskOf(input['task']) };
    case 'team_run_task':
      return { task_name: input['agentId'], message: taskOf(input['task']) };
    default:
      return input;
  }
}

/** A task as its agent is told it, from its first word on: by its first line the agent is known. */
function taskOf(task: unknown): string {
  return (stringOf(task) ?? '').trim();
}

/** A line of the shell, or a program with its arguments. */
function commandLine(entry: unknown): unknown {
  const { command, args } = objectOf(entry);
  return isObject(entry) ? [command, ...listOf(args)].join(' ') : entry;
}

/** The result of each of the things that a call asked for: one where nothing was done, or the tool does one thing. */
export function toolOutputs({ name, content, is_error: isError }: JsonObject): ToolOutput[] {
  const entries = listOf(content).filter(isObject);
  if (entries.some((entry) => 'query' in entry)) return entries.map((entry) => entryOutput(name, entry));
  const text = resultText(content);
  if (isError === true) return [failure(text)];
  if (name === 'ask_question') return [{ text: `User answered: ${text}`, isError: false }];
  const entry = jsonIn(text);
  return [entry ? entryOutput(name, entry, text) : { text, isError: false }];
}

function failure(text: string): ToolOutput {
  const error = stringOf(jsonIn(text)?.['error']) ?? text;
  return { text: error, isError: true, isCancelled: error.includes('rejected by the user') };
}

/** @param whole what is to be read where the entry has no result of its own */
function entryOutput(name: unknown, entry: JsonObject, whole = ''): ToolOutput {
  const text = resultText(entry['result'] ?? entry['text'] ?? entry['content']);
  if (entry['success'] !== false)
    return { text: withoutNumbers(name, text) || whole, isError: entry['isError'] === true };
  const [head = '', code] = EXIT.exec(text) ?? [];
  if (code !== undefined) return endedWith(Number(code), text.slice(head.length));
  return { text: [text, stringOf(entry['error'])].filter(Boolean).join('\n'), isError: true };
}

/** Above what a failed command printed. */
const EXIT = /^\[Command exited with code (-?\d+)\]\n*/;

function withoutNumbers(tool: unknown, text: string): string {
  return tool === 'read_files' ? text.replace(/^ *\d+ \| ?/gm, '') : text;
}
