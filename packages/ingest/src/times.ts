// The first and the last of times, of which some are unknown: a turn may have more than a function can have arguments.
export function least(values: (number | null)[]): number | null {
  return values.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
}

export function greatest(values: (number | null)[]): number | null {
  return values.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null);
}
