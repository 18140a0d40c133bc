import { describe, expect, it } from 'vitest';
import { buildRepoMap } from '../src/index.js';
import { project } from './project.js';

type Files = Record<string, string>;

/** By path. */
async function ranksOf(
  files: Files,
  focusFiles: string[] = [],
  sessionFiles: string[] = [],
): Promise<Record<string, number>> {
  const root = project(files);
  const { details } = await buildRepoMap({ root, includeDetails: true, focusFiles, sessionFiles });
  return Object.fromEntries(details!.map(({ path, rank }) => [path, rank]));
}

/** How much of what a file mentions goes where. */
async function weightsFrom(path: string, files: Files): Promise<Record<string, number>> {
  const { details } = await buildRepoMap({ root: project(files), includeDetails: true });
  const { references } = details!.find((file) => file.path === path)!;
  return Object.fromEntries(references.map((reference) => [reference.path, reference.weight]));
}

/** So many files, numbered. */
function numbered(count: number, path: (i: number) => string, text: string): Files {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [path(i), text]));
}

describe('the rank of a file', () => {
  it('is not made by tests alone', async () => {
    const ranks = await ranksOf({
      'lib/archive.rb': 'def compress_archive; end\n',
      'lib/table.rb': 'def render_table; end\n',
      ...numbered(6, (i) => `test/case${i}_test.rb`, 'compress_archive(1)\n'),
      ...numbered(3, (i) => `lib/page${i}.rb`, 'render_table(1)\n'),
    });
    expect(ranks['lib/table.rb']).toBeGreaterThan(ranks['lib/archive.rb']!);
  });

  it('is not lost to a namespace that has the name of its class', async () => {
    const files = {
      'src/Clock.php': '<?php\nnamespace Clock;\nclass Clock {}\n',
      ...numbered(20, (i) => `src/Unit${i}.php`, '<?php\nnamespace Clock;\nfunction f(Clock $clock) {}\n'),
    };
    const ranks = await ranksOf(files);
    expect(ranks['src/Clock.php']! / ranks['src/Unit0.php']!).toBeGreaterThan(2);
  });

  it('of a package in Perl goes to the file that has its name', async () => {
    const weights = await weightsFrom('lib/Shop.pm', {
      'lib/Shop.pm': 'package Shop;\nuse Shop::Writer;\n',
      'lib/Shop/More.pl': 'package Shop::Writer;\n',
      'lib/Shop/Writer.pm': 'package Shop::Writer;\n',
    });
    expect(weights['lib/Shop/Writer.pm']! / weights['lib/Shop/More.pl']!).toBeGreaterThan(5);
  });

  it('is hardly made by a file that mentions little', async () => {
    const files = { 'a.rb': 'def go; end\n', 'b.rb': 'go(1)\n', 'c.rb': 'def compress_archive; end\n' };
    const little = await ranksOf(files);
    const much = await ranksOf({
      ...files,
      'a.rb': 'def compress_archives; end\n',
      'b.rb': 'compress_archives(1)\n',
    });
    expect(little['a.rb']! / little['c.rb']!).toBeLessThan(1.1);
    expect(much['a.rb']! / much['c.rb']!).toBeGreaterThan(1.2);
  });

  it('comes up in the current session, around a focus less than there', async () => {
    const files = { 'a.rb': 'def a; end\n', 'b.rb': 'def b; end\n', 'c.rb': 'def c; end\n' };
    for (const focus of [[], ['a.rb']]) {
      const [without, within] = [await ranksOf(files, focus), await ranksOf(files, focus, ['b.rb'])];
      expect(without['b.rb']).toBeCloseTo(without['c.rb']!);
      expect(within['b.rb']! / within['c.rb']!).toBeGreaterThan(2);
      if (focus.length > 0) expect(within['a.rb']).toBeGreaterThan(2 * within['b.rb']!);
    }
  });

  it('comes up around a file of the same stem, unless that is a name that many have, or nothing', async () => {
    const others = numbered(8, (i) => `lib/folder${i}/init.rb`, 'def setup; end\n');
    const ranks = await ranksOf(
      {
        ...others,
        'lib/table.rb': 'def render; end\n',
        'spec/table_spec.rb': '1\n',
        'spec/page_spec.rb': '1\n',
        'lib/table_unittest.cc': '1;\n',
      },
      ['lib/table.rb'],
    );
    expect(ranks['spec/table_spec.rb']! / ranks['spec/page_spec.rb']!).toBeGreaterThan(10);
    expect(ranks['lib/table_unittest.cc']).toBeCloseTo(ranks['spec/table_spec.rb']!);
    const aroundInit = await ranksOf({ ...others, 'lib/page.rb': 'def render; end\n' }, [
      'lib/folder0/init.rb',
    ]);
    expect(aroundInit['lib/folder1/init.rb']).toBeCloseTo(aroundInit['lib/page.rb']!);
    const aroundTest = await ranksOf({ 'a/test.c': '1;\n', 'b/spec.rb': '1\n', 'page.rb': '1\n' }, [
      'a/test.c',
    ]);
    expect(aroundTest['b/spec.rb']).toBeCloseTo(aroundTest['page.rb']!);
  });
});

