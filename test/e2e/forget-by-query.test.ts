import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '@causantic/storage';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, callInFull, MemoryHome } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

const memory = new MemoryHome();
let client: Client;

beforeAll(async () => {
  const topics = ['Which tea is served in the garden?', 'How do we rotate the signing certificates?'];
  topics.forEach((question, n) => {
    new TranscriptBuilder({
      session: sessionId(`f0f0f0f${n}`),
      cwd: '/home/ada/app',
      start: `2026-02-0${n + 1}T10:00:00Z`,
    })
      .exchange(question, `About this: ${question}`)
      .writeTo(memory.projects);
  });
  await memory.ingest();
  client = await memory.connect();
}, 60_000);
afterAll(() => memory.remove());

const QUERY = 'rotate the signing certificates';
const forget = async (more: Record<string, unknown>) =>
  (await call(client, 'forget', { project: 'app', ...more })).text;

it('tells of two scores the mean as their median', async () => {
  const [, scores] = (
    await forget({ query: 'signing certificates served in the garden', threshold: 0.01 })
  ).split('\n');
  const [max, min, median] = scores!.match(/\d+/g)!.map(Number) as [number, number, number];
  expect(max).toBeGreaterThan(min + 2);
  expect(Math.abs(median - (max + min) / 2)).toBeLessThanOrEqual(1);
});

it('previews what is about a topic, with scores, and deletes only that', async () => {
  const preview = await forget({ query: QUERY, threshold: 40 });
  expect(preview.split('\n')).toEqual([
    `Dry run: 1 chunk(s) match query "${QUERY}" (threshold: 40%, project: "app")`,
    expect.stringMatching(/^Scores: (\d+)% max, \1% min, \1% median$/),
    'Top matches:',
    expect.stringMatching(/^1\. \[\d+%\] "User: How do we rotate .*\.\.\." \(Feb 2, 2026\)$/),
    'Set dry_run=false to proceed with deletion.',
  ]);
  expect(await forget({ query: QUERY, threshold: 0.4, before: '2026-02-01' })).toBe(
    `No chunks match query "${QUERY}" at threshold 40%`,
  );
  // 1 is all of 1, not a hundredth: much would be deleted.
  for (const threshold of [1, 99.9]) {
    expect(await forget({ query: QUERY, threshold })).toMatch(
      /^No chunks match query ".*" at threshold 100%$/,
    );
  }
  expect(await forget({ query: QUERY, threshold: 0.4, dry_run: false })).toBe(
    'Deleted 1 chunk(s) from project "app" (vectors and related edges/clusters also removed).',
  );
  expect((await call(client, 'search', { query: 'tea in the garden' })).text).toContain('tea is served');
  expect((await call(client, 'search', { query: QUERY })).text).toBe('No relevant memory found.');
});

it('a long query is told again by its beginning only', async () => {
  const query = 'where the harbour crane stands '.repeat(5_000);
  const told = `query "${query.slice(0, 200)}…"`;
  for (const threshold of [100, 0]) expect(await forget({ query, threshold })).toContain(`${told} `);
  expect((await forget({ query, threshold: 0 })).length).toBeLessThan(1_000);
  expect(await forget({ query: `"${query}"`, threshold: 100 })).toMatch(/^No chunks match/);
});

it('takes no thought from outside the dates that were named', async () => {
  new TranscriptBuilder({
    session: sessionId('f0f0f0ff'),
    cwd: '/home/ada/cellar',
    start: '2026-02-06T10:00:00Z',
  })
    .exchange('Which casks stand in the cellar by the stairs?', 'The casks of oak stand there.')
    .at('2026-02-06T12:00:00Z')
    .thinking('Casks, cellar, stairs: I should have counted them.')
    .writeTo(memory.projects);
  await memory.ingest();
  const casks = { project: 'cellar', query: 'casks in the cellar by the stairs', threshold: 0.3 };
  expect(await forget(casks)).toContain('\n1 adjacent chunk(s) of thoughts');
  const earlier = await forget({ ...casks, before: '2026-02-06T11:00:00Z' });
  expect(earlier).toMatch(/^Dry run: 1 chunk\(s\) match/);
  expect(earlier).not.toContain('adjacent');
});

