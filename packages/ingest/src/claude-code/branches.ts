import { fileRecords, type RecordFile } from '../file-records.js';
import { type JsonObject, stringOf } from '../records.js';

/** Latest records of a branch by which it would go on: parallel calls and late results make more than one. */
const MAX_ENDS = 100;

/** Older rewinds are final. */
const MAX_LEFT_BRANCHES = 10;

/** Two prompts with the same parent record, and where the earlier one's branch would go on. */
interface LeftBranch {
  earlier: string;
  later: string;
  ends: string[];
}

export interface BranchesState {
  left: LeftBranch[];
  /** Pairs of prompts whose branches both went on. */
  parallel: [earlier: string, later: string][];
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

  constructor(known = NO_BRANCHES) {
    this.known = structuredClone(known);
  }

  state(): BranchesState {
    return structuredClone(this.known);
  }

  /** Did a branch go on that was left out? What it said is not in the store. */
  assertNoneWentOn(): void {
    if (this.wentOn) throw new BranchWentOn({ ...NO_BRANCHES, parallel: this.known.parallel });
  }

  areParallel(earlier: string, later: string): boolean {
    return this.known.parallel.some(([one, other]) => one === earlier && other === later);
  }

  leave(branch: LeftBranch): void {
    this.known.left = [...this.known.left, branch].slice(-MAX_LEFT_BRANCHES);
  }

  /**
   * A record of the main conversation.
   * @param isSaid whether a person or the model said something in it: results and notes may come late
   */
  read(record: JsonObject, isSaid: boolean): void {
    const parent = parentOf(record);
    const uuid = stringOf(record['uuid']);
    if (parent === null || uuid === null || record['isSidechain'] === true) return;
    for (const branch of this.known.left.filter(({ ends }) => ends.includes(parent))) {
      // The parent stays among the latest, whatever else follows it.
      branch.ends = [...branch.ends.filter((end) => end !== parent), parent, uuid].slice(-MAX_ENDS);
      if (!isSaid) continue;
      this.known.parallel.push([branch.earlier, branch.later]);
      this.known.left = this.known.left.filter((other) => other !== branch);
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
