import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { buildRepoMap, renderHtml } from '../src/index.js';
import { project } from './project.js';

describe('the page', () => {
  it('holds the files by rank with their links, and nothing from elsewhere', async () => {
    const root = project({
      'zip.ts': 'export const level = 1;\nexport function sharedFunction() {}',
      'user.ts': 'sharedFunction();\nexport class <b>Bold</b> {}',
    });
    const page = renderHtml(await buildRepoMap({ root, includeDetails: true }), 'a <b>& "title"');
    const json = /id="map">(.*)<\/script>\n<script>/s.exec(page)![1]!;
    const files = JSON.parse(json) as { path: string; definitions: unknown[]; uses: number[] }[];
    expect(files.map(({ path, uses }) => [path, uses])).toEqual([
      ['zip.ts', []],
      ['user.ts', [0]],
    ]);
    expect(files[0]!.definitions).toEqual([
      ['fn', 'sharedFunction', 2],
      ['const', 'level', 1],
    ]);
    expect(page).toContain('a &#60;b&#62;&#38; &#34;title&#34;');
    // The namespace of drawings is a name and no address.
    expect(page.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|src=|@import/);
    expect(page).toContain("default-src 'none'");
    const [, script] = /<script>(.*)<\/script>/s.exec(page)!;
    expect(() => new Script(script!)).not.toThrow();
    expect(page.indexOf("default-src 'none'")).toBeLessThan(page.indexOf('<title>'));
  });

  it('holds of very many files those of highest rank, and of each its strongest links first', () => {
    const file = (number: number) => ({
      path: `${number}.ts`,
      language: 'typescript',
      rank: number,
      definitions: [],
      references: [3, 20, 5_000].map((other) => ({ path: `${other}.ts`, weight: other })),
    });
    const map = { files: 5_010, definitions: 0, references: 0 };
    const details = Array.from({ length: map.files }, (_, number) => file(number));
    const page = renderHtml({ ...map, details }, 'many');
    expect(page).toContain('cross-file references; the 5000 of highest rank are shown');
    const json = /id="map">(.*)<\/script>\n<script>/s.exec(page)![1]!;
    const shown = JSON.parse(json) as { path: string; uses: number[] }[];
    expect(shown[0]).toMatchObject({ path: '5009.ts', uses: [9, 4_989] });
    expect(shown.at(-1)).toMatchObject({ path: '10.ts' });
  });

  // Windows has no such names.
  it.skipIf(process.platform === 'win32')('takes no name for markup', async () => {
    const hostile = 'x<!--/<script>/<' + '/script><script>alert(1).ts';
    const root = project({ [hostile]: 'export const a = 1;\n' });
    const page = renderHtml(await buildRepoMap({ root, includeDetails: true }), hostile);
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page).not.toContain('<!--');
    const json = /id="map">(.*)<\/script>\n<script>/s.exec(page)![1]!;
    expect(JSON.parse(json)).toMatchObject([{ path: hostile }]);
  });
});
