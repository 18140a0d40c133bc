import type { AgentDraft } from '@causantic/domain';
import { setBounded } from '../../turns/bounded-map.js';
import { type JsonObject, objectOf, stringOf } from '../../transcripts/records.js';
import { textHash } from '../../text/text-hash.js';

/** A call of the Task or Agent tool whose agent has not shown itself yet. */
interface Spawn {
  toolUseId: string;
  type: string | null;
  name: string | null;
  team: string | null;
  description: string | null;
  /** Hash of the prompt, by which an in-file sidechain is recognised. */
  prompt: string;
}

/** Bounds of what is remembered between records, and stored with the checkpoint. */
const MAX_SPAWNS = 100;
const MAX_SIDECHAIN_RECORDS = 300;

/** What the lead of an agent team is called, by the client and by its members. */
export const LEAD = 'team-lead';

/** The type that the client takes when a call names none. */
const DEFAULT_TYPE = 'general-purpose';

/** In the place of the key of an agent that is only to warm the client up. */
const WARMUP = 'warm-up';

const SPAWN_TOOLS = new Set(['Task', 'Agent']);

export interface AgentsState {
  spawns: Spawn[];
  /** Recent sidechain records and the key of their agent, oldest first. */
  sidechain: [uuid: string, key: string][];
  names: [key: string, name: string][];
  hasTeam: boolean;
}

/** Finds out which agent a record belongs to, and what people call that agent. */
export class Agents {
  /** By the ids of the calls. */
  private readonly spawns: Map<string, Spawn>;
  private readonly sidechain: Map<string, string>;
  private readonly names: Map<string, string>;
  private hasTeam: boolean;

  /** @param clean takes secrets out of what is remembered */
  constructor(
    private readonly clean: (text: string) => string,
    state?: AgentsState,
  ) {
    this.spawns = new Map(state?.spawns.map((spawn) => [spawn.toolUseId, spawn]));
    this.sidechain = new Map(state?.sidechain);
    this.names = new Map(state?.names);
    this.hasTeam = state?.hasTeam ?? false;
  }

  state(): AgentsState {
    return {
      spawns: [...this.spawns.values()],
      sidechain: [...this.sidechain],
      names: [...this.names],
      hasTeam: this.hasTeam,
    };
  }

  /** What people call the agent; null is the session's main agent. */
  nameOf(key: string | null): string {
    if (key === null) return this.hasTeam ? LEAD : 'main';
    return this.names.get(key) ?? key;
  }

  /** The agent of this file calls itself so. */
  noteOwn(key: string, name: string, team: string | null): void {
    this.names.set(key, name);
    if (team !== null) this.hasTeam = true;
  }

  noteCall(tool: string, toolUseId: string | null, input: JsonObject): void {
    if (tool === 'TeamCreate' || stringOf(input['team_name']) !== null) this.hasTeam = true;
    if (!SPAWN_TOOLS.has(tool) || toolUseId === null) return;
    const spawn = {
      toolUseId,
      type: this.cleanField(input['subagent_type']),
      name: this.cleanField(input['name']),
      team: this.cleanField(input['team_name']),
      description: this.cleanField(input['description']),
      prompt: hashOf(stringOf(input['prompt']) ?? ''),
    };
    setBounded(this.spawns, toolUseId, spawn, MAX_SPAWNS);
  }

  private cleanField(value: unknown): string | null {
    const text = stringOf(value);
    return text === null ? null : this.clean(text) || null;
  }

  /** The agent that a tool's result names, if it was a spawning tool's. */
  fromResult(toolUseId: string | null, toolUseResult: unknown): AgentDraft | null {
    const result = objectOf(toolUseResult);
    const key =
      stringOf(result['agentId']) ?? stringOf(result['agent_id']) ?? stringOf(result['teammate_id']);
    const spawn = this.spawnOf(toolUseId);
    return key === null || !spawn ? null : this.draft(key, spawn, 'subagent');
  }

  /** The agent behind a progress record. */
  fromProgress(key: string, toolUseId: string | null): AgentDraft {
    return this.draft(key, this.spawnOf(toolUseId), 'subagent');
  }

  /** The same, where the agent has a file of its own; null if its name is known, or the call is not. */
  fromOwnProgress(key: string, toolUseId: string | null): AgentDraft | null {
    const spawn = this.names.has(key) ? undefined : this.spawnOf(toolUseId);
    return spawn ? this.draft(key, spawn, 'subagent') : null;
  }

  private spawnOf(toolUseId: string | null): Spawn | undefined {
    return toolUseId === null ? undefined : this.spawns.get(toolUseId);
  }

  /** The agent of an in-file sidechain record; a root's prompt is matched with the call that caused it. */
  ofSidechain(uuid: string | null, parentUuid: string | null, prompt: string | null): AgentDraft {
    const known = parentUuid === null ? undefined : this.sidechain.get(parentUuid);
    const key = known ?? this.sidechainKey(uuid, parentUuid);
    if (uuid !== null) setBounded(this.sidechain, uuid, key, MAX_SIDECHAIN_RECORDS);
    const spawn = known === undefined && prompt !== null ? this.spawnWith(prompt) : undefined;
    return this.draft(key, spawn, 'sidechain');
  }

  /** Is an in-file sidechain record of an agent that is only to warm the client up? @param begins whether it tells the agent so */
  isOfWarmup(uuid: string | null, parentUuid: string | null, begins: boolean): boolean {
    const isOne = begins || (parentUuid !== null && this.sidechain.get(parentUuid) === WARMUP);
    if (isOne && uuid !== null) setBounded(this.sidechain, uuid, WARMUP, MAX_SIDECHAIN_RECORDS);
    return isOne;
  }

  private spawnWith(prompt: string): Spawn | undefined {
    const hash = hashOf(prompt);
    return [...this.spawns.values()].find((candidate) => candidate.prompt === hash);
  }

  /** A root starts a sidechain; a record whose parent was forgotten joins the latest one. */
  private sidechainKey(uuid: string | null, parentUuid: string | null): string {
    const latest = [...this.sidechain.values()].findLast((key) => key !== WARMUP);
    if (parentUuid !== null && latest !== undefined) return latest;
    return `sidechain-${uuid ?? 'unnamed'}`;
  }

  private draft(key: string, spawn: Spawn | undefined, kind: 'subagent' | 'sidechain'): AgentDraft {
    const called = spawn && (spawn.name ?? spawn.type ?? DEFAULT_TYPE);
    const name = called ?? this.names.get(key) ?? key;
    this.names.set(key, name);
    return {
      key,
      kind: spawn?.team || (spawn?.name && kind === 'subagent') ? 'teammate' : kind,
      name,
      description: spawn?.description ?? null,
      toolUseId: spawn?.toolUseId ?? null,
      teamName: spawn?.team ?? null,
    };
  }
}

function hashOf(prompt: string): string {
  return textHash(prompt.trim());
}
