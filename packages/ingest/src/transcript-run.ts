import { fstatSync } from 'node:fs';
import { type AgentDraft, type ProjectDraft, type TurnDraft, errorMessage } from '@causantic/domain';
import { isUntouched, type TranscriptCheckpoint, type TranscriptWriter } from '@causantic/storage';
import { checksum, encodeNoState, encodeState, type RunState, stampOf, stateOf } from './checkpoint.js';
import { Branches, type BranchesState } from './clients/claude-code/branches.js';
import { ReplayedHistory } from './clients/claude-code/replayed-history.js';
import { takenBack } from './clients/codex/segments.js';
import { CopiedRecords } from './transcripts/copied-records.js';
import type { TranscriptFile } from './transcripts/describe-transcript.js';
import type { EventSink, TranscriptEvent } from './clients/events.js';
import { type FileRecord, fileRecords, type RecordFile } from './transcripts/file-records.js';
import { Forgotten, type MovedPiece } from './turns/forgotten.js';
import { listStart } from './transcripts/document.js';
import { createReader } from './clients/readers.js';
import type { OpenTranscript } from './transcripts/open-transcript.js';
import type { JsonObject } from './transcripts/records.js';
import { ReadAgain } from './read-again.js';
import { ReadSession } from './turns/read-session.js';
import { Redactor } from './redaction/redaction.js';
import { emptyReport, type IngestReport } from './report.js';
import { SessionAgents } from './clients/session-agents.js';
import type { TranscriptReader } from './clients/transcript-reader.js';
import { type OpenedTurn, TurnBuilder, type TurnSink } from './turns/turns.js';

/** Maximum number of issues listed: a file of garbage should not produce a report of the same size. */
const MAX_ISSUES = 100;

/** Where the next run starts, with everything the reader has to remember until there. */
interface Boundary {
  offset: number;
  line: number;
  state: RunState;
}

/** One reading of one transcript into the store. */
export class TranscriptRun implements TurnSink {
  readonly report: IngestReport;
  private readonly redactor = new Redactor();
  private readonly reader: TranscriptReader;
  private readonly builder: TurnBuilder;
  private readonly agents: SessionAgents;
  private readonly session: ReadSession;
  private readonly copied: CopiedRecords;
  private readonly forgotten: Forgotten;
  private readonly replay: ReplayedHistory;
  private readonly branches: Branches;
  private readonly resumed: TranscriptCheckpoint | null;
  /** Before this run. */
  private readonly agentsTold: ReadonlySet<string>;
  /** Whether the file may no longer contain everything that was read from it. */
  private hasLost = false;
  private boundaryAt: Boundary;
  private record: FileRecord | null = null;
  private lineEvents: TranscriptEvent[] = [];
  private lineUuids: string[] = [];
  /** Records since the place where the next run starts. */
  private readonly recent = new Set<string>();

  /**
   * Finds the place to read from, and drops what will be read again.
   * @param branches what another reading found out about the whole file: it is read from its start
   */
  constructor(
    private readonly writer: TranscriptWriter,
    private readonly file: TranscriptFile,
    private readonly project: ProjectDraft,
    private readonly input: OpenTranscript,
    branches: BranchesState | null,
  ) {
    this.report = { ...emptyReport('ingested'), redactions: this.redactor.counts };
    const resumed = this.resumable(branches !== null);
    this.resumed = resumed;
    const state = resumed ? stateOf(resumed) : null;
    this.agentsTold = new Set(writer.agentsTold());
    if (resumed) writer.dropTurnsFromLine(resumed.line);
    else writer.reset();
    this.copied = new CopiedRecords(writer, state ?? undefined);
    this.report.takenFrom = this.copied.takenFrom;
    this.replay = new ReplayedHistory(state?.replay);
    this.branches = new Branches(this.recordFile, branches ?? state?.branches);
    this.forgotten = new Forgotten(writer.forgotten(), file.layout === 'lines', state ?? undefined);
    const clean = { redactor: this.redactor, forgotten: this.forgotten };
    this.session = new ReadSession(file, clean, state ?? undefined);
    this.agents = new SessionAgents(writer, state?.agents ?? []);
    this.reader = createReader(file, this.events(), state?.reader);
    this.builder = new TurnBuilder(this, clean, state?.turns);
    this.session.add({ title: file.title });
    writer.putSession(this.session.draft, project);
    this.boundaryAt = { offset: resumed?.offset ?? 0, line: resumed?.line ?? 1, state: this.state() };
  }

  private resumable(isReadAnew: boolean): TranscriptCheckpoint | null {
    const known = this.writer.checkpoint;
    if (known === null) return null;
    this.hasLost = !isUntouched(known, this.input.file) && !this.holds(known);
    const state = stateOf(known);
    if (isReadAnew || this.hasLost || known.checksum === undefined) return null;
    if (known.offset === 0 || state === null) return null;
    // What was read before its folder was known stands in no project yet.
    if (this.file.kind === 'main' && state.session.cwd === null && this.file.cwd !== null) return null;
    return known;
  }

