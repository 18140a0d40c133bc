import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  readdirSync,
  readFileSync,
  utimesSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lookAtFiles } from '../src/files/file-listing.js';
import { buildRepoMap } from '../src/index.js';
import { cacheFileOf, loadProjectFiles, saveProjectFiles } from '../src/cache/project-cache.js';
import { git, project, temporaryFolder, write } from './project.js';
import { SeededRandom } from '../../../test/seeded-random.js';

const small = {
  'src/store.ts': 'export class MemoryStore {\n  saveRecord() {}\n}\n',
  'src/search.ts':
    "import { MemoryStore } from './store.js';\nexport function searchRecords(store: MemoryStore) {\n  store.saveRecord();\n}\n",
  'src/main.ts': "import { searchRecords } from './search.js';\nsearchRecords(new MemoryStore());\n",
};

/** Enough files to fill any budget used here. */
function manyFiles(count: number): Record<string, string> {
  const files: Record<string, string> = {};
  for (let i = 0; i < count; i++) {
    const uses = `import { functionNumber${(i * 7) % count} } from './x.js';`;
    const functions = Array.from({ length: 6 }, (_, n) => {
      return `export function functionNumber${i}${'Long'.repeat(n % 4)}Part${n}() {}`;
    });
    files[`src/part${i % 9}/file${i}.ts`] = [
      uses,
      `export function functionNumber${i}() {}`,
      ...functions,
    ].join('\n');
  }
  return files;
}

/** Adds, edits or removes a file. */
function changeSomething(root: string, random: SeededRandom): void {
  const [known, used] = [random.below(30), random.below(30)];
  const path = `src/part${known % 9}/file${known}.ts`;
  const change = random.below(4);
  if (change === 0) rmSync(join(root, path), { force: true });
  else if (change === 1) write(root, { [`src/new${random.below(9)}.ts`]: `functionNumber${used}();` });
  else write(root, { [path]: `functionNumber${used}Part0();\nexport function functionNumber${known}() {}` });
}

describe('the text', () => {
  it('has the documented form', async () => {
    const map = await buildRepoMap({ root: project(small) });
    const [header, ...lines] = map.text.split('\n');
    expect(header).toMatch(
      /^Repo map: 3 files, 3 definitions, 3 cross-file references \(\d+ms, 3 re-parsed\)$/,
    );
    expect(lines).toEqual([
      'src/store.ts',
      '│ class MemoryStore (L1)',
      '│ method saveRecord (L2)',
      'src/search.ts',
      '│ fn searchRecords (L2)',
    ]);
    expect(map).toMatchObject({ files: 3, definitions: 3, references: 3, parsedFiles: 3, issues: [] });
  });

  it('tells of what stands inside a function what it is', async () => {
    const root = project({
      'shop.py': 'def open_shop():\n    def ring():\n        pass\n    class Till:\n        pass\n',
    });
    const map = await buildRepoMap({ root, includeDetails: true });
    expect(map.text.split('\n').sort()).toEqual(
      expect.arrayContaining(['│ fn open_shop (L1)', '│ fn ring (L2)', '│ class Till (L4)']),
    );
    expect(map.details?.[0]?.definitions.map(({ kind }) => kind)).toEqual(['fn', 'fn', 'class']);
  });

  it('fills the budget to within two per cent and never exceeds it', async () => {
    const root = project(manyFiles(120));
    const cacheDir = temporaryFolder();
    await buildRepoMap({ root, cacheDir });
    for (let maxTokens = 200; maxTokens < 5000; maxTokens = Math.ceil(maxTokens * 1.07)) {
      const { text } = await buildRepoMap({ root, cacheDir, maxTokens });
      expect(countTokens(text)).toBeLessThanOrEqual(maxTokens);
      expect(countTokens(text), `of ${maxTokens}`).toBeGreaterThanOrEqual(maxTokens * 0.98);
      expect(text.endsWith('\n...')).toBe(true);
    }
  });

  it('is the header alone where no more fits', async () => {
    const options = { root: project(small), cacheDir: temporaryFolder(), focusFiles: ['gone.ts'] };
    const texts = [];
    for (let maxTokens = 1; maxTokens < 45; maxTokens++) {
      const { text } = await buildRepoMap({ ...options, maxTokens });
      texts.push(text);
      if (text.includes('\n')) expect(countTokens(text), `of ${maxTokens}`).toBeLessThanOrEqual(maxTokens);
    }
    expect(texts[0]).toMatch(/^Repo map: 3 files/);
    expect(texts.at(-1)).toContain('src/store.ts');
  });

  it('fills small budgets, too, where the last lines that fit leave a few tokens', async () => {
    const root = project(manyFiles(120));
    const cacheDir = temporaryFolder();
    for (let maxTokens = 200; maxTokens < 320; maxTokens += 5) {
      for (const focusFiles of [[], ['src/part5'], ['file7.ts', 'gone.ts']]) {
        const { text } = await buildRepoMap({ root, maxTokens, focusFiles, cacheDir });
        expect(new Set(text.split('\n')).size).toBe(text.split('\n').length);
        expect(countTokens(text) / maxTokens, `${maxTokens} ${focusFiles.join()}`).toBeGreaterThanOrEqual(
          0.98,
        );
        expect(countTokens(text)).toBeLessThanOrEqual(maxTokens);
      }
    }
  });

  it('is the same for the same tree', async () => {
    const root = project(manyFiles(60));
    const bodies = await Promise.all(
      [1, 2].map(async () => (await buildRepoMap({ root })).text.split('\n').slice(1)),
    );
    expect(bodies[0]).toEqual(bodies[1]);
  });
});

