import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

const PROBE_CHARACTERS = 512;
/** Text has next to no control characters; random bytes have one in ten. */
const MAX_CONTROL_SHARE = 0.02;
const CONTROL_CHARACTERS = /[\x01-\x08\x0e-\x1a\x1c-\x1f]/g;
const NO_TEXT = /[\0\ufffd]/;

export interface SourceFile {
  /** All that the file holds: as text where it is UTF-8, else a character a byte. */
  content: string;
  /** Undefined for binary content. */
  text: string | undefined;
}

/**
 * Reads a source file in any encoding: UTF-8, UTF-16 with a byte order mark, or else Latin-1. Line endings stay unchanged.
 * It reads straight to a string, because most callers do not need the bytes.
 *
 * @throws Error if the file cannot be read
 */
export function readSource(path: string): SourceFile {
  const content = readFileSync(path, 'utf8');
  return NO_TEXT.test(content) ? readOtherEncoding(path) : inUtf8(content);
}

function inUtf8(content: string): SourceFile {
  if (looksBinary(content)) return { content, text: undefined };
  return { content, text: content.startsWith('\ufeff') ? content.slice(1) : content };
}

function readOtherEncoding(path: string): SourceFile {
  const bytes = readFileSync(path);
  // What stands for other bytes may stand in the file itself.
  if (!bytes.includes(0) && isUtf8(bytes)) return inUtf8(bytes.toString('utf8'));
  const content = bytes.toString('latin1');
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { content, text: new TextDecoder('utf-16le').decode(bytes) };
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return { content, text: new TextDecoder('utf-16be').decode(bytes) };
  return { content, text: content.includes('\0') || looksBinary(content) ? undefined : content };
}

function looksBinary(content: string): boolean {
  const probe = content.slice(0, PROBE_CHARACTERS);
  const controls = probe.match(CONTROL_CHARACTERS)?.length ?? 0;
  return controls > probe.length * MAX_CONTROL_SHARE;
}
