/**
 * Compares the definitions found with those of Universal Ctags.
 *
 *   node bench/ctags-comparison.mjs LANGUAGE FOLDER... [--show N]
 *
 * prints, per folder and in all, how many functions, methods, classes and types ctags knows, the share of them found
 * (recall), the share of ours that ctags knows too, the share that it knows or whose line has the form of a declaration
 * (declaration-forms.mjs, for languages with braces), and with --show N differences.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { declares } from './declaration-forms.mjs';
import { lookAtFiles } from '../dist/files/file-listing.js';
import { readTags } from '../dist/extraction/file-tags.js';
import { LANGUAGES } from '../dist/extraction/languages.js';

const CTAGS_NAMES = {
  typescript: ['TypeScript'],
  javascript: ['JavaScript'],
  python: ['Python'],
  java: ['Java'],
  c: ['C'],
  cpp: ['C++'],
  rust: ['Rust'],
  go: ['Go'],
  ruby: ['Ruby'],
  csharp: ['C#'],
  php: ['PHP'],
  bash: ['Sh'],
  kotlin: ['Kotlin'],
  haskell: ['Haskell'],
  lua: ['Lua'],
  elixir: ['Elixir'],
  perl: ['Perl'],
  r: ['R'],
};
const COMPARED =
  /^(function|method|class|struct|union|enum|interface|typedef|type|alias|trait|subroutine|func|def|macro_function|singletonMethod|record|protocol|implementation|talias|delegate|annotation|object|methodSpec|generator|getter|setter|package|module|namespace|procedure|functionVar|constructor|accessor|funcVar|member)$/;
const LEFT_OUT_KINDS = {
  typescript: /namespace/,
  php: /namespace|alias/,
  cpp: /namespace|member/,
  c: /member/,
  csharp: /namespace/,
  java: /package/,
  go: /package|member/,
  python: /namespace|module/,
  perl: /package/,
  kotlin: /package/,
  haskell: /module/,
  rust: /module/,
  javascript: /namespace/,
  elixir: /none/,
};
const OURS_LEFT_OUT = new Set([
  'const',
  'macro',
  'namespace',
  'open-namespace',
  'own-const',
  'own-macro',
  'package',
]);
/** A function of Haskell has a line with its type and one with its equation, and ctags has the one or the other. */
const LINE_TOLERANCE = process.argv[2] === 'haskell' ? Infinity : 3;

/** Each clause or overload of a function is a tag of its own to ctags. */
const CLAUSES = new Set(['elixir', 'haskell', 'python']);
const linesOf = new Map();
/** Where a macro names what it defines: `path:line`. */
const macroLines = new Set();
const args = process.argv.slice(2);
const showAt = args.indexOf('--show');
const show = showAt === -1 ? 0 : Number(args.splice(showAt, 2)[1]);
const [language, ...folders] = args;
const totals = { theirs: 0, found: 0, ours: 0, known: 0, confirmed: 0, others: 0, othersOfForm: 0 };
for (const folder of folders) {
  const result = await compare(folder);
  print(folder, result);
  for (const key of Object.keys(totals)) totals[key] += result[key];
}
if (folders.length > 1) print('all', totals);

async function compare(folder) {
  const sums = { theirs: 0, found: 0, ours: 0, known: 0, confirmed: 0, others: 0, othersOfForm: 0 };
  const missing = [];
  const extra = [];
  const files = new Map();
  for (const path of (await lookAtFiles(folder, { cancelled: () => false }).actual).listing.paths) {
    const { tags } = await readTags(folder, path);
    if (tags && LANGUAGES[tags.language].name === language) files.set(path, tags.definitions);
  }
  const ctags = ctagsOf(folder, [...files.keys()]);
  for (const [path, definitions] of files) {
    const theirs = ctags.get(path) ?? [];
    const ours = definitions.filter(({ kind }) => !OURS_LEFT_OUT.has(kind));
    const missed = theirs.filter((tag) => !hasMatch(definitions, tag));
    const unknown = ours.filter(
      (tag) =>
        !macroLines.has(`${path}:${tag.line}`) &&
        !hasMatch(theirs, tag) &&
        !hasMatch(ctags.everything.get(path) ?? [], tag),
    );
    sums.theirs += theirs.length;
    sums.found += theirs.length - missed.length;
    sums.ours += ours.length;
    sums.known += ours.length - unknown.length;
    const lines = readFileSync(`${folder}/${path}`, 'utf8').split('\n');
    const doubtful = unknown.filter((tag) => !declares(lines, tag));
    sums.confirmed += ours.length - doubtful.length;
    const others = otherWords(lines, [...definitions, ...(ctags.everything.get(path) ?? [])]);
    sums.others += others.length;
    sums.othersOfForm += others.filter((word) => declares(lines, word)).length;
    missing.push(...missed.map((tag) => `- ${path}:${tag.line} ${tag.kind} ${tag.name}`));
    extra.push(
      ...doubtful.map((tag) => `+ ${path}:${tag.line} ${tag.kind} ${tag.name}\n      ${lines[tag.line - 1]}`),
    );
  }
  for (const line of [...sample(missing, show), ...sample(extra, show)]) console.log(line);
  return sums;
}

