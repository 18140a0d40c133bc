// Finds what a failed call says of its failure.
import { jsonValue } from '@causantic/domain';
import { isObject, listOf, stringOf } from '../transcripts/records.js';

/** Words in a line that names an error, in the languages that programs are translated to. */
const ERROR_WORDS = [
  'error|err!|failed|cannot|could not resolve host(?:name)?|not found|not recognized|denied|exception|fatal|fehler|fehlgeschlagen|nicht gefunden|verweigert|erreur|échec',
  'échoué|introuvable|aucun fichier|refusée?|falló|fallido|no encontrad[ao]|no se encontró|no existe|denegado|erro',
  'falhou|não encontrad[ao]|negad[ao]|errore|fallito|non trovat[ao]|negato|błąd|nie znaleziono|nie ma takiego|odmowa',
  'hata|hatası|bulunamadı|başarısız|reddedildi|lỗi|không tìm thấy|ошибка|не найдена?|нет такого|не удалось|отказано',
  'помилка|не знайдено|немає такого|не вдалося|відмовлено',
  // of a program that Windows does not know, whose line below goes on without its name
  'falsch geschrieben|n.est pas reconnue? en tant que|no se reconoce como|não é reconhecido como|non è riconosciuto come',
  'nie jest rozpoznawan[ay] jako|iç ya da dış komut|не является внутренней или внешней',
].join('|');
const ERROR_WORDS_IN_RUNS = [
  '内部コマンドまたは外部コマンド|不是[内內]部或外部命令|내부 또는 외부 명령',
  'エラー|失敗|見つかりません|ありません|できません|拒否|错误|錯誤|失败|无法|無法|找不到|未找到|没有那个|拒绝|拒絕|오류|에러|실패|찾을 수 없|없습니다|거부',
  'خطأ|فشل|שגיאה|נכשל|त्रुटि|विफल|ข้อผิดพลาด|ล้มเหลว|ไม่พบ',
].join('|');
const WORD_LETTER = '[\\p{L}\\p{N}_]';
const NAMES_ERROR = new RegExp(
  `(?<!${WORD_LETTER})(?:${ERROR_WORDS})(?!${WORD_LETTER})|${ERROR_WORDS_IN_RUNS}`,
  'iu',
);

/** Where no line names an error: these words stand in what went well, too. */
const HINTS_AT_ERROR =
  /\b(?:no such|could(?: not|n.t)|not allowed|not valid|are ignored by one of|unknown|invalid|unable|missing|unexpected|unrecognized|unrecognised|unmatched|no matches|refused|timed out|not permitted|does not exist|did not match)\b/i;

