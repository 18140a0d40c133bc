import { madeOnce } from '@causantic/domain';
import type { SymbolTable } from '@causantic/domain/symbol-table';
import { isPythonPackage, type ModuleNames } from './module-names.js';
import type { TagColumns } from '../cache/tag-columns.js';
import { REFERENCE_FORMS } from '../tags.js';

export const IMPORT = REFERENCE_FORMS.indexOf('import');
export const REEXPORT = REFERENCE_FORMS.indexOf('reexport');

/** The least of the two forms by which a file names what is brought in with it. */
export function leastPassedOn(path: string): number {
  return isPythonPackage(path) ? IMPORT : REEXPORT;
}

/** The modules that a file names in an import of this form, or of the other if that comes behind it. */
export function modulesIn(tags: TagColumns, file: number, leastForm: number): number[] {
  const modules: number[] = [];
  const end = tags.referenceStart[file + 1]!;
  for (let r = tags.referenceStart[file]!; r < end && tags.referenceForm[r]! <= REEXPORT; r++)
    if (tags.referenceForm[r]! >= leastForm) modules.push(tags.referenceName[r]!);
  return modules;
}

/** The files that one file brings in, one file after the other. */
export class ImportedFiles {
  /** Whether there are any. */
  any = false;
  private from = -1;
  private readonly importedBy: Int32Array;
  /** By file, the files that are brought in with it. */
  private readonly passedOn = new Map<number, readonly number[]>();

  constructor(
    private readonly files: { paths: readonly string[]; tags: TagColumns },
    private readonly modules: ModuleNames,
    private readonly symbols: SymbolTable,
  ) {
    this.importedBy = new Int32Array(files.paths.length).fill(-1);
  }

  /** From here on `any` and `has` tell of this file. */
  find(from: number): void {
    this.from = from;
    const waiting = this.filesIn(from, IMPORT);
    this.any = waiting.length > 0;
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (this.has(file)) continue;
      this.importedBy[file] = from;
      waiting.push(...this.passedOnBy(file));
    }
  }

  has(file: number): boolean {
    return this.importedBy[file] === this.from;
  }

  private passedOnBy(file: number): readonly number[] {
    return madeOnce(this.passedOn, file, () => this.filesIn(file, leastPassedOn(this.files.paths[file]!)));
  }

  private filesIn(from: number, leastForm: number): number[] {
    const modules = modulesIn(this.files.tags, from, leastForm);
    return modules.flatMap((module) => this.modules.filesOf(this.symbols.name(module), from));
  }
}
