import type { TranscriptFile } from '../../transcripts/describe-transcript.js';
import { type JsonObject, stringOf } from '../../transcripts/records.js';
import type { EventSink, Place } from '../events.js';
import type { Agents } from './agents.js';
import type { UserTextPart } from './user-text.js';

/** What the client calls an agent's caller when that writes to it. */
const COORDINATOR = 'coordinator';

/** Tells what agents say to each other, with their names as people call them. */
export class AgentMessages {
  constructor(
    private readonly file: TranscriptFile,
    private readonly sink: EventSink,
    private readonly agents: Agents,
  ) {}

  /** A message to the agent in whose stream it stands. */
  tellArrived(from: string, text: string, place: Place): void {
    // Members also exchange JSON of the client's own protocol (idle notices, shutdown requests).
    if (/^\{\s*"type"/.test(text)) {
      return this.sink.event({ ...place, type: 'injected', text: `${from}: ${text}` });
    }
    const isMains = from === COORDINATOR && this.file.isMainsAgent;
    this.tell(this.agents.nameOf(isMains ? null : from), text, place);
  }

  /** What an agent in the background has found. */
  tellReport({ taskId, summary, text }: Extract<UserTextPart, { type: 'report' }>, place: Place): void {
    const name = taskId === null ? 'agent' : this.agents.nameOf(taskId);
    this.tell(summary === '' ? name : `${name} (${summary})`, text, place);
  }

  private tell(from: string, text: string, place: Place): void {
    this.sink.event({ ...place, type: 'message', from, to: this.agents.nameOf(place.agentKey), text });
  }

  /** The input of a call that sends a message, with who speaks to whom. */
  sent(input: JsonObject, place: Place): JsonObject {
    const to = stringOf(input['to']) ?? stringOf(input['recipient']) ?? stringOf(input['target_agent_id']);
    return {
      ...input,
      from: this.agents.nameOf(place.agentKey),
      to: to === null ? 'all' : this.agents.nameOf(to),
    };
  }
}
