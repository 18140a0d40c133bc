import { describe, expect, it } from 'vitest';
import { DirectoryTrails } from '../src/ranks/directory-trails.js';
import { endOfModule, endsOfFile, mayBeInPackage, ModuleNames } from '../src/ranks/module-names.js';

describe('the file that an import means', () => {
  const paths = [
    '__init__/rules.ts',
    '.tools/run.ts',
    'app/views/list.ts',
    'app/views/list/index.ts',
    'app/views/main.ts',
    'app/views/page.astro',
    'app/views/tool.mts',
    'app/widgets/Card.vue',
    'app/widgets/slider.svelte',
    'flask/__init__.py',
    'flask/app.py',
    'flask/json/__init__.py',
    'flask/json/tag.py',
    'flask/types.pyi',
    'index.ts',
    'json.go',
    'packages/graph/src/errors.ts',
    'packages/graph/src/index.ts',
    'packages/graph/test/graph.test.ts',
    'packages/web/src/errors.ts',
    'scripts/helper.py',
    'scripts/release.py',
    'shop/src/lib/money.ts',
    'shop/src/till/drawer.ts',
    'shop/src/till/money.ts',
  ].sort();
  const names = new ModuleNames(paths, new DirectoryTrails(paths));
  const meant = (module: string, from: string) =>
    names.filesOf(module, paths.indexOf(from)).map((file) => paths[file]);

  it.each([
    ['./list', 'app/views/main.ts', ['app/views/list.ts', 'app/views/list/index.ts']],
    ['./list.js', 'app/views/main.ts', ['app/views/list.ts', 'app/views/list/index.ts']],
    ['./list/', 'app/views/main.ts', []],
    ['./missing', 'app/views/main.ts', []],
    ['./tool.mjs', 'app/views/main.ts', ['app/views/tool.mts']],
    ['./page.astro', 'app/views/main.ts', ['app/views/page.astro']],
    ['../widgets/Card.vue', 'app/views/main.ts', ['app/widgets/Card.vue']],
    ['$lib/widgets/slider.svelte', 'app/views/main.ts', ['app/widgets/slider.svelte']],
    ['./list', 'app/widgets/Card.vue', []],
    ['../views/main', 'app/widgets/Card.vue', ['app/views/main.ts']],
    ['..', 'app/views/list.ts', []],
    ['.', 'app/views/list/index.ts', ['app/views/list/index.ts']],
    ['../..', 'app/views/main.ts', ['index.ts']],
    ['../../../../index.js', 'app/views/main.ts', ['index.ts']],
    ['./.tools/run', 'index.ts', ['.tools/run.ts']],
    ['../src/errors', 'packages/graph/test/graph.test.ts', ['packages/graph/src/errors.ts']],
    ['~/views/main', 'packages/web/src/errors.ts', ['app/views/main.ts']],
    ['#/views/main', 'packages/web/src/errors.ts', ['app/views/main.ts']],
    ['#views/main', 'packages/web/src/errors.ts', ['app/views/main.ts']],
    ['@/views/main', 'packages/web/src/errors.ts', ['app/views/main.ts']],
    ['@/lib/money', 'shop/src/till/drawer.ts', ['shop/src/lib/money.ts']],
    ['@/lib/till/money', 'shop/src/lib/money.ts', ['shop/src/till/money.ts']],
    ['@scope/graph', 'app/views/main.ts', ['packages/graph/src/index.ts']],
    ['@scope/graph/errors', 'app/views/main.ts', ['packages/graph/src/errors.ts']],
    ['@scope/graph/', 'app/views/main.ts', ['packages/graph/src/index.ts']],
    ['graph', 'app/views/main.ts', ['packages/graph/src/index.ts']],
    ['errors', 'app/views/main.ts', []],
    ['@scope/lib', 'app/views/main.ts', []],
    ['@/errors', 'packages/web/src/errors.ts', ['packages/web/src/errors.ts']],
    ['json', 'index.ts', []],
    ['./app', 'flask/__init__.py', ['flask/app.py']],
    ['..', 'flask/json/tag.py', ['flask/__init__.py']],
    ['./json', 'flask/app.py', ['flask/json/__init__.py']],
    ['flask/json', 'scripts/release.py', ['flask/json/__init__.py']],
    ['flask/types', 'scripts/release.py', ['flask/types.pyi']],
    ['json', 'flask/app.py', []],
    ['helper', 'index.ts', []],
    ['helper', 'scripts/release.py', ['scripts/helper.py']],
    ['flask/tag', 'scripts/release.py', []],
  ])('%s in %s', (module, from, files) => expect(meant(module, from)).toEqual(files));

  it('may be a package as well as a file of its name', () => {
    const both = ['graph.ts', 'main.ts', 'packages/graph/src/index.ts'];
    const found = new ModuleNames(both, new DirectoryTrails(both)).filesOf('@scope/graph', 1);
    expect(found.map((file) => both[file])).toEqual(['graph.ts', 'packages/graph/src/index.ts']);
  });

  it.each([
    ['@shop/cart', 'packages/shop/cart/item.ts', true],
    ['@shop/cart/item', 'shop-cart/src/item.ts', true],
    ['@shop/cart', 'cart/item.ts', false],
    ['cart/item', 'cart/item.ts', true],
    ['cart', 'shop-cart/item.ts', false],
  ])('may be of %s: %s: %s', (module, path, may) => expect(mayBeInPackage(path, module)).toBe(may));

  it('ends as the module does', () => {
    for (const module of [
      '.',
      './list',
      './list/index',
      '#list',
      '..',
      '../src',
      '@/views/list',
      'graph',
      '@scope/graph/src',
      'flask/json',
    ])
      for (const from of paths)
        for (const file of meant(module, from))
          expect(endsOfFile(file!), `${module} ${file}`).toContain(endOfModule(module));
  });
});
