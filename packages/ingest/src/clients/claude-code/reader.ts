import type { TranscriptFile } from '../../transcripts/describe-transcript.js';
import { type EventSink, type Place, tell, tellRefusal } from '../events.js';
import { type JsonObject, listOf, objectOf, stringOf, timeMsOf } from '../../transcripts/records.js';
import { saysLoneSecret } from '../../redaction/redaction.js';
import { recordId } from '../../text/text-hash.js';
import type { TranscriptReader } from '../transcript-reader.js';
import { AgentMessages } from './agent-messages.js';
import { Agents, type AgentsState } from './agents.js';
import { mentionedIn, type Mentioned } from './mentions.js';
import { blockText, contentBlocks, resultText, unreadableBlocks, withTagsClosed } from './content.js';
import { originalId, originalSession } from './copies.js';
import { cancellationIn, withoutClientNotes, withoutTaskFrame } from './result-notes.js';
import { ownFileOf } from './head.js';
import { PromptQueue } from './prompt-queue.js';
import { byWhom, isByProgram, senderOf } from './sender.js';
import { Streams } from './streams.js';
import { Titles, type TitlesState } from './titles.js';
import { changedByCommand, outputOf } from './tool-use-result.js';
import {
  isCaveat,
  isInterruption,
  isTagged,
  plannedIn,
  splitUserText,
  summaryText,
  type UserTextPart,
  withoutTranscriptNote,
} from './user-text.js';

export interface ClaudeCodeState extends TitlesState {
  agents: AgentsState;
  agentKey: string | null;
  /** A summary was seen, and nothing that a person said behind it. */
  isCompacted?: boolean;
  /** The agent is at its calls. */
  isCalling?: boolean;
  /** Prompts that wait for the agent; none with a secret in it. */
  queue?: string[];
}

/** An editor that runs the client puts tools of its own in the place of the client's, with the same parameters. */
const EDITORS_TOOL = /^mcp__acp__(?=[A-Z])/;
const LAUNCHED = /^Launching (?:skill|(?:slash )?command):/;
/** What the client writes in the model's stead when a session goes on in which a call was cut off. */
const NO_RESPONSE = 'No response requested.';
/** What the client writes where the model said nothing. */
const NO_CONTENT = '(no content)';

/** Reads Claude Code's JSONL records, of any version seen, into events. */
export class ClaudeCodeReader implements TranscriptReader {
  private readonly agents: Agents;
  private readonly streams: Streams;
  private readonly messages: AgentMessages;
  private readonly titles: Titles;
  private readonly queue: PromptQueue;
  /**
   * Agents that have a file of their own: their progress records are left to it, but where that file has turned up later
   * and leaves them here.
   */
  private readonly hasOwnFile: (agentKey: string) => boolean;
  /** The agent called a command or a skill: its name is written as if a person had typed it. */
  private isLaunching = false;
  /** The agent made a call, and neither spoke nor was broken off since: with the result it is given what waits in the queue. */
  private isCalling: boolean;
  private isCompacted: boolean;
  /** The shell's, when the record was written that is read. */
  private folder: string | null = null;

  constructor(
    private readonly file: TranscriptFile,
    private readonly sink: EventSink,
    state?: ClaudeCodeState,
  ) {
    this.agents = new Agents((text) => sink.clean(text), state?.agents);
    this.streams = new Streams(file, sink, this.agents, state?.agentKey ?? file.agentKey);
    this.messages = new AgentMessages(file, sink, this.agents);
    this.titles = new Titles(state);
    const ownFile = ownFileOf(file.path);
    this.hasOwnFile = (agentKey) => ownFile(agentKey) && !sink.hasTold(agentKey);
    this.isCompacted = state?.isCompacted ?? false;
    this.isCalling = state?.isCalling ?? false;
    this.queue = new PromptQueue(state?.queue);
  }

  get mainAgentKey(): string | null {
    return this.streams.mainKey;
  }

  state(): ClaudeCodeState {
    // What waits may be the answer to a question for a secret.
    const queue = this.queue
      .state()
      .filter((text) => this.sink.clean(text) === text && !saysLoneSecret(text));
    return {
      agents: this.agents.state(),
      ...this.titles.state(),
      agentKey: this.streams.mainKey,
      ...(this.isCompacted && { isCompacted: true }),
      ...(this.isCalling && { isCalling: true }),
      ...(queue.length > 0 && { queue }),
    };
  }

