import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspaceRoot } from '../boundaries/run-tool.js';

const FOLDERS = ['.', 'apps', 'docs', 'packages', 'test', 'tools'];

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(workspaceRoot, folder), { encoding: 'utf8', recursive: folder !== '.' }).map((file) =>
    join(folder, file),
  ),
).filter((file) => /\.(md|ts|mjs|py)$/.test(file) && !/(^|[\\/])(dist|node_modules)[\\/]/.test(file));

const textOf = (file: string): string => readFileSync(join(workspaceRoot, file), 'utf8');

describe('what the repository points to is there', () => {
  it('decisions, wherever they are named by their file', () => {
    const missing = files.flatMap((file) =>
      [...textOf(file).matchAll(/docs\/decisions\/\d{4}-[a-z0-9-]+\.md/g)]
        .filter(([path]) => !existsSync(join(workspaceRoot, path)))
        .map(([path]) => `${file}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('files that documents link to', () => {
    const documents = files.filter((file) => file.endsWith('.md'));
    const missing = documents.flatMap((file) =>
      [...textOf(file).matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)]
        .filter(([, path]) => !existsSync(join(workspaceRoot, dirname(file), path!)))
        .map(([, path]) => `${file}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('files that those who work on the code are told of by name', () => {
    const names = files.map((file) => `/${file.replaceAll('\\', '/')}`);
    const documents = files.filter((file) => /(^|[\\/])(ARCHITECTURE|CONTRIBUTING|README)\.md$/.test(file));
    const missing = documents.flatMap((file) =>
      [...textOf(file).matchAll(/`([\w./-]+\.(?:ts|mjs|py))`/g)]
        .filter(([, path]) => !names.some((name) => name.endsWith(`/${path!}`)))
        .map(([, path]) => `${file}: ${path}`),
    );
    expect(missing).toEqual([]);
  });
});
