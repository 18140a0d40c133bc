import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { InvalidArgumentError, realPath } from '@causantic/domain';
import { ingestTree } from '@causantic/ingest';
import { Store } from '@causantic/storage';
import { findProject, projectAround, requireSession, slugOfSession } from '../src/arguments.js';
import { parseDate, timeWindow } from '../src/time-window.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { TranscriptBuilder } from '../../../test/e2e/transcript-builder.js';

const zoneBefore = process.env['TZ'];
beforeAll(() => {
  process.env['TZ'] = 'America/New_York';
});
afterAll(() => {
  if (zoneBefore === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zoneBefore;
});

const iso = (timeMs: number | undefined): string | undefined =>
  timeMs === undefined ? undefined : new Date(timeMs).toISOString();

describe('a date is a day of the user’s zone, a date-time a moment', () => {
  it.each<[value: string, start: string, end: string]>([
    ['2026-02-08', '2026-02-08T05:00:00.000Z', '2026-02-09T05:00:00.000Z'],
    // Clocks go forward on this day and back on the next one: 23 and 25 hours.
    ['2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['2024-02-29', '2024-02-29T05:00:00.000Z', '2024-03-01T05:00:00.000Z'],
    ['2025-12-31', '2025-12-31T05:00:00.000Z', '2026-01-01T05:00:00.000Z'],
    [' 2026-02-08 ', '2026-02-08T05:00:00.000Z', '2026-02-09T05:00:00.000Z'],
    // How some programs write "always"; by the sun of New York.
    ['0001-01-01', '0001-01-01T04:56:02.000Z', '0001-01-02T04:56:02.000Z'],
  ])('%s', (value, start, end) => {
    expect(iso(parseDate('from', value, 'start'))).toBe(start);
    expect(iso(parseDate('to', value, 'end'))).toBe(end);
  });

  it.each([
    ['2026-02-08T14:30:00Z', '2026-02-08T14:30:00.000Z'],
    ['2026-02-08T14:30:00.123456789Z', '2026-02-08T14:30:00.123Z'],
    ['2026-02-08T14:30Z', '2026-02-08T14:30:00.000Z'],
    ['2026-02-08T14:30:00+01:00', '2026-02-08T13:30:00.000Z'],
    ['2026-02-08T14:30:00-0500', '2026-02-08T19:30:00.000Z'],
    ['2026-02-08 14:30:00.5+01', '2026-02-08T13:30:00.500Z'],
    ['2026-02-08T14:30-05', '2026-02-08T19:30:00.000Z'],
    ['2026-02-08t14:30:00z', '2026-02-08T14:30:00.000Z'],
    ['2026-02-08T14:30', '2026-02-08T19:30:00.000Z'],
    ['2026-02-08 14:30:00', '2026-02-08T19:30:00.000Z'],
    ['2026-07-08T14:30', '2026-07-08T18:30:00.000Z'],
  ])('%s', (value, moment) => {
    expect(iso(parseDate('from', value, 'start'))).toBe(moment);
    expect(iso(parseDate('to', value, 'end'))).toBe(moment);
  });

  it('keeps the microseconds by which reconstruct names places within a moment', () => {
    const moment = Date.parse('2026-02-08T14:30:00.123Z');
    expect(parseDate('to', '2026-02-08T14:30:00.123007Z', 'end')).toBeCloseTo(moment + 0.007, 3);
    expect(parseDate('to', '2026-02-08T15:30:00.1234+01:00', 'end')).toBeCloseTo(moment + 0.4, 3);
  });

  it('may be left out', () => {
    expect(parseDate('from', undefined, 'start')).toBeUndefined();
  });
});

describe('anything else is refused by name', () => {
  it.each([
    ...[
      'junk',
      '',
      'null',
      'NaN',
      'now',
      'yesterday',
      '2026',
      '2026-02',
      '2026-2-8',
      '20260208',
      '08/02/2026',
    ],
    ...['2026-02-30', '2025-02-29', '2026-13-01', '2026-00-10', '2026-01-00', '2026-02-30T10:00:00Z'],
    ...[
      '2026-02-08T',
      '2026-02-08T25:00:00Z',
      '2026-02-08T10:61:00Z',
      '2026-02-08T10',
      '2026-02-08T10:00:00+99:00',
      '2026-02-08 10:00:00+99:00',
      '2026-02-08t10:00:00+99:00',
    ],
    ...['2026-02-08; DROP TABLE chunk', '1770000000000', '2026-W06', '-2026-02-08', '２０２６-02-08'],
  ])('%j', (value) => {
    expect(() => parseDate('before', value, 'start')).toThrow(InvalidArgumentError);
    expect(() => parseDate('before', value, 'start')).toThrow(/"before".*ISO 8601/);
  });
});

describe('a window', () => {
  const nowMs = Date.parse('2026-02-10T12:00:00Z');
  it.each([
    [{}, {}],
    [{ from: '2026-02-08' }, { fromMs: '2026-02-08T05:00:00.000Z' }],
    [{ to: '2026-02-08' }, { beforeMs: '2026-02-09T05:00:00.000Z' }],
    [{ days_back: 2 }, { fromMs: '2026-02-08T12:00:00.000Z' }],
    [{ days_back: 0.5 }, { fromMs: '2026-02-10T00:00:00.000Z' }],
    [{ from: '2026-02-01', days_back: 2 }, { fromMs: '2026-02-01T05:00:00.000Z' }],
    [
      { from: '2026-02-08', to: '2026-02-08' },
      { fromMs: '2026-02-08T05:00:00.000Z', beforeMs: '2026-02-09T05:00:00.000Z' },
    ],
  ])('%j', (given, expected) => {
    const { fromMs, beforeMs } = timeWindow(given, nowMs);
    expect({
      ...(fromMs !== undefined && { fromMs: iso(fromMs) }),
      ...(beforeMs !== undefined && { beforeMs: iso(beforeMs) }),
    }).toEqual(expected);
  });

  it.each([
    [{ from: '2026-02-08', to: '2026-02-07' }, /"to".*after "from"/],
    [{ from: '2026-02-08T10:00:00Z', to: '2026-02-08T10:00:00Z' }, /"to".*after "from"/],
    [{ days_back: 1, to: '2026-02-01' }, /"to".*after 1 day ago/],
    [{ days_back: 2, to: '2026-02-01' }, /"to".*after 2 days ago/],
  ])('that ends before it begins is refused: %j', (given, message) => {
    expect(() => timeWindow(given, nowMs)).toThrow(message);
  });
});

it('a folder in a repository is of the project above it, one outside of any of its own', () => {
  const folder = temporaryFolder();
  const store = Store.open(':memory:');
  onTestFinished(() => store.close());
  for (const cwd of [folder, join(folder, 'mill')]) {
    mkdirSync(join(cwd, 'src', 'wheel'), { recursive: true });
    const session = new TranscriptBuilder({ session: basename(cwd), cwd, start: '2026-02-03T10:00:00Z' });
    ingestTree(store, [session.user('What grinds the corn?').writeTo(cwd)]);
  }
  const projectOf = (...names: string[]) => projectAround(store, join(folder, ...names))?.path;
  expect(projectOf('mill')).toBe(realPath(join(folder, 'mill')));
  expect(projectOf('mill', 'src')).toBeUndefined();
  mkdirSync(join(folder, 'mill', '.git'));
  expect(projectOf('mill', 'src', 'wheel')).toBe(realPath(join(folder, 'mill')));
  expect(projectOf('src', 'wheel')).toBeUndefined();
  expect(projectOf('gone')).toBeUndefined();
});

it('a worktree in which no session has begun yet is of its repository', () => {
  const [folder, worktree] = [join(temporaryFolder(), 'mill'), join(temporaryFolder(), 'sluice')];
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args]);
  mkdirSync(folder);
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
  git('worktree', 'add', '--quiet', worktree);
  mkdirSync(join(worktree, 'src'));
  const store = Store.open(':memory:');
  onTestFinished(() => store.close());
  expect(projectAround(store, join(worktree, 'src'))).toBeUndefined();
  const session = new TranscriptBuilder({ session: 'b', cwd: folder, start: '2026-02-03T10:00:00Z' });
  ingestTree(store, [session.user('What grinds the corn?').writeTo(folder)]);
  expect(projectAround(store, join(worktree, 'src'))?.slug).toBe('mill');
});

