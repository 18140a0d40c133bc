import type { EventSink, Place } from '../events.js';
import { withoutExitCode } from '../exit-code.js';
import { isObject, type JsonObject, listOf, objectOf, stringOf, timeMsOf } from '../records.js';
import { textHash } from '../text-hash.js';
import type { TranscriptPlace, TranscriptReader } from '../transcript-reader.js';
import {
  agentMessage,
  contentTexts,
  folderInContext,
  isScheduled,
  jsonIn,
  messageText,
  requestIn,
  userPart,
  withoutFrame,
} from './content.js';
import { taskName, unwrapped } from './head.js';
import { importedAnswer, isImportedTurn } from './imports.js';
import { type ItemPlace, RecordIds } from './record-ids.js';
import {
  commandsIn,
  nestedCall,
  type NestedCall,
  notTold,
  type OpenScript,
  type ScriptOutput,
  outputHash,
  scriptOutput,
  scriptText,
} from './scripts.js';
import { toolCall, toolOutput } from './tools.js';

export interface CodexState {
  ids: ItemPlace;
  gitBranch: string | null;
  hasMeta: boolean;
  /** Forms in which prompts, by hash, may be written once more. */
  awaited: { form: PromptForm; hash: string }[];
  /** Lines of the prompts so far, the latest last: a rollback names how many of them it takes back. */
  promptLines: number[];
  /** Calls that start an agent, by id, until their result names it. */
  spawns: [callId: string, role: string | null][];
  agents: [id: string, name: string][];
  scripts: OpenScript[];
  /** What calls of scripts gave, by hash: most scripts do nothing but show it. */
  told: string[];
  /** The thread's goal, by hash. */
  goal?: string;
  isReviewing?: boolean;
  /** This turn was written in the old form, where no event tells of commands. */
  isMadeOver?: boolean;
  /** This turn was taken over from another agent. */
  isImported?: boolean;
}

/** Ids within a thread, of threads that were written in the old form and made over later (`codex migrate-rollouts`). */
const NUMBERED_ITEM = /^item-\d+$/;

const PROMPT_FORMS = ['item', 'event', 'completed'] as const;
type PromptForm = (typeof PROMPT_FORMS)[number];

/** Bounds of what is remembered between records, and stored with the checkpoint. */
const MAX_AWAITED = 40;
const MAX_PROMPTS = 1_000;
const MAX_AGENTS = 100;
const MAX_SCRIPTS = 20;
const MAX_TOLD = 200;

/** Reads the records of Codex rollouts, of any version seen, into events. */
export class CodexReader implements TranscriptReader {
  private readonly ids: RecordIds;
  private now: Omit<CodexState, 'ids'>;
  /** As it was before the latest record. */
  private before: CodexState;
  /** Of the latest record: one that is numbered (since August 2026) has an id of its own, which copies keep. */
  private isNumbered = false;

  constructor(
    private readonly place: TranscriptPlace,
    private readonly sink: EventSink,
    state?: CodexState,
  ) {
    const { ids, ...rest } = { ...NEW_THREAD, ...state };
    this.ids = new RecordIds(ids);
    this.now = rest;
    this.before = this.current();
  }

  get mainAgentKey(): string | null {
    return this.place.agentKey;
  }

  state(): CodexState {
    return this.before;
  }

  /** All of it is replaced, never changed, so that what `before` holds stays as it was. */
  private current(): CodexState {
    return { ...this.now, ids: this.ids.state() };
  }

  read(record: JsonObject, line: number): void {
    this.before = this.current();
    this.isNumbered = record['ordinal'] !== undefined;
    const { type, payload } = unwrapped(record);
    const timeMs = timeMsOf(record['timestamp']);
    if (type === 'response_item' && isByClient(objectOf(record['metadata'])))
      return this.readByClient(payload, this.placeOf(line, timeMs, payload));
    switch (type) {
      case 'session_meta':
        return this.readMeta(payload);
      case 'turn_context':
        this.ids.enter(stringOf(payload['turn_id']));
        return this.readFolder(stringOf(payload['cwd']));
      case 'response_item':
        return this.readItem(payload, this.placeOf(line, timeMs, payload));
      case 'inter_agent_communication':
        return this.readAgentMessage(payload, this.placeOf(line, timeMs, payload));
      case 'event_msg':
        return this.readEvent(payload, { line, timeMs });
      case 'compacted':
        return this.sink.event({
          ...this.placeOf(line, timeMs, payload),
          type: 'compaction',
          text: stringOf(payload['message']) ?? '',
        });
    }
  }

