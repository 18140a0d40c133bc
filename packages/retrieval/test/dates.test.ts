import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Dates from '../src/answer/dates.js';

// The zone of a process is fixed by the first formatter, so it is set before the module is loaded.
let dates: typeof Dates;
const zoneBefore = process.env['TZ'];
beforeAll(async () => {
  process.env['TZ'] = 'America/New_York';
  dates = await import('../src/answer/dates.js');
});
afterAll(() => {
  if (zoneBefore === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zoneBefore;
});

const at = Date.parse;

describe('a range of times', () => {
  it.each([
    ['2026-02-08T19:30:00Z', '2026-02-08T21:15:00Z', 'Feb 8, 2:30 PM – 4:15 PM'],
    ['2026-02-07T15:00:00Z', '2026-02-07T16:45:00Z', 'Feb 7, 10:00 AM – 11:45 AM'],
    ['2026-02-07T04:00:00Z', '2026-02-07T05:30:00Z', 'Feb 6, 11:00 PM – Feb 7, 12:30 AM'],
    ['2026-02-08T05:00:00Z', '2026-02-09T04:59:59Z', 'Feb 8, 12:00 AM – 11:59 PM'],
    ['2026-01-01T04:59:00Z', '2026-01-01T05:01:00Z', 'Dec 31, 2025, 11:59 PM – Jan 1, 2026, 12:01 AM'],
    ['2025-02-08T19:30:00Z', '2026-02-08T19:30:00Z', 'Feb 8, 2025, 2:30 PM – Feb 8, 2026, 2:30 PM'],
    ['2026-03-08T06:30:00Z', '2026-03-08T07:30:00Z', 'Mar 8, 1:30 AM – 3:30 AM'],
    // An hour that comes twice: without the zone it would end before it begins.
    ['2026-11-01T05:30:00Z', '2026-11-01T06:15:00Z', 'Nov 1, 1:30 AM EDT – 1:15 AM EST'],
    ['2026-10-31T20:00:00Z', '2026-11-01T20:00:00Z', 'Oct 31, 4:00 PM – Nov 1, 3:00 PM'],
    ['2026-02-08T19:30:00Z', '2026-02-08T19:30:00Z', 'Feb 8, 2:30 PM – 2:30 PM'],
  ])('%s to %s', (start, end, text) => {
    expect(dates.formatTimeRange(at(start), at(end))).toBe(text);
  });

  it('names the year where it is one of several', () => {
    const [older, newer] = [at('2025-02-08T19:30:00Z'), at('2026-02-08T19:30:00Z')];
    expect(dates.timeRangeFormat([newer, null])(newer, newer)).toBe('Feb 8, 2:30 PM – 2:30 PM');
    const format = dates.timeRangeFormat([newer, null, older]);
    expect(format(older, older)).toBe('Feb 8, 2025, 2:30 PM – 2:30 PM');
    expect(format(older, at('2025-02-09T19:30:00Z'))).toBe('Feb 8, 2025, 2:30 PM – Feb 9, 2025, 2:30 PM');
    expect(format(null, null)).toBe('undated');
  });

  it('has no spaces but ordinary ones', () => {
    const text = dates.formatTimeRange(at('2026-02-07T04:00:00Z'), at('2026-02-07T05:30:00Z'));
    expect(text).not.toMatch(/[^\S ]/);
  });

  it('may be unknown', () => {
    expect(dates.formatTimeRange(null, null)).toBe('undated');
    expect(dates.formatTimeRange(0, null)).toBe('undated');
    expect(dates.formatMonthRange(null, null)).toBe('undated');
    expect(dates.formatDate(null)).toBe('undated');
  });
});

it('days and months belong to the user’s zone', () => {
  expect(dates.formatDate(at('2026-02-08T04:59:00Z'))).toBe('Feb 7, 2026');
  expect(dates.formatMonthRange(at('2025-01-01T04:00:00Z'), at('2025-02-15T12:00:00Z'))).toBe(
    'Dec 2024 – Feb 2025',
  );
});
