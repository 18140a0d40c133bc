import { describe, expect, it } from 'vitest';
import { countTokens } from '@causantic/domain/tokens';
import { CHUNK_SIZES } from '../src/index.js';
import { ingested, sessionId } from './ingested.js';
import { Recording } from './recording.js';

const squeezed = (text: string): string => text.replace(/\s+/g, '');

function chunksOf(answer: string): ReturnType<ReturnType<typeof ingested>['store']['chunks']> {
  return ingested(new Recording(sessionId(1)).user('go').answer(answer)).store.chunks('dialogue');
}

const sentence = 'The quick brown fox jumps over the lazy dog while the cat watches from the till. ';

describe('no chunk exceeds the limit, and no word is lost', () => {
  const texts: [what: string, text: string][] = [
    ['a long text of paragraphs', `${sentence.repeat(3)}\n\n`.repeat(60)],
    ['one paragraph without a break', sentence.repeat(700)],
    ['one line without a space', 'aB3$'.repeat(30_000)],
    ['one repeated letter', 'a'.repeat(300_000)],
    ['text without Latin letters', '縺薙ｌ縺ｯ繝?繧ｹ繝医〒縺吶?'.repeat(800)],
    ['emoji', '🚪🔑'.repeat(3_000)],
    [
      'a fence larger than the limit',
      `Look:\n\n\`\`\`ts\n${'const till = open(door);\n'.repeat(400)}\`\`\`\nDone.`,
    ],
    ['an unclosed fence', `\`\`\`\n${'x = 1\n'.repeat(2_000)}`],
    ['many short lines', 'ok\n'.repeat(3_000)],
    ['special tokens of a model', '<|endoftext|> '.repeat(400)],
  ];
  it.each(texts)('%s', (_what, text) => {
    const chunks = chunksOf(text);
    for (const chunk of chunks) {
      expect(chunk.tokens).toBeLessThanOrEqual(CHUNK_SIZES.limit);
      expect(chunk.tokens).toBe(countTokens(chunk.text));
    }
    const said = chunks.flatMap(({ text: chunkText, spans }) =>
      spans.filter(([who]) => who === 'assistant').map(([, start, end]) => chunkText.slice(start, end)),
    );
    expect(squeezed(said.join(''))).toBe(squeezed(text));
    expect(said.every((part) => !/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(part))).toBe(true);
  });
});

