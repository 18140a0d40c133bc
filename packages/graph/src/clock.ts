import { InvalidArgumentError, jsonValue } from '@causantic/domain';

/**
 * Completed D-T-D cycles (data in, transformation, data out) per thought stream. A stream that is absent has
 * completed none. Clocks are values: every function here returns a new one.
 *
 * What counts as one cycle:
 * - `human`: one prompt. The person took in what stood there and put out a prompt.
 * - `ui` (main agent) and `agent-…` (one stream per sub-agent): one answer, or one tool call with its result.
 *
 * Counts are those of one session. Two sessions both have a `ui`, but these are not the same stream, so their
 * clocks must not be compared; edges link sessions, clocks do not.
 */
export type VectorClock = Readonly<Record<string, number>>;

export const HUMAN_STREAM = 'human';
export const MAIN_STREAM = 'ui';

/** The stream of an agent: `ui` for the main agent (null), `agent-<id>` for every other. */
export function streamOf(agentId: string | null): string {
  if (agentId === null) return MAIN_STREAM;
  return agentId.startsWith('agent-') ? agentId : `agent-${agentId}`;
}

/** `cycles` more completed in `stream`. */
export function tick(clock: VectorClock, stream: string, cycles: number): VectorClock {
  if (!Number.isInteger(cycles) || cycles < 0) {
    throw new InvalidArgumentError('cycles', cycles, 'a whole number of at least 0');
  }
  return cycles === 0 ? clock : { ...clock, [stream]: countOf(clock, stream) + cycles };
}

/** Element-wise maximum: what is known after both are known. No count gets lost. */
export function mergeClocks(left: VectorClock, right: VectorClock): VectorClock {
  const merged: Record<string, number> = { ...left };
  for (const [stream, count] of Object.entries(right)) {
    merged[stream] = Math.max(countOf(left, stream), count);
  }
  return merged;
}

export type ClockOrder = 'before' | 'after' | 'equal' | 'concurrent';

/** Whether `left` happened before `right`, after it, at the same point, or in parallel (Mattern 1989, §5). */
export function compareClocks(left: VectorClock, right: VectorClock): ClockOrder {
  let less = false;
  let more = false;
  for (const stream of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const difference = countOf(left, stream) - countOf(right, stream);
    less ||= difference < 0;
    more ||= difference > 0;
  }
  if (less && more) return 'concurrent';
  if (less) return 'before';
  return more ? 'after' : 'equal';
}

/**
 * D-T-D cycles between two chunks of one session: the sum of count differences over the streams both share.
 * Every session has `human` and `ui` from its start (at 0), so these are always shared; a sub-agent's stream is
 * shared only if both clocks know it, so the work of an agent that one side never heard of adds no distance.
 * Symmetric. 0 means the same point, or parallel work that started from the same point.
 */
export function hopDistance(from: VectorClock, to: VectorClock): number {
  const shared = new Set([
    HUMAN_STREAM,
    MAIN_STREAM,
    ...Object.keys(from).filter((s) => Object.hasOwn(to, s)),
  ]);
  let cycles = 0;
  for (const stream of shared) cycles += Math.abs(countOf(to, stream) - countOf(from, stream));
  return cycles;
}

/** Compact JSON with streams in sorted order and no zeros: equal clocks give equal text. */
export function encodeClock(clock: VectorClock): string {
  const counted = Object.keys(clock).filter((stream) => clock[stream]! > 0);
  return JSON.stringify(clock, counted.sort());
}

/** The clock in `text`. @throws InvalidArgumentError where it is not an object of whole numbers from 0 */
export function decodeClock(text: string): VectorClock {
  const value = jsonValue(text);
  if (!isClock(value)) {
    throw new InvalidArgumentError(
      'clock',
      text,
      'a JSON object of whole numbers, such as {"human":1,"ui":3}',
    );
  }
  return value;
}

function countOf(clock: VectorClock, stream: string): number {
  return Object.hasOwn(clock, stream) ? clock[stream]! : 0;
}

function isClock(value: unknown): value is VectorClock {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((count) => Number.isSafeInteger(count) && count >= 0);
}
