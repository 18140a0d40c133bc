/** What leads Causantic and its clients to other places than the home, or changes what is printed. */
const OF_THE_USER =
  /^(CAUSANTIC|CLAUDE|CODEX|GEMINI|COPILOT|QWEN|OPENCODE|CLINE|XDG)_|^(NO|FORCE)_COLOR$|^PAGER$/;

/** The environment of whoever runs the tests, without what would lead to their own sessions and settings. */
export function neutralEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !OF_THE_USER.test(entry[0]),
  );
  return Object.fromEntries(kept);
}