it('takes what was thought about the topic with it, and no other thoughts', async () => {
  const session = sessionId('f0f0f0fa');
  new TranscriptBuilder({ session, cwd: '/home/ada/garden', start: '2026-02-05T10:00:00Z' })
    .user('Which roses grow in the shade of the wall?')
    .thinking('Roses, shade, a wall: the Albertine roses may do.')
    .answer('The Albertine roses grow in the shade.')
    .user('And which invoice format does the tax office want?')
    .thinking('It wants the XRechnung format of invoices.')
    .answer('XRechnung is the invoice format that the tax office wants.')
    .writeTo(memory.projects);
  await memory.ingest();
  const roses = { project: 'garden', query: 'roses in the shade', threshold: 0.3 };
  const { text } = await call(client, 'forget', roses);
  expect(text).toMatch(
    /^Dry run: 1 chunk\(s\) match .*\n1 adjacent chunk\(s\) of thoughts and client messages would be deleted with them\.\n/s,
  );
  expect((await call(client, 'forget', { ...roses, dry_run: false })).text).toMatch(/^Deleted 2 chunk\(s\)/);
  const database = openSqlite(join(memory.home, 'memory.db'), { readonly: true });
  const left = database.prepare('SELECT text FROM chunk').pluck().all().join('\n');
  database.close();
  expect(left).not.toMatch(/Albertine/);
  expect(left).toMatch(/It wants the XRechnung format/);
});

it('finds a name, and words in quotes, where they stand, also in thoughts', async () => {
  const session = sessionId('f0f0f0fb');
  new TranscriptBuilder({ session, cwd: '/home/ada/harbour', start: '2026-02-06T10:00:00Z' })
    .exchange('Set the pilot up with host OMP_crane-7.', 'It is set up for Jane Doe.')
    .user('When does the ferry leave?')
    .thinking('The pilot host omp_crane-7 may know.')
    .answer('At seven.')
    .writeTo(memory.projects);
  await memory.ingest();
  const ask = (query: string, more = {}) => forget({ project: 'harbour', threshold: 100, query, ...more });
  expect(await ask('OMP_crane-7')).toMatch(
    /^Dry run: 2 chunk\(s\) match query "OMP_crane-7" \(threshold: 100%, project: "harbour"\)\nScores: 100% max, 100% min, 100% median\n/,
  );
  for (const query of ['"jane doe"', '“jane doe”', '„Jane Doe“', '« Jane Doe »'])
    expect(await ask(query)).toMatch(/^Dry run: 1 chunk/);
  // What may be a topic is compared by meaning alone.
  const nothing = (query: string) => `No chunks match query "${query}" at threshold 100%`;
  for (const query of ['leave the harbour', '""']) expect(await ask(query)).toBe(nothing(query));
  const quote = 'To match all that contain a name, ask for it alone, in double quotes.';
  for (const [query, named] of [
    ['pilot', '"pilot" in 2'],
    ['ane-7', '"ane-7" in 2'],
    ['all of Jane and Crane', '"Jane" in 1, "Crane" in 2'],
  ] as const)
    expect(await ask(query)).toBe(`${nothing(query)}\nChunks that do not match contain ${named}. ${quote}`);
  expect(await ask('OMP_crane-7', { dry_run: false })).toMatch(/^Deleted 2 chunk/);
  const { text: left } = await call(client, 'reconstruct', { project: 'harbour' });
  expect(left).toMatch(/At seven/);
  expect(left).not.toMatch(/crane-7/i);
});

