/** Times as people read them, in the time zone of the process. */
const day = formatter({ month: 'short', day: 'numeric' });
const fullDay = formatter({ year: 'numeric', month: 'short', day: 'numeric' });
const year = formatter({ year: 'numeric' });
const month = formatter({ year: 'numeric', month: 'short' });
const TIME = { hour: 'numeric', minute: '2-digit', hour12: true } as const;
const time = formatter(TIME);
const timeWithZone = formatter({ ...TIME, timeZoneName: 'short' });

/** Made when first used: the first of a process takes 10 ms, for which what shows no dates need not wait. */
function formatter(options: Intl.DateTimeFormatOptions): (timeMs: number) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (timeMs) => (format ??= new Intl.DateTimeFormat('en-US', options)).format(timeMs);
}

/** Clocks are set to whole quarters of an hour, and in the other time zones are so many apart: each is of one day. */
const QUARTER_MS = 15 * 60_000;
const MOST_KEPT = 1_000;
/** By quarter: to format a date takes a microsecond, and an answer asks for some of them a hundred times. */
const dates = new Map<number, string>();

/** `Feb 8, 2026` */
export function formatDate(timeMs: number | null): string {
  if (timeMs === null) return 'undated';
  const quarter = Math.floor(timeMs / QUARTER_MS);
  let date = dates.get(quarter);
  if (date === undefined) {
    if (dates.size === MOST_KEPT) dates.clear();
    dates.set(quarter, (date = fullDay(timeMs)));
  }
  return date;
}

/** `Feb 8, 2026, 2:30 PM` */
export function formatMoment(timeMs: number): string {
  return `${fullDay(timeMs)}, ${plain(time(timeMs))}`;
}

/** `Jan 2025 – Feb 2025` */
export function formatMonthRange(startMs: number | null, endMs: number | null): string {
  return startMs === null || endMs === null ? 'undated' : `${month(startMs)} – ${month(endMs)}`;
}

/** `Feb 8, 2:30 PM – 4:15 PM`; a range over midnight names both days, one over New Year's Eve both years. */
export function formatTimeRange(
  startMs: number | null,
  endMs: number | null,
  options: { withYear?: boolean } = {},
): string {
  return timeRangeFormat([startMs, endMs], options)(startMs, endMs);
}

/** How to show a group of ranges: with the year, if they are not all in the same year or it is asked for. */
export function timeRangeFormat(
  timesMs: readonly (number | null)[],
  { withYear = false }: { withYear?: boolean } = {},
): (startMs: number | null, endMs: number | null) => string {
  const years = new Set(timesMs.flatMap((timeMs) => timeMs ?? []).map((timeMs) => year(timeMs)));
  const dayOf = withYear || years.size > 1 ? fullDay : day;
  return (startMs, endMs) => {
    if (startMs === null || endMs === null) return 'undated';
    const isOneDay = fullDay(startMs) === fullDay(endMs);
    const timeOf = isOneDay && isSetBack(startMs, endMs) ? timeWithZone : time;
    const end = isOneDay ? plain(timeOf(endMs)) : `${dayOf(endMs)}, ${plain(time(endMs))}`;
    return `${dayOf(startMs)}, ${plain(timeOf(startMs))} – ${end}`;
  };
}

/** Whether the clocks went back between these times, so that an hour occurs twice. */
function isSetBack(startMs: number, endMs: number): boolean {
  return new Date(endMs).getTimezoneOffset() > new Date(startMs).getTimezoneOffset();
}

/** Intl puts a narrow no-break space before AM and PM, which people's searches do not match. */
function plain(text: string): string {
  return text.replace('\u202f', ' ');
}

/** `2026-02-08T14:30:00.123Z`, with microseconds where the time has a fraction; null for a time that is not known. */
export function isoTime(timeMs: number): string;
export function isoTime(timeMs: number | null): string | null;
export function isoTime(timeMs: number | null): string | null {
  if (timeMs === null) return null;
  const ms = Math.floor(timeMs);
  const us = Math.round((timeMs - ms) * 1000);
  return new Date(ms).toISOString().replace('Z', us === 0 ? 'Z' : `${String(us).padStart(3, '0')}Z`);
}
