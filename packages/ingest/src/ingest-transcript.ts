import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import {
  type AgentDraft,
  type InputIssue,
  NotFoundError,
  type SessionDraft,
  type TurnDraft,
  errorMessage,
} from '@causantic/domain';
import type { Store, TranscriptCheckpoint, TranscriptWriter } from '@causantic/storage';
import { ClaudeCodeReader, type ReaderState } from './claude-code/reader.js';
import type { EventSink, SessionFacts, TranscriptEvent } from './events.js';
import { agentMetadata, describeTranscript, ownFileOf, type TranscriptFile } from './find-transcripts.js';
import { type Exclusion, isExcluded } from './exclusion.js';
import { type FileLine, readLines } from './lines.js';
import { projectOf } from './projects.js';
import { type JsonObject, objectOf, parseLine } from './records.js';
import { Redactor } from './redaction.js';
import { type OpenedTurn, TurnBuilder, type TurnSink, type TurnsState } from './turns.js';

export interface IngestOptions {
  exclude?: Exclusion;
}

export interface IngestReport {
  path: string;
  status: 'ingested' | 'unchanged' | 'excluded' | 'no-transcript';
  sessionUuid: string | null;
  /** Bytes read in this run. */
  bytes: number;
  /** Turns and chunks written in this run; the open last turn is written again by each. */
  turns: number;
  chunks: number;
  /** Records left out because another session owns them (a fork's copied beginning). */
  copiedRecords: number;
  issues: InputIssue[];
  /** Number of secrets and private parts taken out, by kind. */
  redactions: Record<string, number>;
}

/** Issues listed one by one; a file of garbage should not become a report of the same size. */
const MAX_ISSUES = 100;

/**
 * Bring the store up to date with one transcript: all of what is new, in one transaction, or nothing. An unchanged
 * file is not read; a longer one is read from its last open turn on; a rewritten one from its start.
 * @throws NotFoundError when the file does not exist, StorageError
 */
export function ingestTranscript(store: Store, path: string, options: IngestOptions = {}): IngestReport {
  const descriptor = openTranscript(path);
  try {
    return ingestOpenFile(store, canonicalPath(path), descriptor, options);
  } finally {
    closeSync(descriptor);
  }
}

function openTranscript(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw new NotFoundError(`Cannot open transcript ${path}`, { data: { path }, cause });
  }
}

/** One transcript is one row, whatever link it is reached by. */
function canonicalPath(path: string): string {
  return realpathSync(path);
}

function ingestOpenFile(
  store: Store,
  path: string,
  descriptor: number,
  options: IngestOptions,
): IngestReport {
  const { size, mtimeMs } = fstatSync(descriptor);
  if (sessionOfUnchanged(store, path, { size, mtimeMs }) !== null) return emptyReport(path, 'unchanged');
  const file = describeTranscript(path);
  if (!file) return emptyReport(path, 'no-transcript');
  const project = projectOf(file.cwd ?? fallbackFolder(path));
  if (options.exclude && isExcluded(options.exclude, path, [project.path, file.cwd])) {
    return emptyReport(path, 'excluded');
  }
  return store.transcripts.write(path, (writer) => {
    const run = new TranscriptRun(writer, file, { descriptor, size });
    run.start(project);
    run.read();
    run.finish(mtimeMs);
    return run.report;
  });
}

/** The session of a file that is as the last run left it; null for any other. The path must be canonical. */
export function sessionOfUnchanged(
  store: Store,
  path: string,
  file: { size: number; mtimeMs: number },
): string | null {
  const known = store.transcripts.checkpoint(path);
  if (known?.size !== file.size || known.mtimeMs !== file.mtimeMs) return null;
  return (JSON.parse(known.state) as { run: RunState }).run.session.uuid;
}

/** Without any working folder in the file, the folder it lies in tells projects apart. */
function fallbackFolder(path: string): string {
  return path.split(/[\\/]/).slice(0, -1).join('/');
}

function emptyReport(path: string, status: IngestReport['status']): IngestReport {
  return {
    path,
    status,
    sessionUuid: null,
    bytes: 0,
    turns: 0,
    chunks: 0,
    copiedRecords: 0,
    issues: [],
    redactions: {},
  };
}

/** Where the next run starts, with everything the reader has to remember until there. */
interface Boundary {
  offset: number;
  line: number;
  state: RunState;
}

interface RunState {
  reader: ReaderState;
  turns: TurnsState;
  session: SessionDraft;
  agents: AgentDraft[];
  lastCopied: string | null;
  forkOf: string | null;
  hasForgotten: boolean;
}

const STATE_VERSION = 1;

