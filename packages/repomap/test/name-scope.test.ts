import { describe, expect, it } from 'vitest';
import { formOfMember, formOfName, kotlinImports, nameScopeOf } from '../src/extraction/name-scope.js';

describe('the modules that a file brings in', () => {
  const modules = (language: string, text: string) => Object.fromEntries(nameScopeOf(language, text).imports);

  it.each([
    ["import { zip } from './archive.js';\nimport fs from 'node:fs';", { './archive.js': 'import' }],
    ["import './side-effect.js';\nimport tar from 'tar';", { tar: 'import', 'tar//tar': 'imported-class' }],
    [
      "import { zip } from '@shop/archive/zip';\nimport { a } from '@/a';",
      {
        '@shop/archive/zip': 'import',
        '@shop/archive/zip//zip': 'imported-class',
        '@/a': 'import',
      },
    ],
    [
      "export * from './archive.js';\nexport { a } from './a';",
      { './archive.js': 'reexport', './a': 'reexport' },
    ],
    ["export * as zip from './archive.js';", { './archive.js': 'reexport' }],
    ["export type { Entry } from './entry.js';", { './entry.js': 'reexport' }],
    ["import { a } from './a';\nexport { b } from './a';", { './a': 'reexport' }],
    ["module.exports = require('./archive');", { './archive': 'reexport' }],
    // As in a component.
    ["  let level;\n  import {\n    zip,\n  } from './archive.js';", { './archive.js': 'import' }],
    ["const a = require('./a');\nconst text = `\n  import b from './b';`;", { './a': 'import' }],
    ["exports.zip = require('./zip');\nconst a = require('./a');", { './zip': 'reexport', './a': 'import' }],
  ])('in JavaScript: %j', (text, found) => expect(modules('typescript', text)).toEqual(found));

  it.each([
    ['from .archive import Zip', { './archive': 'import' }],
    ['from ..tools.archive import zip', { '../tools/archive': 'import', '../tools/archive/zip': 'import' }],
    [
      'from tools.archive import (zip as pack)\nfrom os import path',
      {
        'tools/archive': 'import',
        'tools/archive/as': 'import',
        'tools/archive/pack': 'import',
        'tools/archive/zip': 'import',
        'tools/archive//as': 'imported-class',
        'tools/archive//pack': 'imported-class',
        'tools/archive//zip': 'imported-class',
        os: 'import',
        'os/path': 'import',
      },
    ],
    ['from . import archive', { '.': 'import', './archive': 'import' }],
    ['import tools.archive as a, zlib', { 'tools/archive': 'import', zlib: 'import' }],
    ['import tar\nimport zlib', { tar: 'import', zlib: 'import' }],
    ['from archive import *', { archive: 'import' }],
  ])('in Python: %j', (text, found) => expect(modules('python', text)).toEqual(found));

  it.each([
    [
      'import org.junit.Test;\nimport com.example.Shop.Item ;',
      { 'junit/Test': 'imported-class', 'Shop/Item': 'imported-class' },
    ],
    [
      'import static com.example.shop.Items.first;\nimport static org.junit.Assert.*;',
      {
        'shop/Items': 'imported-class',
        '/com/example/first': 'imported-class',
        'junit/Assert': 'imported-class',
      },
    ],
    // What Java has is known; the rest names no class.
    [
      'import java.util.List;\nimport javax.inject.Named;\nimport static java.util.Map.entry;\nimport com.example.*;',
      {},
    ],
  ])('in Java: %j', (text, found) => expect(modules('java', text)).toEqual(found));

  it.each([
    ['ruby', 'module Shop\n  Cart::Item', ['Shop/', 'Cart/Item']],
    ['ruby', 'class Shop::Cart < ::Base; end', ['Shop/', 'Cart/', 'Shop/Cart']],
    ['ruby', 'A::B::C.new', ['A/B', 'B/C']],
    ['php', 'namespace Shop\\Web;\nuse Shop\\Models\\Cart;', ['Web/', 'Models/Cart']],
    ['php', 'use Shop\\{Cart, Item};\nuse Countable;', ['Shop/Cart', 'Shop/Item']],
    ['csharp', 'using Shop.Models;\r\nnamespace Shop.Web\r\n{', ['Models/', 'Web/']],
    ['csharp', 'using var cart = Open();', []],
  ])('in %s, as folders are named: %j', (language, text, found) =>
    expect(modules(language, text)).toEqual(
      Object.fromEntries(found.map((name) => [name, 'imported-class'])),
    ),
  );

  it('in Kotlin, but of its own packages', () =>
    expect(
      Object.fromEntries(
        kotlinImports(
          'package com.shop.list\nimport com.shop.Item\nimport com.other.list.zip as pack\nimport okio.Buffer;\nimport org.junit.*\n',
        ),
      ),
    ).toEqual({ '/com/other/zip': 'imported-class', '/okio/Buffer': 'imported-class' }));

  it('are not looked for in other languages', () => expect(modules('go', 'import "archive"')).toEqual({}));
});

