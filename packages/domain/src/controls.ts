/** Terminal escapes: colours and cursor moves, titles and links, character sets, and those of two characters. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]+[0-~]|[@-_])/g;
/**
 * Characters that print nothing, but for tab and ends of lines: UTF-16 read as bytes is every other a zero, and those from
 * 128 on are escapes of one character.
 */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Text without what only a terminal understands. */
export function withoutControls(text: string): string {
  return text.replace(ESCAPES, '').replace(CONTROLS, '');
}
