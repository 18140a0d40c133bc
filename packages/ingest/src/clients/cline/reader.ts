import { contentBlocks } from '../claude-code/content.js';
import type { TranscriptFile } from '../../transcripts/describe-transcript.js';
import { type EventSink, type Place, tell } from '../events.js';
import { type JsonObject, objectOf, stringOf, timeMsOfNumber } from '../../transcripts/records.js';
import { recordId } from '../../text/text-hash.js';
import type { TranscriptReader } from '../transcript-reader.js';
import { isClineHead } from './head.js';
import { saidIn } from './said.js';
import { toolInputs, toolOutputs } from './tools.js';

/** Reads the messages of Cline's sessions, which are only ever added to; a message says all there is to know of it. */
export class ClineReader implements TranscriptReader {
  constructor(
    private readonly file: TranscriptFile,
    private readonly sink: EventSink,
  ) {}

  read(record: JsonObject, line: number): void {
    if (isClineHead(record)) {
      const { version } = objectOf(record['origin']);
      return this.sink.session({ clientVersion: stringOf(version), gitBranch: this.file.gitBranch ?? null });
    }
    const id = stringOf(record['id']);
    const place: Place = {
      line,
      timeMs: timeMsOfNumber(record['ts']),
      gitBranch: this.file.gitBranch ?? null,
      // A member of a team that goes on begins with a copy of what it said before.
      uuid: id && recordId(`${id} ${String(record['ts'])}`),
      parentUuid: null,
      agentKey: this.file.agentKey,
    };
    if (record['role'] === 'user') this.readUser(record, place);
    if (record['role'] === 'assistant') this.readAnswer(record, place);
  }

  private readUser(message: JsonObject, place: Place): void {
    const blocks = contentBlocks(message['content']);
    for (const block of blocks) if (block['type'] === 'tool_result') this.readResult(block, place);
    const { text, added } = saidIn(message);
    tell(this.sink, place, this.typeOf(message), text);
    for (const instructions of added) tell(this.sink, place, 'injected', instructions);
    blocks.forEach((block, at) => {
      if (block['type'] === 'file') this.readFile(block, `${place.uuid ?? place.line}/${at}`, place);
    });
  }

  /** What the client says in a person's name has a kind: that a loop was detected, or what was summarized. */
  private typeOf(message: JsonObject): 'prompt' | 'assignment' | 'injected' | 'compaction' {
    const { kind } = objectOf(message['metadata']);
    if (kind === 'compaction_summary') return 'compaction';
    if (kind !== undefined) return 'injected';
    return this.file.agentKey === null ? 'prompt' : 'assignment';
  }

  /** A file that the person mentioned with `@`. */
  private readFile(block: JsonObject, id: string, place: Place): void {
    const input = { file_path: block['path'] };
    this.sink.event({ ...place, type: 'tool-call', id, name: 'Attachment', input });
    const text = stringOf(block['content']) ?? '';
    this.sink.event({ ...place, type: 'tool-result', id, text, isError: false });
  }

  private readResult(block: JsonObject, place: Place): void {
    const id = stringOf(block['tool_use_id']);
    for (const [at, output] of toolOutputs(block).entries()) {
      this.sink.event({ ...place, type: 'tool-result', id: callId(id, at), ...output });
    }
  }

  private readAnswer(message: JsonObject, place: Place): void {
    for (const block of contentBlocks(message['content'])) {
      switch (block['type']) {
        case 'text':
          tell(this.sink, place, 'answer', block['text']);
          break;
        case 'thinking':
          tell(this.sink, place, 'thinking', block['thinking']);
          break;
        case 'tool_use':
          this.readCall(block, place);
      }
    }
  }

  private readCall(block: JsonObject, place: Place): void {
    const name = stringOf(block['name']) ?? 'tool';
    const id = stringOf(block['id']);
    for (const [at, input] of toolInputs(name, block['input']).entries()) {
      this.sink.event({ ...place, type: 'tool-call', id: callId(id, at), name, input });
    }
  }
}

/** One of the things that a call asks for. */
function callId(id: string | null, at: number): string | null {
  return id === null || at === 0 ? id : `${id}/${at}`;
}