describe('a mention', () => {
  const definition = 'def compress_archive; end\n';

  it('means the nearest of several definitions', async () => {
    const weights = await weightsFrom('lib/zip/read/user.rb', {
      'lib/zip/read/user.rb': 'compress_archive(1)\n',
      'lib/zip/read/archive.rb': definition,
      'lib/zip/write/archive.rb': definition,
      'lib/archive.rb': definition,
      'app/archive.rb': definition,
    });
    const farthest = weights['app/archive.rb']!;
    expect(weights['lib/archive.rb']! / farthest).toBeCloseTo(3);
    expect(weights['lib/zip/write/archive.rb']! / farthest).toBeCloseTo(9);
    expect(weights['lib/zip/read/archive.rb']! / farthest).toBeCloseTo(27);
  });

  it('means what its file imports', async () => {
    const weights = await weightsFrom('src/user.ts', {
      'src/user.ts': "import { compressArchive } from './deep/gzip.js';\ncompressArchive();\n",
      'src/deep/gzip.ts': 'export function compressArchive() {}\n',
      'src/brotli.ts': 'export function compressArchive() {}\n',
    });
    expect(weights['src/deep/gzip.ts']! / weights['src/brotli.ts']!).toBeGreaterThan(3);
  });

  it('hardly means a class of the tree where its file imports another of that name', async () => {
    const weightOf = async (imported: string, defining = 'shop/api/Order.java') => {
      const weights = await weightsFrom('User.java', {
        [defining]: 'class Order { static class Line {} }\n',
        'User.java': `${imported}\nclass User { void use(Order a, Line b) {} }\n`,
      });
      return weights[defining]!;
    };
    const full = await weightOf('');
    expect(await weightOf('import shop.api.Order;')).toBeGreaterThanOrEqual(full);
    expect(await weightOf('import shop.api.Order.Line;')).toBeGreaterThanOrEqual(full);
    expect(await weightOf('import org.other.Order;\nimport org.other.Line;')).toBeLessThan(full / 20);
    // A file of Kotlin may hold any class of its package.
    const kotlin = await weightOf('', 'shop/orders.kt');
    expect(
      await weightOf('import org.other.Order;\nimport org.other.Line;', 'shop/orders.kt'),
    ).toBeGreaterThanOrEqual(kotlin);
  });

  it.each([
    ['Shop::Order.new', 'lib/shop/order.rb'],
    ['module Shop\n  Order.new\nend', 'lib/shop/order.rb'],
    ['module Shop\n  Import::Order.new\nend', 'lib/shop/import/order.rb'],
    ['Order.new', 'app/models/order.rb'],
    ['Printed.new', 'app/models/concerns/printed.rb'],
  ])('means the type of Ruby that its path tells: %j', async (text, path) => {
    const weights = await weightsFrom('use.rb', {
      'use.rb': text,
      'lib/shop/order.rb': 'class Shop::Order; end\n',
      'lib/shop/import/order.rb': 'class Shop::Import::Order; end\n',
      'app/models/order.rb': 'class Order; end\n',
      'lib/shop/printed.rb': 'class Shop::Printed; end\n',
      'app/models/concerns/printed.rb': 'class Printed; end\n',
    });
    for (const other of Object.keys(weights))
      if (other !== path) expect(weights[path]).toBeGreaterThan(2.5 * weights[other]!);
  });

  it('means the class of PHP or C# that its path tells', async () => {
    const php = await weightsFrom('src/Page.php', {
      'src/Page.php': '<?php\nuse Shop\\Models\\Order;\nfunction show(Order $order) {}\n',
      'src/Order.php': '<?php\nclass Order {}\n',
      'lib/models/Order.php': '<?php\nclass Order {}\n',
    });
    expect(php['lib/models/Order.php']).toBeGreaterThan(2 * php['src/Order.php']!);
    const csharp = await weightsFrom('src/Page.cs', {
      'src/Page.cs': 'using Shop.Models;\nclass Page { void Show(Order order) {} }\n',
      'src/Order.cs': 'class Order {}\n',
      'lib/Models/Order.cs': 'class Order {}\n',
    });
    expect(csharp['lib/Models/Order.cs']).toBeGreaterThan(2 * csharp['src/Order.cs']!);
  });

  it('means nothing by an attribute of Swift that its frameworks have', async () => {
    const weights = await weightsFrom('View.swift', {
      'Loader.swift': 'class Loader {\n  enum State { case idle }\n}\n',
      'Injected.swift': '@propertyWrapper struct Injected {}\n',
      'View.swift': 'struct View {\n  @State var count = 0\n  @Injected var store\n}\n',
    });
    expect(Object.keys(weights)).toEqual(['Injected.swift']);
  });

  it('hardly means what a file of Kotlin imports from elsewhere', async () => {
    const weightOf = async (imported: string, ownPackage = 'package com.app') => {
      const weights = await weightsFrom('User.kt', {
        'src/com/shop/orders.kt': 'fun openArchive() {}\n',
        'User.kt': `${ownPackage}\n${imported}\nfun use() { openArchive() }\n`,
      });
      return weights['src/com/shop/orders.kt']!;
    };
    const full = await weightOf('import com.shop.orders.openArchive');
    expect(await weightOf('import org.other.openArchive')).toBeLessThan(full / 20);
    // Folders need not say the package.
    expect(await weightOf('import org.other.openArchive', 'package org.other.zip')).toBe(full);
  });

  it('says less of what the tree defines where its file imports that from a package', async () => {
    const weightOf = async (user: string, defining: string, imported: string, more: Files = {}) => {
      const text = `${imported}\nopen_archive()\n`;
      const files = { [defining]: 'export class open_archive {}\n', [user]: text, ...more };
      return (await weightsFrom(user, files))[defining]!;
    };
    const inScript = (imported: string, more?: Files) =>
      weightOf('app/user.ts', 'shop/zip/open.ts', imported, more);
    const full = await inScript("import { open_archive } from '../shop/zip/open';");
    expect(await inScript("import { open_archive } from '@other/zip';")).toBeLessThan(full / 3);
    // What the tree may have itself, though nothing says where.
    expect(await inScript("import { open_archive } from '@shop/zip';")).toBe(full);
    expect(await inScript("import { open_archive } from '@/zip';")).toBe(full);
    expect(await inScript("import { open_archive } from 'shop/all';")).toBe(full);
    const passedOn = { 'tar/index.ts': "export * from '../shop/zip/open';\n" };
    expect(await inScript("import { open_archive } from 'tar';", passedOn)).toBe(full);
    const inPython = async (imported: string) => {
      const files = {
        'shop/zip.py': 'class open_archive: pass\n',
        'app/user.py': `${imported}\nopen_archive()\n`,
      };
      return (await weightsFrom('app/user.py', files))['shop/zip.py']!;
    };
    const found = await inPython('from shop.zip import open_archive');
    expect(await inPython('from other.zip import open_archive')).toBeLessThan(found / 3);
    expect(await inPython('from shop.all import open_archive')).toBe(found);
  });

  it('means nothing by the name of a module that is something else elsewhere', async () => {
    const weights = await weightsFrom('user.py', {
      'user.py': 'import cart\n',
      'other.py': 'def cart(): pass\n',
    });
    expect(weights).toEqual({});
  });

  it('means no method by a type that Java has', async () => {
    const weights = await weightsFrom('User.java', {
      'Serdes.java': 'class Serdes { static Serde String() { return null; } }\n',
      'Long.java': 'class Long {}\n',
      'User.java': 'class User { String name; Long size; }\n',
    });
    expect(Object.keys(weights)).toEqual(['Long.java']);
  });

  it('hardly means a method or class of the tree where its file imports it statically from elsewhere', async () => {
    const weightOf = async (imported: string, call: string) => {
      const weights = await weightsFrom('test/User.java', {
        'org/shop/test/Orders.java': 'class Orders { static class Checks {} static void assertSame() {} }\n',
        'test/User.java': `${imported}\nclass User { void use(Order order) { ${call}; } }\n`,
      });
      return weights['org/shop/test/Orders.java'] ?? 0;
    };
    const full = await weightOf('', 'assertSame()');
    expect(await weightOf('import static org.junit.Checks.assertSame;', 'assertSame()')).toBeLessThan(
      full / 20,
    );
    // What the class inherits is defined elsewhere in its package.
    expect(
      await weightOf('import static org.shop.MoreOrders.assertSame;', 'assertSame()'),
    ).toBeGreaterThanOrEqual(full);
    const checks = await weightOf('', 'Checks.all()');
    expect(await weightOf('import static org.junit.Checks.all;', 'Checks.all()')).toBeLessThan(checks / 20);
    const both = 'import static org.junit.Checks.all;\nimport org.shop.test.Orders.Checks;';
    expect(await weightOf(both, 'Checks.all()')).toBeGreaterThanOrEqual(checks);
    expect(
      await weightOf('import static org.junit.Assert.assertSame;', 'order.assertSame()'),
    ).toBeGreaterThan(full / 20);
  });

  it('behind a type means what that type holds, not the file of its name', async () => {
    const share = async (extension: string, nested: string, user: string) => {
      const weights = await weightsFrom(`user.${extension}`, {
        [`api/Converter.${extension}`]: `class Converter { ${nested} }\n`,
        [`api/Factory.${extension}`]: 'class Factory {}\n',
        [`user.${extension}`]: user,
      });
      const converter = weights[`api/Converter.${extension}`] ?? 0;
      return converter / (converter + (weights[`api/Factory.${extension}`] ?? 0));
    };
    expect(await share('kt', 'interface Factory', 'fun use(a: Converter.Factory) {}\n')).toBeGreaterThan(0.9);
    expect(await share('kt', 'interface Factory', 'fun use(a: Factory) {}\n')).toBeLessThan(0.2);
    const java = 'class User { void use(Converter.Factory a) {} }\n';
    expect(await share('java', 'interface Factory {}', java)).toBeGreaterThan(0.9);
    // Where nothing else of the file is mentioned, the object may be anything.
    expect(await share('kt', 'interface Factory', 'fun use(a: Other.Factory) {}\n')).toBeLessThan(0.2);
  });

  it('hardly means what a test defines, except in tests', async () => {
    const files = { 'test/helper.rb': definition, 'lib/user.rb': 'compress_archive(1)\n' };
    const fromTest = { ...files, 'test/user.rb': 'compress_archive(1)\n' };
    const alone = await weightsFrom('lib/user.rb', { ...files, 'lib/archive.rb': definition });
    expect(alone['lib/archive.rb']! / alone['test/helper.rb']!).toBeGreaterThan(20);
    expect(await weightsFrom('test/user.rb', fromTest)).toHaveProperty(['test/helper.rb']);
  });

  it('means nothing of another family of languages', async () => {
    const files = { 'user.rb': 'compress_archive(1)\n', 'archive.py': 'def compress_archive(): pass\n' };
    expect(await weightsFrom('user.rb', files)).toEqual({});
  });

  it('says more the longer and the more telling its name is, and less where it is private', async () => {
    const names = ['compress_archive', 'compressarchive', '_compress_archive', 'zip'];
    const weights = await weightsFrom('user.rb', {
      'user.rb': names.map((name) => `${name}(1)\n`).join(''),
      ...Object.fromEntries(names.map((name) => [`${name}.rb`, `def ${name}; end\n`])),
    });
    const ordered = names.map((name) => weights[`${name}.rb`]!);
    expect(ordered[0]! / ordered[1]!).toBeCloseTo(2);
    expect(ordered[2]! / ordered[0]!).toBeCloseTo(0.3);
    expect(ordered[3]!).toBeLessThan(ordered[1]! / 4);
  });

  it('that comes again and again counts with its square root', async () => {
    const weights = await weightsFrom('user.rb', {
      'user.rb': 'compress_archive(1)\n'.repeat(9) + 'extract_archive(1)\n',
      'compress.rb': definition,
      'extract.rb': 'def extract_archive; end\n',
    });
    expect(weights['compress.rb']! / weights['extract.rb']!).toBeCloseTo(3);
  });
});

