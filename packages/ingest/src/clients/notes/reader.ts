import { basename } from 'node:path';
import type { TranscriptFile } from '../../transcripts/describe-transcript.js';
import type { EventSink } from '../events.js';
import { type JsonObject, listOf, stringOf } from '../../transcripts/records.js';
import type { TranscriptReader } from '../transcript-reader.js';

/** Reads the sections of a note. A note is read as a whole whenever it has changed: nothing is remembered. */
export class NoteReader implements TranscriptReader {
  constructor(
    private readonly file: TranscriptFile,
    private readonly sink: EventSink,
  ) {}

  read(record: JsonObject, line: number): void {
    const text = stringOf(record['text']);
    if (text === null) return;
    const changedMs = Date.parse(stringOf(record['changedAt']) ?? '');
    const { modifiedMs } = this.file;
    const headings = listOf(record['headings']).map(String);
    this.sink.event({
      type: 'note',
      title: [basename(this.file.path), ...headings].join(' › '),
      text,
      line,
      // Copied or checked out, a file is younger than what it says.
      timeMs: changedMs < modifiedMs ? changedMs : modifiedMs,
      gitBranch: null,
      uuid: null,
      parentUuid: null,
      agentKey: null,
    });
  }
}
