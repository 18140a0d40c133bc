import { grown, type NumberArray } from '@causantic/domain/grown-array';

/** A typed array that grows: plain arrays of a million numbers take longer to fill and to copy. */
export class Column<T extends NumberArray> {
  length = 0;

  constructor(private array: T) {}

  push(value: number): void {
    this.array = grown(this.array, this.length + 1);
    this.array[this.length++] = value;
  }

  /** To a value pushed before. */
  add(place: number, value: number): void {
    this.array[place]! += value;
  }

  pushAll(values: NumberArray): void {
    this.array = grown(this.array, this.length + values.length);
    this.array.set(values, this.length);
    this.length += values.length;
  }

  /** What has been pushed so far, not copied: valid until the next push. */
  filled(from = 0): T {
    return this.array.subarray(from, this.length) as T;
  }

  /** Without spare room, which would be kept or sent: a copy where there is any. */
  trimmed(): T {
    return this.array.length === this.length ? this.array : (this.array.slice(0, this.length) as T);
  }
}
