import type { CsrGraph } from '@causantic/algorithms';
import { SymbolTable } from '@causantic/domain/symbol-table';
import { renumbered } from '../cache/aligned-numbers.js';
import { Column } from '../cache/column.js';
import { languageNumber } from '../extraction/languages.js';
import { isTestPath } from '../files/test-paths.js';
import type { TagColumns } from '../cache/tag-columns.js';
import {
  DEFINITION_KINDS,
  REFERENCE_FORMS,
  isShownByMentions,
  type DefinitionKind,
  type ReferenceForm,
} from '../tags.js';
import { definersOf, type Definers } from './definers.js';
import { DirectoryTrails } from './directory-trails.js';
import { graphChanges, type GraphChanges, type GraphFiles } from './graph-changes.js';
import { IMPORTED_CLASS } from './imported-classes.js';
import { REEXPORT } from './imported-files.js';
import { LikelyMeant, STANDARD, UNLIKELY, type Mention } from './likely-meant.js';
import { ModuleNames } from './module-names.js';
import { nameWeight } from './name-weight.js';

/** Who mentions whose definitions. Edges run from the file that mentions to the file that defines. */
export interface ReferenceGraph extends CsrGraph {
  weights: Float32Array;
  /** Per file, 1 for what {@link isTestPath} says. */
  tests: Uint8Array;
  /** Made of the paths alone, and kept as long as they stay the same. */
  modules: ModuleNames;
  /** Every single mention behind the edges, for giving a file's rank on to its definitions. */
  mentions: Mentions;
}

/** Rows of mentions: file `f` has `start[f] .. start[f + 1])`, each of a definition with this weight. */
export interface Mentions {
  start: Uint32Array;
  /** The file that holds the definition. */
  to: Uint32Array;
  /** Counted from that file's first definition, so that it stays true when other files change. */
  place: Uint32Array;
  weight: Float32Array;
  /**
   * 1 where it shows the definition in a map without a focus. It does not where other files cannot name that, where a word
   * that is never called meets a function of that name, a bare one what is within a type, or where the file imports the name
   * from elsewhere. {@link SHOWS_METHOD} for a method where the file mentions nothing else of the method's file.
   */
  shows: Uint8Array;
}

export const [SHOWS, SHOWS_METHOD] = [1, 2];

/** The graph of an earlier state of the files. */
export interface EarlierGraph {
  files: GraphFiles;
  graph: ReferenceGraph;
}

/**
 * @param earlier a graph whose still valid rows are reused; the result is the same without it
 */
export function buildReferenceGraph(files: GraphFiles, earlier?: EarlierGraph): ReferenceGraph {
  const changes = earlier && graphChanges(earlier.files, files);
  return new GraphBuilder(files, changes && { ...changes, graph: earlier.graph }).build();
}

interface Kept extends GraphChanges {
  graph: ReferenceGraph;
}

const FORM_WEIGHT: Partial<Record<ReferenceForm, number>> = { unbound: UNLIKELY, standard: STANDARD };
/** As in the tags' column. */
const PYTHON = 1 + languageNumber('python');
const MEMBER_CONST = DEFINITION_KINDS.indexOf('member-const');
const kinds = (...names: DefinitionKind[]) => new Set(names.map((kind) => DEFINITION_KINDS.indexOf(kind)));
const METHOD = DEFINITION_KINDS.indexOf('method');
const METHODS = kinds('method', 'own-method');
/** `state()` of Elixir is a type. */
const CALLED = kinds('fn', 'method', 'own-method', 'macro', 'type');

class GraphBuilder {
  private readonly definers: Definers;
  private readonly symbols: SymbolTable;
  private readonly meant: LikelyMeant;
  private readonly nameWeights: Float64Array;
  private readonly tests: Uint8Array;
  /** Per file, the edge to it in the row that is being made. */
  private readonly edgeTo: Int32Array;
  /** Per file, the last one that mentions anything in it but methods. */
  private readonly otherBy: Int32Array;
  private readonly modules: ModuleNames;
  private readonly mentionStart: Uint32Array;
  private readonly offsets: Int32Array;
  private readonly to: Column<Uint32Array>;
  private readonly place: Column<Uint32Array>;
  private readonly weight: Column<Float32Array>;
  private readonly shows: Column<Uint8Array>;
  private readonly targets: Column<Int32Array>;
  private readonly edgeWeights: Column<Float32Array>;

