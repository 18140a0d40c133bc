const BINARY_PROBE_BYTES = 8192;

/**
 * The text of a source file whatever its encoding: UTF-8, UTF-16 with a byte order mark, or Latin-1 for what is
 * neither. Line endings stay as they are.
 *
 * @returns undefined for binary content
 */
export function decodeSource(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) return undefined;
  const text = bytes.toString('utf8');
  if (text.includes('\ufffd')) return bytes.toString('latin1');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
