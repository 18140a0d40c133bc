import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fileURLToPath } from 'node:url';
import { Tokenizer as ReferenceTokenizer } from '@huggingface/tokenizers';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { SeededRandom } from '../../../test/seeded-random.js';
import type { ModelSpec } from '../src/models/model-spec.js';
import { loadTokenizer, tokensOf } from '../src/models/tokenizer.js';
import {
  isWordPiece,
  type WordPieceDefinition,
  WordPieceTokenizer,
} from '../src/models/wordpiece-tokenizer.js';

const tinyFolder = new URL('./fixtures/tiny-transformer/', import.meta.url);
const expected = readJson(new URL('./fixtures/expected.json', import.meta.url));
const tiny = readJson(new URL('tokenizer.json', tinyFolder));
const definitions = {
  tiny,
  'built-in': readJson(new URL('../assets/model/tokenizer.json', import.meta.url)),
  'in the order of ids': { ...tiny, model: { ...tiny.model, vocab: inOrderOfIds(tiny.model.vocab) } },
  cased: { ...tiny, normalizer: { ...tiny.normalizer, lowercase: false } },
  accented: { ...tiny, normalizer: { ...tiny.normalizer, strip_accents: false } },
  'cased, unaccented': { ...tiny, normalizer: { ...tiny.normalizer, lowercase: false, strip_accents: true } },
  bare: { ...tiny, added_tokens: [], model: { ...tiny.model, max_input_chars_per_word: undefined } },
  'short-worded': { ...tiny, model: { ...tiny.model, max_input_chars_per_word: 5 } },
};

function readJson(url: URL) {
  return JSON.parse(readFileSync(url, 'utf8'));
}

function inOrderOfIds(vocab: Readonly<Record<string, number>>): string[] {
  return Object.keys(vocab).toSorted((a, b) => vocab[a]! - vocab[b]!);
}

/** @huggingface/tokenizers takes a vocabulary as an object alone. */
function asReferenceReadsIt<T extends { model: WordPieceDefinition['model'] }>(definition: T) {
  const { model } = definition;
  const vocab = Array.isArray(model.vocab)
    ? Object.fromEntries(model.vocab.map((piece, id) => [piece, id]))
    : model.vocab;
  return { ...definition, model: { ...model, vocab: vocab as Record<string, number> } };
}

function fast(definition: never, text: string): number[] {
  return new WordPieceTokenizer(definition).encode(text, Infinity);
}

/** What can go wrong one by one: the pieces are joined at random, so that they meet in every order. */
const awkwardPieces = [
  ...[
    'a',
    'B',
    'Z',
    'the',
    'Parser',
    'ing',
    '##',
    '0',
    '9.5',
    "don't",
    '_',
    '-',
    '$',
    '<=>',
    '[',
    ']',
    '[SEP]',
    '[UNK]',
  ],
  ...[
    ' ',
    '\t',
    '\n',
    '\r',
    '\v',
    '\f',
    '\0',
    '\x7f',
    '\x85',
    '\u00a0',
    '\u00ad',
    '\u200b',
    '\u2028',
    '\ufeff',
    '\ufffd',
  ],
  ...[
    'é',
    'É',
    'ß',
    'ſ',
    'İ',
    'Σ',
    'σ',
    'ς',
    'A\u0300',
    '\u0301',
    'Straße',
    'naïve',
    'ﬁ',
    '①',
    'Ⅷ',
    '½',
    '₂',
    '§',
    '«',
    '…',
    '—',
  ],
  ...[
    '中',
    '文字',
    '𠀀',
    '日本語かな',
    'カナ',
    '한글',
    'ไทย',
    'עברית',
    '👍🏽',
    '👨‍👩‍👧',
    '\ud800',
    'x'.repeat(101),
  ],
];

function randomText(random: SeededRandom): string {
  return Array.from({ length: random.below(14) }, () => random.pick(awkwardPieces)).join('');
}

