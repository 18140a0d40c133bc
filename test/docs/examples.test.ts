import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkExamples, examplesIn } from '../../tools/check/examples.mjs';
import { workspaceRoot } from '../boundaries/run-tool.js';

const document = `
# Title

\`\`\`ts
const right: number = 1;
\`\`\`

\`\`\`sh
not TypeScript
\`\`\`

\`\`\`ts
const wrong: number = 'text';
\`\`\`

\`\`\`ts
throw new Error('fails when it is run');
\`\`\`

\`\`\`ts no-run
throw new Error('is never run');
\`\`\`
`;

test('the TypeScript blocks of a document are found with their lines', () => {
  expect(examplesIn(document, 'README.md').map(({ place, isRun }) => [place, isRun])).toEqual([
    ['README.md:4', true],
    ['README.md:12', true],
    ['README.md:16', true],
    ['README.md:20', false],
  ]);
});

test('an example that does not compile and one that fails are reported, and no other', async () => {
  const problems = await checkExamples(workspaceRoot, examplesIn(document, 'README.md'), 'examples-test');
  expect(problems).toHaveLength(2);
  expect(problems[0]).toContain("README.md:12 line (1,7): error TS2322: Type 'string' is not assignable");
  expect(problems[1]).toMatch(/^README\.md:16 fails when it is run:[^]*fails when it is run/);
});

test('an example that prints something else than its comments say is reported', async () => {
  const code = `console.log([1, 2], 'of 3');\nconsole.log(\n  'one',\n); // one\nconsole.log('2 (more)', 4); // 2 (more) …\n`;
  const examples = [code, code.replace('// one', '// another')].map((each, index) => ({
    place: `README.md:${index}`,
    code: each,
    isRun: true,
  }));
  const problems = await checkExamples(workspaceRoot, examples, 'printed-test');
  expect(problems).toEqual([
    expect.stringMatching(/^README\.md:1 prints something else than its comments say:\n\[ 1, 2 \] of 3\none/),
  ]);
});

test('what an example leaves among temporary files goes with it', async () => {
  const code = `
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
throw new Error(mkdtempSync(join(tmpdir(), 'left-')));
`;
  const [problem] = await checkExamples(
    workspaceRoot,
    [{ place: 'README.md:1', code, isRun: true }],
    'left-test',
  );
  const [, left] = /Error: (.+)/.exec(problem!)!;
  expect(left).toContain('left-');
  expect(existsSync(left!)).toBe(false);
});
