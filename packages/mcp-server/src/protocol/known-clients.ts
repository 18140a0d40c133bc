import type { TranscriptClient } from '@causantic/domain';

/** How a client changes an answer before the model sees it, and what it leaves to the server. */
export interface ClientHabits {
  /** Longer answers are cut, or written to a file of which the model sees the first lines. */
  mostBytes?: number;
  /** Whether it shows the model the whole result, including `_meta`. */
  showsMeta?: true;
  /** Whether it gives each argument of a prompt one typed word, and drops the rest; a single argument gets everything. */
  partsWords?: true;
  /** Its transcripts, which the server reads, because hooks may be missing, or be killed with the client. */
  transcripts?: TranscriptClient;
}

/** As observed with the versions in decisions 0086, 0103 and 0109; by the client's own name and version. */
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
  // 8,192 characters; of what is longer, its model sees only the name of a file.
  [/^(?:Visual Studio Code|VSCodium|code-server)/, { mostBytes: 8_000 }],
  // 8,000 characters of JSON, in which line breaks and quotation marks are escaped.
  [/^@cline\/core$/, { mostBytes: 7_000, showsMeta: true, transcripts: 'cline' }],
];

/** The name of a client without what mcp-remote, which leads it to an address, adds: `opencode (via mcp-remote 0.15.1)`. */
export function ownName(name: string): string {
  return name.replace(/ \(via mcp-remote .*\)$/, '');
}

/** @param client as it names itself */
export function habitsOf({ name, version }: { name: string; version: string }): ClientHabits | undefined {
  const known = KNOWN.find(([names, , versions]) => names.test(name) && (versions?.test(version) ?? true));
  return known?.[1];
}
