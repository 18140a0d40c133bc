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

/** Longer texts are logs and pages, whose dates and names are no one's question. */
export const MOST_CHARACTERS = 500;
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

const CLOCK = '(?:[t\\s]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:z|[+-]\\d\\d:?\\d\\d)?)?';
const PART_OF_MONTH = '(?<part>early|mid|late|(?:the\\s+)?(?:start|beginning|middle|end)\\s+of)';
/** Before a month or a weekday that says no day itself; read with what it bounds. */
const AFTER_BOUND = '(?<=(?:since|after|before|until|till)\\s+)';

type Words = Record<string, string | undefined>;

interface Form {
  pattern: RegExp;
  spans: (words: Words, now: Date) => TimeSpan[];
}

/** What an earlier one has taken, no later one sees. */
const FORMS: readonly Form[] = [
  form(`${YEAR}(?<sign>[-/])(?<number>[01]?\\d)\\k<sign>(?<day>[0-3]?\\d)${CLOCK}`, dates),
  form(`${YEAR}-(?<number>[01]\\d)`, dates),
  form(`${DAY}\\.(?<number>[01]?\\d)\\.${YEAR}`, dates),
  // Most who write it so have the month first.
  form(`(?<first>[0-3]?\\d)/(?<second>[0-3]?\\d)/${YEAR}`, ({ first, second, year }, now) => [
    ...dates({ number: first, day: second, year }, now),
    ...dates({ number: second, day: first, year }, now),
  ]),
  form(`${PART_OF_MONTH}[-\\s]+${MONTH}${OF_YEAR}`, ({ part, ...named }, now) =>
    dates(named, now).map((each) => partOf(each, part!.toLowerCase())),
  ),
  form(`${MONTH}\\.?\\s+${DAY}${OF_YEAR}`, dates),
  // "Step 3 may fail."
  form(`${DAY}\\s+(?:of\\s+)?${MONTH}${OF_YEAR}`, (words, now) =>
    words['year'] === undefined && /^(?:may|march)$/.test(words['month']!) ? [] : dates(words, now),
  ),
  form(`${MONTH}\\s*,?\\s*${YEAR}`, dates),
  form(`(?:(?:in|during|last)\\s+|${AFTER_BOUND})${MONTH}`, dates),
  form(
    `today|tonight|this\\s+(?:morning|afternoon|evening)|${COUNT}\\s+(?:hour|minute)s?\\s+ago`,
    (_, now) => [day(now, 0)],
  ),
  form('yesterday|last\\s+night', (_, now) => [day(now, -1)]),
  form(`${COUNT}\\s+days?\\s+ago`, ({ count }, now) => [day(now, -number(count))]),
  form(`${COUNT}\\s+weeks?\\s+ago`, ({ count }, now) => [
    span(day(now, -7 * number(count) - 3), day(now, -7 * number(count) + 3)),
  ]),
  form(`${COUNT}\\s+months?\\s+ago`, ({ count }, now) => [month(now, -number(count))]),
  form(`(?:last|past|previous)\\s+${COUNT}\\s+(?<unit>day|week|month)s?`, ({ count, unit }, now) => [
    span(day(now, -number(count) * DAYS[unit!.toLowerCase() as keyof typeof DAYS]), day(now, 0)),
  ]),
  form(`(?:(?:on|last|this)\\s+|${AFTER_BOUND})(?<weekday>${WEEKDAYS.join('|')})`, ({ weekday }, now) => [
    day(now, -((now.getDay() - WEEKDAYS.indexOf(weekday!.toLowerCase()) + 6) % 7) - 1),
  ]),
  form('this\\s+week', (_, now) => [span(day(now, -sinceMonday(now)), day(now, 0))]),
  form('(?:last|past|previous)\\s+week', (_, now) => [
    span(day(now, -sinceMonday(now) - 7), day(now, -sinceMonday(now) - 1)),
  ]),
  form('this\\s+month', (_, now) => [month(now, 0)]),
  form('(?:last|past|previous)\\s+month', (_, now) => [month(now, -1)]),
  form('(?:last|previous)\\s+year', (_, now) => [
    {
      fromMs: new Date(now.getFullYear() - 1, 0).getTime(),
      beforeMs: new Date(now.getFullYear(), 0).getTime(),
    },
  ]),
  form('(?:last|previous|over\\s+the)\\s+weekend', (_, now) => [
    span(day(now, -sinceMonday(now) - 2), day(now, -sinceMonday(now) - 1)),
  ]),
];

