import { expect, it } from 'vitest';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';
import { Store } from '../src/index.js';

it("tells an agent's own words in a chunk from the person's, and from calls and their results", () => {
  const store = Store.open(':memory:');
  const mixed = chunkDraft(0, 'Why?🙂I look.[Read]→ textA typo.', {
    spans: [
      { speaker: 'user', start: 0, end: 6 },
      { speaker: 'assistant', start: 6, end: 13 },
      { speaker: 'tool_use', start: 13, end: 19 },
      { speaker: 'tool_result', start: 21, end: 25 },
      { speaker: 'assistant', start: 25, end: 32 },
    ],
  });
  const result = chunkDraft(1, 'text', { spans: [{ speaker: 'tool_result', start: 0, end: 4 }] });
  store.transcripts.write('/t.jsonl', (writer) => {
    writer.putSession(sessionDraft('s'), { path: '/p', name: 'p' });
    writer.putTurn(turnDraft(0, [mixed, result, chunkDraft(2, 'Thanks.')]));
  });
  const ids = [...store.chunks.walk({}, 'oldest')].sort((a, b) => a.seq - b.seq).map(({ id }) => id);
  const words = store.chunks.agentsWords(ids);
  expect(ids.map((id) => words.get(id))).toEqual([
    { said: 'I look.\nA typo.', hasCalls: true },
    { said: '', hasCalls: true },
    { said: '', hasCalls: false },
  ]);
  store.close();
});
