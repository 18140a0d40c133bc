import type { Speaker } from '@causantic/domain';
import { expect, it } from 'vitest';
import { chunkDraft, turnDraft } from '../../../test/drafts.js';
import { camelCaseNames, Store, withoutListedCommits } from '../src/index.js';
import { openSqlite } from '../src/database/sqlite.js';
import { indexListedCommitsAnew } from '../src/words/word-index.js';
import { holding, memoryPath, storeTurns } from './sessions.js';

it.each([
  ['→ a80692b fix: round the total', '→ a80692b'],
  ['* | a80692b (HEAD -> main, tag: v1) fix: round the total', '* | a80692b'],
  ['a80692b\tfix: round the total', 'a80692b'],
  [
    'a80692b4e55ab10a90ad64e0ce48d1cd91bbf9f0 fix: round the total',
    'a80692b4e55ab10a90ad64e0ce48d1cd91bbf9f0',
  ],
  ['a80692b HEAD@{0}: commit: fix: round the total', 'a80692b'],
  ['2026-03-02 a80692b fix: round the total', '2026-03-02 a80692b'],
  ['pick a80692b fix: round the total', 'pick a80692b'],
  ['* main  a80692b [origin/main: ahead 1] fix: round the total', '* main  a80692b'],
])('of the listed commit "%s" the hash stays', (listed, expected) => {
  expect(withoutListedCommits(`${listed}\nDone.`)).toBe(`${expected}\nDone.`);
});

it.each([
  ['a commit that was made', '→ [main a80692b] fix: round the total\n 1 file changed'],
  ['lines with their authors', 'a80692b4 (Ada 2026-03-02 10:00:00 +0000 12) return total;'],
  ['a number', '1234567 rows were read'],
  ['a word', 'defaced walls are painted'],
  ['a hash of another length', 'd41d8cd98f00b204e9800998ecf8427e  till.ts'],
  ['an indented list', 'Found:\n\n    till.ts'],
])('%s stays as it is', (_, output) => {
  expect(withoutListedCommits(output)).toBe(output);
});

it('of a commit in several lines the fields and the changes stay', () => {
  const shown = [
    '→ commit a80692b4e55ab10a90ad64e0ce48d1cd91bbf9f0 (HEAD -> main)',
    'Author: Ada <ada@example.com>',
    'Date:   Mon Mar 2 10:00:00 2026 +0000',
    '',
    '    fix: round the total',
    '',
    '    Customers paid a cent too much.',
    '',
    'diff --git a/till.ts b/till.ts',
    '+    return round(total);',
    '    }',
  ];
  const isLeftOut = (line: string): boolean => /fix: round|Customers/.test(line);
  expect(withoutListedCommits(shown.join('\n'))).toBe(
    shown.map((line) => (isLeftOut(line) ? '' : line)).join('\n'),
  );
});

it('what a tool lists is not what its session is about, nor in a memory of before', () => {
  const path = memoryPath();
  const store = Store.open(path);
  const chunk = (seq: number, speaker: Speaker, text: string) =>
    chunkDraft(seq, text, { spans: [{ speaker, start: 0, end: text.length }] });
  storeTurns(store, 'a', [
    turnDraft(0, [
      chunk(0, 'tool_use', '[Bash] git commit -m "fix: round the total"'),
      chunk(1, 'tool_result', '→ a80692b fix: round the total\nOn branch main'),
    ]),
  ]);
  const found = () => ['round', 'a80692b', 'branch'].map((word) => holding(store, word).length);
  expect(found()).toEqual([1, 1, 1]);
  const db = openSqlite(path);
  db.exec('DELETE FROM chunk_fts');
  db.exec("INSERT INTO chunk_fts (rowid, scope, prompt) SELECT id, 'p' || project_id, text FROM chunk");
  expect(found()).toEqual([2, 1, 1]);
  indexListedCommitsAnew(db);
  db.close();
  expect(found()).toEqual([1, 1, 1]);
  store.close();
});

// Looked through from each of its signs, such a text takes many minutes, and runs into the test's time-out.
it('a long rule of signs that a graph is drawn with, or a long word, is read at once', () => {
  const rule = '/'.repeat(1_000_000);
  expect(withoutListedCommits(rule)).toBe(rule);
  expect(camelCaseNames(`${'a'.repeat(1_000_000)} isOpen`)).toEqual(['isOpen']);
});
