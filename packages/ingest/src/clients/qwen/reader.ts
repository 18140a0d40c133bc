import { originalSession } from '../claude-code/copies.js';
import type { TranscriptFile } from '../../transcripts/describe-transcript.js';
import { type EventSink, type Place, tell } from '../events.js';
import {
  commandResult,
  contentParts,
  resultText,
  textOf,
  toolInput,
  userMessage,
} from '../gemini/content.js';
import {
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  stringOf,
  timeMsOf,
} from '../../transcripts/records.js';
import { besideElement, element } from '../../text/elements.js';
import type { TranscriptReader } from '../transcript-reader.js';

export interface QwenState {
  /** The latest prompts, by the record that each follows: a rewind goes on behind that record. */
  prompts: { line: number; behind: string | null }[];
  /**
   * A command whose prompt, which the client wrote, comes next, unless a hook keeps it back.
   * With its text, where the version does not tell whether it has one.
   */
  command?: { line: number; timeMs: number; text?: string } | undefined;
}

const MAX_PROMPTS = 1_000;

/** What the client tells the model behind the launch of an agent in the background. */
const HOW_TO_WAIT = /^(Background agent launched successfully\.)\ntask_id: [^]*$/;

/**
 * The files open in an editor, each with its selected lines, which the client's extension puts above what was typed. A line that
 * goes on behind a path is a person's.
 */
