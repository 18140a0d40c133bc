/** Times as people read them, in the time zone of the process. Intl takes 10 ms for the first, and a microsecond for each. */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function day(timeMs: number): string {
  const date = new Date(timeMs);
  return `${MONTHS[date.getMonth()]} ${date.getDate()}`;
}

function fullDay(timeMs: number): string {
  return `${day(timeMs)}, ${new Date(timeMs).getFullYear()}`;
}

function month(timeMs: number): string {
  const date = new Date(timeMs);
  return `${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
}

function time(timeMs: number): string {
  const date = new Date(timeMs);
  const hours = date.getHours();
  return `${hours % 12 || 12}:${String(date.getMinutes()).padStart(2, '0')} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** `1:30 AM GMT+1`: its zone is told where an hour occurs twice. */
function timeWithZone(timeMs: number): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' });
  const zone = format.formatToParts(timeMs).find(({ type }) => type === 'timeZoneName');
  return `${time(timeMs)} ${zone?.value ?? ''}`;
}

/** `Feb 8, 2026` */
export function formatDate(timeMs: number | null): string {
  return timeMs === null ? 'undated' : fullDay(timeMs);
}

/** `Feb 8, 2026, 2:30 PM` */
export function formatMoment(timeMs: number): string {
  return `${fullDay(timeMs)}, ${time(timeMs)}`;
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
  const years = new Set(
    timesMs.flatMap((timeMs) => timeMs ?? []).map((timeMs) => new Date(timeMs).getFullYear()),
  );
  const dayOf = withYear || years.size > 1 ? fullDay : day;
  return (startMs, endMs) => {
    if (startMs === null || endMs === null) return 'undated';
    const isOneDay = fullDay(startMs) === fullDay(endMs);
    const timeOf = isOneDay && isSetBack(startMs, endMs) ? timeWithZone : time;
    const end = isOneDay ? timeOf(endMs) : `${dayOf(endMs)}, ${time(endMs)}`;
    return `${dayOf(startMs)}, ${timeOf(startMs)} – ${end}`;
  };
}

/** Whether the clocks went back between these times, so that an hour occurs twice. */
function isSetBack(startMs: number, endMs: number): boolean {
  return new Date(endMs).getTimezoneOffset() > new Date(startMs).getTimezoneOffset();
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