  constructor(
    private readonly files: GraphFiles,
    private readonly kept: Kept | undefined,
  ) {
    const count = files.paths.length;
    const definers = definersOf(files.tags, kept && namesToLookUp(files.tags, kept.keptFrom));
    const symbols = new SymbolTable(files.tags.symbols);
    const trails = new DirectoryTrails(files.paths);
    const tests = kept?.samePaths
      ? kept.graph.tests
      : Uint8Array.from(files.paths, (path) => Number(isTestPath(path)));
    const modules = kept?.samePaths ? kept.graph.modules : new ModuleNames(files.paths, trails);
    this.meant = new LikelyMeant(files, { definers, symbols, trails, modules, tests });
    this.definers = definers;
    this.symbols = symbols;
    this.tests = tests;
    this.modules = modules;
    this.nameWeights = new Float64Array(symbols.size);
    this.edgeTo = new Int32Array(count).fill(-1);
    this.otherBy = new Int32Array(count).fill(-1);
    this.mentionStart = new Uint32Array(count + 1);
    this.offsets = new Int32Array(count + 1);
    const mentions = roomFor(kept?.graph.mentions.to.length);
    this.to = new Column(new Uint32Array(mentions));
    this.place = new Column(new Uint32Array(mentions));
    this.weight = new Column(new Float32Array(mentions));
    this.shows = new Column(new Uint8Array(mentions));
    const edges = roomFor(kept?.graph.targets.length);
    this.targets = new Column(new Int32Array(edges));
    this.edgeWeights = new Column(new Float32Array(edges));
  }

  build(): ReferenceGraph {
    const { kept } = this;
    for (let file = 0, end = 1; file < this.files.paths.length; file = end++) {
      const first = kept?.keptFrom[file] ?? -1;
      if (kept === undefined || first < 0) {
        this.makeRow(file);
        continue;
      }
      while (kept.keptFrom[end] === first + end - file) end++;
      this.keepRows(file, end, kept);
    }
    return {
      offsets: this.offsets,
      targets: this.targets.filled(),
      weights: this.edgeWeights.filled(),
      tests: this.tests,
      modules: this.modules,
      mentions: {
        start: this.mentionStart,
        to: this.to.filled(),
        place: this.place.filled(),
        weight: this.weight.filled(),
        shows: this.shows.filled(),
      },
    };
  }

  private makeRow(from: number): void {
    const { tags } = this.files;
    const firstMention = this.to.length;
    this.meant.enter(from);
    for (let r = tags.referenceStart[from]!; r < tags.referenceStart[from + 1]!; r++) {
      if (tags.referenceForm[r]! <= REEXPORT || tags.referenceForm[r] === IMPORTED_CLASS) continue;
      const name = tags.referenceName[r]!;
      const form = REFERENCE_FORMS[tags.referenceForm[r]!]!;
      const mention = { name, from, form };
      const count = this.meant.find(mention);
      if (count === 0) continue;
      const weight = this.weightOf(name) * Math.sqrt(tags.referenceCount[r]!);
      this.addMentions(mention, count, (FORM_WEIGHT[form] ?? 1) * weight);
    }
    this.markLoneMethods(from, firstMention);
    this.addEdges(firstMention);
    this.endRow(from);
  }

  private markLoneMethods(from: number, firstMention: number): void {
    const [to, place, shows] = [this.to, this.place, this.shows].map((column) => column.filled(firstMention));
    for (let m = 0; m < to!.length; m++)
      if (this.kindAt(to![m]!, place![m]!) !== METHOD) this.otherBy[to![m]!] = from;
    for (let m = 0; m < to!.length; m++)
      if (shows![m] === SHOWS && this.otherBy[to![m]!] !== from) shows![m] = SHOWS_METHOD;
  }

