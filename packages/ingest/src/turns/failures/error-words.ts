// Which lines name an error.

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
  /\b(?:no such|could(?: not|n.t)|not allowed|not? valid|not a git repository|no matching|found matching|are ignored by one of|unknown|invalid|unable|missing|unexpected|unrecognized|unrecognised|unmatched|no matches|refused|timed out|not permitted|does not exist|did not match)\b/i;

/** `TypeError`, `FileNotFoundException`, the places that the compilers of Go and Kotlin tell, a panic, a test, and what Git and linkers say. */
const ERROR_NAME =
  /\b[A-Z]\w*(?:Error|Exception)\b|^\S+\.go:\d+:\d+: |^e: (?=file:|\/|[A-Z]:)|\bpanicked at |^panic: |^FAIL: |^CONFLICT \(|^! \[(?:remote )?rejected\]|\bundefined reference to /;

/** `3 passed; 0 failed`: of what did not fail; but `node 20.0 failed`, `attempt 0 failed with`. */
const NONE_FAILED =
  /(?<![\w.])0 (?:failed\b(?!:| (?!and\b|tests?\b)[a-z])|errors?\b(?!:))|\b(?:failed|errors): 0\b/gi;

/** Whether a line names an error, and not that there was none. */
export function namesError(line: string): boolean {
  return ERROR_NAME.test(line) || NAMES_ERROR.test(line.replace(NONE_FAILED, ''));
}

/** Whether it may do so, where no other line names one. */
export function hintsAtError(line: string): boolean {
  return HINTS_AT_ERROR.test(line);
}
