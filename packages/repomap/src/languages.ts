/** How a language's files are recognised and which extractor reads them. */
export interface Language {
  readonly name: string;
  /** Languages of one family see each other's definitions. */
  readonly family: string;
  readonly extractor: 'tree-sitter' | 'regex';
}

const treeSitter = (name: string, family = name): Language => ({ name, family, extractor: 'tree-sitter' });
const regex = (name: string, family = name): Language => ({ name, family, extractor: 'regex' });

/** In the order of their numbers in the cache; append only, or change the cache's version. */
export const LANGUAGES: readonly Language[] = [
  treeSitter('typescript', 'javascript'),
  treeSitter('tsx', 'javascript'),
  treeSitter('javascript'),
  treeSitter('python'),
  treeSitter('java', 'jvm'),
  treeSitter('c', 'c'),
  treeSitter('cpp', 'c'),
  treeSitter('rust'),
  treeSitter('go'),
  treeSitter('ruby'),
  treeSitter('csharp'),
  treeSitter('php'),
  treeSitter('bash'),
  regex('scala', 'jvm'),
  regex('kotlin', 'jvm'),
  regex('swift'),
  regex('haskell'),
  regex('lua'),
  regex('dart'),
  regex('zig'),
  regex('elixir'),
  regex('perl'),
  regex('r'),
];

const EXTENSIONS: Readonly<Record<string, string>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  py: 'python',
  pyi: 'python',
  pyw: 'python',
  java: 'java',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  'c++': 'cpp',
  hh: 'cpp',
  hpp: 'cpp',
  hxx: 'cpp',
  cppm: 'cpp',
  ixx: 'cpp',
  'h++': 'cpp',
  inl: 'cpp',
  ipp: 'cpp',
  tpp: 'cpp',
  rs: 'rust',
  go: 'go',
  rb: 'ruby',
  rake: 'ruby',
  gemspec: 'ruby',
  ru: 'ruby',
  cs: 'csharp',
  csx: 'csharp',
  php: 'php',
  phtml: 'php',
  sh: 'bash',
  bash: 'bash',
  bats: 'bash',
  ksh: 'bash',
  zsh: 'bash',
  scala: 'scala',
  sc: 'scala',
  sbt: 'scala',
  kt: 'kotlin',
  kts: 'kotlin',
  swift: 'swift',
  hs: 'haskell',
  lua: 'lua',
  dart: 'dart',
  zig: 'zig',
  ex: 'elixir',
  exs: 'elixir',
  pl: 'perl',
  pm: 'perl',
  t: 'perl',
  r: 'r',
};

const FILE_NAMES: Readonly<Record<string, string>> = { Rakefile: 'ruby', Gemfile: 'ruby', '.bashrc': 'bash' };

const INTERPRETERS: readonly (readonly [RegExp, string])[] = [
  [/^(ba|da|z|k|a)?sh$/, 'bash'],
  [/^python[\d.]*$/, 'python'],
  [/^ruby[\d.]*$/, 'ruby'],
  [/^(node|bun)$/, 'javascript'],
  [/^perl[\d.]*$/, 'perl'],
  [/^php[\d.]*$/, 'php'],
  [/^lua(jit)?[\d.]*$/, 'lua'],
  [/^Rscript$/, 'r'],
  [/^(elixir|escript)$/, 'elixir'],
];

const numberByName = new Map(LANGUAGES.map((language, number) => [language.name, number]));

function languageNumber(name: string): number {
  const number = numberByName.get(name);
  if (number === undefined) throw new RangeError(`unknown language ${name}`);
  return number;
}

/** @returns the language by the file's name alone; undefined where the name does not tell. */
export function languageOfName(path: string): number | undefined {
  const fileName = path.slice(path.lastIndexOf('/') + 1);
  const named = FILE_NAMES[fileName];
  if (named !== undefined) return languageNumber(named);
  const dot = fileName.lastIndexOf('.');
  if (dot <= 0) return undefined;
  const extension = EXTENSIONS[fileName.slice(dot + 1).toLowerCase()];
  return extension === undefined ? undefined : languageNumber(extension);
}

/** A name without an extension may belong to a script whose first line names its interpreter. */
export function mayHaveInterpreterLine(path: string): boolean {
  return !path.slice(path.lastIndexOf('/') + 1).includes('.');
}

const CPP_ONLY =
  /^\s*(?:class|namespace|template\s*<|using\s+\w+\s*=|using\s+namespace|public:|private:|protected:|#include\s*<(?:string|vector|map|memory|iostream|cstdint|utility|functional)>)|\b(?:std::|static_cast<|constexpr\b|noexcept\b|nullptr\b)|\w::\w/m;

/** The language as its content shows it: C++ in a `.h` file, or the interpreter of a script. */
export function languageOfContent(path: string, text: string): number | undefined {
  if (path.endsWith('.h') || path.endsWith('.H')) return languageNumber(CPP_ONLY.test(text) ? 'cpp' : 'c');
  const named = languageOfName(path);
  if (named !== undefined) return named;
  const interpreterLine = /^#!\s*(?:\S*\/)?(?:env\s+(?:-S\s+)?)?([\w.+-]+)/.exec(text);
  const interpreter = interpreterLine?.[1];
  if (interpreter === undefined) return undefined;
  const known = INTERPRETERS.find(([pattern]) => pattern.test(interpreter));
  return known === undefined ? undefined : languageNumber(known[1]);
}
