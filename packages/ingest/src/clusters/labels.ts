// Names topics after the words that set them apart.
import { classTfIdf } from '@causantic/algorithms';
import { type Span, textOfSpans } from '@causantic/domain';
import { splitCamelCase, type Store, textLanguage } from '@causantic/storage';

const TERMS_IN_LABEL = 4;
/** Members whose words are counted: the label of a large topic does not get better with more. */
const MEMBERS_READ = 100;
const CHARACTERS_READ = 1_500;
const FEWEST_LETTERS = 3;

/**
 * A label for each cluster: the terms that set it apart from the others, such as `migration, sqlite, schema`.
 * `cluster 3` stands for one without any word.
 */
export function clusterLabels(store: Store, chunksOf: readonly number[][]): string[] {
  const counts = chunksOf.map((ids) => termCounts(store, sample(ids)));
  return classTfIdf(counts, TERMS_IN_LABEL).map(
    (terms, cluster) => terms.map(({ term }) => term).join(', ') || `cluster ${cluster + 1}`,
  );
}

/** Evenly over the members, which are in the order of their ids. */
function sample(ids: readonly number[]): number[] {
  const step = Math.max(1, ids.length / MEMBERS_READ);
  return Array.from({ length: Math.min(ids.length, MEMBERS_READ) }, (_, i) => ids[Math.floor(i * step)]!);
}

/** In how many chunks each term stands. A long log must not name a topic, unless the topic is nothing but logs. */
function termCounts(store: Store, ids: readonly number[]): Map<string, number> {
  const chunks = store.chunks.get(ids);
  const said = counted(chunks, ({ speaker }) => speaker !== 'tool_result');
  return said.size > 0 ? said : counted(chunks, () => true);
}

function counted(
  chunks: readonly { text: string; spans: readonly Span[] }[],
  isRead: (span: Span) => boolean,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const chunk of chunks) {
    const read = textOfSpans(chunk, isRead);
    for (const term of termsOf(read.slice(0, CHARACTERS_READ))) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}

/** Knows the words of Chinese, Japanese and Thai, too, which stand without blanks between them. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const UNSPACED =
  /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function termsOf(text: string): Set<string> {
  const words = text.match(/\p{L}[\p{L}\p{N}\p{M}]*/gu) ?? [];
  const parts = words.flatMap(partsOf).map((word) => word.toLowerCase());
  const { isStopWord } = textLanguage(parts);
  return new Set(parts.filter((word) => isTelling(word) && !isStopWord(word)));
}

function partsOf(word: string): string[] {
  const parts = UNSPACED.test(word) ? Array.from(segmenter.segment(word), ({ segment }) => segment) : [word];
  // Accented letters are no borders between words.
  return parts.flatMap((part) => (/^[A-Za-z0-9]+$/.test(part) ? splitCamelCase(part) : part));
}

function isTelling(word: string): boolean {
  if (!/^\p{L}/u.test(word) || /^\p{Script=Hiragana}+$/u.test(word)) return false;
  return word.length >= (/[\p{Script=Han}\p{Script=Hangul}]/u.test(word) ? 2 : FEWEST_LETTERS);
}