  /** Of an item that no person and no model asked for. */
  private readByClient(item: JsonObject, place: Place): void {
    const text = item['type'] === 'message' ? '' : toolOutput(item).text;
    this.sink.event({ ...place, type: 'injected', text });
  }

  private placeOf(line: number, timeMs: number | null, payload: JsonObject): Place {
    const id = this.isNumbered ? stringOf(payload['id']) : null;
    const counted = this.ids.next(idText(payload));
    return {
      line,
      timeMs,
      gitBranch: this.now.gitBranch,
      uuid: id === null || NUMBERED_ITEM.test(id) ? counted : this.ids.of(id),
      parentUuid: null,
      agentKey: this.place.agentKey,
    };
  }

  private readMeta(meta: JsonObject): void {
    this.ids.enter(stringOf(meta['id']));
    if (this.now.hasMeta) return;
    const gitBranch = stringOf(objectOf(meta['git'])['branch']);
    const clientVersion = stringOf(meta['cli_version']);
    const continuesUuid = this.isNumbered ? stringOf(meta['forked_from_id']) : null;
    this.now = { ...this.now, hasMeta: true, gitBranch };
    this.readFolder(stringOf(meta['cwd']));
    this.sink.session({
      ...(gitBranch !== null && { gitBranch }),
      ...(clientVersion !== null && { clientVersion }),
      ...(continuesUuid !== null && { continuesUuid }),
    });
    if (this.place.agentKey !== null) this.showSelf(this.place.agentKey);
  }

  private readFolder(cwd: string | null): void {
    if (cwd !== null) this.sink.session({ cwd });
  }

  /** The sub-agent whose own file this is. */
  private showSelf(key: string): void {
    const { agentName, agentDescription } = this.place;
    this.sink.agent(
      {
        key,
        kind: 'subagent',
        name: agentName ?? key,
        description: agentDescription,
        toolUseId: null,
        teamName: null,
      },
      null,
    );
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
    return this.place.hasOriginal && this.now.isImported === true;
  }

  private readImportedAnswer(text: string, place: Place): void {
    const { said, added } = importedAnswer(text);
    if (said !== '') this.sink.event({ ...place, type: 'answer', text: said, messageId: null });
    if (added !== '') this.sink.event({ ...place, type: 'injected', text: added });
  }

  private readMessage(item: JsonObject, place: Place): void {
    if (item['role'] === 'assistant') {
      const text = messageText(item['content']);
      if (this.now.isImported) return this.readImportedAnswer(text, place);
      return this.sink.event({ ...place, type: 'answer', text, messageId: stringOf(item['id']) });
    }
    if (item['role'] === 'user') {
      const texts = contentTexts(item['content']);
      return isTyped(item)
        ? this.readPrompt(texts.join('\n'), 'item', place)
        : this.readUserMessage(texts, place);
    }
    this.sink.event({ ...place, type: 'injected', text: messageText(item['content']) });
  }

  private readUserMessage(texts: readonly string[], place: Place): void {
    // An image that the model asked to see; one that a person sends alone stands in an event, too.
    if (texts.length > 0 && texts.every((text) => text === '[image]'))
      return this.sink.event({ ...place, type: 'injected', text: texts.join('\n') });
    const typed: string[] = [];
    for (const text of texts) {
      const part = userPart(text);
      if (part.type === 'typed') typed.push(part.text);
      else if (part.type === 'command') this.readShellCommand(part, place);
      else if (part.type === 'report') {
        const from = this.now.agents.find(([id]) => id === part.agentId)?.[1] ?? part.agentId;
        this.sink.event({ ...place, type: 'message', from, to: this.ownName(), text: part.text });
      } else {
        this.readFolder(folderInContext(part.text));
        this.sink.event({ ...place, type: 'injected', text: part.text });
      }
    }
    if (typed.length > 0) this.readPrompt(typed.join('\n'), 'item', place);
  }

