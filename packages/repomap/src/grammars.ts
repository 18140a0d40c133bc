import { javascriptQuery } from './queries/javascript.js';
import { pythonQuery } from './queries/python.js';
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
};
