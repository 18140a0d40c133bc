const BINARY_PROBE_BYTES = 8192;
/** Text has next to no control characters; random bytes have one in ten. */
const MAX_CONTROL_SHARE = 0.02;
const ESCAPE = 27;

/**
 * The text of a source file whatever its encoding: UTF-8, UTF-16 with a byte order mark, or Latin-1 for what is
 * neither. Line endings stay as they are.
 *
 * @returns undefined for binary content
 */
export function decodeSource(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (looksBinary(bytes.subarray(0, BINARY_PROBE_BYTES))) return undefined;
  const text = bytes.toString('utf8');
  if (text.includes('\ufffd')) return bytes.toString('latin1');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function looksBinary(probe: Buffer): boolean {
  if (probe.includes(0)) return true;
  let controls = 0;
  for (const byte of probe) if (byte < 32 && (byte < 9 || byte > 13) && byte !== ESCAPE) controls++;
  return controls > probe.length * MAX_CONTROL_SHARE;
}
