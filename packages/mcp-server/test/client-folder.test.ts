import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { clientFolder } from '../src/protocol/client-folder.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

const ask = (...folders: string[]) => {
  const roots = folders.map((folder) => ({ uri: pathToFileURL(folder).href }));
  return () => Promise.resolve({ roots: [{ uri: 'untitled:new' }, ...roots] });
};

it('the client works in the own folder of the server if that is within one of its folders', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'real', 'deep'), { recursive: true });
  symlinkSync(join(folder, 'real'), join(folder, 'link'), 'junction');
  const own = join(folder, 'real', 'deep');
  expect(await clientFolder(ask(join(folder, 'link')), own)).toBe(own);
});

it('else in the first of its folders that is there, and in none that it did not name', async () => {
  const folder = temporaryFolder();
  const gone = join(folder, 'gone');
  expect(await clientFolder(ask(gone, folder), '/elsewhere')).toBe(folder);
  expect(await clientFolder(ask(gone), '/elsewhere')).toBe(gone);
  const deeper = join(folder, 'deeper');
  mkdirSync(deeper);
  expect(await clientFolder(ask(deeper), folder)).toBe(deeper);
  expect(await clientFolder(ask(), '/elsewhere')).toBeUndefined();
  expect(await clientFolder(() => Promise.reject(new Error('no')), '/elsewhere')).toBeUndefined();
});
