import { ClaudeCodeReader, type ClaudeCodeState } from './claude-code/reader.js';
import { ClineReader } from './cline/reader.js';
import { CodexReader, type CodexState } from './codex/reader.js';
import { CopilotReader, type CopilotState } from './copilot/reader.js';
import type { TranscriptFile } from '../transcripts/describe-transcript.js';
import type { EventSink } from './events.js';
import { GeminiReader, type GeminiState } from './gemini/reader.js';
import { NoteReader } from './notes/reader.js';
import { QwenReader, type QwenState } from './qwen/reader.js';
import { OpencodeReader, type OpencodeState } from './opencode/reader.js';
import { ownAgent } from './session-agents.js';
import type { TranscriptReader } from './transcript-reader.js';

/**
 * The reader of a client's format.
 * @param state of an earlier run over the same file, to continue it
 */
export function createReader(file: TranscriptFile, sink: EventSink, state: unknown): TranscriptReader {
  // Records of Claude Code tell of the agent themselves.
  const agent = file.source === 'claude-code' ? null : ownAgent(file);
  if (agent) sink.agent(agent, null);
  switch (file.source) {
    case 'claude-code':
      return new ClaudeCodeReader(file, sink, state as ClaudeCodeState | undefined);
    case 'codex':
      return new CodexReader(file, sink, state as CodexState | undefined);
    case 'gemini':
      return new GeminiReader(file, sink, state as GeminiState | undefined);
    case 'copilot':
      return new CopilotReader(sink, state as CopilotState | undefined);
    case 'qwen':
      return new QwenReader(file, sink, state as QwenState | undefined);
    case 'cline':
      return new ClineReader(file, sink);
    case 'opencode':
      return new OpencodeReader(file, sink, state as OpencodeState | undefined);
    case 'claude-code-notes':
      return new NoteReader(file, sink);
  }
}
