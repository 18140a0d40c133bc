import { InvalidArgumentError } from '@causantic/domain';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}(:?\d{2})?)?$/i;

/**
 * Parses an ISO 8601 date or date-time to milliseconds since the epoch. A date alone is a day in the user's time zone;
 * `edge` says whether its first moment or the first moment after it is meant.
 * @throws InvalidArgumentError for anything else, including days that do not exist
 */
export function parseDate(
  argument: string,
  value: string | undefined,
  edge: 'start' | 'end',
): number | undefined {
  if (value === undefined) return undefined;
  const trimmed = value.trim();
  const parts = DATE.exec(trimmed) ?? DATE_TIME.exec(trimmed);
  const [year, month, day] = (parts ?? []).slice(1, 4).map(Number) as [number, number, number];
  const timeMs = DATE.test(trimmed)
    ? startOfDay(year, month, day + (edge === 'end' ? 1 : 0))
    : new Date(inFull(trimmed)).getTime() + microseconds(trimmed) / 1000;
  if (!parts || Number.isNaN(timeMs) || !isCalendarDay(year, month, day)) {
    throw new InvalidArgumentError(
      argument,
      value,
      'an ISO 8601 date or date-time such as 2026-02-08 or 2026-02-08T14:30:00Z',
    );
  }
  return timeMs;
}

/** As `Date` knows it, in small letters, too: PostgreSQL has a blank before the time, and zones of whole hours. */
function inFull(dateTime: string): string {
  return dateTime.replace(' ', 'T').replace(/[+-]\d{2}$/, '$&:00');
}

/** The digits below a millisecond, which `Date` ignores and `reconstruct` uses to name places within one. */
function microseconds(dateTime: string): number {
  const [, digits = ''] = /\.\d{3}(\d{1,3})/.exec(dateTime) ?? [];
  return Number(digits.padEnd(3, '0'));
}

/** In the user's time zone. `new Date(year, …)` takes the years before 100 for those of the last century. */
function startOfDay(year: number, month: number, day: number): number {
  const midnight = new Date(2000, 0, 1);
  return midnight.setFullYear(year, month - 1, day);
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const DAY_MS = 86_400_000;

/** The window that `from`, `to` and `days_back` describe; absent bounds are left out. */
export function timeWindow(
  given: { from?: string | undefined; to?: string | undefined; days_back?: number | undefined },
  nowMs: number,
): { fromMs?: number; beforeMs?: number } {
  const fromMs =
    parseDate('from', given.from, 'start') ?? (given.days_back && nowMs - given.days_back * DAY_MS);
  const beforeMs = parseDate('to', given.to, 'end');
  if (fromMs !== undefined && beforeMs !== undefined && fromMs >= beforeMs) {
    const daysAgo = `${given.days_back} ${given.days_back === 1 ? 'day' : 'days'} ago`;
    const begin = given.from === undefined ? daysAgo : `"from" (${given.from})`;
    throw new InvalidArgumentError('to', given.to, `a date after ${begin}`);
  }
  return { ...(fromMs !== undefined && { fromMs }), ...(beforeMs !== undefined && { beforeMs }) };
}
