// Finds what a failed call says of its failure.

/** Words in a line that names an error, in the languages that programs are translated to. */
const ERROR_WORDS = [
  'error|err!|failed|cannot|not found|not recognized|denied|exception|fatal|fehler|fehlgeschlagen|nicht gefunden|verweigert|erreur|échec',
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
  /\b(?:no such|could(?: not|n.t)|not allowed|unknown|invalid|unable|missing|unexpected|unrecognized|unrecognised|unmatched|no matches|refused|timed out|not permitted|does not exist|did not match)\b/i;

/** `TypeError`, `FileNotFoundException`, and the place that Go's compiler tells */
const ERROR_NAME = /\b[A-Z]\w*(?:Error|Exception)\b|^\S+\.go:\d+:\d+: /;

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
    /npm (?:ERR!|error)(?: (?:code|errno|syscall|path|command|Log files were not|A complete log of|You can rerun)\b.*|\s*)/,
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
/** `> shop@1.0.0 test`: what npm and pnpm say above the command that they run. */
const RUNS_SCRIPT = /^> @?[^\s@]+@\d\S* \S/;
/** `=== open tills ===`: printed by the command itself. If nothing stands below, what it looked for last was not there. */
const HEADING = /^(?:([=#-])\1+|([=#-])\2+ .* \2+)$/;

/** Says that something failed, or how many tests; what, stands elsewhere, if anywhere. */
const HEADS_FAILURE =
  /^(?:.{0,30}(?:error|failed|exception):|> Build error occurred|Failed to compile\.|● Test suite failed to run|(?:ERR_PNPM_\w+|ELIFECYCLE) +(?:Command|Test) failed\b.*|❯ .* \(\d+ tests?\b.*|(?:(?:Test Suites|Test Files|Tests):? +)?\d+ failed\b[^:]*)$/i;
/** A path, an address, a line of `ls -l`: a list of files ends with it. If nothing names what failed, one of them was not there. */
const LISTED =
  /^(?:https?:\/\/\S+|(?:[A-Za-z]:)?[^\s:'"\\/]*[\\/][^\s:'"]*|[\w.[\]-]+\.\w{1,5}|[-dlcbps](?:[r-][w-][-xsStT]){3}[.+@]?\s.*)$/;
/** `]` and `000` tell nothing. */
const HAS_LETTERS = /\p{L}.*\p{L}/u;

/** What PowerShell writes around a message: the line of the script, where that is, in any language, and the kind of error. */
const POWERSHELL = '+ CategoryInfo';
const POWERSHELL_PLACE = '\\p{L}.*:\\s?\\d+\\s[\\p{L} ]{0,20}:\\s?\\d+\\s*';
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

const POWERSHELL_ADVICE = / Check the spelling of the name, or if a path was included, .*/;

/** Older clients without their tag. */
const OF_EDIT = /<tool_use_error>|^Found \d+ matches of the string to replace/m;

/** Claude Code says what was wrong with an edit, and below it what the edit looked for. */
function withoutLookedFor(text: string): string {
  return OF_EDIT.test(text) ? text.split('\nString: ', 1)[0]! : text;
}

/**
 * The most informative line of a failure: the first that names an error, else how the program is used, else the last, unless
 * that only lists what there is; null if there is none.
 * @param mayFindNothing whether the program fails where it finds nothing: then what else was printed does not tell of a failure
 */
export function errorLine(text: string, mayFindNothing = false): string | null {
  const isPowerShell = text.includes(POWERSHELL);
  const unbroken = isPowerShell
    ? text.replace(POWERSHELL_MESSAGE, (message) =>
        message.replace(POWERSHELL_BREAK, '').replace(/\s+/g, ' ').replace(POWERSHELL_ADVICE, ''),
      )
    : text;
  const lines = withoutLookedFor(unbroken)
    .split('\n')
    .map((line) =>
      line
        .replace(/<\/?tool_use_error>/g, '')
        .replace(FRAME_BEFORE, '')
        .replace(FRAME_BEHIND, ''),
    )
    .filter((line) => HAS_LETTERS.test(line) || HEADING.test(line))
    .filter((line) => !OF_STARTUP_FILE.test(line))
    .filter((line, at, all) => !SAYS_NOTHING.test(line) && !isOfRunner(line, all[at - 1]))
    .filter((line) => !isPowerShell || !POWERSHELL_LINE.test(line));
  const isNamed = (line: string): boolean =>
    NAMES_ERROR.test(line.replace(NONE_FAILED, '')) || ERROR_NAME.test(line);
  const heading = lines.findIndex(isNamed);
  const line =
    lines.find((each) => isNamed(each) && !HEADS_FAILURE.test(each)) ??
    lines.slice(heading + 1).findLast((each) => HINTS_AT_ERROR.test(each)) ??
    lines[heading] ??
    lines.find((each) => /^usage:/i.test(each)) ??
    (mayFindNothing ? undefined : lines.slice(-1).find((each) => !LISTED.test(each))) ??
    null;
  return line === null || HEADING.test(line) ? null : line;
}

function isOfRunner(line: string, before = ''): boolean {
  return RUNS_SCRIPT.test(line) || (RUNS_SCRIPT.test(before) && line.startsWith('> '));
}
