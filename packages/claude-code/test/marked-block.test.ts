import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { filesWithBlock, keepBlock } from '../src/claude-md/kept-files.js';
import { withBlock, withoutBlock } from '../src/claude-md/marked-block.js';

describe('the block in CLAUDE.md', () => {
  it('is looked for where it was put, and in no file that is gone since', () => {
    const home = temporaryFolder();
    const file = join(home, 'CLAUDE.md');
    expect(keepBlock(home, file, 'Look there.')).toBe('updated');
    expect(filesWithBlock(home)).toEqual([file]);
    rmSync(file);
    expect(filesWithBlock(home)).toEqual([]);
  });

  it.each([
    ['a usual file', '# Rules\n\nUse tabs.\n'],
    ['a file without a line break at its end', '# Rules'],
    ['a file with empty lines at its end', '# Rules\n\n\n'],
    ['Windows line breaks', '# Rules\r\n\r\nUse tabs.\r\n'],
    ['a file that ends in half a Windows line break', '# Rules\r'],
    ['an empty file', ''],
  ])('comes and goes without a trace in %s', (_, text) => {
    const once = withBlock(text, 'Look there.\n\nFirst.');
    expect(once.startsWith(text)).toBe(true);
    expect(once).toContain('Look there.');
    expect(withBlock(once, 'Look there.\n\nFirst.')).toBe(once);
    const changed = withBlock(once, 'Look here.');
    expect(changed).not.toContain('Look there.');
    expect(withoutBlock(changed)).toBe(text);
    if (text.includes('\r\n')) expect(changed.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('stays where the user moved it, and what is around it stays as well', () => {
    const block = withBlock('', 'Look there.').trimEnd();
    const text = `# Rules\n\n${block}\n\n## More\n`;
    expect(withBlock(text, 'Look $& here.')).toBe(text.replace('Look there.', () => 'Look $& here.'));
    expect(withoutBlock(text)).toBe('# Rules\n\n## More\n');
  });

  it.each(['\n', '\r\n'])(
    'joins no lines where the user took out the empty ones around it (%j)',
    (newline) => {
      const block = withBlock('', 'Look there.').trimEnd();
      const text = ['# Rules', block, '## More', ''].join(newline);
      expect(withoutBlock(text)).toBe(['# Rules', '## More', ''].join(newline));
    },
  );

  it('takes nothing with it that was written where its end was deleted', () => {
    const block = withBlock('', 'Look there.').trimEnd();
    const text = `${block.replace(/\n[^\n]*$/, '')}\n\nRules of mine.\n`;
    const twice = withBlock(withBlock(text, 'Look here.'), 'Look anywhere.');
    expect(twice).toContain('Rules of mine.');
    expect(withoutBlock(twice)).toBe(text);
  });

  it('is soon found to be none where a line of a megabyte begins one again and again', () => {
    const text = `${'<!-- causantic:begin '.repeat(50_000)}\n`;
    expect(withoutBlock(text)).toBe(text);
  });

  it('is not looked for where there is none', () => {
    expect(withoutBlock('# Rules\n<!-- causantic -->\n')).toBe('# Rules\n<!-- causantic -->\n');
  });
});
