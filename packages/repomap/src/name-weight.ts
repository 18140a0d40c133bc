/**
 * How much a mention of a name says about where it is defined: a long compound name is unlikely to be met by
 * chance, a short common word or a private name is likely to mean something local.
 */
export function nameWeight(name: string): number {
  const parts = name.split(/_+|(?<=[\p{Ll}\d])(?=\p{Lu})/u).filter((part) => part !== '').length;
  const byLength = Math.min(1, name.length / 8) ** 2;
  const byParts = parts > 1 ? 2 : 1;
  const byPrivacy = name.startsWith('_') || name.startsWith('#') ? 0.3 : 1;
  return Math.max(0.02, byLength * byParts * byPrivacy);
}