const DAYS = { day: 1, week: 7, month: 30 };

/** Stands for a time that was found, while what is said about it is read. */
const FOUND = '([\\u{100000}-\\u{1001ff}])';
/** A time as it may be meant, the likeliest first. */
type Found = readonly TimeSpan[];

interface Relation {
  pattern: RegExp;
  spans: (now: Date, time: Found, until: Found) => TimeSpan[];
}

const RELATIONS: readonly Relation[] = [
  relation(`day\\s+before\\s+${FOUND}`, (_, times) => times.map(({ fromMs }) => day(new Date(fromMs), -1))),
  relation(`between\\s+${FOUND}\\s+and\\s+${FOUND}`, range),
  relation(`(?:from\\s+)?${FOUND}\\s*(?:to|until|till|through|-|–)\\s*${FOUND}`, range),
  relation(`since\\s+${FOUND}`, (now, times) => [span(past(times, now), day(now, 0))]),
  relation(`after\\s+${FOUND}`, (now, times) => [
    { fromMs: past(times, now).beforeMs, beforeMs: day(now, 0).beforeMs },
  ]),
  // And then: what was before a day was often told on it.
  relation(`before\\s+${FOUND}`, (now, times) => [
    { fromMs: 0, beforeMs: past(times, now).fromMs },
    past(times, now),
  ]),
  relation(`(?:until|till)\\s+${FOUND}`, (now, times) => [
    { fromMs: 0, beforeMs: past(times, now).beforeMs },
  ]),
];

function relation(pattern: string, spans: Relation['spans']): Relation {
  return { pattern: new RegExp(`(?<![\\p{L}\\p{N}_/.-])${pattern}`, 'giu'), spans };
}

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
  const found = new Map<string, readonly TimeSpan[]>();
  const put = (spans: readonly TimeSpan[], matched: string): string => {
    if (spans.length === 0) return matched;
    const sign = String.fromCodePoint(0x10_00_00 + found.size);
    found.set(sign, spans);
    return sign;
  };
  let rest = query;
  for (const { pattern, spans } of FORMS)
    rest = rest.replace(pattern, (...matched: unknown[]) => {
      const words = matched.at(-1);
      return put(spans(typeof words === 'object' ? (words as Words) : {}, now), matched[0] as string);
    });
  for (const { pattern, spans } of RELATIONS)
    rest = rest.replace(pattern, (matched: string, first: string, second: string) => {
      const [time, until = []] = [first, second].map((sign) => found.get(sign));
      return time ? put(spans(now, time, until), matched) : matched;
    });
  const signs = new RegExp(FOUND, 'gu');
  const spans = [...rest.matchAll(signs)].flatMap(([sign]) => found.get(sign) ?? []);
  return { spans, rest: rest.replace(signs, ' ') };
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

/** Of a month. */
function partOf({ fromMs, beforeMs }: TimeSpan, part: string): TimeSpan {
  const [first, last] = [new Date(fromMs), new Date(beforeMs)];
  if (/early|start|beginning/.test(part)) return span(day(first, 0), day(first, 9));
  if (/mid/.test(part)) return span(day(first, 9), day(first, 19));
  return span(day(first, 19), day(last, -1));
}

/** The latest that has begun. */
function past(times: Found, now: Date): TimeSpan {
  return times.find(({ fromMs }) => fromMs <= now.getTime()) ?? times[0]!;
}

/** In November and January, the year of the first is the one before. */
function range(now: Date, first: Found, last: Found): TimeSpan[] {
  const end = past(last, now);
  const start = first.find(({ fromMs }) => fromMs <= end.fromMs);
  return start ? [span(start, end)] : [];
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
