import type { ChunkKind, Speaker, TurnDraft } from '@causantic/domain';
import { chunkTurn, greatest, least } from './chunker.js';
import type { Place, TranscriptEvent } from './events.js';
import { FactsCollector } from './facts.js';
import type { Piece } from './pieces.js';
import { type JsonObject } from './records.js';
import type { Redactor } from './redaction.js';
import { oneLine, shortenMiddle } from './shorten.js';
import { callFiles, callText, keptOfResult } from './tool-text.js';

/** A turn that grows beyond this is closed and goes on in another: memory stays bounded whatever a file holds. */
const MAX_TURN_CHARS = 4_000_000;

/** Calls remembered for results that arrive after their turn has ended. */
const MAX_LATE_CALLS = 200;

const INJECTED_KEPT = { head: 1_500, tail: 500 };
/** Scanned beyond what is kept of a result, so that a secret at the cut is seen whole. */
const REDACTION_MARGIN_CHARS = 2_000;

const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
const TERMINAL_COLOURS = /\u001b\[[0-9;?]*[A-Za-z]/g;
const LINE_NUMBERS = /^ *\d+(?:→|\t)/gm;

/** A prompt that replaces an earlier one: a rewind, if the store knows a turn with the same parent. */
export interface OpenedTurn {
  parentUuid: string;
  promptUuid: string | null;
  /** The ordinal this turn will have at the least. */
  ordinal: number;
}

export interface TurnSink {
  turn(turn: TurnDraft): void;
  /** All turns before this line are closed and delivered: a run may start again here. */
  boundary(line: number): void;
  opened(prompt: OpenedTurn): void;
}

export interface TurnsState {
  turns: number;
  chunks: number;
  lateCalls: [id: string, tool: string][];
  taskSubjects: [string, string][];
}

interface OpenTurn {
  agentKey: string | null;
  promptUuid: string | null;
  promptParentUuid: string | null;
  lineStart: number;
  pieces: Piece[];
  facts: FactsCollector;
  /** The latest record of the prompt while nothing has been answered. */
  lastPromptUuid: string | null;
  calls: Map<string, { piece: Piece; name: string; input: JsonObject }>;
}

/**
 * Gathers events into turns, one open turn a stream. A prompt in the main stream closes the open turns of all
 * streams: everything before that line is final, which is what makes reading in pieces equal to reading at once.
 */
export class TurnBuilder {
  private turns: number;
  private chunks: number;
  private readonly open = new Map<string | null, OpenTurn>();
  private openChars = 0;
  private readonly lateCalls: Map<string, string>;
  private readonly taskSubjects: Map<string, string>;

  constructor(
    private readonly sink: TurnSink,
    private readonly redactor: Redactor,
    state?: TurnsState,
  ) {
    this.turns = state?.turns ?? 0;
    this.chunks = state?.chunks ?? 0;
    this.lateCalls = new Map(state?.lateCalls);
    this.taskSubjects = new Map(state?.taskSubjects);
  }

  state(): TurnsState {
    return {
      turns: this.turns,
      chunks: this.chunks,
      lateCalls: [...this.lateCalls],
      taskSubjects: [...this.taskSubjects],
    };
  }

  /**
   * All events of one line.
   * @param mainKey the agent of the file's main stream
   */
  addLine(events: readonly TranscriptEvent[], mainKey: string | null): void {
    const first = events[0];
    if (!first) return;
    const prompt = events.find((event) => event.agentKey === mainKey && this.opensTurn(event));
    if (prompt) this.startTurn(prompt);
    else if (this.openChars > MAX_TURN_CHARS) this.closeAll(first.line);
    for (const event of events) this.add(event);
  }

  private add(event: TranscriptEvent): void {
    const turn = this.turnOf(event);
    const follows = turn.lastPromptUuid !== null && turn.lastPromptUuid === event.parentUuid;
    const isPartOfPrompt = event.type === 'prompt' || (event.type === 'injected' && follows);
    turn.lastPromptUuid = isPartOfPrompt ? event.uuid : null;
    switch (event.type) {
      case 'prompt':
        return this.addPrompt(turn, event);
      case 'tool-call':
        return this.addCall(turn, event);
      case 'tool-result':
        return this.addResult(turn, event);
      default:
        return this.addText(turn, event);
    }
  }

  /** A copied record of another session: only its open calls matter here. */
  addForeign(event: TranscriptEvent): void {
    if (event.type === 'tool-call' && event.id !== null) this.rememberLate(event.id, event.name);
    if (event.type === 'tool-result' && event.id !== null) this.lateCalls.delete(event.id);
  }

  /** Close and deliver what is open; nothing follows. */
  end(): void {
    this.deliverAll();
  }

  private opensTurn(event: TranscriptEvent): boolean {
    if (event.type === 'compaction') return true;
    if (event.type === 'assignment') return true;
    if (event.type !== 'prompt') return false;
    const turn = this.open.get(event.agentKey);
    // An editor writes one prompt as several records: the open file, an image, the typed text.
    const group = turn?.lastPromptUuid ?? null;
    return group === null || group !== event.parentUuid;
  }

  private startTurn(event: TranscriptEvent): void {
    this.closeAll(event.line);
    if (event.type !== 'prompt') return;
    const turn = this.turnOf(event);
    turn.promptUuid = event.uuid;
    turn.promptParentUuid = event.parentUuid;
    if (event.parentUuid !== null) {
      this.sink.opened({ parentUuid: event.parentUuid, promptUuid: event.uuid, ordinal: this.turns });
    }
  }

  private closeAll(line: number): void {
    this.deliverAll();
    this.sink.boundary(line);
  }

  private deliverAll(): void {
    const turns = [...this.open.values()].sort((a, b) => a.lineStart - b.lineStart);
    this.open.clear();
    this.openChars = 0;
    for (const turn of turns) this.deliver(turn);
  }

  private deliver(turn: OpenTurn): void {
    for (const [id, { name }] of turn.calls) this.rememberLate(id, name);
    const chunks = chunkTurn(turn.pieces, this.chunks);
    if (chunks.length === 0) return;
    this.chunks += chunks.length;
    this.sink.turn({
      ordinal: this.turns++,
      agentKey: turn.agentKey,
      promptUuid: turn.promptUuid,
      promptParentUuid: turn.promptParentUuid,
      lineStart: turn.lineStart,
      startTimeMs: least(turn.pieces.map((piece) => piece.startTimeMs)),
      endTimeMs: greatest(turn.pieces.map((piece) => piece.endTimeMs)),
      facts: turn.facts.facts(),
      chunks,
    });
  }

  private rememberLate(id: string, name: string): void {
    this.lateCalls.set(id, name);
    if (this.lateCalls.size > MAX_LATE_CALLS) this.lateCalls.delete(this.lateCalls.keys().next().value!);
  }

  private turnOf(place: Place): OpenTurn {
    const known = this.open.get(place.agentKey);
    if (known) return known;
    const turn: OpenTurn = {
      agentKey: place.agentKey,
      promptUuid: null,
      promptParentUuid: null,
      lineStart: place.line,
      pieces: [],
      facts: new FactsCollector(this.taskSubjects),
      lastPromptUuid: null,
      calls: new Map(),
    };
    this.open.set(place.agentKey, turn);
    return turn;
  }

  private addPrompt(turn: OpenTurn, event: Place & { text: string; injected?: boolean }): void {
    if (event.injected) return void this.push(turn, event, 'meta', 'system', '', this.shortened(event.text));
    const text = this.redactor.clean(event.text);
    this.push(turn, event, 'dialogue', 'user', 'User: ', text);
    turn.facts.prompt(text);
  }

  private addText(
    turn: OpenTurn,
    event: Exclude<TranscriptEvent, { type: 'prompt' | 'tool-call' | 'tool-result' }>,
  ): void {
    switch (event.type) {
      case 'assignment': {
        const text = this.redactor.clean(event.text);
        turn.facts.prompt(text);
        return void this.push(turn, event, 'dialogue', 'assistant', 'Assignment: ', text);
      }
      case 'answer':
        return void this.push(
          turn,
          event,
          'dialogue',
          'assistant',
          'Assistant: ',
          this.redactor.clean(event.text),
        );
      case 'message':
        return void this.push(
          turn,
          event,
          'dialogue',
          'assistant',
          `${this.redactor.clean(oneLine(event.from, 200))} → ${event.to}: `,
          this.redactor.clean(event.text),
        );
      case 'thinking':
        return void this.push(turn, event, 'thinking', 'thinking', '', this.redactor.clean(event.text));
      case 'compaction':
        return void this.push(turn, event, 'compaction', 'system', '', this.redactor.clean(event.text));
      case 'error':
        return void this.push(turn, event, 'error', 'system', '', this.redactor.clean(event.text));
      case 'injected':
        return void this.push(turn, event, 'meta', 'system', '', this.shortened(event.text));
    }
  }

  private shortened(text: string): string {
    return this.kept(text, INJECTED_KEPT.head, INJECTED_KEPT.tail);
  }

  /** The ends of a text, cleaned before they are cut, so that no part of a secret stays behind. */
  private kept(text: string, head: number, tail: number): string {
    const margin = REDACTION_MARGIN_CHARS;
    if (text.length <= head + tail + 4 * margin) return shortenMiddle(this.redactor.clean(text), head, tail);
    const first = this.redactor.clean(text.slice(0, head + margin)).slice(0, head);
    const last = tail === 0 ? '' : this.redactor.clean(text.slice(-tail - margin)).slice(-tail);
    const left = text.length - first.length - last.length;
    return `${first}\n[… ${left.toLocaleString('en-US')} characters left out …]\n${last}`.trimEnd();
  }

  private addCall(
    turn: OpenTurn,
    event: Place & { id: string | null; name: string; input: JsonObject },
  ): void {
    const input = this.redactor.cleanInput(event.input);
    const files = callFiles(event.name, input);
    turn.facts.call(event.name, input, files);
    const piece = this.push(turn, event, 'dialogue', 'tool_use', '', callText(event.name, input));
    if (!piece) return;
    piece.tool = event.name;
    piece.files = files;
    if (event.id !== null) turn.calls.set(event.id, { piece, name: event.name, input });
  }

  private addResult(
    turn: OpenTurn,
    event: Place & { id: string | null; text: string; isError: boolean },
  ): void {
    const call = event.id === null ? undefined : turn.calls.get(event.id);
    const late = event.id === null ? undefined : this.lateCalls.get(event.id);
    const name = call?.name ?? late ?? 'tool';
    const text = this.resultText(name, event.text, event.isError);
    if (event.id !== null) {
      turn.calls.delete(event.id);
      this.lateCalls.delete(event.id);
    }
    if (call) turn.facts.result(name, call.input, text.full, event.isError);
    if (text.kept === '') return;
    if (!call) {
      const piece = this.push(turn, event, 'dialogue', 'tool_result', `[${name}] → `, text.kept);
      if (piece) piece.tool = name;
      return;
    }
    const { piece } = call;
    piece.parts.push({ speaker: 'tool_result', label: event.isError ? '→ Error: ' : '→ ', text: text.kept });
    piece.lineEnd = Math.max(piece.lineEnd, event.line);
    piece.endTimeMs = greatest([piece.endTimeMs, event.timeMs]);
    this.openChars += text.kept.length;
  }

  /** What is kept of a result, and what the turn's facts may look at: its ends, cleaned. */
  private resultText(tool: string, raw: string, isError: boolean): { kept: string; full: string } {
    const keep = keptOfResult(tool, isError);
    const text = raw.replace(REMINDER, '').replace(TERMINAL_COLOURS, '').trim();
    if (keep === null) return { kept: '', full: this.kept(text, 500, 200) };
    const ends = this.kept(text, keep.head, keep.tail);
    return { kept: tool === 'Read' ? ends.replace(LINE_NUMBERS, '') : ends, full: ends };
  }

  private push(
    turn: OpenTurn,
    place: Place,
    kind: ChunkKind,
    speaker: Speaker,
    label: string,
    text: string,
  ): Piece | null {
    if (text.trim() === '') return null;
    const piece: Piece = {
      kind,
      parts: [{ speaker, label, text }],
      lineStart: place.line,
      lineEnd: place.line,
      startTimeMs: place.timeMs,
      endTimeMs: place.timeMs,
      gitBranch: place.gitBranch,
      files: [],
      tool: null,
    };
    turn.pieces.push(piece);
    this.openChars += text.length;
    return piece;
  }
}
