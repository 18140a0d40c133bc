/** Union-find over 0 … count − 1, by size, with path halving. */
export class DisjointSets {
  /** How many sets there are. */
  count: number;
  private readonly parent: Int32Array;
  private readonly size: Int32Array;

  constructor(count: number) {
    this.count = count;
    this.parent = Int32Array.from({ length: count }, (_, i) => i);
    this.size = new Int32Array(count).fill(1);
  }

  find(member: number): number {
    const { parent } = this;
    let at = member;
    while (parent[at] !== at) at = parent[at] = parent[parent[at]!]!;
    return at;
  }

  /** @returns the set's representative afterwards, or -1 when both were in it already */
  unite(a: number, b: number): number {
    const [x, y] = [this.find(a), this.find(b)];
    if (x === y) return -1;
    const [large, small] = this.size[x]! >= this.size[y]! ? [x, y] : [y, x];
    this.count--;
    this.parent[small] = large;
    this.size[large]! += this.size[small]!;
    return large;
  }

  sizeOf(member: number): number {
    return this.size[this.find(member)]!;
  }
}
