import { madeOnce, type TurnDraft } from '@causantic/domain';
import { setBounded } from './bounded-map.js';
import type { Place, TranscriptEvent } from '../clients/events.js';
import type { Forgotten } from './forgotten.js';
import { noteAnswer, OpenTurn, type SharedByTurns } from './open-turn.js';
import type { Redactor } from '../redaction/redaction.js';

/** A turn that grows beyond this is closed and goes on in another: memory stays bounded whatever a file holds. */
const MAX_TURN_CHARS = 4_000_000;

/** Calls remembered for results that arrive after their turn has ended. */
const MAX_LATE_CALLS = 200;

const ALWAYS_OPENS = new Set<TranscriptEvent['type']>(['compaction', 'assignment', 'rewind']);

/** A prompt that replaces an earlier one: a rewind, if the store knows a turn with the same parent. */
export interface OpenedTurn {
  parentUuid: string;
  promptUuid: string;
}

export interface TurnSink {
  turn(turn: TurnDraft): void;
  /** All turns before this line are closed and delivered: a run may start again here. */
  boundary(line: number): void;
  opened(prompt: OpenedTurn): void;
  /** The person took back everything from this line on. */
  rewound(fromLine: number): void;
}

export interface TurnsState {
  turns: number;
  chunks: number;
  lateCalls: [id: string, tool: string][];
  taskSubjects: [string, string][];
  asksForSecret?: boolean;
}

/**
 * Gathers events into turns, one open turn a stream and branch. A prompt in the main stream closes the open turns of all
 * streams: everything before that line is final, which is what makes reading in pieces equal to reading at once.
 */
export class TurnBuilder {
  private turns: number;
  private chunks: number;
  private readonly open = new Map<string, OpenTurn>();
  private readonly shared: SharedByTurns;

  constructor(
    private readonly sink: TurnSink,
    shared: { redactor: Redactor; forgotten: Forgotten },
    state?: TurnsState,
  ) {
    this.turns = state?.turns ?? 0;
    this.chunks = state?.chunks ?? 0;
    this.shared = {
      ...shared,
      lateCalls: new Map(state?.lateCalls),
      taskSubjects: new Map(state?.taskSubjects),
      asksForSecret: state?.asksForSecret ?? false,
    };
  }

  state(): TurnsState {
    return {
      turns: this.turns,
      chunks: this.chunks,
      lateCalls: [...this.shared.lateCalls],
      taskSubjects: [...this.shared.taskSubjects],
      asksForSecret: this.shared.asksForSecret,
    };
  }

  /** Goes on at these places, since turns that were delivered are left out: no place stays empty. */
  goOnAt({ turns, chunks }: Pick<TurnsState, 'turns' | 'chunks'>): void {
    this.turns = turns;
    this.chunks = chunks;
  }

  /**
   * All events of one line; at least one.
   * @param mainKey the agent of the file's main stream
   */
  addLine(events: readonly TranscriptEvent[], mainKey: string | null): void {
    const prompt = events.find((event) => event.agentKey === mainKey && this.opensTurn(event));
    for (const event of events) this.open.get(streamOf(event))?.takeBackInjected(event);
    if (prompt || this.openChars() > MAX_TURN_CHARS) this.startTurns(events[0]!.line, prompt);
    this.addToOpen(events);
  }

  /** Events that begin no turn. */
  addToOpen(events: readonly TranscriptEvent[]): void {
    for (const event of events) if (event.type !== 'rewind') this.turnOf(event).add(event);
  }

  private openChars(): number {
    return [...this.open.values()].reduce((sum, turn) => sum + turn.chars, 0);
  }

  /** A copied record of another session: only its open calls matter here, and what it asks for. */
  addForeign(event: TranscriptEvent): void {
    if (event.type === 'tool-call' && event.id !== null) this.rememberLate(event.id, event.name);
    if (event.type === 'tool-result' && event.id !== null) this.shared.lateCalls.delete(event.id);
    if (event.type === 'answer') noteAnswer(this.shared, event);
  }

  /** Close and deliver what is open. */
  closeAll(): void {
    const turns = [...this.open.values()].sort((a, b) => a.lineStart - b.lineStart);
    this.open.clear();
    for (const turn of turns) this.deliver(turn);
  }

  private opensTurn(event: TranscriptEvent): boolean {
    if (ALWAYS_OPENS.has(event.type)) return true;
    if (event.type !== 'prompt' || event.isAside) return false;
    const turn = this.open.get(streamOf(event));
    // An editor writes one prompt as several records: the open file, an image, the typed text.
    const group = turn?.lastPromptUuid ?? null;
    return group === null || group !== event.parentUuid;
  }

  /** @param event that begins them; without one, those before have become too long */
  private startTurns(line: number, event: TranscriptEvent | undefined): void {
    this.closeAll();
    if (event?.type === 'rewind') this.sink.rewound(event.fromLine);
    if (event?.type === 'prompt') this.openPrompt(event);
    // Behind what it replaces: the next run reads this line again, and finds nothing that it replaces.
    this.sink.boundary(line);
  }

  private openPrompt(prompt: Place): void {
    const turn = this.turnOf(prompt);
    const { uuid, parentUuid } = prompt;
    turn.promptUuid = uuid;
    turn.promptParentUuid = parentUuid;
    if (uuid !== null && parentUuid !== null) this.sink.opened({ parentUuid, promptUuid: uuid });
  }

  private deliver(turn: OpenTurn): void {
    for (const { id, name } of turn.openCalls()) this.rememberLate(id, name);
    const draft = turn.draft(this.turns, this.chunks);
    if (draft.chunks.length === 0) return;
    this.turns++;
    this.chunks += draft.chunks.length;
    this.sink.turn(draft);
  }

  private rememberLate(id: string, name: string): void {
    setBounded(this.shared.lateCalls, id, name, MAX_LATE_CALLS);
  }

  private turnOf(place: Place): OpenTurn {
    return madeOnce(this.open, streamOf(place), () => new OpenTurn(place, this.shared));
  }
}

function streamOf({ agentKey, branch }: Place): string {
  return `${agentKey ?? ''}\n${branch ?? ''}`;
}
