// Reads the parts of Gemini's messages and calls, and tells what a person typed from what the client put beside it.
import { withExitCode } from '../../text/exit-code.js';
import { type JsonObject, isObject, listOf, objectOf, stringOf } from '../../transcripts/records.js';

/** The parts of a message's content: a string, a part, or a list of both. */
export function contentParts(content: unknown): JsonObject[] {
  const list = Array.isArray(content) ? content : [content];
  return list.flatMap((part) => (typeof part === 'string' ? [{ text: part }] : isObject(part) ? [part] : []));
}

/** What the parts say; marks for media. Thoughts, calls and results are left out. */
export function textOf(parts: readonly JsonObject[]): string {
  return parts.map(partText).filter(Boolean).join('\n');
}

function partText(part: JsonObject): string {
  if (part['thought'] === true) return '';
  if (isObject(part['inlineData']) || isObject(part['fileData'])) return '[file]';
  return stringOf(part['text']) ?? '';
}

/** What stands behind each thought that the model writes out before an answer, as it sees them in a session that goes on. */
const END_OF_THOUGHT = '\n[Thought: true]';

/** An answer, and the thoughts that the model wrote out before it. */
export function answerIn(text: string): { thoughts: string; said: string } {
  const at = /^\*\*[^*\n]+\*\*/.test(text) ? text.lastIndexOf(END_OF_THOUGHT) : -1;
  if (at === -1) return { thoughts: '', said: text };
  const thoughts = text.slice(0, at).replaceAll(END_OF_THOUGHT, '\n');
  return { thoughts, said: text.slice(at + END_OF_THOUGHT.length) };
}

/** A tool's result: what its response says, and what else was given to the model with it. */
export function resultText(call: JsonObject): string {
  const texts = partsOfResult(call).map(
    (part) => responseText(objectOf(objectOf(part['functionResponse'])['response'])) || partText(part),
  );
  const text = texts.filter(Boolean).join('\n') || (stringOf(call['resultDisplay']) ?? '');
  const result = withoutHooks(text);
  return UNTRUSTED.exec(result)?.[1] ?? result;
}

/** Some versions note, with each of the calls that were made at once, what all of them gave; what lies behind a response belongs to it. */
function partsOfResult({ id, result }: JsonObject): JsonObject[] {
  const parts = contentParts(result);
  const ids = parts.map((part) => objectOf(part['functionResponse'])['id']);
  if (!ids.includes(id)) return parts;
  let owner: unknown;
  return parts.filter((_, at) => {
    owner = ids[at] ?? owner;
    return owner === undefined || owner === id;
  });
}

/** Around what comes from outside: output of commands, pages, answers of MCP servers. */
const UNTRUSTED = /^<untrusted_context>\n([^]*)\n<\/untrusted_context>$/;

/** What the client tells of a command around its output: all of it once, later what there is to tell. */
const COMMAND_REPORT =
  /^(?:Command: [^]*?\nDirectory: .*\n)?Output: ([^]*?)(?:\nError: \(none\))?(?:\nExit Code: (\S+))?(?:\nSignal: (\S+))?(?:\nBackground PIDs: .*)?(?:\nProcess Group PGID: .*)?$/;
const NOTHING_FAILED = new Set([undefined, '0', '(none)']);

/** The output of a command, and whether it failed: to the client, a call that could be made has succeeded. */
export function commandResult(text: string): { text: string; isError: boolean } {
  const report = COMMAND_REPORT.exec(text);
  if (!report) return { text, isError: false };
  const [, shown, code, signal] = report;
  const output = shown === '(empty)' ? '' : shown!;
  if (!NOTHING_FAILED.has(code)) return { text: withExitCode(code!, output), isError: true };
  if (!NOTHING_FAILED.has(signal)) return { text: `Ended by signal ${signal}\n${output}`, isError: true };
  return { text: output, isError: false };
}

function responseText(response: JsonObject): string {
  const value = response['output'] ?? response['error'] ?? response['content'];
  if (typeof value === 'string') return value;
  return Object.keys(response).length === 0 ? '' : JSON.stringify(value ?? response);
}

/** Gemini writes the files that a prompt mentions behind it. */
const FILES_BEHIND = '--- Content from referenced files ---';
const END_OF_FILES = '--- End of content ---';

