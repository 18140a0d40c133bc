import { endedWith, withoutExitCode } from '../../text/exit-code.js';
import type { EventSink, Place, ToolOutput } from '../events.js';
import { type JsonObject, jsonIn, stringOf } from '../../transcripts/records.js';
import { textHash } from '../../text/text-hash.js';
import { contentTexts } from './content.js';
import type { CallWithOutput, NestedCall } from './nested-calls.js';
import { shellCall, textOutput, withoutTrace } from './tools.js';

/** A script that has not yet given all it will; its text is stored, and so without secrets. */
interface OpenScript {
  callId: string;
  name: string;
  text: string;
  /** Calls of it were told. */
  isTold: boolean;
  /** Where it was called; states of earlier versions lack it. */
  place?: Place;
}

export interface ScriptsState {
  scripts: OpenScript[];
  /** What calls of scripts gave, by hash: most scripts do nothing but show it. */
  told: string[];
}

/** Bounds of what is remembered between records, and stored with the checkpoint. */
const MAX_SCRIPTS = 20;
const MAX_TOLD = 200;

/**
 * Since July 2026 most models have only one tool: `exec`, which runs a script that calls the other tools as functions.
 * These calls are reported as if the model had made them. A script is held back until it has written something, or never
 * will; of its own output, only what is not the output of a reported call is kept.
 */
export class Scripts {
  constructor(
    private readonly sink: EventSink,
    private now: ScriptsState,
  ) {}

  /** Replaced, never changed. */
  state(): ScriptsState {
    return this.now;
  }

  /** Is this call a script, or does it wait for one? It is told when it has written something. */
  holdBack(call: JsonObject, place: Place): boolean {
    const text = scriptText(call);
    if (text === null) return false;
    const callId = stringOf(call['call_id']);
    if (callId === null) return true;
    const name = String(call['name']);
    const script = { callId, name, text: this.sink.clean(text), isTold: name === 'wait', place };
    this.now = { ...this.now, scripts: [...this.now.scripts, script].slice(-MAX_SCRIPTS) };
    return true;
  }

  /** A script called this: which one, where several are open, nothing says. */
  tellCall({ id, ...told }: NestedCall, place: Place): void {
    this.tell(id, told, place);
    this.now = {
      scripts: this.now.scripts.map((script) => ({ ...script, isTold: true })),
      told: [...this.now.told, outputHash(withoutExitCode(told.output.text))].slice(-MAX_TOLD),
    };
  }

  /**
   * What a call gave, if it is a script that has written something.
   * @param areCommandsTold whether this version tells of commands in events, so that none needs to be read from the script
   */
  tellOutput(item: JsonObject, place: Place, areCommandsTold: boolean): boolean {
    const callId = stringOf(item['call_id']);
    const script = this.now.scripts.find((open) => open.callId === callId);
    const written = script && scriptOutput(item);
    if (!written) return false;
    this.now = { ...this.now, scripts: this.now.scripts.filter((open) => open !== script) };
    this.tellScript(script, written, place, areCommandsTold);
    return true;
  }

  /** What has written nothing: told as the calls that it was to make, without what came of them. */
  tellOpen(): void {
    for (const { name, text, isTold, place } of this.now.scripts) {
      if (isTold || !place) continue;
      const calls = commandsIn(text, [], false) ?? [{ call: { name, input: { input: text } } }];
      for (const { call } of calls) this.sink.event({ ...place, type: 'tool-call', id: null, ...call });
    }
  }

  /** They will write nothing more. */
  forgetOpen(): void {
    this.now = { ...this.now, scripts: [] };
  }

  private tellScript(
    { callId, name, text, isTold }: OpenScript,
    { texts, isError }: ScriptOutput,
    place: Place,
    areCommandsTold: boolean,
  ): void {
    const commands = isTold || areCommandsTold ? null : commandsIn(text, texts, isError);
    for (const [at, command] of commands?.entries() ?? []) this.tell(`${callId}-${at}`, command, place);
    const left = isTold ? notTold(texts, new Set(this.now.told)) : texts;
    if (commands !== null || (isTold && left.length === 0))
      return this.sink.event({ ...place, type: 'injected', text: '' });
    const script = {
      call: { name, input: { input: text } },
      output: { text: left.map((each) => framedOutput(each)?.text ?? each).join('\n'), isError },
    };
    this.tell(callId, script, place);
  }

