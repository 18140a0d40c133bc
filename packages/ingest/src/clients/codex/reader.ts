import type { TranscriptFile } from '../../transcripts/describe-transcript.js';
import type { EventSink, Place } from '../events.js';
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
import { Agents, type AgentsState, ownName } from './agents.js';
import { Calls, type CallsState } from './calls.js';
import { agentMessage, answerIn, contentTexts, delegationIn, messageText, userTexts } from './content.js';
import { taskName, unwrapped } from './head.js';
import { importedAnswer, isImportedTurn } from './imports.js';
import { nestedCall } from './nested-calls.js';
import type { PromptForm } from './prompts.js';
import { type ItemPlace, RecordIds } from './record-ids.js';
import { Requests, type RequestsState } from './requests.js';
import { toolOutput } from './tools.js';

/** What the reader itself remembers; its parts remember the rest. */
interface OwnState {
  gitBranch: string | null;
  hasMeta: boolean;
  /** When the thread began: its first versions note no other time. */
  startMs?: number | null | undefined;
  /** This turn was written in the old form, where no event tells of commands. */
  isMadeOver?: boolean | undefined;
  /** This turn was taken over from another agent. */
  isImported?: boolean | undefined;
}

export interface CodexState extends OwnState, RequestsState, AgentsState, CallsState {
  ids: ItemPlace;
}

/** Ids within a thread, of threads that were written in the old form and made over later (`codex migrate-rollouts`). */
const NUMBERED_ITEM = /^item-\d+$/;

/** Where in the file a record stands. */
type At = Pick<Place, 'line' | 'timeMs'>;

/** Reads the records of Codex rollouts, of any version seen, into events. */
export class CodexReader implements TranscriptReader {
  private readonly ids: RecordIds;
  private readonly agents: Agents;
  private readonly requests: Requests;
  private readonly calls: Calls;
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
    const known: CodexState = { ...NEW_THREAD, ...state };
    const { ids, spawns, agents, gitBranch, hasMeta, startMs, isMadeOver, isImported } = known;
    this.ids = new RecordIds(ids);
    this.agents = new Agents((text) => sink.clean(text), { spawns, agents });
    this.requests = new Requests(file, sink, this.agents, known);
    this.calls = new Calls(file, sink, this.agents, known);
    this.now = { gitBranch, hasMeta, startMs, isMadeOver, isImported };
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
      ...this.requests.state(),
      ...this.agents.state(),
      ...this.calls.state(),
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
    this.calls.tellOpenScripts();
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
    this.now = { ...this.now, hasMeta: true, gitBranch, startMs: timeMsOf(meta['timestamp']) };
    this.requests.noteProgram(meta['source'] === 'exec');
    this.sink.session({
      cwd: stringOf(meta['cwd']),
      gitBranch,
      clientVersion: stringOf(meta['cli_version']),
      continuesUuid: stringOf(meta['forked_from_id']),
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
        return this.calls.readCall(item, place);
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
    if (item['role'] === 'user') return this.requests.readMessage(userTexts(item), place);
    this.sink.event({ ...place, type: 'injected', text: messageText(item['content']) });
  }

  private readEvent(event: JsonObject, at: At): void {
    switch (event['type']) {
      case 'task_started':
      case 'turn_started': {
        this.calls.tellOpenScripts();
        this.calls.forgetOpenScripts();
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
        return this.requests.endReview();
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
        return this.requests.endReview();
      case 'SubAgentActivity':
        return this.readActivity(item, at);
      default:
        return this.readNested(item, at);
    }
  }

  private readReview(review: JsonObject, at: At): void {
    this.readCommand(this.requests.beginReview(review), at);
  }

  private readActivity(activity: JsonObject, at: At): void {
    const agent = this.agents.fromActivity(activity);
    if (agent) this.sink.agent(agent, this.placeOf(at, { id: `started ${agent.toolUseId}` }).uuid);
  }

  private readMirrored(text: string, form: PromptForm, mirror: JsonObject, at: At): void {
    if (text === '') return;
    const place = this.placeOf(at, mirror);
    if (!this.isToldElsewhere) this.requests.readMirrored(text, form, place);
  }

  private readCommand(text: string, at: At): void {
    this.requests.tellCommand(text, this.placeWith(at, this.ids.beside(text)));
  }

  private readGoal(event: JsonObject, at: At): void {
    const command = this.requests.noteGoal(event);
    if (command !== null) this.readCommand(command, at);
  }

  private rollBack(prompts: number, place: Place): void {
    this.calls.forgetOpenScripts();
    const fromLine = this.requests.takeBack(prompts);
    if (fromLine !== undefined) this.sink.event({ ...place, type: 'rewind', fromLine });
  }

  private readNested(told: JsonObject, at: At): void {
    const call = nestedCall(told, this.file.cwd);
    if (call)
      this.calls.readNested(call, this.placeOf(at, { id: call.id, type: 'nested', call_id: call.id }));
  }

  private readOutput(item: JsonObject, place: Place): void {
    // What another thread asks for may stand as the output of no call.
    const delegation = stringOf(item['call_id']) === null ? delegationIn(toolOutput(item).text) : null;
    if (delegation !== null) return this.requests.tellDelegation(delegation, place);
    this.calls.readOutput(item, place, this.isNumbered && !this.now.isMadeOver);
  }

  private readAgentMessage(item: JsonObject, place: Place): void {
    const from = agentName(item['author']) ?? 'agent';
    const to = agentName(item['recipient']) ?? ownName(this.file);
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
