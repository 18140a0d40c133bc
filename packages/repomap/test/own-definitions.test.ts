import { describe, expect, it } from 'vitest';
import { buildRepoMap } from '../src/index.js';
import { withOwn } from '../src/extraction/own-definitions.js';
import type { Definition, DefinitionKind } from '../src/tags.js';
import { project } from './project.js';

/** @param names `add`, or `add:method` where it is no function or, in capitals, a macro */
const ownNames = (path: string, language: string, text: string, names: string) => {
  const definitions = names.split(' ').map((named): Definition => {
    const [name, kind = /[A-Z]{2}/.test(named) ? 'macro' : 'fn'] = named.split(':');
    const line = text.slice(0, text.indexOf(name!)).split('\n').length;
    return { name: name!, kind: kind as DefinitionKind, line };
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
    ['function add() {}\nfunction hide() {}\nexport { add }', 'add hide', 'hide'],
    ['export type {\n  Row,\n};\ntype Row = 1;\ntype Cell = 1;', 'Row:type Cell:type', 'Cell'],
    ['export class List {\n  add() {}\n}\nfunction hide() {}', 'List:class add:method hide', 'hide'],
    ['import "x";\nfunction add() {}', 'add', 'add'],
    ['export function Card() {}\nfunction Header() {}\nCard.Header = Header;', 'Card Header', ''],
    // What is no module, or adds to what all scripts have.
    ['// no export or import here\nfunction add() {}', 'add', ''],
    ['export declare const x;\nfunction add() {}', 'add', ''],
    ['export {};\ndeclare global {\n  function add();\n}', 'add', ''],
    ['import x from "x";\nwindow.add = add;\nfunction add() {}', 'add', ''],
  ])('in a module: %j', (text, names, own) =>
    expect(ownNames('a.ts', 'typescript', text, names).join(' ')).toBe(own),
  );

  it.each(
    'class|default class|abstract class|default async function|enum|interface|namespace|type'.split('|'),
  )('in a module, though an exported %s mentions it', (head) =>
    expect(
      ownNames('a.ts', 'typescript', `export ${head} Row {\n  hide\n}\nfunction hide() {}`, 'hide'),
    ).toEqual(['hide']),
  );

  it.each(['exports.api', 'module.exports', 'window.api', 'globalThis.api', 'self.api'])(
    'nothing where all of a module may be given away: %s = { add }',
    (shared) =>
      expect(
        ownNames('a.js', 'javascript', `import "x";\n${shared} = { add };\nfunction add() {}`, 'add'),
      ).toEqual([]),
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
    ['a.c', 'static int count;\nint add(int a) {}', 'add', ''],
    ['a.c', '#define FREE(x) x', 'FREE', 'FREE'],
    ['a.h', '#define FREE(x) x\nstatic int add(int a) {}', 'FREE add', ''],
    ['a.cpp', 'template <class T> static T add(T a) {}', 'add', 'add'],
    ...['a.cc', 'a.CPP', 'a.cxx', 'a.c++', 'a.cu'].map((path) => [path, 'static int add() {}', 'add', 'add']),
  ])('in %s: %j', (path, text, names, own) =>
    expect(ownNames(path!, 'c', text!, names!).join(' ')).toBe(own),
  );

  it.each([
    [
      'list.ex',
      'elixir',
      'def add(row)\n  defp hide(row)\ndefmacrop guard(row)\ndefnp sum(row)\ndefguardp isOdd(row)\n@typep cell',
      'add hide guard sum isOdd cell:type',
      'hide guard sum isOdd cell',
    ],
    ['List.java', 'java', 'private static int hide() {}\nint add(Row privateRow) {}', 'hide add', 'hide'],
    [
      'List.cs',
      'csharp',
      'private int hide() {}\nprivate protected int add() {}\nprotected private int sum() {}',
      'hide add sum',
      'hide',
    ],
    ['List.kt', 'kotlin', 'class List private constructor()\nprivate fun hide() {}', 'List hide', 'hide'],
    ['list.php', 'php', 'private static function hide() {}\nfunction add() {}', 'hide add', 'hide'],
    ['List.scala', 'scala', 'private def hide = 1\nprivate[shop] def add = 1', 'hide add', 'hide'],
    ['List.swift', 'swift', 'fileprivate func hide() {}\nprivate(set) var count = 1', 'hide count', 'hide'],
    [
      'list.zig',
      'zig',
      'pub fn add() void {}\nexport fn sum() void {}\nfn hide() void {}\nconst List = @This();',
      'add sum hide List',
      'hide',
    ],
    ['list.lua', 'lua', 'local function hide() end\nfunction add() end', 'hide add', 'hide'],
    ['list.lua', 'lua', 'local function hide() end\nprint(M.hide == nil)', 'hide', 'hide'],
    // Whose names stand in the words before them, too.
    ['list.lua', 'lua', 'local function on() end', 'on', 'on'],
    ['List.java', 'java', 'private Row at() {}', 'at', 'at'],
    ['list.ex', 'elixir', '  defp f(row)', 'f', 'f'],
    ['list.zig', 'zig', 'pub fn p() void {}', 'p', ''],
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
      'pub fn add() {}\nfn hide() {}\n  pub(crate) struct Row;\nstruct Cell(pub u8);\nimpl Cell { fn size() {} }',
      'add hide Row:struct Cell:struct size:method',
      'hide Cell',
    ],
    ['list.rs', '#[inline] pub fn add() {}\nmacro_rules! ROW { () => {} }', 'add ROW', ''],
    ['main.rs', 'macro_rules! ROW { () => {} }', 'ROW', 'ROW'],
    ['src/build.rs', 'macro_rules! ROW { () => {} }', 'ROW', 'ROW'],
    ['src/bin/list.rs', 'macro_rules! ROW { () => {} }', 'ROW', 'ROW'],
    ['main.rs', '#[macro_export]\nmacro_rules! ROW { () => {} }', 'ROW', ''],
    // What stands below knows it.
    ['lib.rs', 'mod list;\nfn add() {}', 'add', ''],
    ['lib.rs', 'fn add() {}\n#[cfg(test)] pub(crate) mod tests;', 'add', ''],
    ['lib.rs', '// mod list;\nfn add() {}', 'add', 'add'],
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