  read(record: JsonObject, line: number): void {
    this.readSessionFacts(record);
    this.folder = stringOf(record['cwd']);
    const uuid = stringOf(record['uuid']);
    // A fork of this fork names the copy.
    if (uuid !== null && uuid !== originalId(record)) this.sink.alsoKnownBy([uuid]);
    this.titles.noteRecord(uuid);
    if (this.streams.isOfWarmup(record)) return;
    switch (record['type']) {
      case 'user':
      case 'assistant':
        this.titles.noteMessage(uuid);
        return this.readMessage(record, this.placeOf(record, line));
      case 'attachment':
        return this.readAttachment(objectOf(record['attachment']), this.placeOf(record, line));
      case 'progress':
        return this.readProgress(record, line);
      case 'system':
        return this.readSystem(record, this.placeOf(record, line));
      case 'queue-operation':
        return this.readQueue(record, this.placeOf(record, line));
      case 'file-history-snapshot':
        // A call is about to change a file; its own record may come behind.
        this.isCalling ||= record['isSnapshotUpdate'] === true;
        return;
      case 'summary':
      case 'ai-title':
      case 'custom-title':
        return this.sink.session({ title: this.titles.titleIn(record) });
      default:
        return;
    }
  }

  private readSessionFacts(record: JsonObject): void {
    this.sink.session({
      cwd: stringOf(record['cwd']),
      gitBranch: stringOf(record['gitBranch']),
      clientVersion: stringOf(record['version']),
      continuesUuid: originalSession(record, this.file.sessionUuid),
    });
  }

  private placeOf(record: JsonObject, line: number): Place {
    return {
      line,
      timeMs: timeMsOf(record['timestamp']),
      gitBranch: stringOf(record['gitBranch']),
      uuid: originalId(record),
      parentUuid: stringOf(record['parentUuid']),
      agentKey: this.streams.of(record),
    };
  }

  private readMessage(record: JsonObject, place: Place): void {
    const message = objectOf(record['message']);
    const { content } = message;
    if (content === undefined || content === null) {
      const problem = `a record of type ${String(record['type'])} without content`;
      return this.sink.issue(place.line, 'no-content', problem);
    }
    const unreadable = unreadableBlocks(content);
    if (unreadable > 0)
      this.sink.issue(place.line, 'bad-block', `${unreadable} content block(s) are not objects`);
    if (record['type'] === 'assistant') {
      this.isLaunching = false;
      const isByClient = speaksForModel(record, message);
      for (const block of contentBlocks(content)) this.readAssistantBlock(block, place, isByClient);
    } else {
      const blocks = withTagsClosed(contentBlocks(content));
      const isBesideResult = blocks.some(({ type }) => type === 'tool_result');
      const isNamed = blocks.some((block) => IMAGE_NAME.test(stringOf(block['text']) ?? ''));
      const told = isNamed ? blocks.filter(({ type }) => type !== 'image') : blocks;
      for (const block of told) this.readUserBlock(block, record, place, isBesideResult);
    }
  }

  private readAssistantBlock(block: JsonObject, place: Place, isByClient: boolean): void {
    switch (block['type']) {
      case 'text': {
        const text = stringOf(block['text']) ?? '';
        if (text === NO_CONTENT) return;
        this.isCalling = false;
        if (isByClient && text === NO_RESPONSE) return this.sink.event({ ...place, type: 'injected', text });
        return this.sink.event({ ...place, type: isByClient ? 'error' : 'answer', text });
      }
      case 'thinking':
        return this.sink.event({ ...place, type: 'thinking', text: stringOf(block['thinking']) ?? '' });
      case 'tool_use':
      case 'server_tool_use':
      case 'mcp_tool_use':
        return this.readToolCall(block, place);
      default:
        if (String(block['type']).endsWith('_tool_result')) this.readToolResult(block, {}, place);
    }
  }

  private readToolCall(block: JsonObject, place: Place): void {
    const id = stringOf(block['id']);
    if (this.isOwnCall(id)) return;
    this.isCalling = true;
    const name = (stringOf(block['name']) ?? 'tool').replace(EDITORS_TOOL, '');
    if (block['input'] === undefined || block['input'] === null) {
      this.sink.issue(place.line, 'no-input', `a call of ${name} without input`);
    }
    const input = objectOf(block['input']);
    this.agents.noteCall(name, id, input);
    const told = name === 'SendMessage' ? this.messages.sent(input, place) : input;
    this.sink.event({ ...place, type: 'tool-call', id, name, input: told, folder: this.folder });
  }

