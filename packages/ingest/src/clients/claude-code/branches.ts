import type { OpenedTurn } from '../../turns/turns.js';
import type { TranscriptEvent } from '../events.js';
import { fileRecords, type RecordFile } from '../../transcripts/file-records.js';
import { type JsonObject, stringOf } from '../../transcripts/records.js';

/** Latest records of a branch by which it would go on: parallel calls and late results make more than one. */
const MAX_ENDS = 100;

/** Older forks are final. */
const MAX_FORKS = 10;

const SAID_BY_MODEL = new Set<TranscriptEvent['type']>(['answer', 'thinking', 'tool-call']);

/** Two prompts with the same parent record, and where the earlier one's branch would go on. */
interface Fork {
  earlier: string;
  later: string;
  ends: string[];
  /** The later prompt is still to be read: the earlier one's branch goes on behind it, and behind what stands before it. */
  isAhead?: boolean;
}

export interface BranchesState {
  /** The earlier branch was left out. */
  left: Fork[];
  /** Both branches go on; in the order of the earlier prompts, with the latest prompt behind which each is known to. */
  parallel: Fork[];
}

export const NO_BRANCHES: BranchesState = { left: [], parallel: [] };

/**
 * Of two prompts with the same parent record, the earlier one was rewound, unless its branch goes on when the later one
 * has begun: then two terminals have the session open, and both are meant.
 */
export class Branches {
  private wentOn = false;
  private readonly known: BranchesState;
  /** Where the prompts of this reading stand. */
  private readonly prompts = new Map<string, RecordPlace & { parentUuid: string }>();
  /** From the earliest prompt on that was rewound up to what was read last; null before one is. */
  private chain: { begin: RecordPlace; records: ChainRecord[] } | null = null;

  /** @param known from another reading of the whole file, or up to where this one begins */
  constructor(
    private readonly file: RecordFile,
    known: BranchesState = NO_BRANCHES,
  ) {
    this.known = structuredClone(known);
  }

  state(): BranchesState {
    return structuredClone(this.known);
  }

  /** What to begin anew with where a branch went on that was left out, since what it said is not in the store; else null. */
  revised(): BranchesState | null {
    const parallel = this.known.parallel.map((fork) => ({ ...fork, ends: [], isAhead: true }));
    return this.wentOn ? { left: [], parallel } : null;
  }

  /**
   * A prompt in the main conversation.
   * @param earlier prompts that follow the same record
   * @returns lines of their branches that are to be left out
   */
  opened(
    { promptUuid: prompt, parentUuid }: OpenedTurn,
    at: RecordPlace,
    earlier: readonly string[],
  ): Set<number> {
    this.prompts.set(prompt, { ...at, parentUuid });
    // In the order in which the earlier ones stand in the file, not in that in which they were found to go on.
    this.known.parallel.sort((a, b) => Number(a.earlier === prompt) - Number(b.earlier === prompt));
    const left = earlier.map((other) => this.leave({ earlier: other, later: prompt }, at.line));
    return new Set(left.flatMap((lines) => [...lines]));
  }

  private leave({ earlier, later }: Pick<Fork, 'earlier' | 'later'>, line: number): Set<number> {
    const { left, parallel } = this.known;
    const known = parallel.find((fork) => fork.earlier === earlier && (fork.isAhead || fork.later === later));
    const branch = (): Branch => branchFrom(earlier, this.recordsFrom(earlier, { line, prompt: later }));
    if (known) {
      const recent = parallel.slice(-MAX_FORKS);
      for (const old of parallel) if (!recent.includes(old)) old.ends = [];
      if (recent.includes(known) && known.ends.length === 0) known.ends = branch().ends;
      known.isAhead &&= known.later !== later;
      return new Set();
    }
    const { lines, ends } = branch();
    this.known.left = [...left, { earlier, later, ends }].slice(-MAX_FORKS);
    return lines;
  }

