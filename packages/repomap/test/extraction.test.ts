import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { readTags } from '../src/extraction/file-tags.js';
import { LANGUAGES } from '../src/extraction/languages.js';
import type { ReferenceForm } from '../src/tags.js';

const fixtures = fileURLToPath(new URL('fixtures', import.meta.url));
const snapshots = fileURLToPath(new URL('expected', import.meta.url));

/** What is shown of the names a fixture refers to, beside what it imports. */
const LABELS: Partial<Record<ReferenceForm, string>> = {
  any: 'references',
  type: 'types',
  function: 'functions',
  variable: 'variables',
  method: 'methods',
  unbound: 'unbound',
  standard: 'standard',
  uncalled: 'uncalled',
  bare: 'bare',
  nested: 'nested',
};

/** One line a definition, as in the source, then the names it refers to. */
async function extracted(file: string, folder = fixtures): Promise<string> {
  const { tags, issue } = await readTags(folder, file);
  if (issue) throw new Error(issue.message);
  const { language, definitions, references } = tags!;
  return [
    LANGUAGES[language]!.name,
    ...definitions.map(({ line, kind, name }) => `${line} ${kind} ${name}`),
    ...Object.entries(LABELS).flatMap(([form, label]) => {
      const names = references[form as ReferenceForm];
      return names ? [`${label}: ${counted(names)}`] : [];
    }),
    '',
  ].join('\n');
}

function counted(names: ReadonlyMap<string, number>): string {
  return [...names]
    .map(([name, count]) => (count > 1 ? `${name}×${count}` : name))
    .sort()
    .join(' ');
}

describe('extraction', () => {
  for (const file of readdirSync(fixtures)) {
    it(file, async () => {
      await expect(await extracted(file)).toMatchFileSnapshot(`${snapshots}/${file}.txt`);
    });
  }

  it('takes the line ends of Windows for what they are', async () => {
    const folder = temporaryFolder();
    const windows = (text: string) => text.replaceAll('\n', '\r\n');
    for (const file of readdirSync(fixtures)) {
      writeFileSync(`${folder}/${file}`, windows(readFileSync(`${fixtures}/${file}`, 'utf8')));
      expect(await extracted(file, folder), file).toBe(await extracted(file));
    }
    writeFileSync(`${folder}/braces.swift`, windows('class Outer\n{\n}\n\nprotocol Reading\n{\n}\n'));
    expect(await extracted('braces.swift', folder)).toContain('1 class Outer\n5 protocol Reading\n');
  });

  it('sees no code in a here-document of Perl that is hundreds of lines long', async () => {
    const folder = temporaryFolder();
    const text = 'package Not::Here;\n' + 'sub not_here { }\n'.repeat(900);
    writeFileSync(`${folder}/long.pl`, `print {$file} <<'END';\n${text}END\nsub after { }\n`);
    expect((await readTags(folder, 'long.pl')).tags!.definitions.map(({ name }) => name)).toEqual(['after']);
  });

  it('has a fixture for every language', async () => {
    const languages = await Promise.all(
      readdirSync(fixtures).map(async (file) => (await readTags(fixtures, file)).tags!.language),
    );
    expect(new Set(languages).size).toBe(LANGUAGES.length);
  });

  it('finds nothing that the fixtures mark as no code', async () => {
    for (const file of readdirSync(fixtures)) {
      const { tags } = await readTags(fixtures, file);
      const names = tags!.definitions.map(({ name }) => name);
      expect(
        names.filter((name) => /fake|not_?here|nor_?here|NotReal|NotIn|AfterTheEnd/i.test(name)),
      ).toEqual([]);
      expect(readFileSync(`${fixtures}/${file}`, 'utf8')).not.toBe('');
    }
  });
});
