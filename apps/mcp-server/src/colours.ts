import { styleText } from 'node:util';

/** Only for people: not into a pipe or a file, nor where NO_COLOR (no-color.org) or the terminal says no. */
function hasColours(env: NodeJS.ProcessEnv = process.env): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0';
  return process.stdout.isTTY === true && env['TERM'] !== 'dumb';
}

const HEADER = /^\[Session: .*\]$/gm;

/** An answer whose headers stand out, so that the eye finds where a passage begins. */
export function withColours(text: string): string {
  return hasColours() ? text.replace(HEADER, (header) => styleText('cyan', header)) : text;
}
