/** How far apart files lie in the tree. */
export class DirectoryTrails {
  private readonly numbers = new Map<string, number>([['', 0]]);
  /** Per directory, its number's ancestors and itself from the root down, without the root. */
  private readonly trails: Uint32Array[] = [new Uint32Array(0)];
  private readonly directoryOf: Int32Array;

  constructor(private readonly paths: readonly string[]) {
    this.directoryOf = new Int32Array(paths.length).fill(-1);
  }

  /** How many directories, from the root down, two files share. */
  commonDepth(file: number, other: number): number {
    const a = this.trail(file);
    const b = this.trail(other);
    if (a === b) return a.length;
    const shorter = Math.min(a.length, b.length);
    let depth = 0;
    while (depth < shorter && a[depth] === b[depth]) depth++;
    return depth;
  }

  /** Whether two files lie in one directory. */
  areTogether(file: number, other: number): boolean {
    return this.trail(file) === this.trail(other);
  }

  private trail(file: number): Uint32Array {
    let directory = this.directoryOf[file]!;
    if (directory < 0) {
      const path = this.paths[file]!;
      directory = this.numberOf(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
      this.directoryOf[file] = directory;
    }
    return this.trails[directory]!;
  }

  private numberOf(directory: string): number {
    const known = this.numbers.get(directory);
    if (known !== undefined) return known;
    const parent = this.numberOf(directory.slice(0, Math.max(0, directory.lastIndexOf('/'))));
    const number = this.trails.length;
    this.numbers.set(directory, number);
    this.trails.push(Uint32Array.of(...this.trails[parent]!, number));
    return number;
  }
}
