/**
 * @typedef {[name: string, text: string]} Figure
 * @typedef {{ path: string, value: object }} Thing
 */

/** Columns of a table that does not wrap on a usual terminal. */
const LINE_WIDTH = 120;

/**
 * Lines that show every figure of a result: `search.p95Ms   12.3`. Things that have the same figures share a table.
 *
 * @param {object} result
 * @returns {string[]}
 */
export function linesOf(result) {
  const found = { figures: /** @type {Figure[]} */ ([]), tables: /** @type {Thing[][]} */ ([]) };
  collect({ path: '', value: result }, found);
  const blocks = [columns(found.figures), ...found.tables.map(tableOf)].filter(({ length }) => length > 0);
  return blocks.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

/**
 * @param {Thing} thing
 * @param {{ figures: Figure[], tables: Thing[][] }} found
 */
function collect({ path, value }, found) {
  // A list of one needs no number.
  if (Array.isArray(value) && value.length === 1 && isThing(value[0])) {
    collect({ path, value: value[0] }, found);
    return;
  }
  const things = /** @type {Map<string, Thing[]>} */ (new Map());
  for (const [name, inner] of Object.entries(value)) {
    const innerPath = path === '' ? name : `${path}.${name}`;
    if (!isThing(inner)) {
      found.figures.push([innerPath, textOf(inner)]);
      continue;
    }
    const form = figuresOf(inner)
      .map(([figure]) => figure)
      .join();
    things.set(form, [...(things.get(form) ?? []), { path: innerPath, value: inner }]);
  }
  for (const alike of things.values()) {
    if (alike.length > 1) found.tables.push(alike);
    else alike.forEach((thing) => collect(thing, found));
  }
}

/**
 * A line a thing, or, where that gets too long, a line a figure.
 *
 * @param {Thing[]} things
 */
function tableOf(things) {
  const rows = things.map(({ path, value }) => [path, ...figuresOf(value).map(([, text]) => text)]);
  const names = figuresOf(/** @type {Thing} */ (things[0]).value).map(([name]) => name);
  const table = [['', ...names], ...rows];
  const lines = columns(table);
  if (Math.max(...lines.map((line) => line.length)) <= LINE_WIDTH) return lines;
  return columns(table[0]?.map((_, column) => table.map((row) => row[column] ?? '')) ?? []);
}

/** @param {string[][]} rows */
function columns(rows) {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/**
 * Every figure with the path to it.
 *
 * @param {object} value
 * @returns {Figure[]}
 */
function figuresOf(value) {
  return Object.entries(value).flatMap(([name, inner]) =>
    isThing(inner)
      ? figuresOf(inner).map(([path, text]) => /** @type {Figure} */ ([`${name}.${path}`, text]))
      : [/** @type {Figure} */ ([name, textOf(inner)])],
  );
}

/**
 * @param {unknown} value
 * @returns {value is object}
 */
function isThing(value) {
  return typeof value === 'object' && value !== null;
}

/** @param {unknown} value */
function textOf(value) {
  return typeof value === 'number' && !Number.isInteger(value)
    ? String(Number(value.toPrecision(4)))
    : String(value);
}