  private addMentions(mention: Mention, count: number, weight: number): void {
    const { from, form } = mention;
    const { file, place } = this.definers;
    const { meant } = this;
    const isNoMethod = form === 'unbound' && this.files.tags.language[from] === PYTHON;
    const shared = meant.share(mention, count, weight);
    for (let i = 0; i < count; i++) {
      const row = meant.rows[i]!;
      const to = file[row]!;
      const kind = this.kindAt(to, place[row]!);
      const isMethod = METHODS.has(kind);
      const isKnown = meant.isKnown(to, from);
      if (isMethod && isNoMethod) continue;
      if ((form === 'any' || form === 'type' || form === 'function') && !isMethod) meant.noteKnown(to, from);
      // A method of a file of which nothing else is mentioned or imported is hardly meant: `rows.filter()` is the array's own.
      const isLikely = form !== 'method' || (isMethod && isKnown);
      this.to.push(to);
      this.place.push(place[row]!);
      this.weight.push(shared * meant.likelihoods[i]! * (isLikely ? 1 : UNLIKELY));
      const isHardlyMeant =
        (form === 'uncalled' && CALLED.has(kind)) ||
        (form === 'bare' && (CALLED.has(kind) || kind === MEMBER_CONST));
      this.shows.push(isHardlyMeant || meant.isFromElsewhere || !isShownByMentions(kind) ? 0 : SHOWS);
    }
  }

  private kindAt(file: number, place: number): number {
    const { definitionStart, definitionKind } = this.files.tags;
    return definitionKind[definitionStart[file]! + place]!;
  }

  private weightOf(name: number): number {
    if (this.nameWeights[name] === 0) this.nameWeights[name] = nameWeight(this.symbols.name(name));
    return this.nameWeights[name]!;
  }

  /** Sums the mentions of one file by the file they go to. */
  private addEdges(firstMention: number): void {
    const firstEdge = this.targets.length;
    const to = this.to.filled(firstMention);
    const weight = this.weight.filled(firstMention);
    for (let m = 0; m < to.length; m++) {
      const known = this.edgeTo[to[m]!]!;
      if (known >= firstEdge) this.edgeWeights.add(known, weight[m]!);
      else {
        this.edgeTo[to[m]!] = this.targets.length;
        this.targets.push(to[m]!);
        this.edgeWeights.push(weight[m]!);
      }
    }
  }

  private endRow(file: number): void {
    this.mentionStart[file + 1] = this.to.length;
    this.offsets[file + 1] = this.targets.length;
  }

  /** A run of files that followed each other before, too. */
  private keepRows(start: number, end: number, { graph, keptFrom, numberNow, placesNow }: Kept): void {
    const { mentions, offsets, targets, weights } = graph;
    const first = keptFrom[start]!;
    const last = first + end - start;
    const mentionShift = this.to.length - mentions.start[first]!;
    const edgeShift = this.targets.length - offsets[first]!;
    const range = [mentions.start[first]!, mentions.start[last]!] as const;
    const firstMention = this.to.length;
    this.to.pushAll(renumbered(mentions.to.subarray(...range), numberNow));
    this.place.pushAll(mentions.place.subarray(...range));
    this.weight.pushAll(mentions.weight.subarray(...range));
    this.shows.pushAll(mentions.shows.subarray(...range));
    if (placesNow.size > 0)
      movePlaces(this.to.filled(firstMention), this.place.filled(firstMention), placesNow);
    const edges = [offsets[first]!, offsets[last]!] as const;
    this.targets.pushAll(renumbered(targets.subarray(...edges), numberNow));
    this.edgeWeights.pushAll(weights.subarray(...edges));
    for (let i = 1; i <= end - start; i++) {
      this.mentionStart[start + i] = mentions.start[first + i]! + mentionShift;
      this.offsets[start + i] = offsets[first + i]! + edgeShift;
    }
  }
}

/** @returns per name, 1 for those that files mention whose rows are made anew */
function namesToLookUp(tags: TagColumns, keptFrom: Int32Array): Uint8Array {
  const names = new Uint8Array(tags.symbols.ends.length);
  keptFrom.forEach((from, file) => {
    if (from >= 0) return;
    for (let r = tags.referenceStart[file]!; r < tags.referenceStart[file + 1]!; r++)
      names[tags.referenceName[r]!] = 1;
  });
  return names;
}

/** A little more than before, since most changes add something. */
function roomFor(before = 0): number {
  return Math.max(4096, Math.ceil(before * 1.02));
}

function movePlaces(to: Uint32Array, place: Uint32Array, placesNow: GraphChanges['placesNow']): void {
  const moved = [...placesNow.keys()];
  const only = moved.length === 1 ? moved[0]! : -1;
  for (let m = 0; m < to.length; m++) {
    if (only >= 0 && to[m] !== only) continue;
    const places = placesNow.get(to[m]!);
    if (places !== undefined) place[m] = places[place[m]!]!;
  }
}