  /** Is what was read still there? Of a document, what is behind its last turn is written anew whenever it grows. */
  private holds({ offset, size, checksum, wholeChecksum }: TranscriptCheckpoint): boolean {
    return this.file.layout === 'document'
      ? offset <= this.input.size && checksum === this.checksum(offset)
      : size <= this.input.size && wholeChecksum === this.checksum(size);
  }

  /** A document's head changes whenever it is written: only its list grows. */
  private checksum(offset: number): number {
    const { descriptor, size } = this.input;
    const begin = this.file.layout === 'document' ? (listStart(descriptor, size) ?? 0) : 0;
    return checksum(descriptor, begin, offset);
  }

  /** @throws ReadAgain */
  read(): void {
    const { offset, line } = this.boundaryAt;
    for (const record of fileRecords(this.recordFile, { offset, line })) this.readFileRecord(record);
    const branches = this.branches.revised();
    if (branches) throw new ReadAgain({ branches });
    this.report.bytes = this.input.size - offset;
    this.readHeldBack();
    this.builder.closeAll();
    const missed = this.forgotten.missed(line, this.record?.number ?? 0);
    if (missed.size > 0) this.writer.dropChunksOfLines(missed);
  }

  private readHeldBack(): void {
    this.lineEvents = [];
    this.reader.end?.();
    const [first] = this.lineEvents;
    if (first && !(first.uuid !== null && this.copied.has(first.uuid)))
      this.builder.addToOpen(this.lineEvents);
  }

  private get recordFile(): RecordFile {
    const { descriptor, size } = this.input;
    return { descriptor, size, layout: this.file.layout };
  }

  /**
   * Deleted pieces that stand in other lines than they did; what was written is then to be taken back.
   * @param isWhole whether the file was read to its end
   */
  movedPieces(isWhole: boolean): MovedPiece[] {
    if (this.resumed) return [];
    return this.forgotten.moved(isWhole ? Infinity : (this.record?.number ?? 0));
  }

  private readFileRecord(fileRecord: FileRecord): void {
    const { parsed, number } = fileRecord;
    this.record = fileRecord;
    this.lineEvents = [];
    this.lineUuids = [];
    if (parsed.issue) this.issue(number, parsed.issue.code, parsed.issue.message);
    if (!parsed.record) return;
    const isRead = this.readRecord(parsed.record, number);
    const inMain = this.lineEvents.filter((event) => this.isInMain(event));
    if (isRead) {
      const branch = this.branches.branchOf(parsed.record);
      for (const event of inMain) event.branch = branch;
      this.addLine();
    }
    this.branches.read(parsed.record, number, inMain);
  }

  private isInMain({ agentKey }: TranscriptEvent): boolean {
    return agentKey === this.mainAgentKey;
  }

  private get mainAgentKey(): string | null {
    const { mainAgentKey } = this.reader;
    return mainAgentKey === undefined ? this.file.agentKey : mainAgentKey;
  }

  /** A record of an unknown form is skipped alone; an error of the store ends the run. */
  private readRecord(record: JsonObject, line: number): boolean {
    try {
      this.reader.read(record, line);
      return true;
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      this.issue(line, 'unreadable-record', whyUnreadable(error));
      return false;
    }
  }

  private addLine(): void {
    const [first] = this.lineEvents;
    if (!first) return;
    const isRepeated = this.file.source === 'claude-code' && this.isRepeated(first);
    const isMain = this.isInMain(first);
    if (first.uuid !== null && this.copied.has(first.uuid)) {
      if (this.file.source === 'claude-code') this.writer.claimRecords(this.lineUuids);
      if (isMain) this.copied.noteCopied(first.uuid);
      return this.leaveOut();
    }
    if (first.uuid !== null) this.writer.claimRecords([first.uuid, ...this.lineUuids]);
    if (isRepeated) return this.leaveOut();
    if (isMain) this.copied.noteOwn();
    this.builder.addLine(this.lineEvents, this.mainAgentKey);
    if (first.uuid !== null) this.recent.add(first.uuid);
  }

  /** Going on with a session, some versions of Claude Code write its last record once more, and others all of them. */
  private isRepeated(event: TranscriptEvent): boolean {
    return this.replay.holds(event) || (event.uuid !== null && this.recent.has(event.uuid));
  }

  private leaveOut(): void {
    for (const event of this.lineEvents) this.builder.addForeign(event);
    this.report.copiedRecords++;
  }

