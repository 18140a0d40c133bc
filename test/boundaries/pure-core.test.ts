import { join } from 'node:path';
import { ESLint } from 'eslint';
import { describe, expect, test } from 'vitest';
import { workspaceRoot } from './run-tool.js';

const eslint = new ESLint({ cwd: workspaceRoot });

async function rulesBrokenBy(code: string, path: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(code, { filePath: join(workspaceRoot, path) });
  return result!.messages.map((message) => message.ruleId);
}

const impurities: [name: string, code: string, rule: string][] = [
  ['a file system', `import { readFileSync } from 'node:fs';\nreadFileSync('x');`, 'no-restricted-imports'],
  ['a file system by its old name', `import fs from 'fs';\nfs.readFileSync('x');`, 'no-restricted-imports'],
  ['an import at run time', `export const load = () => import('./x.js');`, 'no-restricted-syntax'],
  ['await', 'export const wait = async (x: Promise<number>) => await x;', 'no-restricted-syntax'],
  ['an async function', 'export async function wait() {}', 'no-restricted-syntax'],
  ['an async generator', 'export async function* wait() {}', 'no-restricted-syntax'],
  ['the clock', 'export const now = () => Date.now();', 'no-restricted-syntax'],
  ['the clock as a date', 'export const now = () => new Date();', 'no-restricted-syntax'],
  ['the fine clock', 'export const now = () => performance.now();', 'no-restricted-globals'],
  ['a timer', 'export const later = () => setTimeout(() => 1, 1);', 'no-restricted-globals'],
  ['a repeated timer', 'export const later = () => setInterval(() => 1, 1);', 'no-restricted-globals'],
  ['a micro-task', 'export const later = () => queueMicrotask(() => 1);', 'no-restricted-globals'],
  ['chance', 'export const dice = () => Math.random();', 'no-restricted-syntax'],
  ['the environment', 'export const home = () => process.env;', 'no-restricted-globals'],
  ['the network', `export const page = () => fetch('http://localhost');`, 'no-restricted-globals'],
  ['a log line', `export const say = () => console.log('x');`, 'no-console'],
];

describe.each(['algorithms', 'graph'])('packages/%s stays pure', (name) => {
  test.each(impurities)('%s is refused', async (_, code, rule) => {
    expect(await rulesBrokenBy(code, `packages/${name}/src/impure.ts`)).toContain(rule);
  });

  test('arithmetic and a date that is given are not', async () => {
    const code = 'export const year = (time: number) => new Date(time).getUTCFullYear() + Math.floor(0.5);';
    expect(await rulesBrokenBy(code, `packages/${name}/src/pure.ts`)).toEqual([]);
  });
});

test('elsewhere the clock may be read', async () => {
  expect(await rulesBrokenBy('export const now = () => Date.now();', 'packages/ingest/src/x.ts')).toEqual([]);
});
