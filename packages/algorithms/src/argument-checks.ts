/**
 * Misuse is reported with the built-in RangeError: this package depends on nothing, and services
 * validate what comes from a user before they call it.
 */
export function requireThat(holds: boolean, message: string): asserts holds {
  if (!holds) throw new RangeError(message);
}
