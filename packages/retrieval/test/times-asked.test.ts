import { expect, it } from 'vitest';
import { search } from '../src/index.js';
import { queryTerms } from '../src/question/query.js';
import { chunksIn, circumstancesOf } from '../src/question/circumstances.js';
import { timesAsked } from '../src/question/times-asked.js';
import { Memory } from './memory.js';

/** A Wednesday. */
const NOW = new Date(2026, 6, 15, 10, 30).getTime();

/** First and last day, as `2026-07-29`. */
function daysOf({ fromMs, beforeMs }: { fromMs: number; beforeMs: number }): string {
  const [first, last] = [fromMs, beforeMs - 1].map((ms) => new Date(ms).toLocaleDateString('sv-SE'));
  if (fromMs === 0) return `… ${last!}`;
  return first === last ? first! : `${first!} … ${last!}`;
}

it.each([
  ['the release on 2026-02-08', '2026-02-08'],
  ['the release in 2026-02', '2026-02-01 … 2026-02-28'],
  ['the release on July 9, 2025', '2025-07-09'],
  ['the release on Jul 9th 2025', '2025-07-09'],
  ['the release on 9 July 2025', '2025-07-09'],
  ['the release of the 9th of July, 2025', '2025-07-09'],
  ['the release on 3 may 2025', '2025-05-03'],
  ['the release in July 2025', '2025-07-01 … 2025-07-31'],
  ['the release today', '2026-07-15'],
  ['the release this morning', '2026-07-15'],
  ['Yesterday’s release', '2026-07-14'],
  ['the release 3 days ago', '2026-07-12'],
  ['the release a couple of days ago', '2026-07-13'],
  ['the release ten days ago', '2026-07-05'],
  ['the release two weeks ago', '2026-06-28 … 2026-07-04'],
  ['the release a few days back', '2026-07-12'],
  ['the release a month ago', '2026-06-01 … 2026-06-30'],
  ['the release in the last 3 days', '2026-07-12 … 2026-07-15'],
  ['the release in the past two weeks', '2026-07-01 … 2026-07-15'],
  ['the release on Monday', '2026-07-13'],
  ['the release last Wednesday', '2026-07-08'],
  ['Tuesday’s release', '2026-07-14'],
  ['what did we do about the release Monday?', '2026-07-13'],
  ['the release of Sunday night', '2026-07-12'],
  ['the release this week', '2026-07-13 … 2026-07-15'],
  ['the release last week', '2026-07-06 … 2026-07-12'],
  ['the release this month', '2026-07-01 … 2026-07-31'],
  ['the release last month', '2026-06-01 … 2026-06-30'],
  ['the release of last year', '2025-01-01 … 2025-12-31'],
  ['the release over the weekend', '2026-07-11 … 2026-07-12'],
  ['the release an hour ago', '2026-07-15'],
  ['the release of this year', '2026-01-01 … 2026-12-31'],
  ['the release of the past year', '2025-07-15 … 2026-07-15'],
  ['the release of the last two years', '2024-07-15 … 2026-07-15'],
  ['the release of the last 24 hours', '2026-07-14 … 2026-07-15'],
  ['the release of the last 48 hours', '2026-07-13 … 2026-07-15'],
  ['the release of the last 3 hours', '2026-07-15'],
  ['the release of the last 24h', '2026-07-14 … 2026-07-15'],
  ['the release in the past 30 minutes', '2026-07-15'],
  ['the release of the last hour', '2026-07-15'],
  ['the release of this hour', '2026-07-15'],
  ['the release of the past half hour', '2026-07-15'],
  ['the release half an hour ago', '2026-07-15'],
  ['the release of the past day', '2026-07-14 … 2026-07-15'],
  ['the release of the last two months', '2026-05-16 … 2026-07-15'],
  ['the release in 2026-01', '2026-01-01 … 2026-01-31'],
  ['the release of the last 100 days', '2026-04-06 … 2026-07-15'],
  ['what came of the release on the 14th?', '2026-07-14'],
  ['what came of the release on the 31st', '2026-05-31'],
  ['what came of the release since the 16th?', '2026-06-16 … 2026-07-15'],
  ['the release between Monday and Tuesday', '2026-07-13 … 2026-07-14'],
  ['the release from Friday to Monday', '2026-07-10 … 2026-07-13'],
  ['the release between Wednesday and Friday', '2026-07-08 … 2026-07-10'],
  ['the release between March and May 2026', '2026-03-01 … 2026-05-31'],
  ['the release from November to February 2026', '2025-11-01 … 2026-02-28'],
  ['the release between July 9 and 11, 2025', '2025-07-09 … 2025-07-11'],
  ['the release between 9 and 11 July 2025', '2025-07-09 … 2025-07-11'],
  ['the release of 9–11 July 2025', '2025-07-09 … 2025-07-11'],
  ['the release of 2026-03-01..2026-03-05', '2026-03-01 … 2026-03-05'],
  ['the releases of 2026-03...2026-05', '2026-03-01 … 2026-05-31'],
  ['the release in the week of July 1, 2026', '2026-06-29 … 2026-07-05'],
  ['the release since the week of 2026-07-02', '2026-06-29 … 2026-07-15'],
  ['what came of the release in 2025?', '2025-01-01 … 2025-12-31'],
  ['what in 2025 came of the release', '2025-01-01 … 2025-12-31'],
  ['what came of the release since 2025', '2025-01-01 … 2026-07-15'],
  ['the release 12 minutes ago', '2026-07-15'],
  ['the release 11 hours ago', '2026-07-14'],
  [`the release at ${new Date(2026, 1, 8, 10, 15).toISOString()}`, '2026-02-08'],
  ['the release on 2026/02/08', '2026-02-08'],
  ['the release on 23.02.2026', '2026-02-23'],
  ['the release on 2/23/2026', '2026-02-23'],
  ['the release on 23/02/2026', '2026-02-23'],
  ['the release in early July 2025', '2025-07-01 … 2025-07-10'],
  ['the release in mid-July 2025', '2025-07-10 … 2025-07-20'],
  ['the release at the end of February, 2024', '2024-02-20 … 2024-02-29'],
  ['the release in the first week of July 2025', '2025-07-01 … 2025-07-09'],
  ['the release at the Start of July 2025', '2025-07-01 … 2025-07-10'],
  ['the release of the third week of July 2025', '2025-07-13 … 2025-07-23'],
  ['the release in the last week of February 2026', '2026-02-20 … 2026-02-28'],
  ['the release in the second week of last month', '2026-06-06 … 2026-06-16'],
  ['the release in the last week of last month', '2026-06-22 … 2026-06-30'],
  ['the release at the end of the month', '2026-06-20 … 2026-06-30'],
  ['the release early this month', '2026-07-01 … 2026-07-10'],
  ['the release at the beginning of the month', '2026-07-01 … 2026-07-10, 2026-06-01 … 2026-06-10'],
  ['the release on the weekend', '2026-07-11 … 2026-07-12'],
  ['the release this weekend', '2026-07-11 … 2026-07-12'],
  ['the release in the first half of July 2025', '2025-07-01 … 2025-07-15'],
  ['the release of the second half of July 2025', '2025-07-16 … 2025-07-31'],
  ['the release since Monday', '2026-07-13 … 2026-07-15'],
  ['the release since July', '2026-07-01 … 2026-07-15'],
  ['the release after Dec 24', '2025-12-25 … 2026-07-15'],
  ['the release before July 9', '… 2026-07-08, 2026-07-09'],
  ['the release until July 9', '… 2026-07-09'],
  ['the release between Feb 20 and Feb 25', '2026-02-20 … 2026-02-25'],
  ['the release from Nov 20 to Jan 5', '2025-11-20 … 2026-01-05'],
  ['the release of 2026-07-09 – 2026-07-12', '2026-07-09 … 2026-07-12'],
  ['the release the day before yesterday', '2026-07-13'],
  ['the release the day after July 9, 2025', '2025-07-10'],
  ['the release of the week before last', '2026-06-29 … 2026-07-05'],
  ['the release of the month before last', '2026-05-01 … 2026-05-31'],
  ['the release in the week before last week', '2026-06-29 … 2026-07-05'],
  ['the release of the past week', '2026-07-08 … 2026-07-15'],
  ['the release in the past month', '2026-06-15 … 2026-07-15'],
  ['the release on July 9 and 10, 2025', '2025-07-09 … 2025-07-10'],
  ['the release on the 9th and 10th of July, 2025', '2025-07-09 … 2025-07-10'],
  ['the release of Feb 23-25, 2026', '2026-02-23 … 2026-02-25'],
  ['the release from July 9th to 11th, 2025', '2025-07-09 … 2025-07-11'],
])('"%s" asks for %s', (query, days) => {
  const { times, rest } = timesAsked(query, NOW);
  expect(times.flat().map(daysOf).join(', ')).toBe(days);
  expect(rest).toContain('release');
  expect(rest).not.toMatch(/\d|july|month|week|day/i);
});

