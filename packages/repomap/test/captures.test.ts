import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import TreeSitter from 'tree-sitter';
import type Parser from 'tree-sitter';
import { describe, expect, it } from 'vitest';
import { capturesOf } from '../src/extraction/captures.js';
import { isComponentFile, scriptOf } from '../src/extraction/component-file.js';
import { GRAMMARS } from '../src/extraction/grammars.js';
import { LANGUAGES, languageOfContent } from '../src/extraction/languages.js';

const fixtures = fileURLToPath(new URL('fixtures', import.meta.url));

async function parsed(language: string, text: string) {
  const { load, query } = GRAMMARS[language]!;
  const grammar = (await load()) as Parser.Language;
  const parser = new TreeSitter();
  parser.setLanguage(grammar);
  return { query: new TreeSitter.Query(grammar, query), tree: parser.parse(text) };
}

describe("captures read from tree-sitter's buffer", () => {
  for (const file of readdirSync(fixtures)) {
    const content = readFileSync(`${fixtures}/${file}`, 'utf8');
    const text = isComponentFile(file) ? scriptOf(content) : content;
    const language = LANGUAGES[languageOfContent(file, content)!]!;
    if (language.extractor !== 'tree-sitter') continue;
    it(`are those of its own functions: ${file}`, async () => {
      const { query, tree } = await parsed(language.name, text);
      const captures = capturesOf(query, tree, 10_000);
      const read = Array.from(captures.starts, (start, place) => {
        const { type, startIndex, endIndex } = captures.node(place);
        expect(startIndex).toBe(start);
        return { name: captures.name(place), type, start, end: endIndex };
      });
      const given = query.matches(tree.rootNode).flatMap(({ captures: [first] }) => {
        const { name, node } = first!;
        return { name, type: node.type, start: node.startIndex, end: node.endIndex };
      });
      expect(read).toEqual(given);
      expect(read.length).toBeGreaterThan(0);
    });
  }

  it('are refused for a pattern of two', async () => {
    const { tree } = await parsed('go', 'package a\nfunc f() {}\n');
    const grammar = (await GRAMMARS['go']!.load()) as Parser.Language;
    const two = new TreeSitter.Query(grammar, '(function_declaration name: (identifier) @def.fn) @ref');
    expect(() => capturesOf(two, tree, 10_000)).toThrow(RangeError);
  });
});
