import { literally, madeOnce } from '@causantic/domain';
import type { TextLanguage } from '@causantic/storage';
import { MEMORY_WORDS } from './memory-words.js';
import { accentsLeftOut, LETTER } from './patterns.js';
import { type Form, form, type NamedParts, YEAR } from './time-form.js';
import { ago, calendar, dates, last, lastWeekday, type TimeSpan } from './time-spans.js';
import { partOf } from './times-in-english.js';

/**
 * Times as other languages name them (`gestern`, `il y a 3 jours`, `9 июля`, `先週`), from the tables of the Unicode CLDR
 * that Node contains.
 */
export function timesInOtherLanguages({ maybe, isOther }: TextLanguage): Form[] {
  return maybe.flatMap((code) => {
    const { clear, namesAlone } = formsOf(code);
    return isOther ? [...clear, ...namesAlone] : clear;
  });
}

interface Forms {
  clear: Form[];
  /** Months and weekdays, which may be names in another language. */
  namesAlone: Form[];
}

const byCode = new Map<string, Forms>();

/** Made when first asked for: it takes a millisecond or two. */
function formsOf(code: string): Forms {
  return madeOnce(byCode, code, () => madeFor(code));
}

function madeFor(code: string): Forms {
  // A Node that was built without other languages would answer in English.
  if (Intl.DateTimeFormat.supportedLocalesOf(code).length === 0) return { clear: [], namesAlone: [] };
  const { ofParts, ofDates, ofMonths } = formsOfDates(code);
  return {
    clear: [...ofParts, ...ofDates, ...lastCounted(code), ...countedFromNow(code), ...namedFromNow(code)],
    namesAlone: [ofMonths, ...formsOfWeekdays(code)],
  };
}

type Unit = keyof typeof calendar;
/** Longer names before those that they contain. */
const NAMED: readonly (readonly [back: number, unit: Unit])[] = [
  [2, 'day'],
  [1, 'day'],
  [0, 'day'],
  [1, 'week'],
  [0, 'week'],
  [1, 'month'],
  [0, 'month'],
  [1, 'year'],
];
/** Common ones that CLDR has another word for. */
const ALSO: Record<string, readonly (readonly [pattern: string, back: number, unit: Unit])[]> = {
  de: [['vorige[nr]? Woche', 1, 'week']],
  id: [
    ['semalam', 1, 'day'],
    ['minggu kemarin', 1, 'week'],
    ['bulan kemarin', 1, 'month'],
  ],
  ko: [
    ['이틀 전', 2, 'day'],
    ['사흘 전', 3, 'day'],
  ],
  pl: [
    ['dziś', 0, 'day'],
    ['tydzień temu', 1, 'week'],
    ['miesiąc temu', 1, 'month'],
  ],
  ru: [
    ['неделю назад', 1, 'week'],
    ['месяц назад', 1, 'month'],
  ],
  uk: [
    ['вчора', 1, 'day'],
    ['тиждень тому', 1, 'week'],
    ['місяць тому', 1, 'month'],
  ],
  zh: [
    ['昨晚', 1, 'day'],
    ['上个?星期', 1, 'week'],
    ['这个?(?:周|星期)', 0, 'week'],
    ['这个月', 0, 'month'],
  ],
};

function namedFromNow(code: string): Form[] {
  const format = new Intl.RelativeTimeFormat(code, { numeric: 'auto' });
  const names = NAMED.map(([back, unit]) => [format.format(-back, unit), back, unit] as const);
  const patterns = names
    .filter(([name]) => !/\d/.test(name))
    .map(([name, back, unit]) => [inflected(name), back, unit] as const);
  return [...patterns, ...(ALSO[code] ?? [])].map(([pattern, back, unit]) =>
    formIn(code, pattern, (_, now) => [calendar[unit](now, -back)]),
  );
}

