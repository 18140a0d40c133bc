import { expect, it } from 'vitest';
import { shortenLongStrings } from '../src/transcripts/long-lines.js';

/** Each as it stands in JSON: a cut may fall into the midst of one. */
const UNITS = ['x', 'é', '🚪', '\\n', '\\"', '\\\\', '\\u00e9', '\\ud83d\\udeaa'];
const LONG_CHARS = 300_000;

const shortened = (line: string): string => shortenLongStrings(Buffer.from(line)).toString();

it.each(UNITS)('a huge string of %s stays readable wherever it is cut', (unit) => {
  const text = unit.repeat(LONG_CHARS / unit.length);
  const whole = JSON.parse(`"${text}"`) as string;
  // Escapes of a pair are the longest.
  for (let shift = 0; shift < 12; shift++) {
    const line = shortened(`{"uuid":"a","data":"${'-'.repeat(shift)}${text}","end":1}`);
    const { data, ...rest } = JSON.parse(line) as { data: string };
    expect(rest).toEqual({ uuid: 'a', end: 1 });
    expect(data.length).toBeLessThan(whole.length);
    const left = data.replace(/ \[… \d+ bytes left out …\] /, '').replace(/^-*/, '');
    expect(whole.startsWith(left)).toBe(true);
  }
});

it('what people and models say stays whole, unless it is a tool’s result', () => {
  const said = JSON.stringify({ text: 'x'.repeat(LONG_CHARS) });
  expect(shortened(said)).toBe(said);
  expect(shortened(JSON.stringify({ tool_use_id: 't', content: 'x'.repeat(LONG_CHARS) }))).toContain(
    'bytes left out',
  );
});

it('a line that breaks off in a string is left as it is', () => {
  const line = `{"data":"${'x'.repeat(LONG_CHARS)}`;
  expect(shortened(line)).toBe(line);
});