/** `TypeError`, `FileNotFoundException`, the place that Go's compiler tells, a panic, and what Git and linkers say. */
const ERROR_NAME =
  /\b[A-Z]\w*(?:Error|Exception)\b|^\S+\.go:\d+:\d+: |\bpanicked at |^panic: |^CONFLICT \(|^! \[(?:remote )?rejected\]|\bundefined reference to /;
/** pytest's: of all that it shows, source too, what the test said. */
const OF_PYTEST = /^E {2,}(?=\S)/;

/** `3 passed; 0 failed`: of what did not fail; but `node 20.0 failed`, `attempt 0 failed with`. */
const NONE_FAILED =
  /(?<![\w.])0 (?:failed\b(?!:| (?!and\b|tests?\b)[a-z])|errors?\b(?!:))|\b(?:failed|errors): 0\b/gi;

/** Lines and boxes that programs draw, at the ends of a line. */
const FRAME_BEFORE = /^[\s|│┃╭╰┌└─━═⎯]+/;
/** Looked for where a run of these begins, or a long one in the midst of a line would be looked through from each sign. */
const FRAME_BEHIND = /(?<![\s|│┃╮╯┐┘─━═⎯])[\s|│┃╮╯┐┘─━═⎯]+$/;
/**
 * That something failed, and not what: from a client, as a heading, or a key that was pressed; of runners the command, and
 * of test runners and uncaught errors lines of the source; what npm says of itself.
 */
const SAYS_NOTHING = new RegExp(
  `^(?:${[
    /(?:\[[\w:-]+\] )?\$ .*|(?:> ?)?\d+ *[|│] .*|(?:> +)?(?:throw|raise|return new|const \w+ = new) .*|Node\.js v\d[\d.]*/,
    /\[[\w:-]+\] ERROR task failed|Exit code -?\d+|\((?:no output|empty)\)|\[\.{3} omitted \d+ of \d+ lines \.{3}\]|\^C|[\u2800-\u28ff]+(?:\^C)?/,
    /\W*(?:error|fail(?:ed|ure)?)\W*|Failed (?:Suites|Tests) \d+|\W*(?:x )?Build failed in .*|error during build:/,
    /InputValidationError: (?:\[|\S+ failed due to the following issues?:)/,
    /npm (?:ERR!|error)(?: (?:code|errno|syscall|path|dest|cwd|workspace|location|command|Lifecycle script|Log files were not|A complete log of|You can rerun)\b.*|\s*)/,
    // Git's advice, and what it and its hosts say of each push
    /hint: .*|remote: error: (?:Trace: \w+|See https?:\S+ for more information\.)|warning: .*(?:LF will be replaced by (?:CR)?LF|CRLF will be replaced by LF) .*/,
    // a line of source that a search found or a command numbered; searches that found nothing
    /(?:[^\s:]+:)?\d+:(?: {2,}|\t).*|0 matches for .*|\[… [\d,]+ characters left out.*|File ".*", line \d+.*/,
    // tests that passed; of Go, whose compiler's lines stand beside them; the prompt of Windows with each command of a script
    /[✓✔√] .*|FAIL\s+\S+ \[(?:build|setup) failed\]|(?:\?|ok)\s+\S+\s+(?:\[no test files\]|[\d.]+s|\(cached\)).*|[A-Za-z]:\\[^<>|:"*?]*>.*/,
  ]
    .map(({ source }) => source)
    .join('|')})$`,
  'i',
);
/** What is wrong in a file that a shell begins with, for each command, whatever becomes of that. */
const OF_STARTUP_FILE =
  /^[^:]*\/(?:\.(?:profile|bash(?:rc|_\w+)|z(?:shrc|shenv|profile|login))|shellenv\.sh):(?:(?:\.|source):| line)? ?\d+: .*(?:not found|not permitted|no such file or directory|permission denied)\b/i;
/** Below it Python shows the line of the source. */
const IN_PYTHON = /^\s*File ".*", line \d+/;
/** `> shop@1.0.0 test`: what npm and pnpm say above the command that they run. */
const RUNS_SCRIPT = /^> @?[^\s@]+@\d\S* \S/;
/** `=== open tills ===`: printed by the command itself. If nothing stands below, what it looked for last was not there. */
const HEADING = /^(?:([=#-])\1+|([=#-])\2{1,80}(?!\2).*\2\2)$/;

/** Says that something failed, how many tests, or warns; what failed, stands elsewhere, if anywhere. */
const HEADS_FAILURE = new RegExp(
  `^(?:${[
    /.{0,30}(?:error|failed|exception):|> Build error occurred|Failed to compile\.|● Test suite failed to run|Unhandled (?:Error|Rejection)s?/,
    /(?:ERR_PNPM_\w+|ELIFECYCLE) +(?:Command|Test) failed\b.*|make(?:\[\d+\])?: \*\*\* .* Error \d+|collect2: error: ld returned .*/,
    /❯ .* \(\d+ tests?\b.*|(?:(?:Test Suites|Test Files|Tests):? +)?\d+ failed\b[^:]*|_{3,} .* _{3,}/,
    /\W*(?:npm )?warn(?:ing)?\b.*|error: failed to push some refs to .*|Automatic merge failed;.*|fatal: Could not read from remote .*/,
  ]
    .map(({ source }) => source)
    .join('|')})$`,
  'i',
);
/** A path, an address, a line of `ls -l`: a list of files ends with it. If nothing names what failed, one of them was not there. */
const LISTED =
  /^(?:https?:\/\/\S+|[A-Z% ]*\bPID\b[A-Z% ]*|(?:[A-Za-z]:)?[^\s:]+:\d+:.*|(?:[A-Za-z]:)?[^\s:'"\\/]*[\\/][^\s:'"]*|[\w.[\]-]+\.\w{1,5}|[-dlcbps](?:[r-][w-][-xsStT]){3}[.+@]?\s.*)$/;
/** `]` and `000` tell nothing. */
const HAS_LETTERS = /\p{L}.*\p{L}/u;

/** What PowerShell writes around a message: the line of the script, where that is, in any language, and the kind of error. */
const POWERSHELL = '+ CategoryInfo';
const POWERSHELL_PLACE = '\\p{L}.*:\\s?\\d+\\s[\\p{L} ]{0,20}:\\s?\\d+\\s*';
const BEGINS_POWERSHELL = new RegExp(`^${POWERSHELL_PLACE}$`, 'u');
const POWERSHELL_LINE = new RegExp(`^(?:\\+ .*|${POWERSHELL_PLACE})$`, 'u');
/**
 * A message of its own commands, of a script and of a name that none has, which it breaks into lines as wide as its window, up to
 * where the line of the script is told.
 */
const POWERSHELL_MESSAGE = new RegExp(
  `^(?:[A-Z]\\w+-\\w+|[A-Za-z]:[^\\n:]+\\.ps1|[^\\s+][^\\n]{0,200}?(?= : The term ')) : [^\\n]*(?:\\n[^\\n+][^\\n]*){0,5}?(?=\\n${POWERSHELL_PLACE}$)`,
  'gmu',
);
/** Where a line of it ends in the middle of a word: behind a whole one its blank is kept. */
const POWERSHELL_BREAK = /(?<=[^\n]{78}[^\s.,:;])\r?\n(?=\S)/g;

/** The script could not be read: each mistake in it follows its place, and at last that there are more. */
const OF_PARSER = /\+ CategoryInfo +: ParserError/;

const POWERSHELL_ADVICE = / Check the spelling of the name, or if a path was included, .*/;

const OF_PATCH = /^(?:apply_patch verification failed: )?Failed to find [^\n]*:\n/;
/** Older clients without their tag. */
const OF_EDIT = /<tool_use_error>|^Found \d+ matches of the string to replace/m;

/** Clients say what was wrong with an edit, and below it what the edit looked for. */
function withoutLookedFor(text: string): string {
  if (OF_PATCH.test(text)) return text.split('\n', 1)[0]!;
  return OF_EDIT.test(text) ? text.split('\nString: ', 1)[0]! : text;
}

/** Claude Code tells what is wrong with a call as JSON: of the first, where it is and what. */
function validationIssue(text: string): string | null {
  const json = /^(?:<tool_use_error>)?InputValidationError: (\[[^]*\])/.exec(text)?.[1];
  let issue = listOf(json && jsonValue(json))[0];
  const path = listOf(isObject(issue) && issue['path']).join('.');
  // Of each form that a value may have, what is wrong with it as that: the first is what is meant.
  for (let inner = issue; isObject(inner); inner = listOf(listOf(inner['errors'])[0])[0]) issue = inner;
  const message = isObject(issue) ? stringOf(issue['message']) : null;
  return message && [path, message].filter(Boolean).join(': ');
}

/**
 * The most informative line of a failure: the first that names an error, else how the program is used, else the last, unless
 * that only lists what there is; null if there is none.
 * @param mayFindNothing whether the program fails where it finds nothing: then what else was printed does not tell of a failure
 */
export function errorLine(text: string, mayFindNothing = false): string | null {
  const issue = validationIssue(text);
  if (issue !== null) return issue;
  const lines = tellingLines(text);
  const ofPytest = lines.find((each) => OF_PYTEST.test(each));
  if (ofPytest !== undefined) return ofPytest.replace(OF_PYTEST, '');
  const heading = lines.findIndex(isNamed);
  const at = [
    lines.findIndex((each, at) => isNamed(each, at, lines) && !HEADS_FAILURE.test(each)),
    lines.findLastIndex((each, at) => at > heading && HINTS_AT_ERROR.test(each)),
    heading,
    lines.findIndex((each) => /^usage:/i.test(each)),
    mayFindNothing || LISTED.test(lines.at(-1) ?? '') ? -1 : lines.length - 1,
  ].find((each) => each !== -1);
  const said = at === undefined ? null : withWhatFollows(lines, at);
  // Where a test runner lists what failed, the kind of error stands below.
  const line = (said?.startsWith('→ ') && lines.find((each) => each.endsWith(`: ${said.slice(2)}`))) || said;
  return line === null || HEADING.test(line) ? null : line;
}

/** The lines that may tell of a failure, without what frames them. */
function tellingLines(text: string): string[] {
  const isPowerShell = text.includes(POWERSHELL);
  const unbroken = isPowerShell
    ? text.replace(POWERSHELL_MESSAGE, (message) =>
        message.replace(POWERSHELL_BREAK, '').replace(/\s+/g, ' ').replace(POWERSHELL_ADVICE, ''),
      )
    : text;
  const lines = withoutLookedFor(unbroken)
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
  if (!isPowerShell) return lines;
  const isOfParser = OF_PARSER.test(text);
  const first = isOfParser ? lines.findIndex((line) => BEGINS_POWERSHELL.test(line)) : 0;
  const messages = lines.slice(Math.max(0, first)).filter((line) => !POWERSHELL_LINE.test(line));
  return isOfParser ? messages.slice(0, 1) : messages;
}

function isNamed(line: string, at = 0, lines: readonly string[] = []): boolean {
  if (ERROR_NAME.test(line) || NAMES_ERROR.test(line.replace(NONE_FAILED, ''))) return true;
  // vitest's, below the name of a test that failed
  return line.startsWith('→ ') && /^[×✗] /.test(lines[at - 1] ?? '');
}

/** A line that ends with a colon, or with how many tests, tells less than the next. */
function withWhatFollows(lines: readonly string[], at: number): string {
  const [line, next] = lines.slice(at, at + 2);
  if (!/:$|^\d+ failed$/.test(line!) || next === undefined || /^at /.test(next)) return line!;
  return isNamed(next) && !HEADS_FAILURE.test(next) ? next : `${line} ${next}`;
}

function isOfRunner(line: string, before = ''): boolean {
  return RUNS_SCRIPT.test(line) || (RUNS_SCRIPT.test(before) && line.startsWith('> '));
}
