import type { TranscriptFile } from '../../transcripts/describe-transcript.js';
import { type JsonObject, objectOf, stringOf } from '../../transcripts/records.js';
import { type EventSink, type Place, tell } from '../events.js';
import { type Agents, ownName } from './agents.js';
import {
  delegationIn,
  folderInContext,
  guideHash,
  guideIn,
  isPersons,
  isScheduled,
  requestIn,
  userPart,
  type UserText,
  withoutFrame,
} from './content.js';
import { type PromptForm, promptHash, Prompts, type PromptsState } from './prompts.js';
import { textOutput } from './tools.js';

/** What is remembered of what was asked, but for the prompts. */
interface AskedState {
  /** The thread is one of `codex exec`, as scripts use it. */
  byProgram?: boolean | undefined;
  /** The thread's goal, by hash. */
  goal?: string | undefined;
  /** How its `AGENTS.md` begins, by hash. */
  guide: string | null;
  isReviewing?: boolean | undefined;
}

export interface RequestsState extends AskedState, PromptsState {}

/** Tells what was asked for: by a person, and by whoever else speaks in a person's place. */
export class Requests {
  private readonly prompts: Prompts;
  private now: AskedState;

  constructor(
    private readonly file: TranscriptFile,
    private readonly sink: EventSink,
    private readonly agents: Agents,
    { awaited, promptLines, byProgram, goal, guide, isReviewing }: RequestsState,
  ) {
    this.prompts = new Prompts({ awaited, promptLines });
    this.now = { byProgram, goal, guide, isReviewing };
  }

  /** Replaced, never changed. */
  state(): RequestsState {
    return { ...this.now, ...this.prompts.state() };
  }

  noteProgram(byProgram: boolean): void {
    this.now = { ...this.now, byProgram };
  }

  /** A user's message, as an item. */
  readMessage(given: readonly UserText[], place: Place): void {
    // An image that the model asked to see; one that a person sends alone stands in an event, too.
    if (given.length > 0 && given.every((one) => one.text === '[image]' && !isPersons(one)))
      return this.sink.event({ ...place, type: 'injected', text: given.map(({ text }) => text).join('\n') });
    const typed: string[] = [];
    for (const one of given) {
      const part = userPart(one);
      if (part.type === 'typed') typed.push(part.text);
      else if (part.type === 'command') this.readShellCommand(part, place);
      else if (part.type === 'delegation') this.tellDelegation(part.text, place);
      else if (part.type === 'report') {
        const from = this.agents.nameOf(part.agentId);
        this.sink.event({ ...place, type: 'message', from, to: ownName(this.file), text: part.text });
      } else if (!this.prompts.isMetAgain(part.text, 'item')) {
        this.now = { ...this.now, guide: guideIn(part.text) ?? this.now.guide };
        this.sink.session({ cwd: folderInContext(part.text) });
        this.sink.event({ ...place, type: 'injected', text: part.text });
      }
    }
    // Some editors put the guide before a request once more.
    const isGuide = typed.length > 1 && this.now.guide !== null && guideHash(typed[0]!) === this.now.guide;
    if (typed.length > 0) this.readPrompt(typed.join('\n'), 'item', place, isGuide ? typed[0] : '');
  }

  /** A message of the user's that stands as an item, too. */
  readMirrored(text: string, form: PromptForm, place: Place): void {
    // What Codex asks the agent that reviews; a person's text would stand as an item, too.
    if (this.now.isReviewing) return;
    if (!isScheduled(text) && delegationIn(text) === null) this.readPrompt(text, form, place);
  }

  private readShellCommand(part: { text: string; output: string }, place: Place): void {
    this.readPrompt(part.text, 'item', place);
    tell(this.sink, place, 'output', textOutput(part.output).text);
  }

  tellDelegation(text: string, place: Place): void {
    this.sink.event({ ...place, type: 'message', from: 'another thread', to: ownName(this.file), text });
  }

  /** @param guide what stands before what was typed */
  private readPrompt(framed: string, form: PromptForm, place: Place, guide = ''): void {
    const text = withoutFrame(framed);
    if (!this.prompts.note(text, form, place.line)) return;
    const { context: beside, request } = requestIn(guide === '' ? text : text.slice(guide.length).trim());
    const context = [guide, beside].filter(Boolean).join('\n\n');
    if (context !== '') this.sink.event({ ...place, type: 'prompt', text: context, injected: true });
    // Whoever decides on approvals in the person's place is given the whole session again, piece by piece.
    const isRetold = this.file.agentName === 'guardian';
    const type = place.agentKey === null ? 'prompt' : isRetold ? 'injected' : 'assignment';
    const sender = type === 'prompt' ? this.sender() : {};
    // In tags, its item was taken for the client's.
    const mayStandAbove = form !== 'item' && request.trimStart().startsWith('<');
    if (request !== '') this.sink.event({ ...place, type, text: request, mayStandAbove, ...sender });
  }

  private sender(): { byProgram?: boolean } {
    return this.now.byProgram ? { byProgram: true } : {};
  }

  /** A command that is told by what it does alone; a rollback does not count it. */
  tellCommand(text: string, place: Place): void {
    this.sink.event({ ...place, type: 'prompt', text, ...this.sender() });
  }

  /** A review begins. @returns the command that asked for it */
  beginReview(review: JsonObject): string {
    const asked = objectOf(review['target'])['instructions'] ?? review['user_facing_hint'];
    this.now = { ...this.now, isReviewing: true };
    return `/review ${stringOf(asked) ?? ''}`.trim();
  }

  endReview(): void {
    this.now = { ...this.now, isReviewing: false };
  }

  /**
   * A goal that a person sets stands in no message; it is told again whenever its use or state changes.
   * @returns the command that set it, where it is new and a person's
   */
  noteGoal(event: JsonObject): string | null {
    const objective = stringOf(objectOf(event['goal'])['objective']);
    if (objective === null || this.now.goal === promptHash(objective)) return null;
    this.now = { ...this.now, goal: promptHash(objective) };
    // Within a turn it is the agent that sets it, by a call.
    return stringOf(event['turnId'] ?? event['turn_id']) === null ? `/goal ${objective}` : null;
  }

  /** The person took back the latest prompts, with all that followed each. @returns the line of the first of them, if any */
  takeBack(count: number): number | undefined {
    return this.prompts.takeBack(count);
  }
}