describe('ranking', () => {
  it('puts focused files first, however they are named', async () => {
    const root = project(manyFiles(60));
    const path = 'src/part5/file5.ts';
    for (const name of [path, `./${path}`, join(root, path), ` ${path} `, 'file5.ts']) {
      const { shownFiles, unmatchedFocusFiles } = await buildRepoMap({ root, focusFiles: [name] });
      expect(shownFiles[0]).toBe(path);
      expect(unmatchedFocusFiles).toEqual([]);
    }
  });

  it('shows of a folder in focus what matters, however much it holds', async () => {
    const file = (number: number) => [`src/shop/m${number}.ts`, `export class Migration${number} {}\n`];
    const users = (number: number) => [`src/user${number}.ts`, "import { Cart } from './shop/models.js';\n"];
    const root = project({
      ...Object.fromEntries(Array.from({ length: 100 }, (_, number) => file(number))),
      ...Object.fromEntries(Array.from({ length: 9 }, (_, number) => users(number))),
      'src/shop/models.ts': 'export class Cart {}\n',
      'src/shop/z.ts': 'export class Zone {}\n',
    });
    const focusFiles = ['src/shop/z.ts', 'src/shop'];
    const { text, shownFiles } = await buildRepoMap({ root, focusFiles, maxTokens: 400 });
    expect(text.split('\n').slice(1, 4)).toEqual([
      'src/shop/z.ts',
      'src/shop/models.ts',
      '│ class Cart (L1)',
    ]);
    const definitions = text.split('\n').filter((line) => line.startsWith('│'));
    expect(definitions.length).toBeGreaterThan(shownFiles.length / 3);
    const named = Array.from({ length: 30 }, (_, number) => `src/shop/m${number}.ts`);
    const all = await buildRepoMap({ root, focusFiles: named, maxTokens: 300 });
    expect(all.shownFiles.slice(0, 30)).toEqual(named);
  });

  it('knows focused files as other systems and compilers write them', async () => {
    const root = project({
      ...manyFiles(60),
      'src/Cafe\u0301/List.ts': 'list()',
      ' a.ts': 'a()',
      ...(process.platform === 'win32' ? {} : { 'src/back\\slash.ts': 'x()' }),
    });
    for (const [name, path] of [
      ['src/Café/List.ts', 'src/Cafe\u0301/List.ts'],
      ['SRC/part5/FILE5.ts', 'src/part5/file5.ts'],
      ['src/part5/file5.ts:42', 'src/part5/file5.ts'],
      [join(root, 'src/part5/file5.ts:42:7'), 'src/part5/file5.ts'],
      ['src/part5/file5.ts:4-9', 'src/part5/file5.ts'],
      ['file5.ts#L4-L9', 'src/part5/file5.ts'],
      [' a.ts', ' a.ts'],
      ...(process.platform === 'win32' ? [] : [['src/back\\slash.ts', 'src/back\\slash.ts']]),
    ] as const) {
      const { shownFiles, unmatchedFocusFiles } = await buildRepoMap({ root, focusFiles: [name!] });
      expect([shownFiles[0], unmatchedFocusFiles]).toEqual([path, []]);
    }
  });

  it('follows what a module of the tree is required as, not a package', async () => {
    const root = project({
      'lib/router.js': "const path = require('path');\nmodule.exports = class Router {\n  add() {}\n};\n",
      'lib/path.js': 'exports.path = function path() {};\n',
      'app.js':
        "const path = require('path');\nconst Router = require('./lib/router');\npath(new Router());\n",
      'test/router.test.js': "const Router = require('../lib/router');\nit('adds', () => new Router());\n",
    });
    const { details } = await buildRepoMap({ root, includeDetails: true });
    const found = details!.map(({ path, definitions, references }) => [
      path,
      definitions.map(({ name }) => name),
      references.map((reference) => reference.path),
    ]);
    expect(found).toEqual([
      ['app.js', ['path'], ['lib/router.js']],
      ['lib/path.js', ['path'], []],
      ['lib/router.js', ['path', 'Router', 'add'], []],
      ['test/router.test.js', [], ['lib/router.js']],
    ]);
  });

  it('brings up what the focus uses and what uses it', async () => {
    const root = project({
      ...manyFiles(60),
      'src/one.ts': 'functionNumber31();\nexport function onlyHere() {}',
      'src/two.ts': 'onlyHere();export function second() {}',
    });
    const { shownFiles } = await buildRepoMap({ root, focusFiles: ['src/one.ts'], maxTokens: 300 });
    expect(shownFiles[0]).toBe('src/one.ts');
    expect(shownFiles.slice(0, 6)).toEqual(expect.arrayContaining(['src/part4/file31.ts', 'src/two.ts']));
  });

  it('names what has no definitions by its path around a focus, and only there', async () => {
    const root = project({
      ...small,
      'test/store.test.ts':
        "import { MemoryStore } from '../src/store.js';\nit('saves', () => new MemoryStore());\n",
      'test/unrelated.test.ts': 'it("runs", () => true);\n'.repeat(50),
      'src/store.js': `var a=[${'1,'.repeat(20_000)}];`,
    });
    const { shownFiles, text } = await buildRepoMap({ root, focusFiles: ['src/store.ts'] });
    expect(shownFiles.slice(0, 3)).toContain('test/store.test.ts');
    // What is no source has no place in a map, whatever its name.
    expect(shownFiles).not.toContain('src/store.js');
    expect(text).toMatch(/^test\/store\.test\.ts$/m);
    expect((await buildRepoMap({ root })).shownFiles).not.toContain('test/store.test.ts');
  });

  it('knows what is defined within tests there alone, and shows it where nothing else is left', async () => {
    const root = project({
      'src/store.ts': 'export class MemoryStore {}\n',
      'test/first.test.ts':
        "import { MemoryStore } from '../src/store.js';\ndescribe('one', () => {\n  const makeStore = () => new MemoryStore();\n});\n",
      'test/second.test.ts':
        "import { MemoryStore } from '../src/store.js';\nit('two', () => {\n  makeStore(new MemoryStore());\n});\n",
    });
    const whole = await buildRepoMap({ root });
    expect(whole.text).toMatch(/^Repo map: 3 files, 2 definitions, 2 cross-file references/);
    expect(whole.text).toContain('│ fn makeStore (L3)');
    const around = await buildRepoMap({ root, focusFiles: ['src/store.ts'], maxTokens: 55 });
    expect(around.shownFiles.sort()).toEqual(['src/store.ts', 'test/first.test.ts', 'test/second.test.ts']);
    expect(around.text).toContain('│ class MemoryStore (L1)');
    expect(around.text).not.toContain('makeStore');
    for (const focusFiles of [[], ['test/first.test.ts']]) {
      const { details } = await buildRepoMap({ root, focusFiles, includeDetails: true });
      const { definitions } = details!.find(({ path }) => path === 'test/first.test.ts')!;
      expect(definitions).toMatchObject([{ name: 'makeStore', rank: 0 }]);
    }
  });

  it('names a large test around what it tests before what is used in passing', async () => {
    const uses = Array.from({ length: 40 }, (_, i) => `usedInPassing${i}();`).join('\n');
    const tests = Array.from({ length: 60 }, (_, i) => `function testsSaving${i}() { new RecordStore(); }`);
    const used = Array.from({ length: 40 }, (_, i) => {
      return [`src/used${i}.ts`, `export function usedInPassing${i}() {}`] as const;
    });
    const root = project({
      'src/store.ts': `export class RecordStore {}\n${uses}`,
      'test/saving.ts': tests.join('\n'),
      ...Object.fromEntries(used),
    });
    const { shownFiles } = await buildRepoMap({ root, focusFiles: ['src/store.ts'], maxTokens: 300 });
    expect(shownFiles.slice(0, 2)).toEqual(['src/store.ts', 'test/saving.ts']);
  });

  it('shows what many files use before the only thing that an important file uses', async () => {
    const users = Array.from({ length: 12 }, (_, i) => [
      `src/page${i}.ts`,
      `import { RecordStore } from './store.js';\nimport { formatAmount } from './text.js';\n` +
        `formatAmount(new RecordStore());\nexport function page${i}() {}\n`,
    ]);
    const root = project({
      'src/store.ts': `import { trimLeadingDots } from './text.js';\nexport class RecordStore { name = trimLeadingDots(''); }\n`,
      'src/text.ts': 'export function trimLeadingDots() {}\nexport function formatAmount() {}\n',
      ...Object.fromEntries(users),
    });
    const { text } = await buildRepoMap({ root });
    expect(text).toContain('src/text.ts\n│ fn formatAmount (L2)\n│ fn trimLeadingDots (L1)');
  });

  it('shows of a file what the one in focus uses, before what others use', async () => {
    const users = Array.from({ length: 12 }, (_, i) => [
      `src/page${i}.ts`,
      `import { parseMoment } from './text.js';\nparseMoment();\nexport function page${i}() {}\n`,
    ]);
    const root = project({
      'src/bill.ts': `import { formatAmount, formatCount } from './text.js';\nexport class Bill { total = formatAmount() + formatCount(); }\n`,
      'src/text.ts': ['parseMoment', 'formatAmount', 'formatCount']
        .map((name) => `export function ${name}() {}\n`)
        .join(''),
      ...Object.fromEntries(users),
    });
    const { text } = await buildRepoMap({ root, focusFiles: ['src/bill.ts'] });
    expect(text).toMatch(/src\/text\.ts\n│ fn format\w+ .*\n│ fn format\w+ .*\n│ fn parseMoment/);
  });

  it('shows of a file near the focus what has its name, before what others use of it', async () => {
    const users = Array.from({ length: 12 }, (_, i) => [
      `lib/page${i}.rb`,
      `class Page${i}\n  def show = renderer.join_fragments(BillPrinter)\nend\n`,
    ]);
    const files = {
      'lib/bill_printer.rb': 'class BillPrinter\n  def total = 1\nend\n',
      'lib/page_renderer.rb':
        'module Pages\n  def join_fragments(all) = all\n\n  class PageRenderer\n    def use = BillPrinter\n  end\nend\n',
      'lib/bill-list.rb': 'def print_list = BillPrinter\n\nclass Shop::BillList\nend\n',
      ...Object.fromEntries(users),
    };
    const { text } = await buildRepoMap({ root: project(files), focusFiles: ['lib/bill_printer.rb'] });
    expect(text).toContain('lib/page_renderer.rb\n│ class PageRenderer (L4)');
    expect(text).toMatch(/lib\/bill-list\.rb\n│ class \S*BillList \(L3\)/);
  });

  it('knows what has the name of its file in letters that are not ASCII', async () => {
    const user = 'from bill import Bill\n\ndef print_books(): return Bill\n\nclass КаталогКниг: pass\n';
    const others = Array.from({ length: 12 }, (_, i) => [
      `page${i}.py`,
      'from каталог_книг import print_books\n\nprint_books()\n',
    ]);
    const files = {
      'bill.py': 'class Bill: pass\n',
      'каталог_книг.py': user,
      ...(Object.fromEntries(others) as Record<string, string>),
    };
    const { text } = await buildRepoMap({ root: project(files), focusFiles: ['bill.py'] });
    expect(text).toContain('каталог_книг.py\n│ class КаталогКниг (L5)');
  });

  it.each([
    ['others of it alone', ['formatAmount'], ['formatAmount', 'Text']],
    ['both', ['formatAmount', 'Text'], ['Text', 'formatAmount']],
  ])('shows of a file what the focus uses, what has its name first if it uses %s', async (_, used, shown) => {
    const root = project({
      'src/bill.ts': `import { ${used.join(', ')} } from './text.js';\nexport const bill = [${used.join(', ')}];\n`,
      'src/text.ts':
        'export function parseMoment() {}\nexport class Text {}\nexport function formatAmount() {}\n',
    });
    const { text } = await buildRepoMap({ root, focusFiles: ['src/bill.ts'] });
    const names = text.split('src/text.ts\n')[1]!.match(/(?<=│ \w+ )\w+/g);
    expect(names?.slice(0, 2)).toEqual(shown);
  });

  it('shows around a focus one of each file that uses it before all that it uses of one', async () => {
    const used = Array.from({ length: 8 }, (_, i) => `formatLine${i}`);
    const pages = Array.from({ length: 12 }, (_, i) => [
      `src/page${i}.ts`,
      `import { Register } from './register.js';\nexport const openPage${i} = Register;\n`,
    ]);
    const root = project({
      'src/register.ts': `import { ${used.join(', ')} } from './text.js';\nexport class Register { lines = [${used.join(', ')}]; }\n`,
      'src/text.ts': used.map((name) => `export function ${name}() {}\n`).join(''),
      ...(Object.fromEntries(pages) as Record<string, string>),
    });
    const { shownFiles } = await buildRepoMap({ root, focusFiles: ['src/register.ts'], maxTokens: 220 });
    expect(shownFiles.length).toBeGreaterThan(12);
  });

  it('shows the best of many files rather than all of one', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `compressArchivePart${i}`);
    const others = Array.from({ length: 12 }, (_, i) => [
      `src/page${i}.ts`,
      `import { ${names.join(', ')} } from './archive.js';\nimport { openChannel${i % 4} } from './channel${i % 4}.js';\n` +
        `${names.join('();\n')}();\nopenChannel${i % 4}();\n`,
    ]);
    const channels = [0, 1, 2, 3].map((i) => [
      `src/channel${i}.ts`,
      `export function openChannel${i}() {}\n`,
    ]);
    const root = project({
      'src/archive.ts': names.map((name) => `export function ${name}() {}\n`).join(''),
      ...Object.fromEntries([...channels, ...others]),
    });
    expect((await buildRepoMap({ root, maxTokens: 400 })).shownFiles.length).toBeGreaterThan(3);
  });

  it('ranks what the session touched higher than without', async () => {
    const root = project(manyFiles(60));
    const place = async (sessionFiles: string[]) =>
      (await buildRepoMap({ root, sessionFiles, maxTokens: 8000 })).shownFiles.indexOf('src/part8/file44.ts');
    expect(await place(['src/part8/file44.ts'])).toBeLessThan(await place([]));
  });

  it('knows a focus file by a path over a symbolic link', async () => {
    const link = join(temporaryFolder(), 'link');
    symlinkSync(project(small), link, 'junction');
    const focusFiles = [join(link, 'src/store.ts'), join(link, 'src/gone.ts')];
    const { shownFiles, unmatchedFocusFiles } = await buildRepoMap({ root: link, focusFiles });
    expect(shownFiles[0]).toBe('src/store.ts');
    expect(unmatchedFocusFiles).toEqual(focusFiles.slice(1));
  });

  it('knows a focus file by its path from a folder above the mapped one', async () => {
    const root = join(project({ 'packages/mill/src/wheel.ts': small['src/store.ts'] }), 'packages/mill');
    for (const name of [
      'packages/mill/src/wheel.ts',
      './mill/src/wheel.ts',
      'Packages/mill/src/wheel.ts:3',
    ]) {
      const { shownFiles, unmatchedFocusFiles } = await buildRepoMap({ root, focusFiles: [name] });
      expect([shownFiles[0], unmatchedFocusFiles]).toEqual(['src/wheel.ts', []]);
    }
    const far = `${'packages/mill/'.repeat(20_000)}src/wheel.ts`;
    for (const name of ['packages/dam/src/wheel.ts', 'ill/src/wheel.ts', 'packages/mill', far])
      expect((await buildRepoMap({ root, focusFiles: [name] })).unmatchedFocusFiles).toEqual([name]);
  });

  it('names focus files that are not there', async () => {
    const focusFiles = ['src/gone.ts', 'src/store.ts', 'READ\nME.md'];
    const { unmatchedFocusFiles, text } = await buildRepoMap({ root: project(small), focusFiles });
    expect(unmatchedFocusFiles).toEqual(['src/gone.ts', 'READ\nME.md']);
    expect(text.split('\n').at(-1)).toBe('Not in this map: src/gone.ts, READ\\u000aME.md');
    const many = Array.from({ length: 400 }, (_, i) => `src/gone/quite/far/away/${i}.ts`);
    const counted = await buildRepoMap({ root: project(small), focusFiles: many, maxTokens: 200 });
    expect(counted.text.split('\n').at(-1)).toBe('Not in this map: 400 of the focus files');
    expect(countTokens(counted.text)).toBeLessThanOrEqual(200);
  });

  it.skipIf(process.platform === 'win32')('gives names that span lines one line', async () => {
    const files = {
      'a\n│ fn notReal (L1).ts': 'export function real() {}\n',
      'b\x1b[2J\u202e.cpp': 'struct Flag {\n  operator\n  bool() const { return true; }\n};\n',
      'c.kt': 'fun `a\x1b[2J\u2028b`() {}\n',
    };
    const { text } = await buildRepoMap({ root: project(files) });
    expect(text.split('\n').slice(1)).toEqual([
      'a\\u000a│ fn notReal (L1).ts',
      '│ fn real (L1)',
      'b\\u001b[2J\\u202e.cpp',
      '│ struct Flag (L1)',
      '│ method operator bool (L2)',
      'c.kt',
      '│ fn a\\u001b[2J\\u2028b (L1)',
    ]);
  });
});

