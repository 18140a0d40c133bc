import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type InputIssue, type TranscriptSource, NotFoundError, errorMessage } from '@causantic/domain';
import { readLines } from './lines.js';
import { type JsonObject, objectOf, parseLine, stringOf } from './records.js';

/** A transcript on the disk, as its place and its first lines show it. */
export interface TranscriptFile {
  path: string;
  source: TranscriptSource;
  /** A sub-agent's own file belongs to the session that started it. */
  kind: 'main' | 'subagent';
  /** The agent's key, for a sub-agent's file. */
  agentKey: string | null;
  sessionUuid: string;
  /** First working folder named in the file. */
  cwd: string | null;
  firstTimeMs: number | null;
  bytes: number;
}

/** A file's session and folder stand in its first lines, behind at most some snapshots. */
const HEAD_LINES = 200;
const HEAD_BYTES = 4 << 20;

const SUBAGENT_FILE = /^agent-(.+)\.jsonl$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A file of nothing but titles and snapshots holds nothing to remember, and does not name its folder yet. */
const MESSAGE_TYPES = new Set(['user', 'assistant', 'system', 'progress', 'attachment']);

/**
 * Transcripts under these folders, or at these paths: main files before those of their sub-agents, oldest first, so
 * that a forked session comes behind its original. The order depends on the contents only. Files that are no
 * transcripts are passed over; what cannot be read is an issue.
 * @throws NotFoundError when a root does not exist
 */
export function findTranscripts(
  roots: readonly string[],
  onIssue: (issue: InputIssue) => void = () => undefined,
): TranscriptFile[] {
  return describeTranscripts(transcriptPaths(roots, onIssue), onIssue);
}

/**
 * Canonical paths of the `.jsonl` files under these roots, in no particular order.
 * @throws NotFoundError when a root does not exist
 */
export function transcriptPaths(roots: readonly string[], onIssue: (issue: InputIssue) => void): string[] {
  const visited = new Set<string>();
  const files: string[] = [];
  const visit = (path: string, isRoot: boolean): void => {
    const real = realpathSync(path);
    if (visited.has(real)) return;
    visited.add(real);
    if (!statSync(real).isDirectory()) {
      if (isRoot || real.endsWith('.jsonl')) files.push(real);
      return;
    }
    for (const name of readdirSync(real)) attempt(join(real, name), onIssue, (child) => visit(child, false));
  };
  for (const root of roots) {
    if (!existsSync(root))
      throw new NotFoundError(`No such file or folder: ${root}`, { data: { path: root } });
    attempt(root, onIssue, (path) => visit(path, true));
  }
  return files;
}

/** What cannot be read is an issue and does not keep the rest out. */
function attempt<T>(path: string, onIssue: (issue: InputIssue) => void, work: (path: string) => T): T | null {
  try {
    return work(path);
  } catch (error) {
    onIssue({ file: path, line: null, code: 'unreadable', message: errorMessage(error) });
    return null;
  }
}

/** Those of the files that are transcripts, in the order in which they should be read. */
export function describeTranscripts(
  paths: readonly string[],
  onIssue: (issue: InputIssue) => void,
): TranscriptFile[] {
  return paths.flatMap((path) => attempt(path, onIssue, describeTranscript) ?? []).sort(byOrigin);
}

/**
 * Forks share their first records with their original: among equals the shorter file is the elder, as a fork
 * starts as a copy of all there was.
 */
function byOrigin(a: TranscriptFile, b: TranscriptFile): number {
  return (
    Number(a.kind === 'subagent') - Number(b.kind === 'subagent') ||
    (a.firstTimeMs ?? 0) - (b.firstTimeMs ?? 0) ||
    a.bytes - b.bytes ||
    (a.path < b.path ? -1 : 1)
  );
}

interface Head {
  isTranscript: boolean;
  sessionUuid: string | null;
  cwd: string | null;
  firstTimeMs: number | null;
}

/** What a file is; null where it is no transcript of a known client. */
export function describeTranscript(path: string): TranscriptFile | null {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = fstatSync(descriptor).size;
    const head = readHead(descriptor, bytes);
    if (!head.isTranscript) return null;
    const name = basename(path);
    const agentKey = SUBAGENT_FILE.exec(name)?.[1] ?? null;
    const stem = name.replace(/\.jsonl$/, '');
    const ownName = UUID.test(stem) ? stem : null;
    return {
      path,
      source: 'claude-code',
      kind: agentKey === null ? 'main' : 'subagent',
      agentKey,
      sessionUuid: ownName ?? head.sessionUuid ?? parentSession(path) ?? stem,
      cwd: head.cwd,
      firstTimeMs: head.firstTimeMs,
      bytes,
    };
  } finally {
    closeSync(descriptor);
  }
}

function parentSession(path: string): string | null {
  const folder = dirname(path);
  return basename(folder) === 'subagents' ? basename(dirname(folder)) : null;
}

function readHead(descriptor: number, size: number): Head {
  const head: Head = { isTranscript: false, sessionUuid: null, cwd: null, firstTimeMs: null };
  for (const line of readLines(descriptor, { offset: 0, line: 1 }, size)) {
    const { record } = parseLine(line);
    if (record) addToHead(head, record);
    const isComplete = head.isTranscript && head.cwd !== null && head.firstTimeMs !== null;
    if (isComplete || line.number >= HEAD_LINES || line.offset > HEAD_BYTES) break;
  }
  return head;
}

function addToHead(head: Head, record: JsonObject): void {
  const hasMessage = MESSAGE_TYPES.has(String(record['type'])) && ('message' in record || 'uuid' in record);
  head.isTranscript ||= hasMessage;
  head.sessionUuid ??= stringOf(record['sessionId']);
  head.cwd ??= stringOf(record['cwd']);
  const time = Date.parse(stringOf(record['timestamp']) ?? '');
  if (head.firstTimeMs === null && hasMessage && !Number.isNaN(time)) head.firstTimeMs = time;
}

/** Keys of the agents of a session that have files of their own, in either layout. */
export function ownFileOf(mainPath: string): (agentKey: string) => boolean {
  const folder = dirname(mainPath);
  const session = basename(mainPath).replace(/\.jsonl$/, '');
  const known = new Map<string, boolean>();
  return (agentKey) => {
    let exists = known.get(agentKey);
    if (exists === undefined) {
      const name = `agent-${agentKey}.jsonl`;
      exists = existsSync(join(folder, session, 'subagents', name)) || existsSync(join(folder, name));
      known.set(agentKey, exists);
    }
    return exists;
  };
}

/** What newer clients write beside a sub-agent's file. */
export function agentMetadata(path: string): { name: string | null; description: string | null } {
  const file = path.replace(/\.jsonl$/, '.meta.json');
  if (!existsSync(file)) return { name: null, description: null };
  try {
    const data = objectOf(JSON.parse(readFileSync(file, 'utf8')));
    return {
      name: stringOf(data['name']) ?? stringOf(data['agentType']),
      description: stringOf(data['description']),
    };
  } catch (error) {
    if (error instanceof SyntaxError) return { name: null, description: null };
    throw error;
  }
}
