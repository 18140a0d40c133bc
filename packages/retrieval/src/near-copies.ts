import type { Hit } from './presentation.js';

/** Of the words of two texts, those that both have: a run of tests that now pass has fewer in common with the one before. */
const COPY_SHARE = 0.85;

const wordsOf = ({ chunk }: Hit): Set<string> => new Set(chunk.text.toLowerCase().match(/[\p{L}\p{N}_]+/gu));

/** Hits without those that say in nearly the same words what an earlier one of the same session says. */
export function withoutNearCopies(hits: readonly Hit[], most = Infinity): Hit[] {
  const told: { hit: Hit; words: Set<string> }[] = [];
  for (const hit of hits) {
    if (told.length === most) break;
    const words = wordsOf(hit);
    const isTold = told.some(
      (other) => other.hit.chunk.sessionId === hit.chunk.sessionId && isNearCopy(other.words, words),
    );
    if (!isTold) told.push({ hit, words });
  }
  return told.map(({ hit }) => hit);
}

function isNearCopy(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (Math.min(a.size, b.size) < COPY_SHARE * Math.max(a.size, b.size)) return false;
  const common = [...a].filter((word) => b.has(word)).length;
  return common >= COPY_SHARE * (a.size + b.size - common);
}
