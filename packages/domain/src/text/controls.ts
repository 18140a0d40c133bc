/** Terminal escape sequences: colours, cursor moves, titles, links, character sets, and those of two characters. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]+[0-~]|[@-_])/g;
/**
 * Control characters except tab and line ends. This includes zeros, which are every other byte of UTF-16 read as bytes,
 * and the single-character escapes from 128 on.
 */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const CONTROLS = new RegExp(CONTROL, 'g');

/**
 * Half of a character, as where a program has cut a text within an emoji. The database has three characters for it: all
 * behind it would stand two places farther on than was noted.
 */
const HALVES = /\p{Surrogate}/gu;

/** Text without terminal escapes, control characters and halves of characters. */
export function withoutControls(text: string): string {
  // Most texts have none, and one look tells.
  const shown = CONTROL.test(text) ? text.replace(ESCAPES, '').replace(CONTROLS, '') : text;
  return shown.isWellFormed() ? shown : shown.replace(HALVES, '');
}
