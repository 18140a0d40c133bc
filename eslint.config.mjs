import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/** Which layer may import which: downward only, and never sideways among the services. */
const layers = {
  domain: [],
  core: ['domain', 'core'],
  platform: ['domain'],
  service: ['domain', 'core', 'platform'],
  interface: ['domain', 'core', 'platform', 'service'],
  app: ['domain', 'core', 'platform', 'service', 'interface'],
};

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/fixtures/**', 'test/boundaries/canary/**'] },
  ...tseslint.configs.recommended,
  ...tseslint.configs.stylistic,
  {
    files: ['**/*.ts', '**/*.mjs'],
    plugins: { '@nx': nx },
    rules: {
      'no-empty': 'error',
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ImportDeclaration[source.value="zod"] > ImportSpecifier[imported.name="z"]',
          message: "Write `import * as z from 'zod'`: a bundle leaves out its messages in 64 languages then.",
        },
      ],
      eqeqeq: 'error',
      'prefer-const': 'error',
      complexity: ['error', 20],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@nx/enforce-module-boundaries': [
        'error',
        {
          allow: [],
          banTransitiveDependencies: false,
          depConstraints: Object.entries(layers).map(([layer, below]) => ({
            sourceTag: `layer:${layer}`,
            onlyDependOnLibsWithTags: below.map((name) => `layer:${name}`),
          })),
        },
      ],
    },
  },
  {
    // The core is pure: no I/O, no clock, no logging, no await.
    files: ['packages/algorithms/src/**/*.ts', 'packages/graph/src/**/*.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: ['node:*', 'fs', 'path', 'os'] }],
      'no-restricted-globals': [
        'error',
        ...['process', 'fetch', 'performance', 'globalThis', 'require'],
        ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'],
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'AwaitExpression', message: 'The core never awaits.' },
        { selector: ':function[async=true]', message: 'The core never awaits.' },
        { selector: 'ImportExpression', message: 'The core loads nothing at run time.' },
        {
          selector: 'MemberExpression[object.name="Date"][property.name="now"]',
          message: 'The core reads no clock.',
        },
        {
          selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
          message: 'The core reads no clock.',
        },
        {
          selector: 'MemberExpression[object.name="Math"][property.name="random"]',
          message: 'The core is deterministic.',
        },
      ],
    },
  },
  {
    // Command-line programs and tests talk to a terminal.
    files: ['apps/**', 'tools/**', 'test/**', 'packages/*/test/**', 'packages/*/bench/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['packages/*/test/**', 'test/**', 'tools/**', 'packages/*/bench/**'],
    rules: { '@nx/enforce-module-boundaries': 'off', complexity: 'off' },
  },
);