/** One reading of one transcript into the store. */
class TranscriptRun implements TurnSink {
  readonly report: IngestReport;
  private readonly redactor = new Redactor();
  private reader!: ClaudeCodeReader;
  private builder!: TurnBuilder;
  private session: SessionDraft;
  private readonly agents = new Map<string, AgentDraft>();
  private readonly storedAgents = new Map<string, string>();
  private lastCopied: string | null = null;
  /** The copied record that the first own one follows: its owner is the session that this one continues. */
  private forkOf: string | null = null;
  private hasForgotten = false;
  private boundaryAt: Boundary;
  private line: FileLine | null = null;
  private lineEvents: TranscriptEvent[] = [];
  private readonly ownership = new Map<string, boolean>();
  private project!: ReturnType<typeof projectOf>;

  constructor(
    private readonly writer: TranscriptWriter,
    private readonly file: TranscriptFile,
    private readonly input: { descriptor: number; size: number },
  ) {
    this.report = { ...emptyReport(file.path, 'ingested'), sessionUuid: file.sessionUuid };
    this.redactor = new Redactor();
    this.report.redactions = this.redactor.counts;
    this.session = {
      uuid: file.sessionUuid,
      source: file.source,
      cwd: file.kind === 'main' ? file.cwd : null,
      title: null,
      gitBranch: null,
      clientVersion: null,
    };
    this.boundaryAt = { offset: 0, line: 1, state: null as never };
  }

  /** Find the place to read from, forget what will be read again. */
  start(project: ReturnType<typeof projectOf>): void {
    this.project = project;
    const resumed = this.resumable();
    if (!resumed) this.writer.reset();
    else this.writer.dropTurnsFromLine(resumed.line);
    const state = resumed ? (JSON.parse(resumed.state) as { run: RunState }).run : undefined;
    if (state) {
      this.session = state.session;
      this.lastCopied = state.lastCopied;
      this.forkOf = state.forkOf;
      this.hasForgotten = state.hasForgotten;
      for (const agent of state.agents) this.agents.set(agent.key, agent);
    }
    const metadata = this.file.kind === 'subagent' ? agentMetadata(this.file.path) : null;
    this.reader = new ClaudeCodeReader(
      {
        agentKey: this.file.agentKey,
        agentName: metadata?.name ?? null,
        agentDescription: metadata?.description ?? null,
        hasOwnFile: ownFileOf(this.file.path),
      },
      this.events(),
      state?.reader,
    );
    this.builder = new TurnBuilder(this, this.redactor, state?.turns);
    this.writer.putSession(this.session, project);
    this.boundaryAt = { offset: resumed?.offset ?? 0, line: resumed?.line ?? 1, state: this.state() };
  }

  private resumable(): TranscriptCheckpoint | null {
    const known = this.writer.checkpoint;
    if (!known || known.offset === 0 || known.offset > this.input.size) return null;
    if ((JSON.parse(known.state) as { version?: number }).version !== STATE_VERSION) return null;
    return known.fingerprint === fingerprint(this.input.descriptor, known.offset) ? known : null;
  }

  read(): void {
    const { offset, line } = this.boundaryAt;
    for (const fileLine of readLines(this.input.descriptor, { offset, line }, this.input.size)) {
      this.readLine(fileLine);
    }
    this.report.bytes = this.input.size - offset;
    this.builder.end();
  }

  private readLine(line: FileLine): void {
    this.line = line;
    this.lineEvents = [];
    const parsed = parseLine(line);
    const problem = parsed.record ? parsed.damage : parsed.issue;
    if (problem) this.issue(line.number, problem.code, problem.message);
    if (!parsed.record) return;
    if (this.writer.isForgotten(line.number, line.number)) return this.forget(parsed.record);
    if (this.readRecord(parsed.record, line.number)) this.addLine();
  }

  /**
   * What the user deleted is not read at all: with what came behind it, it would stand in other chunks than those
   * deleted. Its ids stay claimed, so that no fork brings it back; the title may tell of it.
   */
  private forget(record: JsonObject): void {
    this.hasForgotten = true;
    this.session.title = null;
    const inner = objectOf(objectOf(record['data'])['message']);
    this.writer.claimRecords([record['uuid'], inner['uuid']].filter((uuid) => typeof uuid === 'string'));
  }

  /** A record of a form nobody has seen yet costs itself only; what the store throws ends the run. */
  private readRecord(record: JsonObject, line: number): boolean {
    try {
      this.reader.read(record, line);
      return true;
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      this.issue(line, 'unreadable-record', errorMessage(error));
      return false;
    }
  }

  private addLine(): void {
    const [first] = this.lineEvents;
    if (!first) return;
    if (first.uuid !== null && this.isCopied(first.uuid)) {
      for (const event of this.lineEvents) this.builder.addForeign(event);
      this.lastCopied = first.agentKey === this.reader.mainAgentKey ? first.uuid : this.lastCopied;
      this.report.copiedRecords++;
      return;
    }
    if (first.agentKey === this.reader.mainAgentKey) this.forkOf ??= this.lastCopied;
    this.builder.addLine(this.lineEvents, this.reader.mainAgentKey);
    if (first.uuid !== null) this.writer.claimRecords([first.uuid]);
  }

