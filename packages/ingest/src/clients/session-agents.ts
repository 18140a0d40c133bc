import type { AgentDraft } from '@causantic/domain';
import type { TranscriptWriter } from '@causantic/storage';
import type { TranscriptFile } from '../transcripts/describe-transcript.js';

/** The agents that a transcript shows, with all that is known of each; written when one is needed. */
export class SessionAgents {
  private readonly agents = new Map<string, AgentDraft>();
  private readonly stored = new Map<string, string>();

  constructor(
    private readonly writer: TranscriptWriter,
    known: readonly AgentDraft[],
  ) {
    for (const agent of known) this.agents.set(agent.key, agent);
  }

  list(): AgentDraft[] {
    return [...this.agents.values()];
  }

  add(agent: AgentDraft): void {
    const known = this.agents.get(agent.key);
    this.agents.set(agent.key, known ? mergedAgent(known, agent) : agent);
  }

  /** Write an agent before its turns. */
  store(key: string): void {
    const agent = this.agents.get(key) ?? subagent(key);
    const text = JSON.stringify(agent);
    if (this.stored.get(key) === text) return;
    this.writer.putAgent(agent);
    this.stored.set(key, text);
  }

  /** Write what has become known. @param shownOnly leaves out agents that said nothing */
  storeAll(shownOnly: boolean): void {
    for (const key of this.agents.keys()) if (!shownOnly || this.stored.has(key)) this.store(key);
  }
}

/** The agent whose file this is; null for a session's. */
export function ownAgent(file: TranscriptFile): AgentDraft | null {
  const { agentKey, agentName, agentDescription, agentCallId } = file;
  if (agentKey === null) return null;
  const known = { description: agentDescription ?? null, toolUseId: agentCallId ?? null };
  return subagent(agentKey, { name: agentName ?? agentKey, ...known });
}

/** A sub-agent of which no more is known than this. */
export function subagent(
  key: string,
  known: Partial<Pick<AgentDraft, 'name' | 'description' | 'toolUseId'>> = {},
): AgentDraft {
  return { key, kind: 'subagent', name: key, description: null, toolUseId: null, teamName: null, ...known };
}

function mergedAgent(known: AgentDraft, fresh: AgentDraft): AgentDraft {
  return {
    key: fresh.key,
    kind: known.kind === 'teammate' ? known.kind : fresh.kind,
    name: fresh.name === fresh.key ? known.name : fresh.name,
    description: fresh.description ?? known.description,
    toolUseId: fresh.toolUseId ?? known.toolUseId,
    teamName: fresh.teamName ?? known.teamName,
  };
}
