import { describe, expect, it } from 'vitest';
import { addElement, removeValue, setValue } from '../src/install/json-edits.js';
import { objectIn } from '../src/install/json-text.js';

const mine = { matcher: 'startup', hooks: [{ type: 'command' }] };

const TEXTS: Record<string, string> = {
  'nothing at all': '{}\n',
  'a name twice, of which the last counts': '{\n  "hooks": {},\n  "hooks": { "Stop": [{ "a": 1 }] }\n}\n',
  'an object over lines': '{\n}\n',
  'tabs, comments and trailing commas':
    '{\n\t// first\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{ "a": 1 }, // stays\n\t\t],\n\t},\n\t"z": { "y": [1, 2] } /* end */\n}',
  'four spaces and Windows line breaks':
    '{\r\n    "hooks": {\r\n        "Stop": [\r\n            { "a": 1 }\r\n        ]\r\n    }\r\n}\r\n',
  'one line': '{"hooks":{"Stop":[{"a":1}]},"z":1}',
  'a comment behind the last value': '{\n  "z": 1 // one, not two\n}\n',
  'two comments behind the last value': '{\n  "z": 1 /* one */ // not two\n}\n',
  'a block comment behind the last value': '{\n  "z": "a, b" /* comma, too */\n}\n',
  'a comment before the last comma': '{\n  "y": 0 /* none */,\n  "z": 1 /* one */,\n}\n',
  'an empty list': '{\n  "hooks": { "Stop": [] }\n}\n',
  'a byte order mark': '\ufeff{\n  "z": 1\n}\n',
};

describe('an added value', () => {
  it.each(Object.entries(TEXTS))('stands in %s, and taken out leaves no trace', (_, text) => {
    const added = setValue(text, ['hooks', 'SessionEnd'], [mine]);
    const expected = objectIn(text) as { hooks?: object };
    expect(objectIn(added)).toEqual({ ...expected, hooks: { ...expected.hooks, SessionEnd: [mine] } });
    expect(added).not.toMatch(/\n\s*\n/);
    const path = expected.hooks ? ['hooks', 'SessionEnd'] : ['hooks'];
    const removed = removeValue(added, path);
    // Braces with nothing but space between them are the same to everybody.
    expect(removed.replace(/\{\s*\}/g, '{}')).toBe(text.replace(/\{\s*\}/g, '{}'));
  });

  it.each(Object.entries(TEXTS).filter(([, text]) => text.includes('"Stop": [\n') || text.includes('[\r\n')))(
    'stands behind the others of a list in %s',
    (_, text) => {
      const added = addElement(text, ['hooks', 'Stop'], mine);
      expect(objectIn(added)).toMatchObject({ hooks: { Stop: [{ a: 1 }, mine] } });
      expect(added.split('\n')).toEqual(expect.arrayContaining(text.split('\n').slice(0, 3)));
      expect(removeValue(added, ['hooks', 'Stop', 1])).toBe(text);
    },
  );

  it('goes behind a value and however many comments before the closing brace', () => {
    const comments = '/**/'.repeat(100);
    const text = `{\n  "z": 1 ${comments} }`;
    expect(objectIn(setValue(text, ['a'], 2))).toEqual({ z: 1, a: 2 });
  });

  it('has the indentation and the line breaks of the text', () => {
    const added = setValue(TEXTS['four spaces and Windows line breaks']!, ['hooks', 'SessionEnd'], [1]);
    expect(added).toContain(
      '        ],\r\n        "SessionEnd": [\r\n            1\r\n        ]\r\n    }\r\n}\r\n',
    );
    expect(added.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it.each(['', '// nothing yet', '// nothing yet\n'])(
    'stands behind the comments of a text without an object: %j',
    (text) => {
      const added = setValue(text, ['hooks', 'SessionEnd'], [mine]);
      expect(added.startsWith(text)).toBe(true);
      expect(objectIn(added)).toEqual({ hooks: { SessionEnd: [mine] } });
    },
  );

  it('takes the place of an earlier one', () => {
    const text = '{\n  "a": { "b": 1 }, // why\n  "c": 2\n}\n';
    expect(setValue(text, ['a', 'b'], [3])).toBe('{\n  "a": { "b": [\n    3\n  ] }, // why\n  "c": 2\n}\n');
  });
});

describe('a value taken out', () => {
  it.each([
    ['the first', ['a'], '{\n  // kept\n  "b": 2\n}'],
    ['the last', ['b'], '{\n  // kept\n  "a": 1\n}'],
  ])('%s leaves comments and no comma too many', (_, path, expected) => {
    expect(removeValue('{\n  // kept\n  "a": 1,\n  "b": 2\n}', path)).toBe(expected);
  });

  it('that is not there changes nothing', () => {
    expect(removeValue('{ "a": 1 }', ['b', 'c'])).toBe('{ "a": 1 }');
  });

  it('leaves the others of its line', () => {
    expect(removeValue('{"a":1, "b":2, "c":3}', ['b'])).toBe('{"a":1, "c":3}');
    expect(removeValue('{\n  // kept\n  "a": 1, "b": 2\n}', ['a'])).toBe('{\n  // kept\n   "b": 2\n}');
    expect(removeValue('[1]'.replace('[1]', '{"l":[1, 2]}'), ['l', 1])).toBe('{"l":[1]}');
  });
});