  finish(): void {
    if (this.file.source === 'codex' && this.file.kind === 'main') {
      const lines = takenBack(this.file.sessionUuid, this.writer.pathsOfSession());
      for (const [path, line] of lines) this.writer.dropTurnsOf(path, line);
    }
    const { draft } = this.session;
    const isAllForgotten = this.isAllForgotten();
    this.writer.putSession(isAllForgotten ? { ...draft, gitBranch: null } : draft, this.project);
    this.agents.storeAll(!this.forgotten.isEmpty);
    Object.assign(this.report, this.writer.countFromLine(this.resumed?.line ?? 1));
    if (this.hasLost && this.forgotten.isEmpty) this.copied.leaveToForks();
    this.linkSession();
    const state = isAllForgotten ? encodeNoState(draft.uuid) : encodeState(this.boundaryAt.state);
    this.writer.save({ ...this.checkpoint(), state });
  }

  /** A branch goes with its session, and does not come back with a file of which nothing is stored any more. */
  private isAllForgotten(): boolean {
    return !this.resumed && !this.forgotten.isEmpty && this.writer.countFromLine(1).turns === 0;
  }

  /** Notes which other sessions it goes on from. */
  private linkSession(): void {
    const { continuesUuid, plannedIn } = this.session;
    if (continuesUuid !== undefined) {
      this.writer.linkOriginal(continuesUuid);
      this.copied.leaveToOriginal(continuesUuid);
    }
    const { forkOf } = this.copied.state();
    if (forkOf !== null && this.file.kind === 'main') this.writer.linkFork(forkOf);
    if (plannedIn !== undefined) this.writer.linkPlan(plannedIn);
  }

  private checkpoint(): Omit<TranscriptCheckpoint, 'state'> {
    const { descriptor, size } = this.input;
    const { offset, line } = this.boundaryAt;
    const before = this.resumed
      ? checksum(descriptor, this.resumed.offset, offset, this.resumed.checksum)
      : this.checksum(offset);
    const whole = checksum(descriptor, offset, size, before);
    return {
      size,
      ...stampOf(this.input),
      offset,
      line,
      ...(!this.isRewritten() && { checksum: before, wholeChecksum: whole }),
    };
  }

  /**
   * Was the file written to since it was opened, other than at its end? What was read is then not what it holds: an
   * editor, or a client that keeps folders the same, cuts a file off before it writes it again.
   */
  isRewritten(): boolean {
    const { descriptor, file, isCopy } = this.input;
    const now = fstatSync(descriptor);
    return !isCopy && !isUntouched(file, now) && now.size <= file.size;
  }

  /** Asked for at each turn, of which there are many: what is replaced and never changed is not copied. */
  private state(): RunState {
    return {
      reader: this.reader.state?.(),
      turns: this.builder.state(),
      session: this.session.draft,
      continuesUuid: this.session.continuesUuid,
      agents: this.agents.list(),
      ...this.copied.state(),
      ...this.forgotten.state(),
      replay: this.replay.before,
      branches: this.branches.state(),
    };
  }

  private events(): EventSink {
    return {
      event: (event) => void this.lineEvents.push(event),
      alsoKnownBy: (uuids) => void this.lineUuids.push(...uuids),
      agent: (agent, uuid) => this.agent(agent, uuid),
      session: (facts) => this.session.add(facts),
      issue: (line, code, message) => this.issue(line, code, message),
      hasTold: (agentKey) => this.agentsTold.has(agentKey),
      clean: (text) => (this.forgotten.mayHold(this.record?.number ?? 0) ? '' : this.redactor.clean(text)),
    };
  }

  private agent(agent: AgentDraft, uuid: string | null): void {
    if (uuid !== null && this.copied.has(uuid)) return;
    const description = agent.description === null ? null : this.redactor.clean(agent.description);
    const teamName = agent.teamName && this.redactor.cleanName(agent.teamName);
    this.agents.add({ ...agent, name: this.redactor.cleanName(agent.name), description, teamName });
  }

  private issue(line: number, code: string, message: string): void {
    if (this.report.issues.length < MAX_ISSUES) {
      this.report.issues.push({ file: this.file.path, line, code, message });
    }
  }

  turn(turn: TurnDraft): void {
    if (turn.agentKey !== null) this.agents.store(turn.agentKey);
    this.writer.putTurn(turn);
  }

  boundary(line: number): void {
    // Who goes on reads a line from its beginning: what stands before this record would be read twice.
    if (!this.record!.isFirstOfLine) return;
    this.recent.clear();
    this.boundaryAt = { offset: this.record!.offset, line, state: this.state() };
  }

  rewound(fromLine: number): void {
    this.writer.dropTurnsFromLine(fromLine);
    this.builder.goOnAt(this.writer.nextPlaces());
  }

  opened(prompt: OpenedTurn): void {
    const { offset, number: line } = this.record!;
    const earlier = this.writer.promptsByParent(prompt.parentUuid);
    const left = this.branches.opened(prompt, { offset, line }, earlier);
    if (left.size === 0) return;
    this.writer.dropTurnsOfLines(left);
    this.builder.goOnAt(this.writer.nextPlaces());
  }
}

/** Nothing else recurses as deep as a record does, nor makes so long a text. */
function whyUnreadable(error: TypeError | RangeError): string {
  return error instanceof RangeError ? 'it is nested too deep, or too long' : errorMessage(error);
}