/** Messages that the client put into one: each is a part of it, with the parts that hold the files it mentions. */
export function saidApart(parts: readonly JsonObject[]): JsonObject[][] {
  const messages: JsonObject[][] = [];
  let isInFiles = false;
  for (const part of parts) {
    const text = stringOf(part['text']) ?? '';
    isInFiles ||= text.includes(FILES_BEHIND);
    if (isInFiles && messages.length > 0) messages.at(-1)!.push(part);
    else messages.push([part]);
    isInFiles &&= !text.includes(END_OF_FILES);
  }
  return messages;
}

/** What Gemini Code Assist writes behind a prompt: what is open and selected in the editor, and an earlier chat as a whole. */
const EDITORS =
  /\n(?:Current File Path:\n```[^\n]*\n[^\n]+\n```\n|\nUser Selected Files:\n- |\n\n\n PRIOR CHAT HISTORY: )/;

/** The file that was open in the editor at a prompt; null where none was. */
export function fileOpenBeside(prompt: string): string | null {
  return /\nCurrent File Path:\n```[^\n]*\n([^\n]+)\n```\n/.exec(prompt)?.[1] ?? null;
}

const CONTEXT = /^\s*<session_context\b/;

/** What the client tells of the machine and the project, at the beginning of all. */
export function isSessionContext(text: string): boolean {
  return CONTEXT.test(text);
}

/** The project's folders, as they are listed there; there may be blanks in their names. */
export function workspaceFolders(text: string): string[] {
  return isSessionContext(text) ? Array.from(text.matchAll(/^ {2}- (.+)$/gm), ([, folder]) => folder!) : [];
}