  /** The file of an agent that is a fork of its caller begins with a copy of the call. */
  private isOwnCall(id: string | null): boolean {
    return id !== null && id === this.file.agentCallId;
  }

  /** @param isBesideResult whether the person allowed a call, and typed something with it */
  private readUserBlock(block: JsonObject, record: JsonObject, place: Place, isBesideResult: boolean): void {
    if (block['type'] === 'tool_result') return this.readToolResult(block, record, place);
    const text = blockText(block);
    this.queue.take(text);
    if (record['isCompactSummary'] === true) {
      this.isCompacted = true;
      return this.sink.event({ ...place, type: 'compaction', text: summaryText(text) });
    }
    if (isEcho(text, record)) return;
    const told = withoutTranscriptNote(text);
    if (told !== text) this.sink.session({ plannedIn: plannedIn(text) });
    this.readTold(told, record, place, isBesideResult);
  }

  private readToolResult(block: JsonObject, record: JsonObject, place: Place): void {
    const id = stringOf(block['tool_use_id']);
    if (this.isOwnCall(id)) return;
    const agent = this.agents.fromResult(id, record['toolUseResult']);
    if (agent) this.sink.agent(agent, place.uuid);
    const text = withoutClientNotes(resultText(block['content'])) || outputOf(record['toolUseResult']);
    this.isLaunching ||= LAUNCHED.test(text);
    const isError = block['is_error'] === true;
    const cancelled = isError ? cancellationIn(text, stringOf(record['toolDenialKind']) !== null) : null;
    if (!cancelled) {
      const changedFiles = changedByCommand(record['toolUseResult']);
      return this.sink.event({ ...place, type: 'tool-result', id, text, isError, changedFiles });
    }
    tellRefusal(this.sink, place, { id, ...cancelled });
  }

  /**
   * Text in a user's message: a person's in the main stream, the parent agent's in any other, if it is not noted to be
   * somebody else's.
   * @param note what the client notes with it
   */
  private readTold(text: string, note: JsonObject, place: Place, isAside = false): void {
    if (isCaveat(text)) return;
    const sender = senderOf(note);
    const parts = splitUserText(text, sender.kind === 'agent');
    const isSaid = parts.some(({ type }) => type === 'message' || type === 'report');
    if (note['isMeta'] === true && sender.kind === 'client' && !isSaid)
      return this.sink.event({ ...place, type: 'injected', text });
    const byProgram = isByProgram(note);
    for (const part of parts) this.readPart(byWhom(part, sender), place, { byProgram, isAside });
  }

  private readPart(
    part: UserTextPart,
    place: Place,
    { byProgram, isAside }: { byProgram: boolean; isAside: boolean },
  ): void {
    switch (part.type) {
      case 'prompt':
        if (place.agentKey !== null && !this.streams.isPersons) {
          return this.sink.event({ ...place, type: 'assignment', text: withoutTaskFrame(part.text) });
        }
        if (isAside)
          return this.sink.event({ ...place, uuid: null, type: 'prompt', text: part.text, isAside });
        this.isCompacted = this.isLaunching = false;
        return this.sink.event({ ...place, type: 'prompt', text: part.text, byProgram });
      case 'command':
        return this.readCommand(part, place, byProgram);
      case 'injected': {
        const breaksOff = isInterruption(part.text);
        if (breaksOff) this.isLaunching = this.isCalling = false;
        return this.sink.event(
          part.withPrompt
            ? { ...place, type: 'prompt', text: part.text, injected: true }
            : { ...place, type: 'injected', text: part.text, breaksOff },
        );
      }
      case 'output':
        return tell(this.sink, place, 'output', part.text);
      case 'message':
        return this.messages.tellArrived(part.from, part.text, place);
      case 'report':
        return this.messages.tellReport(part, place);
    }
  }

  private readCommand(
    { name, args, isForAgent }: Extract<UserTextPart, { type: 'command' }>,
    place: Place,
    byProgram: boolean,
  ): void {
    const text = `${name} ${args}`.trim();
    if (this.isLaunching) return this.sink.event({ ...place, type: 'injected', text });
    if (isForAgent) this.isCompacted = false;
    const isForClient = !isForAgent;
    const injected = args === '' && isForClient;
    // The client does some of its own at once: what the agent is at goes on.
    const isAside = isForClient && this.isCalling;
    this.sink.event({ ...place, type: 'prompt', text, injected, byProgram, isForClient, isAside });
  }

