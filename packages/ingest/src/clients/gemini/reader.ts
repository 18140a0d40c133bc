import type { TranscriptFile } from '../../transcripts/describe-transcript.js';
import { type EventSink, type Place, tell } from '../events.js';
import {
  type JsonObject,
  isObject,
  listOf,
  objectOf,
  stringOf,
  timeMsOf,
} from '../../transcripts/records.js';
import { subagent } from '../session-agents.js';
import { recordId } from '../../text/text-hash.js';
import type { TranscriptReader } from '../transcript-reader.js';
import {
  answerIn,
  commandResult,
  contentParts,
  resultText,
  saidApart,
  textOf,
  toolInput,
  userMessage,
} from './content.js';
import { type SaidState, SaidTexts } from './said-texts.js';

/** What has been read of a message: it is written again whenever it has got something more. */
interface KnownMessage {
  id: string;
  line: number;
  hasText: boolean;
  thoughts: number;
  /** Ids of its calls, and of those whose result was read. */
  calls: string[];
  results: string[];
}

export interface GeminiState {
  messages: KnownMessage[];
  said?: SaidState;
}

/** Messages remembered: one that is written again is nearly always the latest. */
const MAX_MESSAGES = 1_000;

/** What a call's `status` says when nothing more will come. */
const ENDED = new Set<unknown>(['success', 'error', 'cancelled']);

/** Reads the records of Gemini's chats into events: messages one by one, in either layout. */
export class GeminiReader implements TranscriptReader {
  private known: KnownMessage[];
  private said: SaidTexts;
  /** As it was before the latest record. */
  private before: GeminiState;

  constructor(
    private readonly file: TranscriptFile,
    private readonly sink: EventSink,
    state?: GeminiState,
  ) {
    this.known = state?.messages ?? [];
    this.said = new SaidTexts(state?.said);
    this.before = this.current();
  }

  state(): GeminiState {
    return this.before;
  }

  private current(): GeminiState {
    return { messages: this.known, said: this.said.state };
  }

  read(record: JsonObject, line: number): void {
    this.before = this.current();
    const rewind = stringOf(record['$rewindTo']);
    if (rewind !== null) return this.rewindTo(rewind, line);
    if (typeof record['id'] === 'string' && record['type'] !== undefined)
      return this.readMessage(record, line);
    const fields = isObject(record['$set']) ? record['$set'] : record;
    this.sink.session({ title: stringOf(fields['summary']) });
    const history = listOf(fields['messages']).filter(isObject);
    // What is said twice in a list was said twice.
    const earlier = this.said;
    for (const message of history) this.readMessage(message, line, earlier);
    if (history.length > 0) this.said = this.said.settled();
  }

  /** All from this message on is taken back; all there is, where the message is not known. */
  private rewindTo(id: string, line: number): void {
    const at = this.known.findIndex((message) => message.id === id);
    const fromLine = at === -1 ? (this.known[0]?.line ?? line) : this.known[at]!.line;
    this.known = this.known.slice(0, Math.max(at, 0));
    this.said = this.said.before(fromLine);
    this.sink.event({ ...this.placeOf(`rewind ${line}`, line, null), type: 'rewind', fromLine });
  }

  private placeOf(id: string, line: number, timeMs: number | null): Place {
    return {
      line,
      timeMs,
      gitBranch: null,
      uuid: recordId(`${this.file.agentKey ?? this.file.sessionUuid} ${id}`),
      parentUuid: null,
      agentKey: this.file.agentKey,
    };
  }

  /** @param earlier what was said before the history of which the message is one, if it is */
  private readMessage(message: JsonObject, line: number, earlier?: SaidTexts): void {
    const id = stringOf(message['id']);
    if (id === null) return this.sink.issue(line, 'no-id', 'a message without an id');
    const timeMs = timeMsOf(message['timestamp']);
    const place = this.placeOf(id, line, timeMs);
    const known = this.known.find((other) => other.id === id);
    if (known) return this.readAs(message, known, place);
    if (!earlier) this.said = this.said.following(message, timeMs, this.file.agentKey !== null);
    const history = earlier ?? (this.said.isReplay ? this.said : undefined);
    if (history?.isEmpty === false) this.readAgain(message, history, place);
    else {
      if (place.agentKey === null) this.sink.alsoKnownBy(this.said.uuidsOf(message));
      this.readAs(message, newMessage(id, line), place);
    }
  }

  private readAs(message: JsonObject, known: KnownMessage, place: Place): void {
    this.remember(
      message['type'] === 'gemini'
        ? this.readAnswer(message, known, place)
        : this.readOther(message, known, place),
    );
    if (!known.hasText) this.said = this.said.adding(message, known.line).behind(message);
  }

