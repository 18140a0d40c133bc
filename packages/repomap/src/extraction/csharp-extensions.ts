import { blanked } from './lines.js';

/** `extension<T>(List<T> items) where T : class`, before its members. */
const HEAD =
  /^([ \t]+)extension(\s*(?:<[^(){};]{1,200}>\s*)?)\(((?:[^(){};]|\([^(){};]{0,100}\)){2,200})\)(\s*where\b[^{};]{1,200})?(?=\s*\{)/gm;
/** Around the receiver's type. */
const NO_TYPE = /^\s*(?:(?:\[[^\]]*\]|(?:this|ref|in|readonly|scoped)\b)\s*)+|(?<=[\w>?\])])\s+@?\w+\s*$/g;

/**
 * The grammar takes an extension block of C# 14 for a constructor, and loses its way at the members. As a namespace `a<Type>`,
 * which it lets stand inside a class, the block keeps its length, its members are methods, and its type is mentioned.
 */
export function readableExtensions(text: string): string {
  return text.replace(HEAD, (_, indentation: string, generics: string, receiver: string, limits = '') => {
    const room = indentation.length + 'extension'.length + generics.length;
    const before = 'namespace a'.padEnd(room);
    // Behind a single tab there is room for a name alone: of two parts, which is no definition.
    if (before.length > room) return `namespace ${'a::b'.padEnd(receiver.length + 2)}${blanked(limits)}`;
    return `${before}<${receiver.replace(NO_TYPE, blanked)}>${blanked(limits)}`;
  });
}
