import { ASSIGNMENT, type ChunkKind, FAILED_RESULT, type Speaker, type TurnDraft } from '@causantic/domain';
import { chunkTurn } from '../chunks/chunker.js';
import type { Place, ToolOutput, TranscriptEvent } from '../clients/events.js';
import { setBounded } from './bounded-map.js';
import { isAnswer } from './answers.js';
import { FactsCollector, type TaskSubjects } from './facts.js';
import type { Forgotten } from './forgotten.js';
import type { Piece } from './pieces.js';
import { EXIT_CODE } from '../text/exit-code.js';
import { plainText, withoutErased } from '../text/plain-text.js';
import { type JsonObject, stringOf } from '../transcripts/records.js';
import type { Redactor } from '../redaction/redaction.js';
import { ASKS_FOR_SECRET } from '../redaction/secret-names.js';
import { greatest, least } from '../times.js';
import { commonTool, SHELL_TOOLS } from './tool-names.js';
import { injectedText, resultText } from './kept-text.js';
import { callFiles, callText, onlyWaits, paths } from './tool-text.js';
import { writtenFiles } from './written-files.js';

/** A command that a person ran, as prompts of all clients tell it. */
const RAN_BY_PERSON = /^! ([^]*)/;

/** Where in an answer a person is asked for something: at its end. */
const MAX_QUESTION_CHARS = 1_000;

/** What can happen within a turn. */
type TurnEvent = Exclude<TranscriptEvent, { type: 'rewind' }>;

/** Seen up to fourteen lines above their calls; each is kept with all of its text. */
const MAX_EARLY_RESULTS = 20;

type ToolResult = Extract<TurnEvent, { type: 'tool-result' }>;

/** What the turns of a transcript share. */
export interface SharedByTurns {
  redactor: Redactor;
  forgotten: Forgotten;
  /** Tool names of calls whose turn ended without a result, by id. */
  lateCalls: Map<string, string>;
  taskSubjects: TaskSubjects;
  /** Whether the latest answer may have asked for a secret. */
  asksForSecret: boolean;
}

/** Whether what the main agent says asks for a secret; other agents ask the person nothing. */
export function noteAnswer(
  shared: SharedByTurns,
  { agentKey, text }: { agentKey: string | null; text: string },
): void {
  if (agentKey === null) shared.asksForSecret = ASKS_FOR_SECRET.test(text.slice(-MAX_QUESTION_CHARS));
}

/** A call that has no result yet. */
interface OpenCall {
  piece: Piece;
  name: string;
  input: JsonObject;
  /** Files that its command writes. */
  written: readonly string[];
}

/** A turn that is still being read: turns events into clean, readable pieces, and joins results with their calls. */
export class OpenTurn {
  promptUuid: string | null = null;
  promptParentUuid: string | null = null;
  /** The latest record of the prompt while nothing has been answered. */
  lastPromptUuid: string | null = null;
  /** Size of what is kept so far. */
  chars = 0;
  private readonly pieces: Piece[] = [];
  private readonly facts: FactsCollector;
  private readonly calls = new Map<string, OpenCall>();
  /** The latest results whose calls have not been read: the client may write a record before the one that it answers. */
  private readonly early = new Map<string, { result: ToolResult; piece: Piece | null }>();
  readonly agentKey: string | null;
  readonly lineStart: number;

  constructor(
    begin: Place,
    private readonly shared: SharedByTurns,
  ) {
    this.agentKey = begin.agentKey;
    this.lineStart = begin.line;
    this.facts = new FactsCollector(shared.taskSubjects);
  }

  /** Calls that have no result yet. */
  openCalls(): { id: string; name: string }[] {
    return [...this.calls].map(([id, { name }]) => ({ id, name }));
  }

  /** The turn as it is now; `chunks` is empty if nothing is worth keeping. */
  draft(ordinal: number, firstSeq: number): TurnDraft {
    return {
      ordinal,
      agentKey: this.agentKey,
      promptUuid: this.promptUuid,
      promptParentUuid: this.promptParentUuid,
      lineStart: this.lineStart,
      startTimeMs: least(this.pieces.map((piece) => piece.startTimeMs)),
      endTimeMs: greatest(this.pieces.map((piece) => piece.endTimeMs)),
      facts: this.facts.facts(),
      chunks: chunkTurn(this.pieces, firstSeq, (piece, text) => this.shared.forgotten.takes(piece, text)),
    };
  }

