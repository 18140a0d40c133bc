// Brings Codex's calls and what they gave into the form that all clients' have.
import type { ToolOutput } from '../events.js';
import { endedWith } from '../../text/exit-code.js';
import { pathFrom } from '../../text/shell.js';
import {
  type JsonObject,
  isObject,
  jsonIn,
  jsonValue,
  listOf,
  objectOf,
  stringOf,
} from '../../transcripts/records.js';
import { contentTexts, isEncrypted } from './content.js';
import { printedFiles } from './printed-files.js';

/** A tool call in the form that all clients' calls have. */
export interface ToolCall {
  name: string;
  input: JsonObject;
  /** Where a command runs, seen from the thread's folder; absent where that is the same. */
  folder?: string;
}

/**
 * The call in a `function_call`, `custom_tool_call`, `local_shell_call`, … item; null where the item is no call.
 * @param home the folder of the thread
 */
export function toolCall(item: JsonObject, home: string | null): ToolCall | null {
  switch (item['type']) {
    case 'function_call':
      return functionCall(item, home);
    case 'custom_tool_call':
      return customCall(toolName(item), stringOf(item['input']) ?? '');
    case 'local_shell_call': {
      const { command, working_directory: workdir } = objectOf(item['action']);
      return shellCall('shell', { command, workdir }, home);
    }
    case 'web_search_call':
      return { name: 'web_search', input: webSearch(objectOf(item['action'])) };
    case 'tool_search_call':
      return { name: 'tool_search', input: objectOf(item['arguments']) };
    case 'image_generation_call':
      return { name: 'image_generation', input: { prompt: item['revised_prompt'] } };
    default:
      return null;
  }
}

/** What is searched for stands in a list, too. */
function webSearch(action: JsonObject): JsonObject {
  const { type: _type, query, queries, ...rest } = action;
  const asked = new Set([query, ...listOf(queries)].map(stringOf).filter((text) => text !== null));
  return asked.size === 0 ? action : { ...rest, query: [...asked].join('\n') };
}

/** A tool of an MCP server is called by the server's namespace and its own name; Codex has namespaces of its own. */
function toolName(item: JsonObject): string {
  const name = stringOf(item['name']) ?? 'tool';
  const namespace = stringOf(item['namespace']);
  if (namespace === null || OWN_NAMESPACE.test(namespace)) return name;
  return name.startsWith('_') ? `${namespace}${name}` : `${namespace}__${name}`;
}

const OWN_NAMESPACE = /^(?:functions|collaboration|multi_agent_v\d+|clock)$/;

function functionCall(item: JsonObject, home: string | null): ToolCall {
  const name = toolName(item);
  const text = stringOf(item['arguments']) ?? '{}';
  const input = jsonIn(text);
  if (input === null) return { name, input: { arguments: text } };
  if (input['plan'] !== undefined && name === 'update_plan') return { name, input: planInput(input) };
  if (name === 'apply_patch') return customCall(name, stringOf(input['input']) ?? text);
  if (isEncrypted(stringOf(input['message']) ?? '')) return { name, input: { ...input, message: '' } };
  return 'command' in input || 'cmd' in input ? shellCall(name, input, home) : { name, input };
}

function customCall(name: string, text: string): ToolCall {
  return { name, input: name === 'apply_patch' ? { patch: text } : { input: text } };
}

/** Steps as the tasks of other clients' lists, with what the model says of them. */
function planInput(input: JsonObject): JsonObject {
  const todos = listOf(input['plan'])
    .filter(isObject)
    .map((step) => ({ content: step['step'], status: step['status'] }));
  return { todos, explanation: input['explanation'] };
}

