import { describe, expect, it } from 'vitest';
import { buildRepoMap } from '../src/index.js';
import { withOwn } from '../src/extraction/own-definitions.js';
import type { Definition } from '../src/tags.js';
import { project } from './project.js';

const ownNames = (path: string, language: string, text: string, names: string) => {
  const definitions = names.split(' ').map((name): Definition => {
    const line = text.slice(0, text.indexOf(name)).split('\n').length;
    return { name, kind: /[A-Z]{2}/.test(name) ? 'macro' : 'fn', line };
  });
  const marked = withOwn(definitions, path, language, text);
  return marked.filter(({ kind }) => kind.startsWith('own-')).map(({ name }) => name);
};

describe('what is a file’s own', () => {
  it.each([
    ['export function add() {\n  const sum = () => 1;\n}\nfunction hide() {}', 'add sum hide', 'sum hide'],
    ['const add = 1, hide = 2;\nexport {\n  add,\n};', 'add hide', 'hide'],
    ['const list = 1;\nconst hide = 1;\nexport default memo(\n  list,\n);', 'list hide', 'hide'],
    ['export const api = {\n  add,\n};\nfunction add() {}\nfunction hide() {}', 'add hide', 'hide'],
    ['  export let add;\n  const hide = 1;', 'add hide', 'hide'],
    ['export function Card() {}\nfunction Header() {}\nCard.Header = Header;', 'Card Header', ''],
    // What is no module, or adds to what all scripts have.
    ['function add() {}', 'add', ''],
    ['export {};\ndeclare global {\n  function add();\n}', 'add', ''],
    ['import x from "x";\nwindow.add = add;\nfunction add() {}', 'add', ''],
  ])('in a module: %j', (text, names, own) =>
    expect(ownNames('a.ts', 'typescript', text, names).join(' ')).toBe(own),
  );

  it.each([
    ['Card.svelte', 'let { size } = $props();\nconst double = $derived(size);', 'size double', 'size double'],
    ['Card.svelte', 'export const snapshot = 1;\nlet count = 1;', 'snapshot count', 'count'],
  ])('in %s: %j', (path, text, names, own) =>
    expect(ownNames(path, 'typescript', text, names).join(' ')).toBe(own),
  );

  it.each([
    ['a.c', 'static int add(int a) {}\nint sum(static_t a) {}', 'add sum', 'add'],
    ['a.c', 'static inline int\nadd(int a) {}\nint\nsum(void) {}', 'add sum', 'add'],
    ['a.c', '#define FREE(x) x', 'FREE', 'FREE'],
    ['a.h', '#define FREE(x) x\nstatic int add(int a) {}', 'FREE add', ''],
  ])('in %s: %j', (path, text, names, own) => expect(ownNames(path, 'c', text, names).join(' ')).toBe(own));

  it.each([
    [
      'list.ex',
      'elixir',
      'def add(row)\n  defp hide(row)\ndefmacrop guard(row)',
      'add hide guard',
      'hide guard',
    ],
    ['List.java', 'java', 'private static int hide() {}\nint add(Row privateRow) {}', 'hide add', 'hide'],
    ['List.cs', 'csharp', 'private int hide() {}\nprivate protected int add() {}', 'hide add', 'hide'],
    ['List.kt', 'kotlin', 'class List private constructor()\nprivate fun hide() {}', 'List hide', 'hide'],
    ['list.php', 'php', 'private static function hide() {}\nfunction add() {}', 'hide add', 'hide'],
    ['List.scala', 'scala', 'private def hide = 1\nprivate[shop] def add = 1', 'hide add', 'hide'],
    ['List.swift', 'swift', 'fileprivate func hide() {}\nprivate(set) var count = 1', 'hide count', 'hide'],
    [
      'list.zig',
      'zig',
      'pub fn add() void {}\nfn hide() void {}\nconst List = @This();',
      'add hide List',
      'hide',
    ],
    ['list.lua', 'lua', 'local function hide() end\nfunction add() end', 'hide add', 'hide'],
    // Given away under its own name.
    ['list.lua', 'lua', 'local function add() end\nM.add = wrap(add)', 'add', ''],
    ['list.lua', 'lua', 'local function add() end\nreturn { add = add }', 'add', ''],
    ['list.lua', 'lua', 'local function add() end\nreturn add', 'add', ''],
  ])('in %s: %s, %j', (path, language, text, names, own) =>
    expect(ownNames(path, language, text, names).join(' ')).toBe(own),
  );

  it.each([
    [
      'list.rs',
      'pub fn add() {}\nfn hide() {}\n  pub(crate) struct Row;\nstruct Cell;',
      'add hide Row Cell',
      'hide Cell',
    ],
    ['list.rs', '#[inline] pub fn add() {}\nmacro_rules! ROW { () => {} }', 'add ROW', ''],
    ['main.rs', 'macro_rules! ROW { () => {} }', 'ROW', 'ROW'],
    ['main.rs', '#[macro_export]\nmacro_rules! ROW { () => {} }', 'ROW', ''],
    // What stands below knows it.
    ['lib.rs', 'mod list;\nfn add() {}', 'add', ''],
    ['lib.rs', 'fn add() {}\nmod tests {}', 'add', 'add'],
  ])('in %s: %j', (path, text, names, own) =>
    expect(ownNames(path, 'rust', text, names).join(' ')).toBe(own),
  );

  it('is shown by no mention of another file, unless something is in focus', async () => {
    const root = project({
      'lib.c': '#define close_all(x) (x)\nint open_all(void) { return 0; }\n',
      'one.c': 'void one(void) { close_all(1); close_all(2); }\n',
      'two.c': 'void two(void) { close_all(1); open_all(); }\n',
    });
    const best = async (focusFiles: string[]) => {
      const { details } = await buildRepoMap({ root, includeDetails: true, focusFiles });
      const { definitions } = details!.find(({ path }) => path === 'lib.c')!;
      return definitions.toSorted((a, b) => b.rank - a.rank)[0];
    };
    expect(await best([])).toMatchObject({ name: 'open_all' });
    expect(await best(['one.c'])).toMatchObject({ name: 'close_all', kind: 'macro' });
  });
});