it.each([
  '2026-02-08T23:45:00Z',
  '2026-02-08T00:15Z',
  '2026-02-08 23:45:00.123-08:00',
  '2026-02-08T00:15:00+1100',
])('%s is of the day that it is here', (moment) => {
  const [[span] = []] = timesAsked(`the release at ${moment}`, NOW).times;
  expect(daysOf(span!)).toBe(new Date(moment).toLocaleDateString('sv-SE'));
});

it('on a Saturday, this weekend has begun', () => {
  const { times } = timesAsked('the release this weekend', new Date(2026, 6, 18, 9).getTime());
  expect(times.flat().map(daysOf)).toEqual(['2026-07-18']);
});

it('on a Sunday, this weekend is not the last one', () => {
  const sunday = new Date(2026, 6, 19, 20).getTime();
  const asked = (query: string) => timesAsked(query, sunday).times.flat().map(daysOf);
  expect(asked('the release this weekend')).toEqual(['2026-07-18 … 2026-07-19']);
  expect(asked('the release last weekend')).toEqual(['2026-07-11 … 2026-07-12']);
});

it('on a Sunday, this Sunday is not the last one', () => {
  const sunday = new Date(2026, 6, 19, 20).getTime();
  const asked = (query: string) => timesAsked(query, sunday).times.flat().map(daysOf);
  expect(asked('the release this Sunday')).toEqual(['2026-07-19']);
  expect(asked('the release on Sunday')).toEqual(['2026-07-12']);
  expect(asked('the release this Friday')).toEqual(['2026-07-17']);
});

