import { closeSync, openSync, writeFileSync } from 'node:fs';

const BUFFER_BYTES = 1 << 20;

/**
 * Collects small pieces and writes them a megabyte at a time. Not synced to the disk: index files carry a
 * checksum and can be made again.
 */
export class FileWriter {
  private readonly buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  private used = 0;

  private constructor(private readonly descriptor: number) {}

  /** Creates (`w`) or extends (`a`) a file, readable by its owner only, and closes it, whatever happens. */
  static write(path: string, fill: (file: FileWriter) => void, flags: 'w' | 'a' = 'w'): void {
    const descriptor = openSync(path, flags, 0o600);
    try {
      const file = new FileWriter(descriptor);
      fill(file);
      file.flush();
    } finally {
      closeSync(descriptor);
    }
  }

  append(piece: Uint8Array | Int8Array | Float32Array | Float64Array): void {
    const bytes = new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
    for (let start = 0; start < bytes.length;) {
      const part = bytes.subarray(start, start + BUFFER_BYTES - this.used);
      this.buffer.set(part, this.used);
      this.used += part.length;
      start += part.length;
      if (this.used === BUFFER_BYTES) this.flush();
    }
  }

  private flush(): void {
    writeFileSync(this.descriptor, this.buffer.subarray(0, this.used));
    this.used = 0;
  }
}