const SHELLS = /(?:^|[\\/])(?:bash|zsh|sh|dash|fish|pwsh|powershell|cmd)(?:\.exe)?$/;
const POWERSHELL_OPTION = /^-no(?:logo|profile)$/i;
/** The run of blanks behind the folder is looked at from its start alone: it may be long. */
const PATCH_COMMAND = /^\s*(?:cd (['"]?)([^\n]*?)\1(?<!\s\s)\s*&&\s*)?apply_patch\b/;
const [PATCH_BEGIN, PATCH_END] = ['*** Begin Patch', '*** End Patch'];

const FILE_IN_PATCH = /^(\*\*\* (?:(?:Add|Update|Delete) File|Move to): )(.+)$/gm;

/**
 * A command as one text, with the files that it prints; a patch applied by command is a patch.
 * @param home the folder of the thread, from which its paths are told
 */
export function shellCall(name: string, input: JsonObject, home: string | null): ToolCall {
  const command = commandText(input['command'] ?? input['cmd']);
  const folder = folderFrom(home ?? '', stringOf(input['workdir']) ?? '');
  const patch = patchIn(command, folder);
  if (patch !== null) return { name: 'apply_patch', input: { patch } };
  const files = printedFiles(command).map((path) => pathFrom(folder, path));
  return {
    name,
    input: { command, ...(files.length > 0 && { file_path: files }) },
    ...(folder !== '' && { folder }),
  };
}

/** Where a command ran, seen from the thread's folder; empty where that is the same. */
function folderFrom(home: string, workdir: string): string {
  return workdir.replaceAll('\\', '/') === home.replaceAll('\\', '/') ? '' : workdir;
}

function patchIn(command: string, folder: string): string | null {
  const [head, , entered = ''] = PATCH_COMMAND.exec(command) ?? [];
  if (head === undefined) return null;
  const begin = command.indexOf(PATCH_BEGIN);
  const end = begin === -1 ? -1 : command.indexOf(PATCH_END, begin);
  if (end === -1) return null;
  const patch = command.slice(begin, end + PATCH_END.length);
  // What a variable holds is not known.
  const from = entered === '' || /[$`]/.test(entered) ? folder : pathFrom(folder, entered);
  return patch.replace(FILE_IN_PATCH, (_, named: string, path: string) => named + pathFrom(from, path));
}

function commandText(command: unknown): string {
  if (typeof command === 'string') return command;
  const words = listOf(command).map(String);
  const [program = '', ...options] = words.filter((word) => !POWERSHELL_OPTION.test(word));
  // `bash -lc "…"`, `pwsh -NoProfile -Command "…"`: the script is what was run.
  return options.length === 2 && SHELLS.test(program) ? options[1]! : words.join(' ');
}

/** What stands above a command's output: how it ran, and in spring 2026 the command as well. */
const OUTPUT_HEADER =
  /^(?:Command: [^\n]*\n(?:(?!Chunk ID: )[^\n]*\n)*(?=Chunk ID: ))?(?:Chunk ID: .*\n|(?:Wall time|Duration): .*\n|Process (?:exited|running) .*\n|Exit code: .*\n|Original token count: .*\n|Total output lines: .*\n)*Output:\n/;
/** What stands above what a tool of an MCP server gave back. */
const TIME_HEADER = /^Wall time: [^\n]*\nOutput:(?:\n|$)/;
/** What stands above what is left of an output that was longer than Codex gives to the model. */
const CUT_OUTPUT =
  /^(?:Warning: truncated output \(original token count: \d+\)\n)?Total output lines: \d+\n\n/;
/** A call that Codex itself could not carry out. */
const REFUSAL =
  /^(?:\w+(?: verification)? failed:|unsupported call: |failed to parse function arguments: |\w+ is unavailable in \w+ mode$)/;
/** A call that the person broke off, below how long it had run. */
const ABORTION = /^(?:Wall time: [^\n]*\n)?(aborted by user\b[^]*)/;
/** What Codex tells of a tool of an MCP server that failed, above a trace of its own. */
const SERVER_FAILURE = /^tool call error: [^]*?(?=\n\nStack backtrace:\n|$)/;
/** A call that the person did not allow. */
const REJECTION = /^(?:exec command|patch) rejected by user\b/;
/** A command that could not begin, or to which the sandbox denied something, above what Codex's own error holds (spring 2026; before, without the command). */
const NOT_DONE = /^\w+ failed(?: for `[^]*?`)?: (?=(?:CreateProcess|SandboxDenied) \{)/;
/** What stood above the error before. */
const EXECUTION_ERROR = /^(?:failed in sandbox \w+ with )?execution error: /;
/** What stood above what the command printed from then on until autumn 2025. */
const FAILED_IN_SANDBOX = /^failed in sandbox: /;
const DENIED_IN_SANDBOX =
  /^sandbox denied exec error, exit code: (-?\d+), stdout: ([^]*?)(?:, stderr: ([^]*))?$/;
/** The person did not allow it, or who decides for them. */
const NOT_ALLOWED = /^CreateProcess \{ message: "Rejected\(\\"([^]*)\\"\)" \}\s*$/;
/** How the model is to go on then. */
const GUIDE = /\nThe agent must not attempt [^]*$/;
const DENIED_CODE = /exit_code: (-?\d+),/;
const PRINTED = 'aggregated_output: StreamOutput { text: ';
const SHOWN = /^(\\{0,7})"([^]*?)\1", truncated/;
const EXIT_CODE = /^(?:Process exited with code|Exit code:) (-?\d+)/m;

/** The number of the process that goes on running when a command's call is over; null where none does. */
export function runningProcess(item: JsonObject): string | null {
  const header = OUTPUT_HEADER.exec(stringOf(item['output']) ?? '')?.[0] ?? '';
  return /^Process running with session ID (\d+)$/m.exec(header)?.[1] ?? null;
}

/** The output in a `…_output` item: a text with its header taken off, or what a list of contents holds. */
export function toolOutput(item: JsonObject): ToolOutput {
  const output = item['output'] ?? item['tools'];
  if (typeof output === 'string') return textOutput(output);
  const fields = objectOf(output);
  const content = stringOf(fields['content']) ?? contentTexts(fields['content_items'] ?? output).join('\n');
  const text = content.replace(TIME_HEADER, '');
  return { text: withoutTrace(text), isError: SERVER_FAILURE.test(text) || fields['success'] === false };
}

/** What a tool of an MCP server gave, without Codex's own trace where it failed. */
export function withoutTrace(text: string): string {
  return SERVER_FAILURE.exec(text)?.[0] ?? text;
}

export function textOutput(output: string): ToolOutput {
  const wrapped = output.startsWith('{"output"') ? jsonIn(output) : null;
  if (wrapped) {
    const metadata = objectOf(wrapped['metadata']);
    return endedWith(Number(metadata['exit_code'] ?? 0), unpacked(stringOf(wrapped['output']) ?? ''));
  }
  if (REJECTION.test(output)) return { text: output, isError: true, isCancelled: true };
  const aborted = ABORTION.exec(output);
  if (aborted) return { text: aborted[1]!, isError: true, isCancelled: true };
  const notDone = NOT_DONE.exec(output)?.[0];
  if (notDone !== undefined) return failureIn(output.slice(notDone.length));
  const executed = EXECUTION_ERROR.exec(output)?.[0];
  if (executed !== undefined) return executionError(output.slice(executed.length));
  if (FAILED_IN_SANDBOX.test(output))
    return { text: output.replace(FAILED_IN_SANDBOX, '').trimEnd() || 'failed in sandbox', isError: true };
  if (REFUSAL.test(output)) return { text: output, isError: true };
  const header = OUTPUT_HEADER.exec(output)?.[0] ?? '';
  const code = Number(EXIT_CODE.exec(header)?.[1] ?? 0);
  return endedWith(code, unpacked(output.slice(header.length).replace(CUT_OUTPUT, '')));
}

/** What a failed command printed, or why it was not run to its end. To Codex, whatever fails in its sandbox was denied there. */
function executionError(error: string): ToolOutput {
  const [, code, stdout = '', stderr = ''] = DENIED_IN_SANDBOX.exec(error) ?? [];
  if (code === undefined) return failureIn(error);
  const printed = [stdout, stderr].map((text) => text.trimEnd()).filter(Boolean);
  return endedWith(Number(code), printed.join('\n'));
}

/** What an error says that Codex writes out as its own language shows it. */
function failureIn(error: string): ToolOutput {
  const reason = NOT_ALLOWED.exec(error)?.[1];
  if (reason !== undefined)
    return { text: meant(reason, 1).replace(GUIDE, ''), isError: true, isCancelled: true };
  const code = Number(DENIED_CODE.exec(error)?.[1] ?? 0);
  const shown = SHOWN.exec(error.slice(error.lastIndexOf(PRINTED) + PRINTED.length));
  return code === 0 || !shown
    ? { text: meant(error, 0), isError: true }
    : endedWith(code, meant(shown[2]!, shown[1]!.length));
}

/** @param escapes before its quotation mark: one where it is shown within what is shown itself, three within that */
function meant(shown: string, escapes: number): string {
  let text = shown;
  for (let left = escapes; left >= 0; left = (left - 1) / 2)
    text = text.replace(/\\([nrt"'\\])/g, (_, sign: string) => ESCAPES[sign] ?? sign);
  return text.trimEnd();
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

/** What a tool of an MCP server gave back: Codex writes its contents down as JSON, in which words run into escapes. */
function unpacked(text: string): string {
  if (!/^(?:\[\{"|\{"result":")/.test(text)) return text;
  const contents = jsonValue(text);
  if (isObject(contents)) return Object.keys(contents).length === 1 ? String(contents['result']) : text;
  const texts = contentTexts(contents);
  return texts.length > 0 && texts.length === listOf(contents).length ? texts.join('\n') : text;
}
