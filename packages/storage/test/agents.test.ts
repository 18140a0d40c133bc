import { expect, onTestFinished, test } from 'vitest';
import type { TranscriptSource } from '@causantic/domain';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';
import { Store } from '../src/index.js';

/** A store with one agent a session, each of which said something. */
function storeWithAgents(...agents: { name: string; project: string; source?: TranscriptSource }[]): Store {
  const store = Store.open(':memory:');
  onTestFinished(() => store.close());
  agents.forEach(({ name, project, source = 'claude-code' }, n) => {
    store.transcripts.write(`/${n}.jsonl`, (writer) => {
      writer.putSession(sessionDraft(`s${n}`, { source }), { path: `/${project}`, name: project });
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
});

test('agents of one client are not those of another, though they have the same name', () => {
  const [project, name] = ['mill', 'Ada'];
  const store = storeWithAgents({ name, project }, { name, project, source: 'codex' });
  const [ofClaudeCode, ofCodex] = store.sessions.agentIds('ada');
  expect(store.sessions.agentIds('ada', undefined, 'codex')).toEqual([ofCodex]);
  expect(store.sessions.agentIds('ada', undefined, 'claude-code')).toEqual([ofClaudeCode]);
});

test('names of agents are listed, the most active first', () => {
  const agents = ['Bob', 'Ada', 'Bob', 'Eve'].map((name) => ({ name, project: 'mill' }));
  const store = storeWithAgents(
    ...agents,
    { name: 'Ada', project: 'shop' },
    { name: 'Ada', project: 'shop' },
  );
  const names = (project: string): string[] =>
    store.sessions.agentNames(store.projects.findBySlug(project)!.id);
  expect(names('mill')).toEqual(['Bob', 'Ada', 'Eve']);
  expect(names('shop')).toEqual(['Ada']);
  expect(store.sessions.agentNames()).toEqual(['Ada', 'Bob', 'Eve']);
});
