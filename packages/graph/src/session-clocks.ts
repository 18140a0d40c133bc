import { EMPTY_CLOCK, HUMAN_STREAM, MAIN_STREAM, mergeClocks, tick, type VectorClock } from './clock.js';

/** The clock of each thought stream of one session, by stream name. Plain data: keep it with the checkpoint. */
export type SessionClocks = Readonly<Record<string, VectorClock>>;

export type ClockEvent =
  /** A person wrote a prompt to `stream` (default `ui`): `human` ticks, and the stream knows of it. */
  | { type: 'prompt'; stream?: string }
  /** `stream` completed answers or tool calls (default 1). */
  | { type: 'cycle'; stream: string; cycles?: number }
  /** `parent` started the agent of `stream`, which then knows all that its parent knows. */
  | { type: 'spawn'; stream: string; parent: string }
  /** The result or a message of `stream` reached `parent`, which then knows all that the agent knows. */
  | { type: 'return'; stream: string; parent: string };

/** The clocks after `event`. Chunks of a stream carry the stream's clock as it stands after their last event. */
export function advanceClocks(clocks: SessionClocks, event: ClockEvent): SessionClocks {
  switch (event.type) {
    case 'prompt':
      return prompt(clocks, event.stream ?? MAIN_STREAM);
    case 'cycle':
      return withClock(clocks, event.stream, tick(clockOf(clocks, event.stream), event.stream, event.cycles));
    case 'spawn':
      return transfer(clocks, event.parent, event.stream);
    case 'return':
      return transfer(clocks, event.stream, event.parent);
  }
}

/** The clock of `stream`; empty for one that has done nothing yet. */
export function clockOf(clocks: SessionClocks, stream: string): VectorClock {
  return Object.hasOwn(clocks, stream) ? clocks[stream]! : EMPTY_CLOCK;
}

function prompt(clocks: SessionClocks, stream: string): SessionClocks {
  const human = tick(clockOf(clocks, HUMAN_STREAM), HUMAN_STREAM);
  const told = withClock(clocks, HUMAN_STREAM, human);
  return transfer(told, HUMAN_STREAM, stream);
}

function transfer(clocks: SessionClocks, from: string, to: string): SessionClocks {
  return withClock(clocks, to, mergeClocks(clockOf(clocks, to), clockOf(clocks, from)));
}

function withClock(clocks: SessionClocks, stream: string, clock: VectorClock): SessionClocks {
  return { ...clocks, [stream]: clock };
}
