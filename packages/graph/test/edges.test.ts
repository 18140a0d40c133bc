import { describe, expect, it } from 'vitest';
import {
  adjacentEdges,
  agentEdges,
  createEdge,
  crossSessionEdges,
  diffEdges,
  EDGE_TYPES,
  EDGE_WEIGHTS,
  filePathEdges,
  hasShiftMarker,
  MAX_LINKED_FILES,
  topicEdges,
  type NeighbourList,
} from '../src/index.js';
import { arrows, chunk, keys, MINUTE_MS, timelinePoints, type PlacedChunk } from './chunk-fixtures.js';

describe('edge sets', () => {
  it('gives every type a weight in (0, 1]', () => {
    expect(EDGE_TYPES).toEqual(
      expect.arrayContaining(['adjacent', 'file-path', 'topic', 'brief', 'debrief']),
    );
    for (const type of EDGE_TYPES) expect(EDGE_WEIGHTS[type] > 0 && EDGE_WEIGHTS[type] <= 1).toBe(true);
  });

  it('diffs by type, from and to, and leaves out loops and repetitions', () => {
    const existing = [createEdge('adjacent', 1, 2), createEdge('adjacent', 2, 3)];
    const wanted = [
      createEdge('adjacent', 1, 2),
      createEdge('topic', 2, 3),
      createEdge('topic', 2, 3),
      createEdge('topic', 4, 4),
    ];
    const { add, remove } = diffEdges(existing, wanted);
    expect(keys(add)).toEqual(['topic:2:3']);
    expect(keys(remove)).toEqual(['adjacent:2:3']);
  });
});

describe('adjacent edges', () => {
  function check(chunks: PlacedChunk[], expected: string[]) {
    expect(arrows(adjacentEdges(chunks))).toEqual(expected);
  }

  it('links each chunk to the next of its stream, whatever the order they come in', () => {
    check([chunk(3), chunk(1), chunk(2)], ['1>2', '2>3']);
  });

  it('keeps thought streams and sessions apart', () => {
    check(
      [
        chunk(1),
        chunk(2, { agentId: 'a' }),
        chunk(3),
        chunk(4, { agentId: 'a' }),
        chunk(5, { sessionId: 's2' }),
      ],
      ['1>3', '2>4'],
    );
  });

  it('passes over chunks that are never shown', () => {
    check(
      [
        chunk(1),
        chunk(2, { kind: 'thinking' }),
        chunk(3, { kind: 'meta' }),
        chunk(4),
        chunk(5, { kind: 'error' }),
      ],
      ['1>4'],
    );
  });

  it('does not cut within a turn, however long it pauses', () => {
    check([chunk(1, { startMin: 0 }), chunk(2, { startMin: 500 })], ['1>2']);
  });

  it.each([
    ['29 minutes go on', { startMin: 29 }, ['1>2']],
    ['30 minutes cut', { startMin: 30 }, []],
    ['30 minutes with a common file go on', { startMin: 30, files: ['x.ts'] }, ['1>2']],
    ['another file does not help', { startMin: 30, files: ['y.ts'] }, []],
    ['a shift marker cuts', { startMin: 1, text: 'Now let’s fix the docs' }, []],
    [
      'a shift marker with a common file goes on',
      { startMin: 1, text: 'next, add tests', files: ['x.ts'] },
      ['1>2'],
    ],
    ['a missing time does not cut', { startTimeMs: null }, ['1>2']],
  ] as [string, Partial<PlacedChunk>, string[]][])('between turns: %s', (_, next, expected) => {
    check([chunk(1, { startMin: 0, files: ['x.ts'] }), chunk(2, { turn: 1, ...next })], expected);
  });

  it('counts a pause from the end of the earlier turn', () => {
    const earlier = chunk(1, { startMin: 0, endTimeMs: 25 * MINUTE_MS });
    check([earlier, chunk(2, { turn: 1, startMin: 50 })], ['1>2']);
    check([earlier, chunk(2, { turn: 1, startMin: 55 })], []);
    const withoutEnd = chunk(1, { startMin: 20, endTimeMs: null });
    check([withoutEnd, chunk(2, { turn: 1, startMin: 49 })], ['1>2']);
    check([withoutEnd, chunk(2, { turn: 1, startMin: 50 })], []);
    const clockWentBack = [earlier, chunk(2, { startMin: 5 })];
    check([...clockWentBack, chunk(3, { turn: 1, startMin: 54 })], ['1>2', '2>3']);
  });

  it('knows of no pause after a turn without times', () => {
    check([chunk(1, { startTimeMs: null, endTimeMs: null }), chunk(2, { turn: 1, startMin: 90 })], ['1>2']);
  });

  it('looks for common files in both whole turns', () => {
    const earlier = [chunk(1, { files: ['x.ts'] }), chunk(2)];
    const later = [chunk(3, { turn: 1, startMin: 90 }), chunk(4, { turn: 1, startMin: 91, files: ['x.ts'] })];
    check([...earlier, ...later], ['1>2', '2>3', '3>4']);
  });
});