it('a day or month without a year is one of the last years', () => {
  expect(timesAsked('on Mar 9', NOW).times.flat().map(daysOf).slice(0, 2)).toEqual([
    '2026-03-09',
    '2025-03-09',
  ]);
  expect(timesAsked('on Mar 9', NOW).times.flat().map(daysOf).at(-1)).toBe('2021-03-09');
  expect(timesAsked('on Dec 5', NOW).times.flat().map(daysOf)[0]).toBe('2025-12-05');
  expect(timesAsked('in december', NOW).times.flat().map(daysOf)[0]).toBe('2025-12-01 … 2025-12-31');
  for (const said of ['the month of June', 'the decisions of June'])
    expect(timesAsked(said, NOW).times.flat().map(daysOf)[0]).toBe('2026-06-01 … 2026-06-30');
  expect(timesAsked('on July 16, 2026', NOW).times.flat().map(daysOf)).toEqual(['2026-07-16']);
  expect(timesAsked('in february', NOW).times.flat().map(daysOf)[1]).toBe('2025-02-01 … 2025-02-28');
  expect(timesAsked('on Feb 29', NOW).times.flat().map(daysOf)).toEqual(['2024-02-29']);
  expect(timesAsked('July 9, 2026 and 3 tests', NOW).times.flat().map(daysOf)).toEqual(['2026-07-09']);
  expect(timesAsked('on July 9 and 10?', NOW).times.flat().map(daysOf)[0]).toBe('2026-07-09 … 2026-07-10');
  expect(timesAsked('July 9 and 10 tests', NOW).times.flat().map(daysOf)[0]).toBe('2026-07-09');
  expect(timesAsked('on Feb 27-29', NOW).times.flat().map(daysOf)).toEqual(['2024-02-27 … 2024-02-29']);
});

