/** Uniform numbers in [0, 1) from a 32-bit seed (mulberry32, Tommy Ettinger, public domain). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function randomInteger(random: () => number, below: number): number {
  return Math.floor(random() * below);
}

export function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const copy = [...items];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = randomInteger(random, i + 1);
    [copy[i], copy[j]] = [copy[j]!, copy[i]!];
  }
  return copy;
}

/** n × dimensions points around `centres` random directions, row-major. */
export function blobs(
  n: number,
  dimensions: number,
  centres: number,
  spread: number,
  seed: number,
): Float32Array {
  const random = seededRandom(seed);
  const means = Array.from({ length: centres * dimensions }, () => gaussian(random));
  return Float32Array.from({ length: n * dimensions }, (_, i) => {
    const centre = Math.floor(i / dimensions) % centres;
    return means[centre * dimensions + (i % dimensions)]! + spread * gaussian(random);
  });
}