  private tell(id: string, { call, output }: CallWithOutput, place: Place): void {
    this.sink.event({ ...place, type: 'tool-call', id, ...call });
    this.sink.event({ ...place, type: 'tool-result', id, ...output });
  }
}

/** The text of a script, or which one is waited for; null for any other call. */
function scriptText(item: JsonObject): string | null {
  if (item['type'] === 'custom_tool_call' && item['name'] === 'exec') return stringOf(item['input']);
  if (item['type'] !== 'function_call' || item['name'] !== 'wait') return null;
  const cell = stringOf(jsonIn(stringOf(item['arguments']) ?? '')?.['cell_id']);
  return cell === null ? null : `cell ${cell}`;
}

const HEADER = /^Script (completed|failed|running|terminated)\b[^\n]*\nWall time [^\n]*\nOutput:\n/;
/** Codex has cut a text that was longer than it gives to the model. */
const CUT = /^Warning: truncated output\b/;

interface ScriptOutput {
  texts: string[];
  isError: boolean;
}

/** What a script wrote, text by text; null for a notice that it gives before. */
function scriptOutput(item: JsonObject): ScriptOutput | null {
  const [first = '', ...texts] = contentTexts(item['output']);
  const state = HEADER.exec(first)?.[1];
  const isAborted = state === undefined && textOutput(first).isError;
  if (state === undefined && !isAborted) return null;
  const written = [first.replace(HEADER, ''), ...texts].map(shownText);
  return { texts: written.filter((text) => text.trim() !== ''), isError: state === 'failed' || isAborted };
}

/** A text of a script as the model is shown it. */
function shownText(text: string): string {
  const isImage = stringOf(jsonIn(text)?.['image_url'])?.startsWith('data:');
  return isImage ? '[image]' : text.replace(/^Script error:\n/, '');
}

/** Texts that are more than what the calls of a script gave, as the model was shown them. */
function notTold(texts: readonly string[], told: ReadonlySet<string>): string[] {
  return texts.filter((text) => {
    if (CUT.test(text) || text === '[image]' || text === '{}') return false;
    return !told.has(outputHash(withoutTrace(resultIn(text))));
  });
}

function outputHash(text: string): string {
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
/** On Windows a command is run by `shell_command`. */
const COMMAND =
  /\btools\.(exec_command|shell_command)\(\s*\{[^{}]*?\b(?:cmd|command)['"]?\s*:\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\\$]*`)/g;

/** What `shell_command` gives: how the command ended stands above what it printed. */
const FRAME =
  /^(?:Warning: truncated output\b[^\n]*\n(?:Total output lines: [^\n]*\n)?\n)?(?=Exit code: -?\d+\nWall time: )/;

/**
 * The commands of a script that does nothing but run commands, each with what it gave, where no event tells of them;
 * null where it does anything else.
 * @param hasFailed as a script does on Windows whose command fails
 */
function commandsIn(script: string, texts: readonly string[], hasFailed: boolean): CallWithOutput[] | null {
  const tools = [...script.matchAll(TOOL)];
  const commands = [...script.matchAll(COMMAND)].map(([, name, literal]) => ({
    name: name!,
    text: textOf(literal!),
  }));
  const areLiteral = commands.every(({ text }) => text !== null);
  if (commands.length === 0 || commands.length !== tools.length || !areLiteral) return null;
  if (hasFailed && !(commands.length === 1 && texts.length === 1 && FRAME.test(texts[0]!))) return null;
  const outputs =
    texts.length === commands.length ? texts : [...commands.slice(1).map(() => ''), texts.join('\n')];
  return commands.map(({ name, text }, at) => ({
    call: shellCall(name, { command: text }, null),
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
  return framedOutput(text) ?? endedWith(Number(result?.['exit_code'] ?? 0), resultIn(text));
}

function framedOutput(text: string): ToolOutput | null {
  const frame = FRAME.exec(text);
  return frame && textOutput(text.slice(frame[0].length));
}
