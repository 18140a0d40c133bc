import { hasMarkupInScript, isComponentFile } from './component-file.js';

/** How a language's files are recognized, and which extractor reads them. */
export interface Language {
  readonly name: string;
  /** In lower case. */
  readonly extensions: readonly string[];
  /** Languages of one family see each other's definitions. */
  readonly family: string;
  readonly extractor: 'tree-sitter' | 'regex';
}

type Extractor = Language['extractor'];
const language =
  (extractor: Extractor) =>
  (name: string, extensions: string, family = name): Language => ({
    name,
    extensions: extensions.split(' '),
    family,
    extractor,
  });
const treeSitter = language('tree-sitter');
const regex = language('regex');

/** In the order of their numbers in the cache; append only, or change the cache's version. */
export const LANGUAGES: readonly Language[] = [
  treeSitter('typescript', 'ts mts cts vue svelte astro', 'javascript'),
  treeSitter('tsx', 'tsx', 'javascript'),
  treeSitter('javascript', 'js jsx mjs cjs'),
  treeSitter('python', 'py pyi pyw'),
  treeSitter('java', 'java', 'jvm'),
  treeSitter('c', 'c h'),
  treeSitter('cpp', 'cc cpp cxx c++ hh hpp hxx cppm ixx h++ inl ipp tpp cu cuh ino', 'c'),
  treeSitter('rust', 'rs'),
  treeSitter('go', 'go'),
  treeSitter('ruby', 'rb rake gemspec ru'),
  treeSitter('csharp', 'cs csx'),
  treeSitter('php', 'php phtml'),
  treeSitter('bash', 'sh bash bats ksh zsh'),
  regex('scala', 'scala sc sbt', 'jvm'),
  regex('kotlin', 'kt kts', 'jvm'),
  regex('swift', 'swift'),
  regex('haskell', 'hs'),
  regex('lua', 'lua luau'),
  regex('dart', 'dart'),
  regex('zig', 'zig'),
  regex('elixir', 'ex exs'),
  regex('perl', 'pl pm t'),
  regex('r', 'r'),
];

const namedFiles = (language: string, names: string) =>
  names.split(' ').map((name) => [name, language] as const);
const FILE_NAMES: ReadonlyMap<string, string> = new Map([
  ...namedFiles('ruby', 'Rakefile Gemfile Vagrantfile Podfile Fastfile Guardfile'),
  ...namedFiles('bash', '.bashrc .bash_profile .bash_aliases .profile .zshrc .zshenv .zprofile'),
]);

const INTERPRETERS: readonly (readonly [RegExp, string])[] = [
  [/^(ba|da|z|k|a)?sh$/, 'bash'],
  [/^python[\d.]*$/, 'python'],
  [/^ruby[\d.]*$/, 'ruby'],
  [/^(node|bun)$/, 'javascript'],
  [/^(deno|tsx|ts-node)$/, 'typescript'],
  [/^perl[\d.]*$/, 'perl'],
  [/^php[\d.]*$/, 'php'],
  [/^lua(jit)?[\d.]*$/, 'lua'],
  [/^Rscript$/, 'r'],
  [/^(elixir|escript)$/, 'elixir'],
];

const numberByName = new Map(LANGUAGES.map((language, number) => [language.name, number]));

export function languageNumber(name: string): number {
  const number = numberByName.get(name);
  if (number === undefined) throw new RangeError(`unknown language ${name}`);
  return number;
}

const numberByExtension = new Map(
  LANGUAGES.flatMap(({ extensions }, number) => extensions.map((extension) => [extension, number] as const)),
);

/** @returns the language by the file's name alone; undefined if the name is not enough */
export function languageOfName(path: string): number | undefined {
  const fileName = path.slice(path.lastIndexOf('/') + 1);
  const named = FILE_NAMES.get(fileName);
  if (named !== undefined) return languageNumber(named);
  const dot = fileName.lastIndexOf('.');
  return dot > 0 ? numberByExtension.get(fileName.slice(dot + 1).toLowerCase()) : undefined;
}

/** A name without an extension may belong to a script whose first line names its interpreter. */
export function mayHaveInterpreterLine(path: string): boolean {
  return !path.slice(path.lastIndexOf('/') + 1).includes('.');
}

const CPP_ONLY =
  /^[ \t\v\f]*(?:class|namespace|template\s*<|using\s+\w+\s*=|using\s+namespace|public:|private:|protected:|#include\s*<(?:string|vector|map|memory|iostream|cstdint|utility|functional)>)|\b(?:std::|static_cast<|constexpr\b|noexcept\b|nullptr\b)|\w::\w/m;

/** The language as its content shows it: C++ in a `.h` file, a component's script, or the interpreter of a script. */
export function languageOfContent(path: string, text: string): number | undefined {
  if (path.endsWith('.h') || path.endsWith('.H')) return languageNumber(CPP_ONLY.test(text) ? 'cpp' : 'c');
  if (isComponentFile(path) && hasMarkupInScript(text)) return languageNumber('tsx');
  const named = languageOfName(path);
  if (named !== undefined) return named;
  const interpreterLine = /^#!\s*(?:\S*\/)?(?:env\s+(?:-S\s+)?)?([\w.+-]+)/.exec(text);
  const interpreter = interpreterLine?.[1];
  if (interpreter === undefined) return undefined;
  const known = INTERPRETERS.find(([pattern]) => pattern.test(interpreter));
  return known === undefined ? undefined : languageNumber(known[1]);
}
