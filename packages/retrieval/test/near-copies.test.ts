import { expect, it } from 'vitest';
import type { Speaker } from '@causantic/domain';
import { ToldTexts } from '../src/answer/near-copies.js';
import { Memory } from './memory.js';

const log =
  'at door, window, roof, paint, floor, lamp, drawer, spring, fan, gas, heat, rail, wheel and screw';

it.each<[what: string, first: string, second: string, speaker: Speaker, isTold: boolean]>([
  ['an entry of a log that differs in a name', `bolt ${log}`, `${log} nut`, 'user', true],
  [
    'the same list with other entries',
    `bolt ${log}`,
    'bolt at river, lake, hill, tree, sea, wood',
    'user',
    false,
  ],
  ['the result of tests that fail and then pass', `fail ${log}`, `pass ${log}`, 'tool_result', false],
  ['the same result again', `pass ${log}`, `pass ${log}`, 'tool_result', true],
  ['what has the same words, but more of them', log, `${log}, ${log}`, 'user', false],
  ['another sentence without spaces', '抽屉的弹簧坏了。', '门窗的油漆掉了。', 'user', false],
  ['an edit that is taken back', `- ${log}\n+ new`, `- new\n+ ${log}`, 'tool_use', false],
])('%s is told as what it is', (_, first, second, speaker, isTold) => {
  const memory = new Memory();
  const ids = memory.session('shop', [
    { text: first, speaker },
    { text: second, speaker },
  ]);
  const [elsewhere] = memory.session('shop', [{ text: first, speaker }]);
  const chunk = (id: number) => memory.store.chunks.find(id)!;
  const told = new ToldTexts();
  expect(told.tell(chunk(ids[0]!))).toBe(false);
  told.add(chunk(ids[0]!));
  expect(told.tell(chunk(ids[1]!))).toBe(isTold);
  expect(told.tell(chunk(elsewhere!))).toBe(false);
  const toldAnywhere = new ToldTexts({ acrossSessions: true });
  toldAnywhere.add(chunk(ids[0]!));
  expect(toldAnywhere.tell(chunk(elsewhere!))).toBe(true);
});
