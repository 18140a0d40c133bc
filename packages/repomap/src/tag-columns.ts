import { SymbolTable, type SymbolTableArrays } from '@causantic/domain/symbol-table';
import { Column } from './column.js';
import { DEFINITION_KINDS, REFERENCE_FORMS, type DefinitionKind, type FileTags } from './tags.js';

/**
 * The tags of many files as columns: file `f` owns definitions `definitionStart[f] .. definitionStart[f + 1])`
 * and likewise its references. Small enough to cross threads and to be the cache's own form.
 */
export interface TagColumns {
  symbols: SymbolTableArrays;
  /** Per file: its language's number + 1; 0 for a file that is no source after all. */
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

/** Puts files one after the other, freshly read or copied from other columns. */
export class TagColumnsBuilder {
  private readonly language: Column<Uint8Array>;
  private readonly definitionStart: Column<Uint32Array>;
  private readonly definitionName: Column<Uint32Array>;
  private readonly definitionLine: Column<Uint32Array>;
  private readonly definitionKind: Column<Uint8Array>;
  private readonly referenceStart: Column<Uint32Array>;
  private readonly referenceName: Column<Uint32Array>;
  private readonly referenceCount: Column<Uint16Array>;
  private readonly referenceForm: Column<Uint8Array>;

  /** Names met, because they come again and again and a map finds them sooner than the table. */
  private readonly numbers = new Map<string, number>();

  /**
   * @param symbols may hold names already; the numbers given out here are its own
   * @param size what will be added, where it is known: exact numbers save growing and trimming
   */
  constructor(
    private readonly symbols = new SymbolTable(),
    { files, definitions, references }: TagCounts = { files: 128, definitions: 512, references: 4096 },
  ) {
    this.language = new Column(new Uint8Array(files));
    this.definitionStart = new Column(new Uint32Array(files + 1));
    this.definitionName = new Column(new Uint32Array(definitions));
    this.definitionLine = new Column(new Uint32Array(definitions));
    this.definitionKind = new Column(new Uint8Array(definitions));
    this.referenceStart = new Column(new Uint32Array(files + 1));
    this.referenceName = new Column(new Uint32Array(references));
    this.referenceCount = new Column(new Uint16Array(references));
    this.referenceForm = new Column(new Uint8Array(references));
  }

  /** @param tags undefined for a file that is no source */
  addFile(tags: FileTags | undefined): void {
    this.beginFile(tags === undefined ? 0 : tags.language + 1);
    if (tags === undefined) return;
    for (const { name, kind, line } of tags.definitions) {
      this.definitionName.push(this.numberOf(name));
      this.definitionLine.push(line);
      this.definitionKind.push(kindNumbers.get(kind)!);
    }
    REFERENCE_FORMS.forEach((form, number) => {
      for (const [name, count] of tags.references[form] ?? []) {
        this.referenceName.push(this.numberOf(name));
        this.referenceCount.push(Math.min(count, MAX_COUNT));
        this.referenceForm.push(number);
      }
    });
  }

  /** @param numbers what the other columns' name numbers are here; left out where they are the same */
  copyFiles(
    from: TagColumns,
    { first, count }: { first: number; count: number },
    numbers?: Uint32Array,
  ): void {
    const definitions = [from.definitionStart[first]!, from.definitionStart[first + count]!] as const;
    const references = [from.referenceStart[first]!, from.referenceStart[first + count]!] as const;
    this.language.pushAll(from.language.subarray(first, first + count));
    this.definitionStart.pushAll(shifted(from.definitionStart, first, count, this.definitionName.length));
    this.referenceStart.pushAll(shifted(from.referenceStart, first, count, this.referenceName.length));
    this.definitionName.pushAll(renumbered(from.definitionName.subarray(...definitions), numbers));
    this.definitionLine.pushAll(from.definitionLine.subarray(...definitions));
    this.definitionKind.pushAll(from.definitionKind.subarray(...definitions));
    this.referenceName.pushAll(renumbered(from.referenceName.subarray(...references), numbers));
    this.referenceCount.pushAll(from.referenceCount.subarray(...references));
    this.referenceForm.pushAll(from.referenceForm.subarray(...references));
  }

  finish(): TagColumns {
    this.definitionStart.push(this.definitionName.length);
    this.referenceStart.push(this.referenceName.length);
    return {
      symbols: this.symbols.arrays(),
      language: this.language.trimmed(),
      definitionStart: this.definitionStart.trimmed(),
      definitionName: this.definitionName.trimmed(),
      definitionLine: this.definitionLine.trimmed(),
      definitionKind: this.definitionKind.trimmed(),
      referenceStart: this.referenceStart.trimmed(),
      referenceName: this.referenceName.trimmed(),
      referenceCount: this.referenceCount.trimmed(),
      referenceForm: this.referenceForm.trimmed(),
    };
  }

  private numberOf(name: string): number {
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.symbols.intern(name);
      this.numbers.set(name, number);
    }
    return number;
  }

  private beginFile(language: number): void {
    this.language.push(language);
    this.definitionStart.push(this.definitionName.length);
    this.referenceStart.push(this.referenceName.length);
  }
}

/** Starts as they are after `length` values have been placed before them. */
function shifted(starts: Uint32Array, first: number, count: number, length: number): Uint32Array {
  const shift = length - starts[first]!;
  return starts.slice(first, first + count).map((start) => start + shift);
}

function renumbered(names: Uint32Array, numbers: Uint32Array | undefined): Uint32Array {
  return numbers === undefined ? names : names.map((name) => numbers[name]!);
}
