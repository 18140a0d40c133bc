import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readTags } from '../src/extraction/file-tags.js';
import { ParseTimeoutError } from '../src/extraction/parse-timeout.js';
import { extractWithRegex } from '../src/extraction/regex-extractor.js';
import { TreeSitterExtractor } from '../src/extraction/tree-sitter-extractor.js';
import { project } from './project.js';
import { SeededRandom } from '../../../test/seeded-random.js';

const fixtures = fileURLToPath(new URL('fixtures', import.meta.url));

/** What bench/fuzz.mjs does for minutes, in small: cut, shuffled, overwritten, unbalanced and random text. */
const BREAKS: readonly ((text: string, random: SeededRandom) => string)[] = [
  (text, random) => text.slice(0, random.below(text.length)),
  (text, random) => text.slice(random.below(text.length)),
  (text, random) => random.shuffle(text.split('\n')).join('\n'),
  (text, random) => random.shuffle(text.split(/\b/)).join(''),
  (text, random) => text.replace(/[)}\]"'`]/g, (mark) => (random.below(4) === 0 ? '' : mark)),
  (text, random) =>
    text.replace(/./g, (mark) =>
      random.below(20) === 0 ? String.fromCharCode(33 + random.below(200)) : mark,
    ),
  (_, random) => Array.from({ length: 500 }, () => String.fromCharCode(33 + random.below(0x3000))).join(''),
];

describe('broken files', () => {
  // Without care the grammar ends the process here, and this test with it.
  it.each(['<<"', "<<~'", '<<`', '<<-', '<<'])(
    'Ruby with a word of a heredoc without end: %s',
    async (start) => {
      const text = `def before; end\nlog ${start}${'line_'.repeat(60)}\n\ndef after\nend\n`;
      const { tags, issue } = await readTags(project({ 'a.rb': text }), 'a.rb');
      expect(issue).toBeUndefined();
      expect(tags?.definitions.map(({ name }) => name)).toContain('before');
    },
  );

  // Whether each of them ends somewhere takes up to a millisecond to find out, of a million characters minutes.
  it.each([
    ['perl', '<<a '],
    ['elixir', '~s( '],
    ['swift', '#" '],
    ['r', 'r"( '],
    ['haskell', '[a| '],
  ])('of %s with beginnings alone are given up where time is over: %s', (language, beginning) => {
    const text = beginning.repeat(100);
    expect(() => extractWithRegex(language, text, 0)).toThrow('finding comments and strings took too long');
  });

  it('of many comments between signatures of TypeScript do not take forever', async () => {
    const comments = '/** x */\n'.repeat(60);
    const text = `interface A {\n  (): B\n${comments}  c(): D\n}\nfunction last() {\n  return (\n    <any>1\n  );\n}\n`;
    const { tags } = await readTags(project({ 'a.ts': text }), 'a.ts');
    expect(tags!.definitions.map(({ name }) => name)).toEqual(['A', 'c', 'last']);
  });

  it('that take too long leave a parser that reads the next', async () => {
    const extractor = new TreeSitterExtractor(200);
    const tooMuch = extractor.extract('javascript', 'f(1);\n'.repeat(1_000_000));
    await expect(tooMuch).rejects.toThrow(ParseTimeoutError);
    const { definitions } = await extractor.extract('javascript', 'class Next {}\n');
    expect(definitions).toEqual([{ name: 'Next', kind: 'class', line: 1 }]);
  });

  // Without care, patterns take minutes to hours for one of these.
  it.each([
    ['a.lua', `local${'\t'.repeat(10_000)}`],
    ['b.lua', `x = "${'\\z '.repeat(40)}`],
    ['a.hs', `data${' '.repeat(10_000)}`],
    ['b.hs', `foreign import${' '.repeat(10_000)}`],
    ['a.dart', `final${' '.repeat(19_000)}`],
    ['a.java', `import a.${'b'.repeat(19_000)}!\n`.repeat(40)],
    ['a.cs', `  extension${'\n'.repeat(500_000)}`],
    ['a.ts', `interface A {\n  b(): void\n  ${'/'.repeat(60)}\n  c(): void\n  <a`],
    ['a.pl', `<<${'a'.repeat(19_000)}\n`.repeat(20)],
    ['b.ts', `${`${'):a/*'.repeat(90)}\n`.repeat(150)}*/\n  <a`],
  ])('with one sign again and again are read: %s', async (name, text) => {
    const root = project({ [name]: `${text}!\n${'\n'.repeat(2_000)}` });
    const { tags, issue } = await readTags(root, name);
    expect(issue).toBeUndefined();
    expect(tags).toBeDefined();
  });

  it('deleted since they were listed are no issue', async () => {
    expect(await readTags(project({}), 'gone.ts')).toMatchObject({ tags: undefined, issue: undefined });
  });

  for (const name of readdirSync(fixtures)) {
    it(`like ${name} are read without an error`, async () => {
      const random = new SeededRandom(name.length);
      const text = readFileSync(`${fixtures}/${name}`, 'utf8');
      for (const [number, broken] of BREAKS.entries()) {
        const root = project({ [name]: broken(text, random) });
        const { tags, issue } = await readTags(root, name);
        expect(issue, `break ${number}`).toBeUndefined();
        const lines = readFileSync(`${root}/${name}`, 'utf8').split('\n').length;
        for (const { line } of tags?.definitions ?? []) expect(line).toBeLessThanOrEqual(lines);
      }
    });
  }
});
