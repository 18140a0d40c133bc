import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, MemoryHome } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

/** What was said once, in one session each, among much else. */
const TOPICS: [prefix: string, question: string, asked: string, answered: string][] = [
  [
    '10000001',
    'how did we get rid of the deadlock between the importer and the nightly vacuum?',
    'The importer hangs every night at two.',
    'The nightly vacuum and the importer lock the same two tables in opposite order, a deadlock. The importer now takes the locks in alphabetical order.',
  ],
  [
    '10000002',
    "what's the reason that the customer's avatar isn't shown in Safari?",
    'Avatars are missing in Safari only.',
    'Safari refuses the avatar because the image is sent as text/plain; the bucket had no content type for WebP files.',
  ],
  [
    '10000003',
    'which flag turns off telemetry in the installer',
    'People ask how to switch telemetry off.',
    'The installer reads --no-beacon, and TELEMETRY_OPT_OUT=1 does the same for a silent installation.',
  ],
  [
    '10000004',
    'where is the retry limit of parseInvoiceHeader defined?',
    'Invoices with broken headers are tried for ever.',
    'parseInvoiceHeader tried without end; MAX_HEADER_ATTEMPTS in src/billing/limits.ts is three now.',
  ],
  [
    '10000005',
    'what does error E4711 mean',
    'The terminal prints E4711 and stops.',
    'E4711 is raised when the card reader is older than firmware 3.2; the cure is the update tool.',
  ],
  [
    '10000006',
    'did we decide on tabs or spaces for the style guide?',
    'Let us settle indentation.',
    'Decision: two spaces, written down in docs/style-guide.md, and the formatter enforces it.',
  ],
];

const LARGE = '/home/ada/warehouse';
const SMALL = '/home/ada/lighthouse';
let memory: MemoryHome;
let client: Client;

beforeAll(async () => {
  memory = new MemoryHome();
  for (const [prefix, , asked, answered] of TOPICS) {
    new TranscriptBuilder({ session: sessionId(prefix), cwd: LARGE, start: '2026-01-05T10:00:00Z' })
      .exchange('Good morning, is the build green today?', 'Yes, all jobs have passed.')
      .exchange(asked, answered)
      .exchange('Thanks, commit it.', 'Committed and pushed.')
      .writeTo(memory.projects);
  }
  writeManyConveyorSessions(memory.projects);
  new TranscriptBuilder({ session: sessionId('20000001'), cwd: SMALL, start: '2026-01-01T10:00:00Z' })
    .exchange('Anything about the conveyor?', 'The lighthouse borrows one conveyor belt sensor for its lamp.')
    .writeTo(memory.projects);
  await memory.ingest();
  client = await memory.connect();
});
afterAll(() => memory.remove());

/** More sessions about one thing than a search considers. */
function writeManyConveyorSessions(projects: string): void {
  for (let n = 0; n < 60; n++) {
    const transcript = new TranscriptBuilder({
      session: sessionId(`3000${String(n).padStart(4, '0')}`),
      cwd: LARGE,
      start: '2026-02-01T10:00:00Z',
    });
    for (let turn = 0; turn < 8; turn++) {
      const belt = n * 8 + turn;
      transcript.exchange(
        `The conveyor belt sensor ${belt} reports no motion.`,
        `Conveyor belt sensor ${belt} was calibrated again. ${'The conveyor log of the day is attached. '.repeat(8)}`,
      );
    }
    transcript.writeTo(projects);
  }
}

describe('a question as people ask it', () => {
  it.each(TOPICS)('%s: %s', async (prefix, question, _asked, answered) => {
    const { text, hits } = await call(client, 'search', { query: question });
    expect(hits[0]!.sessionId).toBe(sessionId(prefix));
    const firstAnswers = text.split('\n\n[Session: ').slice(0, 2).join('\n');
    expect(firstAnswers).toContain(answered);
  });
});

describe('nothing in a question is taken for a query language', () => {
  it.each([
    ['quotes', 'E4711 "card reader" firmware'],
    ['one quote too many', 'E4711 "card reader firmware'],
    ['apostrophes', "E4711 'card reader' that's old"],
    ['NEAR', 'NEAR(E4711 firmware, 5)'],
    ['operators', 'E4711 AND NOT firmware OR card*'],
    ['a column', 'said: E4711 prompt:firmware'],
    ['parentheses', '((E4711) firmware'],
    ['braces, carets, plus, minus', '{said prompt}: ^E4711 + firmware - card'],
    ['SQL', "E4711'; DROP TABLE chunk; --"],
    ['wildcards', 'E4711 % _ * ?'],
    ['a zero byte', 'E4711\u0000firmware'],
    ['a lone surrogate', 'E4711 \ud800 firmware'],
    ['line breaks', 'E4711\r\n\tfirmware'],
    ['markup', '<b>E4711</b> &amp; `firmware`'],
  ])('%s', async (_what, query) => {
    const { hits } = await call(client, 'search', { query });
    expect(hits[0]?.sessionId).toBe(sessionId('10000005'));
  });

  it.each(['"', "'", '*', '()', ':', '-', '%', '\u0000', '🙂', 'NEAR', 'AND', 'the', '...', '\\', '{}[]^~'])(
    '%j alone is answered',
    async (query) => {
      const { text } = await call(client, 'search', { query });
      expect(text).toMatch(/^(Found \d+ relevant memory chunks|No relevant memory found\.$)/);
    },
  );
});

