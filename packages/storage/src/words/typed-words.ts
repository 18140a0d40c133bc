/** Few mistype a word's beginning. */
const SAME_BEGINNING = 2;
const LATIN = 'abcdefghijklmnopqrstuvwxyz';
const CYRILLIC = 'абвгґдеєжзиіїйклмнопрстуфхцчшщъыьэюя';

/** What a word may have been meant to be: a letter is wrong, missing or too much, or two have changed places. */
export function wordsMeant(typed: string): string[] {
  const letters = /\p{Script=Cyrillic}/u.test(typed) ? CYRILLIC : LATIN;
  const meant = new Set<string>();
  for (let at = SAME_BEGINNING; at <= typed.length; at++) {
    const before = typed.slice(0, at);
    const from = typed.slice(at);
    const behind = typed.slice(at + 1);
    meant.add(before + behind);
    meant.add(before + behind.slice(0, 1) + from.slice(0, 1) + behind.slice(1));
    for (const letter of letters) meant.add(before + letter + behind).add(before + letter + from);
  }
  meant.delete(typed);
  return [...meant];
}
