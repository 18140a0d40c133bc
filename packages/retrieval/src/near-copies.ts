import type { StoredChunk } from '@causantic/storage';

/** Of the words of two texts, those that both have. */
const COPY_SHARE = 0.85;

const WORD = /[\p{L}\p{N}_]+/gu;

/** What sessions have told, so that what one of them says again in nearly the same words is told once. */
export class ToldTexts {
  private readonly bySession = new Map<number, Text[]>();

  /** Whether the chunk's session has told nearly the same. */
  tell(chunk: StoredChunk): boolean {
    const text = textOf(chunk);
    return this.bySession.get(chunk.sessionId)?.some((told) => isCopy(told, text)) ?? false;
  }

  add(chunk: StoredChunk): void {
    const told = this.bySession.get(chunk.sessionId) ?? [];
    this.bySession.set(chunk.sessionId, [...told, textOf(chunk)]);
  }
}

interface Text {
  text: string;
  words: ReadonlySet<string>;
  /** Two runs of the same tests may differ in one number, and that is what counts. */
  isExact: boolean;
}

function textOf({ text, spans }: StoredChunk): Text {
  return { text, words: wordsOf(text), isExact: spans.some(({ speaker }) => speaker === 'tool_result') };
}

/** An edit that is taken back has the same words, with the other signs before their lines. */
function wordsOf(text: string): Set<string> {
  const words = text.split('\n').flatMap((line) => {
    const sign = /^[+-] /.test(line) ? line[0]! : '';
    return (line.toLowerCase().match(WORD) ?? []).map((word) => sign + word);
  });
  return new Set(words);
}

function isCopy(a: Text, b: Text): boolean {
  if (a.isExact || b.isExact) return a.text === b.text;
  const [less, more] = a.words.size < b.words.size ? [a.words, b.words] : [b.words, a.words];
  if (less.size < COPY_SHARE * more.size) return false;
  const common = [...less].filter((word) => more.has(word)).length;
  return common >= COPY_SHARE * (less.size + more.size - common);
}