describe('questions out of all proportion', () => {
  it('one word three hundred times asks for that word', async () => {
    const { hits } = await call(client, 'search', { query: 'firmware '.repeat(300) });
    expect(hits[0]?.sessionId).toBe(sessionId('10000005'));
  });

  it('a hundred kilobytes are read from the beginning', async () => {
    const pasted = `E4711 firmware of the card reader\n${'conveyor belt sensor reports no motion '.repeat(2_600)}`;
    expect(pasted.length).toBeGreaterThan(100_000);
    const { hits } = await call(client, 'search', { query: pasted });
    expect(hits.map((hit) => hit.sessionId)).toContain(sessionId('10000005'));
  });

  it.each([
    ['letters', 'x'],
    ['dots', '.'],
    ['dashed letters', 'q-'],
    ['dotted words', 'zvrkk.'],
    ['quotes', '"'],
    ['parentheses', '('],
    ['capitals', 'qZ'],
    ['digits', '7'],
    ['emoji', '🙂'],
  ])('a hundred kilobytes of %s without a space', async (_what, sign) => {
    const { text } = await call(client, 'search', { query: sign.repeat(100_000 / sign.length) });
    expect(text).toBe('No relevant memory found.');
  });

  it('thousands of different words', async () => {
    const words = Array.from({ length: 5_000 }, (_, n) => `word${n}`).join(' ');
    const { text } = await call(client, 'search', { query: words });
    expect(text).toMatch(/^(Found|No relevant)/);
  });
});

it('a long question is answered though most of its words are not in memory', async () => {
  const query =
    'Whenever anybody pays, the terminal of ours gives up with some odd code: is the card reader perhaps outdated, and what remedy exists?';
  const { hits } = await call(client, 'search', { query });
  expect(hits.map((hit) => hit.sessionId)).toContain(sessionId('10000005'));
});

describe('what nobody ever said', () => {
  it.each([
    'qwzx blorptang quuxly zvrkk',
    'xyzzy plugh frobnitz',
    'Kernschmelze Wanderdüne Zwiebelkuchen',
    'zzgh-4481-kkp',
    'vuvuzela marzipan kaleidoscope rhinoceros',
    'Is there a nightly train from Vienna to Rome?',
    'Who won the match last night?',
  ])('%s', async (query) => {
    const { text, hits } = await call(client, 'search', { query });
    expect(text).toBe('No relevant memory found.');
    expect(hits).toEqual([]);
  });
});

describe('filters are applied before the limit', () => {
  it('a small project is found beside one that fills every answer', async () => {
    const query = 'conveyor belt sensor';
    const { hits } = await call(client, 'search', { query, project: 'lighthouse' });
    expect(hits.map((hit) => hit.project)).toEqual(['lighthouse']);
    const everywhere = await call(client, 'search', { query });
    expect(everywhere.hits.length).toBeGreaterThan(20);
  });

  it('the path of a project will do for its name', async () => {
    const { hits } = await call(client, 'search', { query: 'conveyor belt sensor', project: SMALL });
    expect(hits.map((hit) => hit.project)).toEqual(['lighthouse']);
  });
});

describe('ids that are shown are accepted', () => {
  it('from list-sessions and from the headers of search', async () => {
    const { text: list } = await call(client, 'list-sessions', { project: 'warehouse', limit: 3 });
    const { text: found } = await call(client, 'search', { query: TOPICS[0]![1] });
    const shown = [
      ...list.matchAll(/^- (\S{8}) \(/gm),
      ...found.matchAll(/^\[Session: (\S{8}) \| warehouse /gm),
    ].map(([, id]) => id!);
    expect(shown.length).toBeGreaterThan(3);
    for (const id of new Set(shown)) {
      const { text } = await call(client, 'reconstruct', { project: 'warehouse', session_id: id });
      expect(text).toContain(`=== Session ${id} | warehouse | `);
    }
  });

  it('from the hits', async () => {
    const { hits } = await call(client, 'search', { query: TOPICS[1]![1] });
    const { text } = await call(client, 'reconstruct', {
      project: hits[0]!.project,
      session_id: hits[0]!.sessionId,
    });
    expect(text).toContain(TOPICS[1]![3]);
  });
});

it('the same question has the same answer', async () => {
  const answers = await Promise.all(
    [1, 2, 3].map(() => call(client, 'search', { query: 'conveyor belt sensor 17' })),
  );
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
});

it('where one left off begins with the branch that is checked out where the caller is', async () => {
  const own = MemoryHome.ofTest();
  const session = (day: string, branch: string, [asked, answered]: readonly [string, string]) =>
    new TranscriptBuilder({
      session: sessionId(`400000${day}`),
      cwd: own.folder,
      start: `2026-01-${day}T10:00:00Z`,
      branch,
    })
      .exchange(asked, answered)
      .writeTo(own.projects);
  session('05', 'doors', ['Oil the hinges.', 'The hinges are oiled.']);
  session('06', 'main', ['Count the lamps.', 'There are six lamps.']);
  mkdirSync(join(own.folder, '.git'));
  const placesOn = async (branch: string) => {
    writeFileSync(join(own.folder, '.git', 'HEAD'), `ref: refs/heads/${branch}\n`);
    const { stdout } = await own.causantic('search', 'where did we leave off?');
    return ['hinges are oiled', 'six lamps'].map((words) => stdout.indexOf(words));
  };
  await own.ingest();
  const [hinges = 0, lamps = 0] = await placesOn('doors');
  expect(hinges).toBeGreaterThan(0);
  expect(lamps).toBeGreaterThan(hinges);
  const [later = 0, first = 0] = await placesOn('main');
  expect(first).toBeGreaterThan(0);
  expect(later).toBeGreaterThan(first);
});
