import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ReindexReport } from '../src/reindex.js';
import { writeReport } from '../src/report.js';

let printed = '';

beforeEach(() => {
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

const NOTHING: ReindexReport = {
  files: 0,
  bytes: 0,
  sessions: 0,
  turns: 0,
  chunks: 0,
  skipped: 0,
  copiedRecords: 0,
  issues: [],
  redactions: {},
  seconds: 0,
  edges: 0,
  vectors: 0,
  vectorProblem: null,
  topicProblem: null,
  clusters: 0,
  vectorSeconds: 0,
  topicSeconds: 0,
  expired: 0,
};

function told(report: Partial<ReindexReport>, dryRun = false): string[] {
  writeReport({ ...NOTHING, ...report }, { json: false, dryRun });
  return printed.trimEnd().split('\n');
}

const issue = (file: string, line: number | null) => ({
  file,
  line,
  code: 'invalid-json',
  message: 'no JSON',
});

it('tells in two lines of a run in which nothing was wrong, slow or removed', () => {
  const read = { files: 2, bytes: 1_500_000, sessions: 1, turns: 3, chunks: 4, vectors: 4, edges: 1_039 };
  expect(told({ ...read, seconds: 0.25 })).toEqual([
    'Read 2 files (1.5 MB) of 1 session in 0.3 s',
    '  new: 3 turns, 4 chunks, 4 vectors; unchanged or excluded: 0 files; edges in all: 1,039',
  ]);
});

it('tells of the steps that somebody has waited for, and of no others', () => {
  expect(told({ files: 1, vectorSeconds: 0.9, topicSeconds: 1.04 })).toContain('  then: topics in 1.0 s');
  expect(told({ files: 1, vectorSeconds: 12, topicSeconds: 2 })).toContain(
    '  then: vectors in 12.0 s, topics in 2.0 s',
  );
});

it('tells of what was left out, missed or deleted, each in a line', () => {
  const report = { redactions: { password: 2, 'github-token': 1 }, topicProblem: 'no room', expired: 1 };
  expect(told({ ...report, vectorProblem: 'no model' }, true).slice(2)).toEqual([
    expect.stringMatching(/^ {2}no transcripts of Claude Code, .* or Cline found there$/),
    '  no vectors were made; for chunks without, search uses words alone: no model',
    '  no topics were found: no room',
    '  deleted by the retention settings: 1 chunk',
    '  secrets removed: 3 (password 2, github-token 1)',
  ]);
  expect(printed).toMatch(/^Looked at 0 files .*\n {2}would be new: /);
});

it('tells of the problems of a file once, and of twenty such files', () => {
  const issues = [issue('/a', 7), issue('/a', 8), issue('/a', 9), issue('/b', 1), issue('/c', null)];
  expect(told({ files: 3, issues }).slice(2)).toEqual([
    '  problems: 5',
    '    /a:7 invalid-json: no JSON (and 2 lines more of it)',
    '    /b:1 invalid-json: no JSON',
    '    /c invalid-json: no JSON',
  ]);
  printed = '';
  const many = Array.from({ length: 23 }, (_, n) => issue(`/${n}`, 1));
  const lines = told({ files: 23, issues: many }).slice(2);
  expect([lines.length, lines.at(-1)]).toEqual([22, '    … 3 more; --json lists all']);
});
