import type { EventSink } from '../events.js';
import { type JsonObject, listOf, stringOf } from '../records.js';
import type { TranscriptPlace, TranscriptReader } from '../transcript-reader.js';

/** Reads the sections of a note. A note is read as a whole whenever it has changed: nothing is remembered. */
export class NoteReader implements TranscriptReader {
  readonly mainAgentKey = null;

  constructor(
    private readonly place: TranscriptPlace,
    private readonly sink: EventSink,
  ) {}

  read(record: JsonObject, line: number): void {
    const text = stringOf(record['text']);
    if (text === null) return;
    const headings = listOf(record['headings']).map(String);
    this.sink.event({
      type: 'note',
      title: [this.place.fileName, ...headings].join(' › '),
      text,
      line,
      timeMs: this.place.modifiedMs,
      gitBranch: null,
      uuid: null,
      parentUuid: null,
      agentKey: null,
    });
  }

  state(): null {
    return null;
  }
}
