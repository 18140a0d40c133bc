import { describe, expect, it } from 'vitest';
import { hasMarkupInScript, scriptOf } from '../src/extraction/component-file.js';

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
    ['<scripted>let a</scripted>', ''],
    ['---\nconst a = 1;\n---\n<p>a</p><script>let b</script>', 'const a = 1; let b'],
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
