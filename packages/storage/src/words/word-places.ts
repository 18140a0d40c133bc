// Compares the places where words stand.
import type { WordInstances } from './word-instances.js';

/** As the index declares its columns, by the letters that they begin with. */
const COLUMN_ORDER = [...'pstrw'].map((letter) => letter.charCodeAt(0));

/** More than a column's words and a question's together. */
const MOST_PLACES = 131_072;

/** Chunks in which two words stand next to each other, in descending order. */
export function chunksWithNeighbours(first: WordInstances, second: WordInstances): number[] {
  const [firstIds, secondIds] = [first.chunkIds, second.chunkIds];
  const found: number[] = [];
  let a = firstIds.length - 1;
  let b = secondIds.length - 1;
  while (a >= 0 && b >= 0) {
    const id = firstIds[a]!;
    let behind = id - secondIds[b]!;
    if (behind === 0) {
      behind = wordsBetween(first, a, second, b);
      if (Math.abs(behind) === 1 && found.at(-1) !== id) found.push(id);
    }
    if (behind > 0) a--;
    else b--;
  }
  return found;
}

/** How far the first place is behind the second, of the same chunk: one where the words are next to each other. */
function wordsBetween(first: WordInstances, a: number, second: WordInstances, b: number): number {
  const columns = COLUMN_ORDER.indexOf(first.columns[a]!) - COLUMN_ORDER.indexOf(second.columns[b]!);
  return columns === 0 ? first.offsets[a]! - second.offsets[b]! : 2 * columns;
}

/** How many words a chunk of the scope holds as far apart as they are given, for chunks with `least` of them or more. */
export function mostAligned(
  words: readonly (WordInstances | undefined)[],
  least: number,
  isInScope: (id: number) => boolean,
): Map<number, number> {
  const aligned = new Map<number, number>();
  const held = wordsHeld(words);
  const beginnings = new Map<number, number>();
  for (const [index, word] of words.entries()) {
    for (let i = 0; i < (word?.chunkIds.length ?? 0); i++) {
      const id = word!.chunkIds[i]!;
      if (held[id]! < least || !isInScope(id)) continue;
      // Where the text would begin in the chunk: the same for all words that stand as far apart as in the text.
      const column = id * COLUMN_ORDER.length + COLUMN_ORDER.indexOf(word!.columns[i]!);
      const beginning = column * MOST_PLACES + word!.offsets[i]! - index + words.length;
      const count = (beginnings.get(beginning) ?? 0) + 1;
      beginnings.set(beginning, count);
      if (count >= least && count > (aligned.get(id) ?? 0)) aligned.set(id, count);
    }
  }
  return aligned;
}

/** How many of the words each chunk holds, by its id. */
function wordsHeld(words: readonly (WordInstances | undefined)[]): Uint16Array {
  const last = words.reduce((most, word) => Math.max(most, word?.chunkIds.at(-1) ?? 0), 0);
  const held = new Uint16Array(last + 1);
  for (const word of words) {
    const ids = word?.chunkIds ?? [];
    for (let i = 0; i < ids.length; i++) if (i === 0 || ids[i] !== ids[i - 1]) held[ids[i]!]!++;
  }
  return held;
}
