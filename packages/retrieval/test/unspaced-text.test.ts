import { expect, it } from 'vitest';
import { search } from '../src/index.js';
import { Memory } from './memory.js';

const PASSAGES = [
  '数据库连接池在高峰期耗尽了，因为事务没有及时提交。我们把超时改为五秒。',
  '登录页面的按钮颜色改成了蓝色，并且加上了加载动画。',
  'データベースの接続が切れるのは、プールの上限に達したためです。再試行を追加しました。',
  'ログイン画面のボタンの色を青に変更しました。',
  '데이터베이스 연결이 끊어지는 이유는 풀이 가득 찼기 때문입니다.',
  '로그인 화면의 버튼 색을 파란색으로 바꾸었습니다.',
  'การเชื่อมต่อฐานข้อมูลหลุดเพราะพูลเต็ม',
  'เปลี่ยนสีปุ่มในหน้าล็อกอินเป็นสีน้ำเงิน',
  'The kettle boils, and the ferry leaves at seven.',
];

/** Which of the passages, each of a session of its own, are found, best first. */
async function foundAmong(passages: readonly string[], query: string): Promise<number[]> {
  const memory = new Memory();
  const ids = passages.flatMap((passage) => memory.session('shop', [passage]));
  const { hits } = await search(memory.context, { query, scope: {}, budgetTokens: 2_000 });
  return hits.map(({ chunk }) => ids.indexOf(chunk.id));
}

it.each([
  ['Chinese', '数据库连接为什么会耗尽？', 0],
  ['Chinese', '登录按钮是什么颜色', 1],
  ['Japanese', 'データベースの接続はなぜ切れたのですか', 2],
  ['Japanese', 'ボタンは何色に変更された?', 3],
  ['Korean', '데이터베이스가 왜 끊어졌나요?', 4],
  ['Korean', '버튼 색을 왜 바꾸었나요?', 5],
  ['Thai', 'ทำไมฐานข้อมูลหลุด', 6],
  ['decomposed Korean', '데이터베이스가 왜 끊어졌나요?'.normalize('NFD'), 4],
  ['Chinese among Latin words', 'why 连接池 exhausted', 0],
])('a question in %s finds its passage: %s', async (_, query, expected) => {
  expect((await foundAmong(PASSAGES, query))[0]).toBe(expected);
});

it.each([
  ['Hindi', 'डेटाबेस कनेक्शन क्यों टूटा?', 0],
  ['Hindi', 'बटन का रंग', 1],
  ['decomposed German', 'Warum fehlt die Größenänderung?'.normalize('NFD'), 2],
])('words are whole with their vowel signs and accents: %s', async (_, query, expected) => {
  const passages = ['डेटाबेस कनेक्शन टूट गया', 'बटन का रंग नीला है', 'Die Größenänderung schlägt fehl'];
  expect(await foundAmong(passages, query)).toEqual([expected]);
});

it.each([
  ['Russian', 'Где исправили кодировку?', 0],
  ['German', 'Was war mit der Rechnung?', 1],
  ['German without umlauts', 'Wie koennen wir die Uebersichtsseite laden?', 2],
  ['German with umlauts', 'Wo ist die Größenänderung?', 3],
  ['Polish', 'Dlaczego brakuje faktury?', 4],
  ['Czech without its letters', 'Kde jsou ulozene rozvrhy?', 5],
])('a word is found in another form: %s', async (_, query, expected) => {
  const passages = [
    'Ошибка кодировки в именах',
    'Die Rechnungen öffnen sich',
    'Die Übersichtsseite lädt zu lange',
    'Groessenaenderung der Tanks',
    'Brakuje szablonu faktur',
    'Načtení rozvrhu selhalo',
  ];
  expect(await foundAmong(passages, query)).toEqual([expected]);
});

it.each([
  ['Turkish without its letters', 'kullanici kaydi', 0],
  ['Polish without its letters', 'blad zapisu', 1],
  ['Arabic without its points', 'المعرف', 2],
  ['Hebrew without its points', 'שלום', 3],
  ['Hindi, one word of many marks', 'काम', 4],
  ['full-width letters', 'ＧｉｔＨｕｂ　Ａｃｔｉｏｎｓ', 5],
  ['half-width katakana', 'ﾃﾞｰﾀﾍﾞｰｽ', 6],
])('letters are found as people type them: %s', async (_, query, expected) => {
  const passages = [
    'Kullanıcı kaydı düzeltildi',
    'Błąd zapisu zamówienia',
    'أضفنا المُعرِّف',
    'שָׁלוֹם עוֹלָם',
    'यह काम हो गया',
    'GitHub Actionsのキャッシュ',
    'データベースの移行',
    'कि मैं गया',
  ];
  expect(await foundAmong(passages, query)).toEqual([expected]);
});

it.each([
  ['Chinese', '按钮琵琶蜻蜓葡萄', [1]],
  ['Japanese', 'ボタン琵琶蜻蛉葡萄', [3]],
  ['Korean', '버튼 고슴도치잠자리', [5]],
])('a word that no passage has takes no more than one with it: %s', async (_, query, expected) => {
  expect(await foundAmong(PASSAGES, query)).toEqual(expected);
});

it.each(['请问今天的天气怎么样', '今日の天気を教えてください', '오늘 날씨가 어떻습니까'])(
  'a question about something else finds nothing: %s',
  async (query) => {
    expect(await foundAmong(PASSAGES, query)).toEqual([]);
  },
);