describe.each(Object.entries(definitions))('the fast tokenizer with the %s vocabulary', (_, definition) => {
  it('gives the ids that @huggingface/tokenizers gives', () => {
    const whole = asReferenceReadsIt(definition);
    const reference = new ReferenceTokenizer(whole, {});
    const tokenizer = new WordPieceTokenizer(definition);
    const random = new SeededRandom(7);
    const source = readFileSync(new URL(import.meta.url), 'utf8');
    const longest = Object.keys(whole.model.vocab).toSorted((a, b) => b.length - a.length);
    const inOneWord = longest.slice(0, 4).join('x').replaceAll('#', '');
    for (const text of [
      source,
      longest.slice(0, 20).join(' '),
      inOneWord,
      ...Array.from({ length: 3000 }, () => randomText(random)),
    ]) {
      const ids = tokenizer.encode(text, Infinity);
      expect(ids, JSON.stringify(text)).toEqual(reference.encode(text, { add_special_tokens: false }).ids);
    }
  });
});

describe('the fast tokenizer', () => {
  it('stops at the limit instead of reading on', () => {
    expect(new WordPieceTokenizer(definitions.tiny).encode('the '.repeat(1_000_000), 10).length).toBe(10);
  });

  it('remembers no more words than it has room for', () => {
    const tokenizer = new WordPieceTokenizer(definitions.tiny);
    for (let n = 0; n < 60_000; n++) tokenizer.encode(n.toString(36), 10);
    expect(tokenizer['words'].size).toBeLessThanOrEqual(50_000);
  });

  it('knows which definitions it is for', () => {
    const { normalizer, added_tokens } = tiny;
    expect(isWordPiece(tiny)).toBe(true);
    for (const other of [
      { model: { type: 'BPE' } },
      { normalizer: null },
      { normalizer: { ...normalizer, type: 'Lowercase' } },
      { normalizer: { ...normalizer, clean_text: false } },
      { normalizer: { ...normalizer, handle_chinese_chars: false } },
      { pre_tokenizer: null },
      { pre_tokenizer: { type: 'Whitespace' } },
      ...['normalized', 'lstrip', 'rstrip'].map((flag) => ({
        added_tokens: [...added_tokens, { ...added_tokens[0], [flag]: true }],
      })),
    ])
      expect(isWordPiece({ ...tiny, ...other }), JSON.stringify(other)).toBe(false);
    expect(fast(tiny as never, 'the')).toHaveLength(1);
  });
});

describe('pieces of other scripts without a prefix', () => {
  const pieces = ['数据', '数据库', '库', 'か', '다', 'ㅏ', 'фаил', 'ами', 'docker', '##s'];
  const definition = {
    ...tiny,
    model: {
      ...tiny.model,
      vocab: Object.fromEntries(['[UNK]', ...pieces].map((piece, id) => [piece.normalize('NFD'), id])),
    },
  };
  const cut = (text: string): string[] =>
    new WordPieceTokenizer(definition, 'unprefixed')
      .encode(text, Infinity)
      .map((id) => (id === 0 ? '?' : pieces[id - 1]!));

  it.each([
    ['数据库数据', ['数据库', '数据']],
    ['用数据', ['?', '数据']],
    ['数据Dockers数据库', ['数据', 'docker', '##s', '数据库']],
    ['Файлами', ['фаил', 'ами']],
    ['がか', ['か', 'か']],
    ['다다', ['다', '다']],
    ['数据файл', ['数据', 'фаил']],
    ['ㅋㅋㅋㅋ다', ['?', '다']],
    ['数据。数据', ['数据', '?', '数据']],
  ])('%s', (text, wanted) => {
    expect(cut(text)).toEqual(wanted);
  });

  it('a sentence has no spaces, and may be as long as it likes', () => {
    expect(cut('数据库'.repeat(200))).toHaveLength(200);
  });

  it('of a sentence without spaces are not kept for the next one', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const tokenizer = new WordPieceTokenizer(definition, 'unprefixed');
    const used = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = used();
    for (let n = 0; n < 2_000; n++) {
      const number = n.toString(2).padStart(11, '0').replaceAll('0', '数据').replaceAll('1', '库');
      tokenizer.encode(number + '数据库'.repeat(200), Infinity);
    }
    expect(used() - before).toBeLessThan(2 ** 21);
    // It would not count if it was thrown away.
    expect(tokenizer.encode('数据', Infinity)).toHaveLength(1);
  });

  it('are of no use to a model that does not say so', () => {
    expect(fast(definition as never, '数据库 файлами')).toEqual([0, 0, pieces.indexOf('库') + 1, 0]);
  });
});

