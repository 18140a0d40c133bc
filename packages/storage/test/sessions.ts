import { join } from 'node:path';
import type { TurnDraft } from '@causantic/domain';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import type { Store } from '../src/index.js';

/** Of a transcript that was read whole. */
export const CHECKPOINT = {
  size: 1,
  mtimeMs: 1,
  offset: 0,
  line: 1,
  checksum: 1,
  wholeChecksum: 1,
  state: '{}',
};

/** Put a session of these turns into a project. */
export function storeTurns(
  store: Store,
  uuid: string,
  turns: readonly TurnDraft[],
  projectPath = '/home/me/app',
): void {
  store.transcripts.write(`/${uuid}.jsonl`, (writer) => {
    const session = sessionDraft(uuid, { title: `Title of ${uuid}` });
    writer.putSession(session, { path: projectPath, name: projectPath.split('/').at(-1)! });
    for (const turn of turns) writer.putTurn(turn);
    writer.save(CHECKPOINT);
  });
}

/** Put a session of one chunk into `/home/me/app`. */
export function storeSession(store: Store, uuid: string, text: string, startTimeMs = 1_000): void {
  const times = { startTimeMs, endTimeMs: startTimeMs + 500 };
  storeTurns(store, uuid, [turnDraft(0, [chunkDraft(0, text, times)], { facts: {} })]);
}

const WEIGHTS = { prompt: 1, said: 1, tools: 1, results: 1, words: 1 };

/** Chunks that hold a phrase. */
export function holding(store: Store, phrase: string, projectId?: number): number[] {
  return store.keywords.postings(phrase, projectId === undefined ? {} : { projectId }, WEIGHTS, 100).ids;
}

/** Where a memory may lie until the test is over. */
export function memoryPath(): string {
  return join(temporaryFolder(), 'memory.db');
}
