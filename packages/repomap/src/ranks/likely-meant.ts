import type { SymbolTable } from '@causantic/domain/symbol-table';
import { languageNumber } from '../extraction/languages.js';
import { DEFINITION_KINDS, type DefinitionKind, type ReferenceForm } from '../tags.js';
import { MAX_DEFINING_FILES, meantBy, type Definers } from './definers.js';
import type { DirectoryTrails } from './directory-trails.js';
import type { GraphFiles } from './graph-changes.js';
import { ImportedClasses, OWN } from './imported-classes.js';
import { ImportedFiles } from './imported-files.js';
import { mayBeInPackage, type ModuleNames } from './module-names.js';
import { PLACED_BY_NAME, PlacedByName } from './placed-by-name.js';

/** How much more likely a definition one directory nearer is meant; from 2 to 4 it makes no difference. */
const NEARNESS_BASE = 3;
const NEARNESS = Float64Array.from({ length: 64 }, (_, depth) => NEARNESS_BASE ** depth);
/** Code outside tests hardly ever means a definition in a test: a helper there just shares its name with a method. */
const INTO_TESTS = 0.05;

/** Weight of a mention that most likely means something else; from a tenth to a third it makes little difference. */
export const UNLIKELY = 0.25;
/** Weight of a mention of the standard library; a tenth makes no difference. */
export const STANDARD = 0.02;
/** Weight of a definition relative to one in an imported file; from 0.1 to 0.5 it makes little difference. */
const NOT_IMPORTED = 0.3;
/**
 * Weight of a type relative to one whose file has its name: `Request` is hardly ever what `Dns.kt` has within `Dns`. From
 * 0.02 to 0.3 it makes little difference.
 */
const NO_NAMESAKE = 0.1;
/** Weight of a mention that none of the file's imports explains. */
const NONE_IMPORTED = 0.5;
/** As in the tags' column. */
const GO = 1 + languageNumber('go');
const JAVA = 1 + languageNumber('java');
const KOTLIN = 1 + languageNumber('kotlin');
const kinds = (...names: DefinitionKind[]) => new Set(names.map((kind) => DEFINITION_KINDS.indexOf(kind)));
/** By form, what cannot stand there. */
const NOT_MEANT: Partial<Record<ReferenceForm, ReadonlySet<number>>> = {
  type: kinds('fn', 'method', 'own-method', 'const', 'own-fn', 'own-const'),
  function: kinds('method', 'own-method', 'const'),
  variable: kinds('fn'),
};

/** Of a name by a file. */
export interface Mention {
  name: number;
  from: number;
  form: ReferenceForm;
}

interface Known {
  definers: Definers;
  symbols: SymbolTable;
  trails: DirectoryTrails;
  modules: ModuleNames;
  /** Per file, 1 for tests. */
  tests: Uint8Array;
}

/** Finds which definitions the mentions of one file mean, one file after the other, and how likely each is. */
export class LikelyMeant {
  /** What the mention may mean that was asked for last: places in `definers`. */
  readonly rows = new Uint32Array(MAX_DEFINING_FILES);
  /** How likely each is, relative to the others. */
  readonly likelihoods = new Float64Array(MAX_DEFINING_FILES);
  /** Whether the file imports the name that was asked for last, and from elsewhere. */
  isFromElsewhere = false;
  /** Per file, the last one that mentions what it defines, methods aside; complete before a row's methods come. */
  private readonly knownBy: Int32Array;
  private readonly importedFiles: ImportedFiles;
  private readonly importedClasses: ImportedClasses;
  private readonly placed: PlacedByName;

  constructor(
    private readonly files: GraphFiles,
    private readonly known: Known,
  ) {
    const { definers, symbols, modules } = known;
    this.knownBy = new Int32Array(files.paths.length).fill(-1);
    this.importedFiles = new ImportedFiles(files, modules, symbols);
    this.importedClasses = new ImportedClasses(files.tags, definers, modules, symbols);
    this.placed = new PlacedByName(files, definers, this.importedClasses, symbols);
  }

  /** From here on mentions are those of this file. */
  enter(from: number): void {
    this.importedFiles.find(from);
    this.importedClasses.find(from);
  }

