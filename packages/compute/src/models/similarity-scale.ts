import type { EmbeddingKind } from './embedding-model.js';

/**
 * Mean cosines of a model, over questions and texts that are the same for all models. For some models all texts are alike:
 * no two have a cosine below 0.7 with E5, says its card.
 */
export interface SimilarityScale {
  /** Of questions and texts that have nothing to do with each other. */
  unrelated: number;
  /** Of questions and the texts that answer them. */
  related: number;
  /** Of questions in other languages and the English texts that answer them. */
  acrossLanguages: number;
  /** Of questions in other languages and English texts that have nothing to do with them: less alike than texts of one language. */
  unrelatedAcrossLanguages: number;
  /** Of texts as long as chunks that have nothing to do with each other: the longer, the more alike they are. */
  passages: number;
}

/** The built-in model's, by which every limit of similarity was chosen. */
export const BUILT_IN_SCALE: SimilarityScale = {
  unrelated: 0.035,
  related: 0.349,
  acrossLanguages: 0.21,
  unrelatedAcrossLanguages: 0.031,
  passages: 0.193,
};

/** A model that finds everything the same is not drawn apart without end. */
const LEAST_ROOM = 0.01;
/** Below this difference of related and unrelated texts, as a share of what is left to 1, nothing can be told by it. */
const LEAST_SPREAD = 0.05;
/** The share of that difference which is left across languages, if a model knows them. */
const LEAST_SHARE_ACROSS_LANGUAGES = 0.5;

/** A model's cosine, so that unrelated texts are as similar as to the built-in model, and equal ones still 1. */
export function asOfBuiltIn(cosine: number, scale: SimilarityScale | undefined): number {
  return scale ? Math.max(-1, 1 - (1 - cosine) / narrowing(scale, 'unrelated')) : cosine;
}

/** The same for a question in another language than the text; undefined for a model that does not know other languages. */
export function asOfBuiltInAcrossLanguages(
  cosine: number,
  scale: SimilarityScale | undefined,
): number | undefined {
  if (!scale || !knowsOtherLanguages(scale)) return undefined;
  return asOfBuiltIn(cosine, { ...scale, unrelated: scale.unrelatedAcrossLanguages });
}

/** A model's cosine for two passages that have this one with the built-in model. */
export function cosineOfPassages(ofBuiltIn: number, scale: SimilarityScale | undefined): number {
  return scale ? 1 - (1 - ofBuiltIn) * narrowing(scale, 'passages') : ofBuiltIn;
}

/** How much nearer to 1 a model's cosines are than the built-in one's. */
function narrowing(scale: SimilarityScale, of: 'unrelated' | 'passages'): number {
  return Math.max(LEAST_ROOM, 1 - scale[of]) / (1 - BUILT_IN_SCALE[of]);
}

/** Whether a model tells, of a question in another language, which English texts answer it. */
export function knowsOtherLanguages(scale: SimilarityScale): boolean {
  const spread = scale.related - scale.unrelated;
  const spreadAcross = scale.acrossLanguages - scale.unrelatedAcrossLanguages;
  return (
    spread >= LEAST_SPREAD * (1 - scale.unrelated) && spreadAcross / spread >= LEAST_SHARE_ACROSS_LANGUAGES
  );
}

