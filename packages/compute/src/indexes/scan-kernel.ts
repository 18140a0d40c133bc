/** wasm/scan.wat, assembled. Four times as fast as a loop over a typed array, and in 8 bits more than twenty times. */
const MODULE_BASE64 =
  'AGFzbQEAAAABDgJgBX9/f39/AGABewF/AhMBBGhvc3QGbWVtb3J5AgMBgIAEAwQDAAEABxoCC3NjYW5GbG9hdDMyAAAIc2NhbkludDgAAgqFBgOnAgIEfwR7IAQgAUECdGohCCAAIQUgAUUEQA8LA0D9DAAAAAAAAAAAAAAAAAAAAAAhCf0MAAAAAAAAAAAAAAAAAAAAACEK/QwAAAAAAAAAAAAAAAAAAAAAIQv9DAAAAAAAAAAAAAAAAAAAAAAhDCADIQYgBSACQQJ0aiEHA0AgCSAF/QAEACAG/QAEAP3mAf3kASEJIAogBf0ABBAgBv0ABBD95gH95AEhCiALIAX9AAQgIAb9AAQg/eYB/eQBIQsgDCAF/QAEMCAG/QAEMP3mAf3kASEMIAZBwABqIQYgBUHAAGoiBSAHSQ0ACyAJIAr95AEgCyAM/eQB/eQBIQkgBCAJ/R8AIAn9HwGSIAn9HwIgCf0fA5KSOAIAIARBBGoiBCAISQ0ACwsZACAA/RsAIAD9GwFqIAD9GwIgAP0bA2pqC78DAgt/B3sgAUUEQA8LIAFBA2pBAnYhBSAFIAJsIQYgBUECdCEHIAQgB2ohCyAAIQwDQCAMIAZqIQ0gDSAGaiEOIA4gBmohD/0MAAAAAAAAAAAAAAAAAAAAACEQ/QwAAAAAAAAAAAAAAAAAAAAAIRH9DAAAAAAAAAAAAAAAAAAAAAAhEv0MAAAAAAAAAAAAAAAAAAAAACETIAMhCCAMIAJqIQkDQCAI/QAEACEVIAj9AAQQIRYgCEEgaiEIIA39AAQAIRQgESAU/YcBIBX9ugEgFP2IASAW/boB/a4B/a4BIREgDUEQaiENIA79AAQAIRQgEiAU/YcBIBX9ugEgFP2IASAW/boB/a4B/a4BIRIgDkEQaiEOIA/9AAQAIRQgEyAU/YcBIBX9ugEgFP2IASAW/boB/a4B/a4BIRMgD0EQaiEPIAz9AAQAIRQgECAU/YcBIBX9ugEgFP2IASAW/boB/a4B/a4BIRAgDEEQaiIMIAlJDQALIAQhCiAKIBAQATYCACAKIAdqIQogCiAREAE2AgAgCiAHaiEKIAogEhABNgIAIAogB2ohCiAKIBMQATYCACAEQQRqIgQgC0kNAAsL';

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