describe('shift markers', () => {
  it.each([
    "Now let's look at the parser",
    'ok, now let us move on',
    'Great! Now on to the docs',
    'Alright, now for something new',
    'Good. Now let’s ship it',
    'perfect, now let us see',
    'btw, who is on call?',
    'next, the changelog',
    'Next task: release',
    "let's switch to the server",
    'Moving on.',
    'Different topic: how do forks work?',
    'another question',
    'New issue with the build',
    'on a different note, is CI green?',
    'unrelated: typo in README',
    'By the way, who calls this?',
  ])('%s', (prompt) => expect(hasShiftMarker(prompt)).toBe(true));

  it.each([
    'commit',
    'commit this',
    'yes, and now it works',
    'now it fails with ENOENT',
    'nextTick is never called',
    'next.js does not build',
    'the different topics are mixed up',
    "let's now commit this",
    'another try',
    'new',
    '',
    'Добавь another bug в список',
    '请修复 another bug',
  ])('not: %s', (prompt) => expect(hasShiftMarker(prompt)).toBe(false));
});

describe('file-path edges', () => {
  function check(chunks: PlacedChunk[], expected: string[]) {
    expect(arrows(filePathEdges(timelinePoints(chunks)))).toEqual(expected);
  }

  it('links each chunk to the next that touches the same file, one to one for each file', () => {
    check(
      [
        chunk(1, { files: ['a', 'b'] }),
        chunk(2, { files: ['a'] }),
        chunk(3, { files: ['a', 'b'] }),
        chunk(4),
      ],
      ['1>2', '1>3', '2>3'],
    );
  });

  it('crosses sessions by time, but not projects', () => {
    check(
      [
        chunk(1, { sessionId: 'later', startMin: 50, files: ['a'] }),
        chunk(2, { sessionId: 'earlier', startMin: 10, files: ['a'] }),
        chunk(3, { sessionId: 'other', projectId: 'p2', startMin: 20, files: ['a'] }),
      ],
      ['2>1'],
    );
  });

  it('links two chunks once, however many files they share or repeat', () => {
    check([chunk(1, { files: ['a', 'b', 'a'] }), chunk(2, { files: ['b', 'a'] })], ['1>2']);
  });

  it('keeps file order where timestamps run backwards or are missing', () => {
    const files = ['a'];
    check(
      [
        chunk(1, { startTimeMs: null, files }),
        chunk(2, { startMin: 9, files }),
        chunk(3, { startMin: 5, files }),
      ],
      ['1>2', '2>3'],
    );
  });

  it('bounds the edges of a chunk that lists a tree', () => {
    const files = Array.from({ length: 100 }, (_, i) => `f${i}`);
    const readers = files.map((file, i) => chunk(i + 2, { files: [file] }));
    const linked = arrows(filePathEdges(timelinePoints([chunk(1, { files }), ...readers])));
    expect(linked).toHaveLength(MAX_LINKED_FILES);
    const reversed = chunk(1, { files: files.toReversed() });
    expect(arrows(filePathEdges(timelinePoints([reversed, ...readers])))).toEqual(linked);
    const before = files.map((file, i) => chunk(i, { files: [file] }));
    expect(filePathEdges(timelinePoints([...before, chunk(100, { files })]))).toHaveLength(files.length);
  });

  it('puts the main agent first where sessions and times are equal', () => {
    const at = { startMin: 1, files: ['a'] };
    check([chunk(1, { ...at, agentId: 'x', position: 1 }), chunk(2, { ...at, position: 2 })], ['2>1']);
  });
});