it('a project is known by its slug, and by its folder, however these are written', () => {
  const folder = temporaryFolder();
  const store = Store.open(':memory:');
  onTestFinished(() => store.close());
  // As macOS writes names: the dots apart from their letter. People and models join them.
  const slug = 'Mühle'.normalize('NFD');
  const mill = join(folder, slug);
  mkdirSync(mill);
  symlinkSync(mill, join(folder, 'link'), 'junction');
  const session = new TranscriptBuilder({ session: 'b', cwd: mill, start: '2026-02-03T10:00:00Z' });
  ingestTree(store, [session.user('What grinds the corn?').writeTo(folder)]);
  for (const name of [
    slug,
    'Mühle',
    'mühle',
    mill,
    `${mill}/`,
    join(folder, 'link'),
    join(folder, 'link/'),
  ]) {
    expect(findProject(store, name)?.slug).toBe(slug);
  }
  renameSync(mill, join(folder, 'Moved'));
  symlinkSync(folder, `${folder}-link`, 'junction');
  onTestFinished(() => rmSync(`${folder}-link`));
  expect(findProject(store, join(`${folder}-link`, slug))?.slug).toBe(slug);
  for (const name of ['link', folder, join(mill, 'gone'), '/', 'Muhle'])
    expect(findProject(store, name)).toBe(undefined);
});