describe('a definition', () => {
  it('of a type stands before one of a method where nobody mentions either', async () => {
    const root = project({ 'page.rb': 'class Page\n  def render; end\nend\n' });
    const { details } = await buildRepoMap({ root, includeDetails: true });
    const [page, render] = details![0]!.definitions;
    expect(page!.rank).toBeGreaterThan(render!.rank);
  });

  it.each<[path: string, text: string, worths: Record<string, number>]>([
    [
      'shop.ts',
      `export class Register { balanced() {} }
export interface Printable {}
export enum Currency { EURO }
export type Quantity = number;
export function totalling() {}
export namespace Vouchers {}
export const discount = 1;
`,
      { class: 1, interface: 1, enum: 0.9, type: 0.8, fn: 0.8, method: 0.6, namespace: 0.4, const: 0.4 },
    ],
    [
      'shop.rs',
      `pub struct Register;
pub trait Printable { type Quantity; }
pub union Currency { euro: u8 }
mod vouchers {}
macro_rules! discount { () => {} }
`,
      { struct: 1, trait: 1, union: 0.9, module: 0.7, macro: 0.5, type: 0.4 },
    ],
    [
      'shop.swift',
      'protocol Printable {}\nextension Register {}\nstruct Currency {}\n',
      { protocol: 1, struct: 1, extension: 0.7 },
    ],
    ['shop.cs', 'namespace Vouchers;\nclass Register {}\n', { class: 1, namespace: 0.1 }],
    ['shop.kt', 'object Register\nclass Currency\n', { object: 1, class: 1 }],
    ['shop.java', 'record Register() {}\nclass Currency {}\n', { record: 1, class: 1 }],
    [
      'shop.py',
      'class Register:\n    pass\n\ndef totalling():\n    def discount(): pass\n    class Currency: pass\n',
      { class: 1, fn: 0.8, 'local fn': 0.4, 'local class': 0.4 },
    ],
  ])('that nobody mentions is worth what its kind tells: %s', async (path, text, worths) => {
    const { details } = await buildRepoMap({ root: project({ [path]: text }), includeDetails: true });
    const { definitions } = details![0]!;
    const best = Math.max(...definitions.map(({ rank }) => rank));
    const worthOf = Object.fromEntries(
      definitions.map(({ kind, rank, name }) => [
        path.endsWith('.py') && /discount|Currency/.test(name) ? `local ${kind}` : kind,
        Math.round((rank / best) * 100) / 100,
      ]),
    );
    expect(worthOf).toEqual(worths);
  });

  it('that many files mention is worth showing by a short name, too', async () => {
    const most = async (definitions: string, [extension, mention]: [string, (name: string) => string]) => {
      const users = numbered(6, (i) => `user${i}.${extension}`, mention('Gui'));
      const { details } = await buildRepoMap({
        root: project({
          [`lib.${extension}`]: definitions,
          ...users,
          ...numbered(2, (i) => `other${i}.${extension}`, mention('loadings')),
        }),
        includeDetails: true,
      });
      const { definitions: ranked } = details!.find(({ path }) => path.startsWith('lib'))!;
      return ranked.toSorted((a, b) => b.rank - a.rank)[0]!.name;
    };
    const go: [string, (name: string) => string] = ['go', (name) => `package a\nfunc f() { ${name}() }\n`];
    expect(await most('package a\nfunc Gui() {}\nfunc loadings() {}\n', go)).toBe('Gui');
    const python: [string, (name: string) => string] = [
      'py',
      (name) => `from lib import ${name.toLowerCase()}\n${name.toLowerCase()}()\n`,
    ];
    expect(await most('def gui(): pass\ndef loadings(): pass\n', python)).toBe('gui');
    const php: [string, (name: string) => string] = ['php', (name) => `<?php\n${name.toLowerCase()}();\n`];
    expect(await most('<?php\nfunction gui() {}\nfunction loadings() {}\n', php)).toBe('gui');
    const ruby: [string, (name: string) => string] = ['rb', (name) => `${name}()\n`];
    expect(await most('def Gui; end\ndef loadings; end\n', ruby)).toBe('Gui');
    // In Ruby, any word of that name is a mention.
    const lower: [string, (name: string) => string] = ['rb', (name) => `${name.toLowerCase()}()\n`];
    expect(await most('def gui; end\ndef loadings; end\n', lower)).toBe('loadings');
  });

  it('counts alike for names of four and more letters', async () => {
    // In quarters: a little comes from their own file.
    const shares = async (extension: string, names: readonly string[], define: (name: string) => string) => {
      const files = {
        [`lib.${extension}`]: names.map(define).join(''),
        ...numbered(40, (i) => `user${i}.${extension}`, names.map((name) => `${name}(1);\n`).join('')),
      };
      const { details } = await buildRepoMap({ root: project(files), includeDetails: true });
      const { definitions } = details!.find(({ path }) => path.startsWith('lib'))!;
      return definitions.map(({ rank }) => Math.round((rank / definitions[0]!.rank) * 4) / 4);
    };
    const names = ['fill', 'filled', 'fillings', 'fillingsof', 'sum'];
    expect(await shares('js', names, (name) => `function ${name}() {}\n`)).toEqual([1, 1, 1, 1, 0.5]);
    expect(await shares('js', ['окно', 'заказчик'], (name) => `function ${name}() {}\n`)).toEqual([1, 1]);
    // Where any word of that name is a mention, for types alone.
    expect(await shares('kt', ['Area', 'Zone', 'Regional'], (name) => `class ${name}\n`)).toEqual([1, 1, 1]);
    expect(await shares('kt', ['fill', 'fillings'], (name) => `fun ${name}() {}\n`)).toEqual([1, 3.75]);
  });

  it('is hardly a function that only a word means, which is never called', async () => {
    const best = async (extension: string, definitions: string, mention: string) => {
      const users = numbered(6, (i) => `user${i}.${extension}`, `${mention}\n`);
      const root = project({
        [`lib.${extension}`]: definitions,
        ...users,
        [`other.${extension}`]: 'openArchive()\n',
      });
      const { details } = await buildRepoMap({ root, includeDetails: true });
      const { definitions: ranked } = details!.find(({ path }) => path.startsWith('lib'))!;
      return ranked.toSorted((a, b) => b.rank - a.rank)[0]!.name;
    };
    const kotlin = 'fun articleTitle(id: Int) {}\nfun openArchive() {}\n';
    expect(await best('kt', kotlin, 'print(row.articleTitle)')).toBe('openArchive');
    expect(await best('kt', kotlin, 'articleTitle { 1 }')).toBe('articleTitle');
    expect(await best('kt', kotlin, 'rows.map(::articleTitle)')).toBe('articleTitle');
    const swift = 'func articleTitle(_ id: Int) {}\nfunc openArchive() {}\n';
    expect(await best('swift', swift, 'for title in row.articleTitle {}')).toBe('openArchive');
    expect(await best('swift', swift, 'row.articleTitle { 1 }')).toBe('articleTitle');
    const elixir = 'def articleTitle(id), do: id\ndef openArchive(), do: 1\n';
    expect(await best('ex', elixir, 'if articleTitle do 1 end')).toBe('openArchive');
    expect(await best('ex', elixir, 'articleTitle "one"')).toBe('articleTitle');
    expect(await best('ex', elixir, '&articleTitle/1')).toBe('articleTitle');
    expect(await best('ex', elixir, '@articleTitle one(id)')).toBe('openArchive');
    const dart = 'extension on Row {\n  String get articleTitle => id;\n  void openArchive() {}\n}\n';
    expect(await best('dart', dart, 'final title = row.articleTitle;')).toBe('openArchive');
    expect(await best('dart', dart, 'row.articleTitle<int>(1);')).toBe('articleTitle');
    const lua = 'function articleTitle(id) end\nfunction openArchive() end\n';
    expect(await best('lua', lua, 'row.articleTitle = 1')).toBe('openArchive');
    expect(await best('lua', lua, "articleTitle 'one'")).toBe('articleTitle');
    const zig = 'const Row = struct {\n    pub const articleTitle = 1;\n};\npub fn openArchive() void {}\n';
    expect(await best('zig', zig, 'fn f(articleTitle: u8) u8 { return row.articleTitle; }')).toBe(
      'openArchive',
    );
    expect(await best('zig', zig, 'fn f() void { fill(.{ .articleTitle = 2 }); }')).toBe('openArchive');
    expect(await best('zig', zig, 'fn f() u8 { return lib.Row.articleTitle; }')).toBe('articleTitle');
    expect(await best('zig', zig, 'fn f() bool { return row == .articleTitle; }')).toBe('articleTitle');
    // Around a focus, files that use the same words change together.
    const files = { 'lib.kt': kotlin, 'user.kt': 'print(row.articleTitle)\n', 'none.kt': 'print(row.id)\n' };
    const ranks = await ranksOf(files, ['user.kt']);
    expect(ranks['lib.kt']).toBeGreaterThan(ranks['none.kt']!);
  });

  it('is not shown by files that import its name from a package', async () => {
    const root = project({
      'src/hooks.ts': 'export function useCart() {}\nexport function useLocation() {}\n',
      ...numbered(9, (i) => `src/page${i}.ts`, "import { useLocation } from 'routes';\nuseLocation();\n"),
      'src/shop.ts': "import { useCart } from './hooks';\nuseCart();\n",
    });
    const { details } = await buildRepoMap({ root, includeDetails: true });
    const { definitions } = details!.find(({ path }) => path === 'src/hooks.ts')!;
    expect(definitions.toSorted((a, b) => b.rank - a.rank)[0]).toMatchObject({ name: 'useCart' });
  });

  it('is hardly a method of a type that the files with its name do not mention', async () => {
    const best = async (mention: string, stream: string) => {
      const root = project({
        'Stream.swift': stream,
        ...numbered(6, (i) => `Page${i}.swift`, `func show${mention} { json.decode() }\n`),
        'Main.swift': 'Stream().openStream()\n',
      });
      const { details } = await buildRepoMap({ root, includeDetails: true });
      const { definitions } = details!.find(({ path }) => path === 'Stream.swift')!;
      return definitions.filter(({ kind }) => kind === 'method').toSorted((a, b) => b.rank - a.rank)[0]!.name;
    };
    const methods = '{\n  func decode() {}\n  func openStream() {}\n}\n';
    expect(await best('()', `class Stream ${methods}`)).toBe('openStream');
    expect(await best('(_ stream: Stream)', `class Stream ${methods}`)).toBe('decode');
    // Nothing else of such a file can be mentioned.
    expect(await best('()', `extension Stream ${methods}`)).toBe('decode');
  });

  it('of a test by other code does not say what stands for the test', async () => {
    const root = project({
      'src/shop.py': 'def open_shop(parser):\n    return parser.get_text()\n',
      'tests/test_shop.py':
        'class FakeParser:\n    def get_text(self):\n        pass\n\nclass TestShop:\n    def test_open(self):\n        open_shop(FakeParser())\n',
    });
    const { details } = await buildRepoMap({ root, includeDetails: true, focusFiles: ['src/shop.py'] });
    const { definitions } = details!.find(({ path }) => path === 'tests/test_shop.py')!;
    expect(definitions.toSorted((a, b) => b.rank - a.rank)[0]).toMatchObject({ name: 'TestShop' });
  });

  it('of a module of Haskell whose name its path says shows what else its file defines', async () => {
    const files = {
      'src/Shop/Cart.hs': 'module Shop.Cart where\naddRow :: Int\naddRow = 1\ndropRow :: Int\ndropRow = 2\n',
      'src/Main.hs': 'module Main where\nimport Shop.Cart\nmain = print dropRow\n',
    };
    const root = project(files);
    for (const focusFiles of [[], ['src/Main.hs']]) {
      const { details } = await buildRepoMap({ root, includeDetails: true, focusFiles });
      const { definitions } = details!.find(({ path }) => path === 'src/Shop/Cart.hs')!;
      const ranked = definitions.toSorted((a, b) => b.rank - a.rank).map(({ name }) => name);
      expect(ranked).toEqual(['dropRow', 'addRow', 'Shop.Cart']);
      expect(definitions[0]).toMatchObject({ kind: 'module' });
    }
    // Most of what its users mention is the module alone.
    const importers = numbered(3, (i) => `src/Page${i}.hs`, 'import qualified Shop.Cart as C\n');
    const { details } = await buildRepoMap({
      root: project({ ...files, ...importers }),
      includeDetails: true,
    });
    const { rank, definitions } = details!.find(({ path }) => path === 'src/Shop/Cart.hs')!;
    const dropRow = definitions.find(({ name }) => name === 'dropRow')!;
    expect(dropRow.rank / rank).toBeGreaterThan(1.5);
  });

  it('is hardly an associated type of a trait, nor a function inside another', async () => {
    const best = async (files: Files, path: string) => {
      const { details } = await buildRepoMap({ root: project(files), includeDetails: true });
      const { definitions: ranked } = details!.find((file) => file.path === path)!;
      return ranked.toSorted((a, b) => b.rank - a.rank)[0]!.name;
    };
    const rust = 'pub trait Decode {\n    type Message;\n}\npub struct Unused;\n';
    const users = numbered(6, (i) => `user${i}.rs`, 'impl Other for X {\n    type Message = u8;\n}\n');
    expect(await best({ 'decode.rs': rust, ...users }, 'decode.rs')).not.toBe('Message');
    const csharp = 'class A { void Run() { int Measure(int a) => a; } void Stop() {} }\n';
    const callers = numbered(6, (i) => `User${i}.cs`, 'class B { void Go() { Measure(1); } }\n');
    expect(await best({ 'A.cs': csharp, ...callers }, 'A.cs')).toBe('A');
  });
});
