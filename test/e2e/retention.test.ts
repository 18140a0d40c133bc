import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Store } from '@causantic/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callInFull, MemoryHome } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

let memory: MemoryHome;

beforeEach(async () => {
  memory = new MemoryHome();
  writeSession('aaaa0001', '2020-02-01T10:00:00Z', 'What ground the corn?', 'The old mill stone ground it.');
  writeSession(
    'bbbb0001',
    new Date().toISOString(),
    'What grinds the corn?',
    'The new mill stone grinds it.',
  );
});
afterEach(() => memory.remove());

function writeSession(prefix: string, start: string, question: string, answer: string): void {
  new TranscriptBuilder({ session: sessionId(prefix), cwd: '/home/ada/mill', start })
    .exchange(question, answer)
    .writeTo(memory.projects);
}

const texts = async (): Promise<string> =>
  callInFull(await memory.connect(), 'search', { query: 'mill stone corn' }).then(({ text }) => text);

const compacted = async (): Promise<{ before: number; after: number; expired: number }> => {
  const { code, stdout } = await memory.causantic('compact', '--json');
  expect(code).toBe(0);
  return JSON.parse(stdout) as { before: number; after: number; expired: number };
};

describe('retention', () => {
  it('keeps everything unless told otherwise', async () => {
    expect(await memory.ingest()).toMatchObject({ expired: 0 });
    expect(await compacted()).toMatchObject({ expired: 0 });
    expect(await texts()).toContain('old mill stone');
  });

  it('by age: what is older goes when transcripts are read, is told, and does not come back', async () => {
    await memory.ingest();
    await memory.causantic('config', 'set', 'retention.maxAgeDays', '365');
    expect(await texts()).toContain('old mill stone');
    const { stdout } = await memory.reindex();
    expect(stdout).toContain('deleted by the retention settings: 1 chunk');
    const left = await texts();
    expect(left).toContain('new mill stone');
    expect(left).not.toContain('old mill stone');
    expect(await memory.ingest()).toMatchObject({ expired: 0, chunks: 0 });
    expect(await texts()).not.toContain('old mill stone');
  });

  it('by age: what is older goes also where there are no transcripts any more', async () => {
    await memory.ingest();
    rmSync(memory.projects, { recursive: true });
    await memory.causantic('config', 'set', 'retention.maxAgeDays', '365');
    expect(await memory.ingest()).toMatchObject({ files: 0, expired: 1 });
    expect(await texts()).not.toContain('old mill stone');
  });

  it('by age: compact does the same', async () => {
    await memory.ingest();
    await memory.causantic('config', 'set', 'retention.maxAgeDays', '365');
    expect((await memory.causantic('compact')).stdout).toMatch(
      /^Deleted 1 chunk by the retention settings\.\nFreed 0\.\d MB; the home now takes 0\.\d MB\.\n$/,
    );
    expect(await texts()).not.toContain('old mill stone');
  });

  it.each(['compact', 'reindex'] as const)('of what goes with %s, no vector stays in a file', async (how) => {
    await memory.ingest();
    await memory.causantic('search', 'mill stone corn');
    const files = (): string[] => readdirSync(join(memory.home, 'indexes'));
    expect(files()).toHaveLength(1);
    await memory.causantic('config', 'set', 'retention.maxAgeDays', '365');
    if (how === 'compact') expect(await compacted()).toMatchObject({ expired: 1 });
    else expect(await memory.ingest()).toMatchObject({ expired: 1 });
    expect(existsSync(join(memory.home, 'indexes')) ? files() : []).toEqual([]);
  });

  it('a limit that would take everything is refused', async () => {
    const { code, stderr } = await memory.causantic('config', 'set', 'retention.maxBytes', '1000');
    expect(code).toBe(1);
    expect(stderr).toContain('at least 10000000');
  });
});

describe('compact', () => {
  const words = (n: number): string =>
    Array.from({ length: 800 }, (_, word) => `word${n * 800 + word} of the miller`).join('. ');
  const writeLongSessions = (answerOf: (n: number) => string): void => {
    for (let n = 0; n < 5; n++) writeSession(`cccc000${n}`, '2026-02-01T10:00:00Z', 'Tell all.', answerOf(n));
  };
  const databaseBytes = (): number => statSync(join(memory.home, 'memory.db')).size;

  it('gives back the room of what transcripts say no more, and the answers stay', async () => {
    writeLongSessions(words);
    await memory.ingest();
    rmSync(memory.projects, { recursive: true });
    writeLongSessions(() => 'Nothing.');
    await memory.ingest();
    const before = await texts();
    const size = databaseBytes();
    const report = await compacted();
    expect(report.before - report.after).toBeGreaterThan(100_000);
    expect(databaseBytes()).toBeLessThan(size - 100_000);
    expect(await texts()).toBe(before);
  });

  it('is not needed for what is forgotten', async () => {
    writeLongSessions(words);
    await memory.ingest();
    const size = databaseBytes();
    await memory.causantic('forget', 'mill', '--session-id', 'cccc0000', '--no-dry-run');
    expect(databaseBytes()).toBeLessThan(size - 20_000);
  });

  it('leaves no vector of what a killed program had deleted', async () => {
    await memory.ingest();
    await texts();
    await memory.disconnect();
    const vectors = memory.vectorsOf('old mill stone');
    const store = Store.open(join(memory.home, 'memory.db'));
    store.forgetting.delete(store.forgetting.ids({ beforeMs: Date.parse('2021-01-01') }));
    store.close();
    const indexes = join(memory.home, 'indexes');
    const hold = (): Buffer[] => {
      const bytes = readdirSync(indexes).map((name) => readFileSync(join(indexes, name)));
      return vectors.filter((vector) => bytes.some((each) => each.includes(vector)));
    };
    expect(hold()).toHaveLength(1);
    const { before, after } = await compacted();
    // The next search makes the index again.
    expect(before - after).toBeLessThan(1_000);
    expect(hold()).toEqual([]);
    expect(await texts()).toContain('new mill stone');
  });

  it('drops indexes, and what a killed program left; not what is used', async () => {
    await memory.ingest();
    await texts();
    await memory.disconnect();
    const indexes = join(memory.home, 'indexes');
    mkdirSync(indexes, { recursive: true });
    const stale = join(indexes, 'another-model-0a1b2c3d-1.faiss');
    const running = join(memory.home, 'import-2.tmp');
    const abandoned = ['export-1.tmp', 'indexes/part-1.tmp', 'indexes/p.faiss.1.tmp'].map((name) =>
      join(memory.home, name),
    );
    for (const path of [stale, running, ...abandoned]) writeFileSync(path, 'x');
    for (const path of abandoned) utimesSync(path, new Date('2026-01-01'), new Date('2026-01-01'));
    expect((await memory.causantic('compact')).stdout).toMatch(/^Freed .*\n$/);
    expect([stale, running, ...abandoned].filter(existsSync)).toEqual([running]);
    expect(await texts()).toContain('old mill stone');
  });

  it('says that there is no memory where there is none', async () => {
    const { code, stderr } = await memory.causantic('compact');
    expect(code).toBe(1);
    expect(stderr).toContain('There is no memory in ');
  });
});
