import { describe, expect, it } from 'vitest';
import {
  hasMarkupInScript,
  isComponentFile,
  scriptOf,
  withComponents,
} from '../src/extraction/component-file.js';

describe('the script of a component', () => {
  it.each([
    ['<p>a</p>\n<script>\nlet b\n</script>\n<p>c</p>', 'let b'],
    [
      '<script setup generic="T extends Map<string, \'>\'>">let a</script ><script>let b</script>',
      'let a let b',
    ],
    ['<SCRIPT TYPE="module">let a</SCRIPT>', 'let a'],
    ["<script type='text/typescript'>let a</script>", 'let a'],
    ['<script type=application/json>{}</script><script>let b</script>', 'let b'],
    ['<script data-type="chart">let a</script>', 'let a'],
    ['<scripted>let a</scripted><script>let b</script>', 'let b'],
    ['---\nconst a = 1;\n---\n<p>a</p><script>let b</script>', 'const a = 1; let b'],
    ['---\n---\n<script>let a</script>', 'let a'],
    ['<p>a</p>\n---\nlet b\n---\n', ''],
    ['---\nnever closed', ''],
    ['<script>never closed', ''],
    ['<script lang="never closed>let a</script>', ''],
  ])('%j', (text, script) => {
    const found = scriptOf(text);
    expect(found.trim().split(/\s+/).join(' ')).toBe(script);
    // Every position is what it was.
    expect(found).toHaveLength(text.length);
    for (const [at, character] of [...found].entries()) expect([' ', text[at]]).toContain(character);
    expect(found.match(/\n/g)).toEqual(text.match(/\n/g));
  });

  it('is found in time that grows with the text', () => {
    for (const part of [
      '<script ',
      '<script>',
      '<script a="',
      '<script a="">',
      '<script></script>',
      '---\n',
    ]) {
      const text = part.repeat(100_000);
      expect(scriptOf(text)).toHaveLength(text.length);
      expect(hasMarkupInScript(text)).toBe(false);
    }
  });
});

describe('a component', () => {
  const tagsOf = (path: string, text: string) =>
    withComponents({ definitions: [], references: { any: new Map([['Card', 1]]) } }, path, text);

  it.each([
    ['src/user-card.vue', 'UserCard'],
    ['src/player.svelte', 'Player'],
    // Routes.
    ['src/+page.svelte', undefined],
    ['src/index.vue', undefined],
    ['src/[slug].astro', undefined],
  ])('has the name of its file where that is one: %s', (path, name) => {
    expect(tagsOf(path, '').definitions.map((definition) => definition.name)).toEqual(name ? [name] : []);
  });

  it('mentions what its script and its markup do', () => {
    const { any } = tagsOf('a.vue', '<Card /><base-button /><base-button />').references;
    expect(any).toEqual(
      new Map([
        ['Card', 2],
        ['BaseButton', 2],
      ]),
    );
  });

  it('is no test of it', () => expect(isComponentFile('src/card.vue.test.ts')).toBe(false));
});
