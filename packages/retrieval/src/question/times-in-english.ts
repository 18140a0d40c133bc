import { type Form, form, type NamedParts, YEAR } from './time-form.js';
import {
  ago,
  calendar,
  dates,
  day,
  last,
  lastWeekday,
  sinceMonday,
  span,
  type TimeSpan,
} from './time-spans.js';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
/** Each at its own place. */
export const NUMBERS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
];

const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const OTHER_MONTH = MONTH.replace('month', 'until');
const DAY = '(?<day>[0-3]?\\d)(?:st|nd|rd|th)?';
const OTHER_DAY = DAY.replace('day', 'until');
/** "July 9 and 10?" are two days, "July 9 and 3 tests" is one. */
const AND_DAY = `and(?=\\s+[0-3]?\\d(?:st|nd|rd|th)?(?:\\s*[?.!]*$|\\s*,?\\s*(?:19|20)\\d\\d|\\s+(?:of\\s+)?${MONTH.replace('<month>', ':')}))`;
const TO = `\\s*(?:-|–|to|through|(?<=between\\s+\\S+(?:\\s+\\S+)?\\s+)and|${AND_DAY})\\s*`;
/** Around months and weekdays, which without such words may be no times. */
const BETWEEN = '(?:between|from)\\s+';
const AND = '\\s+(?:and|to|through|until|till)\\s+';
const OF_YEAR = `(?:\\s*,?\\s*${YEAR})?`;
const COUNT = `(?<count>\\d{1,3}|half\\s+an|an?|(?:a\\s+)?(?:few|couple(?:\\s+of)?)|${NUMBERS.join('|')})`;

const CLOCK = '(?:[t\\s](?<clock>\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?)(?<zone>z|[+-]\\d\\d:?\\d\\d)?)?';
const LAST = '(?:last|past|previous)';
const ORDINALS = ['first', 'second', 'third', 'fourth'];
const PART_OF_MONTH = `(?<part>early|mid|late|(?:the\\s+)?(?:start|beginning|middle|end|first\\s+half|second\\s+half|(?:${ORDINALS.join('|')}|last)\\s+week)\\s+of)`;
/** Before a month, a year or a weekday that says no day itself; read with what it bounds. */
const AFTER_BOUND = '(?<=(?:since|after|before|until|till)\\s+)';

const WEEKDAY = `(?<weekday>${WEEKDAYS.join('|')})`;
const OTHER_WEEKDAY = WEEKDAY.replace('weekday', 'until');
/** "Friday’s release", "what did we do Monday?", but not "the Sunday group" or "on a Sunday". */
const WEEKDAY_ALONE = `(?<!\\b(?:a|any|each|every)\\s+)(?<alone>${WEEKDAYS.join('|')})(?=[’']s\\b|\\s*[?.!]*$|\\s+(?:morning|afternoon|evening|night)\\b)`;

