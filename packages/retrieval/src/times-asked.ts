/** Milliseconds since the epoch. */
export interface TimeSpan {
  fromMs: number;
  beforeMs: number;
}

/** Times that a question names, in English, and the question without them. */
export interface TimesAsked {
  spans: TimeSpan[];
  rest: string;
}

/** Longer ones are logs and pages, whose dates are no one's question. */
const MOST_CHARACTERS = 500;
/** A day without a year may be of any of the last years. */
const YEARS_BACK = 5;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAY = '(?<day>[0-3]?\\d)(?:st|nd|rd|th)?';
const YEAR = '(?<year>(?:19|20)\\d\\d)';
const OF_YEAR = `(?:\\s*,?\\s*${YEAR})?`;
const COUNT = `(?<count>\\d{1,2}|an?|(?:a\\s+)?(?:few|couple(?:\\s+of)?)|${NUMBERS.join('|')})`;

type Words = Record<string, string | undefined>;

interface Form {
  pattern: RegExp;
  spans: (words: Words, now: Date) => TimeSpan[];
}

/** What an earlier one has taken, no later one sees. */
const FORMS: readonly Form[] = [
  form(`${YEAR}-(?<number>[01]\\d)(?:-(?<day>[0-3]\\d))?`, dates),
  form(`${MONTH}\\.?\\s+${DAY}${OF_YEAR}`, dates),
  // "Step 3 may fail."
  form(`${DAY}\\s+(?:of\\s+)?${MONTH}${OF_YEAR}`, (words, now) =>
    words['year'] === undefined && /^(?:may|march)$/.test(words['month']!) ? [] : dates(words, now),
  ),
  form(`${MONTH}\\s*,?\\s*${YEAR}`, dates),
  form(`(?:in|during|since|last|early|late|mid)\\s+${MONTH}`, dates),
  form('today|tonight|this\\s+(?:morning|afternoon|evening)', (_, now) => [day(now, 0)]),
  form('yesterday|last\\s+night', (_, now) => [day(now, -1)]),
  form(`${COUNT}\\s+days?\\s+ago`, ({ count }, now) => [day(now, -number(count))]),
  form(`${COUNT}\\s+weeks?\\s+ago`, ({ count }, now) => [
    span(day(now, -7 * number(count) - 3), day(now, -7 * number(count) + 3)),
  ]),
  form(`${COUNT}\\s+months?\\s+ago`, ({ count }, now) => [month(now, -number(count))]),
  form(`(?:last|past|previous)\\s+${COUNT}\\s+(?<unit>day|week|month)s?`, ({ count, unit }, now) => [
    span(day(now, -number(count) * DAYS[unit!.toLowerCase() as keyof typeof DAYS]), day(now, 0)),
  ]),
  form(`(?:on|last|since|this)\\s+(?<weekday>${WEEKDAYS.join('|')})`, ({ weekday }, now) => [
    day(now, -((now.getDay() - WEEKDAYS.indexOf(weekday!.toLowerCase()) + 6) % 7) - 1),
  ]),
  form('this\\s+week', (_, now) => [span(day(now, -sinceMonday(now)), day(now, 0))]),
  form('(?:last|past|previous)\\s+week', (_, now) => [
    span(day(now, -sinceMonday(now) - 7), day(now, -sinceMonday(now) - 1)),
  ]),
  form('this\\s+month', (_, now) => [month(now, 0)]),
  form('(?:last|past|previous)\\s+month', (_, now) => [month(now, -1)]),
];

const DAYS = { day: 1, week: 7, month: 30 };

/** As words of their own: not the date in `2026-01-06-cf564e14`. */
function form(pattern: string, spans: Form['spans']): Form {
  return {
    pattern: new RegExp(`(?<![\\p{L}\\p{N}_/.-])(?:${pattern})(?![\\p{L}\\p{N}_/-])`, 'giu'),
    spans,
  };
}

/** @param nowMs what "yesterday" is seen from */
export function timesAsked(query: string, nowMs = Date.now()): TimesAsked {
  if (query.length > MOST_CHARACTERS) return { spans: [], rest: query };
  const now = new Date(nowMs);
  const spans: TimeSpan[] = [];
  let rest = query;
  for (const { pattern, spans: spansOf } of FORMS) {
    rest = rest.replace(pattern, (...matched: unknown[]) => {
      const words = matched.at(-1);
      const found = spansOf(typeof words === 'object' ? (words as Words) : {}, now);
      spans.push(...found);
      return found.length > 0 ? ' ' : (matched[0] as string);
    });
  }
  return { spans, rest };
}

/** A day or a month, in its year or in each of the last ones. */
function dates({ year, month: name, number: ofYear, day: ofMonth }: Words, now: Date): TimeSpan[] {
  const index = ofYear === undefined ? MONTHS.indexOf(name!.slice(0, 3).toLowerCase()) : Number(ofYear) - 1;
  const years =
    year === undefined
      ? Array.from({ length: YEARS_BACK + 1 }, (_, back) => now.getFullYear() - back)
      : [Number(year)];
  return years.flatMap((each) => {
    if (ofMonth === undefined) return index < 12 && index >= 0 ? month(new Date(each, index), 0) : [];
    const date = new Date(each, index, Number(ofMonth));
    return date.getMonth() === index ? day(date, 0) : [];
  });
}

/** In the time zone of the process, as dates in answers are. */
function day(of: Date, later: number): TimeSpan {
  const [year, index, date] = [of.getFullYear(), of.getMonth(), of.getDate() + later];
  return {
    fromMs: new Date(year, index, date).getTime(),
    beforeMs: new Date(year, index, date + 1).getTime(),
  };
}

function month(of: Date, later: number): TimeSpan {
  const [year, index] = [of.getFullYear(), of.getMonth() + later];
  return { fromMs: new Date(year, index).getTime(), beforeMs: new Date(year, index + 1).getTime() };
}

function span(first: TimeSpan, last: TimeSpan): TimeSpan {
  return { fromMs: first.fromMs, beforeMs: last.beforeMs };
}

function sinceMonday(now: Date): number {
  return (now.getDay() + 6) % 7;
}

/** `few` is taken for three. */
function number(count = ''): number {
  if (/^\d/.test(count)) return Number(count);
  if (/few/i.test(count)) return 3;
  if (/couple/i.test(count)) return 2;
  return Math.max(1, NUMBERS.indexOf(count.toLowerCase()));
}