describe('the names that a file brings in', () => {
  const bound = (language: string, text: string) => {
    const names = nameScopeOf(language, text).bound;
    return names && [...names].filter((name) => !/^(?:as|default|type)$/.test(name)).sort();
  };

  it.each([
    ["import tar, { zip as pack } from './archive.js';", ['pack', 'tar', 'zip']],
    ["import type { Entry } from './entry.js';", ['Entry']],
    ["import * as archive from './archive.js';", ['archive']],
    ["import {\n  zip,\n  unzip,\n} from './archive.js';", ['unzip', 'zip']],
    ["export { zip } from './archive.js';", ['zip']],
    ["const { zip, unzip: open } = require('./archive');", ['open', 'unzip', 'zip']],
    ["const archive = await import('./archive.js');\nexport const x = 1;", ['archive']],
    ["import { join } from 'node:path';\nimport { readFileSync } from 'fs';", []],
    ["import { test } from 'bun:test';\nimport { zip } from 'https://example.com/zip.ts';", []],
    ["import { zip } from 'utils/zip';\nimport { open } from 'fs-extra';", ['open', 'zip']],
    ["import './side-effect.js';", []],
    ['const zip = 1;\nmodule.exports = { zip };', []],
    ["import $tar, { zip$ } from './archive.js';", ['$tar', 'zip$']],
    ["import tar, * as archive from './archive.js';", ['archive', 'tar']],
    ["import{zip}from'./archive.js'", ['zip']],
    ["import type from './archive.js';\nimport from from './from.js';", ['from']],
    ["import archive = require('./archive');", ['archive']],
    ["var archive = require('./archive'),\n  { zip } = require('./zip');", ['archive', 'zip']],
    ["import type archive = require('./archive');", ['archive']],
  ])('in JavaScript: %j', (text, names) => expect(bound('typescript', text)).toEqual(names));

  it.each([
    ['from archive import zip, unzip as open_it', ['open_it', 'unzip', 'zip']],
    ['from .archive import (\n    zip,\n    unzip,\n)', ['unzip', 'zip']],
    ['from archive import zip, \\\n    unzip', ['unzip', 'zip']],
    ['from . import (  # (E402)\n    zip,  #\n    unzip,\n)', ['E402', 'unzip', 'zip']],
    ['import tools.archive as archive', ['archive', 'tools']],
    ['x = 1', []],
  ])('in Python: %j', (text, names) => expect(bound('python', text)).toEqual(names));

  it.each([
    ['javascript', 'zip("a script of a page");'],
    ['python', 'from archive import *'],
    ['go', 'import "archive"'],
  ])('are not known in %s: %s', (language, text) => expect(bound(language, text)).toBeUndefined());

  it.each([
    ['typescript', 'import a', ' '],
    ['typescript', 'import type', '\n'],
    ['typescript', 'import a,', ' '],
    ['python', 'from a import (', '#'],
  ])('are found in linear time in %s that goes on with nothing: %j', (language, start, filling) => {
    // In cubic time it would take longer than a test may.
    expect(bound(language, `${start}${filling.repeat(8_000)}x`)).toBeDefined();
  });
});

