import type { TranscriptClient } from '@causantic/domain';

/** What a client makes of an answer before the model sees it, and what it leaves to the server. */
export interface ClientHabits {
  /** A longer answer is cut, or put into a file of which the model sees the first lines. */
  mostBytes?: number;
  /** Shows the model all of a result, `_meta` included. */
  showsMeta?: true;
  /** Gives each argument of a prompt one word of what is typed, and drops the rest; one that stands alone gets all. */
  partsWords?: true;
  /** Its transcripts, which the server reads: a hook may not be there, or be killed with its client. */
  transcripts?: TranscriptClient;
}

/** As seen with the versions that decisions 0086, 0103 and 0109 name; by the name that a client gives itself, and its version. */
const KNOWN: readonly [name: RegExp, habits: ClientHabits, versions?: RegExp][] = [
  // Earlier versions show all, later ones what a tool says that it needs.
  [/^claude-code$/, { mostBytes: 50_000, transcripts: 'claude-code' }, /^2\.1\.(?:5[1-9]|[678]\d|90)$/],
  [/^claude-code$/, { transcripts: 'claude-code' }],
  // Its middle is taken out of what is longer than 10,000 tokens as Codex counts them: 40,000 bytes, escapes and all.
  [/^codex-mcp-client$/, { mostBytes: 34_000, transcripts: 'codex' }],
  // 40,000 characters, of which the first fifth and the last four stay.
  [/^gemini-cli-mcp-client/, { mostBytes: 40_000, transcripts: 'gemini' }],
  [/^opencode$/, { mostBytes: 50_000, transcripts: 'opencode' }],
  [/^qwen-cli-mcp-client/, { mostBytes: 27_000, partsWords: true, transcripts: 'qwen' }],
  [/^copilot-cli$/, { mostBytes: 20_000, transcripts: 'copilot' }],
  // 8,000 characters of JSON, in which line breaks and quotation marks are escaped.
  [/^@cline\/core$/, { mostBytes: 7_000, showsMeta: true }],
];

/** @param client as it names itself */
export function habitsOf({ name, version }: { name: string; version: string }): ClientHabits | undefined {
  const known = KNOWN.find(([names, , versions]) => names.test(name) && (versions?.test(version) ?? true));
  return known?.[1];
}
