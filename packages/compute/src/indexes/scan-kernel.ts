/** wasm/scan.wat, assembled. SIMD makes it five to ten times as fast as a loop over a typed array. */
const MODULE_BASE64 =
  'AGFzbQEAAAABCQFgBX9/f39/AAITAQRob3N0Bm1lbW9yeQIDAYCABAMDAgAABxoCC3NjYW5GbG9hdDMyAAAIc2NhbkludDgAAQq3BgKnAgIEfwR7IAQgAUECdGohCCAAIQUgAUUEQA8LA0D9DAAAAAAAAAAAAAAAAAAAAAAhCf0MAAAAAAAAAAAAAAAAAAAAACEK/QwAAAAAAAAAAAAAAAAAAAAAIQv9DAAAAAAAAAAAAAAAAAAAAAAhDCADIQYgBSACQQJ0aiEHA0AgCSAF/QAEACAG/QAEAP3mAf3kASEJIAogBf0ABBAgBv0ABBD95gH95AEhCiALIAX9AAQgIAb9AAQg/eYB/eQBIQsgDCAF/QAEMCAG/QAEMP3mAf3kASEMIAZBwABqIQYgBUHAAGoiBSAHSQ0ACyAJIAr95AEgCyAM/eQB/eQBIQkgBCAJ/R8AIAn9HwGSIAn9HwIgCf0fA5KSOAIAIARBBGoiBCAISQ0ACwuLBAILfwd7IAFFBEAPCyABQQNqQQJ2IQUgBSACbCEGIAVBAnQhByAEIAdqIQsgACEMA0AgDCAGaiENIA0gBmohDiAOIAZqIQ/9DAAAAAAAAAAAAAAAAAAAAAAhEP0MAAAAAAAAAAAAAAAAAAAAACER/QwAAAAAAAAAAAAAAAAAAAAAIRL9DAAAAAAAAAAAAAAAAAAAAAAhEyADIQggDCACaiEJA0AgCP0ABAAhFSAI/QAEECEWIAhBIGohCCAN/QAEACEUIBEgFP2HASAV/boBIBT9iAEgFv26Af2uAf2uASERIA1BEGohDSAO/QAEACEUIBIgFP2HASAV/boBIBT9iAEgFv26Af2uAf2uASESIA5BEGohDiAP/QAEACEUIBMgFP2HASAV/boBIBT9iAEgFv26Af2uAf2uASETIA9BEGohDyAM/QAEACEUIBAgFP2HASAV/boBIBT9iAEgFv26Af2uAf2uASEQIAxBEGoiDCAJSQ0ACyAEIQogCiAQ/RsAIBD9GwFqIBD9GwIgEP0bA2pqNgIAIAogB2ohCiAKIBH9GwAgEf0bAWogEf0bAiAR/RsDamo2AgAgCiAHaiEKIAogEv0bACAS/RsBaiAS/RsCIBL9GwNqajYCACAKIAdqIQogCiAT/RsAIBP9GwFqIBP9GwIgE/0bA2pqNgIAIARBBGoiBCALSQ0ACws=';

/**
 * scores[i] = inner product of rows[i] and the query, for `count` rows of `dim` elements; `dim` is a
 * multiple of 16, all addresses are bytes in the memory.
 */
export type Scan = (rows: number, count: number, dim: number, query: number, scores: number) => void;

export interface ScanKernel {
  /** Rows, query and scores are 32-bit floats. */
  scanFloat32: Scan;
  /**
   * Rows are 8-bit, the query is 16-bit, scores are 32-bit integers: keep |query| below 2¹⁶ ÷ 16. Takes
   * {@link ROWS_AT_ONCE} rows at a time, also where `count` is no multiple of it: then what lies behind is scored, too.
   */
  scanInt8: Scan;
}

export const ROWS_AT_ONCE = 4;

/** A WebAssembly memory addresses four gigabytes. */
const MAX_PAGES = 65_536;
export const PAGE_BYTES = 65_536;

let compiled: WebAssembly.Module | undefined;

/** Shared, as the kernel declares it: such a memory grows without being copied. */
export function newScanMemory(bytes: number): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES), maximum: MAX_PAGES, shared: true });
}

export function scanKernelOn(memory: WebAssembly.Memory): ScanKernel {
  compiled ??= new WebAssembly.Module(Buffer.from(MODULE_BASE64, 'base64'));
  return new WebAssembly.Instance(compiled, { host: { memory } }).exports as unknown as ScanKernel;
}

/** The kernel takes sixteen elements at a time. */
export function paddedDim(dim: number): number {
  return Math.ceil(dim / 16) * 16;
}
