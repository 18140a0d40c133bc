import type { Database } from 'better-sqlite3';
import { chunkDraft, turnDraft } from '../../../test/drafts.js';
import { openSqlite } from '../src/database/sqlite.js';
import { expect, it } from 'vitest';
import { inLetterPairs, Store } from '../src/index.js';
import { foldedLetters } from '../src/words/folded-letters.js';
import { indexFoldedLettersAnew, indexUnspacedTextAnew } from '../src/words/word-index.js';
import { memoryPath, storeTurns } from './sessions.js';

it.each([
  ['no such script: naïve Größe “quoted” – ok', 'no such script: naïve Größe “quoted” – ok'],
  ['東京都庁', '東京 京都 都庁'],
  ['猫', '猫'],
  ['React组件。', 'React 组件 。'],
  ['配置/数据.json', '配置 / 数据 .json'],
  ['カﾀｶﾅ', 'カタ タカ カナ'],
  ['ﾃﾞｰﾀ', 'デー ータ'],
  ['フォーム', 'フォ ォー ーム'],
  ['กิน', 'กน'],
  ['𠮷野家', '𠮷野 野家'],
])('%s is indexed as %s', (text, expected) => {
  expect(inLetterPairs(text).replace(/\s+/g, ' ').trim()).toBe(expected);
});

it.each([
  ['plain: “quoted” x² … ⚠️', 'plain: “quoted” x² … ⚠'],
  ['Größe naïve nœud', 'Grosse naive noeud'],
  ['błąd, kullanıcı, được', 'blad, kullanici, duoc'],
  ['ёлка', 'елка'],
  ['أيضًا إدارة', 'ايضا ادارة'],
  ['שָׁלוֹם', 'שלום'],
  ['त्रुटि', 'तरट'],
  ['ＧｉｔＨｕｂ ５００', 'GitHub 500'],
  ['データ', 'データ'],
  ['データ'.normalize('NFD'), 'データ'.normalize('NFD')],
])('the letters of %s are folded to %s', (text, expected) => {
  expect(foldedLetters(text)).toBe(expected);
});

/** A memory whose index is as an earlier version wrote it, with whole runs as one word, and then is made anew. */
function indexedAnew(texts: string[], anew: (db: Database) => void): Store {
  const path = memoryPath();
  const store = Store.open(path);
  storeTurns(
    store,
    'a',
    texts.map((text, seq) => turnDraft(seq, [chunkDraft(seq, text)])),
  );
  store.close();
  const db = openSqlite(path);
  db.exec('DELETE FROM chunk_fts');
  db.exec("INSERT INTO chunk_fts (rowid, scope, prompt) SELECT id, 'p' || project_id, text FROM chunk");
  anew(db);
  db.close();
  return Store.open(path);
}

it.each([
  ['unspaced text', indexUnspacedTextAnew],
  ['letters that are folded now', indexFoldedLettersAnew],
])('what an earlier version indexed is indexed anew: %s', (_, anew) => {
  const opened = indexedAnew(['ﾃﾞｰﾀ', 'błąd', 'the kettle', '数据库'], anew);
  const frequencies = opened.keywords.documentFrequencies(['デー', 'blad', 'kettle', '数据'], {}, 9);
  opened.close();
  expect(frequencies).toEqual(anew === indexFoldedLettersAnew ? [1, 1, 1, 0] : [1, 0, 1, 1]);
});

it('what an earlier version indexed is indexed anew, without its transcripts', () => {
  const opened = indexedAnew(['数据库连接池', 'the kettle'], indexUnspacedTextAnew);
  const { id: projectId } = opened.projects.findByPath('/home/me/app')!;
  const phrases = ['数据', '接池', '数据库连接池', 'kettle'];
  expect(opened.keywords.documentFrequencies(phrases, { projectId }, 9)).toEqual([1, 1, 0, 1]);
  opened.close();
});
