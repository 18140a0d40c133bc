/** Times as people read them, in the time zone of the process. */
const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const FULL_DAY = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: 'numeric' });
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

/** `Feb 8, 2:30 PM – 4:15 PM`; a range over midnight names both days. */
export function formatTimeRange(startMs: number | null, endMs: number | null): string {
  if (startMs === null || endMs === null) return 'undated';
  const sameDay = FULL_DAY.format(startMs) === FULL_DAY.format(endMs);
  const end = sameDay ? formatTime(endMs) : `${DAY.format(endMs)}, ${formatTime(endMs)}`;
  return `${DAY.format(startMs)}, ${formatTime(startMs)} – ${end}`;
}

/** Intl puts a narrow no-break space before AM and PM, which people's searches do not match. */
function formatTime(timeMs: number): string {
  return TIME.format(timeMs).replace('\u202f', ' ');
}
