import type { TranscriptFile } from '../../transcripts/describe-transcript.js';
import type { EventSink } from '../events.js';
import { type JsonObject, objectOf, stringOf } from '../../transcripts/records.js';
import { type Agents, LEAD } from './agents.js';
import { contentBlocks } from './content.js';
import { isForAside, isWarmup } from './head.js';

/** Tells in which agent's stream a record stands, and shows the agent. */
export class Streams {
  /** @param main the agent of the file's main stream, as far as it is known */
  constructor(
    private readonly file: TranscriptFile,
    private readonly sink: EventSink,
    private readonly agents: Agents,
    private main: string | null,
  ) {}

  /** The agent of the file's main stream; null for the session's main agent. */
  get mainKey(): string | null {
    return this.main;
  }

  /** The key of the agent; null for the session's main agent. */
  of(record: JsonObject): string | null {
    const name = stringOf(record['teamName']) === null ? null : stringOf(record['agentName']);
    const member = name === LEAD ? null : name;
    if (this.file.agentKey !== null || member !== null) return this.own(record, member);
    if (record['isSidechain'] !== true) return null;
    const uuid = stringOf(record['uuid']);
    const agentId = stringOf(record['agentId']);
    const agent =
      agentId === null
        ? this.agents.ofSidechain(uuid, stringOf(record['parentUuid']), promptOf(record))
        : this.agents.fromProgress(agentId, null);
    this.sink.agent(agent, uuid);
    return agent.key;
  }

  /** Is it of an agent in the session's file that is only to warm the client up? */
  isOfWarmup(record: JsonObject): boolean {
    if (this.file.agentKey !== null || record['isSidechain'] !== true) return false;
    const [uuid, parentUuid] = [stringOf(record['uuid']), stringOf(record['parentUuid'])];
    return this.agents.isOfWarmup(uuid, parentUuid, isWarmup(record));
  }

  /** The one stream of a file that belongs to a sub-agent or a member of a team. */
  private own(record: JsonObject, member: string | null): string {
    const main = (this.main ??= this.file.agentKey ?? stringOf(record['agentId']) ?? member!);
    const teamName = stringOf(record['teamName']) ?? this.file.agentTeam ?? null;
    const name = member ?? this.file.agentName ?? main;
    this.agents.noteOwn(main, this.sink.clean(name) || main, teamName);
    this.sink.agent(
      {
        key: main,
        kind: member !== null || teamName !== null ? 'teammate' : 'subagent',
        name,
        description: this.file.agentDescription ?? null,
        toolUseId: this.file.agentCallId ?? null,
        teamName,
      },
      stringOf(record['uuid']),
    );
    return main;
  }

  /** In this file an agent is told what to do by the person: a member of a team in a session of its own, or one for `/btw`. */
  get isPersons(): boolean {
    const { agentKey } = this.file;
    return agentKey === null ? this.main !== null : isForAside(agentKey);
  }
}

function promptOf(record: JsonObject): string | null {
  if (record['type'] !== 'user') return null;
  const blocks = contentBlocks(objectOf(record['message'])['content']);
  return blocks.map((block) => stringOf(block['text'])).find((text) => text !== null) ?? null;
}
