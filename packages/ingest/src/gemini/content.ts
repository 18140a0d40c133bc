import { type JsonObject, isObject, listOf, objectOf, stringOf } from '../records.js';

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

/** A tool's result: what its response says, and what else was given to the model with it. */
export function resultText(call: JsonObject): string {
  const parts = contentParts(call['result']);
  const texts = parts.map(
    (part) => responseText(objectOf(objectOf(part['functionResponse'])['response'])) || partText(part),
  );
  return texts.filter(Boolean).join('\n') || (stringOf(call['resultDisplay']) ?? '');
}

function responseText(response: JsonObject): string {
  const value = response['output'] ?? response['error'] ?? response['content'];
  if (typeof value === 'string') return value;
  return Object.keys(response).length === 0 ? '' : JSON.stringify(value ?? response);
}

/** Gemini writes the files that a prompt mentions behind it. */
const FILES_BEHIND = '--- Content from referenced files ---';
const CONTEXT = /^\s*<(?:session_context|hook_context)\b/;
const SUMMARY = /^\s*<(?:state_snapshot|compressed_summary)\b/;
const COMMAND = /^\s*[/?]\S*\s*$/;

/** What a user's message really is. */
export type UserMessage =
  | { type: 'prompt'; text: string; injected: boolean; /** Files that the client added. */ files: string }
  | { type: 'injected'; text: string }
  /** What the chat held so far, in short. */
  | { type: 'compaction'; text: string };

/** A user's message, with what the client added told apart. */
export function userMessage(message: JsonObject): UserMessage {
  const parts = contentParts(message['content']);
  const text = textOf(parts);
  if (CONTEXT.test(text)) return { type: 'injected', text };
  if (SUMMARY.test(text)) return { type: 'compaction', text };
  const shown = textOf(contentParts(message['displayContent']));
  const start = text.indexOf(FILES_BEHIND);
  const typed = start === -1 ? text : text.slice(0, start).trimEnd();
  const prompt = shown || typed;
  return {
    type: 'prompt',
    text: prompt,
    injected: COMMAND.test(prompt),
    files: start === -1 ? '' : text.slice(start),
  };
}

/** A tool's input in the form that all clients' calls have. */
export function toolInput(name: string, args: JsonObject): JsonObject {
  if (name === 'write_todos') {
    const todos = listOf(args['todos']).filter(isObject);
    return { todos: todos.map((todo) => ({ content: todo['description'], status: todo['status'] })) };
  }
  const { absolute_path: path, dir_path: folder, ...rest } = args;
  return {
    ...(path !== undefined && { file_path: path }),
    ...(folder !== undefined && { path: folder }),
    ...rest,
  };
}