  /**
   * Finds the places of a name that the file can mean: a name of Go without a capital is known in its folder alone; where a
   * type stands, as what Java has under a name with a capital does, no function is meant.
   *
   * @returns how many
   */
  find({ name, from, form }: Mention): number {
    const { tags } = this.files;
    const { definers, symbols, trails } = this.known;
    const meant = meantBy(name, from, { definers, tags }, this.rows);
    const language = tags.language[from];
    const isKnownHereAlone = language === GO && /^[\p{Ll}_]/u.test(symbols.name(name));
    const isTypeOfJava = form === 'standard' && language === JAVA && /^\p{Lu}/u.test(symbols.name(name));
    const notMeant = NOT_MEANT[isTypeOfJava ? 'type' : form];
    if (!isKnownHereAlone && notMeant === undefined) return meant;
    let count = 0;
    for (let i = 0; i < meant; i++) {
      const row = this.rows[i]!;
      const [file, place] = [definers.file[row]!, definers.place[row]!];
      if (isKnownHereAlone && !trails.areTogether(from, file)) continue;
      if (notMeant?.has(tags.definitionKind[tags.definitionStart[file]! + place]!)) continue;
      this.rows[count++] = row;
    }
    return count;
  }

  /**
   * Finds how likely each of the places is meant, by nearness, imports and names of files. A mention that may mean several tells less
   * in all, too.
   *
   * @returns the weight of one as likely as 1
   */
  share(mention: Mention, count: number, weight: number): number {
    const { name, from, form } = mention;
    const { file } = this.known.definers;
    const { importedFiles, placed, rows } = this;
    let anyImported = false;
    for (let i = 0; i < count; i++) anyImported ||= importedFiles.has(file[rows[i]!]!);
    const isOuterKnown = form === 'nested' && this.knowsOneOf(from, count);
    const namesakes = count === 1 || isOuterKnown ? 0 : placed.countNamesakes(name, rows, count);
    // Behind an object stands no member that was imported.
    const elsewhere = form === 'method' ? 1 : this.importedFromElsewhere(mention, count);
    this.isFromElsewhere = elsewhere < 1;
    const inPlace = placed.countPlaced({ name, from }, rows, count);
    let total = 0;
    for (let i = 0; i < count; i++) {
      const to = file[rows[i]!]!;
      let likelihood = this.likelihood(from, to, count === 1);
      if (anyImported && !importedFiles.has(to)) likelihood *= NOT_IMPORTED;
      if (namesakes > 0 && !placed.isNamesake(rows[i]!)) likelihood *= NO_NAMESAKE;
      if (placed.isMisplaced(i)) likelihood *= NO_NAMESAKE;
      if (isOuterKnown && this.knownBy[to] !== from) likelihood *= NO_NAMESAKE;
      this.likelihoods[i] = likelihood;
      total += likelihood;
    }
    const weightOfAll = elsewhere * (anyImported || !importedFiles.any ? weight : weight * NONE_IMPORTED);
    return count === 1 ? weightOfAll : weightOfAll / Math.sqrt(inPlace || namesakes || count) / total;
  }

  /** The file mentions something else of this one than its methods. */
  noteKnown(file: number, from: number): void {
    this.knownBy[file] = from;
  }

  /** Whether something else of a file is mentioned or it is imported. */
  isKnown(file: number, from: number): boolean {
    return this.knownBy[file] === from || this.importedFiles.has(file);
  }

  /** Whether something else of one of these places' files is mentioned: of `Converter.Factory` the converter. */
  private knowsOneOf(from: number, count: number): boolean {
    return this.rows.subarray(0, count).some((row) => this.knownBy[this.known.definers.file[row]!] === from);
  }

  /**
   * What a mention counts where the file imports something of this name that is none of these: `org.junit.Test`, where the
   * tree has a `Test`, too. Of a package of JavaScript or Python less is known: the tree may be that package.
   */
  private importedFromElsewhere({ name, from }: Mention, count: number): number {
    const { definers, symbols } = this.known;
    const language = this.files.tags.language[from]!;
    const parents = this.importedClasses.parentsOf(name);
    if (parents === undefined || parents.includes(OWN) || PLACED_BY_NAME.has(language)) return 1;
    const isNamedInFull = language === JAVA || language === KOTLIN;
    const own = symbols.name(name);
    const isElsewhere = this.rows.subarray(0, count).every((row) => {
      const path = this.files.paths[definers.file[row]!]!;
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

  private likelihood(from: number, to: number, isAlone: boolean): number {
    const { trails, tests } = this.known;
    const nearness = isAlone ? 1 : NEARNESS[Math.min(NEARNESS.length - 1, trails.commonDepth(from, to))]!;
    return tests[to] === 1 && tests[from] === 0 ? nearness * INTO_TESTS : nearness;
  }
}