const OPEN_FILES =
  /^(?:(?![^\n]* (?:\/|[A-Za-z]:\\))(?:[A-Za-z]:\\|\/[^\s/]+\/)(?:[^\n]*[\\/])?[^\s\\/]*[\w)](?:#\d+(?:-\d+)?)?\n)+\n(?=[^]*\S)/;

/** What was pasted as a picture, by the file that the client keeps it in. */
const PASTED_IMAGE = /@[^\s@]*[\\/]clipboard-\d{10}[\w-]*\.(?:png|jpe?g|gif|webp|bmp|tiff)\b/g;

/** The prompt that the client writes for a command comes sooner than a person types another one. */
const COMMAND_MS = 5_000;

/** The same, behind the record of the command's end: some 100 ms, where nobody types a prompt in less than two seconds. */
const UNTOLD_MS = 1_000;

/** Reads the records of Qwen Code: Claude Code's chain, in which messages have the parts that Gemini's have. */
export class QwenReader implements TranscriptReader {
  /** As it was before the latest record; replaced, never changed. */
  private before: QwenState;

  constructor(
    private readonly file: TranscriptFile,
    private readonly sink: EventSink,
    private now: QwenState = { prompts: [] },
  ) {
    this.before = this.now;
  }

  state(): QwenState {
    return this.before;
  }

  read(record: JsonObject, line: number): void {
    this.before = this.now;
    const gitBranch = stringOf(record['gitBranch']);
    this.sink.session({
      cwd: stringOf(record['cwd']),
      gitBranch,
      clientVersion: stringOf(record['version']),
      continuesUuid: originalSession(record, this.file.sessionUuid),
    });
    const place: Place = {
      line,
      timeMs: timeMsOf(record['timestamp']),
      gitBranch,
      // Forks keep it.
      uuid: stringOf(record['uuid']),
      // Two prompts behind one record come from two terminals: a rewind has a record of its own.
      parentUuid: null,
      agentKey: this.file.agentKey,
    };
    const parts = contentParts(objectOf(record['message'])['parts']);
    switch (record['type']) {
      case 'user':
        return this.readUser(record, parts, place);
      case 'assistant':
        for (const part of parts) this.readPart(part, place);
        return;
      case 'tool_result':
        return this.readResult(record, parts, place);
      case 'system':
        return this.readSystem(record, objectOf(record['systemPayload']), place);
    }
  }

  private readUser(record: JsonObject, content: JsonObject[], place: Place): void {
    const { displayText, hookContext } = objectOf(record['systemPayload']);
    if (record['subtype'] === 'notification') return this.readNotice(content, place);
    const isAgents = place.agentKey !== null;
    // What is typed is the first text that is no reminder; files, and what hooks add (without a mark in 0.15), are others.
    const texts = content.filter(isText);
    const typed = texts.find((part) => !isReminder(part));
    const others = texts.filter((part) => part !== typed);
    const shown = [{ text: displayText ?? typed?.['text'] }, ...content.filter((part) => !isText(part))];
    const user = userMessage({ content, ...(!isAgents && { displayContent: shown }) }, isAgents);
    if (isTypedByNobody(record) || user.type !== 'prompt')
      return tell(this.sink, place, user.type === 'compaction' ? 'compaction' : 'injected', user.text);
    if (user.text.trim() === '') return tell(this.sink, place, 'injected', textOf(others));
    if (isAgents) return this.sink.event({ ...place, type: 'assignment', text: user.text });
    const isAside = record['subtype'] === 'mid_turn_user_message';
    const command = isAside ? undefined : this.commandBefore(place, user.text);
    if (!isAside) this.notePrompt(record, command?.line ?? place.line);
    if (command) return this.readPromptOf(command, user.text, place);
    const openFiles = OPEN_FILES.exec(user.text)?.[0] ?? '';
    const text = user.text.slice(openFiles.length).replace(PASTED_IMAGE, '[image]');
    const injected = user.injected && openFiles === '';
    this.sink.event({ ...place, type: 'prompt', text, injected, isAside });
    tell(this.sink, place, 'output', user.printed);
    tell(this.sink, place, 'injected', openFiles);
    tell(this.sink, place, 'injected', user.added || (hookContext ?? textOf(others)));
  }

  private commandBefore({ timeMs }: Place, prompt: string): QwenState['command'] {
    const { command } = this.now;
    const isUntold = command?.text !== undefined;
    if (!command || (timeMs ?? 0) - command.timeMs >= (isUntold ? UNTOLD_MS : COMMAND_MS)) return undefined;
    return isUntold && !singleSpaced(prompt).includes(singleSpaced(wordsBehindName(command.text!)))
      ? undefined
      : command;
  }

  /** What was taken for a command that asks nothing of the model is a request. */
  private readPromptOf(command: QwenState['command'] & object, prompt: string, place: Place): void {
    const { text, line } = command;
    if (text !== undefined) {
      this.sink.event({ ...place, type: 'rewind', fromLine: line });
      this.sink.event({ ...place, type: 'prompt', text, injected: isWordless(text) });
    }
    if (prompt !== text) tell(this.sink, place, 'injected', prompt);
  }

  private notePrompt(record: JsonObject, line: number): void {
    const prompt = { line, behind: stringOf(record['parentUuid']) };
    this.now = { prompts: [...this.now.prompts, prompt].slice(-MAX_PROMPTS) };
  }

  /** What an agent in the background has found, or how a command there has ended. */
  private readNotice(content: JsonObject[], place: Place): void {
    const text = content.map((part) => stringOf(part['text']) ?? '').join('\n');
    const about = besideElement(text, 'result');
    const field = (name: string): string => element(about, name) ?? '';
    const result = element(text, 'result') ?? '';
    if (result === '') return tell(this.sink, place, 'injected', text);
    const agent = field('task-id').replace(`-${field('tool-use-id')}`, '') || 'agent';
    const from = [agent, field('summary') && `(${field('summary')})`].filter(Boolean).join(' ');
    this.sink.event({ ...place, type: 'message', from, to: 'main', text: result });
  }

  private readPart(part: JsonObject, place: Place): void {
    if (part['thought'] === true) return tell(this.sink, place, 'thinking', part['text']);
    tell(this.sink, place, 'answer', part['text']);
    if (!isObject(part['functionCall'])) return;
    const call = part['functionCall'];
    const name = stringOf(call['name']) ?? 'tool';
    const input = toolInput(name, objectOf(call['args']));
    this.sink.event({ ...place, type: 'tool-call', id: stringOf(call['id']), name, input });
  }

  private readResult(record: JsonObject, parts: JsonObject[], place: Place): void {
    const noted = objectOf(record['toolCallResult']);
    const response = objectOf(parts.find((part) => isObject(part['functionResponse']))?.['functionResponse']);
    const text = resultText({ result: parts });
    // Until 0.20 a command that failed had succeeded to the client: its exit code stands below what it printed.
    const isCommand = response['name'] === 'run_shell_command';
    const result = isCommand
      ? commandResult(text)
      : { text: text.replace(HOW_TO_WAIT, '$1'), isError: false };
    const isCancelled = noted['status'] === 'cancelled';
    const hasFailed = isCancelled || noted['status'] === 'error' || 'error' in objectOf(response['response']);
    this.sink.event({
      ...place,
      type: 'tool-result',
      id: stringOf(response['id']) ?? stringOf(noted['callId']),
      text: result.text,
      isError: hasFailed || result.isError,
      isCancelled,
    });
  }

  private readSystem(record: JsonObject, payload: JsonObject, place: Place): void {
    switch (record['subtype']) {
      case 'slash_command':
        return this.readCommand(record, payload, place);
      case 'chat_compression': {
        const [summary] = listOf(payload['compressedHistory']).map(objectOf);
        const text = contentParts(summary?.['parts']).map((part) => stringOf(part['text']) ?? '');
        return tell(this.sink, place, 'compaction', text.join('\n').replace(GO_ON, ''));
      }
      case 'custom_title':
        return this.sink.session({ title: stringOf(payload['customTitle']) });
      case 'rewind':
        return this.rewind(stringOf(record['parentUuid']), place);
      case 'ui_telemetry': {
        const event = objectOf(payload['uiEvent']);
        if (event['event.name'] === 'qwen-code.api_error')
          tell(this.sink, place, 'error', event['error_message']);
      }
    }
  }

  private readCommand(record: JsonObject, payload: JsonObject, place: Place): void {
    const text = stringOf(payload['rawCommand'])?.trim() ?? '';
    const timeMs = place.timeMs ?? 0;
    if (payload['phase'] === 'result' && this.now.command?.text !== undefined)
      this.now = { ...this.now, command: { ...this.now.command, timeMs } };
    if (payload['phase'] !== 'invocation' || text === '') return;
    const isForClient = payload['sentToModel'] !== true;
    const isUntold = payload['sentToModel'] === undefined;
    if (!isForClient) this.notePrompt(record, place.line);
    if (!isForClient || isUntold) {
      const command = { line: place.line, timeMs, ...(isUntold && { text: this.sink.clean(text) }) };
      this.now = { ...this.now, command };
    }
    this.sink.event({ ...place, type: 'prompt', text, injected: isWordless(text), isForClient });
  }

  /** What followed the record that the chain goes on from is taken back. */
  private rewind(behind: string | null, place: Place): void {
    const at = this.now.prompts.findLastIndex((prompt) => prompt.behind === behind);
    if (at === -1) return;
    const fromLine = this.now.prompts[at]!.line;
    this.now = { prompts: this.now.prompts.slice(0, at) };
    this.sink.event({ ...place, type: 'rewind', fromLine });
  }
}

/** The client puts them into the command's prompt, with one blank between each two. */
function wordsBehindName(command: string): string {
  return command.replace(/^\S+\s*/, '');
}

function singleSpaced(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function isWordless(command: string): boolean {
  return wordsBehindName(command) === '';
}

/** Newer versions tell who spoke; before, of what a schedule asks for, only its kind tells it. */
function isTypedByNobody({ provenance, subtype }: JsonObject): boolean {
  return subtype === 'cron' || (typeof provenance === 'string' && provenance !== 'real_user');
}

/** What the client tells the model below a summary. */
const GO_ON = /\nResume the prior task using the summary above\.[^]*$/;

function isText(part: JsonObject): boolean {
  return typeof part['text'] === 'string';
}

function isReminder(part: JsonObject): boolean {
  return /^\s*<system-reminder>[^]*<\/system-reminder>\s*$/.test(String(part['text']));
}
