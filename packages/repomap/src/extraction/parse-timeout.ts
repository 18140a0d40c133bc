/** Thrown when a file takes longer than its share; costs that file alone. */
export class ParseTimeoutError extends Error {}
