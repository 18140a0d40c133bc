import { defaultModelDir, WorkerPool } from '@causantic/compute';
import { search } from '@causantic/retrieval';
import { afterAll, expect, it } from 'vitest';
import { byMeaning, embeddedMemory } from './embedded-memory.js';

const pool = new WorkerPool({ threads: 1 });
afterAll(() => pool.close());

const ENGLISH = 'The release workflow now signs and notarizes the macOS installer before it is published.';
const CHINESE = '数据库连接池满了,服务器因此拒绝请求。';
const PASSAGES = [ENGLISH, 'The mill wheel has a new axle.', CHINESE, '水车有了新的轴。', '今天晚上吃面条。'];

async function firstFor(query: string): Promise<string | undefined> {
  const { store, semantic } = await embeddedMemory(PASSAGES, pool, defaultModelDir());
  const { hits } = await search(byMeaning(store, semantic), { query, scope: {}, budgetTokens: 2_000 });
  return hits[0]?.chunk.text;
}

it.each([
  ['in other words of its own language', '为什么后端拿不到数据库连接', CHINESE],
  ['about what was said in English', '发布流程里给 macOS 安装程序签名和公证', ENGLISH],
  ['about what was said in Chinese, in Russian', 'пул соединений базы данных переполнен', CHINESE],
  ['about nothing in memory', '火星上有没有液态水?', undefined],
  ['about nothing in memory, in Korean', '고양이는 왜 상자를 좋아하나요?', undefined],
  [
    'about what was said in English, in Spanish',
    'los archivos del instalador se firman antes de publicarlos',
    ENGLISH,
  ],
  [
    'about what was said in Chinese, in French',
    'le serveur refuse les requêtes parce que les connexions à la base de données sont pleines',
    CHINESE,
  ],
  ['about nothing in memory, in German', 'Warum mögen die Katzen keine nassen Pfoten?', undefined],
])('a question in a language that the model was taught: %s', async (_, query, text) => {
  expect(await firstFor(query)).toBe(text);
});

it('of a question in a script that it was not taught, words alone tell whether there is an answer', async () => {
  expect(await firstFor('ดาวอังคารมีน้ำของเหลวหรือไม่ครับ waterwheel')).toBeUndefined();
});
