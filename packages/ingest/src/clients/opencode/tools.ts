// Brings opencode's calls and what they gave into the form that all clients' have.
import type { ToolOutput } from '../events.js';
import { endedWith } from '../../text/exit-code.js';
import { type JsonObject, isObject, listOf, objectOf, stringOf } from '../../transcripts/records.js';

/** What a call is about, under the names that all clients' calls have. */
export function toolInput(name: string, given: unknown): JsonObject {
  const { filePath = objectOf(given)['path'], ...args } = objectOf(given);
  switch (name) {
    case 'read':
    case 'write':
      return { ...args, file_path: filePath };
    case 'edit':
      return { file_path: filePath, old_string: args['oldString'], new_string: args['newString'] };
    case 'multiedit': {
      const edits = listOf(args['edits']).filter(isObject);
      return {
        file_path: filePath,
        edits: edits.map(({ oldString, newString }) => ({ old_string: oldString, new_string: newString })),
      };
    }
    case 'apply_patch':
    case 'patch':
      return { patch: args['patchText'] };
    case 'grep':
      return { ...args, glob: args['include'] };
    case 'skill':
      return { skill: args['name'] };
    case 'task':
    case 'subagent':
      return { ...args, prompt: asTyped(stringOf(args['prompt']) ?? '') };
    default:
      return objectOf(given);
  }
}

/** How opencode tells an agent what a person asks for with `/review`: pages of its own around what they typed behind it. */
const REVIEW =
  /^You are a code reviewer\. Your job is to review code changes and provide actionable feedback\.\s+---\s+Input:([^]*?)\n---\s+## Determining What to Review\n[^]*$/;

/** The command that a person typed, where a text is what opencode makes of it. */
export function asTyped(text: string): string {
  return text.replace(REVIEW, (_, args: string) => `/review ${args.trim()}`.trim());
}

/** A person said no, or stopped the agent before the call was done. */
const REFUSED = /^(?:The user (?:rejected|dismissed)|Tool execution aborted)/;

const FEEDBACK =
  /^(The user rejected permission to use this specific tool call) with the following feedback: ([^]+)$/;

/** What the person typed when refusing a call, and what the client says of it; null where they typed nothing. */
export function refusalIn(state: JsonObject): { text: string; said: string } | null {
  const [, text, said] = FEEDBACK.exec(stringOf(state['error']) ?? '') ?? [];
  return text && said ? { text: `${text}.`, said } : null;
}

/** What came of a call; null while nothing has. To opencode, a command that could be run has succeeded. */
export function toolOutput(tool: string, state: JsonObject): ToolOutput | null {
  if (state['status'] === 'error') {
    const text = stringOf(state['error']) ?? '';
    return { text, isError: true, isCancelled: REFUSED.test(text) };
  }
  if (state['status'] !== 'completed') return null;
  const { exit } = state;
  const text = withoutFrame(tool, stringOf(state['output']) ?? '');
  return endedWith(typeof exit === 'number' ? exit : 0, text);
}

/** A file or a folder under its path (seen in 1.2.20 to 1.2.26). */
const READ = /^<path>[^\n]*<\/path>\n<type>\w+<\/type>\n<(content|entries)>\n?([^]*)\n<\/\1>/;
/** Below it, how much of it was read. */
const EXTENT = /(?<!\n)(?:^|\n+)\((?=[^()\n]*\)$)[^\n]*(?:lines?|entries)\b[^\n]*$/;
/** What an agent said, under how to go on with it. */
const REPORT = /^task_id: [^\n]*\n\n<task_result>\n([^]*)\n<\/task_result>\s*$/;

/** What a tool gave, without what opencode writes around it for the model, and the numbers before a file's lines. */
function withoutFrame(tool: string, text: string): string {
  if (tool === 'task') return REPORT.exec(text)?.[1] ?? text;
  const [frame, kind, read] = (tool === 'read' && READ.exec(text)) || [];
  if (frame === undefined) return text;
  const all = read!.replace(EXTENT, '');
  return `${kind === 'content' ? all.replace(/^\d+: ?/gm, '') : all}${text.slice(frame.length)}`;
}
