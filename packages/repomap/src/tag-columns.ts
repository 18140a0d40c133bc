import { Column } from './column.js';
import { DEFINITION_KINDS, type DefinitionKind, type FileTags } from './tags.js';
import { SymbolTable, type SymbolTableArrays } from './symbol-table.js';

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
}

/** Everything a batch of columns lies in, to be moved between threads instead of copied. */
export function columnBuffers({ symbols, ...columns }: TagColumns): ArrayBuffer[] {
  const arrays = [...Object.values(symbols), ...Object.values(columns)] as Uint8Array[];
  return [...new Set(arrays.map(({ buffer }) => buffer as ArrayBuffer))];
}

const kindNumbers = new Map<DefinitionKind, number>(DEFINITION_KINDS.map((kind, number) => [kind, number]));
const MAX_COUNT = 0xffff;

/** Puts files one after the other, freshly read or copied from other columns. */
export class TagColumnsBuilder {
  private readonly language = new Column(new Uint8Array(256));
  private readonly definitionStart = new Column(new Uint32Array(256));
  private readonly definitionName = new Column(new Uint32Array(4096));
  private readonly definitionLine = new Column(new Uint32Array(4096));
  private readonly definitionKind = new Column(new Uint8Array(4096));
  private readonly referenceStart = new Column(new Uint32Array(256));
  private readonly referenceName = new Column(new Uint32Array(16384));
  private readonly referenceCount = new Column(new Uint16Array(16384));

  /** @param symbols may hold names already; the numbers given out here are its own */
  constructor(private readonly symbols = new SymbolTable()) {}

  /** @param tags undefined for a file that is no source */
  addFile(tags: FileTags | undefined): void {
    this.beginFile(tags === undefined ? 0 : tags.language + 1);
    if (tags === undefined) return;
    for (const { name, kind, line } of tags.definitions) {
      this.definitionName.push(this.symbols.intern(name));
      this.definitionLine.push(line);
      this.definitionKind.push(kindNumbers.get(kind)!);
    }
    for (const [name, count] of tags.references) {
      this.referenceName.push(this.symbols.intern(name));
      this.referenceCount.push(Math.min(count, MAX_COUNT));
    }
  }

  /** @param numbers what the other columns' name numbers are here; left out where they are the same */
  copyFile(from: TagColumns, file: number, numbers?: Uint32Array): void {
    this.beginFile(from.language[file]!);
    const definitions: [number, number] = [from.definitionStart[file]!, from.definitionStart[file + 1]!];
    this.definitionName.pushAll(renumbered(from.definitionName.subarray(...definitions), numbers));
    this.definitionLine.pushAll(from.definitionLine.subarray(...definitions));
    this.definitionKind.pushAll(from.definitionKind.subarray(...definitions));
    const references: [number, number] = [from.referenceStart[file]!, from.referenceStart[file + 1]!];
    this.referenceName.pushAll(renumbered(from.referenceName.subarray(...references), numbers));
    this.referenceCount.pushAll(from.referenceCount.subarray(...references));
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
    };
  }

  private beginFile(language: number): void {
    this.language.push(language);
    this.definitionStart.push(this.definitionName.length);
    this.referenceStart.push(this.referenceName.length);
  }
}

function renumbered(names: Uint32Array, numbers: Uint32Array | undefined): Uint32Array {
  return numbers === undefined ? names : names.map((name) => numbers[name]!);
}