  private readAttachment(attachment: JsonObject, place: Place): void {
    const mentioned = mentionedIn(attachment);
    if (mentioned) return this.tellMentioned(mentioned, place);
    if (attachment['type'] === 'teammate_mailbox') {
      for (const { from, text } of listOf(attachment['messages']).map(objectOf)) {
        this.messages.tellArrived(stringOf(from) ?? 'teammate', stringOf(text) ?? '', place);
      }
    }
    if (attachment['type'] !== 'queued_command') return;
    const text = contentBlocks(attachment['prompt']).map(blockText).join('\n');
    if (text === '' || this.queue.wasTold(text)) return;
    this.queue.take(text);
    const isPrompt = attachment['commandMode'] === 'prompt' || attachment['commandMode'] === undefined;
    this.readTold(text, isPrompt ? attachment : { ...attachment, promptSource: 'system' }, place);
  }

  private readQueue(record: JsonObject, place: Place): void {
    const text = this.queue.operation(record, this.isCalling);
    if (text === null) return;
    // The record has no id; a copy of it has the same time.
    const uuid = recordId(`${String(record['timestamp'])} ${text}`);
    if (isTagged(text)) return this.readTold(text, record, { ...place, uuid });
    this.sink.event({ ...place, uuid, type: 'prompt', text, isAside: true });
  }

  /** Behind a summary the client shows again what was read before. */
  private tellMentioned({ name, input, text }: Mentioned, place: Place): void {
    if (this.isCompacted) return;
    const id = `attachment-${place.line}`;
    this.sink.event({ ...place, type: 'tool-call', id, name, input });
    this.sink.event({ ...place, type: 'tool-result', id, text, isError: false });
  }

  /** A sub-agent's message, shown in its parent's file while it works. */
  private readProgress(record: JsonObject, line: number): void {
    const data = objectOf(record['data']);
    const agentKey = stringOf(data['agentId']);
    if (data['type'] !== 'agent_progress' || agentKey === null) return;
    const call = stringOf(record['parentToolUseID']);
    if (this.hasOwnFile(agentKey)) {
      // Of a call that was cut off, no result names the agent.
      const agent = this.agents.fromOwnProgress(agentKey, call);
      return agent ? this.sink.agent(agent, stringOf(record['uuid'])) : undefined;
    }
    const inner = objectOf(data['message']);
    if (inner['type'] !== 'user' && inner['type'] !== 'assistant') return;
    const uuid = stringOf(inner['uuid']);
    this.sink.agent(this.agents.fromProgress(agentKey, call), uuid);
    this.readMessage(inner, {
      line,
      timeMs: timeMsOf(inner['timestamp']) ?? timeMsOf(record['timestamp']),
      gitBranch: stringOf(record['gitBranch']),
      uuid,
      parentUuid: null,
      agentKey,
    });
  }

  /** Commands run in the terminal are recorded as system lines by some versions; a recap greets who comes back. */
  private readSystem(record: JsonObject, place: Place): void {
    const text = stringOf(record['content']);
    if (text === null) return;
    if (record['subtype'] === 'local_command') this.readTold(text, {}, place);
    if (record['subtype'] === 'away_summary') this.sink.event({ ...place, type: 'injected', text });
    const typed = BEHIND_UNKNOWN_COMMAND.exec(text)?.[1];
    if (record['subtype'] === 'informational' && typed) this.readTold(typed, {}, place);
  }
}

/** What a person typed behind a slash and a name that no command has, such as a paste that begins with a path. */
const BEHIND_UNKNOWN_COMMAND = /^Args from unknown skill: ([^]+)$/;

/** Where a person pasted an image, the client names it in the text. */
const IMAGE_NAME = /\[Image #\d+\]/;

/**
 * Whether the client speaks in the model's stead. What there was of an answer that the person broke off, it notes under
 * the same name (2.1.72 to 2.1.150), and as no error.
 */
function speaksForModel(record: JsonObject, { model, content }: JsonObject): boolean {
  const isError = record['isApiErrorMessage'];
  return (
    isError === true ||
    (model === '<synthetic>' && (isError !== false || resultText(content) === NO_RESPONSE))
  );
}

/** While it works at a summary, the client notes that it was asked to, as if a prompt; the command itself follows. */
function isEcho(text: string, record: JsonObject): boolean {
  const isTyped = record['promptSource'] !== undefined || record['origin'] !== undefined;
  return !isTyped && /^\/compact(?:\s|$)/.test(text);
}
