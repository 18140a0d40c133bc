import { fileRecords, type RecordFile } from '../file-records.js';
import { type JsonObject, stringOf } from '../records.js';

/** Latest records of a branch by which it would go on: parallel calls and late results make more than one. */
const MAX_ENDS = 100;

/** Older forks are final. */
const MAX_FORKS = 10;

/** Two prompts with the same parent record, and where the earlier one's branch would go on. */
interface Fork {
  earlier: string;
  later: string;
  ends: string[];
}

export interface BranchesState {
  /** The earlier branch was left out. */
  left: Fork[];
  /** Both branches go on. */
  parallel: Fork[];
}

export const NO_BRANCHES: BranchesState = { left: [], parallel: [] };

/** Ends a reading in which a branch went on that had been left out as rewound: what it wrote is taken back. */
export class BranchWentOn extends Error {
  constructor(readonly branches: BranchesState) {
    super('a branch went on behind the beginning of another one');
  }
}

/**
 * Of two prompts with the same parent record, the earlier one was rewound, unless its branch goes on when the later one
 * has begun: then two terminals have the session open, and both are meant.
 */
export class Branches {
  private wentOn = false;
  private readonly known: BranchesState;

  /**
   * @param found what another reading found out about the whole file
   * @param resumed what was known where this reading begins
   */
  constructor(found: BranchesState | null, resumed: BranchesState | undefined) {
    this.known = structuredClone(found ?? resumed ?? NO_BRANCHES);
  }

  state(): BranchesState {
    return structuredClone(this.known);
  }

  /** Did a branch go on that was left out? What it said is not in the store. */
  assertNoneWentOn(): void {
    const parallel = this.known.parallel.map((fork) => ({ ...fork, ends: [] }));
    if (this.wentOn) throw new BranchWentOn({ left: [], parallel });
  }

  /**
   * A prompt follows a record that another one has followed.
   * @returns whether the earlier one's branch is to be left out
   */
  fork(fork: Fork): boolean {
    const { left, parallel } = this.known;
    const known = parallel.find(({ earlier, later }) => earlier === fork.earlier && later === fork.later);
    if (known) known.ends = fork.ends;
    else this.known.left = [...left, fork].slice(-MAX_FORKS);
    for (const old of parallel.slice(0, -MAX_FORKS)) old.ends = [];
    return known === undefined;
  }

  /** The branch beside the latest one that a record of the main conversation goes on; null for the latest. */
  branchOf(record: JsonObject): string | null {
    const parent = parentOf(record);
    if (parent === null || record['isSidechain'] === true) return null;
    return this.known.parallel.findLast(({ ends }) => ends.includes(parent))?.earlier ?? null;
  }

  /**
   * A record of the main conversation.
   * @param isSaid whether a person or the model said something in it: results and notes may come late
   */
  read(record: JsonObject, isSaid: boolean): void {
    const parent = parentOf(record);
    const uuid = stringOf(record['uuid']);
    if (parent === null || uuid === null || record['isSidechain'] === true) return;
    const { left, parallel } = this.known;
    for (const fork of [...left, ...parallel].filter(({ ends }) => ends.includes(parent))) {
      // The parent stays among the latest, whatever else follows it.
      fork.ends = [...fork.ends.filter((end) => end !== parent), parent, uuid].slice(-MAX_ENDS);
      if (!isSaid || !left.includes(fork)) continue;
      parallel.push(fork);
      this.known.left = this.known.left.filter((other) => other !== fork);
      this.wentOn = true;
    }
  }
}

/** After a compaction the chain begins anew. */
function parentOf(record: JsonObject): string | null {
  return stringOf(record['parentUuid']) ?? stringOf(record['logicalParentUuid']);
}

/** Where a record stands in its file. */
export interface RecordPlace {
  offset: number;
  line: number;
}

/**
 * The branch that begins with a prompt, up to a line. Records without a parent belong to what stands before them.
 * @param from a place before the prompt, or its own
 */
export function branchFrom(
  prompt: string,
  file: RecordFile,
  { from, endLine }: { from: RecordPlace; endLine: number },
): { lines: Set<number>; ends: string[] } {
  const inBranch = new Set<string>();
  const lines = new Set<number>();
  let isInBranch = false;
  for (const { parsed, number } of fileRecords(file, from)) {
    if (number >= endLine) break;
    if (!parsed.record) continue;
    const parent = parentOf(parsed.record);
    const uuid = stringOf(parsed.record['uuid']);
    if (uuid === prompt) isInBranch = true;
    else if (parent !== null) isInBranch = inBranch.has(parent);
    if (!isInBranch) continue;
    lines.add(number);
    if (uuid !== null) inBranch.add(uuid);
  }
  return { lines, ends: [...inBranch].slice(-MAX_ENDS) };
}
