import { describe, expect, it } from 'vitest';
import { isTestPath } from '../src/files/test-paths.js';

describe('a test path', () => {
  it.each([
    'test/a.ts',
    'Tests/ParserTests/Helpers.swift',
    'src/commonTest/kotlin/Fakes.kt',
    'src/testFixtures/java/Fakes.java',
    'Shop.Tests/Builder.cs',
    'Examples/Todos/Todos.swift',
    'Benchmarks/Package.swift',
    'lib/store_test.dart',
    'shop/test_cart.py',
    'CacheTest.php',
    'src/button/Button.stories.tsx',
    'cypress/support/commands.js',
    'src/login.e2e.ts',
    't/lib/Fakes.pm',
    'xt/author.pl',
    'modules/Shop/t/t0001-cart.sh',
    'lib/Shop/cart.t',
    'shop/conftest.py',
    'crates/shop/benches/cart.rs',
    'crates/shop/src/tests.rs',
    'src/io/test.zig',
    'src/lsm/tree_fuzz.zig',
    'base/spinlock_benchmark.cc',
    'base/spinlock_unittest.cc',
    'fuzz/fuzz_targets/cart.rs',
    'example_app/lib/cart.dart',
    'test-utils/render.ts',
    'transforms/cart/__testfixtures__/basic.input.js',
    '__test__/verify.sh',
    'src/Ftp/FtpAdapterTestCase.php',
  ])('is %s', (path) => expect(isTestPath(path)).toBe(true));

  it.each([
    'src/latest/a.ts',
    'src/contest/a.py',
    'lib/attest.rb',
    'shop/latest_cart.py',
    'app/models/stories.rb',
    'src/stories/index.ts',
    'app/t/page.tsx',
    'src/commands/test.ts',
    'src/spec.go',
    'test-runner/src/run.ts',
    'lib/fuzzy/match.ts',
    'lib/Shop/T/Cart.pm',
    // The package that starter projects have.
    'src/main/java/com/example/demo/Application.java',
  ])('is not %s', (path) => expect(isTestPath(path)).toBe(false));
});