it('a day to the same day is that day', () => {
  const { times } = timesAsked('from 2026-07-09 to 2026-07-09', NOW);
  expect(times.flat().map(daysOf)).toEqual(['2026-07-09']);
});

it('an icon of some fonts is no time', () => {
  const { times } = timesAsked('the \u{100000} of yesterday', NOW);
  expect(times.flat().map(daysOf)).toEqual(['2026-07-14']);
});

it('two days are no range, and a range that ends before it begins is two days', () => {
  for (const query of ['on 2026-07-09 and 2026-07-12', 'between 2026-07-09 and 2026-06-12'])
    expect(timesAsked(query, NOW).times.flat()).toHaveLength(2);
});

it.each([
  'step 3 may fail',
  'steps 3 to 5 may fail',
  'it timed out after 2000 ms',
  'in 2048 chunks',
  'a timeout in 2000 ms',
  'the meeting from Monday on',
  'it failed on the 2nd attempt',
  'the room on the 39th',
  'the march of the penguins',
  'this may be it',
  'the Sunday group',
  'who is on call on a Sunday?',
  'boards of monday.com',
  'node 20.11.1',
  'plans/2026-01-06-cf564e14.md',
  '2026-13-45',
  'build 2026-13',
  'build 2026-00',
  'February 31, 2025',
  '2026-02-30T10:15:00Z',
  '2026-04-31 10:15',
  'a log that begins with 2026-07-09 and goes on, '.repeat(12),
])('"%s" names no time', (query) => {
  expect(timesAsked(query, NOW)).toEqual({ times: [], rest: query });
});

it('the words of a time count less, and not as a name', () => {
  const weights = new Map(
    queryTerms('what broke the release on 2026-07-09?').map(({ phrase, weight, isEntity }) => [
      phrase,
      [weight, isEntity],
    ]),
  );
  expect(weights.get('release')).toEqual([1, false]);
  expect(weights.get('2026-07-09')).toEqual([0.3, false]);
  // Where it is all there is, it is looked for.
  expect(queryTerms('what was on 2026-07-09?').map(({ phrase, weight }) => [phrase, weight])[0]).toEqual([
    '2026-07-09',
    1,
  ]);
});

const HOUR = 3_600_000;
const DAY = new Date(2026, 1, 8).getTime();

it('chunks of the time count more, those of the day before and after a little', () => {
  const memory = new Memory();
  const [id] = memory.session('mill', [{ text: 'The wheel turns.', atMs: DAY + 12 * HOUR }]);
  const named = (query: string, scope: { projectId?: number }) =>
    chunksIn(memory.store, circumstancesOf(memory.store, query, DAY + 40 * HOUR), scope);
  const at = (query: string) => named(query, {}).get(id!);
  expect(at('the wheel on February 8')).toBe(1);
  expect(at('the wheel on 2026-02-07')).toBe(0.5);
  expect(at('the wheel on February 9, 2026')).toBe(0.5);
  expect(at('the wheel on February 10, 2026')).toBeUndefined();
  expect(at('the wheel yesterday')).toBe(1);
  expect(at('the wheel')).toBeUndefined();
  const projectId = memory.store.projects.findBySlug('mill')!.id;
  expect(named('on 2026-02-08', { projectId }).size).toBe(1);
  expect(named('on 2026-02-08', { projectId: projectId + 1 }).size).toBe(0);
});

it('of what answers alike, that of the asked time comes first', async () => {
  const memory = new Memory();
  const told = 'The miller mended the wheel of the mill.';
  const ids = [1, 2, 3].map(
    (day) => memory.session('mill', [{ text: told, atMs: DAY + day * 72 * HOUR }])[0],
  );
  await memory.store.directory.refresh();
  const best = async (query: string) => {
    const { hits } = await search(memory.context, { query, scope: {}, budgetTokens: 2_000 });
    return hits[0]!.chunk.id;
  };
  expect(await best('who mended the wheel on February 11, 2026?')).toBe(ids[0]);
  expect(await best('who mended the wheel on Feb 14?')).toBe(ids[1]);
  expect(await best('who mended the wheel on 2026-02-17?')).toBe(ids[2]);
});