it('a project whose folder has a blank in its name is known by that name, too', () => {
  const folder = temporaryFolder();
  const store = Store.open(':memory:');
  onTestFinished(() => store.close());
  const session = new TranscriptBuilder({
    session: 'b',
    cwd: '/home/ada/Old Mill “2”',
    start: '2026-02-03T10:00:00Z',
  });
  ingestTree(store, [session.user('What grinds the corn?').writeTo(folder)]);
  for (const name of ['Old Mill “2”', 'old mill “2”', 'Old-Mill-“2”', ' Old Mill  “2” '])
    expect(findProject(store, name)?.slug).toBe('Old-Mill-“2”');
  for (const name of ['OldMill “2”', ' ', '"']) expect(findProject(store, name)).toBeUndefined();
});

it('a project is known by a folder of it in which a session began', () => {
  const folder = temporaryFolder();
  const store = Store.open(':memory:');
  onTestFinished(() => store.close());
  const wheel = join(folder, 'mill', 'packages', 'wheel');
  mkdirSync(join(folder, 'mill', '.git'), { recursive: true });
  mkdirSync(wheel, { recursive: true });
  const session = new TranscriptBuilder({ session: 'b', cwd: wheel, start: '2026-02-03T10:00:00Z' });
  ingestTree(store, [session.user('Why does it squeak?').writeTo(folder)]);
  for (const name of [wheel, `${wheel}/`, join(wheel, '..', 'wheel')])
    expect(findProject(store, name)?.slug).toBe('mill');
  expect(findProject(store, join(folder, 'mill', 'packages'))).toBeUndefined();
});

describe('a name that could mean two', () => {
  function remembering(...sessions: { session: string; cwd: string }[]): Store {
    const folder = temporaryFolder();
    const store = Store.open(':memory:');
    onTestFinished(() => store.close());
    for (const each of sessions)
      new TranscriptBuilder({ ...each, start: '2026-02-03T10:00:00Z' }).user('Who?').writeTo(folder);
    ingestTree(store, [folder]);
    return store;
  }

  it('is that of neither project, unless it is written as one is', () => {
    const store = remembering(
      { session: 'a', cwd: '/home/ada/Mill' },
      { session: 'b', cwd: '/home/ada/mill' },
    );
    expect(store.projects.slugsInUse().sort()).toEqual(['Mill', 'mill']);
    expect(findProject(store, 'mill')?.slug).toBe('mill');
    expect(findProject(store, 'MILL')).toBeUndefined();
  });

  it('is that of the session that is called just so', () => {
    const store = remembering(
      { session: 'abcdef12', cwd: '/home/ada/mill' },
      { session: 'abcdef123', cwd: '/home/ada/mill' },
    );
    const named = (id: string) => requireSession(store, { argument: 'session_id', id }).uuid;
    expect(named('abcdef12')).toBe('abcdef12');
    expect(named('ABCDEF12')).toBe('abcdef12');
    expect(named(' ABCDEF123\n')).toBe('abcdef123');
    for (const short of ['abcdef1', 'abcdef1 '])
      expect(() => named(short)).toThrow('at least its first 8 characters');
  });

  it('is not told of a session of another project', () => {
    const store = remembering(
      { session: 'abcdef12-1', cwd: '/home/ada/mill' },
      { session: 'abcdef12-2', cwd: '/home/ada/harbour' },
      { session: 'cafe0001', cwd: '/home/ada/harbour' },
      { session: 'fedcba', cwd: '/home/ada/quay' },
    );
    const { id: projectId } = store.projects.findBySlug('quay')!;
    const named = (id: string) => requireSession(store, { argument: 'session_id', id, projectId });
    expect(() => named('abcdef12-2')).toThrow('in this project; it is one of project "harbour".');
    for (const id of ['abcdef12', 'cafe000'])
      expect(() => named(id)).toThrow('in this project; see list-sessions.');
  });

  it('is of the project that all sessions have whose id begins so, as two that began in one minute may', () => {
    const store = remembering(
      { session: 'abcdef12-1', cwd: '/home/ada/mill' },
      { session: 'abcdef12-2', cwd: '/home/ada/mill' },
      { session: 'fedcba12-1', cwd: '/home/ada/mill' },
      { session: 'fedcba12-2', cwd: '/home/ada/harbour' },
    );
    const slugs = ['abcdef12', ' ABCDEF12-2', 'fedcba12', 'abcdef1'].map((id) => slugOfSession(store, id));
    expect(slugs).toEqual(['mill', 'mill', undefined, undefined]);
  });
});