/** From one on, as they stand in such phrases; CLDR has them in digits alone. */
const NUMBERS: Record<string, readonly string[]> = {
  de: ['eine[mr]?', 'zwei', 'drei', 'vier', 'fünf', 'sechs'],
  fr: ['une?', 'deux', 'trois', 'quatre', 'cinq', 'six'],
  es: ['una?', 'dos', 'tres', 'cuatro', 'cinco', 'seis'],
  pt: ['uma?', 'dois|duas', 'três', 'quatro', 'cinco', 'seis'],
  it: ['una?', 'due', 'tre', 'quattro', 'cinque', 'sei'],
  nl: ['een', 'twee', 'drie', 'vier', 'vijf', 'zes'],
  id: ['satu|se', 'dua', 'tiga', 'empat', 'lima', 'enam'],
  pl: ['jeden', 'dwa|dwie|dwóch', 'trzy|trzech', 'cztery|czterech', 'pięć|pięciu', 'sześć|sześciu'],
  tr: ['bir', 'iki', 'üç', 'dört', 'beş', 'altı'],
  ru: ['один|одну', 'два|две', 'три', 'четыре', 'пять', 'шесть'],
  uk: ['один|одну', 'два|дві', 'три', 'чотири', 'п’ять', 'шість'],
  vi: ['một', 'hai', 'ba', 'bốn', 'năm', 'sáu'],
  hi: ['एक', 'दो', 'तीन', 'चार', 'पांच', 'छह'],
  zh: ['一', '[二两兩]', '三', '四', '五', '六'],
  ja: ['一', '二', '三', '四', '五', '六'],
  // `한 일` is what was done.
  ko: ['한(?!\\s*일)|일', '두|이', '세|삼', '네|사', '다섯|오', '여섯|육'],
};

/** Not the end of a larger number. */
function countIn(code: string): string {
  return `(?<![\\d十百십백])(?<count>${['\\d{1,2}', ...(NUMBERS[code] ?? [])].join('|')})`;
}

function numberIn(code: string, count = '1'): number {
  if (/^\d/.test(count)) return Number(count);
  return 1 + NUMBERS[code]!.findIndex((word) => new RegExp(`^(?:${loosely(word)})$`, 'iu').test(count));
}

/** Languages have up to four forms of a word behind numbers. */
const COUNTS = [1, 2, 3, 5, 20];

/** `3일 전에`, but not `7일 전체`, which is all of seven days. */
const END_IN_KOREAN = '(?![^에의부까쯤\\P{Script=Hangul}])';

/** Three days ago. */
function countedFromNow(code: string): Form[] {
  const format = new Intl.RelativeTimeFormat(code);
  return (['day', 'week', 'month', 'hour'] as const).flatMap((unit) => {
    const phrases = COUNTS.map((count) => format.formatToParts(-count, unit)).filter((parts) =>
      parts.some(({ type }) => type === 'integer'),
    );
    // `3주 전`, but `세 주 전`.
    const count = countIn(code) + (UNSPACED.includes(code) ? ' ' : '');
    const patterns = phrases.map((parts) =>
      parts.map(({ type, value }) => (type === 'integer' ? count : literalPattern(value))).join(''),
    );
    return [...new Set(patterns)].map((pattern) =>
      formIn(code, `${pattern}${code === 'ko' ? END_IN_KOREAN : ''}`, ({ count }, now) => [
        ago[unit](now, numberIn(code, count)),
      ]),
    );
  });
}

/** The last three days. */
function lastCounted(code: string): Form[] {
  const past = MEMORY_WORDS.find(({ codes }) => codes.includes(code))?.past;
  if (past === undefined) return [];
  const before = `(?:${past})\\s*`;
  const count = `${countIn(code)}\\s*`;
  return (['minute', 'hour', 'day', 'week', 'month'] as const).flatMap((unit) => {
    const format = new Intl.NumberFormat(code, { style: 'unit', unit, unitDisplay: 'long' });
    const names = COUNTS.map((each) => format.formatToParts(each).find(({ type }) => type === 'unit')!.value);
    const units = `(?:${[...new Set(names)].map(literalPattern).join('|')})`;
    // `letzten drei Tagen`, `ostatnich trzech dniach`, `trois derniers jours`
    return [`${before}${count}${units}(?:n|ach)?`, `${count}${before}${units}`].map((pattern) =>
      formIn(code, pattern, (parts, now) => [last[unit](now, numberIn(code, parts['count']))]),
    );
  });
}

