/** Milliseconds since the epoch. */
export interface TimeSpan {
  fromMs: number;
  beforeMs: number;
}

/** A day without a year may be of any of the last years. */
const YEARS_BACK = 5;

const MINUTE_MS = 60_000;

/** In the time zone of the process, as dates in answers are. */
export function day(of: Date, later: number): TimeSpan {
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

function year(of: Date, later: number): TimeSpan {
  const index = of.getFullYear() + later;
  return { fromMs: new Date(index, 0).getTime(), beforeMs: new Date(index + 1, 0).getTime() };
}

export function span(first: TimeSpan, last: TimeSpan): TimeSpan {
  return { fromMs: first.fromMs, beforeMs: last.beforeMs };
}

/** From Monday to Sunday. */
export function weekOf(date: Date): TimeSpan {
  const monday = -sinceMonday(date);
  return span(day(date, monday), day(date, monday + 6));
}

/** This one until today. */
function week(of: Date, later: number): TimeSpan {
  return later === 0
    ? span(weekOf(of), day(of, 0))
    : weekOf(new Date(of.getFullYear(), of.getMonth(), of.getDate() + 7 * later));
}

export function sinceMonday(now: Date): number {
  return (now.getDay() + 6) % 7;
}

/** The last that is over. @param index 0 for Sunday */
export function lastWeekday(now: Date, index: number): TimeSpan {
  return day(now, -((now.getDay() - index + 6) % 7) - 1);
}

/** "Last week" is `calendar.week(now, -1)`. */
export const calendar = { day, week, month, year };

/** "Two weeks ago" is `ago.week(now, 2)`, and not to be taken by the day. */
export const ago = {
  minute: (now: Date, count: number) => day(new Date(now.getTime() - count * MINUTE_MS), 0),
  hour: (now: Date, count: number) => ago.minute(now, 60 * count),
  day: (now: Date, count: number) => day(now, -count),
  week: (now: Date, count: number) => span(day(now, -7 * count - 3), day(now, -7 * count + 3)),
  month: (now: Date, count: number) => month(now, -count),
};

/** "The last two weeks" are `last.week(now, 2)`: 14 days, until today. */
export const last = {
  minute: (now: Date, count: number) => span(ago.minute(now, count), day(now, 0)),
  hour: (now: Date, count: number) => span(ago.hour(now, count), day(now, 0)),
  day: (now: Date, count: number) => span(day(now, -count), day(now, 0)),
  week: (now: Date, count: number) => last.day(now, 7 * count),
  month: (now: Date, count: number) => last.day(now, 30 * count),
  year: (now: Date, count: number) => last.day(now, 365 * count),
};

/**
 * A day or a month, in its year or in each of the last ones in which it has begun; none if there is no such day.
 * @param index 0 for January
 * @param date of the month, in digits, as is the year
 */
export function dates(now: Date, index: number, date?: string, ofYear?: string): TimeSpan[] {
  const years =
    ofYear === undefined
      ? Array.from({ length: YEARS_BACK + 1 }, (_, back) => now.getFullYear() - back)
      : [Number(ofYear)];
  const spans = years.flatMap((each) => {
    if (date === undefined) return index < 12 && index >= 0 ? month(new Date(each, index), 0) : [];
    const found = new Date(each, index, Number(date));
    return found.getMonth() === index ? day(found, 0) : [];
  });
  return ofYear === undefined ? spans.filter(({ fromMs }) => fromMs <= now.getTime()) : spans;
}
