import type { CsrGraph } from '@causantic/algorithms';
import { LANGUAGES } from './languages.js';
import { SymbolTable } from './symbol-table.js';
import type { TagColumns } from './tag-columns.js';
import { nameWeight } from './name-weight.js';
import { isTestPath } from './test-paths.js';

/** Who mentions whose definitions. Edges run from the file that mentions to the file that defines. */
export interface ReferenceGraph extends CsrGraph {
  weights: Float64Array;
  /** Every single mention behind the edges, for giving a file's rank on to its definitions. */
  mentions: Mentions;
}

/** Parallel columns: file `from` mentions `definition`, which is in file `to`, with this weight. */
export interface Mentions {
  from: Uint32Array;
  to: Uint32Array;
  definition: Uint32Array;
  weight: Float64Array;
}

/** A name that more files define than this tells nothing about where a mention of it points. */
const MAX_DEFINING_FILES = 40;

/** How much likelier a definition one directory nearer is to be the one meant; from 2 to 4 it makes no difference. */
const NEARNESS_BASE = 3;

export function buildReferenceGraph(paths: readonly string[], tags: TagColumns): ReferenceGraph {
  const definers = definingFiles(tags);
  const symbols = new SymbolTable(tags.symbols);
  const directories = directoryTrails(paths);
  const weights = new Float64Array(symbols.size).fill(-1);
  const mentions = new MentionColumns();
  const isTest = paths.map(isTestPath);
  for (let from = 0; from < paths.length; from++) {
    for (let r = tags.referenceStart[from]!; r < tags.referenceStart[from + 1]!; r++) {
      const name = tags.referenceName[r]!;
      const targets = targetsOf(definers, tags, name, from);
      if (targets.length === 0) continue;
      if (weights[name]! < 0) weights[name] = nameWeight(symbols.name(name));
      const weight = weights[name]! * Math.sqrt(tags.referenceCount[r]!);
      shareByNearness(mentions, { directories, definers, isTest }, { from, weight, targets });
    }
  }
  return edgesOf(paths.length, mentions.finish());
}

/** For every name, as compressed rows, the files that define it, each with its first definition of the name. */
interface Definers {
  start: Uint32Array;
  file: Uint32Array;
  definition: Uint32Array;
}

function definingFiles(tags: TagColumns): Definers {
  const names = tags.symbols.ends.length;
  const start = new Uint32Array(names + 1);
  const lastFile = new Int32Array(names).fill(-1);
  const eachDefinition = (visit: (name: number, file: number, definition: number) => void) => {
    lastFile.fill(-1);
    for (let file = 0; file < tags.language.length; file++) {
      for (let d = tags.definitionStart[file]!; d < tags.definitionStart[file + 1]!; d++) {
        const name = tags.definitionName[d]!;
        if (lastFile[name] === file) continue;
        lastFile[name] = file;
        visit(name, file, d);
      }
    }
  };
  eachDefinition((name) => start[name + 1]!++);
  for (let name = 0; name < names; name++) start[name + 1]! += start[name]!;
  const next = start.slice(0, names);
  const file = new Uint32Array(start[names]!);
  const definition = new Uint32Array(start[names]!);
  eachDefinition((name, definer, d) => {
    const place = next[name]!++;
    file[place] = definer;
    definition[place] = d;
  });
  return { start, file, definition };
}

/** What is no test hardly ever means what a test defines: a helper there shares its name with a method. */
const INTO_TESTS = 0.05;

const NONE: readonly number[] = [];
/** What `targetsOf` gives, used again at each mention. */
const scratch: number[] = [];
/** By the number in the tags' language column. */
const FAMILIES = [undefined, ...LANGUAGES.map(({ family }) => family)];

/**
 * Places in `definers` of what a mention may mean. A file that defines the name itself means its own; files of
 * another language family are not meant.
 */
function targetsOf(definers: Definers, tags: TagColumns, name: number, from: number): readonly number[] {
  const start = definers.start[name]!;
  const end = definers.start[name + 1]!;
  if (end === start || end - start > MAX_DEFINING_FILES) return NONE;
  const family = FAMILIES[tags.language[from]!];
  scratch.length = 0;
  for (let i = start; i < end; i++) {
    const file = definers.file[i]!;
    if (file === from) return NONE;
    if (FAMILIES[tags.language[file]!] === family) scratch.push(i);
  }
  return scratch;
}