  /** Records from the place of a prompt on, up to another one's; each is looked at once, however many are rewound. */
  private recordsFrom(prompt: string, before: { line: number; prompt: string }): ChainRecord[] {
    const begin = this.prompts.get(prompt) ?? { offset: 0, line: 1 };
    if (this.chain === null || begin.line < this.chain.begin.line) {
      const missing = { ...this.file, size: this.chain?.begin.offset ?? this.file.size };
      const records = [...chainIn(missing, begin, before), ...(this.chain?.records ?? [])];
      this.chain = { begin, records };
    }
    const { records } = this.chain;
    return records.slice(records.findLastIndex(({ line }) => line < begin.line) + 1);
  }

  /**
   * The branch beside the latest one that a record of the main conversation goes on: of those that lie in each other the
   * innermost, which no other terminal goes on; null for the latest.
   */
  branchOf(record: JsonObject): string | null {
    const parent = parentOf(record);
    if (parent === null || record['isSidechain'] === true) return null;
    return this.known.parallel.findLast(({ ends }) => ends.includes(parent))?.earlier ?? null;
  }

  /** @param events that the record stands for in the main conversation, where it does */
  read(record: JsonObject, line: number, events: readonly TranscriptEvent[]): void {
    const link = chainRecord(record, line);
    this.chain?.records.push(link);
    const { parent, uuid } = link;
    if (parent === null || uuid === null || record['isSidechain'] === true) return;
    const { left, parallel } = this.known;
    for (const fork of [...left, ...parallel].filter(({ ends }) => ends.includes(parent))) {
      // The parent stays among the latest, whatever else follows it.
      fork.ends = [...fork.ends.filter((end) => end !== parent), parent, uuid].slice(-MAX_ENDS);
      if (left.includes(fork) && events.some(isSaid)) this.goesOn(fork);
    }
  }

  /** Behind the latest prompt, and so behind each before it: to find that out one by one takes a reading for every few. */
  private goesOn(fork: Fork): void {
    const parent = this.prompts.get(fork.later)?.parentUuid;
    const beside = [...this.prompts].findLast(([, { parentUuid }]) => parentUuid === parent);
    const others = this.known.parallel.filter(({ earlier }) => earlier !== fork.earlier);
    this.known.parallel = [...others, { ...fork, later: beside?.[0] ?? fork.later }];
    this.known.left = this.known.left.filter((other) => other !== fork);
    this.wentOn = true;
  }
}

/** By a person or the model: results and notes may come late to a branch that was rewound. */
function isSaid(event: TranscriptEvent): boolean {
  return event.type === 'prompt' ? event.injected !== true : SAID_BY_MODEL.has(event.type);
}

/** After a compaction the chain begins anew. */
function parentOf(record: JsonObject): string | null {
  return stringOf(record['parentUuid']) ?? stringOf(record['logicalParentUuid']);
}

/** Where a record stands in its file. */
interface RecordPlace {
  offset: number;
  line: number;
}

/** What tells to which branch a record belongs. */
interface ChainRecord {
  line: number;
  uuid: string | null;
  parent: string | null;
}

function chainRecord(record: JsonObject, line: number): ChainRecord {
  return { line, uuid: stringOf(record['uuid']), parent: parentOf(record) };
}

/** Records from a place on, up to a prompt in a line, or to the file's end. */
function chainIn(
  file: RecordFile,
  from: RecordPlace,
  before: { line: number; prompt: string },
): ChainRecord[] {
  const chain: ChainRecord[] = [];
  for (const { parsed, number } of fileRecords(file, from)) {
    const record = parsed.record && chainRecord(parsed.record, number);
    if (number > before.line || (number === before.line && record?.uuid === before.prompt)) break;
    if (record) chain.push(record);
  }
  return chain;
}

interface Branch {
  lines: Set<number>;
  /** Its latest records. */
  ends: string[];
}

/** The branch that begins with a prompt. Records without a parent belong to what stands before them. */
function branchFrom(prompt: string, records: readonly ChainRecord[]): Branch {
  const inBranch = new Set<string>();
  const lines = new Set<number>();
  let isInBranch = false;
  for (const { line, uuid, parent } of records) {
    if (uuid === prompt) isInBranch = true;
    else if (parent !== null) isInBranch = inBranch.has(parent);
    if (!isInBranch) continue;
    lines.add(line);
    if (uuid !== null) inBranch.add(uuid);
  }
  return { lines, ends: [...inBranch].slice(-MAX_ENDS) };
}