describe('what a mention can mean', () => {
  const formOf = (language: string, text: string) => {
    const scope = nameScopeOf(language, text);
    return formOfMember('pack', { text, start: text.lastIndexOf('pack'), scope });
  };

  it.each([
    ['typescript', "import { zip } from './zip.js';\nrows.pack()", 'method'],
    ['typescript', "import { zip } from './zip.js';\nrows?.pack()", 'method'],
    ['typescript', "import { zip } from './zip.js';\nthis.rows.pack()", 'method'],
    ['typescript', "import * as zip from './zip.js';\nzip.pack()", 'any'],
    ['typescript', "import * as zip from './zip.js';\nother.zip.pack()", 'method'],
    ['typescript', "import { zip } from './zip.js';\nJSON.pack()", undefined],
    ['typescript', "import zip from 'node:zlib';\nzip.pack()", undefined],
    ['javascript', "const zip = require('zlib');\nzip.pack()", undefined],
    ['javascript', "const zip = require('./zip');\nrows.pack()", 'any'],
    ['javascript', "const zip = require('./zip');\nJSON.pack()", undefined],
    ['javascript', 'rows.pack("in a script of a page")', 'any'],
    ['javascript', 'JSON.pack("in a script of a page")', undefined],
    ['python', 'import zip\nzip.pack()', 'any'],
    ['python', 'import zip\nself.pack()', 'method'],
    ['python', 'import zip, json as zipped\nzip.pack()', 'any'],
    ['python', 'import zip, json as zipped\nzipped.pack()', undefined],
    ['python', 'from os import path\npath.pack()', undefined],
    ['python', 'from .os import path\npath.pack()', 'any'],
    ['rust', 'rows.pack()', 'method'],
    ['java', 'rows.pack()', 'method'],
    ['java', 'import java.util.Zip;\nZip.pack()', 'standard'],
    ['java', 'import com.example.Zip;\nZip.pack()', 'method'],
    ['csharp', 'Console.pack()', 'standard'],
  ])('in %s: %j', (language, text, form) => expect(formOf(language, text)).toBe(form));

  const formOfLast = (language: string, text: string, name: string) => {
    return formOfName(name, { text, start: text.lastIndexOf(name), scope: nameScopeOf(language, text) });
  };

  it('is nothing of another file where the name was not brought in', () => {
    const module = "import { zip } from './zip.js';\nzip(rows)";
    expect(formOfLast('typescript', module, 'zip')).toBe('any');
    expect(formOfLast('typescript', module, 'rows')).toBe('unbound');
    expect(formOfLast('ruby', 'rows', 'rows')).toBe('any');
  });

  it.each([
    ['cpp', 'std::chrono::Duration d;', 'standard'],
    ['cpp', 'own::std::Duration d;', 'any'],
    ['cpp', 'Duration d;', 'any'],
    ['c', 'std::Duration', 'any'],
    ['rust', 'let d: Option<u8>; std::time::Duration', 'standard'],
    ['rust', 'use std::time::{self, Duration};\nDuration', 'standard'],
    ['rust', 'use std::time;\ntime::Duration', 'standard'],
    ['rust', 'use crate::time;\ntime::Duration', 'any'],
    ['rust', 'use crate::Duration;\nDuration', 'any'],
    ['go', 'import "time"\ntime.Duration', 'standard'],
    ['go', 'import (\n\tclock "time" // of the system\n)\nclock.Duration', 'standard'],
    ['go', 'import "math/rand/v2"\nrand.Duration', 'standard'],
    ['go', 'import "example.com/time"\ntime.Duration', 'any'],
    ['go', 'names := []string{\n"time",\n}\ntime.Duration', 'any'],
    ['go', 'import "time"\nown.time.Duration', 'any'],
    ['java', 'import java.time.Duration;\nDuration', 'standard'],
    ['java', 'import static java.util.Units.Duration;\nDuration', 'standard'],
    ['java', 'import com.example.Duration;\nDuration', 'any'],
    ['csharp', 'System.Duration', 'standard'],
    ['csharp', 'Duration', 'any'],
    ['typescript', "import { Duration } from 'node:util';\nDuration", 'standard'],
    ['javascript', "const { Duration } = require('util');\nDuration", 'standard'],
    ['python', 'from datetime import Duration\nDuration', 'standard'],
    ['python', 'from .datetime import Duration\nDuration', 'any'],
    ['python', 'from clock import Duration\nfrom datetime import Duration\nDuration', 'any'],
    ['kotlin', 'import kotlin.time.Duration\nDuration', 'standard'],
    ['scala', 'import scala.concurrent.duration.{ Duration, FiniteDuration }\nDuration', 'standard'],
    ['scala', 'import shop.time.Duration\nDuration', 'any'],
    ['zig', 'std.time.Duration', 'standard'],
    ['zig', 'const time = std.time;\ntime.Duration', 'standard'],
    ['zig', 'const Duration = std.time.Duration;\nDuration', 'standard'],
    ['zig', 'const time = @import("time.zig");\ntime.Duration', 'any'],
    ['lua', 'os.Duration', 'standard'],
    ['lua', 'lfs.Duration', 'standard'],
    ['lua', 'local insert, Duration = table.insert, table.Duration\nDuration()', 'standard'],
    ['lua', 'local Duration = clock.Duration\nDuration()', 'any'],
    ['lua', 'os:Duration()', 'any'],
  ])('is that of the standard library in %s: %j', (language, text, form) =>
    expect(formOfLast(language, text, 'Duration')).toBe(form),
  );

  it.each([
    ['string', 'standard'],
    ['error', 'standard'],
    ['len', 'standard'],
    ['min', 'any'],
    ['Error', 'any'],
  ])('is what Go has without an import: %s', (name, form) =>
    expect(formOfLast('go', `var x ${name}`, name)).toBe(form),
  );

  it.each([
    ['java', 'String', 'String name;', 'standard'],
    ['kotlin', 'Thread', 'Thread.sleep(1)', 'standard'],
    ['java', 'String', 'Value.String name;', 'any'],
    ['java', 'Runtime', 'import com.example.Runtime;\nRuntime runtime;', 'any'],
    ['java', 'Error', 'Error error;', 'any'],
    ['java', 'MAX_VALUE', 'int n = Integer.MAX_VALUE;', 'standard'],
    ['kotlin', 'MAX_VALUE', 'val n = Int.MAX_VALUE', 'standard'],
    ['java', 'MAX_VALUE', 'import static com.example.Limits.MAX_VALUE;\nint n = Limits.MAX_VALUE;', 'any'],
  ])('is what Java has without an import: in %s %s of %j', (language, name, text, form) =>
    expect(formOfLast(language, text, name)).toBe(form),
  );

  it.each([
    ['kotlin', 'names.toList()', 'standard'],
    ['kotlin', 'import com.example.toList\nnames.toList()', 'any'],
    ['kotlin', 'import kotlin.collections.toList\nnames.toList()', 'standard'],
    ['scala', 'import shop.syntax.{ toList, toSet }\nnames.toList', 'any'],
  ])('is what collections have, or a file brings in for them: in %s, %j', (language, text, form) =>
    expect(formOfLast(language, text, 'toList')).toBe(form),
  );

  it.each([
    ['Vec::with_capacity(8)', 'standard'],
    ['Rows::with_capacity(8)', 'any'],
    ['use shop::Vec;\nVec::with_capacity(8)', 'any'],
  ])('is what types have that Rust brings along: %j', (text, form) =>
    expect(formOfLast('rust', text, 'with_capacity')).toBe(form),
  );

  it.each([
    ['rust', 'read().map_err(wrong)', 'map_err', 'standard'],
    ['csharp', 'order.GetType()', 'GetType', 'standard'],
    ['csharp', 'order.GetTotal()', 'GetTotal', 'method'],
    ['typescript', 'import x from "./x";\nlist.addEventListener("click", x)', 'addEventListener', 'standard'],
  ])('is what nearly all values have: in %s, %j', (language, text, name, form) => {
    const scope = nameScopeOf(language, text);
    expect(formOfMember(name, { text, start: text.indexOf(name), scope })).toBe(form);
  });

  it.each([
    ['order.apply { send() }', 'standard'],
    ['apply(order)', 'any'],
    ['import shop.apply\norder.apply(rebate)', 'any'],
  ])('is what all values of Kotlin have: %j', (text, form) =>
    expect(formOfLast('kotlin', text, 'apply')).toBe(form),
  );

  it.each([
    ['send(pid, :stop)', 'standard'],
    ['Shop.Mail.send(mail)', 'any'],
  ])('is what a file of Elixir has from Kernel: %j', (text, form) =>
    expect(formOfLast('elixir', text, 'send')).toBe(form),
  );

  it.each([
    ['explode', 'explode(",", $names)', 'standard'],
    ['explode', '$names->explode(",")', 'any'],
    ['getMessage', '$error->getMessage()', 'standard'],
    ['getMessage', 'Mail::getMessage()', 'any'],
    ['Exception', 'use Exception;\nnew Exception()', 'standard'],
    ['Exception', 'throw new \\Exception()', 'standard'],
    ['Exception', 'use Shop\\Exception;\nnew Exception()', 'any'],
    ['Exception', 'new Exception()', 'any'],
  ])('is what PHP has without a namespace: %s in %j', (name, text, form) =>
    expect(formOfLast('php', text, name)).toBe(form),
  );

  it.each([
    ['lookup name shelf', 'standard'],
    ['import Prelude hiding (lookup)\nlookup name shelf', 'any'],
    ['import Shop.Shelf (Shelf (..), lookup)\nlookup name shelf', 'any'],
    ['import Shop.Shelf\n  ( Shelf\n  , lookup\n  )\nlookup name shelf', 'any'],
    ['import qualified Shop.Shelf (lookup)\nlookup name shelf', 'standard'],
    ['import qualified Data.Map.Strict as Shelf\nShelf.lookup name shelf', 'standard'],
    ['import Data.Map qualified as Shelf\nShelf.lookup name shelf', 'standard'],
    ['import Control.Monad.Shelf as Shelf\nShelf.lookup name shelf', 'any'],
    ['Shelf.lookup name shelf', 'any'],
  ])('is what Haskell has, unless it is hidden or comes from elsewhere: %j', (text, form) =>
    expect(formOfLast('haskell', text, 'lookup')).toBe(form),
  );

  it.each([
    ['LoadError', 'rescue LoadError', 'standard'],
    ['LoadError', 'rescue Shop::LoadError', 'any'],
    ['class_eval', 'Order.class_eval', 'standard'],
    ['basename', 'File.basename(path)', 'standard'],
    ['basename', 'Shop::File.basename(path)', 'any'],
    ['basename', 'order.basename', 'any'],
  ])('is what Ruby has without a require: %s in %j', (name, text, form) =>
    expect(formOfLast('ruby', text, name)).toBe(form),
  );

  it.each([
    ['open(my $file)', 'standard'],
    ['CORE::open(my $file)', 'standard'],
    ['$file->open', 'any'],
    ['Store::open($file)', 'any'],
  ])('is what Perl has without an import: %s', (text, form) =>
    expect(formOfLast('perl', text, 'open')).toBe(form),
  );

  it.each([
    ['Default', '', 'standard'],
    ['assert_eq', '', 'standard'],
    ['Default', 'use crate::settings::Default;\n', 'any'],
  ])('is that of the standard library in Rust without a use: %s, %j', (name, use, form) =>
    expect(formOfLast('rust', `${use}${name}`, name)).toBe(form),
  );
});
