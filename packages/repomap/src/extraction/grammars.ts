import { createRequire } from 'node:module';
import { bashQuery } from './queries/bash.js';
import { cCore } from './queries/c-core.js';
import { cppQuery } from './queries/cpp.js';
import { csharpQuery } from './queries/csharp.js';
import { goQuery } from './queries/go.js';
import { javaQuery } from './queries/java.js';
import { javascriptQuery } from './queries/javascript.js';
import { phpQuery } from './queries/php.js';
import { pythonQuery } from './queries/python.js';
import { rubyQuery } from './queries/ruby.js';
import { rustQuery } from './queries/rust.js';
import { tsxQuery } from './queries/tsx.js';
import { typescriptQuery } from './queries/typescript.js';

interface Grammar {
  /** Loads the native grammar; only called in a worker that meets a file of the language. */
  load: () => unknown;
  query: string;
}

/**
 * CommonJS packages are required, which takes less time in a new thread than importing them: Node reads a CommonJS
 * module's text for its names before it imports one.
 */
const require = createRequire(import.meta.url);

const part = (packageName: string, name: string): unknown => {
  return (require(packageName) as Record<string, unknown>)[name];
};

/** By language name. */
export const GRAMMARS: Readonly<Record<string, Grammar>> = {
  typescript: { load: () => part('tree-sitter-typescript', 'typescript'), query: typescriptQuery },
  tsx: { load: () => part('tree-sitter-typescript', 'tsx'), query: tsxQuery },
  javascript: { load: () => require('tree-sitter-javascript'), query: javascriptQuery },
  python: { load: () => require('tree-sitter-python'), query: pythonQuery },
  java: { load: () => require('tree-sitter-java'), query: javaQuery },
  c: { load: () => require('tree-sitter-c'), query: cCore },
  cpp: { load: () => require('tree-sitter-cpp'), query: cppQuery },
  rust: { load: () => require('tree-sitter-rust'), query: rustQuery },
  go: { load: () => require('tree-sitter-go'), query: goQuery },
  ruby: { load: () => require('tree-sitter-ruby'), query: rubyQuery },
  csharp: { load: importedCSharp, query: csharpQuery },
  php: { load: () => part('tree-sitter-php', 'php'), query: phpQuery },
  bash: { load: () => require('tree-sitter-bash'), query: bashQuery },
};

async function importedCSharp(): Promise<unknown> {
  return (await import('tree-sitter-c-sharp/bindings/node/index.js')).default;
}