/** Before a month: its beginning, middle and end (`Ende Juli`). */
const PARTS_OF_MONTH: Record<string, readonly (readonly [part: string, pattern: string])[]> = {
  de: partsOfMonth('Anfang', 'Mitte', 'Ende'),
  fr: partsOfMonth('début(?:\\s+de|\\s+d’)?', 'mi|milieu\\s+(?:de|d’)', 'fin(?:\\s+de|\\s+d’)?'),
  es: partsOfMonth('(?:principios|comienzos|inicios)\\s+de', 'mediados\\s+de', 'fin(?:al)?es\\s+de'),
  pt: partsOfMonth('(?:início|começo)\\s+de', 'meados\\s+de', '(?:fim|final|fins)\\s+de'),
  it: partsOfMonth('inizio(?:\\s+di)?', 'metà(?:\\s+di)?', 'fine(?:\\s+di)?'),
  nl: partsOfMonth('begin', 'half|midden', 'eind'),
};

function partsOfMonth(early: string, mid: string, late: string) {
  return Object.entries({ early, mid, late });
}

type Parts = readonly Intl.DateTimeFormatPart[];

/** `Ende Juli`, `9. Juli`, `9 de julio de 2026`, `2026年7月9日`; and months without a day. */
function formsOfDates(code: string): { ofParts: Form[]; ofDates: Form[]; ofMonths: Form } {
  const whole = monthsAs(code, { day: 'numeric', month: 'long' });
  const short = monthsAs(code, { day: 'numeric', month: 'short' });
  const alone = monthsAs(code, { month: 'long' });
  const inWords = whole.map((parts, index) =>
    [inAnyCase(code, nameOfMonth(parts)), literalPattern(nameOfMonth(alone[index]!))]
      .map((name) => `${name}\\.?`)
      .join('|'),
  );
  const months = inWords.map((names, index) => `${names}|${literalPattern(nameOfMonth(short[index]!))}\\.?`);
  const spans = ({ month: name = '', day: date, year }: NamedParts, now: Date): TimeSpan[] => {
    const index = months.findIndex((names) => new RegExp(`^(?:${loosely(names)})$`, 'iu').test(name));
    return dates(now, index, date, year);
  };
  const formOf = (parts: Parts, names: readonly string[], year: string, before = ''): Form =>
    formIn(code, before + datePattern(parts, `(?<month>${names.join('|')})`, year), spans);
  const month = datePattern(alone[0]!, `(?<month>${inWords.join('|')})`, '?');
  return {
    ofParts: (PARTS_OF_MONTH[code] ?? []).map(([part, pattern]) =>
      formIn(code, `(?:${pattern})(?:[\\s-]+|(?<=’))${month}`, (parts, now) =>
        spans(parts, now).map((each) => partOf(each, part)),
      ),
    ),
    ofDates: [...[whole, short].map(([parts]) => formOf(parts!, months, '?')), formOf(alone[0]!, months, '')],
    // Short names are words, too: `set`, `sept`, `ara`.
    ofMonths: formOf(alone[0]!, inWords, '?', OF_MONTHS_ALONE[code]),
  };
}

/** Twelve dates with a year. */
function monthsAs(code: string, options: Intl.DateTimeFormatOptions): Parts[] {
  const format = new Intl.DateTimeFormat(code, { ...options, year: 'numeric' });
  return Array.from({ length: 12 }, (_, index) => format.formatToParts(new Date(2026, index, 9)));
}

/** Its last letter is another one in other cases (`в июле`, `w lipcu`). */
const INFLECTED = ['pl', 'ru', 'uk'];

function inAnyCase(code: string, name: string): string {
  return INFLECTED.includes(code) ? `${literally(name.slice(0, -1))}${LETTER}` : literalPattern(name);
}