  private readShellCommand(part: { text: string; output: string }, place: Place): void {
    this.readPrompt(part.text, 'item', place);
    this.sink.event({ ...place, type: 'injected', text: part.output });
  }

  private ownName(): string {
    return this.place.agentName ?? this.place.agentKey ?? 'main';
  }

  /** A prompt is written as an item, as an event and, of late, as an item that was completed, in any order; some only once. */
  private readPrompt(framed: string, form: PromptForm, place: Place): void {
    const text = withoutFrame(framed);
    const hash = hashOf(text);
    const { awaited, promptLines } = this.now;
    const known = awaited.findIndex((other) => other.hash === hash && other.form === form);
    if (known !== -1) {
      this.now = { ...this.now, awaited: awaited.toSpliced(known, 1) };
      return;
    }
    const others = PROMPT_FORMS.filter((other) => other !== form).map((other) => ({ form: other, hash }));
    this.now = {
      ...this.now,
      awaited: [...awaited, ...others].slice(-MAX_AWAITED),
      promptLines: [...promptLines, place.line].slice(-MAX_PROMPTS),
    };
    const { context, request } = requestIn(text);
    if (context !== '') this.sink.event({ ...place, type: 'prompt', text: context, injected: true });
    // Whoever decides on approvals in the person's place is given the whole session again, piece by piece.
    const isRetold = this.place.agentName === 'guardian';
    const type = place.agentKey === null ? 'prompt' : isRetold ? 'injected' : 'assignment';
    this.sink.event({ ...place, type, text: request });
  }

  private readEvent(event: JsonObject, at: { line: number; timeMs: number | null }): void {
    switch (event['type']) {
      case 'task_started':
      case 'turn_started': {
        const turn = stringOf(event['turn_id']);
        this.now = { ...this.now, isImported: isImportedTurn(turn) };
        return this.ids.enter(turn);
      }
      case 'user_message': {
        // Some versions mirror what they put in themselves as well.
        if ((stringOf(event['kind']) ?? 'plain') !== 'plain') return;
        const images = [...listOf(event['images']), ...listOf(event['local_images'])].map(() => '[image]');
        const text = [...images, stringOf(event['message']) ?? ''].filter(Boolean).join('\n');
        return this.readMirrored(text, 'event', event, at);
      }
      case 'item_completed':
        return this.readCompleted(objectOf(event['item']), at);
      case 'exec_command_end':
      case 'patch_apply_end':
      case 'mcp_tool_call_end':
        return this.readNested(nestedCall(event), at);
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
        return this.rollBack(Number(event['num_turns'] ?? 0), this.placeOf(at.line, at.timeMs, event));
    }
  }

  /** Of a numbered turn the error stands at its end alone. */
  private endTurn({ error }: JsonObject, at: { line: number; timeMs: number | null }): void {
    if (this.isNumbered && isObject(error)) this.readError(error, at);
  }

  private readError(error: JsonObject, at: { line: number; timeMs: number | null }): void {
    const text = stringOf(error['message']) ?? '';
    this.sink.event({ ...this.placeOf(at.line, at.timeMs, error), type: 'error', text });
  }

