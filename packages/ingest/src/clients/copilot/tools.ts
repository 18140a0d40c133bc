// Brings Copilot's calls and what they gave into the form that all clients' have.
import type { ToolOutput } from '../events.js';
import { endedWith } from '../../text/exit-code.js';
import { type JsonObject, isObject, jsonIn, listOf, objectOf, stringOf } from '../../transcripts/records.js';

/** Early versions (0.0.343) have one tool for files, which is told what to do; later ones have one for each. */
export function toolName({ name, arguments: given }: JsonObject): string {
  const command = name === 'str_replace_editor' ? stringOf(objectOf(given)['command']) : null;
  return (command === 'str_replace' ? 'edit' : command) ?? stringOf(name) ?? 'tool';
}

/** What a call is about, under the names that all clients' calls have. */
export function toolInput(name: string, given: unknown): JsonObject {
  if (typeof given === 'string')
    return name === 'apply_patch' ? { patch: given } : (jsonIn(given) ?? { input: given });
  const { path, ...args } = objectOf(given);
  switch (name) {
    case 'view':
      return { file_path: path, offset: listOf(args['view_range'])[0] };
    case 'create':
      return { file_path: path, content: args['file_text'] };
    case 'edit':
      return { file_path: path, old_string: args['old_str'], new_string: args['new_str'] };
    case 'grep':
    case 'rg':
    case 'glob': {
      const [first, ...more] = [args['paths'] ?? path].flat();
      return { ...args, path: more.length === 0 ? first : [first, ...more] };
    }
    case 'task':
      return { ...args, subagent_type: args['agent_type'] };
    case 'read_agent':
      return { task_id: args['agent_id'] };
    case 'ask_user':
      return { questions: [{ question: args['question'] ?? args['message'], options: options(args) }] };
    case 'exit_plan_mode':
      return { plan: args['summary'] };
    default:
      return objectOf(given);
  }
}

/** What a person may choose from: a list, or the values that the fields of a form may have. */
function options(args: JsonObject): unknown[] {
  const fields = Object.values(objectOf(objectOf(args['requestedSchema'])['properties'])).filter(isObject);
  return [...listOf(args['choices']), ...fields.flatMap((field) => listOf(field['enum']))];
}

/** How a command ended stands below what it printed: to the client, one that could be run has succeeded. */
const EXIT = /\n?<(?:shellId: \S+ completed|exited) with exit code (-?\d+)>\s*$/;

/** What stands above the beginning of an output that is too long for the model. */
const PREVIEW =
  /^Output too large to read at once \([^)]*\)\. Saved to: [^\n]*\nConsider using tools [^\n]*\n\nPreview \([^)]*\):\n/;

const FEEDBACK = /^(The user rejected this tool call\.) User feedback: ([^]+)$/;

/** What the person typed when refusing a call, and what the client says of it; null where they typed nothing. */
export function refusalIn(data: JsonObject): { text: string; said: string } | null {
  const { message } = objectOf(data['error']);
  const [, text, said] = FEEDBACK.exec(stringOf(message) ?? '') ?? [];
  return text && said ? { text, said } : null;
}

/** What came of a call, by the event that ends it. */
export function toolOutput(data: JsonObject): ToolOutput {
  const error = objectOf(data['error']);
  if (data['success'] === false)
    return { text: stringOf(error['message']) ?? '', isError: true, isCancelled: error['code'] === 'denied' };
  const text = (stringOf(objectOf(data['result'])['content']) ?? '').replace(PREVIEW, '');
  return endedWith(Number(EXIT.exec(text)?.[1] ?? 0), text.replace(EXIT, ''));
}
