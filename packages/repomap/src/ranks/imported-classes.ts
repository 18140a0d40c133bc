import { madeOnce } from '@causantic/domain';
import type { SymbolTable } from '@causantic/domain/symbol-table';
import { languageNumber } from '../extraction/languages.js';
import type { TagColumns } from '../cache/tag-columns.js';
import { REFERENCE_FORMS } from '../tags.js';
import type { Definers } from './definers.js';
import type { ModuleNames } from './module-names.js';

/** The form of these references; a file's last ones have it. */
export const IMPORTED_CLASS = REFERENCE_FORMS.indexOf('imported-class');

/** What a name is in that stands in a module of JavaScript or Python that the tree has. */
export const OWN = '';
/** A name for all that may stand in what a file is in. */
export const ANY_NAME = -2;
const UNDEFINED = -1;

const SLASH = 0x2f;
/** As in the tags' column. */
const PYTHON = 1 + languageNumber('python');

/** What a file imports something from, by the number of its name. */
interface ImportedClass {
  name: number;
  parent: string;
}

/** What the classes are in that one file imports, one file after the other. */
export class ImportedClasses {
  private readonly parents = new Map<number, string[]>();
  /** By symbol, for Python and for all others. */
  private readonly known = new Map<number, ImportedClass>();

  constructor(
    private readonly tags: TagColumns,
    private readonly definers: Definers,
    private readonly modules: ModuleNames,
    private readonly symbols: SymbolTable,
  ) {}

  /** From here on `parentsOf` tells of this file. */
  find(from: number): void {
    const { tags } = this;
    this.parents.clear();
    for (let r = tags.referenceStart[from + 1]! - 1; r >= tags.referenceStart[from]!; r--) {
      if (tags.referenceForm[r] !== IMPORTED_CLASS) break;
      const { name, parent } = this.importedClass(tags.referenceName[r]!, from);
      if (name === UNDEFINED) continue;
      madeOnce(this.parents, name, (): string[] => []).push(parent);
    }
  }

  /**
   * The last part of what classes of this name are in, a package or another class; of {@link ANY_NAME}, what bare names may
   * be in. Of members, the beginning of the package behind a slash. Of what is imported from a package, its module before a
   * slash.
   */
  parentsOf(name: number): readonly string[] | undefined {
    return this.parents.get(name);
  }

  /** @param symbol of `list/Entry` */
  private importedClass(symbol: number, from: number): ImportedClass {
    const inPython = this.tags.language[from] === PYTHON;
    return madeOnce(this.known, 2 * symbol + Number(inPython), () => this.findImportedClass(symbol, from));
  }

  private findImportedClass(symbol: number, from: number): ImportedClass {
    const { bytes, ends } = this.tags.symbols;
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
}