/** What an earlier one has taken, no later one sees. */
export const TIMES_IN_ENGLISH: readonly Form[] = [
  form(`${YEAR}(?<sign>[-/])(?<number>[01]?\\d)\\k<sign>(?<day>[0-3]?\\d)${CLOCK}`, inZone),
  form(`${YEAR}-(?<number>[01]\\d)`, named),
  form(`${DAY}\\.(?<number>[01]?\\d)\\.${YEAR}`, named),
  // Most who write it so have the month first.
  form(`(?<first>[0-3]?\\d)/(?<second>[0-3]?\\d)/${YEAR}`, ({ first, second, year }, now) => [
    ...named({ number: first, day: second, year }, now),
    ...named({ number: second, day: first, year }, now),
  ]),
  form(`${PART_OF_MONTH}[-\\s]+${MONTH}${OF_YEAR}`, ({ part, ...parts }, now) =>
    named(parts, now).map((each) => partOf(each, part!.toLowerCase())),
  ),
  form(`${PART_OF_MONTH}\\s+(?<which>the|this|last|previous)\\s+month`, ({ part, which }, now) =>
    monthsBack(which!.toLowerCase())
      .map((back) => partOf(calendar.month(now, -back), part!.toLowerCase()))
      .filter(({ fromMs }) => fromMs <= now.getTime()),
  ),
  form(`${MONTH}\\.?\\s+${DAY}${TO}${OTHER_DAY}(?!:)${OF_YEAR}`, fromTo),
  form(`${DAY}${TO}${OTHER_DAY}\\s+(?:of\\s+)?${MONTH}${OF_YEAR}`, unlessVerb(fromTo)),
  form(`${MONTH}\\.?\\s+${DAY}${OF_YEAR}`, named),
  form(`${DAY}\\s+(?:of\\s+)?${MONTH}${OF_YEAR}`, unlessVerb(named)),
  form(`${BETWEEN}${MONTH}${AND}${OTHER_MONTH}${OF_YEAR}`, ({ month, until, year }, now) =>
    named({ month: until, year }, now).map((end) => {
      const [start = end] = named({ month }, new Date(end.fromMs));
      return span(start, end);
    }),
  ),
  form(`${MONTH}\\s*,?\\s*${YEAR}`, named),
  form(`(?:(?:in|during|last)\\s+|${AFTER_BOUND}|month\\s+of\\s+|of\\s+(?=\\w{4}))${MONTH}`, named),
  // At the end, because "the 2nd attempt" is no day.
  form(
    '(?<=(?:on|since|after|before|until|till)\\s+)the\\s+(?<date>[0-3]?\\d)(?:st|nd|rd|th)(?=\\s*[?.!]*$)',
    ({ date }, now) => dayOfMonth(now, Number(date)),
  ),
  form('today|tonight|this\\s+(?:morning|afternoon|evening)', (_, now) => [day(now, 0)]),
  form('yesterday|last\\s+night', (_, now) => [day(now, -1)]),
  // "Where did she live four years ago?" is when it happened, and not when it was told.
  form(`${COUNT}\\s+(?<unit>minute|hour|day|week|month)s?\\s+(?:ago|back)`, ({ count, unit }, now) => [
    inUnit(ago, unit)(now, number(count)),
  ]),
  form(`${LAST}\\s+${COUNT}\\s+(?<unit>minute|hour|day|week|month|year)s?`, ({ count, unit }, now) => [
    inUnit(last, unit)(now, number(count)),
  ]),
  form(`${LAST}\\s+${COUNT}\\s*(?:(?<minutes>mins?)|hrs?|h)`, ({ count, minutes }, now) => [
    (minutes === undefined ? last.hour : last.minute)(now, number(count)),
  ]),
  form(`${BETWEEN}${WEEKDAY}${AND}${OTHER_WEEKDAY}`, ({ weekday, until }, now) => {
    const end = lastWeekday(now, weekdayIndex(until!));
    return [span(lastWeekday(new Date(end.beforeMs), weekdayIndex(weekday!)), end)];
  }),
  form(
    `(?:(?:on|last|(?<ofThisWeek>this))\\s+|${AFTER_BOUND})${WEEKDAY}|${WEEKDAY_ALONE}`,
    ({ ofThisWeek, weekday, alone = weekday }, now) => {
      const index = weekdayIndex(alone!);
      return [ofThisWeek && now.getDay() === index ? day(now, 0) : lastWeekday(now, index)];
    },
  ),
  form('this\\s+(?<unit>week|month|year)', ({ unit }, now) => [inUnit(calendar, unit)(now, 0)]),
  form(
    `(?<unit>week|month|year)\\s+before\\s+last(?:\\s+\\k<unit>)?(?!\\s+(?:week|month|year|weekend)\\b)`,
    ({ unit }, now) => [inUnit(calendar, unit)(now, -2)],
  ),
  form('(?:last|previous)\\s+(?<unit>week|month|year)', ({ unit }, now) => [inUnit(calendar, unit)(now, -1)]),
  // The past week is the last seven days.
  form('past\\s+(?<unit>day|week|month|year)', ({ unit }, now) => [inUnit(last, unit)(now, 1)]),
  form(`(?:this|${LAST})\\s+(?:half\\s+)?hour`, (_, now) => [last.hour(now, 1)]),
  // "In 2000 ms": an agent's history does not begin before 2020.
  form(`(?:(?:in|during)\\s+|${AFTER_BOUND})(?<year>20[2-9]\\d)`, ({ year }, now) =>
    [calendar.year(now, Number(year) - now.getFullYear())].filter(({ fromMs }) => fromMs <= now.getTime()),
  ),
  form('(?:last|previous)\\s+weekend', (_, now) => [weekendBefore(now)]),
  // On a Sunday, it is not over yet.
  form('(?:this|(?:over|on|at)\\s+the)\\s+weekend', (_, now) => [
    sinceMonday(now) < 5 ? weekendBefore(now) : span(day(now, 5 - sinceMonday(now)), day(now, 0)),
  ]),
];

