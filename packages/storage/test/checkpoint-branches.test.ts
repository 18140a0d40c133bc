import { expect, it } from 'vitest';
import { chunkDraft, turnDraft } from '../../../test/drafts.js';
import { openSqlite } from '../src/database/sqlite.js';
import { BRANCHES_AS_IN_CHUNKS } from '../src/database/checkpoint-branches.js';
import { Store } from '../src/index.js';
import { CHECKPOINT, memoryPath, storeTurns } from './sessions.js';

it('a checkpoint of an earlier version loses what stood in a branch’s name, and nothing else', () => {
  const path = memoryPath();
  const store = Store.open(path);
  const states = {
    secret: { version: 1, run: { reader: { gitBranch: 'till/ghp_0123', awaited: [] }, turns: { turns: 2 } } },
    earlier: { version: 1, run: { reader: { gitBranch: 'main' } } },
    none: { version: 1, run: { reader: { gitBranch: null } } },
    other: { version: 1, run: { reader: undefined } },
  };
  for (const [uuid, state] of Object.entries(states)) {
    const onBranch = (seq: number, gitBranch: string) => chunkDraft(seq, 'go', { gitBranch });
    const chunks = [onBranch(0, 'main'), onBranch(1, 'till/[REDACTED:github]')];
    storeTurns(store, uuid, [turnDraft(0, uuid === 'none' ? [chunkDraft(0, 'go')] : chunks)]);
    store.transcripts.write(`/${uuid}.jsonl`, (writer) =>
      writer.save({ ...CHECKPOINT, state: JSON.stringify(state) }),
    );
  }
  const db = openSqlite(path);
  db.exec(BRANCHES_AS_IN_CHUNKS);
  db.close();
  const stateOf = (uuid: string): unknown =>
    JSON.parse(store.transcripts.checkpoint(`/${uuid}.jsonl`)!.state);
  const { run } = states.secret;
  const reader = { ...run.reader, gitBranch: 'till/[REDACTED:github]' };
  expect(stateOf('secret')).toEqual({ version: 1, run: { ...run, reader } });
  for (const uuid of ['earlier', 'none', 'other'] as const)
    expect(stateOf(uuid)).toEqual(JSON.parse(JSON.stringify(states[uuid])));
  store.close();
});
