import { SymbolTable, type SymbolTableArrays } from '@causantic/domain/symbol-table';
import { renumbered } from './aligned-numbers.js';
import { Column } from './column.js';
import { DEFINITION_KINDS, REFERENCE_FORMS, type DefinitionKind, type FileTags } from '../tags.js';

/**
 * The tags of many files as columns: file `f` owns definitions `definitionStart[f] .. definitionStart[f + 1])`
 * and likewise its references. Small enough to be sent between threads and to be the cache's own format.
 */
export interface TagColumns {
  symbols: SymbolTableArrays;
  /** Per file: its language's number + 1; 0 for a file that is not source after all. */
  language: Uint8Array;
  definitionStart: Uint32Array;
  definitionName: Uint32Array;
  definitionLine: Uint32Array;
  definitionKind: Uint8Array;
  referenceStart: Uint32Array;
  referenceName: Uint32Array;
  referenceCount: Uint16Array;
  /** Numbers of forms, ascending in a file; a name that is mentioned in two of them stands there twice. */
  referenceForm: Uint8Array;
}

/** Everything a batch of columns lies in, to be moved between threads instead of copied. */
export function columnBuffers({ symbols, ...columns }: TagColumns): ArrayBuffer[] {
  const arrays = [...Object.values(symbols), ...Object.values(columns)] as Uint8Array[];
  return [...new Set(arrays.map(({ buffer }) => buffer as ArrayBuffer))];
}

const kindNumbers = new Map<DefinitionKind, number>(DEFINITION_KINDS.map((kind, number) => [kind, number]));
const MAX_COUNT = 0xffff;

/** How many entries a file has. */
export function rowLength(starts: Uint32Array, file: number): number {
  return starts[file + 1]! - starts[file]!;
}

export interface TagCounts {
  files: number;
  definitions: number;
  references: number;
}

function newColumns({ files, definitions, references }: TagCounts) {
  return {
    language: new Column(new Uint8Array(files)),
    definitionStart: new Column(new Uint32Array(files + 1)),
    definitionName: new Column(new Uint32Array(definitions)),
    definitionLine: new Column(new Uint32Array(definitions)),
    definitionKind: new Column(new Uint8Array(definitions)),
    referenceStart: new Column(new Uint32Array(files + 1)),
    referenceName: new Column(new Uint32Array(references)),
    referenceCount: new Column(new Uint16Array(references)),
    referenceForm: new Column(new Uint8Array(references)),
  } satisfies Record<Exclude<keyof TagColumns, 'symbols'>, unknown>;
}

/** Puts files one after the other, freshly read or copied from other columns. */
export class TagColumnsBuilder {
  private readonly columns: ReturnType<typeof newColumns>;
  /** Names met, because they come again and again and a map finds them sooner than the table. */
  private readonly numbers = new Map<string, number>();

  /**
   * @param symbols may hold names already; the numbers given out here are its own
   * @param size what will be added, where it is known: exact numbers save growing and trimming
   */
  constructor(
    private readonly symbols = new SymbolTable(),
    size: TagCounts = { files: 128, definitions: 512, references: 4096 },
  ) {
    this.columns = newColumns(size);
  }

  /** @param tags undefined for a file that is no source */
  addFile(tags: FileTags | undefined): void {
    const { columns } = this;
    this.endRows();
    columns.language.push(tags === undefined ? 0 : tags.language + 1);
    if (tags === undefined) return;
    for (const { name, kind, line } of tags.definitions) {
      columns.definitionName.push(this.numberOf(name));
      columns.definitionLine.push(line);
      columns.definitionKind.push(kindNumbers.get(kind)!);
    }
    REFERENCE_FORMS.forEach((form, number) => {
      for (const [name, count] of tags.references[form] ?? []) {
        columns.referenceName.push(this.numberOf(name));
        columns.referenceCount.push(Math.min(count, MAX_COUNT));
        columns.referenceForm.push(number);
      }
    });
  }

  /** @param numbers what the other columns' name numbers are here; left out where they are the same */
  copyFiles(
    from: TagColumns,
    { first, count }: { first: number; count: number },
    numbers?: Uint32Array,
  ): void {
    const { columns } = this;
    const definitions = [from.definitionStart[first]!, from.definitionStart[first + count]!] as const;
    const references = [from.referenceStart[first]!, from.referenceStart[first + count]!] as const;
    columns.language.pushAll(from.language.subarray(first, first + count));
    columns.definitionStart.pushAll(
      shifted(from.definitionStart, first, count, columns.definitionName.length),
    );
    columns.referenceStart.pushAll(shifted(from.referenceStart, first, count, columns.referenceName.length));
    columns.definitionName.pushAll(renumbered(from.definitionName.subarray(...definitions), numbers));
    columns.definitionLine.pushAll(from.definitionLine.subarray(...definitions));
    columns.definitionKind.pushAll(from.definitionKind.subarray(...definitions));
    columns.referenceName.pushAll(renumbered(from.referenceName.subarray(...references), numbers));
    columns.referenceCount.pushAll(from.referenceCount.subarray(...references));
    columns.referenceForm.pushAll(from.referenceForm.subarray(...references));
  }

  finish(): TagColumns {
    this.endRows();
    const trimmed = Object.entries(this.columns).map(([name, column]) => [name, column.trimmed()]);
    return { symbols: this.symbols.arrays(), ...Object.fromEntries(trimmed) } as TagColumns;
  }

  private numberOf(name: string): number {
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.symbols.intern(name);
      this.numbers.set(name, number);
    }
    return number;
  }

  /** Where those of one file end, the next one's start. */
  private endRows(): void {
    this.columns.definitionStart.push(this.columns.definitionName.length);
    this.columns.referenceStart.push(this.columns.referenceName.length);
  }
}

/** Starts as they are after `length` values have been placed before them. */
function shifted(starts: Uint32Array, first: number, count: number, length: number): Uint32Array {
  const shift = length - starts[first]!;
  return starts.slice(first, first + count).map((start) => start + shift);
}
