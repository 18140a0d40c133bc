import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { transformSync } from 'esbuild';
import { runNode } from '../setup/report.mjs';

/**
 * @typedef {object} Example a fenced block of TypeScript in a document
 * @property {string} place `packages/graph/README.md:12`
 * @property {string} code
 * @property {boolean} isRun whether it is to be run, too: not so under a fence marked `ts no-run`
 */

/** Against hanging, not an expectation. */
const exampleTimeoutMs = 120_000;

/**
 * The TypeScript blocks of a Markdown text.
 *
 * @param {string} markdown
 * @param {string} path that their places name
 * @returns {Example[]}
 */
export function examplesIn(markdown, path) {
  const fences = markdown.matchAll(/^```ts\b([^\n]*)\n([\s\S]*?)^```/gm);
  return [...fences].map((fence) => ({
    place: `${path}:${markdown.slice(0, fence.index).split('\n').length}`,
    code: fence[2] ?? '',
    isRun: !(fence[1] ?? '').includes('no-run'),
  }));
}

/**
 * The examples of the workspace's README files.
 *
 * @param {string} root
 */
export function examplesOfWorkspace(root) {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(root, parent, name)),
  );
  return [root, ...folders]
    .map((folder) => join(folder, 'README.md'))
    .filter((path) => existsSync(path))
    .flatMap((path) => examplesIn(readFileSync(path, 'utf8'), relative(root, path)));
}

/**
 * Compiles and runs examples against the built packages, each in a process and a home of its own.
 *
 * @param {string} root
 * @param {Example[]} examples
 * @param {string} [folderName] of the throw-away folder below `.setup/`
 * @returns {Promise<string[]>} one text for each thing that is wrong
 */
export async function checkExamples(root, examples, folderName = 'examples') {
  // Below the workspace, so that its packages are found.
  const folder = join(root, '.setup', folderName);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    examples.forEach(({ code }, index) => writeFileSync(join(folder, `example-${index}.ts`), code));
    const typeErrors = await typeCheck(root, folder, examples);
    const failures = await runAll(folder, examples);
    return [...typeErrors, ...failures];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} root
 * @param {string} folder
 * @param {Example[]} examples
 */
async function typeCheck(root, folder, examples) {
  if (examples.length === 0) return [];
  const compilerOptions = { composite: false, declaration: false, declarationMap: false, noEmit: true };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] }),
  );
  // A module even where it neither imports nor exports.
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['--moduleDetection', 'force', '--pretty', 'false'];
  const result = await runNode([compiler, '-p', folder, ...options], { cwd: folder });
  if (result.ok) return [];
  return result.output
    .trim()
    .split('\n')
    .map((line) =>
      line.replace(/^example-(\d+)\.ts/, (_, index) => `${examples[Number(index)]?.place} line `),
    );
}

/**
 * @param {string} folder
 * @param {Example[]} examples
 */
async function runAll(folder, examples) {
  const failures = [];
  for (const [index, { code, place, isRun }] of examples.entries()) {
    if (!isRun) continue;
    const home = join(folder, `home-${index}`);
    mkdirSync(home);
    const program = join(folder, `example-${index}.mjs`);
    writeFileSync(program, transformSync(code, { loader: 'ts', format: 'esm', target: 'node20' }).code);
    const result = await runNode([program], {
      cwd: home,
      env: environmentIn(home),
      timeoutMs: exampleTimeoutMs,
    });
    if (!result.ok) failures.push(`${place} fails when it is run:\n${result.output.trimEnd()}`);
    else if (!printed(code).test(unwrapped(result.output)))
      failures.push(`${place} prints something else than its comments say:\n${result.output.trimEnd()}`);
  }
  return failures;
}

/**
 * What an example prints, by the comments behind its `console.log(…);` in order; `…` stands for anything.
 *
 * @param {string} code
 */
function printed(code) {
  const logs = code.matchAll(/^ *console\.log\([^]*?\);(?: \/\/ (.*))?$/gm);
  const texts = [...logs].map(([, text]) => text ?? '…');
  const parts = unwrapped(texts.join('…')).split('…');
  return new RegExp(parts.map((part) => part.trim().replace(/[^\w\s]/g, '\\$&')).join('[^]*?'));
}

/**
 * Node breaks long lists into lines.
 *
 * @param {string} text
 */
function unwrapped(text) {
  return text.replace(/\s+/g, ' ');
}

/**
 * What an example keeps in a home or among temporary files goes with its folder.
 *
 * @param {string} home
 */
function environmentIn(home) {
  const temporary = { TMPDIR: home, TMP: home, TEMP: home };
  return { HOME: home, USERPROFILE: home, CAUSANTIC_HOME: join(home, '.causantic'), ...temporary };
}
