import type { ChunkKind, Speaker } from '@causantic/domain';
import { expect, it } from 'vitest';
import { chunkDraft, turnDraft } from '../../../test/drafts.js';
import { CONTINUATIONS_ANEW } from '../src/database/continuations.js';
import { Store } from '../src/index.js';
import { openSqlite } from '../src/database/sqlite.js';
import { memoryPath, storeTurns } from './sessions.js';

type Said = [kind: ChunkKind, speaker: Speaker, line: number, text: string, continues: boolean];

const TURN: Said[] = [
  ['dialogue', 'assistant', 1, 'Assistant: I look', false],
  ['dialogue', 'assistant', 1, 'at it', true],
  ['dialogue', 'tool_use', 2, '[Bash] one', false],
  ['dialogue', 'tool_use', 3, '[Bash] two', false],
  ['dialogue', 'tool_use', 3, '[… 9 characters left out …] of it', true],
  ['dialogue', 'tool_result', 3, '→ nothing', true],
  ['thinking', 'thinking', 4, 'Hm.', false],
  ['thinking', 'thinking', 4, 'Why?', true],
  ['thinking', 'thinking', 5, 'Aha.', false],
];

it('chunks of an earlier version go on where a message was cut, and nowhere else', () => {
  const path = memoryPath();
  remember(path);
  const db = openSqlite(path);
  // As that version wrote it.
  db.exec("UPDATE chunk SET continues = text NOT LIKE 'Assistant: %' AND text NOT LIKE '→ %'");
  db.exec(CONTINUATIONS_ANEW);
  db.close();
  const store = Store.open(path);
  const stored = store.chunks.get(TURN.map((_, at) => at + 1));
  store.close();
  expect(stored.map(({ text, continues }) => [text, continues])).toEqual(
    TURN.map(([, , , text, continues]) => [text, continues]),
  );
});

function remember(path: string): void {
  const store = Store.open(path);
  const chunks = TURN.map(([kind, speaker, line, text, continues], seq) => {
    const spans = [{ speaker, start: 0, end: text.length }];
    return chunkDraft(seq, text, { kind, continues, spans, lineStart: line, lineEnd: line });
  });
  storeTurns(store, 'a', [turnDraft(0, chunks)]);
  store.close();
}