describe('where a text is cut', () => {
  it('keeps a fence whole that fits the limit', () => {
    const fence = `\`\`\`ts\n${'const till = open(door);\n\n'.repeat(40)}\`\`\``;
    expect(countTokens(fence)).toBeGreaterThan(CHUNK_SIZES.target);
    const chunks = chunksOf(`${sentence.repeat(20)}\n\n${fence}\n\n${sentence.repeat(20)}`);
    expect(chunks.filter((chunk) => chunk.text.includes(fence))).toHaveLength(1);
  });

  it('cuts prose between paragraphs', () => {
    const paragraphs = Array.from({ length: 12 }, (_, n) => `Paragraph ${n}. ${sentence.repeat(5)}`.trim());
    const chunks = chunksOf(paragraphs.join('\n\n'));
    expect(chunks.length).toBeGreaterThan(3);
    for (const paragraph of paragraphs) {
      expect(chunks.filter((chunk) => chunk.text.includes(paragraph))).toHaveLength(1);
    }
  });

  /** Where each chunk but the last ends. */
  const ends = (text: string, chars: number): string[] =>
    chunksOf(text)
      .slice(0, -1)
      .map((chunk) => chunk.text.slice(-chars));

  it.each([
    ['Chinese', '抽屉卡住是因为木头受潮膨胀，需要先把它晾干。', /[，。]$/],
    ['Japanese, with quotes', '彼は「引き出しを開けて。」と言った、でも動かなかった。', /(?:[、。]|。」)$/],
    ['Arabic', 'الدرج عالق لأن الخشب رطب، فهل نجففه الآن؟ ', /[،؟]$/u],
  ])('cuts a long paragraph between sentences in %s', (_language, text, end) => {
    const found = ends(text.repeat(60), 4);
    expect(found.length).toBeGreaterThan(2);
    for (const each of found) expect(each).toMatch(end);
  });

  it('cuts what has no punctuation, as a dictated prompt, between words', () => {
    const found = ends('please open the drawer gently '.repeat(200), 7);
    expect(found.length).toBeGreaterThan(2);
    for (const each of found) expect(each).toMatch(/(?:^|\s)(?:please|open|the|drawer|gently)$/);
  });

  it('knows which parts of a message a blank line sets apart', () => {
    const list = Array.from({ length: 40 }, (_, n) => `- drawer ${n} is stuck, open it gently`).join('\n');
    const text = [
      'Above.',
      list,
      'Below the list.',
      sentence.repeat(4).trim(),
      '| a | b |',
      list,
      'The end.',
    ];
    const said = text.join('\n\n');
    const parts = chunksOf(said).map(({ text, continues }) => ['', '\n', '\n\n'][continues]! + text);
    expect(parts.length).toBeGreaterThan(4);
    expect(parts.join('')).toContain(said);
  });

  it('merges small neighbours, also across thoughts', () => {
    const recording = new Recording(sessionId(1)).user('go');
    for (let n = 0; n < 6; n++) {
      recording.assistant([{ type: 'thinking', thinking: `thought ${n}` }]).answer(`Step ${n}.`);
    }
    const { store } = ingested(recording);
    expect(store.chunks('dialogue')).toHaveLength(1);
    expect(store.chunks('thinking')).toHaveLength(1);
  });

  it('keeps a call with its result', () => {
    const recording = new Recording(sessionId(1)).user('go');
    for (let n = 0; n < 4; n++) {
      recording
        .call(`c${n}`, 'Bash', { command: `run-${n} ${'word '.repeat(70)}` })
        .result(`c${n}`, `ran-${n} ${'word '.repeat(150)}`);
    }
    const { store } = ingested(recording);
    const numbers = (text: string, what: RegExp) => Array.from(text.matchAll(what), ([, n]) => n);
    const chunks = store.chunks('dialogue').map(({ text }) => text);
    expect(chunks.length).toBeGreaterThan(2);
    for (const text of chunks) expect(numbers(text, /ran-(\d)/g)).toEqual(numbers(text, /run-(\d)/g));
  });

  it('leaves a thought where it was between two messages', () => {
    const { store } = ingested(
      new Recording(sessionId(1))
        .user('go')
        .answer(sentence.repeat(15))
        .assistant([{ type: 'thinking', thinking: 'Hm.' }])
        .answer(sentence.repeat(15)),
    );
    expect(store.chunks().map(({ kind }) => kind)).toEqual(['dialogue', 'thinking', 'dialogue']);
  });

  it('does not part a message by a thought before it that stands behind a call in the same chunk', () => {
    const { store } = ingested(
      new Recording(sessionId(1))
        .user('go')
        .call('t', 'Bash', { command: 'ls' })
        .result('t', 'till.ts')
        .assistant([{ type: 'thinking', thinking: 'Hm.' }])
        .answer(`Look.\n\n${`${sentence.repeat(6)}\n\n`.repeat(4)}`),
    );
    expect(store.chunks().map(({ kind, continues }) => [kind, continues > 0])).toEqual([
      ['dialogue', false],
      ['dialogue', true],
      ['dialogue', true],
      ['dialogue', true],
      ['thinking', false],
    ]);
  });

  it('counts places, times and lines', () => {
    const { store } = ingested(
      new Recording(sessionId(1))
        .user('go')
        .answer('one')
        .user('more', { gitBranch: 'till' })
        .answer('two', { gitBranch: 'till' }),
    );
    expect(store.contents()['chunks']).toMatchObject([
      {
        seq: 0,
        turn: 0,
        line_start: 1,
        line_end: 2,
        git_branch: 'main',
        start_time: Date.parse('2026-03-01T10:00:00Z'),
      },
      {
        seq: 1,
        turn: 1,
        line_start: 3,
        line_end: 4,
        git_branch: 'till',
        end_time: Date.parse('2026-03-01T10:00:03Z'),
      },
    ]);
  });

  it('says which chunks go on with what an earlier one of their kind began', () => {
    const { store } = ingested(
      new Recording(sessionId(1))
        .user('go')
        .assistant([{ type: 'thinking', thinking: `Hm. ${sentence.repeat(30)}` }])
        .answer(sentence.repeat(30))
        .call('a', 'Bash', { command: `first ${'word '.repeat(150)}` })
        .call('b', 'Bash', { command: `second ${'word '.repeat(150)}` })
        .call('c', 'Bash', { command: `third ${'word '.repeat(150)}` })
        .result('c', `Result. ${'word '.repeat(400)}`),
    );
    const begun = (kind: string): string[] =>
      store.chunks(kind).map(({ continues, text }) => (continues ? '…' : text.split(' ')[0]!));
    expect(begun('thinking')).toEqual(['Hm.', '…', '…', '…']);
    expect(begun('dialogue')).toEqual(['User:', '…', '…', '…', '[Bash]', '[Bash]', '[Bash]', '…', '…']);
  });

  it('says who wrote what, labels belong to nobody', () => {
    const { store } = ingested(
      new Recording(sessionId(1))
        .user('list')
        .call('t', 'Bash', { command: 'ls' })
        .result('t', 'till.ts')
        .answer('One file.'),
    );
    const [chunk] = store.chunks();
    expect(chunk!.text).toBe('User: list\n\n[Bash] ls\n→ till.ts\n\nAssistant: One file.');
    expect(chunk!.spans.map(([who, start, end]) => [who, chunk!.text.slice(start, end)])).toEqual([
      ['user', 'list'],
      ['tool_use', '[Bash] ls'],
      ['tool_result', 'till.ts'],
      ['assistant', 'One file.'],
    ]);
  });
});

describe('what was read of a file', () => {
  const read = (result: string) =>
    ingested(
      new Recording(sessionId(1))
        .user('go')
        .call('t1', 'Read', { file_path: '/till.ts' })
        .result('t1', result),
    ).store.text('dialogue');

  it.each([
    ['an arrow', '     1→open()\n     2→'],
    ['a tab', '9\topen()\n10\t'],
  ])('is told without numbers of lines before %s, also of an empty last one', (_, result) => {
    expect(read(result)).toMatch(/→ open\(\)$/);
  });

  it('keeps the numbers that stand in it', () => {
    expect(read('1\topen()\n2\t17')).toMatch(/→ open\(\)\n17$/);
    expect(read('open()\n17')).toMatch(/→ open\(\)\n17$/);
  });
});
