import type { SymbolTable } from '@causantic/domain/symbol-table';
import { languageNumber } from '../extraction/languages.js';
import type { TagColumns } from '../cache/tag-columns.js';
import { MAX_DEFINING_FILES, type Definers } from './definers.js';
import { ANY_NAME, type ImportedClasses } from './imported-classes.js';

/** As in the tags' column. */
const RUBY = 1 + languageNumber('ruby');
/** By language, whose files are by custom named after a type, and their folders after what that is in. */
export const PLACED_BY_NAME: ReadonlySet<number> = new Set([
  RUBY,
  1 + languageNumber('php'),
  1 + languageNumber('csharp'),
]);
/** Where Rails looks for what is within no module. */
const TOP_OF_RAILS = /\/(?:app\/[^/]+|lib)(?:\/concerns)?\/[^/]+$/;

const [OTHER, NAMESAKE] = [1, 2];

/** Tells by their paths which of the files that define a type are named after it, or after what it is in. */
export class PlacedByName {
  /** Per place of a name, whether its file has that name: 0 until it is asked for, then {@link NAMESAKE} or {@link OTHER}. */
  private readonly namesakes: Uint8Array;
  /** Per given place, 1 if the path of another is the one that the mention tells. */
  private readonly misplaced = new Uint8Array(MAX_DEFINING_FILES);
  /** Per file, its path for {@link countPlaced}. */
  private readonly plainPaths: string[] = [];

  constructor(
    private readonly files: { paths: readonly string[]; tags: TagColumns },
    private readonly definers: Definers,
    private readonly imported: ImportedClasses,
    private readonly symbols: SymbolTable,
  ) {
    this.namesakes = new Uint8Array(definers.file.length);
  }

  /** How many of the places of a name are in a file that is named after it; of a type alone, which begins with a capital. */
  countNamesakes(name: number, rows: Uint32Array, places: number): number {
    let count = 0;
    for (let i = 0; i < places; i++) {
      const row = rows[i]!;
      if (this.namesakes[row] === 0) {
        const path = this.files.paths[this.definers.file[row]!]!;
        // `Tidy` of Perl's `Perl::Tidy`.
        const own = this.symbols.name(name).replace(/^.*::/, '');
        const isNamesake = /^\p{Lu}/u.test(own) && path.startsWith(`${own}.`, path.lastIndexOf('/') + 1);
        this.namesakes[row] = isNamesake ? NAMESAKE : OTHER;
      }
      if (this.isNamesake(row)) count++;
    }
    return count;
  }

  /** Of a place that was counted. */
  isNamesake(row: number): boolean {
    return this.namesakes[row] === NAMESAKE;
  }

  /**
   * Finds those places of a type that are in `shop/cart.rb`, where a file mentions `Shop::Cart`, or `Cart` within `Shop`.
   *
   * @returns how many
   */
  countPlaced({ name, from }: { name: number; from: number }, rows: Uint32Array, places: number): number {
    const language = this.files.tags.language[from]!;
    this.misplaced.fill(0);
    if (places === 1 || !PLACED_BY_NAME.has(language)) return 0;
    const own = this.symbols.name(name);
    if (!/^\p{Lu}/u.test(own)) return 0;
    const qualified = this.imported.parentsOf(name);
    const ends = (qualified ?? this.imported.parentsOf(ANY_NAME) ?? []).map((parent) =>
      plainPath(`/${parent}/${own}.`),
    );
    const count = this.markPlaced(rows.subarray(0, places), (path) =>
      ends.some((end) => isBeforeExtension(end, path)),
    );
    if (count > 0 || language !== RUBY || qualified !== undefined) return count;
    const end = plainPath(`/${own}.`);
    return this.markPlaced(
      rows.subarray(0, places),
      (path) => isBeforeExtension(end, path) && TOP_OF_RAILS.test(path),
    );
  }

  /** @param at in the rows last counted */
  isMisplaced(at: number): boolean {
    return this.misplaced[at] === 1;
  }

  private markPlaced(rows: Uint32Array, isMeant: (path: string) => boolean): number {
    let count = 0;
    rows.forEach((row, i) => {
      const file = this.definers.file[row]!;
      const path = (this.plainPaths[file] ??= plainPath(`/${this.files.paths[file]!}`));
      this.misplaced[i] = Number(!isMeant(path));
      count += 1 - this.misplaced[i]!;
    });
    return count;
  }
}

/** However a language writes the words of a name: `shop_cart.rb`, `ShopCart.php`. */
function plainPath(path: string): string {
  return path.replaceAll('_', '').toLowerCase();
}

function isBeforeExtension(end: string, path: string): boolean {
  return path.startsWith(end, path.lastIndexOf('.') + 1 - end.length);
}
