import type { TranscriptFile } from '../../transcripts/describe-transcript.js';
import { type EventSink, type Place, tell } from '../events.js';
import {
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  stringOf,
  timeMsOf,
} from '../../transcripts/records.js';
import { recordId } from '../../text/text-hash.js';
import type { TranscriptReader } from '../transcript-reader.js';
import { Agents, type AgentsState } from './agents.js';
import {
  agentMessage,
  answerIn,
  contentTexts,
  folderInContext,
  isScheduled,
  delegationIn,
  guideHash,
  guideIn,
  messageText,
  requestIn,
  type UserText,
  isPersons,
  userPart,
  userTexts,
  withoutFrame,
} from './content.js';
import { taskName, unwrapped } from './head.js';
import { importedAnswer, isImportedTurn } from './imports.js';
import { nestedCall } from './nested-calls.js';
import { Processes, type ProcessesState } from './processes.js';
import { type PromptForm, promptHash, Prompts, type PromptsState } from './prompts.js';
import { type ItemPlace, RecordIds } from './record-ids.js';
import { Scripts, type ScriptsState } from './scripts.js';
import { runningProcess, textOutput, toolCall, toolOutput } from './tools.js';

/** What the reader itself remembers; its parts remember the rest. */
interface OwnState {
  gitBranch: string | null;
  hasMeta: boolean;
  /** The thread is one of `codex exec`, as scripts use it. */
  byProgram?: boolean;
  /** When the thread began: its first versions note no other time. */
  startMs?: number | null;
  /** The thread's goal, by hash. */
  goal?: string;
  /** How its `AGENTS.md` begins, by hash. */
  guide: string | null;
  isReviewing?: boolean;
  /** This turn was written in the old form, where no event tells of commands. */
  isMadeOver?: boolean;
  /** This turn was taken over from another agent. */
  isImported?: boolean;
}

export interface CodexState extends OwnState, PromptsState, AgentsState, ScriptsState, ProcessesState {
  ids: ItemPlace;
}

/** Ids within a thread, of threads that were written in the old form and made over later (`codex migrate-rollouts`). */
const NUMBERED_ITEM = /^item-\d+$/;

/** Where in the file a record stands. */
type At = Pick<Place, 'line' | 'timeMs'>;

/** Reads the records of Codex rollouts, of any version seen, into events. */
export class CodexReader implements TranscriptReader {
  private readonly ids: RecordIds;
  private readonly prompts: Prompts;
  private readonly agents: Agents;
  private readonly scripts: Scripts;
  private readonly processes: Processes;
  private now: OwnState;
  /** As it was before the latest record. */
  private before: CodexState;
  /** Of the latest record: one that is numbered (since August 2026) has an id of its own, which copies keep. */
  private isNumbered = false;

  constructor(
    private readonly file: TranscriptFile,
    private readonly sink: EventSink,
    state?: CodexState,
  ) {
    const { ids, awaited, promptLines, spawns, agents, scripts, told, commands, processes, ...own } = {
      ...NEW_THREAD,
      ...state,
    };
    this.ids = new RecordIds(ids);
    this.prompts = new Prompts({ awaited, promptLines });
    this.agents = new Agents((text) => sink.clean(text), { spawns, agents });
    this.scripts = new Scripts(sink, { scripts, told });
    this.processes = new Processes((text) => sink.clean(text), { commands, processes });
    this.now = own;
    this.before = this.current();
  }

  state(): CodexState {
    return this.before;
  }

  /** All of it is replaced, never changed, so that what `before` holds stays as it was. */
  private current(): CodexState {
    return {
      ...this.now,
      ids: this.ids.state(),
      ...this.prompts.state(),
      ...this.agents.state(),
      ...this.scripts.state(),
      ...this.processes.state(),
    };
  }

