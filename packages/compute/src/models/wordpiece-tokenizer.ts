import { literally } from '@causantic/domain';

/** The parts of a BERT-type `tokenizer.json` that decide how a text is cut. */
export interface WordPieceDefinition {
  added_tokens: {
    id: number;
    content: string;
    normalized: boolean;
    lstrip: boolean;
    rstrip: boolean;
  }[];
  normalizer: {
    type: string;
    clean_text: boolean;
    handle_chinese_chars: boolean;
    strip_accents: boolean | null;
    lowercase: boolean;
  };
  pre_tokenizer: { type: string };
  model: {
    type: string;
    /** An array is in the order of the ids: as an object, 70,000 entries take more than twice as long to read. */
    vocab: Readonly<Record<string, number>> | readonly string[];
    unk_token: string;
    continuing_subword_prefix: string;
    max_input_chars_per_word?: number;
  };
}

/** Ends an entry of the vocabulary that stands for a whole word, and is no piece of a longer one. */
const WORD_END = '</w>';

/** Words that were cut before: text repeats itself so much that this is hit for more than nine words of ten. */
const CACHED_WORDS = 50_000;

const enum CharClass {
  Dropped,
  Space,
  Punctuation,
  Upper,
  Word,
}

const ASCII_CLASSES = Uint8Array.from({ length: 128 }, (_, code) => classOf(code));

const PUNCTUATION = '\\p{P}\\u0021-\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u007E';
const WORD_PATTERN = new RegExp(`[^\\s${PUNCTUATION}]+|[${PUNCTUATION}]`, 'gu');
const FIRST_UNPREFIXED = 0x400;
const CYRILLIC = '\\u0400-\\u052f';
/**
 * The letters of syllables too: accents are taken off by Unicode's NFD, which takes syllables apart. Letters that somebody types
 * alone (ㅋㅋㅋㅋ, ㅠㅠ) stay one unknown word: one each, they would be most of a short text.
 */
const HANGUL = '\\u1100-\\u11ff\\uac00-\\ud7a3';
const CHINESE_AND_JAPANESE =
  '\\u3005\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff';
const UNPREFIXED = `[${CYRILLIC}]+|[${HANGUL}]+|[${CHINESE_AND_JAPANESE}]+`;
const IS_UNPREFIXED = new RegExp(`^(?:${UNPREFIXED})$`);
/** To split at such stretches, keeping them: other scripts often stand beside them without a space, as in 使用Docker部署. */
const UNPREFIXED_STRETCH = new RegExp(`(${UNPREFIXED})`);
const CONTROL = /[\p{Cf}\p{Co}\p{Cs}\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]/gu;
/** The ideograph blocks within 16 bits, as @huggingface/tokenizers takes them: one token each. */
const IDEOGRAPH = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g;

/** True for what {@link WordPieceTokenizer} cuts exactly as @huggingface/tokenizers does. */
export function isWordPiece(definition: WordPieceDefinition): boolean {
  const { model, normalizer, pre_tokenizer, added_tokens } = definition;
  return (
    model.type === 'WordPiece' &&
    normalizer?.type === 'BertNormalizer' &&
    normalizer.clean_text &&
    normalizer.handle_chinese_chars &&
    pre_tokenizer?.type === 'BertPreTokenizer' &&
    added_tokens.every((token) => !token.normalized && !token.lstrip && !token.rstrip)
  );
}

function isInOrder(vocab: WordPieceDefinition['model']['vocab']): vocab is readonly string[] {
  return Array.isArray(vocab);
}

/**
 * BERT's tokenizer (basic split, then the longest known piece from the left), for bulk: plain ASCII goes
 * through a table and a cache of words; only stretches with other characters are normalised as a whole.
 * Same ids as @huggingface/tokenizers at many times its speed (decision 0032).
 */
export class WordPieceTokenizer {
  private readonly vocab = new Map<string, number>();
  /** Words that are one token, but only as a whole. */
  private readonly wholeWords = new Map<string, number>();
  readonly unknownId: number;
  private readonly prefix: string;
  private readonly maxWordChars: number;
  private maxPieceChars = 0;
  private readonly lowercase: boolean;
  private readonly stripAccents: boolean;
  private readonly addedIds: Map<string, number>;
  private readonly addedPattern: RegExp | undefined;
  private readonly words = new Map<string, readonly number[]>();
  /** The letters of the longest piece without a prefix that begins with a letter; undefined without such pieces. */
  private readonly longestUnprefixed: Map<number, number> | undefined;

  /**
   * @param otherScripts `unprefixed`: words of Cyrillic, Hangul, Chinese and Japanese letters end where another script begins,
   *   and are cut into the longest known pieces, which have no prefix wherever they stand, as such text has few spaces or many
   *   endings; and entries that end in `</w>` are whole words. Without it, an ideograph is a word, and a word of which one piece
   *   is unknown is unknown.
   */
  constructor(definition: WordPieceDefinition, otherScripts?: 'unprefixed') {
    const { model, normalizer, added_tokens } = definition;
    this.longestUnprefixed = otherScripts && new Map();
    // Every start with a model waits for this, and an array per entry would double it.
    if (isInOrder(model.vocab)) model.vocab.forEach((piece, id) => this.learn(piece, id));
    else for (const piece in model.vocab) this.learn(piece, model.vocab[piece]!);
    this.unknownId = this.vocab.get(model.unk_token)!;
    this.prefix = model.continuing_subword_prefix;
    this.maxWordChars = model.max_input_chars_per_word ?? 100;
    this.lowercase = normalizer.lowercase;
    this.stripAccents = normalizer.strip_accents ?? normalizer.lowercase;
    this.addedIds = new Map(added_tokens.map(({ content, id }) => [content, id]));
    this.addedPattern = patternOfAny([...this.addedIds.keys()]);
  }

