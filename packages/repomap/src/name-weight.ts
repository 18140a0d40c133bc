/**
 * How much a mention of a name says about where it is defined: a long compound name is unlikely to be met by
 * chance, a short common word or a private name is likely to mean something local.
 */
export function nameWeight(name: string): number {
  const byLength = Math.min(1, name.length / 8) ** 2;
  const byParts = COMPOUND.test(name) ? 2 : 1;
  const byPrivacy = name.startsWith('_') || name.startsWith('#') ? 0.3 : 1;
  return Math.max(0.02, byLength * byParts * byPrivacy);
}

/** `snake_case`, `camelCase`, `Version2Parser`. */
const COMPOUND = /[^_]_+[^_]|[\p{Ll}\d]\p{Lu}/u;