  private readCompleted(item: JsonObject, at: { line: number; timeMs: number | null }): void {
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
        return this.readNested(nestedCall(item), at);
    }
  }

  private readReview(review: JsonObject, at: { line: number; timeMs: number | null }): void {
    const asked = objectOf(review['target'])['instructions'] ?? review['user_facing_hint'];
    this.readCommand(`/review ${stringOf(asked) ?? ''}`.trim(), at);
    this.now = { ...this.now, isReviewing: true };
  }

  private endReview(): void {
    this.now = { ...this.now, isReviewing: false };
  }

  /** Since 2026, what became of an agent names it; the result of the call that starts it names its task alone. */
  private readActivity(activity: JsonObject, at: { line: number; timeMs: number | null }): void {
    const callId = stringOf(activity['id']);
    const key = stringOf(activity['agent_thread_id']);
    if (activity['kind'] !== 'started' || callId === null || key === null) return;
    const name = taskName(stringOf(activity['agent_path'])) ?? key;
    const place = this.placeOf(at.line, at.timeMs, { id: `started ${callId}` });
    this.meetAgent({ key, name, description: null, callId }, place);
  }

  private meetAgent(
    {
      key,
      name,
      description,
      callId,
    }: Record<'key' | 'name' | 'callId', string> & { description: string | null },
    place: Place,
  ): void {
    this.now = {
      ...this.now,
      spawns: this.now.spawns.filter(([id]) => id !== callId),
      agents: [...this.now.agents, [key, name] as [string, string]].slice(-MAX_AGENTS),
    };
    this.sink.agent(
      { key, kind: 'subagent', name, description, toolUseId: callId, teamName: null },
      place.uuid,
    );
  }

  private readMirrored(
    text: string,
    form: PromptForm,
    mirror: JsonObject,
    at: { line: number; timeMs: number | null },
  ): void {
    if (text === '') return;
    const place = this.placeOf(at.line, at.timeMs, mirror);
    // What Codex asks the agent that reviews; a person's text would stand as an item, too.
    if (this.now.isReviewing) return;
    if (!isScheduled(text) && !this.isToldElsewhere) this.readPrompt(text, form, place);
  }

  /** A command that is told by what it does alone; a rollback does not count it. */
  private readCommand(text: string, { line, timeMs }: { line: number; timeMs: number | null }): void {
    const { gitBranch } = this.now;
    const { agentKey } = this.place;
    const uuid = this.ids.beside(text);
    this.sink.event({ line, timeMs, gitBranch, uuid, parentUuid: null, agentKey, type: 'prompt', text });
  }

  /** A goal that a person sets stands in no message; it is told again whenever its use or state changes. */
  private readGoal(event: JsonObject, at: { line: number; timeMs: number | null }): void {
    const objective = stringOf(objectOf(event['goal'])['objective']);
    if (objective === null || this.now.goal === hashOf(objective)) return;
    this.now = { ...this.now, goal: hashOf(objective) };
    // Within a turn it is the agent that sets it, by a call.
    if (stringOf(event['turnId'] ?? event['turn_id']) === null) this.readCommand(`/goal ${objective}`, at);
  }

  /** The person took back the latest prompts, with all that followed each; all there are, where it is more. */
  private rollBack(prompts: number, place: Place): void {
    const { promptLines } = this.now;
    const fromLine = prompts > 0 ? promptLines.at(-Math.min(prompts, promptLines.length)) : undefined;
    if (fromLine === undefined) return;
    this.now = { ...this.now, promptLines: promptLines.slice(0, -prompts) };
    this.sink.event({ ...place, type: 'rewind', fromLine });
  }

  /** A call that a script made, with what came of it. */
  private readNested(nested: NestedCall | null, at: { line: number; timeMs: number | null }): void {
    if (nested === null) return;
    const { id, call, output } = nested;
    const place = this.placeOf(at.line, at.timeMs, { id, type: 'nested', call_id: id });
    this.sink.event({ ...place, type: 'tool-call', id, ...call });
    this.sink.event({ ...place, type: 'tool-result', id, ...output });
    const { scripts, told } = this.now;
    this.now = {
      ...this.now,
      scripts: scripts.map((script) => ({ ...script, isTold: true })),
      told: [...told, outputHash(withoutExitCode(output.text))].slice(-MAX_TOLD),
    };
  }

  /** A script is told with its output: what its calls did has been told by then, and mostly is all there is. */
  private openScript(text: string, item: JsonObject): void {
    const callId = stringOf(item['call_id']);
    if (callId === null) return;
    const name = String(item['name']);
    const script = { callId, name, text: this.sink.clean(text), isTold: name === 'wait' };
    this.now = { ...this.now, scripts: [...this.now.scripts, script].slice(-MAX_SCRIPTS) };
  }

  private readScriptOutput(script: OpenScript, { texts, isError }: ScriptOutput, place: Place): void {
    this.now = { ...this.now, scripts: this.now.scripts.filter((other) => other !== script) };
    const { callId: id, name, text } = script;
    const areToldElsewhere = script.isTold || (this.isNumbered && !this.now.isMadeOver);
    const commands = areToldElsewhere || isError ? null : commandsIn(text, texts);
    for (const [at, { call, output }] of commands?.entries() ?? []) {
      this.sink.event({ ...place, type: 'tool-call', id: `${id}-${at}`, ...call });
      this.sink.event({ ...place, type: 'tool-result', id: `${id}-${at}`, ...output });
    }
    const left = script.isTold ? notTold(texts, new Set(this.now.told)) : texts;
    if (commands !== null || (script.isTold && left.length === 0))
      return this.sink.event({ ...place, type: 'injected', text: '' });
    this.sink.event({ ...place, type: 'tool-call', id, name, input: { input: text } });
    this.sink.event({ ...place, type: 'tool-result', id, text: left.join('\n'), isError });
  }

  private readCall(item: JsonObject, place: Place): void {
    const script = scriptText(item);
    if (script !== null) return this.openScript(script, item);
    const call = toolCall(item);
    if (!call) return;
    const id = stringOf(item['call_id']);
    if (id !== null && call.name === 'spawn_agent') {
      const role = stringOf(call.input['agent_type']);
      const clean = role === null ? null : this.sink.clean(role) || null;
      this.now = {
        ...this.now,
        spawns: [...this.now.spawns, [id, clean] as [string, string | null]].slice(-MAX_AGENTS),
      };
    }
    this.sink.event({ ...place, type: 'tool-call', id, ...call });
  }

  private readOutput(item: JsonObject, place: Place): void {
    const id = stringOf(item['call_id']);
    const script = this.now.scripts.find(({ callId }) => callId === id);
    const written = script && scriptOutput(item);
    if (written) return this.readScriptOutput(script, written, place);
    const output = toolOutput(item);
    if (id !== null) this.readSpawned(id, output.text, place);
    this.sink.event({ ...place, type: 'tool-result', id, ...output });
  }

  /** The result of a call that started an agent names it. */
  private readSpawned(callId: string, text: string, place: Place): void {
    const spawn = this.now.spawns.find(([id]) => id === callId);
    const result = spawn && jsonIn(text);
    const key = stringOf(result?.['agent_id']);
    if (!spawn || key === null) return;
    const name = this.sink.clean(stringOf(result?.['nickname']) ?? spawn[1] ?? '') || key;
    this.meetAgent({ key, name, description: spawn[1], callId }, place);
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
  awaited: [],
  promptLines: [],
  spawns: [],
  agents: [],
  scripts: [],
  told: [],
};

/** What an agent is called, of whom a path is told. */
function agentName(path: unknown): string | null {
  return path === '/root' ? 'main' : taskName(stringOf(path));
}

/** Since autumn 2026 a message says of what kind its parts are: a person's text may be in tags, too. */
function isTyped(item: JsonObject): boolean {
  const kinds = listOf(objectOf(item['internal_chat_message_metadata_passthrough'])['content_item_kinds']);
  return kinds.length > 0 && kinds.every((kind) => /^user\.(?!goal$)/.test(String(kind)));
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

/** Both forms of a prompt may differ in blanks and in where images stand. */
function hashOf(text: string): string {
  const words = text.replaceAll('[image]', '').replace(/\s+/g, '');
  return textHash(words);
}

function reasoningText(item: JsonObject): string {
  const texts = [...contentTexts(item['summary']), ...contentTexts(item['content'])];
  return texts.join('\n\n');
}
