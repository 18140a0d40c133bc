import { requireThat } from './argument-checks.js';
import { DotTiles, forEachTile, PANEL_POINTS, type PairSearchOptions } from './dot-tiles.js';
import { countRows } from './vectors.js';

/** The nearest neighbours of n points by inner product. */
export type RankedNeighbours = {
  k: number;
  /** n × k, row-major, best first, the lower row first among equals; a point is not its own neighbour; −1 is empty. */
  rows: Int32Array;
  /** Their inner products; −∞ where empty. */
  scores: Float32Array;
};

/**
 * The exact k nearest neighbours of every point by inner product: n² / 2 × dimensions multiplications by SIMD, each
 * pair once. Memory: the points once more, and 8 bytes × n × k in shared memory.
 *
 * @param points n × dimensions, row-major
 * @param options with a share, only what it sees; `mergeNeighbours` puts shares together
 * @throws RangeError for k below 1; StoppedError when asked to stop
 */
export function nearestNeighbours(
  points: Float32Array,
  dimensions: number,
  k: number,
  options: PairSearchOptions = {},
): RankedNeighbours {
  requireThat(Number.isInteger(k) && k >= 1, `k must be at least 1, got ${k}`);
  const lists = new Lists(countRows(points, dimensions), k);
  const tiles = new DotTiles(points, dimensions);
  forEachTile(tiles.panels, options, (row, column) => {
    tiles.multiply(row, column);
    lists.offerTile(tiles.products, row * PANEL_POINTS, column * PANEL_POINTS);
  });
  return lists.ranked();
}

/** One list of neighbours for each point from those that the shares of one search found. */
export function mergeNeighbours(shares: readonly RankedNeighbours[]): RankedNeighbours {
  const [first] = shares;
  requireThat(first !== undefined, 'no share to merge');
  const { k } = first;
  const merged = new Lists(first.rows.length / k, k);
  for (const { rows, scores } of shares) {
    for (let entry = 0; entry < rows.length; entry++)
      merged.offer(Math.floor(entry / k), rows[entry]!, scores[entry]!);
  }
  return merged.ranked();
}

/** Sorted lists of fixed length; offering is cheap for what is too far away, which nearly everything is. */
class Lists {
  private readonly rows: Int32Array;
  private readonly scores: Float32Array;
  /** The last score of each list. */
  private readonly floor: Float32Array;

  constructor(
    private readonly count: number,
    private readonly k: number,
  ) {
    this.rows = new Int32Array(new SharedArrayBuffer(count * k * 4)).fill(-1);
    this.scores = new Float32Array(new SharedArrayBuffer(count * k * 4)).fill(-Infinity);
    this.floor = new Float32Array(count).fill(-Infinity);
  }

  ranked(): RankedNeighbours {
    return { k: this.k, rows: this.rows, scores: this.scores };
  }

  offerTile(products: Float32Array, row: number, column: number): void {
    const { floor } = this;
    const rowEnd = Math.min(row + PANEL_POINTS, this.count);
    const columnEnd = Math.min(column + PANEL_POINTS, this.count);
    for (let i = row; i < rowEnd; i++) {
      const product = (i - row) * PANEL_POINTS - column;
      for (let j = Math.max(column, i + 1); j < columnEnd; j++) {
        const score = products[product + j]!;
        // Tiles come so that each point meets the others in ascending order: an equal is never the lower row.
        if (score > floor[i]!) this.offer(i, j, score);
        if (score > floor[j]!) this.offer(j, i, score);
      }
    }
  }

  offer(point: number, row: number, score: number): void {
    const { rows, scores, k } = this;
    const start = point * k;
    let place = start + k - 1;
    if (!isBefore(score, row, scores[place]!, rows[place]!)) return;
    for (; place > start && isBefore(score, row, scores[place - 1]!, rows[place - 1]!); place--) {
      scores[place] = scores[place - 1]!;
      rows[place] = rows[place - 1]!;
    }
    scores[place] = score;
    rows[place] = row;
    this.floor[point] = scores[start + k - 1]!;
  }
}

/** Whether a neighbour comes before a listed one; an empty place, with −∞, is behind everything. */
function isBefore(score: number, row: number, listedScore: number, listedRow: number): boolean {
  return score > listedScore || (score === listedScore && row < listedRow);
}
