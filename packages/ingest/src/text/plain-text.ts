import { withoutControls } from '@causantic/domain';
import { oneLine } from './shorten.js';

const LINE_ENDS = /\r\n?/g;

/** Text without what only a terminal understands, its lines ended by line feeds. */
export function plainText(text: string): string {
  return withoutControls(text).replace(LINE_ENDS, '\n');
}

const MAX_NAME_CHARS = 300;

/** For a label or a header, which are never cut: one line, of which nothing is shown in another order than it stands. */
export function plainName(text: string): string {
  return oneLine(withoutControls(text).replace(/\p{Bidi_Control}/gu, ''), MAX_NAME_CHARS);
}
