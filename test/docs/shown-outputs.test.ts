import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspaceRoot } from '../boundaries/run-tool.js';
import { MemoryHome } from '../e2e/memory-home.js';

const SAMPLE = join(workspaceRoot, 'test/sample/claude/projects');
const memory = new MemoryHome();
let report = '';

beforeAll(async () => {
  report = (await memory.reindex('--source', SAMPLE)).stdout;
});
afterAll(() => memory.remove());

/** Lines of a document are wrapped; times and the last digits of vectors differ between machines. */
const asText = (shown: string): string =>
  shown
    .replace(/\n {2}then: .*/, '')
    .replace(/ in \d+\.\d s/, ' in a moment')
    .replace(/\d+%/g, 'N%')
    .replace(/\s+/g, ' ')
    .trim();

/** Where `…` stands, there may be anything. */
const shownAs = (text: string): RegExp =>
  new RegExp(`^${text.replace(/[^\w\s…]/g, '\\$&').replaceAll('…', '[^]*?')}$`);

const documented = (document: string): string => readFileSync(join(workspaceRoot, document), 'utf8');

describe('what the README shows is what comes out', () => {
  const [, block = ''] = /```console\n([^]*?)```/.exec(documented('README.md')) ?? [];
  const examples = block.split(/^\$ /m).slice(1);

  it.each(examples.map((example) => [example.split('\n', 1)[0]!, example]))(
    '%s',
    async (command, example) => {
      const [program, ...args] = command.split(' ');
      const output =
        program === 'causantic-reindex'
          ? report
          : (await memory.causanticWith({ TZ: 'UTC' }, ...args)).stdout;
      expect(asText(output)).toMatch(shownAs(asText(example.slice(command.length))));
    },
  );

  it('and there are some', () => expect(examples.length).toBeGreaterThan(2));
});

describe('the stories are what recall tells', () => {
  const stories = [
    ...documented('docs/stories.md').matchAll(/^`causantic recall "([^"]+)"`\n\n```text\n([^]*?)```$/gm),
  ];

  it.each(stories.map(([, question, story]) => [question!, story!]))('%s', async (question, story) => {
    const { stdout } = await memory.causanticWith({ TZ: 'UTC' }, 'recall', question);
    expect(asText(stdout)).toBe(asText(story));
  });

  it('and there are three', () => expect(stories).toHaveLength(3));
});