describe('errors', () => {
  it.each([
    ['a missing folder', { root: '/no/such/folder' }, /there is no folder/],
    ['a name that no folder has', { root: `/${'x'.repeat(300)}` }, /there is no folder/],
    ['a path with a null byte', { root: '/no\u0000/folder' }, /there is no folder/],
    ['no budget', { maxTokens: 0 }, /"max_tokens"/],
    ['a budget that is no number', { maxTokens: NaN }, /"max_tokens"/],
  ])('%s', async (_, options, message) => {
    await expect(buildRepoMap({ root: project(small), ...options })).rejects.toThrow(message);
  });

  it('a file, a folder without sources', async () => {
    const root = project({ 'a.ts': 'x', 'text/readme.md': '# hello' });
    await expect(buildRepoMap({ root: join(root, 'a.ts') })).rejects.toThrow(/a folder, but this is a file/);
    await expect(buildRepoMap({ root: join(root, 'text') })).rejects.toThrow(/no source files/);
    symlinkSync('loop', join(root, 'loop'));
    await expect(buildRepoMap({ root: join(root, 'loop') })).rejects.toThrow(
      /^Invalid argument "project": got .*loop"; expected a folder that can be read \(ELOOP/,
    );
  });

  it('stops when it is cancelled', async () => {
    await expect(
      buildRepoMap({ root: project(manyFiles(60)), signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it.skipIf(process.platform === 'win32')(
    'does not wait for ever for a git that does not answer',
    async () => {
      const root = project({ 'a.ts': 'export const a = 1;' });
      const programs = project({ git: '#!/bin/sh\nsleep 150 # in a process of its own\n' });
      chmodSync(join(programs, 'git'), 0o755);
      vi.stubEnv('PATH', `${programs}:${process.env['PATH']}`);
      onTestFinished(() => void vi.unstubAllEnvs());
      const { listing } = await lookAtFiles(root, { cancelled: () => false }, undefined, 200).actual;
      expect(listing.paths).toEqual(['a.ts']);
    },
  );

  it('stops listing a folder when it is cancelled', async () => {
    let asked = 0;
    const look = lookAtFiles(project(manyFiles(60)), { cancelled: () => ++asked > 5 });
    await expect(look.actual).rejects.toMatchObject({ code: 'ABORTED' });
    expect(asked).toBe(6);
  });
});

describe('files', () => {
  const names = async (root: string) =>
    (await buildRepoMap({ root, includeDetails: true })).details!.map(({ path }) => path);

  it.skipIf(process.platform === 'win32')(
    'are listed without a program that the repository names',
    async () => {
      const made = project({
        'in/a.ts': 'const a = 1;',
        'out/b.ts': 'const b = 2;',
        'out/in/c.ts': 'const c = 3;',
      });
      git(made, 'init', '-q');
      git(made, 'add', '.');
      git(made, 'commit', '-qm', 'all');
      git(made, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'in');
      const outside = execFileSync('git', ['rev-parse', 'HEAD:out'], { cwd: made, encoding: 'utf8' }).trim();
      // A folder that the index names as one, whose list git would fetch.
      rmSync(join(made, '.git/objects', outside.slice(0, 2), outside.slice(2)));
      const proof = join(temporaryFolder(), 'ran');
      for (const [key, value] of [
        ['core.fsmonitor', `touch ${proof}; false`],
        ['core.repositoryFormatVersion', '1'],
        ['extensions.partialClone', 'origin'],
        ['remote.origin.promisor', 'true'],
        ['remote.origin.url', made],
        ['remote.origin.uploadPack', `touch ${proof}; false`],
      ] as const) {
        git(made, 'config', key, value);
      }
      expect(await names(made)).toEqual(['in/a.ts']);
      expect(existsSync(proof)).toBe(false);
    },
  );

  it('are those git lists', async () => {
    const root = project({
      ...small,
      '.gitignore': 'ignored/\n',
      'ignored/a.ts': 'x()',
      'untracked.ts': 'x()',
      'gone.ts': 'x()',
    });
    git(root, 'init', '-q');
    git(root, 'add', '.');
    rmSync(join(root, 'gone.ts'));
    expect(await names(root)).toEqual(['src/main.ts', 'src/search.ts', 'src/store.ts', 'untracked.ts']);
    expect(await names(join(root, 'src'))).toEqual(['main.ts', 'search.ts', 'store.ts']);
  });

  it.skipIf(process.platform === 'win32')(
    'are those git lists, also once an update has removed the Node that runs',
    async () => {
      const root = project({ ...small, 'excluded.ts': 'x()' });
      git(root, 'init', '-q');
      write(root, { '.git/info/exclude': 'excluded.ts\n' });
      const { execPath } = process;
      onTestFinished(() => void (process.execPath = execPath));
      process.execPath = join(root, 'gone/node');
      expect(await names(root)).toEqual(['src/main.ts', 'src/search.ts', 'src/store.ts']);
    },
  );

  it('are those of the folder also in a hook of another repository', async () => {
    const root = project({ 'own.ts': 'x()', 'ignored.ts': 'x()', '.gitignore': 'ignored.ts\n' });
    const other = project({ 'ignored.ts': 'x()' });
    for (const folder of [root, other]) git(folder, 'init', '-q');
    git(other, 'add', '.');
    vi.stubEnv('GIT_DIR', join(other, '.git'));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await names(root)).toEqual(['own.ts']);
  });

  it('follow nested .gitignore files with negation where there is no git', async () => {
    const root = project({
      '.gitignore': '*.gen.ts\nbuild/\n',
      'a.ts': 'x()',
      'a.gen.ts': 'x()',
      'build/b.ts': 'x()',
      'kept/.gitignore': '!special.gen.ts\nlocal.ts\n',
      'kept/special.gen.ts': 'x()',
      'kept/other.gen.ts': 'x()',
      'kept/local.ts': 'x()',
    });
    expect(await names(root)).toEqual(['a.ts', 'kept/special.gen.ts']);
  });

  it('follow a .gitignore to the letter where git does', async () => {
    const root = project({ '.gitignore': 'TAGS\n', 'src/tags/a.ts': 'x()', 'TAGS.ts': 'x()' });
    const withoutGit = await names(root);
    git(root, 'init', '-q');
    expect(withoutGit).toEqual(await names(root));
  });

  it('leave out what nobody wrote by hand', async () => {
    const root = project({
      'good.ts': 'x()',
      'node_modules/m/index.js': 'x()',
      'vendor/v.go': 'package v',
      '3rdparty/v.c': 'int v;',
      'Middlewares/Third_Party/v.c': 'int v;',
      'src/thirdparty/v.h': 'int v;',
      'src/vendored/v.zig': 'const v = 1;',
      'src/shop/_vendor/v.py': 'v = 1',
      'src/assets/vendors/editor/v.js': 'x()',
      'src/vendors/own.js': 'x()',
      'deps/engine/v.c': 'int v;',
      'deps/own.go': 'package deps',
      'src/deps/cart/own.ts': 'x()',
      'lib/stm32/cmsis/core.h': 'int v;',
      'Drivers/STM32F4xx_HAL_Driver/Inc/hal.h': 'int v;',
      'Middlewares/ST/usbd.c': 'int v;',
      'lib/STM32_USB-FS-Device_Driver/usb.h': 'int v;',
      'lib/STM32_USB_Device_Library_HAL/usb.h': 'int v;',
      'lib/GD32F4xx_usb_library/usb.h': 'int v;',
      'src/bus/main_usb_driver/own.c': 'int v;',
      'CMSIS/own.c': 'int v;', // The makers' own repositories begin so.
      'target/debug/out.rs': 'fn out() {}',
      'coverage/lcov-report/sorter.js': 'x()',
      'api.pb.go': 'package v',
      'shop_pb2_grpc.pyi': 'x()',
      'shop.pb.ex': 'x()',
      'shop.pbenum.dart': 'x()',
      'shop_pb.js': 'x()',
      'cart.g.dart': 'x() {}',
      'cart.generated.ts': 'x()',
      'cart_generated.rs': 'fn x() {}',
      'Form.Designer.cs': 'class Form {}',
      '.pnp.cjs': 'x()',
      'gen.go': '// Code generated by protoc. DO NOT EDIT.\npackage v',
      'lib.min.js': 'x()',
      'lang_de.ts': '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS></TS>\n',
      'bundle.js': `var a=[${'1,'.repeat(60_000)}];`,
      'binary.ts': Buffer.from([1, 2, 0, 3]),
      'huge.ts': '// a\n'.repeat(250_000),
      'empty.ts': '',
    });
    expect(await names(root)).toEqual([
      'CMSIS/own.c',
      'deps/own.go',
      'good.ts',
      'src/bus/main_usb_driver/own.c',
      'src/deps/cart/own.ts',
      'src/vendors/own.js',
    ]);
    expect(await buildRepoMap({ root })).toMatchObject({ files: 6, parsedFiles: 6 });
  });

  it('leave out what a generator says it has made, and nothing that makes or mentions such files', async () => {
    const generated = [
      '// coverage:ignore-file\n// GENERATED CODE - DO NOT MODIFY BY HAND\n',
      '//  Generated file. Do not edit.\n',
      '// Generated by the protocol buffer compiler.  DO NOT EDIT!\n',
      '// DO NOT EDIT.\n// lint:disable all\n//\n// Generated by the Swift generator plugin for protocol buffers.\n',
      '/**\n * Autogenerated by Thrift Compiler (0.9.2)\n *\n * DO NOT EDIT UNLESS YOU ARE SURE\n */\n',
      '/*\n * NOTE: This class is auto generated by OpenAPI Generator.\n * Do not edit the class manually.\n */\n',
      '/*\n  Generated by OpenAPI Generator\n\n  Do not edit the class manually.\n*/\n',
      '// Mocks generated by Mockito 5.4.4 from annotations\n// in test/mocks.dart.\n// Do not manually edit this file.\n',
      '// Generated from Query.g4 by ANTLR 4.7.1\n',
      '// Generated using SwiftGen - https://example.com\n',
      '/*\n * This file is generated by jOOQ.\n */\n',
      '/* automatically generated by rust-bindgen 0.59.1 */\n',
      '/*\n** WARNING! All changes made in this file will be lost!\n*/\n',
      '/* A Bison parser, made by GNU Bison 3.5.1.  */\n',
      'pub const __builtin_clz = @import("std").zig.c_builtins.__builtin_clz;\n',
      '#line 1 "lexer.c"\n\n/* A lexical scanner generated by flex */\n',
      '/* This is an automatically GENERATED file, which should not be manually edited.\n */\n',
      '// THIS FILE IS AUTO-GENERATED. You can regenerate it by running `go generate ./...`.\n',
      '/**\n * Mock Service Worker.\n * - Please do NOT modify this file.\n */\n',
      '# Standalone file: do not edit by hand\n# Source: https://example.com/checks.R\n',
    ];
    const written = [
      '// Writes client.ts. The generated files must not be edited.\n',
      '// Ids are generated by the database. Do not change them.\n',
      '// A lexical scanner generated by hand. This file is auto-generated from nothing: do as you please.\n',
      'const note = "Please do not edit this file";\n',
      '// Generated by `npm init` once, edited ever since.\n',
      'const header = `// Generated file. Do not edit!`;\n',
      '# AUTOGENERATED! DO NOT EDIT! File to edit: ../notebooks/01_model.ipynb.\n',
      '# Standalone files may be edited by hand.\n',
    ];
    const numbered = (texts: string[], name: string) =>
      Object.fromEntries(texts.map((text, number) => [`${name}${number}.ts`, `${text}x()`]));
    const root = project({ ...numbered(generated, 'made'), ...numbered(written, 'by-hand') });
    expect(await names(root)).toEqual(Object.keys(numbered(written, 'by-hand')));
  });

  it('leave out copies of libraries among what a website serves, and nothing that was written for it', async () => {
    const licensed = 'Copyright 2026 M. Miller\n * Licensed under the Apache License, Version 2.0\n';
    const root = project({
      'static/js/wheel.js': `/*!\n * wheel.js v2.1\n * Released under the MIT license\n */\nx()`,
      'docs/js/leaf.js': `/*!\n * leaf.js 1.3.3\n * Copyright 2026 M. Miller; Licensed MIT\n */\nx()`,
      'app/assets/stone.js': `// stone 1.10.4\n// (c) 2026 M. Miller\n\nx()`,
      'public/jquery.sack.js': `;/* A plugin.\n * ${licensed} */x()`,
      'public/table.js':
        '/**\n * @author M. Miller\n * version: 1.11.1\n * https://github.com/m-miller/table\n */\nx()',
      'assets/pad.js': '/* A pad. */\n(function (root, factory) {\n  x()',
      'assets/rows.js': "(function (global, factory) {\n  typeof exports === 'object'",
      'public/long.js': `/* ${licensed} * long 1.0.0 ${'- '.repeat(2_000)}*/x()`,
      'public/own.js': `/*\n * ${licensed} */x()`,
      'public/own-too.js': `/* Needs wheel 2.1.0. */\n// Copyright 2026 M. Miller\nx()`,
      'public/own-three.js': `x('1.0.0', 'license')`,
      'public/own-four.js': '/* See https://github.com/m-miller/table */\nx()',
      'src/wheel.js': `/* wheel v2.1, MIT */\nx()`,
      'src/zip.js': '(function (root, factory) {\n  x()',
    });
    const own = [
      'public/own-four.js',
      'public/own-three.js',
      'public/own-too.js',
      'public/own.js',
      'src/wheel.js',
      'src/zip.js',
    ];
    expect(await names(root)).toEqual(own);
  });

  it('leave out what bundlers made for a website', async () => {
    const helpers = 'var __defProp = Object.defineProperty;\n';
    const root = project({
      'priv/static/app.cjs.js': `${helpers}x()`,
      'priv/static/app.js': `var App = (() => {\n  ${helpers}  x()\n})();`,
      'public/packed.js': `/******/ (() => { // webpackBootstrap\n/******/ \tx()`,
      'public/mapped.mjs': 'x()\n//# sourceMappingURL=mapped.mjs.map\n',
      'public/maps.js': 'const end = "//# sourceMappingURL=";\nx()',
      'src/app.js': `${helpers}x()`,
    });
    expect(await names(root)).toEqual(['public/maps.js', 'src/app.js']);
  });

  it('leave out declarations that were made of other files', async () => {
    const root = project({
      'src/app.d.ts': 'declare function x(): void;\n',
      'types/index.d.ts': 'declare function x(): void;\n\n//# sourceMappingURL=index.d.ts.map',
    });
    expect(await names(root)).toEqual(['src/app.d.ts']);
  });

  it('of repositories inside are left out, and these are named', async () => {
    const root = project({ ...small, 'lib.v2/a.ts': 'x()', 'site.js/b.ts': 'x()', 'vendor/c.ts': 'x()' });
    const commit = (folder: string) => {
      git(folder, 'init', '-q');
      git(folder, 'add', '.');
      git(folder, 'commit', '-qm', 'all');
    };
    for (const folder of ['lib.v2', 'site.js', 'vendor', '']) commit(join(root, folder));
    git(root, 'worktree', 'add', '-q', 'copy');
    write(root, { 'loose/d.ts': 'x()' });
    commit(join(root, 'loose'));
    const cacheDir = temporaryFolder();
    const mapped = async (maxTokens = 1000) => {
      const { text, repositories, files } = await buildRepoMap({ root, cacheDir, maxTokens });
      expect(files).toBe(3);
      return [repositories, text.split('\n').at(-1)];
    };
    const all = [
      ['lib.v2', 'loose', 'site.js'],
      'Left out: lib.v2, loose, site.js (separate repositories; map each by its path).',
    ];
    expect(await mapped()).toEqual(all);
    renameSync(join(root, 'lib.v2/.git'), join(root, 'lib.v2/.git-of-lib'));
    expect(await mapped()).toEqual([
      ['loose', 'site.js'],
      'Left out: loose, site.js (separate repositories; map each by its path).',
    ]);
    renameSync(join(root, 'lib.v2/.git-of-lib'), join(root, 'lib.v2/.git'));
    expect(await mapped()).toEqual(all);
    expect((await mapped(200))[1]).toBe('Repositories inside left out: 3');
  });

  it('name no worktree inside, also where the repository is a bare one', async () => {
    const folder = temporaryFolder();
    const seed = project(small);
    git(seed, 'init', '-q');
    git(seed, 'add', '.');
    git(seed, 'commit', '-qm', 'all');
    git(folder, 'clone', '-q', '--bare', seed, '.bare');
    git(join(folder, '.bare'), 'worktree', 'add', '-q', '../blue');
    git(join(folder, '.bare'), 'worktree', 'add', '-q', '../blue/green');
    const blue = join(folder, 'blue');
    expect((await buildRepoMap({ root: blue })).repositories).toEqual([]);
    // A submodule is none, whatever it is called.
    git(blue, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', seed, 'worktrees/lib');
    expect((await buildRepoMap({ root: blue })).repositories).toEqual(['worktrees/lib']);
    renameSync(join(folder, '.bare'), join(folder, 'elsewhere'));
    rmSync(join(blue, '.git'));
    git(blue, 'init', '-q');
    expect((await buildRepoMap({ root: blue })).repositories).toEqual([]);
  });

  it('only of repositories inside are none', async () => {
    const root = project({ 'api/a.ts': 'x()' });
    git(join(root, 'api'), 'init', '-q');
    git(root, 'init', '-q');
    await expect(buildRepoMap({ root })).rejects.toThrow(
      'separate repositories, which you can map by their paths: api.',
    );
  });

  it('do not lie behind a link that took the place of a tracked folder', async () => {
    const elsewhere = project({
      'store.ts': 'export class Elsewhere {}',
      'in/deep.ts': 'export class Deep {}',
    });
    const root = project({
      'src/store.ts': 'export class Store {}',
      'src/in/deep.ts': 'x()',
      'a.ts': 'class Own {}',
    });
    git(root, 'init', '-q');
    git(root, 'add', '.');
    rmSync(join(root, 'src'), { recursive: true });
    symlinkSync(elsewhere, join(root, 'src'), 'junction');
    const { issues, shownFiles } = await buildRepoMap({ root });
    expect(shownFiles).toEqual(['a.ts']);
    expect(issues).toEqual([]);
  });

  it('never loop over symbolic links', async () => {
    const root = project(small);
    symlinkSync('.', join(root, 'loop'));
    symlinkSync('src/main.ts', join(root, 'link.ts'));
    symlinkSync('nowhere', join(root, 'broken.ts'));
    expect(await names(root)).toEqual(['src/main.ts', 'src/search.ts', 'src/store.ts']);
  });

  it('that defeat a parser cost themselves alone', async () => {
    const brackets = (open: string, close: string) =>
      `x = ${`${open}\n`.repeat(5000)}${`${close}\n`.repeat(5000)};\n`;
    const root = project({
      ...small,
      'brackets.ts': brackets('(', ')'),
      'brackets.py': brackets('[', ']'),
      'braces.c': `void f() ${brackets('{', '}')}`,
      'quotes.kt': '"${\n'.repeat(5000),
      'here.pl': '<<A\n'.repeat(5000),
      'comments.kt': `${'/*\n'.repeat(80_000)}${'*/\n'.repeat(80_000)}class AfterComments\n`,
      'blank.h': `${'\n'.repeat(900_000)}struct BelowBlanks { int a; };\n`,
      'text.pl': `sub heredocs {}\n${'print <<"END";\nsome text here\nand more\nEND\n'.repeat(20_000)}`,
      'latin.py': Buffer.from('def caf\xe9():\n    pass\n', 'latin1'),
      'wide.ts': Buffer.from('\ufefffunction sixteen() {}', 'utf16le'),
      'swapped.ts': Buffer.from('\ufefffunction bigEndian() {}', 'utf16le').swap16(),
    });
    const { text } = await buildRepoMap({ root, maxTokens: 2000 });
    for (const name of [
      'MemoryStore',
      'café',
      'sixteen',
      'bigEndian',
      'heredocs',
      'AfterComments',
      'BelowBlanks',
    ])
      expect(text).toContain(name);
  });

  // Other systems accept no such names.
  it.runIf(process.platform === 'linux')('with a name that is no UTF-8 are reported', async () => {
    const root = project(small);
    writeFileSync(Buffer.from(`${root}/caf\xe9.ts`, 'latin1'), 'function espresso() {}\n');
    for (const initialize of [false, true]) {
      if (initialize) git(root, 'init', '-q');
      const { issues, files } = await buildRepoMap({ root });
      expect(files).toBe(3);
      expect(issues).toMatchObject([{ file: 'caf\ufffd.ts', code: 'UNREADABLE' }]);
    }
  });

  it.runIf(process.platform === 'linux')(
    'that cannot be read are named where there are no others',
    async () => {
      const root = temporaryFolder();
      writeFileSync(Buffer.from(`${root}/caf\xe9.ts`, 'latin1'), 'function espresso() {}\n');
      await expect(buildRepoMap({ root })).rejects.toThrow(
        /no source files .* What could not be read: .*caf\ufffd\.ts \(its name is not valid UTF-8\)\.$/,
      );
    },
  );

  it('may have names that every object of JavaScript answers to', async () => {
    const map = await buildRepoMap({
      root: project({ ...small, constructor: 'notes', 'a.constructor': 'notes', toString: 'notes' }),
    });
    expect(map).toMatchObject({ files: 3, issues: [] });
  });

  it('named .h are C++ where they hold any', async () => {
    const root = project({
      'shape.h': '#pragma once\n\nnamespace own {\nclass Shape {};\n}\n',
      'list.h': 'struct list { int length; };\n',
    });
    const { details } = await buildRepoMap({ root, includeDetails: true });
    expect(details!.map(({ path, language }) => [path, language])).toEqual([
      ['list.h', 'c'],
      ['shape.h', 'cpp'],
    ]);
  });

  it('may begin with a byte order mark', async () => {
    const { text } = await buildRepoMap({ root: project({ 'first.dart': '\ufeffclass First {}\n' }) });
    expect(text).toContain('class First (L1)');
  });

  it('may hold the sign that stands for what is no UTF-8', async () => {
    const source = "\ufeffexport function größe() {\n  return '\ufffd';\n}\n";
    const { text } = await buildRepoMap({ root: project({ 'first.ts': source }) });
    expect(text).toContain('fn größe (L1)');
  });

  it('without an extension are known by their names', async () => {
    const root = project({
      Fastfile: 'def deploy; end\n',
      'home/.zshrc': 'prompt() { :; }\n',
      LICENSE: 'def not_here; end\n',
    });
    expect(await names(root)).toEqual(['Fastfile', 'home/.zshrc']);
  });

  it('without an extension are known by their interpreter', async () => {
    const root = project({
      'bin/run': '#!/usr/bin/env bash\nstart_server() { :; }\n',
      'bin/task': '#!/usr/bin/env -S deno run --allow-read\nfunction start(): void {}\n',
      'bin/data': 'start_server() {}',
    });
    for (const name of ['run', 'task', 'data']) chmodSync(join(root, 'bin', name), 0o755);
    expect(await names(root)).toEqual(['bin/run', 'bin/task']);
  });
});

describe('the cache', () => {
  it('reads only what changed', async () => {
    const root = project(manyFiles(40));
    const cacheDir = temporaryFolder();
    const parsed = async () => (await buildRepoMap({ root, cacheDir })).parsedFiles;
    expect(await parsed()).toBe(40);
    expect(await parsed()).toBe(0);
    write(root, { 'src/part1/file1.ts': 'export function renamedFunction() {}' });
    expect(await parsed()).toBe(1);
    expect((await buildRepoMap({ root, cacheDir, maxTokens: 9000 })).text).toContain('renamedFunction');
    rmSync(join(root, 'src/part1/file1.ts'));
    renameSync(join(root, 'src/part2/file2.ts'), join(root, 'src/part2/moved.ts'));
    expect(await parsed()).toBe(1);
    expect((await buildRepoMap({ root, cacheDir, maxTokens: 9000 })).text).not.toContain('renamedFunction');
  });

  it('notices what came and went where git lists the files', async () => {
    const root = project({ ...small, '.gitignore': 'ignored.ts\n', 'ignored.ts': 'x()' });
    git(root, 'init', '-q');
    const cacheDir = temporaryFolder();
    const mapped = async () => {
      const { files, parsedFiles } = await buildRepoMap({ root, cacheDir });
      return [files, parsedFiles];
    };
    expect(await mapped()).toEqual([3, 3]);
    expect(await mapped()).toEqual([3, 0]);
    write(root, { 'src/new.ts': 'export function newest() {}\n', 'src/main.ts': 'newest();\n' });
    expect(await mapped()).toEqual([4, 2]);
    rmSync(join(root, 'src/new.ts'));
    expect(await mapped()).toEqual([3, 0]);
    rmSync(join(root, '.gitignore'));
    expect(await mapped()).toEqual([4, 1]);
  });

  it('gives the same map as reading everything', async () => {
    const root = project(manyFiles(40));
    const cacheDir = temporaryFolder();
    await buildRepoMap({ root, cacheDir });
    write(root, {
      'src/new.ts': 'export function functionNumber3() {}',
      'src/part0/file0.ts': 'functionNumber3();',
    });
    const body = (text: string) => text.split('\n').slice(1);
    const [incremental, fresh] = [await buildRepoMap({ root, cacheDir }), await buildRepoMap({ root })];
    expect(body(incremental.text)).toEqual(body(fresh.text));
    expect(body((await buildRepoMap({ root, cacheDir })).text)).toEqual(body(fresh.text));
  });

  it('gives the same map as reading everything after any change', async () => {
    const random = new SeededRandom(11);
    const root = project(manyFiles(30));
    const cacheDir = temporaryFolder();
    for (let step = 0; step < 12; step++) {
      const body = (text: string) => text.split('\n').slice(1);
      const options = { root, maxTokens: 600, focusFiles: step % 3 === 0 ? ['src/part1/file1.ts'] : [] };
      const [kept, fresh] = [await buildRepoMap({ ...options, cacheDir }), await buildRepoMap(options)];
      expect(body(kept.text), `step ${step}`).toEqual(body(fresh.text));
      expect(kept).toMatchObject({ definitions: fresh.definitions, references: fresh.references });
      changeSomething(root, random);
    }
  });

  it('notices a change that size and time do not show', async () => {
    const root = project({ 'a.ts': 'function first() {}' });
    const cacheDir = temporaryFolder();
    const { atime, mtime } = statSync(join(root, 'a.ts'));
    await buildRepoMap({ root, cacheDir });
    write(root, { 'a.ts': 'function other() {}' });
    utimesSync(join(root, 'a.ts'), atime, mtime);
    expect((await buildRepoMap({ root, cacheDir })).text).toContain('other');
  });

  it('gives no answer to other content that was listed in the same moment', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const options = { root: project({ 'a.ts': 'function before() {}\n' }), cacheDir: temporaryFolder() };
    expect((await buildRepoMap(options)).text).toContain('fn before');
    write(options.root, { 'a.ts': 'function behind() {}\n' });
    expect((await buildRepoMap(options)).text).toContain('fn behind');
  });

  it('does not read a file again that was only touched', async () => {
    const root = project(small);
    const cacheDir = temporaryFolder();
    await buildRepoMap({ root, cacheDir });
    utimesSync(join(root, 'src/store.ts'), new Date(), new Date(2020, 1, 1));
    expect((await buildRepoMap({ root, cacheDir })).parsedFiles).toBe(0);
  });

  it('is written again once many files have changed, not after each', async () => {
    const root = project(manyFiles(60));
    const cacheDir = temporaryFolder();
    const written = () => statSync(cacheFileOf(cacheDir, root)).ino;
    const change = async (count: number, name: string) => {
      for (let i = 0; i < count; i++)
        write(root, { [`src/part${i % 9}/file${i}.ts`]: `export function ${name}() {}` });
      expect((await buildRepoMap({ root, cacheDir })).parsedFiles).toBe(count);
    };
    await buildRepoMap({ root, cacheDir });
    const first = written();
    await change(10, 'once');
    await change(10, 'twice');
    expect(written()).toBe(first);
    await change(10, 'thrice');
    expect(written()).not.toBe(first);
  });

  it('reads again what took too long in another process', async () => {
    const root = project(small);
    const minuteAgo = new Date(Date.now() - 60_000);
    for (const path of Object.keys(small)) utimesSync(join(root, path), minuteAgo, minuteAgo);
    const cacheDir = temporaryFolder();
    await buildRepoMap({ root, cacheDir });
    const cacheFile = cacheFileOf(cacheDir, root);
    const files = loadProjectFiles(cacheFile)!;
    files.issues.push({ file: 'src/store.ts', code: 'PARSE_TIMEOUT', message: 'parsing took too long' });
    saveProjectFiles(cacheFile, files);
    expect(await buildRepoMap({ root, cacheDir })).toMatchObject({ parsedFiles: 1, issues: [] });
    expect(await buildRepoMap({ root, cacheDir })).toMatchObject({ parsedFiles: 0, issues: [] });
  });

  it('is rebuilt when it is damaged', async () => {
    const root = project(small);
    const cacheDir = temporaryFolder();
    const first = await buildRepoMap({ root, cacheDir });
    for (const file of readdirSync(cacheDir)) truncateSync(join(cacheDir, file), 200);
    const second = await buildRepoMap({ root, cacheDir });
    expect(second.parsedFiles).toBe(3);
    expect(second.text.split('\n').slice(1)).toEqual(first.text.split('\n').slice(1));
  });

  it('is kept of a folder with a long name', async () => {
    const root = join(temporaryFolder(), 'x'.repeat(250));
    write(root, small);
    const cacheDir = temporaryFolder();
    expect((await buildRepoMap({ root, cacheDir })).issues).toEqual([]);
    expect(readdirSync(cacheDir)).toHaveLength(2);
  });

  it('has no names of files that only sessions know, which may be forgotten', async () => {
    const root = project(small);
    const cacheDir = temporaryFolder();
    await buildRepoMap({ root, cacheDir, sessionFiles: [join(root, 'src/diary.ts'), '/home/ada/diary.md'] });
    const kept = readdirSync(cacheDir).map((name) => readFileSync(join(cacheDir, name), 'latin1'));
    expect(kept).toHaveLength(2);
    expect(kept.join()).not.toContain('diary');
  });

  it('is rid of what killed programs left and of projects that nobody maps any more', async () => {
    const old = 'gone-0a1b2c3d.repomap';
    const names = [old, `${old}.answers`, `${old}.7-1-0.tmp`, 'mine.repomap', 'used-0a1b2c3d.repomap'];
    const cacheDir = project(Object.fromEntries(names.map((name) => [name, 'x'])));
    const yearAgo = new Date(Date.now() - 365 * 86_400_000);
    for (const name of names.slice(0, 4)) utimesSync(join(cacheDir, name), yearAgo, yearAgo);
    await buildRepoMap({ root: project(manyFiles(120)), cacheDir });
    const left = readdirSync(cacheDir).filter((name) => names.includes(name));
    expect(left).toEqual(['mine.repomap', 'used-0a1b2c3d.repomap']);
  });

  it('is not needed to answer', async () => {
    const root = project(small);
    const options = { root, cacheDir: join(project({ 'not-a-folder': 'x' }), 'not-a-folder') };
    const { text, issues } = await buildRepoMap(options);
    expect(text).toContain('MemoryStore');
    expect(issues.map(({ code }) => code)).toContain('CACHE_FAILED');
    // A server remembers what it cannot write.
    write(root, { 'src/main.ts': 'changed()' });
    expect((await buildRepoMap(options)).parsedFiles).toBe(1);
  });
});
