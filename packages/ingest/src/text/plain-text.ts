import { withoutControls } from '@causantic/domain';
import { oneLine } from './shorten.js';

const LINE_ENDS = /\r\n?/g;

/** Text without what only a terminal understands, its lines ended by line feeds. */
export function plainText(text: string): string {
  return withoutControls(text).replace(LINE_ENDS, '\n');
}

/** What a person typed, as they left it: keys that take a character back are applied. */
export function withoutErased(text: string): string {
  if (!/[\b\x7f]/.test(text)) return text;
  const kept: string[] = [];
  for (const character of text) {
    if (character === '\b' || character === '\x7f') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}

const MAX_NAME_CHARS = 300;

/** For a label or a header, which are never cut: one line, of which nothing is shown in another order than it stands. */
export function plainName(text: string): string {
  return oneLine(withoutControls(text).replace(/\p{Bidi_Control}/gu, ''), MAX_NAME_CHARS);
}
