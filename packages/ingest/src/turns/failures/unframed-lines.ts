// The lines of a failure without what programs draw and say around it.
import { isOfPowerShell, joinedMessages, messageLines } from './powershell-messages.js';
import { withoutLookedFor } from './refused-calls.js';

/** Lines and boxes that programs draw, at the ends of a line. */
const FRAME_BEFORE = /^[\s|│┃╭╰┌└─━═⎯]+/;
/** Looked for where a run of these begins, or a long one in the midst of a line would be looked through from each sign. */
const FRAME_BEHIND = /(?<![\s|│┃╮╯┐┘─━═⎯])[\s|│┃╮╯┐┘─━═⎯]+$/;
/**
 * That something failed, and not what: from a client, as a heading, or a key that was pressed; of runners the command, and
 * of test runners and uncaught errors lines of the source; what npm says of itself.
 */
const SAYS_NOTHING = wholeLine(
  [
    /(?:\[[\w:-]+\] )?\$ .*|(?:> ?)?\d+ *[|│] .*|(?:> +)?(?:throw|raise|return new|const \w+ = new) .*|Node\.js v\d[\d.]*/,
    /\[[\w:-]+\] ERROR task failed|Exit code -?\d+|\((?:no output|empty)\)|\[\.{3} omitted \d+ of \d+ lines \.{3}\]|\^C|[\u2800-\u28ff]+(?:\^C)?/,
    /\W*(?:error|fail(?:ed|ure)?)\W*|Failed (?:Suites|Tests) \d+|\W*(?:x )?Build failed in .*|error during build:/,
    /InputValidationError: (?:\[|\S+ failed due to the following issues?:)/,
    /npm (?:ERR!|error)(?: (?:code|errno|syscall|path|dest|cwd|workspace|location|command|Lifecycle script|Log files were not|A complete log of|You can rerun)\b.*|\s*)/,
    // Git's advice, and what it and its hosts say of each push
    /hint: .*|remote: error: (?:Trace: \w+|See https?:\S+ for more information\.)|warning: .*LF will be replaced by (?:CR)?LF .*/,
    // a line of source that a search found or a command numbered; searches that found nothing
    /(?:[^\s:]+:)?\d+:(?: {2,}|\t).*|0 matches for .*|\[… [\d,]+ characters left out.*|File ".*", line \d+(?:, .*)?/,
    // tests that passed; of Go, whose compiler's lines stand beside them; the prompt of Windows with each command of a script
    /[✓✔√] .*|FAIL\s+\S+ \[(?:build|setup) failed\]|(?:\?|ok)\s+\S+\s+(?:\[no test files\]|[\d.]+s|\(cached\)).*|[A-Za-z]:\\[^<>|:"*?]*>.*/,
    /PASS(?:ED)?: .*|PASS +\S+\.\w+(?: \([\d.]+ m?s\))?/,
    // options of a help; how far builds are, and what of them is no error
    /(?:-\w, )?--[\w-]+(?:[ =]\S+)? {2,}\S.*|\[\d+\/\d+\] \w+ing .*|\d+ (?:Warning|Error)\(s\)|Time Elapsed .*/,
    /\d+:\d+ +warning +.*|\d+ errors? and \d+ warnings? potentially fixable .*|requireStack: .*|gpg: Total number processed: .*/,
    /(?:rg: )?No files were searched, which means ripgrep .*|Running with --debug will show why files are being skipped\./,
  ],
  'i',
);
/** A line that is all of one of these. */
export function wholeLine(patterns: readonly RegExp[], flags?: string): RegExp {
  return new RegExp(`^(?:${patterns.map(({ source }) => source).join('|')})$`, flags);
}

/** What is wrong in a file that a shell begins with, for each command, whatever becomes of that. */
const OF_STARTUP_FILE =
  /^[^:]*\/(?:\.(?:profile|bash(?:rc|_\w+)|z(?:shrc|shenv|profile|login))|shellenv\.sh):(?:(?:\.|source):| line)? ?\d+: .*(?:not found|not permitted|no such file or directory|permission denied)\b/i;
/** Below it Python shows the line of the source. */
const IN_PYTHON = /^\s*File ".*", line \d+/;
/** `> shop@1.0.0 test`: what npm and pnpm say above the command that they run. */
const RUNS_SCRIPT = /^> @?[^\s@]+@\d\S* \S/;
/** `=== open tills ===`, `## tills`: printed by the command itself. If nothing stands below, what it looked for last was not there. */
export const HEADING = /^(?:([=#-])\1+|#{2,6} .*|([=#-])\2{1,80}(?!\2).*\2\2)$/;

/** `]` and `000` tell nothing. */
const HAS_LETTERS = /\p{L}.*\p{L}/u;

/** The lines that may tell of a failure, without what frames them. */
export function unframedLines(text: string): string[] {
  const isPowerShell = isOfPowerShell(text);
  const lines = withoutLookedFor(isPowerShell ? joinedMessages(text) : text)
    .split('\n')
    .filter((line, at, all) => !(/^ {4}/.test(line) && IN_PYTHON.test(all[at - 1] ?? '')))
    .map((line) =>
      line
        .replace(/<\/?tool_use_error>/g, '')
        .replace(FRAME_BEFORE, '')
        .replace(FRAME_BEHIND, ''),
    )
    .filter((line) => HAS_LETTERS.test(line) || HEADING.test(line))
    .filter((line) => !OF_STARTUP_FILE.test(line))
    .filter((line, at, all) => !SAYS_NOTHING.test(line) && !isOfRunner(line, all[at - 1]));
  return isPowerShell ? messageLines(text, lines) : lines;
}

function isOfRunner(line: string, before = ''): boolean {
  return RUNS_SCRIPT.test(line) || (RUNS_SCRIPT.test(before) && line.startsWith('> '));
}
