import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { assetPath } from '../src/files/assets.js';

it.each([
  ['a module of the package', 'dist/words.js', 'assets/words.txt'],
  ['a module in a folder of the package', 'dist/clients/words.js', 'assets/words.txt'],
  ['a bundled app', 'dist/main.js', 'dist/assets/shop/words.txt'],
])('finds a file that comes with a package from %s', (_from, module, asset) => {
  const root = temporaryFolder();
  const path = join(root, asset);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, 'till');

  expect(assetPath(pathToFileURL(join(root, module)).href, 'shop', 'words.txt')).toBe(path);
});
