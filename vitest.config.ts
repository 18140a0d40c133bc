import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/fixtures/**'],
    // Native modules share state between the threads of a process; processes keep test files apart.
    pool: 'forks',
    // One core less, the default, is half of a small machine.
    maxWorkers: '100%',
    // Limits against hanging, not expectations: a busy machine may be ten times slower.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
