/** Times as people read them, in the time zone of the process. */
const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const FULL_DAY = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: 'numeric' });
const YEAR = new Intl.DateTimeFormat('en-US', { year: 'numeric' });
const MONTH = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short' });
const TIME = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', hour12: true });

/** `Feb 8, 2026` */
export function formatDate(timeMs: number | null): string {
  return timeMs === null ? 'undated' : FULL_DAY.format(timeMs);
}

/** `Jan 2025 – Feb 2025` */
export function formatMonthRange(startMs: number | null, endMs: number | null): string {
  return startMs === null || endMs === null ? 'undated' : `${MONTH.format(startMs)} – ${MONTH.format(endMs)}`;
}

/** `Feb 8, 2:30 PM – 4:15 PM`; a range over midnight names both days, one over New Year's Eve both years. */
export function formatTimeRange(startMs: number | null, endMs: number | null): string {
  return timeRangeFormat([startMs, endMs])(startMs, endMs);
}

/** How ranges are told that stand together: with the year, where these times are not all of one. */
export function timeRangeFormat(timesMs: readonly (number | null)[]): typeof formatTimeRange {
  const years = new Set(timesMs.flatMap((timeMs) => timeMs ?? []).map((timeMs) => YEAR.format(timeMs)));
  const day = years.size > 1 ? FULL_DAY : DAY;
  return (startMs, endMs) => {
    if (startMs === null || endMs === null) return 'undated';
    const isOneDay = FULL_DAY.format(startMs) === FULL_DAY.format(endMs);
    const end = isOneDay ? formatTime(endMs) : `${day.format(endMs)}, ${formatTime(endMs)}`;
    return `${day.format(startMs)}, ${formatTime(startMs)} – ${end}`;
  };
}

/** Intl puts a narrow no-break space before AM and PM, which people's searches do not match. */
function formatTime(timeMs: number): string {
  return TIME.format(timeMs).replace('\u202f', ' ');
}
