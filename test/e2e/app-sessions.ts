import { sessionId, TranscriptBuilder } from './transcript-builder.js';

export const SESSIONS = {
  refreshTokens: sessionId('a1b2c3d4'),
  pagination: sessionId('e5f6a7b8'),
  overMidnight: sessionId('c9d0e1f2'),
  oldServer: sessionId('b7c8d9e0'),
  /** Two hours ago. */
  recentServer: sessionId('d4c3b2a1'),
  /** Their first eight characters are the same. */
  twins: [
    sessionId('77777777', '1111-4000-8000-000000000001'),
    sessionId('77777777', '2222-4000-8000-000000000002'),
  ],
} as const;

const APP = '/home/ada/my-app';
const SERVER = '/home/ada/api-server';

const EXPLANATION = `After wake-up the access token has expired, and the dashboard fires six requests at once. All six load the
same pair from the store and exchange the same refresh token. The gateway takes the second exchange for theft, answers
invalid_grant and revokes the whole family, which logs the person out. Nothing is wrong with the clock or the cookies.`;

const CLOSING = `The promise of the exchange under way is kept in a field, and whoever asks meanwhile is given that promise. A
failed exchange clears the field as well, so that one network error does not stick until the page is loaded again. The
new tests count the exchanges that reach the gateway: one for six callers, two after a failure.`;

/** Two projects, six sessions, one sub-agent called researcher. Times are told in New York's zone. */
export function writeAppSessions(projects: string): void {
  refreshTokens(projects);
  new TranscriptBuilder({ session: SESSIONS.pagination, cwd: APP, start: '2026-02-07T15:00:00Z' })
    .user('The harbour list is slow, can we page it by key?')
    .tool(
      'Edit',
      { file_path: `${APP}/src/harbours.ts`, old_string: 'OFFSET $1', new_string: 'WHERE id > $1' },
      'ok',
    )
    .at('2026-02-07T16:45:00Z')
    .answer('The list is paged by key now: the next page begins behind the last id, which needs no OFFSET.')
    .writeTo(projects);
  new TranscriptBuilder({ session: SESSIONS.overMidnight, cwd: APP, start: '2026-02-07T04:00:00Z' })
    .exchange(
      'Why do the thumbnails look blurred?',
      'They are scaled up from 64 pixels; the resizer ignored the density.',
    )
    .at('2026-02-07T05:20:00Z')
    .user('Then render them at twice the size.')
    .at('2026-02-07T05:30:00Z')
    .answer('Thumbnails are rendered at 128 pixels now.')
    .writeTo(projects);
  new TranscriptBuilder({ session: SESSIONS.oldServer, cwd: SERVER, start: '2025-12-10T12:00:00Z' })
    .exchange('Set up the health endpoint.', 'GET /healthz answers with the build number.')
    .writeTo(projects);
  const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000).toISOString();
  new TranscriptBuilder({ session: SESSIONS.recentServer, cwd: SERVER, start: twoHoursAgo })
    .exchange('Which port does the metrics exporter use?', 'The metrics exporter listens on port 9464.')
    .writeTo(projects);
  SESSIONS.twins.forEach((session, n) =>
    new TranscriptBuilder({ session, cwd: SERVER, start: `2026-01-1${n}T12:00:00Z` })
      .exchange(`Rename queue number ${n}.`, `Queue ${n} is renamed.`)
      .writeTo(projects),
  );
}

function refreshTokens(projects: string): void {
  const task = { subagent_type: 'researcher', description: 'Read the OAuth notes', prompt: 'What rotates?' };
  new TranscriptBuilder({ session: SESSIONS.refreshTokens, cwd: APP, start: '2026-02-08T19:30:00Z' })
    .user('People are logged out at random. Can you find out why the login token is refreshed twice?')
    .answer('I look at how refresh tokens are exchanged, and let a researcher read the notes.')
    .tool('Task', task, 'Refresh tokens rotate: each can be exchanged once.', {
      toolUseResult: { agentId: 'f00d1', status: 'completed' },
    })
    .answer(EXPLANATION)
    .at('2026-02-08T20:10:00Z')
    .user('Then let the callers share one exchange, please.')
    .tool('Bash', { command: 'npx vitest run test/session-client.test.ts' }, 'Tests  3 passed (3)')
    .answer(CLOSING)
    .at('2026-02-08T21:15:00Z')
    .answer(
      'Fixed: callers of SessionClient.accessToken share one refresh, so a rotated token is never used twice.',
    )
    .writeTo(projects);
  new TranscriptBuilder({
    session: SESSIONS.refreshTokens,
    cwd: APP,
    start: '2026-02-08T19:33:00Z',
    agentId: 'f00d1',
  })
    .user('What rotates?')
    .tool('Read', { file_path: `${APP}/notes/oauth.md` }, 'Refresh tokens rotate.')
    .answer('The gateway rotates refresh tokens and revokes the family when one is reused.')
    .writeTo(projects);
}
