// Finds what a failed call says of its failure.
import { hintsAtError, namesError } from './error-words.js';
import { validationIssue } from './refused-calls.js';
import { HEADING, unframedLines, wholeLine } from './unframed-lines.js';

/** pytest's: of all that it shows, source too, what the test said. */
const OF_PYTEST = /^E {2,}(?=\S)/;

/** Says that something failed, how many tests, or warns; what failed, stands elsewhere, if anywhere. */
const HEADS_FAILURE = wholeLine(
  [
    /.{0,30}(?:error|failed|exception):|> Build error occurred|Failed to compile\.|● Test suite failed to run|Unhandled (?:Error|Rejection)s?/,
    /(?:ERR_PNPM_\w+|ELIFECYCLE) +(?:Command|Test) failed\b.*|make(?:\[\d+\])?: \*\*\* .* Error \d+|collect2: error: ld returned .*/,
    /❯ .* \(\d+ tests?\b.*|(?:(?:Test Suites|Test Files|Tests):? +)?\d+ failed\b[^:]*|_{3,} .* _{3,}/,
    /\W*(?:npm )?warn(?:ing)?\b.*|error: failed to push some refs to .*|Automatic merge failed;.*|fatal: Could not read from remote .*/,
    /> Task :\S+ FAILED|FAILURE: Build failed with an exception\.|Build FAILED\.|[×✗] .* \d+m?s|FAIL(?:: | +\S+ > ).*/,
  ],
  'i',
);
/**
 * A path, an address, a line of `ls -l` or one that a search found, behind whose number no blank stands as before what a linter says,
 * an item, a package, a version, a setting, or a line of a log that is no warning: a list ends with it. If nothing names what failed,
 * one of them was not there.
 */
const LISTED = wholeLine([
  /https?:\/\/\S+|(?=[A-Z% ]*\bPID\b)[A-Z% ]+|(?:[A-Za-z]:)?[^\s:]+:\d+:(?!(?:\d+:)? \S).*|(?:[A-Za-z]:)?[^\s:'"\\/]*[\\/][^\s:'"]*|[\w.[\]-]+\.\w{1,5}|[-dlcbps](?:[r-][w-][-xsStT]){3}[.+@]?\s.*/,
  /(?:\d+[.)]|[-*•]) \S+|@?[\w./-]+@\d[\w.+-]*(?: .*)?|[A-Za-z][\w.+-]* v?\d+(?:\.\d+)+\S*|\w[\w.]* ?= ?\S*/,
  /\d{4}-\d\d-\d\d[T ][\d:]+\S* .*\b(?:INFO|DEBUG)\b.*/,
]);

/**
 * The most informative line of a failure: the first that names an error, else how the program is used, else the last, unless
 * that only lists what there is; null if there is none.
 * @param mayFindNothing whether the program fails where it finds nothing: then what else was printed does not tell of a failure
 */
export function errorLine(text: string, mayFindNothing = false): string | null {
  const issue = validationIssue(text);
  if (issue !== null) return issue;
  const lines = unframedLines(text);
  const ofPytest = lines.find((each) => OF_PYTEST.test(each));
  if (ofPytest !== undefined) return ofPytest.replace(OF_PYTEST, '');
  const heading = lines.findIndex(isNamed);
  const at = [
    lines.findIndex((each, at) => isNamed(each, at, lines) && !HEADS_FAILURE.test(each)),
    lines.findLastIndex((each, at) => at > heading && hintsAtError(each)),
    heading,
    lines.findIndex((each) => /^usage:/i.test(each)),
    mayFindNothing || LISTED.test(lines.at(-1) ?? '') ? -1 : lines.length - 1,
  ].find((each) => each !== -1);
  const said = at === undefined ? null : withWhatFollows(lines, at);
  // Where a test runner lists what failed, the kind of error stands below.
  const line = (said?.startsWith('→ ') && lines.find((each) => each.endsWith(`: ${said.slice(2)}`))) || said;
  return line === null || HEADING.test(line) ? null : line;
}

function isNamed(line: string, at = 0, lines: readonly string[] = []): boolean {
  if (namesError(line)) return true;
  // vitest's, below the name of a test that failed
  return line.startsWith('→ ') && /^[×✗] /.test(lines[at - 1] ?? '');
}

/** A line that ends with a colon, with how many tests, or with the task of Gradle's, tells less than the next. */
const TOLD_BELOW = /:$|^\d+ failed$|^Execution failed for task '.*'\.$/;

function withWhatFollows(lines: readonly string[], at: number): string {
  const [line, next] = lines.slice(at, at + 2);
  if (!TOLD_BELOW.test(line!) || next === undefined || /^at /.test(next)) return line!;
  return isNamed(next) && !HEADS_FAILURE.test(next) ? next : `${line} ${next}`;
}
