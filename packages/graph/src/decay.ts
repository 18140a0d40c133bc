import { InvalidArgumentError } from '@causantic/domain';

/** Weight by hop distance: 1 up to `holdHops`, then linear down to 0 at `diesAtHops`, and 0 from there on. */
export interface DecayCurve {
  holdHops: number;
  diesAtHops: number;
}

/** 1 − hops/10: history fades at once (specification 002, "Temporal Decay"). */
export const BACKWARD_DECAY: DecayCurve = Object.freeze({ holdHops: 0, diesAtHops: 10 });

/** 1.0 for 5 hops, then linear to 0 at 20: what follows stays likely for a while (specification 002). */
export const FORWARD_DECAY: DecayCurve = Object.freeze({ holdHops: 5, diesAtHops: 20 });

/** The weight in [0, 1] after `hops` edges. Never increases with `hops`. */
export function decayWeight(hops: number, { holdHops, diesAtHops }: DecayCurve): number {
  if (hops <= holdHops) return 1;
  if (hops >= diesAtHops) return 0;
  return (diesAtHops - hops) / (diesAtHops - holdHops);
}

/** @throws InvalidArgumentError unless 0 ≤ holdHops < diesAtHops */
export function assertDecayCurve(curve: DecayCurve): void {
  const { holdHops, diesAtHops } = curve;
  if (!(holdHops >= 0 && diesAtHops > holdHops && Number.isFinite(diesAtHops))) {
    throw new InvalidArgumentError('decay', curve, '0 <= holdHops < diesAtHops');
  }
}

/** The largest number of hops that still has weight. */
export function lastLivingHop({ diesAtHops }: DecayCurve): number {
  return Math.ceil(diesAtHops) - 1;
}
