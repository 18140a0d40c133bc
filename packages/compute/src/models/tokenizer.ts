import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddingKind } from './embedding-model.js';
import { unusablePart, type ModelSpec } from './model-spec.js';
import { isWordPiece, WordPieceTokenizer, type WordPieceDefinition } from './wordpiece-tokenizer.js';

export interface Tokenizer {
  /** The ids of a text with the model's special tokens, at most `maxTokens` in all. */
  encode(text: string, maxTokens: number): number[];
  /** What stands for a piece of text that the model does not know; some kinds have none. */
  unknownId: number | undefined;
}

export interface WeighedTokens {
  ids: readonly number[];
  /** How much each of the ids counts: 1, or for `sqrt-counts` tenths of a token that stands in the text once. */
  weights: readonly number[];
}

/** A text as a model reads it: its tokens with the prefix of its kind and the special tokens. */
export interface TextTokens extends WeighedTokens {
  /**
   * Whether the model knows at least half of the text's own tokens. An English model may know only the punctuation of a
   * Russian text, and would find it similar to any text with the same punctuation.
   */
  isKnown: boolean;
}

/** A token that stands in a text once weighs this much with `sqrt-counts`. */
const WEIGHT_STEPS = 10;

/**
 * The graph's mask is one byte: two products of it with int8 rows, of 127 × 127 each, are the most that the 16-bit sums of
 * AVX2 hold. That is the weight of 161 times the same token.
 */
const LARGEST_WEIGHT = 127;

export function tokensOf(
  texts: readonly string[],
  kind: EmbeddingKind,
  tokenizer: Tokenizer,
  { queryPrefix, passagePrefix, maxTokens, tokenWeights }: ModelSpec,
): TextTokens[] {
  const prefix = kind === 'query' ? queryPrefix : passagePrefix;
  const around = tokenizer.encode(prefix, maxTokens).length;
  return texts.map((text) => {
    const ids = tokenizer.encode(prefix + text, maxTokens);
    const unknown = ids.filter((id) => id === tokenizer.unknownId).length;
    const isKnown = 2 * unknown <= ids.length - around;
    return { ...(tokenWeights === undefined ? weighedAlike(ids) : weighedByCount(ids)), isKnown };
  });
}

export function weighedAlike(ids: readonly number[]): WeighedTokens {
  return { ids, weights: ids.map(() => 1) };
}

function weighedByCount(tokens: readonly number[]): WeighedTokens {
  const counts = new Map<number, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  const weightOf = (count: number) => Math.min(LARGEST_WEIGHT, Math.round(WEIGHT_STEPS * Math.sqrt(count)));
  return { ids: [...counts.keys()], weights: [...counts.values()].map(weightOf) };
}

/** Reads `tokenizer.json`; a WordPiece definition gets the fast tokenizer, any other @huggingface/tokenizers. */
export async function loadTokenizer(
  modelDir: string,
  { otherScripts }: Pick<ModelSpec, 'otherScripts'> = {},
): Promise<Tokenizer> {
  const path = join(modelDir, 'tokenizer.json');
  try {
    const definition = JSON.parse(await readFile(path, 'utf8')) as TokenizerDefinition;
    const plain = isWordPiece(definition)
      ? new WordPieceTokenizer(definition, otherScripts)
      : await generalTokenizer(definition);
    return withSpecialTokens(plain, definition);
  } catch (error) {
    throw unusablePart(path, error);
  }
}

type TokenizerDefinition = WordPieceDefinition & { post_processor: PostProcessor | null };

type PostProcessor =
  | { type: 'TemplateProcessing'; single: TemplateItem[]; special_tokens: Record<string, { ids: number[] }> }
  | { type: 'BertProcessing' | 'RobertaProcessing'; cls: [string, number]; sep: [string, number] }
  | { type: 'Sequence'; processors: PostProcessor[] }
  | { type: 'ByteLevel' };

type TemplateItem = { SpecialToken: { id: string } } | { Sequence: { id: string } };

/** Without special tokens; `encode` may stop after `limit`. */
type PlainTokenizer = Pick<WordPieceTokenizer, 'encode'> & Pick<Tokenizer, 'unknownId'>;

/**
 * No tokenizer makes tokens of ten characters on average from real text. Text beyond that is cut off first, because this
 * tokenizer reads only a fifth of a megabyte per second.
 */
const CHARS_PER_TOKEN = 10;

async function generalTokenizer(definition: TokenizerDefinition): Promise<PlainTokenizer> {
  const { Tokenizer } = await import('@huggingface/tokenizers');
  const tokenizer = new Tokenizer(definition, {});
  return {
    unknownId: tokenizer.token_to_id(definition.model.unk_token),
    encode: (text, limit) =>
      tokenizer.encode(text.slice(0, limit * CHARS_PER_TOKEN), { add_special_tokens: false }).ids,
  };
}

function withSpecialTokens(plain: PlainTokenizer, { post_processor }: TokenizerDefinition): Tokenizer {
  const { before, after } = specialIds(post_processor);
  return {
    unknownId: plain.unknownId,
    encode(text, maxTokens) {
      const room = Math.max(0, maxTokens - before.length - after.length);
      return [...before, ...plain.encode(text, room).slice(0, room), ...after];
    },
  };
}

function specialIds(processor: PostProcessor | null): { before: number[]; after: number[] } {
  if (processor?.type === 'TemplateProcessing') return templateIds(processor);
  if (processor?.type === 'BertProcessing' || processor?.type === 'RobertaProcessing') {
    return { before: [processor.cls[1]], after: [processor.sep[1]] };
  }
  if (processor?.type === 'Sequence') {
    const all = processor.processors.map(specialIds);
    return { before: all.flatMap(({ before }) => before), after: all.flatMap(({ after }) => after) };
  }
  return { before: [], after: [] };
}

function templateIds(processor: Extract<PostProcessor, { type: 'TemplateProcessing' }>) {
  const before: number[] = [];
  const after: number[] = [];
  let side = before;
  for (const item of processor.single) {
    if ('Sequence' in item) side = after;
    else side.push(...processor.special_tokens[item.SpecialToken.id]!.ids);
  }
  return { before, after };
}