  add(event: TurnEvent): void {
    const follows = this.lastPromptUuid !== null && this.lastPromptUuid === event.parentUuid;
    // What the client did itself is no part of a prompt typed after it.
    const isPartOfPrompt =
      (event.type === 'prompt' && !event.isForClient) ||
      (event.type === 'injected' && follows && !event.breaksOff);
    this.lastPromptUuid = isPartOfPrompt ? event.uuid : null;
    switch (event.type) {
      case 'prompt':
        return event.injected ? this.addInjected(event) : this.addPrompt(event);
      case 'injected':
        return this.addInjected(event);
      case 'tool-call':
        return this.addCall(event);
      case 'tool-result':
        return this.addResult(event);
      case 'output':
        return this.addOutput(event);
      default:
        return this.addText(event);
    }
  }

  /** Of what a person turns out to have said, what was taken for the client's. */
  takeBackInjected(event: TranscriptEvent): void {
    if (event.type !== 'prompt' || !event.mayStandAbove) return;
    const text = injectedText(this.shared.redactor, event.text);
    const at = this.pieces.findLastIndex(({ kind, parts }) => kind === 'meta' && parts[0]!.text === text);
    if (at !== -1) this.pieces.splice(at, 1);
  }

  /** Where to record facts; nowhere, if the user may have deleted this text. */
  private note({ line, timeMs }: Pick<Place, 'line' | 'timeMs'>): FactsCollector | null {
    return this.shared.forgotten.mayHold(line, timeMs) ? null : this.facts;
  }

  private addPrompt(event: Extract<TurnEvent, { type: 'prompt' }>): void {
    const { redactor, asksForSecret } = this.shared;
    const typed = withoutErased(event.text);
    const text = asksForSecret ? redactor.cleanReply(typed) : redactor.clean(typed);
    this.push(event, 'dialogue', 'user', 'User: ', text);
    if (!event.isForClient) this.note(event)?.prompt(text, event.byProgram);
  }

  private addInjected(event: Place & { text: string }): void {
    this.push(event, 'meta', 'system', '', injectedText(this.shared.redactor, event.text));
  }

  private addText(
    event: Exclude<TurnEvent, { type: 'prompt' | 'injected' | 'tool-call' | 'tool-result' | 'output' }>,
  ): void {
    const text = this.shared.redactor.clean(event.text);
    switch (event.type) {
      case 'assignment':
        this.note(event)?.prompt(text);
        return void this.push(event, 'dialogue', 'assistant', ASSIGNMENT, text);
      case 'answer':
        noteAnswer(this.shared, event);
        return void this.push(event, 'dialogue', 'assistant', 'Assistant: ', text);
      case 'message': {
        const label = `${this.name(event.from)} → ${this.name(event.to)}: `;
        return void this.push(event, 'dialogue', 'assistant', label, text);
      }
      case 'note':
        return void this.push(event, 'dialogue', 'assistant', `Note ${this.name(event.title)}:\n`, text);
      case 'thinking':
        return void this.push(event, 'thinking', 'thinking', '', text);
      case 'compaction':
      case 'error':
        return void this.push(event, event.type, 'system', '', text);
    }
  }

  private name(text: string): string {
    return this.shared.redactor.cleanName(text);
  }

  private addCall(event: Extract<TurnEvent, { type: 'tool-call' }>): void {
    const input = this.shared.redactor.cleanInput(event.input);
    const name = this.name(event.name);
    const written = filesWrittenBy(name, input, this.name(event.folder ?? ''));
    const files = [...new Set([...callFiles(name, input), ...written])];
    const facts = this.note(event);
    facts?.call(name, input, files);
    facts?.changed(written);
    const piece = this.push(event, 'dialogue', 'tool_use', '', callText(name, input));
    if (!piece) return;
    piece.tool = name;
    piece.files = files;
    if (event.id === null) return;
    this.calls.set(event.id, { piece, name, input, written });
    this.addEarlyResult(event.id, event.uuid);
  }

  /** @param uuid of the call's record, which the result's names: what else came before is what a call printed on its way */
  private addEarlyResult(id: string, uuid: string | null): void {
    const early = this.early.get(id);
    if (!early || uuid === null || early.result.parentUuid !== uuid) return;
    this.early.delete(id);
    if (early.piece) this.pieces.splice(this.pieces.indexOf(early.piece), 1);
    this.addResult(early.result);
  }

