import type { TranscriptFile } from '../../transcripts/describe-transcript.js';
import { type EventSink, type Place, tell, tellRefusal } from '../events.js';
import {
  type JsonObject,
  isObject,
  listOf,
  objectOf,
  stringOf,
  timeMsOfNumber,
} from '../../transcripts/records.js';
import { recordId } from '../../text/text-hash.js';
import type { TranscriptReader } from '../transcript-reader.js';
import { asTyped, refusalIn, toolInput, toolOutput } from './tools.js';

export interface OpencodeState {
  /** The next call is a command that the person typed behind `!`. */
  isPersonsCommand: boolean;
}

/** What opencode says in the person's name before such a command. */
const PERSONS_COMMAND = 'The following tool was executed by the user';

/** Reads the lines that `database.ts` makes of a session. */
export class OpencodeReader implements TranscriptReader {
  /** As it was before the latest record. */
  private before: OpencodeState;

  constructor(
    private readonly file: TranscriptFile,
    private readonly sink: EventSink,
    private now: OpencodeState = { isPersonsCommand: false },
  ) {
    this.before = this.now;
  }

  state(): OpencodeState {
    return this.before;
  }

  read(record: JsonObject, line: number): void {
    this.before = this.now;
    const parts = listOf(record['parts']).filter(isObject);
    if (record['type'] !== 'message') return this.readHead(record);
    const place: Place = {
      line,
      timeMs: timeMsOfNumber(record['created']),
      gitBranch: null,
      uuid: idOf(record, parts),
      parentUuid: null,
      agentKey: this.file.agentKey,
    };
    if (record['role'] === 'user') return this.readUser(parts, place);
    for (const part of parts) this.readPart(part, record['isSummary'] === true, place);
    this.now = { isPersonsCommand: false };
    this.readEnd(objectOf(record['error']), place);
  }

  private readHead(record: JsonObject): void {
    this.sink.session({
      clientVersion: stringOf(record['version']),
      continuesUuid: stringOf(record['original']),
    });
  }

  private readUser(parts: JsonObject[], place: Place): void {
    const texts = parts.filter(({ type }) => type === 'text');
    const own = texts.filter((part) => !isClients(part));
    const said = [...parts.flatMap(besideText), ...own.map(({ text }) => asTyped(stringOf(text) ?? ''))]
      .filter(Boolean)
      .join('\n');
    if (said.trim() !== '')
      this.sink.event({ ...place, type: this.file.agentKey === null ? 'prompt' : 'assignment', text: said });
    for (const { type, text } of parts) if (type === 'output') tell(this.sink, place, 'output', text);
    const added = texts.filter(isClients);
    this.now = { isPersonsCommand: added.some(({ text }) => text === PERSONS_COMMAND) };
    if (!this.now.isPersonsCommand) for (const { text } of added) tell(this.sink, place, 'injected', text);
  }

  private readPart(part: JsonObject, isSummary: boolean, message: Place): void {
    const { start } = objectOf(objectOf(part['state'])['time'] ?? part['time']);
    const place = { ...message, timeMs: timeMsOfNumber(start) ?? message.timeMs };
    switch (part['type']) {
      case 'reasoning':
        return tell(this.sink, place, 'thinking', part['text']);
      case 'tool':
        return this.readCall(part, place);
      case 'text':
        return tell(this.sink, place, isSummary ? 'compaction' : 'answer', part['text']);
    }
  }

  private readCall(part: JsonObject, place: Place): void {
    const state = objectOf(part['state']);
    const name = stringOf(part['tool']) ?? 'tool';
    const output = toolOutput(name, state);
    if (this.now.isPersonsCommand) {
      tell(this.sink, place, 'prompt', `! ${stringOf(objectOf(state['input'])['command']) ?? ''}`);
      return tell(this.sink, place, 'output', output?.text);
    }
    const id = stringOf(part['callID']);
    this.sink.event({ ...place, type: 'tool-call', id, name, input: toolInput(name, state['input']) });
    const refusal = refusalIn(state);
    if (refusal) tellRefusal(this.sink, place, { id, ...refusal });
    else if (output) this.sink.event({ ...place, type: 'tool-result', id, ...output });
  }

  private readEnd(error: JsonObject, place: Place): void {
    if (error['name'] === 'MessageAbortedError') return tell(this.sink, place, 'injected', '[aborted]');
    tell(this.sink, place, 'error', objectOf(error['data'])['message'] ?? error['name']);
  }
}

/** What opencode says in the person's name; `ignored` is what a plugin shows the person, and the model never sees. */
function isClients({ synthetic, ignored }: JsonObject): boolean {
  return synthetic === true || ignored === true;
}

/** What the person gave beside words: images, and commands that an agent of its own does. */
function besideText({ type, mime, command, prompt }: JsonObject): string[] {
  if (type === 'file' && /^image\//.test(stringOf(mime) ?? '')) return ['[image]'];
  if (type !== 'subtask' || typeof command !== 'string') return [];
  const typed = asTyped(stringOf(prompt) ?? '');
  return [typed.startsWith(`/${command}`) ? typed : `/${command}`];
}

/** A fork's copy of a message has another id, and the same times, texts and calls. */
function idOf({ role, created }: JsonObject, [first]: JsonObject[]): string | null {
  if (!first) return null;
  return recordId(JSON.stringify([role, created, first['type'], first['callID'] ?? first['text']]));
}
