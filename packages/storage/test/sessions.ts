import { join } from 'node:path';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';
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
  const times = { startTimeMs, endTimeMs: startTimeMs + 500 };
  store.transcripts.write(`/${uuid}.jsonl`, (writer) => {
    const session = sessionDraft(uuid, { title: `Title of ${uuid}` });
    writer.putSession(session, { path: '/home/me/app', name: 'app' });
    writer.putTurn(turnDraft(0, [chunkDraft(0, text, times)], { facts: {} }));
    writer.save(CHECKPOINT);
  });
}

/** Where a memory may lie until the test is over. */
export function memoryPath(): string {
  return join(temporaryFolder(), 'memory.db');
}
