import { join } from 'node:path';
import { defaultModelDir, Embedder, WorkerPool } from '@causantic/compute';
import { embedChunks } from '@causantic/ingest';
import { search, SemanticSearch } from '@causantic/retrieval';
import { Store } from '@causantic/storage';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

const pool = new WorkerPool({ threads: 1 });
afterAll(() => pool.close());

const ENGLISH = 'The release workflow now signs and notarizes the macOS installer before it is published.';
const CHINESE = '数据库连接池满了,服务器因此拒绝请求。';
const PASSAGES = [ENGLISH, 'The mill wheel has a new axle.', CHINESE, '水车有了新的轴。', '今天晚上吃面条。'];

async function firstFor(query: string): Promise<string | undefined> {
  const folder = temporaryFolder();
  const store = Store.open(join(folder, 'memory.db'));
  PASSAGES.forEach((text, n) =>
    store.transcripts.write(`/${n}.jsonl`, (writer) => {
      writer.putSession(sessionDraft(`session-${n}`), { path: '/p', name: 'p' });
      const spans = [{ speaker: 'assistant' as const, start: 0, end: text.length }];
      writer.putTurn(turnDraft(0, [chunkDraft(0, text, { spans })]));
    }),
  );
  const embedder = await Embedder.open({ pool, modelDir: defaultModelDir() });
  await embedChunks(store, embedder);
  const semantic = await SemanticSearch.open(store, embedder, join(folder, 'indexes'));
  onTestFinished(async () => {
    await semantic.close();
    store.close();
  });
  const context = { store, now: () => 0, semantic: () => Promise.resolve(semantic) };
  const { hits } = await search(context, { query, scope: {}, budgetTokens: 2_000 });
  return hits[0]?.chunk.text;
}

it.each([
  ['in other words of its own language', '为什么后端拿不到数据库连接', CHINESE],
  ['about what was said in English', '发布流程里给 macOS 安装程序签名和公证', ENGLISH],
  ['about what was said in Chinese, in Russian', 'пул соединений базы данных переполнен', CHINESE],
  ['about nothing in memory', '火星上有没有液态水?', undefined],
  ['about nothing in memory, in Korean', '고양이는 왜 상자를 좋아하나요?', undefined],
])('a question in a script that the model was taught: %s', async (_, query, text) => {
  expect(await firstFor(query)).toBe(text);
});

it('of a question in a script that it was not taught, words alone tell whether there is an answer', async () => {
  expect(await firstFor('ดาวอังคารมีน้ำของเหลวหรือไม่ครับ waterwheel')).toBeUndefined();
});
