import type { Store } from '../src/index.js';

/** Of a transcript that was read whole. */
export const CHECKPOINT = {
  size: 1,
  mtimeMs: 1,
  offset: 0,
  line: 1,
  turns: 1,
  chunks: 1,
  fingerprint: 'f',
  state: '{}',
};

/** Put a session of one chunk into `/home/me/app`. */
export function storeSession(store: Store, uuid: string, text: string, startTimeMs = 1_000): void {
  const nothing = { agentKey: null, promptUuid: null, promptParentUuid: null };
  const times = { startTimeMs, endTimeMs: startTimeMs + 500 };
  const place = { lineStart: 1, lineEnd: 1, files: [], tools: [], gitBranch: null };
  const spans = [{ speaker: 'user' as const, start: 0, end: text.length }];
  const chunk = {
    seq: 0,
    kind: 'dialogue' as const,
    continues: false,
    text,
    spans,
    tokens: text.length,
    ...times,
    ...place,
  };
  store.transcripts.write(`/${uuid}.jsonl`, (writer) => {
    const session = { uuid, source: 'claude-code' as const, title: `Title of ${uuid}` };
    writer.putSession(
      { ...session, cwd: null, gitBranch: null, clientVersion: null },
      { path: '/home/me/app', name: 'app' },
    );
    writer.putTurn({ ordinal: 0, ...nothing, ...times, lineStart: 1, facts: {}, chunks: [chunk] });
    writer.save(CHECKPOINT);
  });
}