  /** A message with a new id in a history that the client writes again. */
  private readAgain(message: JsonObject, history: SaidTexts, place: Place): void {
    const { news, line } = history.compare(message);
    const thoughts = thoughtsOf(message, contentParts(message['content'])).length;
    // Who goes back to it goes back to where it was said.
    const known = {
      ...newMessage(stringOf(message['id'])!, line ?? place.line),
      thoughts,
      hasText: news.length === 0,
    };
    const apart = news.length === 0 ? [news] : saidApart(news);
    for (const content of apart)
      this.readNews({ ...message, content, displayContent: undefined }, known, place);
    if (news.length === 0) this.said = this.said.behind(message);
  }

  /** What the client wrote itself, or what was said in another session that this one goes on from. */
  private readNews(message: JsonObject, known: KnownMessage, place: Place): void {
    const [uuid, ...others] = place.agentKey === null ? this.said.uuidsOf(message) : [];
    this.sink.alsoKnownBy(others);
    this.readAs(message, known, { ...place, uuid: uuid ?? place.uuid });
  }

  private remember(message: KnownMessage): void {
    const at = this.known.findLastIndex((other) => other.id === message.id);
    this.known = at === -1 ? [...this.known, message].slice(-MAX_MESSAGES) : this.known.with(at, message);
  }

  private readOther(message: JsonObject, known: KnownMessage, place: Place): KnownMessage {
    if (known.hasText) return known;
    const text = textOf(contentParts(message['content']));
    if (message['type'] === 'user') this.readUser(message, place);
    else this.sink.event({ ...place, type: message['type'] === 'error' ? 'error' : 'injected', text });
    return { ...known, hasText: true };
  }

  private readUser(message: JsonObject, place: Place): void {
    const user = userMessage(message, place.agentKey !== null);
    if (user.type !== 'prompt') return this.sink.event({ ...place, type: user.type, text: user.text });
    const type = place.agentKey === null ? 'prompt' : 'assignment';
    if (user.text !== '') this.sink.event({ ...place, type, text: user.text, injected: user.injected });
    tell(this.sink, place, 'output', user.printed);
    if (user.added !== '') this.sink.event({ ...place, type: 'injected', text: user.added });
  }

  /** What this version of an answer has more than the one before. */
  private readAnswer(message: JsonObject, known: KnownMessage, place: Place): KnownMessage {
    const parts = contentParts(message['content']);
    const thoughts = thoughtsOf(message, parts);
    for (const text of thoughts.slice(known.thoughts)) this.sink.event({ ...place, type: 'thinking', text });
    const text = textOf(parts);
    const answer = answerIn(text);
    if (!known.hasText) {
      tell(this.sink, place, 'thinking', answer.thoughts);
      tell(this.sink, place, 'answer', answer.said);
    }
    const calls = listOf(message['toolCalls']).filter(isObject);
    const read = calls.map((call, index) => this.readCall(call, `${known.id}/${index}`, { known, place }));
    return {
      ...known,
      hasText: known.hasText || text.trim() !== '',
      thoughts: Math.max(known.thoughts, thoughts.length),
      calls: [...new Set([...known.calls, ...read.map(({ id }) => id)])],
      results: [...new Set([...known.results, ...read.filter(({ ended }) => ended).map(({ id }) => id)])],
    };
  }

  private readCall(
    call: JsonObject,
    ownId: string,
    { known, place }: { known: KnownMessage; place: Place },
  ): { id: string; ended: boolean } {
    const id = stringOf(call['id']) ?? ownId;
    const name = stringOf(call['name']) ?? 'tool';
    const ended = ENDED.has(call['status']) || call['result'] !== undefined;
    if (!known.calls.includes(id)) {
      this.sink.event({
        ...place,
        type: 'tool-call',
        id,
        name,
        input: toolInput(name, objectOf(call['args'])),
      });
    }
    if (ended && !known.results.includes(id)) this.readResult(call, id, place);
    return { id, ended };
  }

  private readResult(call: JsonObject, id: string, place: Place): void {
    const agentKey = stringOf(call['agentId']);
    if (agentKey !== null) {
      const called = stringOf(objectOf(call['args'])['agent_name']);
      const name = called ?? stringOf(call['displayName']) ?? stringOf(call['name']) ?? agentKey;
      this.sink.agent(subagent(agentKey, { name, toolUseId: id }), place.uuid);
    }
    const isCancelled = call['status'] === 'cancelled';
    const isRefused = isCancelled || call['status'] === 'error';
    const text = resultText(call);
    const isCommand = call['name'] === 'run_shell_command' && !isRefused;
    const result = isCommand ? commandResult(text) : { text, isError: isRefused };
    this.sink.event({ ...place, type: 'tool-result', id, ...result, isCancelled });
  }
}

function newMessage(id: string, line: number): KnownMessage {
  return { id, line, hasText: false, thoughts: 0, calls: [], results: [] };
}

/** What the model thought: listed beside the content, or as marked parts of it. */
function thoughtsOf(message: JsonObject, parts: readonly JsonObject[]): string[] {
  const listed = listOf(message['thoughts'])
    .filter(isObject)
    .map((thought) => [thought['subject'], thought['description']].filter(Boolean).join(': '));
  if (listed.length > 0) return listed;
  return parts.filter((part) => part['thought'] === true).map((part) => stringOf(part['text']) ?? '');
}
