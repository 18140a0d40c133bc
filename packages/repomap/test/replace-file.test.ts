import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceFile } from '../src/cache/replace-file.js';
import { project } from './project.js';

it('replaces a file, and leaves nothing where that fails', () => {
  const folder = project({ file: 'before', 'taken/inside': 'x' });
  replaceFile(join(folder, 'file'), [Buffer.from('af'), Buffer.from('ter')]);
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('after');
  expect(() => replaceFile(join(folder, 'taken'), [Buffer.from('x')])).toThrow();
  expect(readdirSync(folder).sort()).toEqual(['file', 'taken']);
});