describe('topic edges', () => {
  const points = new Map(
    timelinePoints([
      chunk(1),
      chunk(2),
      ...[3, 4, 5].map((id) => chunk(id, { sessionId: `s${id}` })),
      chunk(6, { sessionId: 's6', projectId: 'p2' }),
      chunk(7),
      chunk(8, { agentId: 'a' }),
    ]).map((point) => [point.id, point]),
  );
  function check(similarities: [number, number, number][], expected: string[]) {
    const lists: NeighbourList[] = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({
      id,
      neighbours: similarities
        .filter(([a, b]) => a === id || b === id)
        .map(([a, b, similarity]) => ({ id: a === id ? b : a, similarity })),
    }));
    expect(arrows(topicEdges({ lists, points, threshold: 0.7 }))).toEqual(expected);
  }

  it('needs both to be the nearest of the other', () => {
    check(
      [
        [1, 3, 0.8],
        [3, 4, 0.9],
        [1, 5, 0.75],
      ],
      ['3>4'],
    );
  });

  it('needs the threshold, and runs from the earlier to the later', () => {
    check(
      [
        [4, 1, 0.7],
        [3, 5, 0.69],
      ],
      ['1>4'],
    );
  });

  it('takes chunks of one stream as near up to five places apart, and of two agents never', () => {
    check([[2, 7, 0.9]], []);
    check([[1, 7, 0.9]], ['1>7']);
    check([[7, 8, 0.9]], ['7>8']);
  });

  it('takes the earlier of two that are equally near, whichever is listed first', () => {
    check(
      [
        [1, 5, 0.9],
        [1, 4, 0.9],
      ],
      ['1>4'],
    );
  });

  it('passes over near chunks of the same stream, other projects and unknown chunks', () => {
    check(
      [
        [1, 2, 0.99],
        [1, 6, 0.98],
        [1, 99, 0.97],
        [1, 4, 0.8],
      ],
      ['1>4'],
    );
  });
});

describe('agent edges', () => {
  const chunks = [
    chunk(1),
    chunk(2, { agentId: 'a', kind: 'thinking' }),
    chunk(3, { agentId: 'a' }),
    chunk(4, { agentId: 'a' }),
    chunk(5),
  ];
  const run = {
    ...{ sessionId: 's1', agentId: 'a', team: false },
    ...{ spawnChunkId: 1, lastChunkId: 4, resultChunkId: 5 },
  };

  it('links the start to the first shown chunk and the end of the report to the result', () => {
    expect(keys(agentEdges({ chunks, runs: [run] }))).toEqual(['brief:1:3', 'debrief:4:5']);
    const goesOn = { ...run, lastChunkId: 3 };
    expect(keys(agentEdges({ chunks, runs: [goesOn] }))).toEqual(['brief:1:3', 'debrief:3:5']);
  });

  it('has types of its own for teams, and for messages', () => {
    const messages = [
      { senderChunkId: 3, receiverChunkId: 5, toLead: true },
      { senderChunkId: 3, receiverChunkId: 9, toLead: false },
    ];
    expect(keys(agentEdges({ chunks, runs: [{ ...run, team: true }], messages }))).toEqual([
      'peer-message:3:9',
      'team-report:3:5',
      'team-report:4:5',
      'team-spawn:1:3',
    ]);
  });

  it('leaves out what is not known yet', () => {
    const unseen = { ...run, agentId: 'unseen', lastChunkId: null };
    expect(agentEdges({ chunks, runs: [unseen] })).toEqual([]);
    expect(keys(agentEdges({ chunks, runs: [{ ...run, resultChunkId: null }] }))).toEqual(['brief:1:3']);
  });
});

describe('cross-session edges', () => {
  const points = timelinePoints([
    chunk(1, { sessionId: 'old', startMin: 1 }),
    chunk(2, { sessionId: 'old', startMin: 2 }),
    chunk(3, { sessionId: 'old', startMin: 3, agentId: 'a' }),
    chunk(4, { sessionId: 'old', startMin: 90 }),
    chunk(5, { sessionId: 'new', startMin: 60 }),
    chunk(6, { sessionId: 'new', startMin: 61 }),
  ]);
  const link = { earlierSessionId: 'old', laterSessionId: 'new' };

  it.each([
    ['from the last main chunk before the continuation', link, ['2>5']],
    ['not for an unknown session', { ...link, laterSessionId: 'unseen' }, []],
    ['not backwards in time', { earlierSessionId: 'new', laterSessionId: 'old' }, []],
  ])('%s', (_, given, expected) => {
    expect(arrows(crossSessionEdges(points, [given]))).toEqual(expected);
    expect(arrows(crossSessionEdges(points.toReversed(), [given]))).toEqual(expected);
  });
});
