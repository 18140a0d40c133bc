import { madeOnce } from '@causantic/domain';
import type { CsrGraph } from '@causantic/algorithms';
import { SymbolTable } from '@causantic/domain/symbol-table';
import { renumbered } from '../cache/aligned-numbers.js';
import { Column } from '../cache/column.js';
import { MAX_DEFINING_FILES, definersOf, meantBy, type Definers } from './definers.js';
import { DirectoryTrails } from './directory-trails.js';
import { graphChanges, type GraphChanges, type GraphFiles } from './graph-changes.js';
import { ImportedFiles, REEXPORT } from './imported-files.js';
import { languageNumber } from '../extraction/languages.js';
import { ModuleNames, mayBeInPackage } from './module-names.js';
import { nameWeight } from './name-weight.js';
import type { TagColumns } from '../cache/tag-columns.js';
import {
  DEFINITION_KINDS,
  REFERENCE_FORMS,
  isShownByMentions,
  type DefinitionKind,
  type ReferenceForm,
} from '../tags.js';
import { isTestPath } from '../files/test-paths.js';

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

/** How much more likely a definition one directory nearer is meant; from 2 to 4 it makes no difference. */
const NEARNESS_BASE = 3;
const NEARNESS = Float64Array.from({ length: 64 }, (_, depth) => NEARNESS_BASE ** depth);
/** Code outside tests hardly ever means a definition in a test: a helper there just shares its name with a method. */
const INTO_TESTS = 0.05;

/** Weight of a mention that most likely means something else; from a tenth to a third it makes little difference. */
const UNLIKELY = 0.25;
/** Weight of a mention of the standard library; a tenth makes no difference. */
const STANDARD = 0.02;
/** Weight of a definition relative to one in an imported file; from 0.1 to 0.5 it makes little difference. */
const NOT_IMPORTED = 0.3;
/**
 * Weight of a type relative to one whose file has its name: `Request` is hardly ever what `Dns.kt` has within `Dns`. From
 * 0.02 to 0.3 it makes little difference.
 */
const NO_NAMESAKE = 0.1;
/** Weight of a mention that none of the file's imports explains. */
const NONE_IMPORTED = 0.5;
const FORM_WEIGHT: Partial<Record<ReferenceForm, number>> = { unbound: UNLIKELY, standard: STANDARD };
/** As in the tags' column. */
const GO = 1 + languageNumber('go');
const JAVA = 1 + languageNumber('java');
const KOTLIN = 1 + languageNumber('kotlin');
const PYTHON = 1 + languageNumber('python');
const RUBY = 1 + languageNumber('ruby');
/** By language, whose files are by custom named after a type, and their folders after what that is in. */
const PLACED_BY_NAME: ReadonlySet<number> = new Set([
  RUBY,
  1 + languageNumber('php'),
  1 + languageNumber('csharp'),
]);
/** Where Rails looks for what is within no module. */
const TOP_OF_RAILS = /\/(?:app\/[^/]+|lib)(?:\/concerns)?\/[^/]+$/;
const MEMBER_CONST = DEFINITION_KINDS.indexOf('member-const');
const kinds = (...names: DefinitionKind[]) => new Set(names.map((kind) => DEFINITION_KINDS.indexOf(kind)));
const METHOD = DEFINITION_KINDS.indexOf('method');
const METHODS = kinds('method', 'own-method');
/** `state()` of Elixir is a type. */
const CALLED = kinds('fn', 'method', 'own-method', 'macro', 'type');
/** By form, what cannot stand there. */
const NOT_MEANT: Partial<Record<ReferenceForm, ReadonlySet<number>>> = {
  type: kinds('fn', 'method', 'own-method', 'const', 'own-fn', 'own-const'),
  function: kinds('method', 'own-method', 'const'),
  variable: kinds('fn'),
};

/** These come last. */
const IMPORTED_CLASS = REFERENCE_FORMS.indexOf('imported-class');

const [OTHER, NAMESAKE] = [1, 2];

/** Of a name by a file. */
interface Mention {
  name: number;
  from: number;
  form: ReferenceForm;
}

const SLASH = 0x2f;
const [UNDEFINED, ANY_NAME] = [-1, -2];
/** Of a module of JavaScript or Python that the tree has. */
const OWN = '';
/** What a file imports something from, by the number of its name. */
interface ImportedClass {
  name: number;
  parent: string;
}

