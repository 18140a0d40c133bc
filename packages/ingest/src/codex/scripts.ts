import { withExitCode } from '../exit-code.js';
import { type JsonObject, isObject, objectOf, stringOf } from '../records.js';
import { textHash } from '../text-hash.js';
import { contentTexts, jsonIn } from './content.js';
import { type ToolCall, type ToolOutput, shellCall, textOutput } from './tools.js';

/**
 * Most models have been given, since July 2026, one tool alone: `exec`, which runs a script that calls the other tools
 * as functions. What it calls is told in events of its own (of a patch and of tools of MCP servers in any version, of
 * commands since August 2026), by ids that no call of the model's has.
 */
export interface NestedCall {
  id: string;
  call: ToolCall;
  output: ToolOutput;
}

const NESTED_ID = /^exec-/;

/** The call that an event or a completed item tells of, where a script made it. */
export function nestedCall(told: JsonObject): NestedCall | null {
  const id = stringOf(told['call_id']) ?? stringOf(told['id']);
  const read = READERS[String(told['type'])];
  return id === null || !NESTED_ID.test(id) || read === undefined ? null : { id, ...read(told) };
}

type Reader = (told: JsonObject) => Omit<NestedCall, 'id'>;

const READERS: Record<string, Reader> = {
  CommandExecution: command,
  exec_command_end: command,
  FileChange: fileChange,
  patch_apply_end: fileChange,
  McpToolCall: mcpCall,
  mcp_tool_call_end: mcpCall,
  ImageView: ({ path }) => ({
    call: { name: 'view_image', input: { path: stringOf(path)?.replace(/^file:\/\//, '') } },
    output: { text: '', isError: false },
  }),
};

function command(told: JsonObject): Omit<NestedCall, 'id'> {
  const text = stringOf(told['aggregated_output']) ?? [told['stdout'], told['stderr']].map(stringOf).join('');
  const code = Number(told['exit_code'] ?? 0);
  const isError = code !== 0 || told['status'] === 'failed' || told['status'] === 'declined';
  return {
    call: shellCall('exec_command', { command: told['command'] }),
    output: {
      text: isError && code > 0 ? withExitCode(code, text) : text,
      isError,
      ...(told['status'] === 'declined' && { isCancelled: true }),
    },
  };
}

function fileChange(told: JsonObject): Omit<NestedCall, 'id'> {
  const isError = told['status'] === 'failed' || told['status'] === 'declined' || told['success'] === false;
  const text = isError ? (stringOf(told['stderr']) ?? '') : (stringOf(told['stdout']) ?? '');
  return {
    call: { name: 'apply_patch', input: { patch: patchOf(objectOf(told['changes'])) } },
    output: { text, isError, ...(told['status'] === 'declined' && { isCancelled: true }) },
  };
}

/** The changes of files as the patch that made them. */
function patchOf(changes: JsonObject): string {
  return Object.entries(changes)
    .map(([path, value]) => {
      const change = objectOf(value);
      const content = stringOf(change['content']) ?? '';
      const added = content.replace(/\n$/, '').split('\n');
      switch (change['type']) {
        case 'add':
          return [`*** Add File: ${path}`, ...(content === '' ? [] : added.map((line) => `+${line}`))];
        case 'delete':
          return [`*** Delete File: ${path}`];
        default: {
          const moved = stringOf(change['move_path']);
          const diff = stringOf(change['unified_diff'])?.trimEnd() ?? '';
          return [`*** Update File: ${path}`, ...(moved === null ? [] : [`*** Move to: ${moved}`]), diff];
        }
      }
    })
    .flat()
    .join('\n');
}

function mcpCall(told: JsonObject): Omit<NestedCall, 'id'> {
  const { server, tool, arguments: input } = isObject(told['invocation']) ? told['invocation'] : told;
  const outcome = objectOf(told['result']);
  const result = isObject(outcome['Ok']) ? outcome['Ok'] : outcome;
  const error = outcome['Err'] ?? told['error'];
  const message = stringOf(error) ?? stringOf(objectOf(error)['message']);
  return {
    call: { name: `mcp__${String(server)}__${String(tool)}`, input: objectOf(input) },
    output: {
      text: message ?? contentTexts(result['content']).join('\n'),
      isError: message !== null || result['isError'] === true || told['status'] === 'failed',
    },
  };
}

/** A script that has not yet given all it will; its text is stored, and so without secrets. */
export interface OpenScript {
  callId: string;
  name: string;
  text: string;
  /** Calls of it were told. */
  isTold: boolean;
}

/** Is this call a script of the model's, or does it wait for one? Its text; null for any other call. */
export function scriptText(item: JsonObject): string | null {
  if (item['type'] === 'custom_tool_call' && item['name'] === 'exec') return stringOf(item['input']);
  if (item['type'] !== 'function_call' || item['name'] !== 'wait') return null;
  const cell = stringOf(jsonIn(stringOf(item['arguments']) ?? '')?.['cell_id']);
  return cell === null ? null : `cell ${cell}`;
}

const HEADER = /^Script (completed|failed|running|terminated)\b[^\n]*\nWall time [^\n]*\nOutput:\n/;
/** Codex has cut a text that was longer than it gives to the model. */
const CUT = /^Warning: truncated output\b/;

export interface ScriptOutput {
  texts: string[];
  isError: boolean;
}

/** What a script wrote, text by text; null for a notice that it gives before. */
export function scriptOutput(item: JsonObject): ScriptOutput | null {
  const [first = '', ...texts] = contentTexts(item['output']);
  const state = HEADER.exec(first)?.[1];
  const isAborted = state === undefined && textOutput(first).isError;
  if (state === undefined && !isAborted) return null;
  const written = [first.replace(HEADER, ''), ...texts].map(withoutFrame);
  return { texts: written.filter((text) => text.trim() !== ''), isError: state === 'failed' || isAborted };
}

function withoutFrame(text: string): string {
  const isImage = stringOf(jsonIn(text)?.['image_url'])?.startsWith('data:');
  return isImage ? '[image]' : text.replace(/^Script error:\n/, '');
}

/** Texts that are more than what the calls of a script gave, as the model was shown them. */
export function notTold(texts: readonly string[], told: ReadonlySet<string>): string[] {
  return texts.filter((text) => {
    if (CUT.test(text) || text === '[image]' || text === '{}') return false;
    return !told.has(outputHash(resultIn(text)));
  });
}

export function outputHash(text: string): string {
  return textHash(text.trim());
}

/** A result that a script wrote as it was given: an object, in which the text stands. */
function resultIn(text: string): string {
  const result = text.startsWith('{') ? jsonIn(text) : null;
  return result === null
    ? text
    : (stringOf(result['output']) ?? (contentTexts(result['content']).join('\n') || text));
}

const TOOL = /\btools\s*(?:\.\s*|\[\s*['"])(\w+)/g;
const COMMAND =
  /\btools\.exec_command\(\s*\{[^{}]*?\b(?:cmd|command)['"]?\s*:\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\\$]*`)/g;

/**
 * The commands of a script that does nothing but run commands, each with what it gave, where no event tells of them;
 * null where it does anything else.
 */
export function commandsIn(script: string, texts: readonly string[]): Omit<NestedCall, 'id'>[] | null {
  const tools = [...script.matchAll(TOOL)];
  const commands = [...script.matchAll(COMMAND)].map(([, literal]) => textOf(literal!));
  if (commands.length === 0 || commands.length !== tools.length || commands.includes(null)) return null;
  const outputs =
    texts.length === commands.length ? texts : [...commands.slice(1).map(() => ''), texts.join('\n')];
  return commands.map((text, at) => ({
    call: shellCall('exec_command', { command: text }),
    output: commandOutput(outputs[at]!),
  }));
}

/** The text that a literal of a script stands for; null where it holds an escape that JSON does not have. */
function textOf(literal: string): string | null {
  const inner = literal.slice(1, -1);
  if (literal.startsWith('`')) return inner;
  const quoted = literal.startsWith("'") ? inner.replaceAll("\\'", "'").replace(/"/g, '\\"') : inner;
  return stringOf(jsonIn(`{"text":"${quoted}"}`)?.['text']);
}

function commandOutput(text: string): ToolOutput {
  const result = text.startsWith('{') ? jsonIn(text) : null;
  const code = Number(result?.['exit_code'] ?? 0);
  const output = resultIn(text);
  return code === 0 ? { text: output, isError: false } : { text: withExitCode(code, output), isError: true };
}
