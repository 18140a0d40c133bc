import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Consumer, manifestOf, workspace } from './consumer.js';

const folders = readdirSync(join(workspace, 'packages')).map((name) => `packages/${name}`);
const names = folders.map((folder) => manifestOf(join(workspace, folder)).name);
const consumer = new Consumer();

beforeAll(async () => {
  const installed = await consumer.install(folders, { '@types/node': '*' });
  expect(installed.ok, installed.output).toBe(true);
});
afterAll(() => consumer.remove());

describe('the packed library packages, installed together far from the workspace', () => {
  it.each(names)('%s brings its README, its licence and nothing of its sources', (name) => {
    const folder = consumer.file('node_modules', name);
    for (const file of ['README.md', 'LICENSE']) expect(existsSync(join(folder, file)), file).toBe(true);
    expect(existsSync(join(folder, 'src'))).toBe(false);
    const [own, product] = [join(folder, 'LICENSE'), join(workspace, 'LICENSE')];
    expect(readFileSync(own, 'utf8')).toBe(readFileSync(product, 'utf8'));
  });

  it.each(names)('%s is imported by itself', async (name) => {
    const program = `console.log(Object.keys(await import('${name}')).length)`;
    const { ok, output } = await consumer.node(['--input-type=module', '--eval', program]);
    expect(ok, output).toBe(true);
    expect(Number(output)).toBeGreaterThan(0);
  });

  it.each(names)('%s declares all that it imports', (name) => {
    const folder = consumer.file('node_modules', name);
    const { dependencies, optionalDependencies } = manifestOf(folder);
    const declared = Object.keys({ ...dependencies, ...optionalDependencies });
    const files = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(js|d\.ts)$/.test(file),
    );
    const imported = files.flatMap((file) =>
      importedPackages(readFileSync(join(folder, 'dist', file), 'utf8')),
    );
    expect(imported.filter((each) => !declared.includes(each))).toEqual([]);
  });

  it('all have types that a strict compiler accepts', async () => {
    const imports = names.map((name, index) => `import * as package${index} from '${name}';`);
    const uses = names.map((_, index) => `package${index}`).join(', ');
    writeFileSync(consumer.file('main.ts'), `${imports.join('\n')}\nexport default [${uses}];\n`);
    const compiler = join(workspace, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = [
      '--strict',
      '--noEmit',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--pretty',
      'false',
    ];
    const { ok, output } = await consumer.node([compiler, ...options, '--skipLibCheck', 'false', 'main.ts']);
    expect(ok, output).toBe(true);
  });
});

/** Names of the packages that compiled code or its types import. */
function importedPackages(code: string): string[] {
  const specifiers = [...code.matchAll(/(?:\bfrom |\bimport\()'([^'.][^']*)'/g)].map((match) => match[1]!);
  return specifiers
    .filter((specifier) => !isBuiltin(specifier))
    .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0]);
}
