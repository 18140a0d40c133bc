import { madeOnce } from '@causantic/domain';
import type { StoredChunk } from '@causantic/storage';

/** The share of the words of two texts that both have. */
const COPY_SHARE = 0.85;
/** If one text is this much shorter, its words need not be compared. */
const LENGTH_SHARE = 0.7;
/** No session has this id. */
const ANYWHERE = 0;

/** What was already shown, so that near-identical repetitions are shown once. */
export class ToldTexts {
  private readonly mayRepeat: boolean;
  private readonly acrossSessions: boolean;
  private readonly bySession = new Map<number, StoredChunk[]>();
  private readonly words = new Map<number, ReadonlySet<number>>();

  /**
   * @param mayRepeat for an answer about the latest work: each turn that ended with "Done." is another piece of it
   * @param acrossSessions what two sessions say alike is shown once, too
   */
  constructor({ mayRepeat = false, acrossSessions = false } = {}) {
    this.mayRepeat = mayRepeat;
    this.acrossSessions = acrossSessions;
  }

  /** Whether nearly the same text was already shown. */
  tell(chunk: StoredChunk): boolean {
    return this.bySession.get(this.placeOf(chunk))?.some((told) => this.isCopy(told, chunk)) ?? false;
  }

  add(chunk: StoredChunk): void {
    if (this.mayRepeat) return;
    const place = this.placeOf(chunk);
    const told = this.bySession.get(place);
    if (told) told.push(chunk);
    else this.bySession.set(place, [chunk]);
  }

  private placeOf({ sessionId }: StoredChunk): number {
    return this.acrossSessions ? ANYWHERE : sessionId;
  }

  private isCopy(told: StoredChunk, chunk: StoredChunk): boolean {
    if (told.text === chunk.text) return true;
    if (isResult(told) || isResult(chunk)) return false;
    const isAsLong =
      Math.min(told.tokens, chunk.tokens) >= LENGTH_SHARE * Math.max(told.tokens, chunk.tokens);
    return isAsLong && areAlike(this.wordsOf(told), this.wordsOf(chunk));
  }

  private wordsOf({ id, text }: StoredChunk): ReadonlySet<number> {
    return madeOnce(this.words, id, () => signedWords(text));
  }
}

/** Two runs of the same tests may differ in one number, and that is what counts. */
function isResult({ spans }: StoredChunk): boolean {
  return spans.some(({ speaker }) => speaker === 'tool_result');
}

/**
 * Hashes of a text's words: runs of letters and digits, in any case, with the sign before their line, because an edit
 * and its reversal have the same words. This runs on every text of an answer.
 */
function signedWords(text: string): Set<number> {
  const words = new Set<number>();
  let sign = signOfLine(text, 0);
  let word = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isWordCharacter(code)) {
      word = (Math.imul(word ^ (code | 32), 16_777_619) + 1) | 0;
      continue;
    }
    if (word !== 0) words.add(word ^ sign);
    word = 0;
    if (code === NEW_LINE) sign = signOfLine(text, at + 1);
  }
  if (word !== 0) words.add(word ^ sign);
  return words;
}

const NEW_LINE = 10;

function isWordCharacter(code: number): boolean {
  const letter = code | 32;
  return (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || code > 127;
}

/** The sign of a changed line: `+ added` or `- removed`. */
function signOfLine(text: string, at: number): number {
  const sign = text[at];
  return text[at + 1] === ' ' && (sign === '+' || sign === '-') ? text.charCodeAt(at) : 0;
}

function areAlike(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common >= COPY_SHARE * (a.size + b.size - common);
}
