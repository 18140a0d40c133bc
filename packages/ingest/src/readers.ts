import type { TranscriptSource } from '@causantic/domain';
import { ClaudeCodeReader, type ClaudeCodeState } from './claude-code/reader.js';
import { CodexReader, type CodexState } from './codex/reader.js';
import { CopilotReader, type CopilotState } from './copilot/reader.js';
import type { EventSink } from './events.js';
import { GeminiReader, type GeminiState } from './gemini/reader.js';
import { NoteReader } from './notes/reader.js';
import type { TranscriptPlace, TranscriptReader } from './transcript-reader.js';

/**
 * The reader of a client's format.
 * @param state of an earlier run with the same file, where it goes on
 */
export function createReader(
  source: TranscriptSource,
  place: TranscriptPlace,
  sink: EventSink,
  state: unknown,
): TranscriptReader {
  switch (source) {
    case 'claude-code':
      return new ClaudeCodeReader(place, sink, state as ClaudeCodeState | undefined);
    case 'codex':
      return new CodexReader(place, sink, state as CodexState | undefined);
    case 'gemini':
      return new GeminiReader(place, sink, state as GeminiState | undefined);
    case 'copilot':
      return new CopilotReader(sink, state as CopilotState | undefined);
    case 'claude-code-notes':
      return new NoteReader(place, sink);
  }
}