function nameOfMonth(parts: Parts): string {
  return parts.find(({ type }) => type === 'month')!.value.replace(/\.$/, '');
}

/** @param year how often it is there: `?` or always */
function datePattern(parts: Parts, month: string, year: string): string {
  const at = parts.findIndex(({ type }) => type === 'year');
  const pattern = (some: Parts): string =>
    some
      .map(({ type, value }) => {
        if (type === 'month') return month;
        if (type === 'day') return '(?<day>[0-3]?\\d)';
        return type === 'year' ? YEAR : literalPattern(value);
      })
      .join('');
  // With what stands between it and the rest; "г." behind it is not always said.
  if (at === 0) return `(?:${pattern(parts.slice(0, 2))})${year}${pattern(parts.slice(2))}`;
  return `${pattern(parts.slice(0, at - 1))}(?:${pattern(parts.slice(at - 1, at + 1))})${year}`;
}

/** Names that are more often something else: `mają` is "have", `aralık` an interval. */
const OF_MONTHS_ALONE: Record<string, string> = {
  pl: '(?!maj[a\\u0105])',
  tr: '(?!aralık(?![\\x27\\u2019]| ay))',
};
/** `среда` is an environment, too, `thứ hai` is "second", and `一周一次` once a week. */
const OF_WEEKDAYS: Record<string, string> = {
  // Sunday is a week, too.
  id: '(?<=hari )',
  ru: '(?:(?!сред)|(?<=(?:во?|прошлую|эту) )(?=среду))',
  vi: '(?<=(?:hôm|vào) )',
  zh: '(?<![每一两])(?!周日历)',
};

function formsOfWeekdays(code: string): Form[] {
  // `星期四` is written as `周四`, too; elsewhere short names are words of other meanings.
  const lengths = code === 'zh' ? (['long', 'short'] as const) : (['long'] as const);
  return lengths.flatMap((weekday) => {
    const format = new Intl.DateTimeFormat(code, { weekday });
    return Array.from({ length: 7 }, (_, index) => {
      // The first of this month was a Sunday.
      const name = format.format(new Date(2026, 1, 1 + index));
      const pattern = `${OF_WEEKDAYS[code] ?? ''}${inAnyCase(code, name)}`;
      return formIn(code, pattern, (_, now) => [lastWeekday(now, index)]);
    });
  });
}

/** Without spaces between words, or with particles at their ends. */
const UNSPACED = ['zh', 'ja', 'ko'];

function formIn(code: string, pattern: string, spans: Form['spans']): Form {
  const loose = loosely(pattern);
  return UNSPACED.includes(code) ? { pattern: new RegExp(loose, 'giu'), spans } : form(loose, spans);
}

/** The last words of a name in any form and order (`letzter Woche`, `scorso mese`), an article before them left out. */
function inflected(name: string): string {
  const words = name
    .split(' ')
    .map((word) => (name.includes(' ') ? withAnyEnding(word) : literalPattern(word)));
  if (words.length === 1) return words[0]!;
  const [last, other] = words.toReversed();
  const article = words.length > 2 ? `(?:${words.slice(0, -2).join('\\s+')}\\s+)?` : '';
  return `${article}(?:${other!}\\s+${last!}|${last!}\\s+${other!})`;
}

/** Of words in letters that are inflected at the end. */
function withAnyEnding(word: string): string {
  if (!/^[\p{Script=Latin}\p{Script=Cyrillic}’]{5,}$/u.test(word)) return literalPattern(word);
  const lost = word.length > 5 ? 2 : 1;
  return `${literalPattern(word.slice(0, -lost))}${LETTER}{0,${lost + 1}}`;
}

/** Its points and commas may be missing. */
function literalPattern(text: string): string {
  return literally(text.replaceAll('\u00a0', ' ')).replace(/\\\.|,/g, '$&?');
}

/** Accents and spaces may be missing, and there is more than one apostrophe. */
function loosely(pattern: string): string {
  return accentsLeftOut(pattern).replace(/[’']/g, "[’']").replace(/ /g, '\\s*');
}
