/**
 * What stands above a page of Spec Kit's, with what was typed behind the command that it was made of. Early versions of
 * Codex (seen in 0.40) sent it with its head, and filled in nothing.
 */
const PAGE =
  /^\s*(?:---\r?\n(?:[^\n]*\r?\n){1,30}?---\s+)?(?:## Checklist Purpose\b[^]*?\n)?## User Input\r?\n\r?\n```text\r?\n([^]*?)\r?\n```\r?\n\r?\nYou \*\*MUST\*\* consider the user input before proceeding \(if not empty\)\./;

const UNFILLED = '$ARGUMENTS';

/** Its pages in 2025, as versions of Codex (until October of that year) sent them that filled in nothing. */
const FIRST_PAGE =
  /^---\r?\ndescription: ([^\n]+)\r?\n(?:[^\n]*\r?\n){0,9}?---\s+The user input (?:to you )?can be provided directly by the agent or as a command argument\b/;

/** Nothing names the command: what tells it stands in its page alone. */
const COMMANDS: readonly [name: string, sign: RegExp][] = [
  ['specify', /The text the user typed after `\/(?:speckit\.)?specify`/],
  ['constitution', /updating the project constitution\b/],
  ['clarify', /Detect and reduce ambiguity\b/],
  ['plan', /\bsetup[-_]plan\b/],
  ['analyze', /Identify inconsistencies, duplications\b/],
  ['checklist', /Derive (?:up to )?THREE\b[^\n]* clarifying questions\b/],
  ['taskstoissues', /\bremote\.origin\.url\b/],
  ['tasks', /Task Generation Rules\b/i],
  ['implement', /-RequireTasks\b|--require-tasks\b/],
];

/**
 * The command of Spec Kit's that Codex made a text of, and what was typed behind it; null for any other text. A page of
 * somebody's own in the same frame is told by how it begins, and one that was not filled in by what it says it does.
 */
export function specKitCommand(text: string): string | null {
  const unfilled = FIRST_PAGE.exec(text)?.[1];
  if (unfilled !== undefined) return unfilled.trim();
  const [frame, typed = ''] = PAGE.exec(text) ?? [];
  if (frame === undefined) return null;
  const page = text.slice(frame.length);
  const name = COMMANDS.find(([, sign]) => sign.test(page))?.[0];
  const given = typed === UNFILLED ? '' : typed;
  const command = name === undefined ? given : `/speckit.${name} ${given}`;
  return command.trim() || beginOf(page);
}

/** Its first line that is no heading. */
function beginOf(page: string): string {
  return /^(?![#\s])[^\n]*/m.exec(page)?.[0].trim() ?? '';
}
