/**
 * How much a mention of a name says about where it is defined: a long compound name is unlikely to occur by chance, while
 * a short common word or a private name probably means something local.
 */
export function nameWeight(name: string): number {
  if (EVERYWHERE.has(name)) return LEAST;
  const byLength = Math.min(1, name.length / FULL_LENGTH) ** 2;
  const byParts = COMPOUND.test(name) ? 2 : 1;
  const byPrivacy = name.startsWith('_') || name.startsWith('#') ? 0.3 : 1;
  return Math.max(LEAST, byLength * byParts * byPrivacy);
}

const LEAST = 0.02;
/** Of a name whose length takes nothing away from its weight. */
export const FULL_LENGTH = 8;

/** `snake_case`, `camelCase`, `Version2Parser`. */
const COMPOUND = /[^_]_+[^_]|[\p{Ll}\d]\p{Lu}/u;

/** What nearly every object of a language answers to: mentioned in all files, defined in the few that override it. */
const EVERYWHERE: ReadonlySet<string> = new Set(
  [
    'toString toJSON toLocaleString valueOf hasOwnProperty constructor prototype resolve reject finally',
    'forEach indexOf lastIndexOf findIndex includes startsWith endsWith replace replaceAll concat entries',
    'equals hashCode compareTo getClass isEmpty contains containsKey toArray iterator ToString Equals GetHashCode',
    '__init__ __str__ __repr__ __eq__ __len__ __iter__ to_s inspect to_string unwrap clone new std',
  ].flatMap((names) => names.split(' ')),
);
