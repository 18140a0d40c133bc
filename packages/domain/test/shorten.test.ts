import { describe, expect, it, test } from 'vitest';
import { InvalidArgumentError } from '../src/errors.js';
import { excerpt } from '../src/text/shorten.js';

describe('an excerpt', () => {
  it('keeps the lines of a text, without blanks at their ends and empty ones', () => {
    expect(excerpt('\n  first \t\n \n\nsecond\r\n  third\n', 100)).toBe('first\nsecond\n  third');
  });

  it('is the beginning and the last quarter of a long text, cut between words', () => {
    expect(excerpt('one two three four five six seven eight nine ten', 24)).toBe('one two three…\n… ten');
  });

  it('of half a million blanks in a row is soon there', () => {
    expect(excerpt(`first${' '.repeat(500_000)}last`, 20)).toMatch(/^first.*\n… .*last$/);
  });
});

test('a message that quotes a value cuts no character in two', () => {
  const { message } = new InvalidArgumentError('topic', `${'x'.repeat(75)}😀${'x'.repeat(9)}`, 'a word');
  expect(message).toBe(`Invalid argument "topic": got "${'x'.repeat(75)}...; expected a word.`);
});