  private addResult(event: ToolResult): void {
    const call = event.id === null ? undefined : this.calls.get(event.id);
    const late = event.id === null ? undefined : this.shared.lateCalls.get(event.id);
    const name = call?.name ?? late ?? 'tool';
    const text = resultText(this.shared.redactor, { name, input: call?.input ?? {} }, event);
    if (event.id !== null) {
      this.calls.delete(event.id);
      this.shared.lateCalls.delete(event.id);
    }
    const changed = call ? this.addChanged(call.piece, event.changedFiles) : [];
    if (call && this.note(beginOf(call.piece))) {
      const facts = this.note(event);
      facts?.changed(changed);
      if (event.isError) facts?.changedNothing(name, call.piece.files);
      // One that failed has done what stands before, and mostly tried what it wrote.
      if (event.isCancelled) facts?.changed(call.written, -1);
      if (!event.isCancelled) facts?.result(name, call.input, { ...event, text: text.full });
    }
    if (call) return this.endCall(call, event, text.kept);
    this.addAlone(event, name, text.kept);
  }

  /** What a command printed that the person ran stands below it, as that of an agent's command does. */
  private addOutput({ text, ...place }: Place & { text: string }): void {
    const output = { text, isError: EXIT_CODE.test(text) };
    const { kept, full } = resultText(this.shared.redactor, { name: 'Bash', input: {} }, output);
    const command = this.pieces.findLast(({ kind }) => kind === 'dialogue');
    if (command?.parts[0]!.speaker !== 'user')
      return void this.push(place, 'dialogue', 'tool_result', '→ ', kept);
    const ran = RAN_BY_PERSON.exec(command.parts[0].text)?.[1];
    if (ran !== undefined && this.note(beginOf(command))) this.note(place)?.ran(ran, full, !output.isError);
    this.endCall({ piece: command, name: 'Bash', input: {} }, { ...place, ...output }, kept);
  }

  /** A result whose call was read in an earlier turn, or is not read yet. */
  private addAlone(result: ToolResult, name: string, kept: string): void {
    const piece = this.push(result, 'dialogue', 'tool_result', `[${this.name(name)}] → `, kept);
    if (piece) piece.tool = name;
    if (result.id !== null) setBounded(this.early, result.id, { result, piece }, MAX_EARLY_RESULTS);
  }

  /** Files that a command changed, whether or not it names them; returns their names. */
  private addChanged(piece: Piece, files: readonly string[] = []): string[] {
    const changed = paths(files.map((path) => this.name(path)));
    piece.files = [...new Set([...piece.files, ...changed])];
    return changed;
  }

  private endCall(
    { piece, name, input }: Pick<OpenCall, 'piece' | 'name' | 'input'>,
    { isError, line, timeMs }: Place & ToolOutput,
    kept: string,
  ): void {
    if (kept === '') {
      if (onlyWaits(name, input)) this.pieces.splice(this.pieces.lastIndexOf(piece), 1);
      return;
    }
    const label = isError && !FOUND_NOTHING.test(kept) ? FAILED_RESULT : '→ ';
    piece.parts.push({ speaker: speakerOfResult(name, kept), label, text: kept });
    piece.lineEnd = Math.max(piece.lineEnd, line);
    piece.endTimeMs = greatest([piece.endTimeMs, timeMs]);
    this.chars += kept.length;
  }

  private push(place: Place, kind: ChunkKind, speaker: Speaker, label: string, text: string): Piece | null {
    if (text.trim() === '') return null;
    const piece: Piece = {
      kind,
      parts: [{ speaker, label, text: plainText(text) }],
      lineStart: place.line,
      lineEnd: place.line,
      startTimeMs: place.timeMs,
      endTimeMs: place.timeMs,
      gitBranch: place.gitBranch && this.name(place.gitBranch),
      files: [],
      tool: null,
    };
    this.pieces.push(piece);
    this.chars += text.length;
    return piece;
  }
}

/** @param folder where a command runs */
function filesWrittenBy(tool: string, input: JsonObject, folder: string): string[] {
  const command = SHELL_TOOLS.has(commonTool(tool)) ? stringOf(input['command']) : null;
  return command === null ? [] : paths(writtenFiles(command, folder));
}

function beginOf({ lineStart, startTimeMs }: Piece): Pick<Place, 'line' | 'timeMs'> {
  return { line: lineStart, timeMs: startTimeMs };
}

/** What a person chose when asked is a person's words: whoever looks for a decision looks for them. */
function speakerOfResult(tool: string, text: string): Speaker {
  return commonTool(tool) === 'AskUserQuestion' && isAnswer(text) ? 'user' : 'tool_result';
}

/** How a command ends that looks for something, without a word, where it is not there: no failure. */
const FOUND_NOTHING = /^Exit code 1\s*$/;
