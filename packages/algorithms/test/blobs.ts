import { SeededRandom } from '../../../test/seeded-random.js';

export function gaussian(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** n × dimensions points around `centres` random directions, row-major. */
export function blobs(
  n: number,
  dimensions: number,
  centres: number,
  spread: number,
  seed: number,
): Float32Array {
  const random = new SeededRandom(seed);
  const means = Array.from({ length: centres * dimensions }, () => gaussian(random));
  return Float32Array.from({ length: n * dimensions }, (_, i) => {
    const centre = Math.floor(i / dimensions) % centres;
    return means[centre * dimensions + (i % dimensions)]! + spread * gaussian(random);
  });
}