/** What is told of the unit that a question names, in capitals or not. */
function inUnit<Value>(units: Record<string, Value>, name = ''): Value {
  return units[name.toLowerCase()]!;
}

function named({ year, month: name, number: ofYear, day: date }: NamedParts, now: Date): TimeSpan[] {
  const index = ofYear === undefined ? MONTHS.indexOf(name!.slice(0, 3).toLowerCase()) : Number(ofYear) - 1;
  return dates(now, index, date, year);
}

/** A moment as logs have it, in UTC, may be of another day here. */
function inZone({ clock, zone, ...parts }: NamedParts, now: Date): TimeSpan[] {
  const { year, number, day: date } = parts;
  const days = named(parts, now);
  const moment = new Date(`${year}-${number?.padStart(2, '0')}-${date?.padStart(2, '0')}T${clock}${zone}`);
  // Of February 30 it would be one in March.
  return days.length === 0 || Number.isNaN(moment.getTime()) ? days : [day(moment, 0)];
}

/** "Step 3 may fail." */
function unlessVerb(spans: Form['spans']): Form['spans'] {
  return (parts, now) =>
    parts['year'] === undefined && /^(?:may|march)$/.test(parts['month']!) ? [] : spans(parts, now);
}

function weekdayIndex(name: string): number {
  return WEEKDAYS.indexOf(name.toLowerCase());
}

/** The latest that has begun: this month's may be to come, and of the two months before, one has it. */
function dayOfMonth(now: Date, date: number): TimeSpan[] {
  const days = [0, 1, 2].map((back) => new Date(now.getFullYear(), now.getMonth() - back, date));
  const latest = days.find((each) => each.getDate() === date && each <= now);
  return latest ? [day(latest, 0)] : [];
}

/** July 9–11. February 27–29 is of some years only. */
function fromTo({ until, ...parts }: NamedParts, now: Date): TimeSpan[] {
  if (Number(until) <= Number(parts['day'])) return [];
  return named(parts, now).flatMap((first) => {
    const year = String(new Date(first.fromMs).getFullYear());
    return named({ ...parts, day: until, year }, now).map((last) => span(first, last));
  });
}

/** "The end of the month" that is meant may be of the one before, as long as this one's has not begun. */
function monthsBack(which: string): number[] {
  if (which === 'this') return [0];
  return which === 'the' ? [0, 1] : [1];
}

function weekendBefore(now: Date): TimeSpan {
  return span(day(now, -sinceMonday(now) - 2), day(now, -sinceMonday(now) - 1));
}

/** Of a month. */
export function partOf({ fromMs, beforeMs }: TimeSpan, part: string): TimeSpan {
  const [first, last] = [new Date(fromMs), new Date(beforeMs)];
  if (/half/.test(part))
    return /first/.test(part) ? span(day(first, 0), day(first, 14)) : span(day(first, 15), day(last, -1));
  // Weeks are not to be taken by the day, but no day of another month is of this one's.
  if (/last/.test(part)) return span(day(last, -9), day(last, -1));
  const week = ORDINALS.findIndex((ordinal) => part.includes(ordinal));
  if (week >= 0) return span(day(first, Math.max(0, 7 * week - 2)), day(first, 7 * week + 8));
  if (/early|start|beginning/.test(part)) return span(day(first, 0), day(first, 9));
  if (/mid/.test(part)) return span(day(first, 9), day(first, 19));
  return span(day(first, 19), day(last, -1));
}

/** `few` is taken for three. */
function number(count = ''): number {
  if (/^\d/.test(count)) return Number(count);
  if (/few/i.test(count)) return 3;
  if (/couple/i.test(count)) return 2;
  return Math.max(1, NUMBERS.indexOf(count.toLowerCase()));
}
