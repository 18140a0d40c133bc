import { type EventSink, type Place, tell, tellRefusal } from '../events.js';
import {
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  stringOf,
  timeMsOf,
} from '../../transcripts/records.js';
import { subagent } from '../session-agents.js';
import { textHash } from '../../text/text-hash.js';
import type { TranscriptReader } from '../transcript-reader.js';
import { contextOf } from './head.js';
import { refusalIn, toolInput, toolName, toolOutput } from './tools.js';

/** A call that starts an agent. */
interface AgentCall {
  id: string;
  name: string | null;
  description: string | null;
  /** Of the record in which it stands. */
  uuid: string | null;
}

export interface CopilotState {
  gitBranch: string | null;
  agentCalls: AgentCall[];
  /** What a hook has the agent go on with, by hash: it stands in a prompt like a person's. */
  hookSaid?: string | null;
}

/** An agent is started at once when it is called. */
const MAX_AGENT_CALLS = 50;

/** Early versions (0.0.343) write the time below what is typed; later ones keep what they add to it apart. */
const TIME_BELOW = /(?:\n\n)?<current_datetime>[^<]*<\/current_datetime>\s*$/;

/** Reads the events of Copilot CLI's sessions; those that are about no talk (hooks, permissions, use of tokens) are passed over. */
export class CopilotReader implements TranscriptReader {
  /** As it was before the latest record; replaced, never changed. */
  private before: CopilotState;

  constructor(
    private readonly sink: EventSink,
    private now: CopilotState = { gitBranch: null, agentCalls: [] },
  ) {
    this.before = this.now;
  }

  state(): CopilotState {
    return this.before;
  }

  read(record: JsonObject, line: number): void {
    this.before = this.now;
    const data = objectOf(record['data']);
    // The id of its call, before agents had one of their own (1.0.20).
    const agentKey = stringOf(record['agentId']) ?? stringOf(data['parentToolCallId']);
    const place: Place = {
      line,
      timeMs: timeMsOf(record['timestamp']),
      gitBranch: this.now.gitBranch,
      // Forks keep it.
      uuid: stringOf(record['id']),
      parentUuid: null,
      agentKey,
    };
    switch (record['type']) {
      case 'session.start':
      case 'session.resume':
      case 'session.context_changed':
        return this.readContext(contextOf(record), stringOf(data['copilotVersion']));
      case 'user.message':
        return this.readUser(data, place);
      case 'assistant.message':
        return this.readAnswer(data, place);
      case 'tool.user_requested': {
        const command = stringOf(objectOf(data['arguments'])['command']);
        return tell(this.sink, place, 'prompt', command && `! ${command}`);
      }
      case 'tool.execution_complete':
        return this.readResult(data, place);
      case 'subagent.started':
        return this.readAgent(data, place);
      case 'system.notification':
        return tell(this.sink, place, 'injected', data['content']);
      case 'hook.end':
        return this.noteHook(objectOf(data['output']));
      case 'abort':
        return tell(this.sink, place, 'injected', '[aborted]');
      case 'session.error':
        return tell(this.sink, place, 'error', data['message']);
      case 'session.compaction_complete':
        return tell(this.sink, place, 'compaction', data['summaryContent']);
    }
  }

  private readContext(context: JsonObject, clientVersion: string | null): void {
    const gitBranch = this.cleaned(context['branch']);
    this.now = { ...this.now, gitBranch: gitBranch ?? this.now.gitBranch };
    this.sink.session({ cwd: stringOf(context['cwd']), gitBranch, clientVersion });
  }

  private noteHook(output: JsonObject): void {
    const reason = output['decision'] === 'block' ? stringOf(output['reason']) : null;
    if (reason !== null) this.now = { ...this.now, hookSaid: textHash(reason) };
  }

  private readUser(data: JsonObject, place: Place): void {
    const source = stringOf(data['source']) ?? 'user';
    const text = (stringOf(data['content']) ?? '').replace(TIME_BELOW, '');
    if (place.agentKey !== null) return tell(this.sink, place, 'assignment', text);
    // The client wrote it, to have the agent go on or to bring in a skill; or a hook did.
    const isByHook = this.now.hookSaid === textHash(text);
    if (isByHook) this.now = { ...this.now, hookSaid: null };
    if (isByHook || source !== 'user') return tell(this.sink, place, 'injected', text);
    const images = listOf(data['attachments'])
      .filter(isImage)
      .map(() => '[image]');
    const said = [...images, text].filter(Boolean).join('\n');
    const isAside = data['delivery'] === 'steering';
    if (said.trim() !== '') this.sink.event({ ...place, type: 'prompt', text: said, isAside });
  }

  private readAnswer(data: JsonObject, place: Place): void {
    tell(this.sink, place, 'thinking', data['reasoningText']);
    tell(this.sink, place, 'answer', data['content']);
    for (const request of listOf(data['toolRequests']).filter(isObject)) {
      const name = toolName(request);
      const id = stringOf(request['toolCallId']);
      const input = toolInput(name, request['arguments']);
      if (name === 'task' && id !== null) this.noteAgentCall(id, input, place.uuid);
      this.sink.event({ ...place, type: 'tool-call', id, name, input });
    }
  }

  private noteAgentCall(id: string, input: JsonObject, uuid: string | null): void {
    const [name, description] = [this.cleaned(input['name']), this.cleaned(input['description'])];
    const call = { id, name, description, uuid };
    this.now = { ...this.now, agentCalls: [...this.now.agentCalls, call].slice(-MAX_AGENT_CALLS) };
  }

  /** As it may stay in a checkpoint. */
  private cleaned(text: unknown): string | null {
    return stringOf(this.sink.clean(stringOf(text) ?? ''));
  }

  private readAgent(data: JsonObject, place: Place): void {
    const toolUseId = stringOf(data['toolCallId']);
    const key = place.agentKey ?? toolUseId;
    const call = this.now.agentCalls.find(({ id }) => id === toolUseId);
    if (key === null) return;
    const name = call?.name ?? stringOf(data['agentName']) ?? key;
    const description = call?.description ?? stringOf(data['agentDescription']);
    this.sink.agent(subagent(key, { name, description, toolUseId }), call?.uuid ?? place.uuid);
  }

  private readResult(data: JsonObject, place: Place): void {
    const output = toolOutput(data);
    if (data['isUserRequested'] === true) return tell(this.sink, place, 'output', output.text);
    const id = stringOf(data['toolCallId']);
    const refusal = refusalIn(data);
    if (refusal) return tellRefusal(this.sink, place, { id, ...refusal });
    this.sink.event({ ...place, type: 'tool-result', id, ...output });
  }
}

function isImage(attachment: unknown): boolean {
  const { mimeType, path } = objectOf(attachment);
  return /^image\//.test(stringOf(mimeType) ?? '') || /\.(?:png|jpe?g|gif|webp)$/i.test(stringOf(path) ?? '');
}
