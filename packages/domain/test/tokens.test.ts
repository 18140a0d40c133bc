import ranks from 'gpt-tokenizer/bpeRanks/cl100k_base';
import { countTokens as reference } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it } from 'vitest';
import { countTokens, loadTokens } from '../src/tokens/tokens.js';

const asText = { disallowedSpecial: new Set<string>() };

/** The same numbers at each run. */
function* numbers(): Generator<number> {
  for (let seed = 1; ; seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) yield seed / 0x7fffffff;
}

// prettier-ignore
const parts = ['a', 'Z', 'é', 'Ω', '数据', 'résumé', '\u0301', '１２', '│', '<=>', '#', '@/', 'Repository',  '本', '1', '9', '٣', ' ', '  ', '\t', '\n', '\r\n', "'", "'s", "'LL", "'re", '!', '_', '…', '🚪', '\u00a0', '\ud800', '\u2028', 've', 'getUserName', 'https://'];

it('knows the tokens of the encoding by their ranks', () => {
  const table = loadTokens();
  expect(table.size).toBe(ranks.length);
  const wrong = ranks.findIndex((token, rank) => {
    const bytes = Buffer.from(token as string);
    return table.find(bytes, 0, bytes.length) !== rank;
  });
  expect(wrong).toBe(-1);
});

describe('countTokens equals the tokenizer', () => {
  it('on any mixture of letters, digits, blanks, line breaks and symbols', () => {
    const random = numbers();
    for (let n = 0; n < 10_000; n++) {
      const length = 1 + Math.floor(random.next().value * 14);
      const text = Array.from({ length }, () => parts[Math.floor(random.next().value * parts.length)]).join(
        '',
      );
      expect([text, countTokens(text)]).toEqual([text, reference(text, asText)]);
    }
  });

  it('on more different words than are remembered', () => {
    const wordOf = (n: number): string =>
      (n < 26 ? '' : wordOf(Math.floor(n / 26) - 1)) + String.fromCharCode(97 + (n % 26));
    const words = Array.from({ length: 270_000 }, (_, n) => wordOf(n));
    expect(countTokens(words.join(' '))).toBeGreaterThan(words.length);
    const last = words.slice(-500).join(' ');
    expect(countTokens(last)).toBe(reference(last, asText));
  });

  it.each([
    '',
    'What is the till for? It\'s "mine" — don\'t touch it!',
    'export function open(door: Door): Till {\n\treturn door.till ?? new Till(1234567);\n}\n\n\n',
    '→ Exit code 1\r\n\r\n  at /home/ada/shop/src/till.ts:12:34   ',
    '<|endoftext|> and <|im_start|>',
    'これはペンです。 これは本です。',
  ])('on %j', (text) => {
    expect(countTokens(text)).toBe(reference(text, asText));
  });

  it.each(['a'.repeat(10_000), 'xY'.repeat(400), '数'.repeat(300)])(
    'nearly on a word without end, and never with too few',
    (text) => {
      const tooMany = countTokens(text) - reference(text, asText);
      expect(tooMany).toBeGreaterThanOrEqual(0);
      expect(tooMany).toBeLessThan(60);
    },
  );
});
