import type { AgentDraft } from '@causantic/domain';
import type { TranscriptFile } from '../../transcripts/describe-transcript.js';
import { type JsonObject, jsonIn, stringOf } from '../../transcripts/records.js';
import { subagent } from '../session-agents.js';
import { taskName } from './head.js';
import type { ToolCall } from './tools.js';

export interface AgentsState {
  /** Calls that start an agent, by id, until it is known which. */
  spawns: [callId: string, role: string | null][];
  agents: [id: string, name: string][];
}

/** Bound of what is remembered between records, and stored with the checkpoint. */
const MAX_AGENTS = 100;

/** Finds out which agents a thread started, and what people call them. */
export class Agents {
  /** @param clean takes secrets out of what is remembered */
  constructor(
    private readonly clean: (text: string) => string,
    private now: AgentsState,
  ) {}

  /** Replaced, never changed. */
  state(): AgentsState {
    return this.now;
  }

  nameOf(id: string): string {
    return this.now.agents.find(([known]) => known === id)?.[1] ?? id;
  }

  noteCall(callId: string, { name, input }: ToolCall): void {
    if (name !== 'spawn_agent') return;
    const role = this.clean(stringOf(input['agent_type']) ?? '') || null;
    const spawn: [string, string | null] = [callId, role];
    this.now = { ...this.now, spawns: [...this.now.spawns, spawn].slice(-MAX_AGENTS) };
  }

  /** The agent that the result of the call that started it names. */
  fromResult(callId: string, text: string): AgentDraft | null {
    const spawn = this.now.spawns.find(([id]) => id === callId);
    if (!spawn) return null;
    const result = jsonIn(text);
    const key = stringOf(result?.['agent_id']);
    if (key === null) return null;
    const [, role] = spawn;
    const name = this.clean(stringOf(result?.['nickname']) ?? role ?? '') || key;
    return this.met(subagent(key, { name, description: role, toolUseId: callId }), callId);
  }

  /** Since 2026, what became of an agent names it; the result of the call that starts it names its task alone. */
  fromActivity(activity: JsonObject): AgentDraft | null {
    const callId = stringOf(activity['id']);
    const key = stringOf(activity['agent_thread_id']);
    if (activity['kind'] !== 'started' || callId === null || key === null) return null;
    const name = taskName(stringOf(activity['agent_path'])) ?? key;
    return this.met(subagent(key, { name, toolUseId: callId }), callId);
  }

  private met(agent: AgentDraft, callId: string): AgentDraft {
    const known: [string, string] = [agent.key, agent.name];
    this.now = {
      spawns: this.now.spawns.filter(([id]) => id !== callId),
      agents: [...this.now.agents, known].slice(-MAX_AGENTS),
    };
    return agent;
  }
}

/** What the agent is called whose file this is. */
export function ownName({ agentName, agentKey }: TranscriptFile): string {
  return agentName ?? agentKey ?? 'main';
}