  read(record: JsonObject, line: number): void {
    this.before = this.current();
    this.isNumbered = record['ordinal'] !== undefined;
    const { type, payload } = unwrapped(record);
    const at = { line, timeMs: timeMsOf(record['timestamp']) ?? this.now.startMs ?? null };
    if (type === 'response_item' && isByClient(objectOf(record['metadata'])))
      return this.readByClient(payload, this.placeOf(at, payload));
    switch (type) {
      case 'session_meta':
        return this.readMeta(payload);
      case 'turn_context':
        this.ids.enter(stringOf(payload['turn_id']));
        return this.sink.session({ cwd: stringOf(payload['cwd']) });
      case 'response_item':
        return this.readItem(payload, this.placeOf(at, payload));
      case 'inter_agent_communication':
        return this.readAgentMessage(payload, this.placeOf(at, payload));
      case 'event_msg':
        return this.readEvent(payload, at);
      case 'compacted':
        return this.sink.event({
          ...this.placeOf(at, payload),
          type: 'compaction',
          text: stringOf(payload['message']) ?? '',
        });
    }
  }

  end(): void {
    this.scripts.tellOpen();
  }

  /** Of an item that no person and no model asked for. */
  private readByClient(item: JsonObject, place: Place): void {
    this.sink.event({ ...place, type: 'injected', text: toolOutput(item).text });
  }

  /** Counts what it is asked for: a copy of it, at the same place, gets the same id. */
  private placeOf(at: At, payload: JsonObject): Place {
    const id = this.isNumbered ? stringOf(payload['id']) : null;
    const counted = this.ids.next(idText(payload));
    // Of an item that has an id, it is the same in a copy.
    return this.placeWith(at, id === null || NUMBERED_ITEM.test(id) ? counted : recordId(id));
  }

  private placeWith(at: At, uuid: string): Place {
    const { gitBranch } = this.now;
    return { ...at, gitBranch, uuid, parentUuid: null, agentKey: this.file.agentKey };
  }

  private readMeta(meta: JsonObject): void {
    this.ids.enter(stringOf(meta['id']));
    if (this.now.hasMeta) return;
    const gitBranch = this.sink.clean(stringOf(objectOf(meta['git'])['branch']) ?? '') || null;
    const byProgram = meta['source'] === 'exec';
    this.now = { ...this.now, hasMeta: true, byProgram, gitBranch, startMs: timeMsOf(meta['timestamp']) };
    this.sink.session({
      cwd: stringOf(meta['cwd']),
      gitBranch,
      clientVersion: stringOf(meta['cli_version']),
      continuesUuid: this.isNumbered ? stringOf(meta['forked_from_id']) : null,
    });
  }

  private readItem(item: JsonObject, place: Place): void {
    // Noted all the same: a fork's copy of it has the same id.
    if (this.isToldElsewhere) return this.sink.event({ ...place, type: 'injected', text: '' });
    switch (item['type']) {
      case 'message':
        return this.readMessage(item, place);
      case 'agent_message':
        return this.readAgentMessage(item, place);
      case 'reasoning':
        return this.sink.event({ ...place, type: 'thinking', text: reasoningText(item) });
      case 'function_call_output':
      case 'custom_tool_call_output':
      case 'tool_search_output':
        return this.readOutput(item, place);
      default:
        return this.readCall(item, place);
    }
  }

  private get isToldElsewhere(): boolean {
    return this.file.hasOriginal === true && this.now.isImported === true;
  }

  private readImportedAnswer(text: string, place: Place): void {
    const { said, added } = importedAnswer(text);
    this.sink.event({ ...place, type: 'answer', text: said });
    this.sink.event({ ...place, type: 'injected', text: added });
  }

  private readMessage(item: JsonObject, place: Place): void {
    if (item['role'] === 'assistant') {
      const text = messageText(item['content']);
      if (this.now.isImported) return this.readImportedAnswer(text, place);
      const { said, forApp } = answerIn(text);
      this.sink.event({ ...place, type: 'answer', text: said });
      return this.sink.event({ ...place, type: 'injected', text: forApp });
    }
    if (item['role'] === 'user') return this.readUserMessage(userTexts(item), place);
    this.sink.event({ ...place, type: 'injected', text: messageText(item['content']) });
  }