/** What hooks add, before what a person says or behind it. */
const HOOKS_BEFORE = /^\s*(?:<hook_context>[^]*?<\/hook_context>\s*)+/;
const [HOOK, END_OF_HOOK] = ['<hook_context>', '</hook_context>'];
const SUMMARY =
  /^\s*(?:<scratchpad>[^]*?<\/scratchpad>\s*)?(?:<(?:state_snapshot|compressed_summary|intent_summary)\b|\{"active_tasks":)/;
const COMMAND = /^\s*[/?]\S*\s*$/;
const CLIENTS_OWN =
  /^\s*(?:Please continue\.\s*$|First, reason in your scratchpad\. Then, generate the <state_snapshot>\.|System: (?:Please continue\.|Potential loop detected)|You have (?:exceeded the (?:maximum number of turns|time limit)|stopped calling tools without finishing)\. You have one final chance to complete the task |Background execution update:|\[Function Response: \S+\]|Here is (?:the user's editor context as a JSON object|a summary of changes in the user's editor context, in JSON format)\. This is for your information only\.|- \*\*Workspace Directories:\*\*\n)/;
/** The task of an agent in a chat of which nothing else tells that it is an agent's. */
const AGENTS_TASK =
  /^\s*Your task is to (?:do a deep investigation of the codebase to find all relevant files, code locations, |answer the following question about Gemini CLI:\n<question>)/;
/** What the project's own instructions say, before an agent's task. */
const INSTRUCTIONS = /^\s*<loaded_context>[^]*<\/loaded_context>\s*$/;
/** What the client has the model answer to a summary, or where it was stopped. */
const CLIENTS_ANSWER =
  /^\s*(?:Got it\. Thanks for the additional context!|\[The previous response was interrupted before it completed\.\])\s*$/;

/** Did the client write this itself, wherever it puts it? */
export function isClientsOwn(text: string): boolean {
  return isAdded(withoutHooks(text)) || CLIENTS_ANSWER.test(text);
}

/** @param text without hooks */
function isAdded(text: string): boolean {
  return isSessionContext(text) || CLIENTS_OWN.test(text) || HOOKS_BEFORE.test(text);
}

/** What is said beside what hooks add; all, where they say all. */
function withoutHooks(text: string): string {
  const behind = text.replace(HOOKS_BEFORE, '');
  const said = behind.slice(0, behind.length - hooksBehind(behind).length);
  return said === text || said.trim() === '' ? text : said.trimEnd();
}

function hooksBehind(text: string): string {
  for (let at = text.length; ;) {
    const rest = text.slice(0, at).trimEnd();
    const start = rest.endsWith(END_OF_HOOK) ? rest.lastIndexOf(HOOK) : -1;
    if (start === -1) return text.slice(at);
    at = start;
  }
}

/** What a person put in while the agent was at work, with what the model is told to do about it. */
const STEERING = /^\s*User (?:steering update|hints):\n<user_input>\n([^]*?)\n<\/user_input>/;

/** What a person ran in the terminal. */
const RAN = /^\s*I ran the following shell command:\n```sh\n/;
const RESULT_OF_IT = '\n```\n\nThis produced the following result:\n```\n';
const END_OF_IT = '\n```';
/** What the client says of such a command, before what it printed or in its place. */
const ENDED_WITH = /^Command exited with code (\d+)\.\n/;
const PRINTED_NOTHING = '(Command produced no output)';

function printedIn(result: string): string {
  const [told = '', code] = ENDED_WITH.exec(result) ?? [];
  const shown = result.slice(told.length);
  const output = shown === PRINTED_NOTHING ? '' : shown;
  return code === undefined ? output : withExitCode(code, output);
}

function shellCommand(text: string): { command: string; output: string } | null {
  const start = RAN.exec(text)?.[0].length;
  const at = text.indexOf(RESULT_OF_IT, start);
  const rest = text.slice(at + RESULT_OF_IT.length).trimEnd();
  if (start === undefined || at === -1 || !rest.endsWith(END_OF_IT)) return null;
  const output = printedIn(rest.slice(0, -END_OF_IT.length));
  return { command: withoutEscapes(text.slice(start, at)), output: withoutEscapes(output) };
}

/** What a user's message really is. */
export type UserMessage =
  | {
      type: 'prompt';
      text: string;
      injected: boolean;
      /** What the client added, as files. */
      added: string;
      /** What the command printed that the person ran. */
      printed?: string;
    }
  | { type: 'injected'; text: string }
  /** What the chat held so far, in short. */
  | { type: 'compaction'; text: string };

function isInstructions(part: JsonObject): boolean {
  return INSTRUCTIONS.test(stringOf(part['text']) ?? '');
}

/**
 * A user's message, with what the client added told apart.
 * @param isAgents whether it stands in a sub-agent's chat
 */
export function userMessage(message: JsonObject, isAgents: boolean): UserMessage {
  const all = contentParts(message['content']);
  const instructions = all.filter(isInstructions);
  const parts = all.filter((part) => !isInstructions(part));
  // Results of tools are told with their calls; what lies beside them is none of a person's files.
  const isResponse = parts.some((part) => isObject(part['functionResponse']));
  const whole = textOf(isResponse ? parts.filter((part) => typeof part['text'] === 'string') : parts);
  const text = withoutHooks(whole);
  const steering = STEERING.exec(text)?.[1];
  if (steering !== undefined) return { type: 'prompt', text: steering, injected: false, added: '' };
  const ran = shellCommand(text);
  if (ran)
    return { type: 'prompt', text: `! ${ran.command}`, injected: false, added: '', printed: ran.output };
  if (isResponse || isAdded(text) || (!isAgents && AGENTS_TASK.test(text))) return { type: 'injected', text };
  if (SUMMARY.test(text)) return { type: 'compaction', text };
  const shown = withoutHooks(textOf(contentParts(message['displayContent'])));
  const starts = [text.indexOf(FILES_BEHIND), text.search(EDITORS)].filter((at) => at !== -1);
  const start = Math.min(...starts, text.length);
  const typed = start === text.length ? text : text.slice(0, start).trimEnd();
  const prompt = shown || typed;
  const hooks = [HOOKS_BEFORE.exec(whole)?.[0] ?? '', hooksBehind(whole)];
  return {
    type: 'prompt',
    text: prompt,
    injected: COMMAND.test(prompt),
    added: [textOf(instructions), ...hooks, text.slice(start)].join(''),
  };
}

function withoutEscapes(text: string): string {
  return text.replace(/\\([\\`])/g, '$1');
}

/** Agents that were tools of their own before there was one tool for all. */
const AGENTS_TOOLS = new Set(['codebase_investigator', 'generalist', 'cli_help']);

/** A tool's input in the form that all clients' calls have. */
export function toolInput(name: string, args: JsonObject): JsonObject {
  if (name === 'write_todos') {
    const todos = listOf(args['todos']).filter(isObject);
    return { todos: todos.map((todo) => ({ content: todo['description'], status: todo['status'] })) };
  }
  if (name === 'activate_skill') return { skill: args['name'] };
  if (name === 'invoke_agent') return { subagent_type: args['agent_name'], prompt: args['prompt'] };
  if (AGENTS_TOOLS.has(name)) return { prompt: args['objective'] ?? args['request'] ?? args['question'] };
  if (name === 'read_many_files') return { file_path: args['include'] ?? args['paths'] };
  const { absolute_path: path, dir_path: folder, ...rest } = args;
  return {
    ...(path !== undefined && { file_path: path }),
    ...(folder !== undefined && { path: folder }),
    ...rest,
  };
}