describe('words that are one token only as a whole', () => {
  const vocab = { '[UNK]': 0, dat: 1, '##ei': 2, '##name': 3, 'datei</w>': 4, 'uber</w>': 5 };
  const definition = { ...tiny, added_tokens: [], model: { ...tiny.model, vocab } };

  it.each([
    ['Datei', [4]],
    ['dateiname', [1, 2, 3]],
    ['Über/datei', [5, 0, 4]],
    ['datei</w>', [4, 0, 0, 0, 0]],
  ])('%s', (text, ids) => {
    expect(new WordPieceTokenizer(definition, 'unprefixed').encode(text, Infinity)).toEqual(ids);
  });
});

describe('the tokens that a model reads', () => {
  /** Cuts at blanks, and puts special tokens around; `?` is unknown. */
  const tokenizer = {
    unknownId: 0,
    encode: (text: string) => [
      8,
      ...text
        .split(' ')
        .filter(Boolean)
        .map((word) => '?ab'.indexOf(word)),
      9,
    ],
  };
  const read = (texts: string[], tokenWeights?: 'sqrt-counts') => {
    const spec = {
      queryPrefix: '',
      passagePrefix: '',
      maxTokens: 1000,
      ...(tokenWeights && { tokenWeights }),
    };
    return tokensOf(texts, 'query', tokenizer, spec as ModelSpec);
  };

  it('are known where half of the text’s own are, whatever stands around it', () => {
    const known = read(['', 'a ?', 'a ? ?', '?', 'a a ? ?', 'a b ? ? ?']).map(({ isKnown }) => isKnown);
    expect(known).toEqual([true, true, false, false, true, false]);
  });

  it('weigh tenths of the square root of their number, at most what one byte holds', () => {
    const [tokens] = read([`${'a '.repeat(4)}b`], 'sqrt-counts');
    expect(tokens).toMatchObject({ ids: [8, 1, 2, 9], weights: [10, 20, 10, 10] });
    const weightOf = (count: number) => read(['a '.repeat(count)], 'sqrt-counts')[0]!.weights[1];
    expect([161, 162, 900].map(weightOf)).toEqual([127, 127, 127]);
    expect(weightOf(160)).toBe(126);
  });
});

describe('loadTokenizer', () => {
  it.each(Object.entries<{ ids: number[] }>(expected.transformer))(
    'puts special tokens around %j',
    async (text, { ids }) => {
      const tokenizer = await loadTokenizer(fileURLToPath(tinyFolder));
      expect(tokenizer.encode(text, 32)).toEqual(ids);
    },
  );

  it('cuts the text, not the special tokens', async () => {
    const tokenizer = await loadTokenizer(fileURLToPath(tinyFolder));
    const whole = tokenizer.encode('the parser failed', 32);
    expect(tokenizer.encode('the parser failed', 3)).toEqual([whole[0], whole[1], whole.at(-1)]);
  });

  const bytePairs = {
    version: '1.0',
    added_tokens: ['<s>', '</s>'].map((content, id) => ({ id, content, special: true, normalized: false })),
    normalizer: null,
    decoder: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
    model: {
      type: 'BPE',
      vocab: { '<s>': 0, '</s>': 1, a: 2, b: 3, Ġ: 4, ab: 5, Ġab: 6 },
      merges: ['a b', 'Ġ ab'],
    },
  };
  const around = { cls: ['<s>', 0], sep: ['</s>', 1] };
  const special = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const template = {
    type: 'TemplateProcessing',
    single: [special('<s>'), { Sequence: { id: 'A', type_id: 0 } }, special('</s>')],
    special_tokens: { '<s>': { id: '<s>', ids: [0] }, '</s>': { id: '</s>', ids: [1] } },
  };

  it.each([
    [{ type: 'RobertaProcessing', ...around }, [0, 5, 6, 6, 1]],
    [{ type: 'BertProcessing', ...around }, [0, 5, 6, 6, 1]],
    [{ type: 'Sequence', processors: [{ type: 'ByteLevel' }, template] }, [0, 5, 6, 6, 1]],
    [{ type: 'ByteLevel' }, [5, 6, 6, 6, 6]],
    [null, [5, 6, 6, 6, 6]],
  ])('reads other kinds of tokenizers, and as much as fits: %j', async (post_processor, ids) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify({ ...bytePairs, post_processor }));
    const tokenizer = await loadTokenizer(folder);
    expect(tokenizer.encode('ab ab ab ab ab ab', 5)).toEqual(ids);
    expect(tokenizer.unknownId).toBeUndefined();
  });
});
