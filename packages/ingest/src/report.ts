import type { InputIssue } from '@causantic/domain';

export interface IngestReport {
  status: 'ingested' | 'unchanged' | 'excluded' | 'no-transcript';
  /** Bytes read in this run. */
  bytes: number;
  /** Turns and chunks written in this run; the open last turn is written again by each. */
  turns: number;
  chunks: number;
  /** Records left out because another session owns them (a fork's copied beginning). */
  copiedRecords: number;
  /** Other transcripts that must be read again, such as forks that took records of this one while it was truncated. */
  takenFrom: string[];
  issues: InputIssue[];
  /** Number of secrets and private parts removed, by kind. */
  redactions: Record<string, number>;
}

export function emptyReport(status: IngestReport['status']): IngestReport {
  return {
    status,
    bytes: 0,
    turns: 0,
    chunks: 0,
    copiedRecords: 0,
    takenFrom: [],
    issues: [],
    redactions: {},
  };
}