  private isCopied(uuid: string): boolean {
    const known = this.ownership.get(uuid);
    if (known !== undefined) return known;
    const isCopied = this.writer.recordsOwnedByOthers([uuid]).has(uuid);
    this.ownership.clear();
    this.ownership.set(uuid, isCopied);
    return isCopied;
  }

  finish(mtimeMs: number): void {
    this.writer.putSession(this.session, this.project);
    for (const agent of this.agents.values()) this.storeAgent(agent);
    if (this.forkOf !== null && this.file.kind === 'main') this.writer.linkFork(this.forkOf);
    const { offset, line, state } = this.boundaryAt;
    this.writer.save({
      size: this.input.size,
      mtimeMs,
      offset,
      line,
      turns: state.turns.turns,
      chunks: state.turns.chunks,
      fingerprint: fingerprint(this.input.descriptor, offset),
      state: JSON.stringify({ version: STATE_VERSION, run: state }),
    });
  }

  private state(): RunState {
    return structuredClone({
      reader: this.reader.state(),
      turns: this.builder.state(),
      session: this.session,
      agents: [...this.agents.values()],
      lastCopied: this.lastCopied,
      forkOf: this.forkOf,
      hasForgotten: this.hasForgotten,
    });
  }

  private events(): EventSink {
    return {
      event: (event) => void this.lineEvents.push(event),
      agent: (agent, uuid) => this.agent(agent, uuid),
      session: (facts) => this.sessionFacts(facts),
      issue: (line, code, message) => this.issue(line, code, message),
      clean: (text) => this.redactor.clean(text),
    };
  }

  private agent(agent: AgentDraft, uuid: string | null): void {
    if (uuid !== null && this.isCopied(uuid)) return;
    const known = this.agents.get(agent.key);
    this.agents.set(agent.key, known ? mergedAgent(known, agent) : agent);
  }

  /** The first folder and branch, the last title; what a sub-agent's file says of itself is not its session's. */
  private sessionFacts({ cwd, title, gitBranch, clientVersion }: SessionFacts): void {
    if (this.file.kind === 'subagent') return;
    this.session = {
      ...this.session,
      cwd: this.session.cwd ?? cwd ?? null,
      title: title === undefined || this.hasForgotten ? this.session.title : this.redactor.clean(title),
      gitBranch: this.session.gitBranch ?? gitBranch ?? null,
      clientVersion: this.session.clientVersion ?? clientVersion ?? null,
    };
  }

  private issue(line: number, code: string, message: string): void {
    if (this.report.issues.length < MAX_ISSUES) {
      this.report.issues.push({ file: this.file.path, line, code, message });
    }
  }

  turn(turn: TurnDraft): void {
    if (turn.agentKey !== null)
      this.storeAgent(this.agents.get(turn.agentKey) ?? unknownAgent(turn.agentKey));
    this.writer.putTurn(turn);
    this.report.turns++;
    this.report.chunks += turn.chunks.length;
  }

  private storeAgent(agent: AgentDraft): void {
    const clean = {
      ...agent,
      name: this.redactor.clean(agent.name),
      description: agent.description === null ? null : this.redactor.clean(agent.description),
    };
    const text = JSON.stringify(clean);
    if (this.storedAgents.get(agent.key) === text) return;
    this.writer.putAgent(clean);
    this.storedAgents.set(agent.key, text);
  }

  boundary(line: number): void {
    this.boundaryAt = { offset: this.line!.offset, line, state: this.state() };
  }

  opened({ parentUuid, ordinal }: OpenedTurn): void {
    const earlier = this.writer.promptsByParent(parentUuid)[0];
    if (!earlier) return;
    const replaced = Array.from({ length: ordinal - earlier.ordinal }, (_, index) => earlier.ordinal + index);
    this.writer.dropTurns(replaced);
  }
}

function unknownAgent(key: string): AgentDraft {
  return { key, kind: 'subagent', name: key, description: null, toolUseId: null, teamName: null };
}

function mergedAgent(known: AgentDraft, fresh: AgentDraft): AgentDraft {
  return {
    key: fresh.key,
    kind: known.kind === 'teammate' ? known.kind : fresh.kind,
    name: fresh.name === fresh.key ? known.name : fresh.name,
    description: fresh.description ?? known.description,
    toolUseId: fresh.toolUseId ?? known.toolUseId,
    teamName: fresh.teamName ?? known.teamName,
  };
}

const FINGERPRINT_BYTES = 4096;

/** Hash of the file's first bytes and of those just before the place: a rewritten file differs in one of them. */
function fingerprint(descriptor: number, offset: number): string {
  const hash = createHash('sha256');
  for (const start of [0, Math.max(0, offset - FINGERPRINT_BYTES)]) {
    const bytes = Buffer.alloc(Math.min(FINGERPRINT_BYTES, offset - start));
    readSync(descriptor, bytes, 0, bytes.length, start);
    hash.update(bytes);
  }
  return hash.digest('hex');
}
