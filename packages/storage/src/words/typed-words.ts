/** Few mistype a word's beginning. */
const SAME_BEGINNING = 2;
const LATIN = 'abcdefghijklmnopqrstuvwxyz';
const CYRILLIC = 'абвгґдеєжзиіїйклмнопрстуфхцчшщъыьэюя';

/** What a word may have been meant to be: a letter is wrong, missing or too much, or two have changed places. */
export function wordsMeant(typed: string): string[] {
  const letters = /\p{Script=Cyrillic}/u.test(typed) ? CYRILLIC : LATIN;
  const meant = new Set<string>();
  for (let at = SAME_BEGINNING; at <= typed.length; at++) {
    const [before, letter = '', next = '', behind] = [
      typed.slice(0, at),
      typed[at],
      typed[at + 1],
      typed.slice(at + 1),
    ];
    meant.add(before + behind);
    meant.add(before + next + letter + typed.slice(at + 2));
    for (const other of letters) meant.add(before + other + behind).add(before + other + letter + behind);
  }
  meant.delete(typed);
  return [...meant];
}
