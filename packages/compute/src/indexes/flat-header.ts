export const FLAT_HEADER_BYTES = 45;

/** What FAISS writes before the components of an IndexFlatIP, little-endian. */
export function flatHeader(dim: number, count: number): Uint8Array {
  const header = Buffer.alloc(FLAT_HEADER_BYTES);
  header.write('IxFI', 0, 'latin1');
  header.writeInt32LE(dim, 4);
  header.writeBigInt64LE(BigInt(count), 8);
  header.writeBigInt64LE(1n << 20n, 16); // Two fields that FAISS keeps for old readers.
  header.writeBigInt64LE(1n << 20n, 24);
  header.writeUInt8(1, 32); // is trained
  header.writeInt32LE(0, 33); // inner product
  header.writeBigInt64LE(BigInt(count) * BigInt(dim), 37);
  return header;
}