class GraphBuilder {
  private readonly definers: Definers;
  private readonly symbols: SymbolTable;
  private readonly trails: DirectoryTrails;
  private readonly nameWeights: Float64Array;
  private readonly tests: Uint8Array;
  private readonly rows = new Uint32Array(MAX_DEFINING_FILES);
  private readonly likelihoods = new Float64Array(MAX_DEFINING_FILES);
  /** Per place of a name, whether its file has that name: 0 until it is asked for, then {@link NAMESAKE} or {@link OTHER}. */
  private readonly namesakes: Uint8Array;
  /** Per place of a name that is being added, 1 if the path of another is the one that the mention tells. */
  private readonly isMisplaced = new Uint8Array(MAX_DEFINING_FILES);
  /** Per file, its path for {@link countPlaced}. */
  private readonly plainPaths: string[] = [];
  /** Per file, the edge to it in the row that is being made. */
  private readonly edgeTo: Int32Array;
  /** Per file, the last one that mentions what it defines, methods aside; complete before a row's methods come. */
  private readonly knownBy: Int32Array;
  /** Per file, the last one that mentions anything in it but methods. */
  private readonly otherBy: Int32Array;
  /**
   * By name: of the classes that the file imports, the last part of what they are in, a package or another class; under no name,
   * what bare ones may be in. Of members, the beginning of the package behind a slash. Of what is imported from a package,
   * its module before a slash.
   */
  private readonly parents = new Map<number, string[]>();
  /** By symbol, for Python and for all others. */
  private readonly importedClasses = new Map<number, ImportedClass>();
  /** Whether the file imports the name whose mentions are being added, and from elsewhere. */
  private isFromElsewhere = false;
  private readonly modules: ModuleNames;
  private readonly imported: ImportedFiles;
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
    this.definers = definersOf(files.tags, kept && namesToLookUp(files.tags, kept.keptFrom));
    this.namesakes = new Uint8Array(this.definers.file.length);
    this.symbols = new SymbolTable(files.tags.symbols);
    this.trails = new DirectoryTrails(files.paths);
    this.nameWeights = new Float64Array(this.symbols.size);
    this.tests = kept?.samePaths
      ? kept.graph.tests
      : Uint8Array.from(files.paths, (path) => Number(isTestPath(path)));
    this.modules = kept?.samePaths ? kept.graph.modules : new ModuleNames(files.paths, this.trails);
    this.imported = new ImportedFiles(files, this.modules, this.symbols);
    this.edgeTo = new Int32Array(count).fill(-1);
    this.knownBy = new Int32Array(count).fill(-1);
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
    this.imported.find(from);
    this.findImportedClasses(from);
    for (let r = tags.referenceStart[from]!; r < tags.referenceStart[from + 1]!; r++) {
      if (tags.referenceForm[r]! <= REEXPORT || tags.referenceForm[r] === IMPORTED_CLASS) continue;
      const name = tags.referenceName[r]!;
      const form = REFERENCE_FORMS[tags.referenceForm[r]!]!;
      const rows = meantBy(name, from, { definers: this.definers, tags }, this.rows);
      const mention = { name, from, form };
      const meant = this.visible(mention, rows);
      if (meant === 0) continue;
      const weight = this.weightOf(name) * Math.sqrt(tags.referenceCount[r]!);
      this.addMentions(mention, meant, (FORM_WEIGHT[form] ?? 1) * weight);
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

  private findImportedClasses(from: number): void {
    const { tags } = this.files;
    this.parents.clear();
    for (let r = tags.referenceStart[from + 1]! - 1; r >= tags.referenceStart[from]!; r--) {
      if (tags.referenceForm[r] !== IMPORTED_CLASS) break;
      const { name, parent } = this.importedClass(tags.referenceName[r]!, from);
      if (name === UNDEFINED) continue;
      madeOnce(this.parents, name, (): string[] => []).push(parent);
    }
  }

  /** @param symbol of `list/Entry` */
  private importedClass(symbol: number, from: number): ImportedClass {
    const inPython = this.files.tags.language[from] === PYTHON;
    const key = 2 * symbol + Number(inPython);
    return madeOnce(this.importedClasses, key, () => this.findImportedClass(symbol, from));
  }

  private findImportedClass(symbol: number, from: number): ImportedClass {
    const { bytes, ends } = this.files.tags.symbols;
    const end = ends[symbol]!;
    const start = bytes.lastIndexOf(SLASH, end - 1) + 1;
    const name = start === end ? ANY_NAME : this.symbols.find(bytes, start, end);
    if (name === UNDEFINED || (name >= 0 && !this.isDefined(name))) return { name: UNDEFINED, parent: OWN };
    const parent = this.symbols.name(symbol).replace(/\/[^/]*$/, '');
    const isOwn = parent.endsWith('/') && this.modules.filesOf(parent.slice(0, -1), from).length > 0;
    return { name, parent: isOwn ? OWN : parent };
  }

  private isDefined(name: number): boolean {
    return this.definers.start[name]! < this.definers.start[name + 1]!;
  }

  /**
   * Of the places of a name those that the file can mean: a name of Go without a capital is known in its folder alone; where
   * a type stands, as what Java has under a name with a capital does, no function is meant.
   */
  private visible({ name, from, form }: Mention, meant: number): number {
    const language = this.files.tags.language[from];
    const isKnownHereAlone = language === GO && /^[\p{Ll}_]/u.test(this.symbols.name(name));
    const isTypeOfJava = form === 'standard' && language === JAVA && /^\p{Lu}/u.test(this.symbols.name(name));
    const notMeant = NOT_MEANT[isTypeOfJava ? 'type' : form];
    if (!isKnownHereAlone && notMeant === undefined) return meant;
    let count = 0;
    for (let i = 0; i < meant; i++) {
      const row = this.rows[i]!;
      const [file, place] = [this.definers.file[row]!, this.definers.place[row]!];
      if (isKnownHereAlone && !this.trails.areTogether(from, file)) continue;
      if (notMeant?.has(this.kindAt(file, place))) continue;
      this.rows[count++] = row;
    }
    return count;
  }

  private addMentions(mention: Mention, meant: number, weight: number): void {
    const { from, form } = mention;
    const { file, place } = this.definers;
    const isNoMethod = form === 'unbound' && this.files.tags.language[from] === PYTHON;
    const shared = this.share(mention, meant, weight);
    for (let i = 0; i < meant; i++) {
      const row = this.rows[i]!;
      const kind = this.kindAt(file[row]!, place[row]!);
      const isMethod = METHODS.has(kind);
      const isKnown = this.knownBy[file[row]!] === from || this.imported.has(file[row]!);
      if (isMethod && isNoMethod) continue;
      if ((form === 'any' || form === 'type' || form === 'function') && !isMethod)
        this.knownBy[file[row]!] = from;
      // A method of a file of which nothing else is mentioned or imported is hardly meant: `rows.filter()` is the array's own.
      const isLikely = form !== 'method' || (isMethod && isKnown);
      this.to.push(file[row]!);
      this.place.push(place[row]!);
      this.weight.push(shared * this.likelihoods[i]! * (isLikely ? 1 : UNLIKELY));
      const isHardlyMeant =
        (form === 'uncalled' && CALLED.has(kind)) ||
        (form === 'bare' && (CALLED.has(kind) || kind === MEMBER_CONST));
      this.shows.push(isHardlyMeant || this.isFromElsewhere || !isShownByMentions(kind) ? 0 : SHOWS);
    }
  }

  /**
   * Finds how likely each place is meant, by nearness, imports and names of files. A mention that may mean several tells less
   * in all, too.
   *
   * @returns the weight of one as likely as 1
   */
  private share({ name, from, form }: Mention, meant: number, weight: number): number {
    const { file } = this.definers;
    let anyImported = false;
    for (let i = 0; i < meant; i++) anyImported ||= this.imported.has(file[this.rows[i]!]!);
    const isOuterKnown = form === 'nested' && this.knows(from, meant);
    const namesakes = meant === 1 || isOuterKnown ? 0 : this.countNamesakes(name, meant);
    // Behind an object stands no member that was imported.
    const elsewhere = form === 'method' ? 1 : this.importedFromElsewhere({ name, from }, meant);
    this.isFromElsewhere = elsewhere < 1;
    const placed = this.countPlaced({ name, from }, meant);
    let total = 0;
    for (let i = 0; i < meant; i++) {
      const row = this.rows[i]!;
      const to = file[row]!;
      let likelihood = this.likelihood(from, to, meant === 1);
      if (anyImported && !this.imported.has(to)) likelihood *= NOT_IMPORTED;
      if (namesakes > 0 && this.namesakes[row] === OTHER) likelihood *= NO_NAMESAKE;
      if (this.isMisplaced[i] === 1) likelihood *= NO_NAMESAKE;
      if (isOuterKnown && this.knownBy[to] !== from) likelihood *= NO_NAMESAKE;
      this.likelihoods[i] = likelihood;
      total += likelihood;
    }
    const known = elsewhere * (anyImported || !this.imported.any ? weight : weight * NONE_IMPORTED);
    return meant === 1 ? known : known / Math.sqrt(placed || namesakes || meant) / total;
  }

  /**
   * What a mention counts where the file imports something of this name that is none of these: `org.junit.Test`, where the
   * tree has a `Test`, too. Of a package of JavaScript or Python less is known: the tree may be that package.
   */
  private importedFromElsewhere({ name, from }: Omit<Mention, 'form'>, meant: number): number {
    const language = this.files.tags.language[from]!;
    const parents = this.parents.get(name);
    if (parents === undefined || parents.includes(OWN) || PLACED_BY_NAME.has(language)) return 1;
    const isNamedInFull = language === JAVA || language === KOTLIN;
    const own = this.symbols.name(name);
    const isElsewhere = this.rows.subarray(0, meant).every((row) => {
      const path = this.files.paths[this.definers.file[row]!]!;
      if (!isNamedInFull) return !parents.some((parent) => mayBeInPackage(path, parent));
      const isIn = (parent: string): boolean =>
        parent.startsWith('/')
          ? `/${path}`.includes(`${parent}/`)
          : `/${path}`.endsWith(`/${parent}/${own}.java`) || `/${path}`.endsWith(`/${parent}.java`);
      // A file of Kotlin may hold any class.
      return (language === KOTLIN || path.endsWith('.java')) && !parents.some(isIn);
    });
    if (!isElsewhere) return 1;
    return isNamedInFull ? STANDARD : UNLIKELY;
  }

  /** Whether something else of one of these places' files is mentioned: of `Converter.Factory` the converter. */
  private knows(from: number, meant: number): boolean {
    return this.rows.subarray(0, meant).some((row) => this.knownBy[this.definers.file[row]!] === from);
  }

  /** Of the places of a name those in a file that is named after it; for a type alone, which begins with a capital. */
  private countNamesakes(name: number, meant: number): number {
    let count = 0;
    for (let i = 0; i < meant; i++) {
      const row = this.rows[i]!;
      if (this.namesakes[row] === 0) {
        const path = this.files.paths[this.definers.file[row]!]!;
        // `Tidy` of Perl's `Perl::Tidy`.
        const own = this.symbols.name(name).replace(/^.*::/, '');
        const isNamesake = /^\p{Lu}/u.test(own) && path.startsWith(`${own}.`, path.lastIndexOf('/') + 1);
        this.namesakes[row] = isNamesake ? NAMESAKE : OTHER;
      }
      if (this.namesakes[row] === NAMESAKE) count++;
    }
    return count;
  }

  /**
   * Finds those places of a type that are in `shop/cart.rb`, where a file mentions `Shop::Cart`, or `Cart` within `Shop`.
   *
   * @returns how many
   */
  private countPlaced({ name, from }: Omit<Mention, 'form'>, meant: number): number {
    const language = this.files.tags.language[from]!;
    this.isMisplaced.fill(0);
    if (meant === 1 || !PLACED_BY_NAME.has(language)) return 0;
    const own = this.symbols.name(name);
    if (!/^\p{Lu}/u.test(own)) return 0;
    const qualified = this.parents.get(name);
    const ends = (qualified ?? this.parents.get(ANY_NAME) ?? []).map((parent) =>
      plainPath(`/${parent}/${own}.`),
    );
    const count = this.markPlaced(meant, (path) => ends.some((end) => isBeforeExtension(end, path)));
    if (count > 0 || language !== RUBY || qualified !== undefined) return count;
    const end = plainPath(`/${own}.`);
    return this.markPlaced(meant, (path) => isBeforeExtension(end, path) && TOP_OF_RAILS.test(path));
  }

  private markPlaced(meant: number, isMeant: (path: string) => boolean): number {
    let count = 0;
    for (let i = 0; i < meant; i++) {
      const file = this.definers.file[this.rows[i]!]!;
      const path = (this.plainPaths[file] ??= plainPath(`/${this.files.paths[file]!}`));
      this.isMisplaced[i] = Number(!isMeant(path));
      count += 1 - this.isMisplaced[i]!;
    }
    if (count === 0) this.isMisplaced.fill(0);
    return count;
  }

  private kindAt(file: number, place: number): number {
    const { definitionStart, definitionKind } = this.files.tags;
    return definitionKind[definitionStart[file]! + place]!;
  }

  private likelihood(from: number, to: number, alone: boolean): number {
    const nearness = alone ? 1 : NEARNESS[Math.min(NEARNESS.length - 1, this.trails.commonDepth(from, to))]!;
    return this.tests[to] === 1 && this.tests[from] === 0 ? nearness * INTO_TESTS : nearness;
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

/** However a language writes the words of a name: `shop_cart.rb`, `ShopCart.php`. */
function plainPath(path: string): string {
  return path.replaceAll('_', '').toLowerCase();
}

function isBeforeExtension(end: string, path: string): boolean {
  return path.startsWith(end, path.lastIndexOf('.') + 1 - end.length);
}
