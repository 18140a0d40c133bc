import { expect, onTestFinished, test } from 'vitest';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';
import { Store } from '../src/index.js';

/** A store with one agent a session, each of which said something. */
function storeWithAgents(...agents: { name: string; project: string }[]): Store {
  const store = Store.open(':memory:');
  onTestFinished(() => store.close());
  agents.forEach(({ name, project }, n) => {
    store.transcripts.write(`/${n}.jsonl`, (writer) => {
      writer.putSession(sessionDraft(`s${n}`), { path: `/${project}`, name: project });
      const more = { description: null, toolUseId: null, teamName: null };
      writer.putAgent({ key: 'a', kind: 'subagent', name, ...more });
      writer.putAgent({ key: 'silent', kind: 'subagent', name, ...more });
      writer.putTurn(turnDraft(0, [chunkDraft(0, 'hello')], { agentKey: 'a' }));
    });
  });
  return store;
}

test('agents are found by name in any letter case, in all projects or one, where they said something', () => {
  const store = storeWithAgents(
    { name: 'Chloé', project: 'mill' },
    { name: 'CHLOÉ'.normalize('NFD'), project: 'shop' },
    { name: 'Ada', project: 'shop' },
  );
  const shop = store.projects.findBySlug('shop')!.id;
  expect(store.sessions.agentIds('chloé')).toHaveLength(2);
  expect(store.sessions.agentIds('chloé', shop)).toHaveLength(1);
  expect(store.sessions.agentIds('ADA')).toHaveLength(1);
  expect(store.sessions.agentIds('nobody')).toEqual([]);
  expect(store.sessions.agentNames(shop)).toHaveLength(2);
});
