import { openSqlite } from '@causantic/storage';
import { expect, it } from 'vitest';
import { entitiesOf } from '../src/links/entities.js';
import { linkSessions } from '../src/index.js';
import { ingested } from './ingested.js';
import { Recording, sessionId } from './recording.js';

function entities(text: string, speaker: 'user' | 'tool_use' | 'tool_result' = 'user', files: string[] = []) {
  return entitiesOf({ text, spans: [{ speaker, start: 0, end: text.length }], files })
    .map(({ kind, name }) => `${kind} ${name}`)
    .sort();
}

it.each([
  ['look at src/store.ts and Makefile.toml', ['file src/store.ts', 'file Makefile.toml']],
  ['siehe docs/Übersicht.md und größe.ts', ['file docs/Übersicht.md', 'file größe.ts']],
  ['e.g. obj.field is no file', []],
  [
    'why does `flush()` call getUserName and read_all?',
    ['symbol flush', 'symbol getUserName', 'symbol read_all'],
  ],
  [
    'it fails with ENOENT, TS2345 and a TypeError',
    ['error ENOENT', 'error TS2345', 'error TypeError', 'symbol TypeError'],
  ],
  ['EVERY EDITOR shows an ERROR that EXISTS: EIO, EAI_AGAIN', ['error EIO', 'error EAI_AGAIN']],
  ['see SHOP-12 and #345, not the colour #191724', ['ticket SHOP-12', 'ticket #345']],
  ['since commit 3f2a9c1d it is slow', ['commit 3f2a9c1d']],
  ['the docs at https://example.com/a/b?x=1#top say so.', ['url https://example.com/a/b']],
  ['ask @grace or ada@example.com', ['person ada@example.com', 'person grace']],
  ['ask ada@shop.example.co.uk.', ['person ada@shop.example.co.uk']],
  ['clone git@git.example.com:shop/till', []],
  ['Co-Authored-By: Grace Hopper <x>', ['person Grace Hopper']],
  ['Co-Authored-By: Claude Opus 4.5 <noreply@anthropic.com>\nSigned-off-by: Bot <no-reply@example.com>', []],
  ['put `@apply` there; author: string', []],
  [
    'told in the slack channel #shop-dev at the weekly stand-up',
    ['channel #shop-dev', 'meeting weekly stand-up'],
  ],
  ["import { z } from 'zod' or npm install @scope/left-pad", ['package zod', 'package @scope/left-pad']],
])('%s', (text, expected) => {
  expect(entities(text)).toEqual([...expected].sort());
});

it.each([
  ['look at src/Till.ts', ['till.ts']],
  ['since commit 3f2a9c1d0e it is slow', ['3f2a9c1']],
  ['Co-Authored-By: Grace Hopper <x>', ['grace hopper', 'grace']],
  ['npm install @scope/left-pad', ['left-pad']],
])('is found by other spellings: %s', (text, aliases) => {
  expect(entitiesOf({ text, spans: [{ speaker: 'user', start: 0, end: text.length }], files: [] })).toEqual([
    expect.objectContaining({ aliases }),
  ]);
});

it('commands come from calls; results are read for errors and commits only', () => {
  for (const tool of ['Bash', 'exec_command', 'run_shell_command', 'bash', 'run_commands'])
    expect(entities(`[${tool}] cd app && CI=1 npm test -- --run`, 'tool_use')).toEqual(['command npm test']);
  expect(entities('[Read] npm test', 'tool_use')).toEqual([]);
  expect(entities('src/a.ts: ENOENT\n[main 3f2a9c1] Round prices', 'tool_result')).toEqual([
    'commit 3f2a9c1',
    'error ENOENT',
  ]);
});

it('a chunk that names everything keeps the first forty', () => {
  const text = Array.from({ length: 100 }, (_, i) => `file${i}.ts`).join(' ');
  expect(entities(text)).toHaveLength(40);
});

it('stored once under all their names, gone with the last chunk that names them', () => {
  const recording = new Recording(sessionId(1));
  recording
    .user('Fix the till')
    .call('t', 'Edit', { file_path: '/home/ada/shop/src/till.ts', old_string: 'a', new_string: 'b' });
  recording.result('t', 'done').answer('Fixed; ask @grace');
  const { store } = ingested(recording);
  linkSessions(store.store);
  const named = (alias: string) =>
    store.store.entities.named([alias], 9).map(({ kind, name }) => `${kind} ${name}`);
  expect(named('till.ts')).toEqual(['file src/till.ts']);
  expect(named('src/till.ts')).toEqual(['file src/till.ts']);
  expect(named('grace')).toEqual(['person grace']);
  const [file] = store.store.entities.named(['till.ts'], 1);
  expect(store.store.entities.chunksNaming(file!.id, undefined, 9)).toHaveLength(1);
  store.store.forgetting.delete(store.store.forgetting.ids({}));
  const db = openSqlite(store.path, { readonly: true });
  const left = db
    .prepare('SELECT (SELECT count(*) FROM entity) + (SELECT count(*) FROM entity_alias) AS n')
    .get();
  db.close();
  expect(left).toEqual({ n: 0 });
});

it('every ranked chunk has a clock once its session is linked, which counts what is said over several once', () => {
  const { store } = ingested(
    new Recording(sessionId(1)).user('One').answer('Two '.repeat(700)).user('Three').answer('Four'),
  );
  linkSessions(store.store);
  const db = openSqlite(store.path, { readonly: true });
  const clocks = db.prepare('SELECT clock FROM chunk ORDER BY seq').pluck().all();
  db.close();
  expect(clocks.at(-1)).toBe('{"human":2,"ui":2}');
  expect(clocks).not.toContain(null);
});
