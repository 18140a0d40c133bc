import { expect, it, onTestFinished } from 'vitest';
import { Store } from '@causantic/storage';
import { complete } from '../src/protocol/completions.js';
import type { ToolContext } from '../src/tool.js';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';

function completed(projects: readonly string[], value: string) {
  const store = Store.open(':memory:');
  onTestFinished(() => store.close());
  for (const name of projects)
    store.transcripts.write(`/${name}.jsonl`, (writer) => {
      writer.putSession(sessionDraft(name), { path: `/home/me/${name}`, name });
      writer.putTurn(turnDraft(0, [chunkDraft(0, 'What grinds the corn?')]));
    });
  return complete({ store } as ToolContext, { name: 'project', value }).completion;
}

it('names that begin with what was typed come before those that contain it', () => {
  const { values } = completed(['a-mill', 'mill', 'windmill', 'millstone'], 'mill');
  expect(values).toEqual(['mill', 'millstone', 'a-mill', 'windmill']);
});

it.each([
  [100, false],
  [101, true],
])('of %i names at most a hundred are given, and whether there are more: %j', (count, hasMore) => {
  const projects = Array.from({ length: count }, (_, n) => `mill-${n}`);
  const found = completed(projects, 'mill');
  expect(found.values).toHaveLength(100);
  expect(found.hasMore).toBe(hasMore);
});
