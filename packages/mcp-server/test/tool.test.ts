import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { callTool, type ToolContext } from '../src/index.js';
import { defineTool, READ_ONLY, withoutOmitted } from '../src/tool.js';

// Nothing here gets as far as the store.
const context = {} as ToolContext;

const sampleTool = defineTool({
  name: 'sample',
  title: 'Sample',
  description: 'Says what it was given.',
  input: z.strictObject({
    words: z.string(),
    many: z.int().min(1, 'a whole number of at least 1').optional(),
    loud: z.boolean().default(false),
    colour: z.enum(['red', 'green']).optional(),
  }),
  annotations: READ_ONLY,
  run: (given) => ({ text: JSON.stringify(given) }),
});

const answer = async (input: unknown): Promise<string> => (await callTool(sampleTool, input, context)).text;

describe('arguments that models and libraries write for what they leave out', () => {
  const input = { words: 'x', many: null, loud: null, colour: '' };

  it('are left out where they may be missing', () => {
    expect(withoutOmitted(sampleTool, input)).toEqual({ words: 'x' });
    expect(input.many).toBeNull();
  });

  it('stay where they may not be missing, are unknown or not empty', () => {
    const kept = { words: '', other: null, constructor: null, colour: ' ', many: 0 };
    expect(withoutOmitted(sampleTool, kept)).toEqual(kept);
  });

  it('stay where something is deleted', () => {
    const annotations = { ...READ_ONLY, readOnlyHint: false };
    expect(withoutOmitted({ ...sampleTool, annotations }, input)).toEqual(input);
  });

  it.each([undefined, null, 'x', ['x']])('are none of %j', (none) => {
    expect(withoutOmitted(sampleTool, none)).toEqual(none);
  });
});

describe('arguments reach a tool checked', () => {
  it('with defaults filled in', async () => {
    expect(JSON.parse(await answer({ words: 'x' }))).toEqual({ words: 'x', loud: false });
  });

  it.each<[what: string, input: unknown, message: RegExp]>([
    ['missing', {}, /^Invalid argument "words": got nothing; expected text\.$/],
    ['no arguments at all', undefined, /^Invalid argument "words": got nothing; expected text\.$/],
    ['null', { words: null }, /^Invalid argument "words": got null; expected text\.$/],
    ['of another type', { words: 7 }, /^Invalid argument "words": got 7; expected text\.$/],
    [
      'a word for a number',
      { words: 'x', many: '3' },
      /^Invalid argument "many": got "3"; expected a(.*) number\.$/,
    ],
    [
      'not whole',
      { words: 'x', many: 1.5 },
      /^Invalid argument "many": got 1\.5; expected a whole number\.$/,
    ],
    [
      'out of range',
      { words: 'x', many: 0 },
      /^Invalid argument "many": got 0; expected a whole number of at least 1\.$/,
    ],
    [
      'farther out of range than whole numbers go',
      { words: 'x', many: -1e300 },
      /^Invalid argument "many": got -1e\+300; expected a whole number of at least 1\.$/,
    ],
    [
      'a word for a truth',
      { words: 'x', loud: 'false' },
      /^Invalid argument "loud": got "false"; expected true or false\.$/,
    ],
    [
      'not one of a few',
      { words: 'x', colour: 'blue' },
      /^Invalid argument "colour": got "blue"; expected one of: red, green\.$/,
    ],
    [
      'unknown',
      { words: 'x', word: 'y' },
      /^Invalid argument "word": got "y"; expected only these arguments: words, many, loud, colour\.$/,
    ],
    ['no object', 'words', /^Invalid argument "arguments": got "words"; expected an object\.$/],
    ['a list', ['words'], /^Invalid argument "arguments": /],
    ['very long', { words: 'x', many: 'y'.repeat(9_000) }, /^.{60,200}$/],
  ])('%s', async (_what, input, message) => {
    await expect(answer(input)).rejects.toThrow(message);
    await expect(answer(input)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
