/**
 * What parsing alone costs: a thread that imports tree-sitter and its grammars as their documentation says, reads the
 * files it is given, parses them and queries them with tree-sitter's own functions, and does nothing with what it
 * finds. With several threads each takes the next file.
 */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import TreeSitter from 'tree-sitter';
import { isComponentFile, scriptOf } from '../dist/extraction/component-file.js';
import { GRAMMARS } from '../dist/extraction/grammars.js';

/** @type {{ files: { path: string, language: string }[], next: Int32Array }} */
const { files, next } = workerData;
const PACKAGES = { tsx: 'tree-sitter-typescript', csharp: 'tree-sitter-c-sharp/bindings/node/index.js' };
const loaded = new Map();
let captures = 0;
let done = 0;
for (let i = Atomics.add(next, 0, 1); i < files.length; i = Atomics.add(next, 0, 1)) {
  const { path, language } = files[i];
  const { parser, query } = loaded.get(language) ?? (await load(language));
  const content = readFileSync(path, 'utf8');
  const text = isComponentFile(path) ? scriptOf(content) : content;
  const tree = parser.parse(text, null, { bufferSize: text.length + 1 });
  captures += query.captures(tree.rootNode).length;
  // Trees are freed by the event loop.
  if (++done % 20 === 0) await new Promise(setImmediate);
}
parentPort.postMessage(captures);

async function load(name) {
  const language = await loadGrammar(name);
  const parser = new TreeSitter();
  parser.setLanguage(language);
  loaded.set(name, { parser, query: new TreeSitter.Query(language, GRAMMARS[name].query) });
  return loaded.get(name);
}

async function loadGrammar(name) {
  const { default: grammar } = await import(PACKAGES[name] ?? `tree-sitter-${name}`);
  return grammar[name] ?? grammar;
}
