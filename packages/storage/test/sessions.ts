import { chunkDraft } from '../../../test/chunk-draft.js';
import type { Store } from '../src/index.js';

/** Of a transcript that was read whole. */
export const CHECKPOINT = {
  size: 1,
  mtimeMs: 1,
  offset: 0,
  line: 1,
  turns: 1,
  chunks: 1,
  checksum: 1,
  wholeChecksum: 1,
  state: '{}',
};

/** Put a session of one chunk into `/home/me/app`. */
export function storeSession(store: Store, uuid: string, text: string, startTimeMs = 1_000): void {
  const nothing = { agentKey: null, promptUuid: null, promptParentUuid: null };
  const times = { startTimeMs, endTimeMs: startTimeMs + 500 };
  store.transcripts.write(`/${uuid}.jsonl`, (writer) => {
    const session = { uuid, source: 'claude-code' as const, title: `Title of ${uuid}` };
    writer.putSession(
      { ...session, cwd: null, gitBranch: null, clientVersion: null },
      { path: '/home/me/app', name: 'app' },
    );
    writer.putTurn({
      ordinal: 0,
      ...nothing,
      ...times,
      lineStart: 1,
      facts: {},
      chunks: [chunkDraft(0, text, times)],
    });
    writer.save(CHECKPOINT);
  });
}