it('shows how a chunk begins that names a file in no words of its own', async () => {
  const path = '/home/ada/cellar/documents/invoices/of-the-year-2026/of-february/wine-and-cheese.md';
  new TranscriptBuilder({
    session: sessionId('f0f0f1f0'),
    cwd: '/home/ada/cellar',
    start: '2026-02-10T10:00:00Z',
  })
    .user('Write it down.')
    .tool(
      'Write',
      { file_path: path, content: 'A bottle of wine for Ada, and some cheese.\n'.repeat(60) },
      'ok',
    )
    .answer('Done.')
    .writeTo(memory.projects);
  await memory.ingest();
  const preview = await forget({ project: 'cellar', query: path });
  expect(preview).toMatch(/^1\. \[100%\] "\.\.\..*\[Write\] /m);
  expect(preview).toMatch(/^2\. \[100%\] "A bottle of wine/m);
});

it('says that a name of a topic stands in chunks that do not match, before and after these are deleted', async () => {
  new TranscriptBuilder({
    session: sessionId('f0f0f0fd'),
    cwd: '/home/ada/mill',
    start: '2026-02-08T10:00:00Z',
  })
    .exchange('How is the grain of Acme milled?', 'The grain of Acme is milled twice.')
    .exchange('Why is the door locked?', 'Nobody is in, and acme wanted it so.')
    .writeTo(memory.projects);
  await memory.ingest();
  const ask = (more = {}) =>
    forget({ project: 'mill', query: 'milled grain of Acme', threshold: 0.3, ...more });
  const left = 'Chunks that do not match contain "Acme" in 1. ';
  expect(await ask()).toMatch(new RegExp(`^Dry run: 1 chunk.*\n${left}.*\nSet dry_run=false`, 's'));
  const severalNames = { query: '"grain of Acme" or "nobody is in"', threshold: 0.95 };
  expect(await ask(severalNames)).toContain(
    'Chunks that do not match contain "grain of Acme" in 1, "nobody is in" in 1. ',
  );
  expect(await ask({ dry_run: false })).toMatch(new RegExp(`^Deleted 1 chunk.*\n${left}`));
});

it('says what came nearest to a topic that nothing matches, unless a threshold was named', async () => {
  new TranscriptBuilder({
    session: sessionId('f0f0f0f9'),
    cwd: '/home/ada/quay',
    start: '2026-02-09T10:00:00Z',
  })
    .exchange('How is the invoice of a customer numbered?', 'Invoices are numbered by year and berth.')
    .writeTo(memory.projects);
  await memory.ingest();
  const ask = (query: string, more = {}) => forget({ project: 'quay', query, ...more });
  const query = 'invoices and what is paid in the harbour';
  const nothing = `No chunks match query "${query}" at threshold 60%`;
  expect((await ask(query)).split('\n')).toEqual([
    nothing,
    expect.stringMatching(
      /^Most similar: \[[45]\d%\] "User: How is the invoice .*\.\.\." \(Feb 9, 2026\)\. A lower threshold would match it\.$/,
    ),
  ]);
  expect(await ask(query, { threshold: 60 })).toBe(nothing);
  expect(await ask('volcanoes of Iceland')).toBe(
    'No chunks match query "volcanoes of Iceland" at threshold 60%',
  );
});

it('previews the place where exact words stand', async () => {
  new TranscriptBuilder({
    session: sessionId('f0f0f0fe'),
    cwd: '/home/ada/pier',
    start: '2026-02-09T10:00:00Z',
  })
    .exchange(`Is ${'all of it '.repeat(20)}for Jane\nDoe and her crew?`, 'It is.')
    .writeTo(memory.projects);
  await memory.ingest();
  for (const query of ['"jane doe"', '"jane\n doe"'])
    expect(await forget({ project: 'pier', query, threshold: 100 })).toContain(
      '1. [100%] "...of it all of it for Jane Doe and her crew? Assistant: It ..." (Feb 9, 2026)',
    );
});

it('refuses a window that ends before it begins', async () => {
  await expect(forget({ after: '2026-02-02', before: '2026-02-01' })).rejects.toThrow(/"before"/);
});

it.each([-1, 101, '60'])('refuses the threshold %j', async (threshold) => {
  await expect(forget({ query: QUERY, threshold })).rejects.toThrow(/"threshold"/);
});

it('says how many chunks have no vector and could not be compared', async () => {
  await memory.disconnect(); // A server would make the vectors.
  const database = openSqlite(join(memory.home, 'memory.db'));
  database.exec('DELETE FROM chunk_vector');
  database.close();
  const { stdout } = await memory.causantic('forget', 'app', '--query', 'tea in the garden');
  expect(stdout).toBe(
    'No chunks match query "tea in the garden" at threshold 60%\n1 chunk(s) have no vector yet and were not compared.\n',
  );
  client = await memory.connect();
});

it('searches by meaning are answered while a deletion waits for another process', async () => {
  const question = { query: 'tea in the garden' };
  await callInFull(client, 'search', question);
  const other = openSqlite(join(memory.home, 'memory.db'));
  other.exec('BEGIN IMMEDIATE');
  const deletion = forget({ before: '2026-02-02', dry_run: false });
  await callInFull(client, 'search', question);
  other.exec('ROLLBACK');
  other.close();
  expect(await deletion).toMatch(/^Deleted 1 chunk/);
});

it('a topic in a language that the model does not know matches nothing, and it says so', async () => {
  new TranscriptBuilder({
    session: sessionId('f0f0f0fc'),
    cwd: '/home/ada/fonts',
    start: '2026-02-07T10:00:00Z',
  })
    .exchange('Πού είναι οι γραμματοσειρές.', 'Δίπλα στα στυλ.')
    .writeTo(memory.projects);
  await memory.ingest();
  const { text } = await call(client, 'forget', { project: 'fonts', query: 'κωδικοί πελατών.' });
  expect(text.split('\n')).toEqual([
    'No chunks match query "κωδικοί πελατών." at threshold 60%',
    'The embedding model does not know most of these words. Put exact words in quotes, or name a session or dates.',
  ]);
});

it('deletes titles with exact words, which no chunk may contain, and says which branches have them', async () => {
  const named = MemoryHome.ofTest();
  const session = new TranscriptBuilder({
    session: sessionId('f2f2f2f2'),
    cwd: '/home/ada/app',
    start: '2026-02-01T10:00:00Z',
    branch: 'refund-lovelace',
  })
    .exchange('What does this customer get?', 'She gets it all back.')
    .raw('{"type":"custom-title","customTitle":"Refund for Ada Byron"}')
    .exchange('Thanks.', 'You are welcome.');
  session.writeTo(named.projects);
  new TranscriptBuilder({
    session: sessionId('f3f3f3f3'),
    cwd: '/home/ada/app',
    start: '2026-01-01T10:00:00Z',
  })
    .exchange('Good morning.', 'Good morning.')
    .writeTo(named.projects);
  await named.ingest();
  const other = await named.connect();
  const told = async (query: string, more = {}) =>
    (await call(other, 'forget', { project: 'app', query, threshold: 100, ...more })).text.split('\n');
  const titles = () => {
    const database = openSqlite(join(named.home, 'memory.db'), { readonly: true });
    const rows = database.prepare("SELECT title FROM session WHERE uuid LIKE 'f2f2%'").pluck().all();
    database.close();
    return rows;
  };
  const isGone = () => expect(readFileSync(join(named.home, 'memory.db')).includes('Ada Byron')).toBe(false);
  const none = (words: string) => `No chunks match query "${words}" at threshold 100%`;
  expect(await told('"lovelace"')).toEqual([
    none('"lovelace"'),
    'The branch of 1 session(s) contains it, too: f2f2f2f2. session_id deletes a session.',
  ]);
  expect(await told('"ada byron"')).toEqual([
    none('"ada byron"'),
    'The title of 1 session(s) contains it, too: f2f2f2f2. It would be deleted.',
  ]);
  expect(await told('"ada byron"', { before: '2026-02-02' })).toHaveLength(2);
  expect(await told('"lovelace"', { after: '2026-02-02' })).toEqual([none('"lovelace"')]);
  for (const elsewhere of [{ after: '2026-02-02' }, { session_id: 'f3f3f3f3' }])
    expect(await told('"ada byron"', { ...elsewhere, dry_run: false })).toEqual([none('"ada byron"')]);
  expect(titles()).toEqual(['Refund for Ada Byron']);
  expect(await told('"ada byron"', { dry_run: false })).toEqual([
    'Deleted 0 chunk(s) from project "app" (vectors and related edges/clusters also removed).',
    'Deleted the title of 1 session(s), which contained it.',
  ]);
  isGone();
  session.exchange('And when?', 'Tomorrow.').writeTo(named.projects);
  await named.ingest();
  expect(titles()).toEqual([null]);
  isGone();
  expect((await call(other, 'search', { query: 'customer tomorrow' })).text).toContain('gets it all back');
});

it('names some of the sessions that would lose their titles alone, beside chunks that match', async () => {
  const titled = (n: number): TranscriptBuilder =>
    new TranscriptBuilder({
      session: sessionId(`f4f4f4f${n}`),
      cwd: '/home/ada/ledger',
      start: `2026-02-0${n + 1}T10:00:00Z`,
    }).raw('{"type":"custom-title","customTitle":"Refund for Ada Byron"}');
  for (const n of [0, 1, 2, 3]) titled(n).exchange('What is due?', 'Nothing.').writeTo(memory.projects);
  titled(4)
    .exchange('Who pays the harbour?', 'It is Ada Byron.')
    .exchange('What does the lighthouse cost?', 'More than the mole.')
    .writeTo(memory.projects);
  await memory.ingest();
  expect(await forget({ project: 'ledger', query: '"ada byron"', threshold: 100 })).toMatch(
    /^Dry run: 1 chunk[^]*\nThe title of 4 session\(s\) contains it, too: (f4f4f4f\d, ){3}…\. It would be deleted\.\nSet dry_run=false/,
  );
});
