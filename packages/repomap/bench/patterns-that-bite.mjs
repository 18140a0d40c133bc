/**
 * Takes away each pattern of each language once and says which of them no fixture misses; build the package first.
 *
 *   node bench/patterns-that-bite.mjs
 *
 * prints those that are missed by none, and exits with 1 if there are any.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GRAMMARS } from '../dist/extraction/grammars.js';
import { LANGUAGES, languageOfContent } from '../dist/extraction/languages.js';
import { extractWithRegex } from '../dist/extraction/regex-extractor.js';
import { REGEX_LANGUAGES } from '../dist/extraction/regex-languages/index.js';
import { TreeSitterExtractor } from '../dist/extraction/tree-sitter-extractor.js';

const TIMEOUT_MS = 5000;
const fixtures = textsByLanguage(fileURLToPath(new URL('../test/fixtures/', import.meta.url)));
const unnoticed = [];
let patterns = 0;
for (const [name, grammar] of Object.entries(GRAMMARS)) await withoutEachPattern(name, grammar);
for (const [name, language] of Object.entries(REGEX_LANGUAGES)) withoutEachRule(name, language);
console.log(JSON.stringify({ patterns, unnoticed }, null, 2));
process.exitCode = unnoticed.length > 0 ? 1 : 0;

function textsByLanguage(folder) {
  const texts = {};
  for (const file of readdirSync(folder)) {
    const text = readFileSync(folder + file, 'utf8');
    (texts[LANGUAGES[languageOfContent(file, text)].name] ??= []).push(text);
  }
  return texts;
}

async function withoutEachPattern(name, grammar) {
  const { query } = grammar;
  const tags = async () => {
    const extractor = new TreeSitterExtractor(TIMEOUT_MS);
    return JSON.stringify(
      await Promise.all(fixtures[name].map(async (text) => shown(await extractor.extract(name, text)))),
    );
  };
  const whole = await tags();
  for (const [start, end] of patternsOf(query)) {
    grammar.query = query.slice(0, start) + query.slice(end);
    note(`${name}: ${query.slice(start, end)}`, (await tags()) === whole);
  }
  grammar.query = query;
}

function withoutEachRule(name, language) {
  const { rules } = language;
  const tags = () =>
    JSON.stringify(fixtures[name].map((text) => shown(extractWithRegex(name, text, TIMEOUT_MS))));
  const whole = tags();
  for (const rule of rules) {
    language.rules = rules.filter((other) => other !== rule);
    note(`${name}: ${rule.kind} ${rule.pattern}`, tags() === whole);
  }
  language.rules = rules;
}

function note(pattern, isUnnoticed) {
  patterns++;
  if (isUnnoticed) unnoticed.push(pattern.replace(/\s+/g, ' '));
}

function shown({ definitions, references }) {
  return [definitions, Object.entries(references).map(([form, names]) => [form, [...names].sort()])];
}

/** Where the outermost brackets of a query open and where their captures end. */
function patternsOf(query) {
  const found = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < query.length; i++) {
    if ('(['.includes(query[i]) && depth++ === 0) start = i;
    if (')]'.includes(query[i]) && --depth === 0) {
      const capture = /^\s*@[\w.]+/.exec(query.slice(i + 1))?.[0] ?? '';
      found.push([start, i + 1 + capture.length]);
    }
  }
  return found;
}
