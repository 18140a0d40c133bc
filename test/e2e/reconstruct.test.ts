import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, MemoryHome } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

const memory = new MemoryHome();
let client: Client;

function transcript(prefix: string, start: string, folder = 'shop', stepMs = 60_000): TranscriptBuilder {
  return new TranscriptBuilder({ session: sessionId(prefix), cwd: `/home/ada/${folder}`, start, stepMs });
}

beforeAll(async () => {
  for (const builder of [
    transcript('50f70000', '2026-02-01T10:00:00Z').exchange('Where is the till?', 'In the cellar.'),
    transcript('50f70001', '2026-02-02T10:00:00Z').user('<command-name>/clear</command-name>'),
    transcript('50f70002', '2026-02-03T10:00:00Z').thinking('Is anybody there?'),
    transcript('50f70004', '2026-02-03T11:00:00Z').raw(
      `{"type":"system","subtype":"informational","content":"","cwd":"/home/ada/shop","sessionId":"${sessionId('50f70004')}","timestamp":"2026-02-03T11:00:00Z","uuid":"50f70004-0000-4000-8000-00000000aaaa"}`,
    ),
    transcript('50f70003', '2026-02-04T10:00:00Z').exchange('And the key?', 'Under the mat.'),
    transcript('7e100000', '2026-02-05T10:00:00Z', 'twins').exchange('Who was first?', 'Nobody knows.'),
    transcript('7e100001', '2026-02-05T10:00:00Z', 'twins').exchange('Who was second?', 'Nobody knows.'),
    ...['7000', '7001'].map((rest, n) =>
      new TranscriptBuilder({
        session: sessionId('019ed836', `b1da-${rest}-8000-000000000001`),
        cwd: '/home/ada/batch',
        start: `2026-02-0${n + 1}T10:00:00Z`,
      }).exchange(`Which lorry has number ${n}?`, 'The green one.'),
    ),
    transcript('6a900001', '2026-02-01T15:00:00Z', 'pause')
      .exchange('Shall we stop here?', 'Until Wednesday.')
      .at('2026-02-04T15:00:00Z')
      .exchange('Shall we go on?', 'Gladly.'),
    transcript('01d00001', '2025-02-08T19:30:00Z', 'old').exchange('Is it new?', 'Yes.'),
    transcript('01d00002', '2026-02-08T19:30:00Z', 'old').exchange('Is it still?', 'No.'),
  ]) {
    builder.writeTo(memory.projects);
  }
  await memory.ingest();
  client = await memory.connect();
}, 60_000);
afterAll(() => memory.remove());

const reconstructed = async (args: Record<string, unknown>): Promise<string> =>
  (await call(client, 'reconstruct', { project: 'shop', ...args })).text;

it('the previous session is one that holds something to read', async () => {
  const previous = { previous_session: true, current_session_id: '50f70003' };
  expect(await reconstructed(previous)).toContain('Where is the till?');
});

it('of sessions that began at the same moment each has its place before another', async () => {
  const of = (current_session_id: string): Promise<string> =>
    reconstructed({ project: 'twins', previous_session: true, current_session_id });
  const answers = [await of('7e100000'), await of('7e100001')];
  expect(answers.filter((text) => text.startsWith('Error: There is no session before'))).toHaveLength(1);
  expect(answers.filter((text) => text.includes('Nobody knows.'))).toHaveLength(1);
});

it.each([
  [
    'no prompt and no answer',
    { session_id: '50f70001' },
    'Session 50f70001 of project "shop" has nothing to show: no prompt, answer or tool call.',
  ],
  [
    'nothing at all',
    { session_id: '50f70004' },
    'Session 50f70004 of project "shop" has nothing to show: no prompt, answer or tool call.',
  ],
  [
    'another time',
    { session_id: '50f70000', from: '2026-02-03' },
    'Session 50f70000 of project "shop" has nothing that matches; it ran Feb 1, 5:00 AM – 5:01 AM.',
  ],
])('says why there is nothing of a session: %s', async (_why, args, text) => {
  expect(await reconstructed(args)).toBe(text);
});

it('names the year where sessions of several years are told together', async () => {
  const ranges = ['Feb 8, 2026, 2:30 PM – 2:31 PM', 'Feb 8, 2025, 2:30 PM – 2:31 PM'];
  const { text } = await call(client, 'list-sessions', { project: 'old' });
  expect(text.match(/Feb 8.* PM/g)).toEqual(ranges);
  expect((await reconstructed({ project: 'old' })).match(/Feb 8.* PM/g)).toEqual(ranges.toReversed());
});

it('sessions whose ids begin alike are shown with ids that lead to them', async () => {
  const { text: list } = await call(client, 'list-sessions', { project: 'batch' });
  const { text: found } = await call(client, 'search', { project: 'batch', query: 'Which lorry is green?' });
  for (const [text, form] of [
    [list, /^- (\S+)/gm],
    [found, /^\[Session: (\S+)/gm],
    [await reconstructed({ project: 'batch' }), /^=== Session (\S+)/gm],
  ] as const) {
    const ids = [...text.matchAll(form)].map(([, id]) => id!);
    const opened = await Promise.all(
      ids.map((session_id) => reconstructed({ project: 'batch', session_id })),
    );
    expect(opened.map((each) => /number \d/.exec(each)?.[0]).toSorted()).toEqual(['number 0', 'number 1']);
  }
});

it('a day on which a session rested is none of its days', async () => {
  for (const [day, listed] of Object.entries({ '01': 1, '02': 0, '03': 0, '04': 1 })) {
    const window = { project: 'pause', from: `2026-02-${day}`, to: `2026-02-${day}` };
    const { text } = await call(client, 'list-sessions', window);
    expect([...text.matchAll(/^- 6a900001 \(Feb 1, 10:00 AM – Feb 4, 10:01 AM/gm)]).toHaveLength(listed);
    expect((await call(client, 'reconstruct', window)).hits.length > 0).toBe(listed > 0);
  }
});