  private readUserMessage(given: readonly UserText[], place: Place): void {
    // An image that the model asked to see; one that a person sends alone stands in an event, too.
    if (given.length > 0 && given.every((one) => one.text === '[image]' && !isPersons(one)))
      return this.sink.event({ ...place, type: 'injected', text: given.map(({ text }) => text).join('\n') });
    const typed: string[] = [];
    for (const one of given) {
      const part = userPart(one);
      if (part.type === 'typed') typed.push(part.text);
      else if (part.type === 'command') this.readShellCommand(part, place);
      else if (part.type === 'delegation') this.readDelegation(part.text, place);
      else if (part.type === 'report') {
        const from = this.agents.nameOf(part.agentId);
        this.sink.event({ ...place, type: 'message', from, to: this.ownName(), text: part.text });
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

  private readShellCommand(part: { text: string; output: string }, place: Place): void {
    this.readPrompt(part.text, 'item', place);
    tell(this.sink, place, 'output', textOutput(part.output).text);
  }

  private readDelegation(text: string, place: Place): void {
    this.sink.event({ ...place, type: 'message', from: 'another thread', to: this.ownName(), text });
  }

  private ownName(): string {
    return this.file.agentName ?? this.file.agentKey ?? 'main';
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

  private readEvent(event: JsonObject, at: At): void {
    switch (event['type']) {
      case 'task_started':
      case 'turn_started': {
        this.scripts.tellOpen();
        this.scripts.forgetOpen();
        const turn = stringOf(event['turn_id']);
        this.now = { ...this.now, isImported: isImportedTurn(turn) };
        return this.ids.enter(turn);
      }
      case 'user_message': {
        // Some versions mirror what they put in themselves as well.
        if ((stringOf(event['kind']) ?? 'plain') !== 'plain') return;
        const images = [...listOf(event['images']), ...listOf(event['local_images'])].map(() => '[image]');
        const text = [...images, stringOf(event['message'])].filter(Boolean).join('\n');
        return this.readMirrored(text, 'event', event, at);
      }
      case 'item_completed':
        return this.readCompleted(objectOf(event['item']), at);
      case 'exec_command_end':
      case 'patch_apply_end':
      case 'mcp_tool_call_end':
        return this.readNested(event, at);
      case 'entered_review_mode':
        return this.readReview(event, at);
      case 'exited_review_mode':
        return this.endReview();
      case 'thread_goal_updated':
        return this.readGoal(event, at);
      case 'error':
      case 'stream_error':
        return this.readError(event, at);
      case 'task_complete':
        return this.endTurn(event, at);
      case 'thread_rolled_back':
        return this.rollBack(Number(event['num_turns'] ?? 0), this.placeOf(at, event));
    }
  }

  /** Of a numbered turn the error stands at its end alone. */
  private endTurn({ error }: JsonObject, at: At): void {
    if (this.isNumbered && isObject(error)) this.readError(error, at);
  }

  private readError(error: JsonObject, at: At): void {
    const text = stringOf(error['message']) ?? '';
    this.sink.event({ ...this.placeOf(at, error), type: 'error', text });
  }

  private readCompleted(item: JsonObject, at: At): void {
    switch (item['type']) {
      case 'UserMessage':
        this.now = { ...this.now, isMadeOver: NUMBERED_ITEM.test(stringOf(item['id']) ?? '') };
        return this.readMirrored(messageText(item['content']), 'completed', item, at);
      case 'EnteredReviewMode':
        return this.readReview(item, at);
      case 'ExitedReviewMode':
        return this.endReview();
      case 'SubAgentActivity':
        return this.readActivity(item, at);
      default:
        return this.readNested(item, at);
    }
  }

  private readReview(review: JsonObject, at: At): void {
    const asked = objectOf(review['target'])['instructions'] ?? review['user_facing_hint'];
    this.readCommand(`/review ${stringOf(asked) ?? ''}`.trim(), at);
    this.now = { ...this.now, isReviewing: true };
  }

  private endReview(): void {
    this.now = { ...this.now, isReviewing: false };
  }

  private readActivity(activity: JsonObject, at: At): void {
    const agent = this.agents.fromActivity(activity);
    if (agent) this.sink.agent(agent, this.placeOf(at, { id: `started ${agent.toolUseId}` }).uuid);
  }

  private readMirrored(text: string, form: PromptForm, mirror: JsonObject, at: At): void {
    if (text === '') return;
    const place = this.placeOf(at, mirror);
    // What Codex asks the agent that reviews; a person's text would stand as an item, too.
    if (this.now.isReviewing) return;
    if (isScheduled(text) || delegationIn(text) !== null || this.isToldElsewhere) return;
    this.readPrompt(text, form, place);
  }

  /** A command that is told by what it does alone; a rollback does not count it. */
  private readCommand(text: string, at: At): void {
    const place = this.placeWith(at, this.ids.beside(text));
    this.sink.event({ ...place, type: 'prompt', text, ...this.sender() });
  }

  private sender(): { byProgram?: boolean } {
    return this.now.byProgram ? { byProgram: true } : {};
  }

  /** A goal that a person sets stands in no message; it is told again whenever its use or state changes. */
  private readGoal(event: JsonObject, at: At): void {
    const objective = stringOf(objectOf(event['goal'])['objective']);
    if (objective === null || this.now.goal === promptHash(objective)) return;
    this.now = { ...this.now, goal: promptHash(objective) };
    // Within a turn it is the agent that sets it, by a call.
    if (stringOf(event['turnId'] ?? event['turn_id']) === null) this.readCommand(`/goal ${objective}`, at);
  }

  /** The person took back the latest prompts, with all that followed each. */
  private rollBack(prompts: number, place: Place): void {
    this.scripts.forgetOpen();
    const fromLine = this.prompts.takeBack(prompts);
    if (fromLine !== undefined) this.sink.event({ ...place, type: 'rewind', fromLine });
  }

  private readNested(told: JsonObject, at: At): void {
    const call = nestedCall(told, this.file.cwd);
    if (call)
      this.scripts.tellCall(call, this.placeOf(at, { id: call.id, type: 'nested', call_id: call.id }));
  }

  private readCall(item: JsonObject, place: Place): void {
    // Noted all the same: a fork's copy of it has the same id.
    if (this.scripts.holdBack(item, place)) return this.sink.event({ ...place, type: 'injected', text: '' });
    const called = toolCall(item, this.file.cwd);
    if (!called) return;
    const call = this.processes.named(called);
    const id = stringOf(item['call_id']);
    if (id !== null) {
      this.agents.noteCall(id, call);
      this.processes.noteCall(id, call);
    }
    this.sink.event({ ...place, type: 'tool-call', id, ...call });
  }

  private readOutput(item: JsonObject, place: Place): void {
    const areCommandsTold = this.isNumbered && !this.now.isMadeOver;
    if (this.scripts.tellOutput(item, place, areCommandsTold)) return;
    const id = stringOf(item['call_id']);
    const process = runningProcess(item);
    if (id !== null) this.processes.noteOutput(id, process);
    const output = toolOutput(item);
    const delegation = id === null ? delegationIn(output.text) : null;
    if (delegation !== null) return this.readDelegation(delegation, place);
    const agent = id === null ? null : this.agents.fromResult(id, output.text);
    if (agent) this.sink.agent(agent, place.uuid);
    this.sink.event({ ...place, type: 'tool-result', id, ...output, ...(process && { isRunning: true }) });
  }

  private readAgentMessage(item: JsonObject, place: Place): void {
    const from = agentName(item['author']) ?? 'agent';
    const to = agentName(item['recipient']) ?? this.ownName();
    const { isTask, text } = agentMessage(item);
    if (isTask && place.agentKey !== null) return this.sink.event({ ...place, type: 'assignment', text });
    this.sink.event({ ...place, type: 'message', from, to, text });
  }
}

const NEW_THREAD: CodexState = {
  ids: { scope: '', count: 0 },
  gitBranch: null,
  hasMeta: false,
  guide: null,
  awaited: [],
  promptLines: [],
  spawns: [],
  agents: [],
  scripts: [],
  told: [],
  commands: [],
  processes: [],
};

/** What an agent is called, of whom a path is told. */
function agentName(path: unknown): string | null {
  return path === '/root' ? 'main' : taskName(stringOf(path));
}

/** A summary, which a record of its own holds, too, or what goes with a request as if a tool had given it. */
function isByClient(metadata: JsonObject): boolean {
  return metadata['compaction_output'] === true || metadata['additional_context_tool_output'] === true;
}

/** What tells an item from any other at its place; the same in a copy. */
function idText(payload: JsonObject): string {
  const text =
    stringOf(payload['call_id']) ?? (messageText(payload['content']) || stringOf(payload['message']));
  return `${String(payload['type'])} ${text ?? ''}`;
}

function reasoningText(item: JsonObject): string {
  const texts = [...contentTexts(item['summary']), ...contentTexts(item['content'])];
  return texts.join('\n\n');
}
