/** What a client makes of an answer before the model sees it. */
export interface ClientHabits {
  /** A longer answer is cut, or put into a file of which the model sees the first lines. */
  mostBytes: number;
  /** Shows the model all of a result, `_meta` included. */
  showsMeta?: true;
  /** Gives each argument of a prompt one word of what is typed, and drops the rest; one that stands alone gets all. */
  partsWords?: true;
}

/** As seen with the versions that docs/decisions/0086-http.md names; by the name that a client gives itself. */
const KNOWN: readonly [name: RegExp, habits: ClientHabits][] = [
  // Its middle is taken out of what is longer than 10,000 tokens as Codex counts them: 40,000 bytes, escapes and all.
  [/^codex-mcp-client$/, { mostBytes: 34_000 }],
  [/^opencode$/, { mostBytes: 50_000 }],
  [/^qwen-cli-mcp-client/, { mostBytes: 27_000, partsWords: true }],
  [/^copilot-cli$/, { mostBytes: 20_000 }],
  // 8,000 characters of JSON, in which line breaks and quotation marks are escaped.
  [/^@cline\/core$/, { mostBytes: 7_000, showsMeta: true }],
];

export function habitsOf(clientName = ''): ClientHabits | undefined {
  return KNOWN.find(([name]) => name.test(clientName))?.[1];
}