/** What is called, and defined by nobody there: what the form must not be found for. */
function otherWords(lines, tags) {
  const defined = new Set(tags.map(({ name, line }) => `${line} ${name}`));
  return lines.flatMap((text, i) =>
    Array.from(text.matchAll(/([A-Za-z_$][\w$]*)\s*\(/g), ([, name]) => ({ name, line: i + 1 })).filter(
      ({ name, line }) =>
        !defined.has(`${line} ${name}`) && !/^(?:if|for|while|switch|catch|function)$/.test(name),
    ),
  );
}

function sample(list, count) {
  const step = Math.max(1, list.length / Math.max(1, count));
  const picked = [];
  for (let i = 0; i < list.length && picked.length < count; i += step) picked.push(list[Math.floor(i)]);
  return picked;
}

function hasMatch(tags, { name, line }) {
  return tags.some((tag) => sameName(tag.name, name) && Math.abs(tag.line - line) <= LINE_TOLERANCE);
}

function sameName(a, b) {
  const bare = (name) =>
    name
      .replace(/^.*[:.](?=[^.:]+$)/, '')
      .replace(/\s+/g, '')
      .replace(/^[#&:]|=$|`/g, '');
  return a === b || bare(a) === bare(b);
}

function ctagsOf(folder, paths) {
  const names = CTAGS_NAMES[language];
  const result = spawnSync(
    'ctags',
    [
      '--output-format=json',
      '--fields=+nK',
      '--sort=no',
      `--languages=${names.join(',')}`,
      `--language-force=${names[0]}`,
      '-f',
      '-',
      '-L',
      '-',
    ],
    { cwd: folder, input: paths.join('\n'), maxBuffer: 1 << 30 },
  );
  if (result.status !== 0) throw new Error(String(result.stderr));
  const byPath = new Map();
  byPath.everything = new Map();
  for (const text of result.stdout.toString().split('\n')) {
    if (!text.startsWith('{')) continue;
    const { path, name: written, line, kind } = JSON.parse(text);
    const name = written.replace(/^.*\[["'](\w+)["']\]$/, '$1');
    const tag = { name, line, kind };
    if (ctagsErrs(folder, path, tag)) {
      macroLines.add(`${path}:${line}`);
      continue;
    }
    (byPath.everything.get(path) ?? byPath.everything.set(path, []).get(path)).push(tag);
    if (
      !COMPARED.test(kind) ||
      LEFT_OUT_KINDS[language]?.test(kind) ||
      /^(__anon|anonymous|AnonymousFunction|AnonymousClass|operator )/.test(name)
    )
      continue;
    const tags = byPath.get(path) ?? byPath.set(path, []).get(path);
    if (CLAUSES.has(language) && tags.at(-1)?.name === name) continue;
    tags.push(tag);
  }
  return byPath;
}

/** What reading the differences showed to be no definition of a function, method, class or type. */
function ctagsErrs(folder, path, { name, line, kind }) {
  const key = `${folder}/${path}`;
  if (!linesOf.has(key)) linesOf.set(key, readFileSync(key, 'utf8').split('\n'));
  const text = linesOf.get(key)[line - 1] ?? '';
  switch (language) {
    case 'typescript': // Names in import and export lists, `a as b`.
      return (
        kind === 'alias' &&
        !new RegExp(`^\\s*(?:export\\s+)?(?:declare\\s+)?type\\s+${escaped(name)}\\s*(?:[<=]|$)`).test(text)
      );
    case 'javascript': // Plain object literals are taken for classes.
      return kind === 'class' && !/\b(?:class|function)\b/.test(text);
    case 'c':
    case 'cpp': // `TEST(Suite, name) {`: the macro's name, where ours is what it names.
      return /^[A-Z][A-Z_0-9]+$/.test(name) && new RegExp(`^\\s*${name}\\s*\\(`).test(text);
    case 'bash': // Arrays, `name=(...)`, and aliases.
      return name.endsWith('=') || kind === 'alias';
    case 'r': // Functions without a name, variables that hold something else.
      return name.startsWith('anonFunc') || kind === 'functionVar';
    case 'kotlin': // Lambdas and their parameters, companions without a name, names in backquotes it reads as rubbish.
      return !text.includes(name) || (kind === 'method' && !/\bfun\b/.test(text));
    case 'haskell': // Constructors, fields of records, keywords.
      return (
        kind === 'constructor' ||
        /^(?:class|deriving|infix[lr]?|pattern|return|where)$/.test(name) ||
        (kind === 'function' && !text.startsWith(name))
      );
    case 'lua': // Parameters, fields, values of calls that are given a function, computed keys.
      return (
        !new RegExp(
          `\\bfunction\\s+${escaped(name)}\\b|${escaped(name)}["'\\]]*\\s*=\\s*${/[.]/.test(name) ? '(?:[\\w.]*\\(\\s*)?' : ''}function\\b`,
        ).test(text) || /[^\w.:]/.test(name)
      );
    case 'rust': // An impl block defines nothing by itself, nor does the type that it names for a trait.
      return kind === 'implementation' || (kind === 'typedef' && /^\s+type\b.*=/.test(text));
    case 'ruby': // attr_accessor and alias name methods without a body.
      return kind === 'accessor' || kind === 'alias';
    case 'csharp': // Calls after `return`, using aliases, casts in patterns.
      return (
        name.includes('.') ||
        kind === 'typedef' ||
        !/\b(?:class|struct|interface|enum|record|delegate)\b|\(/.test(text)
      );
    default:
      return false;
  }
}

function escaped(text) {
  return text.replace(/[$.*+?^{}()|[\]\\]/g, '\\$&');
}

function print(label, { theirs, found, ours, known, confirmed, others, othersOfForm }) {
  console.log(
    `${language} ${label}: ctags ${theirs}, recall ${(found / theirs).toFixed(4)}; ours ${ours}, known ${(known / ours).toFixed(4)}, known or of the form ${(confirmed / ours).toFixed(4)}, calls of the form ${(othersOfForm / others).toFixed(4)}`,
  );
}