  private learn(piece: string, id: number): void {
    if (this.longestUnprefixed && piece.endsWith(WORD_END)) {
      this.wholeWords.set(piece.slice(0, -WORD_END.length), id);
      return;
    }
    this.vocab.set(piece, id);
    this.maxPieceChars = Math.max(this.maxPieceChars, piece.length);
    const first = piece.charCodeAt(0);
    if (this.longestUnprefixed && first >= FIRST_UNPREFIXED)
      this.longestUnprefixed.set(first, Math.max(this.longestUnprefixed.get(first) ?? 0, piece.length));
  }

  /** A text's ids without special tokens around them; stops when there are `limit` or more. */
  encode(text: string, limit: number): number[] {
    const ids: number[] = [];
    for (const section of this.addedPattern ? text.split(this.addedPattern) : [text]) {
      const added = this.addedIds.get(section);
      if (added === undefined) this.encodePlain(section, ids, limit);
      else ids.push(added);
      if (ids.length >= limit) break;
    }
    return ids;
  }

  /** Goes through the text between white space, so that what needs care is found one stretch at a time. */
  private encodePlain(text: string, out: number[], limit: number): void {
    let wordStart = -1;
    let hasUpper = false;
    for (let i = 0; i <= text.length; i++) {
      const code = i < text.length ? text.charCodeAt(i) : 32;
      const kind = code < 128 ? ASCII_CLASSES[code] : CharClass.Dropped;
      if (kind === CharClass.Word || kind === CharClass.Upper) {
        if (wordStart < 0) wordStart = i;
        if (kind === CharClass.Upper) hasUpper = true;
        continue;
      }
      if (kind === CharClass.Dropped) {
        i = this.encodeStretch(text, wordStart < 0 ? i : wordStart, out);
      } else {
        if (wordStart >= 0) this.pushWord(text.slice(wordStart, i), hasUpper, out);
        if (kind === CharClass.Punctuation) this.pushPieces(text[i]!, out);
      }
      wordStart = -1;
      hasUpper = false;
      if (out.length >= limit) return;
    }
  }

  private pushWord(word: string, hasUpper: boolean, out: number[]): void {
    this.pushPieces(hasUpper && this.lowercase ? word.toLowerCase() : word, out);
  }

  /** Normalises from `start` to the next white space, as the whole text would be; gives the index of that white space. */
  private encodeStretch(text: string, start: number, out: number[]): number {
    let end = start;
    while (end < text.length && !isAsciiSpace(text.charCodeAt(end))) end++;
    for (const word of this.normalized(text.slice(start, end)).match(WORD_PATTERN) ?? [])
      for (const part of this.longestUnprefixed ? word.split(UNPREFIXED_STRETCH) : [word])
        if (part !== '') this.pushPieces(part, out);
    return end;
  }

  private normalized(text: string): string {
    let clean = text.replace(CONTROL, '');
    if (!this.longestUnprefixed) clean = clean.replace(IDEOGRAPH, ' $& ');
    if (this.lowercase) clean = clean.toLowerCase();
    return this.stripAccents ? clean.normalize('NFD').replace(/\p{Mn}/gu, '') : clean;
  }

  private pushPieces(word: string, out: number[]): void {
    let ids = this.words.get(word);
    if (!ids) {
      ids = this.piecesOf(word);
      if (this.words.size >= CACHED_WORDS) this.words.clear();
      // A longer one hardly comes again, and in scripts without blanks a page may be one.
      if (word.length <= this.maxWordChars) this.words.set(copyOf(word), ids);
    }
    for (const id of ids) out.push(id);
  }

  private piecesOf(word: string): number[] {
    const whole = this.wholeWords.get(word);
    if (whole !== undefined) return [whole];
    if (this.longestUnprefixed && IS_UNPREFIXED.test(word))
      return this.unprefixedPieces(word, this.longestUnprefixed);
    const chars = [...word];
    if (chars.length > this.maxWordChars) return [this.unknownId];
    const ids: number[] = [];
    for (let start = 0; start < chars.length;) {
      const prefix = start > 0 ? this.prefix : '';
      let end = Math.min(chars.length, start + this.maxPieceChars);
      let id: number | undefined;
      while (end > start && id === undefined)
        id = this.vocab.get(prefix + chars.slice(start, end--).join(''));
      if (id === undefined) return [this.unknownId];
      ids.push(id);
      start = end + 1;
    }
    return ids;
  }

  private unprefixedPieces(word: string, longest: Map<number, number>): number[] {
    const ids: number[] = [];
    for (let start = 0; start < word.length;) {
      let end = Math.min(word.length, start + (longest.get(word.charCodeAt(start)) ?? 1));
      while (end > start + 1 && !this.vocab.has(word.slice(start, end))) end--;
      ids.push(this.vocab.get(word.slice(start, end)) ?? this.unknownId);
      start = end;
    }
    return ids;
  }
}

/** V8 keeps a whole text for as long as it keeps a slice of 13 characters or more. */
function copyOf(word: string): string {
  return word.length < 13 ? word : Buffer.from(word, 'utf16le').toString('utf16le');
}

function classOf(code: number): CharClass {
  if (isAsciiSpace(code)) return CharClass.Space;
  if (code < 32 || code === 127) return CharClass.Dropped;
  if (code >= 65 && code <= 90) return CharClass.Upper;
  return /[a-z0-9]/.test(String.fromCharCode(code)) ? CharClass.Word : CharClass.Punctuation;
}

function isAsciiSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

function patternOfAny(texts: string[]): RegExp | undefined {
  if (texts.length === 0) return undefined;
  const longestFirst = texts.sort((a, b) => b.length - a.length);
  return new RegExp(`(${longestFirst.map(literally).join('|')})`);
}
