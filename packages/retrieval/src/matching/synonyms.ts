import { readFileSync } from 'node:fs';
import { assetPath } from '@causantic/domain';

export interface Synonym {
  word: string;
  /** Cosine of the two words' vectors in the built-in model, above 0.5. */
  similarity: number;
}

const NEW_LINE = 10;

/** assets/synonyms.txt, lines `mail emails 76 smtp 64` in the order of their first words; read when first asked for. */
let table: Buffer | undefined;

/** Other words of about the same meaning, nearest first, forms of the same word left out; none for a word that is not known. */
export function synonymsOf(word: string): Synonym[] {
  table ??= readFileSync(assetPath(import.meta.url, 'retrieval', 'synonyms.txt'));
  const [, ...fields] = lineOf(table, Buffer.from(`${word} `))?.split(' ') ?? [];
  return Array.from({ length: fields.length / 2 }, (_, i) => ({
    word: fields[2 * i]!,
    similarity: Number(fields[2 * i + 1]) / 100,
  }));
}

/** The line that begins with these bytes, found by halving. */
function lineOf(lines: Buffer, beginning: Buffer): string | undefined {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const start = lines.lastIndexOf(NEW_LINE, Math.floor((low + high) / 2) - 1) + 1;
    const end = lines.indexOf(NEW_LINE, start);
    const order = Buffer.compare(lines.subarray(start, start + beginning.length), beginning);
    if (order === 0) return lines.toString('latin1', start, end);
    if (order < 0) low = end + 1;
    else high = start;
  }
  return undefined;
}