/** Questions, in English and in another language, each with a text that answers it in other words. */
const PAIRS: readonly (readonly [question: string, foreign: string, text: string])[] = [
  [
    'Why did the login test hang?',
    'Warum blieb der Anmeldetest hängen?',
    'The session cookie was never set because the mock server answered before the handler was attached, so sign-in waited for ever.',
  ],
  [
    'How do we deploy to production?',
    'Comment déployons-nous en production ?',
    'Push a version tag. The release workflow builds the container image, uploads it to the registry and restarts the live service.',
  ],
  [
    'Which database index makes the orders query slow?',
    '¿Qué índice de la base de datos hace lenta la consulta de pedidos?',
    'The planner scanned the whole table of purchases, since the b-tree on customer and date could not serve the sort.',
  ],
  [
    'What was wrong with the date in the invoice?',
    'Что было не так с датой в счёте?',
    'Bills showed yesterday, as the timestamp was formatted in UTC instead of the time zone of the customer.',
  ],
  [
    'How much memory does the image cache use?',
    '图片缓存占用多少内存？',
    'Thumbnails are kept in a least recently used map of at most 64 megabytes of RAM.',
  ],
  [
    'Why is the button not visible on phones?',
    'なぜスマートフォンではボタンが見えないのですか？',
    'The media query hid the toolbar below 480 pixels of width, so on mobile screens nobody could tap submit.',
  ],
  [
    'Which license do our dependencies have?',
    'Quais licenças têm as nossas dependências?',
    'All third-party packages are MIT or Apache 2.0, but for one font under the OFL.',
  ],
  [
    'How are passwords stored?',
    '비밀번호는 어떻게 저장됩니까?',
    'Only a salted Argon2 hash of the secret is written to the users table.',
  ],
  [
    'What do I need for pancakes?',
    'Was brauche ich für Pfannkuchen?',
    'Mix flour, milk and two eggs, let the batter rest, and fry it in butter until golden.',
  ],
  [
    'When does the train to the coast leave?',
    'Quand part le train pour la côte ?',
    'Departures towards the sea are at ten past every hour from platform four.',
  ],
  [
    'How can I sleep better?',
    '¿Cómo puedo dormir mejor?',
    'Go to bed at the same hour, keep the room dark and cool, and put screens away in the evening.',
  ],
  [
    'What did my sister give me for my birthday?',
    'Что сестра подарила мне на день рождения?',
    'She wrapped a wool scarf in blue paper and handed it over before the cake was cut.',
  ],
  [
    'Why do leaves turn red in autumn?',
    '为什么树叶在秋天变红？',
    'As days get shorter, trees stop making chlorophyll, and other pigments in the foliage begin to show.',
  ],
  [
    'Who won the chess game?',
    'チェスの試合に勝ったのは誰ですか？',
    'White gave up after forty moves, a bishop down and with the king in the open.',
  ],
  [
    'How do I repair a flat bicycle tyre?',
    'Como conserto um pneu de bicicleta furado?',
    'Take the wheel off, find the hole in the tube under water, roughen the rubber and glue a patch on.',
  ],
  [
    'What does the museum show this month?',
    '이번 달 박물관에서는 무엇을 전시합니까?',
    'An exhibition of Dutch landscape paintings is on the second floor until the thirtieth.',
  ],
];

/** So many texts of the pairs are about as long as a chunk. */
const TEXTS_OF_PASSAGE = 4;

/** @param embed returns unit vectors, row by row */
export async function measureScale(
  embed: (texts: string[], kind: EmbeddingKind) => Promise<Float32Array>,
): Promise<SimilarityScale> {
  const column = (at: 0 | 1 | 2): string[] => PAIRS.map((pair) => pair[at]);
  const questions = await embed(column(0), 'query');
  const foreign = await embed(column(1), 'query');
  const texts = await embed(column(2), 'passage');
  const passages = await embed(passagesOf(column(2)), 'passage');
  const dim = texts.length / PAIRS.length;
  const isPair = (question: number, text: number): boolean => question === text;
  const isNoPair = (question: number, text: number): boolean => question !== text;
  return {
    unrelated: meanCosine(questions, texts, dim, isNoPair),
    related: meanCosine(questions, texts, dim, isPair),
    acrossLanguages: meanCosine(foreign, texts, dim, isPair),
    unrelatedAcrossLanguages: meanCosine(foreign, texts, dim, isNoPair),
    passages: meanCosine(passages, passages, dim, isNoPair),
  };
}

function passagesOf(texts: string[]): string[] {
  const passages: string[] = [];
  for (let at = 0; at < texts.length; at += TEXTS_OF_PASSAGE)
    passages.push(texts.slice(at, at + TEXTS_OF_PASSAGE).join(' '));
  return passages;
}

/** Over the wanted rows of two matrices of the same shape, to three digits. */
function meanCosine(
  a: Float32Array,
  b: Float32Array,
  dim: number,
  isWanted: (rowOfA: number, rowOfB: number) => boolean,
): number {
  const rows = a.length / dim;
  let [sum, count] = [0, 0];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < rows; j++) {
      if (!isWanted(i, j)) continue;
      for (let k = 0; k < dim; k++) sum += a[i * dim + k]! * b[j * dim + k]!;
      count++;
    }
  }
  return Math.round((1000 * sum) / count) / 1000;
}
