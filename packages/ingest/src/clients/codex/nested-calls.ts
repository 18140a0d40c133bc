import type { ToolOutput } from '../events.js';
import { withExitCode } from '../../text/exit-code.js';
import { type JsonObject, isObject, objectOf, stringOf } from '../../transcripts/records.js';
import { contentTexts } from './content.js';
import { type ToolCall, shellCall, withoutTrace } from './tools.js';

/**
 * What a script of the model's called (`scripts.ts`) is told in events of its own: of a patch and of tools of MCP
 * servers in any version, of commands since August 2026; by ids that no call of the model's has.
 */
export interface NestedCall extends CallWithOutput {
  id: string;
}

export interface CallWithOutput {
  call: ToolCall;
  output: ToolOutput;
}

const NESTED_ID = /^exec-/;

/** The call that an event or a completed item tells of, where a script made it. */
export function nestedCall(told: JsonObject, home: string | null): NestedCall | null {
  const id = stringOf(told['call_id']) ?? stringOf(told['id']);
  const read = READERS.get(told['type']);
  return id === null || !NESTED_ID.test(id) || read === undefined ? null : { id, ...read(told, home) };
}

/** Before the path in a file's address; on Windows a slash stands before the drive, too. */
const FILE_URI = /^file:\/\/(?:\/(?=[A-Za-z]:))?/;

function localPath(address: unknown): string | undefined {
  return stringOf(address)?.replace(FILE_URI, '');
}

type Reader = (told: JsonObject, home: string | null) => CallWithOutput;

const READERS = new Map<unknown, Reader>([
  ['CommandExecution', command],
  ['exec_command_end', command],
  ['FileChange', fileChange],
  ['patch_apply_end', fileChange],
  ['McpToolCall', mcpCall],
  ['mcp_tool_call_end', mcpCall],
  ['ImageView', imageView],
]);

function imageView({ path }: JsonObject): CallWithOutput {
  return {
    call: { name: 'view_image', input: { path: localPath(path) } },
    output: { text: '', isError: false },
  };
}

function command(told: JsonObject, home: string | null): CallWithOutput {
  const text = stringOf(told['aggregated_output']) ?? [told['stdout'], told['stderr']].map(stringOf).join('');
  const code = Number(told['exit_code'] ?? 0);
  const isError = code !== 0 || told['status'] === 'failed' || told['status'] === 'declined';
  return {
    call: shellCall('exec_command', { command: told['command'], workdir: localPath(told['cwd']) }, home),
    output: {
      text: isError && code > 0 ? withExitCode(code, text) : text,
      isError,
      ...(told['status'] === 'declined' && { isCancelled: true }),
    },
  };
}

function fileChange(told: JsonObject): CallWithOutput {
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

function mcpCall(told: JsonObject): CallWithOutput {
  const { server, tool, arguments: input } = isObject(told['invocation']) ? told['invocation'] : told;
  const outcome = objectOf(told['result']);
  const result = isObject(outcome['Ok']) ? outcome['Ok'] : outcome;
  const error = outcome['Err'] ?? told['error'];
  const message = stringOf(error) ?? stringOf(objectOf(error)['message']);
  return {
    call: { name: `mcp__${String(server)}__${String(tool)}`, input: objectOf(input) },
    output: {
      text: message === null ? contentTexts(result['content']).join('\n') : withoutTrace(message),
      isError: message !== null || result['isError'] === true || told['status'] === 'failed',
    },
  };
}
