import { createHash } from 'node:crypto';
import type { EventSink, Place } from '../events.js';
import { type JsonObject, listOf, objectOf, stringOf, timeMsOf } from '../records.js';
import type { TranscriptPlace, TranscriptReader } from '../transcript-reader.js';
import {
  contentTexts,
  folderInContext,
  isScheduled,
  jsonIn,
  messageText,
  requestIn,
  userPart,
  withoutFrame,
} from './content.js';
import { unwrapped } from './head.js';
import { importedAnswer, isImportedTurn } from './imports.js';
import { type ItemPlace, RecordIds } from './record-ids.js';
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
  /** The thread's goal, by hash. */
  goal?: string;
  /** This turn was taken over from another agent. */
  isImported?: boolean;
}

const PROMPT_FORMS = ['item', 'event', 'completed'] as const;
type PromptForm = (typeof PROMPT_FORMS)[number];

/** Bounds of what is remembered between records, and stored with the checkpoint. */
const MAX_AWAITED = 40;
const MAX_PROMPTS = 1_000;
const MAX_AGENTS = 100;

const SPAWN_TOOL = /(?:^|__)spawn_agent$/;

/** Reads the records of Codex rollouts, of any version seen, into events. */
export class CodexReader implements TranscriptReader {
  private readonly ids: RecordIds;
  private now: Omit<CodexState, 'ids'>;
  /** As it was before the latest record. */
  private before: CodexState;

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
    const { type, payload } = unwrapped(record);
    const timeMs = timeMsOf(record['timestamp']);
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

  private placeOf(line: number, timeMs: number | null, payload: JsonObject): Place {
    return {
      line,
      timeMs,
      gitBranch: this.now.gitBranch,
      uuid: this.ids.next(idText(payload)),
      parentUuid: null,
      agentKey: this.place.agentKey,
    };
  }

  private readMeta(meta: JsonObject): void {
    this.ids.enter(stringOf(meta['id']));
    if (this.now.hasMeta) return;
    const gitBranch = stringOf(objectOf(meta['git'])['branch']);
    const clientVersion = stringOf(meta['cli_version']);
    this.now = { ...this.now, hasMeta: true, gitBranch };
    this.readFolder(stringOf(meta['cwd']));
    this.sink.session({
      ...(gitBranch !== null && { gitBranch }),
      ...(clientVersion !== null && { clientVersion }),
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
    if (item['role'] === 'user') return this.readUserMessage(contentTexts(item['content']), place);
    this.sink.event({ ...place, type: 'injected', text: messageText(item['content']) });
  }

  private readUserMessage(texts: readonly string[], place: Place): void {
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
    this.sink.event({ ...place, type: place.agentKey === null ? 'prompt' : 'assignment', text: request });
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
      case 'item_completed': {
        const item = objectOf(event['item']);
        if (item['type'] !== 'UserMessage') return;
        return this.readMirrored(messageText(item['content']), 'completed', item, at);
      }
      case 'entered_review_mode': {
        const asked = objectOf(event['target'])['instructions'] ?? event['user_facing_hint'];
        return this.readCommand(`/review ${stringOf(asked) ?? ''}`.trim(), at);
      }
      case 'thread_goal_updated':
        return this.readGoal(event, at);
      case 'error':
      case 'stream_error': {
        const text = stringOf(event['message']) ?? '';
        return this.sink.event({ ...this.placeOf(at.line, at.timeMs, event), type: 'error', text });
      }
      case 'thread_rolled_back':
        return this.rollBack(Number(event['num_turns'] ?? 0), this.placeOf(at.line, at.timeMs, event));
    }
  }

  private readMirrored(
    text: string,
    form: PromptForm,
    mirror: JsonObject,
    at: { line: number; timeMs: number | null },
  ): void {
    if (text === '') return;
    const place = this.placeOf(at.line, at.timeMs, mirror);
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

  private readCall(item: JsonObject, place: Place): void {
    const call = toolCall(item);
    if (!call) return;
    const id = stringOf(item['call_id']);
    if (id !== null && SPAWN_TOOL.test(call.name)) {
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
    this.now = {
      ...this.now,
      spawns: this.now.spawns.filter((other) => other !== spawn),
      agents: [...this.now.agents, [key, name] as [string, string]].slice(-MAX_AGENTS),
    };
    this.sink.agent(
      { key, kind: 'subagent', name, description: spawn[1], toolUseId: callId, teamName: null },
      place.uuid,
    );
  }

  private readAgentMessage(item: JsonObject, place: Place): void {
    const from = stringOf(item['author']) ?? 'agent';
    const to = stringOf(item['recipient']) ?? this.ownName();
    this.sink.event({ ...place, type: 'message', from, to, text: messageText(item['content']) });
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
};

/** What tells an item from any other at its place; the same in a copy. */
function idText(payload: JsonObject): string {
  const text =
    stringOf(payload['call_id']) ?? (messageText(payload['content']) || stringOf(payload['message']));
  return `${String(payload['type'])} ${text ?? ''}`;
}

/** Both forms of a prompt may differ in blanks and in where images stand. */
function hashOf(text: string): string {
  const words = text.replaceAll('[image]', '').replace(/\s+/g, '');
  return createHash('sha256').update(words).digest('base64url').slice(0, 22);
}

function reasoningText(item: JsonObject): string {
  const texts = [...contentTexts(item['summary']), ...contentTexts(item['content'])];
  return texts.join('\n\n');
}