/** Per file the numbers of its directories from the root down. */
function directoryTrails(paths: readonly string[]): Int32Array[] {
  const trails = new Map<string, Int32Array>([['', new Int32Array(0)]]);
  const trailOf = (directory: string): Int32Array => {
    const known = trails.get(directory);
    if (known) return known;
    const parent = trailOf(directory.slice(0, Math.max(0, directory.lastIndexOf('/'))));
    const trail = Int32Array.of(...parent, trails.size);
    trails.set(directory, trail);
    return trail;
  };
  return paths.map((path) => trailOf(path.slice(0, Math.max(0, path.lastIndexOf('/')))));
}

function commonDepth(a: Int32Array, b: Int32Array): number {
  let depth = 0;
  while (depth < a.length && depth < b.length && a[depth] === b[depth]) depth++;
  return depth;
}

interface Mention {
  from: number;
  weight: number;
  /** Places in the definers. */
  targets: readonly number[];
}

interface Surroundings {
  directories: readonly Int32Array[];
  definers: Definers;
  isTest: readonly boolean[];
}

const likelihoods = new Float64Array(MAX_DEFINING_FILES);

/** Runs for every mention of a code base: nothing is allocated here. */
function shareByNearness(
  mentions: MentionColumns,
  { directories, definers, isTest }: Surroundings,
  { from, weight, targets }: Mention,
): void {
  const { file, definition } = definers;
  if (targets.length === 1) {
    const to = file[targets[0]!]!;
    const told = isTest[to] && !isTest[from] ? weight * INTO_TESTS : weight;
    return mentions.push(from, to, definition[targets[0]!]!, told);
  }
  let total = 0;
  for (let n = 0; n < targets.length; n++) {
    const to = file[targets[n]!]!;
    const nearness = NEARNESS_BASE ** commonDepth(directories[from]!, directories[to]!);
    likelihoods[n] = isTest[to] && !isTest[from] ? nearness * INTO_TESTS : nearness;
    total += likelihoods[n]!;
  }
  // A mention that may mean several files tells less in all, too.
  const shared = weight / Math.sqrt(targets.length) / total;
  for (let n = 0; n < targets.length; n++) {
    mentions.push(from, file[targets[n]!]!, definition[targets[n]!]!, shared * likelihoods[n]!);
  }
}

/** Grows by doubling; plain arrays of a million numbers take longer to fill and to copy. */
class MentionColumns {
  private length = 0;
  private from = new Uint32Array(4096);
  private to = new Uint32Array(4096);
  private definition = new Uint32Array(4096);
  private weight = new Float64Array(4096);

  push(from: number, to: number, definition: number, weight: number): void {
    if (this.length === this.from.length) this.grow();
    this.from[this.length] = from;
    this.to[this.length] = to;
    this.definition[this.length] = definition;
    this.weight[this.length++] = weight;
  }

  finish(): Mentions {
    const { from, to, definition, weight, length } = this;
    return {
      from: from.subarray(0, length),
      to: to.subarray(0, length),
      definition: definition.subarray(0, length),
      weight: weight.subarray(0, length),
    };
  }

  private grow(): void {
    const doubled = <T extends Uint32Array | Float64Array>(larger: T, full: T): T => {
      larger.set(full);
      return larger;
    };
    const length = this.length * 2;
    this.from = doubled(new Uint32Array(length), this.from);
    this.to = doubled(new Uint32Array(length), this.to);
    this.definition = doubled(new Uint32Array(length), this.definition);
    this.weight = doubled(new Float64Array(length), this.weight);
  }
}

/** Sums the mentions between each pair of files; mentions come ordered by the file they are in. */
function edgesOf(files: number, mentions: Mentions): ReferenceGraph {
  const offsets = new Int32Array(files + 1);
  const targets: number[] = [];
  const weights: number[] = [];
  const edgeTo = new Int32Array(files).fill(-1);
  let mention = 0;
  for (let from = 0; from < files; from++) {
    const firstEdge = targets.length;
    for (; mention < mentions.from.length && mentions.from[mention] === from; mention++) {
      const to = mentions.to[mention]!;
      const known = edgeTo[to]!;
      if (known >= firstEdge) weights[known]! += mentions.weight[mention]!;
      else {
        edgeTo[to] = targets.length;
        targets.push(to);
        weights.push(mentions.weight[mention]!);
      }
    }
    offsets[from + 1] = targets.length;
  }
  return { offsets, targets: Int32Array.from(targets), weights: Float64Array.from(weights), mentions };
}
