import { clientTitles, counted, groupBy, type InputIssue, megabytes, print } from '@causantic/domain';
import type { ReindexReport } from './reindex.js';

/** A damaged disk would print thousands. */
const SHOWN_PROBLEMS = 20;

/** Print what was done: one JSON object, or a few lines for people. */
export function writeReport(
  report: ReindexReport,
  { json, dryRun }: { json: boolean; dryRun: boolean },
): void {
  print(json ? JSON.stringify(report) : forPeople(report, dryRun));
}

function forPeople(report: ReindexReport, dryRun: boolean): string {
  const { files, bytes, sessions, turns, chunks, vectors, edges, skipped, seconds, issues } = report;
  const redactions = Object.values(report.redactions).reduce((sum, count) => sum + count, 0);
  const problems = [...groupBy(issues, ({ file, code }) => `${file}\n${code}`).values()];
  return [
    `${dryRun ? 'Looked at' : 'Read'} ${counted(files, 'file')} (${megabytes(bytes)}) of ${counted(sessions, 'session')} in ${seconds.toFixed(1)} s`,
    `  ${dryRun ? 'would be new' : 'new'}: ${counted(turns, 'turn')}, ${counted(chunks, 'chunk')}, ${counted(vectors, 'vector')}; unchanged or excluded: ${counted(skipped, 'file')}; edges in all: ${edges.toLocaleString('en-US')}`,
    ...stepTimes(report),
    ...(files === 0 ? [`  no transcripts of ${clientTitles('or')} found there`] : []),
    ...(report.vectorProblem === null
      ? []
      : [`  no vectors were made; for chunks without, search uses words alone: ${report.vectorProblem}`]),
    ...(report.topicProblem === null ? [] : [`  no topics were found: ${report.topicProblem}`]),
    ...(report.expired > 0
      ? [`  deleted by the retention settings: ${counted(report.expired, 'chunk')}`]
      : []),
    ...(redactions > 0 ? [`  secrets removed: ${redactions} (${kinds(report.redactions)})`] : []),
    ...(issues.length > 0 ? [`  problems: ${issues.length}`] : []),
    ...problems.slice(0, SHOWN_PROBLEMS).map(([first, ...alike]) => `    ${problem(first!, alike.length)}`),
    ...(problems.length > SHOWN_PROBLEMS
      ? [`    … ${problems.length - SHOWN_PROBLEMS} more; --json lists all`]
      : []),
  ].join('\n');
}

/** One damaged file may have a problem in each of its lines. */
function problem({ file, line, code, message }: InputIssue, alike: number): string {
  const more = alike === 0 ? '' : ` (and ${counted(alike, 'line')} more of it)`;
  return `${file}${line === null ? '' : `:${line}`} ${code}: ${message}${more}`;
}

/** Only steps that somebody has waited for. */
function stepTimes({ vectorSeconds, topicSeconds }: ReindexReport): string[] {
  const steps: [string, number][] = [
    ['vectors', vectorSeconds],
    ['topics', topicSeconds],
  ];
  const slow = steps.filter(([, time]) => time >= 1).map(([what, time]) => `${what} in ${time.toFixed(1)} s`);
  return slow.length > 0 ? [`  then: ${slow.join(', ')}`] : [];
}

function kinds(redactions: Record<string, number>): string {
  return Object.entries(redactions)
    .map(([kind, n]) => `${kind} ${n}`)
    .join(', ');
}
