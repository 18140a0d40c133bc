import { bashQuery } from './queries/bash.js';
import { cQuery } from './queries/c.js';
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
  load: () => Promise<unknown>;
  query: string;
}

interface LanguageModule {
  default: Record<string, unknown>;
}

const part = async (module: Promise<unknown>, name: string): Promise<unknown> => {
  return ((await module) as LanguageModule).default[name];
};
const whole = async (module: Promise<unknown>): Promise<unknown> =>
  ((await module) as LanguageModule).default;

/** By language name. The package names are written out so that a bundler can see them. */
export const GRAMMARS: Readonly<Record<string, Grammar>> = {
  typescript: { load: () => part(import('tree-sitter-typescript'), 'typescript'), query: typescriptQuery },
  tsx: { load: () => part(import('tree-sitter-typescript'), 'tsx'), query: tsxQuery },
  javascript: { load: () => whole(import('tree-sitter-javascript')), query: javascriptQuery },
  python: { load: () => whole(import('tree-sitter-python')), query: pythonQuery },
  java: { load: () => whole(import('tree-sitter-java')), query: javaQuery },
  c: { load: () => whole(import('tree-sitter-c')), query: cQuery },
  cpp: { load: () => whole(import('tree-sitter-cpp')), query: cppQuery },
  rust: { load: () => whole(import('tree-sitter-rust')), query: rustQuery },
  go: { load: () => whole(import('tree-sitter-go')), query: goQuery },
  ruby: { load: () => whole(import('tree-sitter-ruby')), query: rubyQuery },
  csharp: { load: () => whole(import('tree-sitter-c-sharp/bindings/node/index.js')), query: csharpQuery },
  php: { load: () => part(import('tree-sitter-php'), 'php'), query: phpQuery },
  bash: { load: () => whole(import('tree-sitter-bash')), query: bashQuery },
};
