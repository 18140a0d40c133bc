import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countTokens } from '@causantic/domain/tokens';
import { type ChunkFilter, Store, type StoredChunk } from '@causantic/storage';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';
import { SeededRandom } from '../../../test/seeded-random.js';
import { assembleHits } from '../src/answer/assembly.js';
import { isoTime } from '../src/answer/dates.js';
import { reconstruct } from '../src/index.js';
import { headerTokens, type Hit, hitHeader } from '../src/answer/presentation.js';

const random = new SeededRandom(42);

const WORDS = [
  'warp',
  'weft',
  'getUserName()',
  '経糸',
  '🧵',
  'naïve',
  '{"a":1}',
  '\n',
  '```',
  '    ',
  '====',
  'Ж',
  '0x7f3a',
];
const PROJECTS = ['loom', 'a-b_c.d-1-2-3-4', '織機プロジェクト', 'набор инструментов', '🧵🧶'];
const AGENTS = [null, null, 'researcher', '調査員', 'x'.repeat(60), '9-8-7-6-5-4-3-2-1'];

const randomText = (words: number): string =>
  Array.from({ length: 1 + random.below(words) }, () => random.pick(WORDS)).join(' ');

let store: Store;
let chunks: StoredChunk[];

beforeAll(() => {
  store = Store.open(':memory:');
  for (let session = 0; session < 30; session++) writeSession(session);
  chunks = [...store.chunks.walk({}, 'oldest')];
});
afterAll(() => store.close());

/** All sessions run at the same time, and their agents take turns. */
function writeSession(n: number): void {
  const uuid = `${(n * 7_919).toString(16).padStart(8, '0')}-1111-4222-8333-444444444444`;
  const name = random.pick(PROJECTS);
  store.transcripts.write(`/${uuid}.jsonl`, (writer) => {
    writer.putSession(sessionDraft(uuid), { path: `/${name}`, name });
    let seq = 0;
    for (let ordinal = 0; ordinal < 12; ordinal++) {
      const agentKey = random.pick(AGENTS);
      if (agentKey !== null) {
        const more = { description: null, toolUseId: null, teamName: null };
        writer.putAgent({ key: agentKey, kind: 'subagent', name: agentKey, ...more });
      }
      const startTimeMs =
        random.below(20) === 0
          ? null
          : Date.UTC(2026, random.below(12), 1 + random.below(28), random.below(24), random.below(60));
      const own = Array.from({ length: 1 + random.below(3) }, () => {
        const text = randomText(random.below(10) === 0 ? 800 : 60);
        return chunkDraft(seq++, text, {
          continues: random.below(2) === 0,
          spans: [{ speaker: 'user' as const, start: random.below(2), end: text.length }],
          tokens: countTokens(text),
          startTimeMs,
          endTimeMs: startTimeMs,
        });
      });
      writer.putTurn(turnDraft(ordinal, own, { agentKey }));
    }
  });
}

function expectInOrder(text: string, hits: readonly Hit[]): void {
  let place = 0;
  for (const { chunk } of hits) {
    const found = text.indexOf(chunk.text, place);
    expect(found).toBeGreaterThanOrEqual(0);
    place = found + chunk.text.length;
  }
}

const BUDGETS = [200, 350, 500, 800, 1_500, 4_000, 20_000];

it('a header never has more tokens than was reckoned', () => {
  for (const chunk of chunks) {
    const hit: Hit = { chunk, score: 1, relevance: random.next(), sources: ['vector', 'keyword', 'entity'] };
    const header = hitHeader(hit);
    expect(headerTokens(header), header).toBeGreaterThanOrEqual(countTokens(header));
  }
});

describe.each(BUDGETS)('with a budget of %i tokens', (budgetTokens) => {
  it('ranked chunks fit, are whole, stand in the order of the hits, and none stands twice', () => {
    for (let round = 0; round < 8; round++) {
      const hits = Array.from({ length: 60 }, (_, rank): Hit => {
        const chunk = random.pick(chunks);
        return { chunk, score: 60 - rank, relevance: random.next(), sources: ['keyword'] };
      });
      const {
        text,
        tokens,
        hits: taken,
      } = assembleHits(store, () => hits, { budgetTokens, overheadTokens: 16 });
      expect(countTokens(text) + 16).toBeLessThanOrEqual(tokens);
      expect(tokens).toBeLessThanOrEqual(budgetTokens);
      expectInOrder(text, taken);
      const ids = taken.map((hit) => hit.chunk.id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it.each(['newest', 'oldest'] as const)('a reconstruction that keeps the %s fits and is whole', (keep) => {
    for (let round = 0; round < 8; round++) {
      const fromMs = Date.UTC(2026, random.below(12), 1);
      const filter = {
        ...(round > 0 && { fromMs }),
        ...(round > 4 && { projectId: random.pick(chunks).projectId }),
      };
      const { text, tokens, hits, truncated } = reconstruct(store, { filter, budgetTokens, keep });
      expect(countTokens(text)).toBeLessThanOrEqual(tokens);
      expect(tokens).toBeLessThanOrEqual(budgetTokens);
      expectInOrder(text, hits);
      const all = [...store.chunks.walk(filter, 'oldest')];
      expect(truncated).toBe(hits.length < all.length);
    }
  });
});

describe.each([
  ['newest', 'to', 'before'],
  ['oldest', 'from', 'next'],
] as const)('answers that keep the %s', (keep, bound, where) => {
  /** Ids of all that is shown by one answer after the other, each begun where the one before says. */
  function readOn(filter: ChunkFilter, budgetTokens: number): number[] {
    const seen: number[] = [];
    for (let place: ChunkFilter = {}; ;) {
      const { text, hits, goesOnAtMs } = reconstruct(store, {
        filter: { ...filter, ...place },
        budgetTokens,
        keep,
      });
      seen.push(...hits.map(({ chunk }) => chunk.id));
      if (goesOnAtMs === undefined) return seen;
      expect(text).toMatch(
        new RegExp(`^\\[${bound} "${isoTime(goesOnAtMs)}" shows what came ${where}\\]$`, 'm'),
      );
      place = keep === 'newest' ? { beforeMs: goesOnAtMs } : { fromMs: goesOnAtMs };
    }
  }

  it('lead on to all that has a time, each once', () => {
    const dated = chunks.filter(({ orderTimeMs }) => orderTimeMs > 0).map(({ id }) => id);
    const seen = readOn({ fromMs: 1 }, 20_000);
    expect(seen.toSorted((a, b) => a - b)).toEqual(dated.toSorted((a, b) => a - b));
  });

  it('lead on within a moment of which one has no room for all', () => {
    const timeMs = chunks
      .map(({ orderTimeMs }) => orderTimeMs)
      .find((time, at, times) => time > 0 && times[at + 4] === time)!;
    const moment = { fromMs: timeMs, beforeMs: timeMs + 1 };
    const all = reconstruct(store, { filter: moment, budgetTokens: 20_000, keep });
    expect(all.goesOnAtMs).toBeUndefined();
    const ids = all.hits.map(({ chunk }) => chunk.id);
    const seen = readOn(moment, all.tokens - 1);
    expect(seen.toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
  });
});
