/**
 * The one kernel that decides how fast clustering runs, assembled here instruction by instruction
 * because JavaScript has no SIMD: 4 × 8 inner products at a time over packed panels (`dot-tiles.ts`).
 *
 *     dotTile(a, b, out, bEnd)     byte addresses; a and b step through panels [k][8] of float32
 *
 * reads rows a+0 … a+3 and columns b+0 … b+7 of each step and writes 32 float32 sums, row-major, to `out`.
 * Encoding: WebAssembly core specification 2.0, section 5.
 */
export function assembleDotModule(): Uint8Array<ArrayBuffer> {
  const type = section(1, [1, 0x60, 4, I32, I32, I32, I32, 0]);
  const imports = section(2, [1, ...name('env'), ...name('memory'), 0x02, 0x00, 1]);
  const functions = section(3, [1, 0]);
  const exports = section(7, [1, ...name('dotTile'), 0x00, 0]);
  const body = dotTileBody();
  const code = section(10, [1, ...unsigned(body.length), ...body]);
  return Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, type, imports, functions, exports, code].flat());
}

const ROWS = 4;
const STEP_BYTES = 32;
/** Steps per loop turn; panels are padded with zeros to a multiple of it. */
export const STEPS_PER_TURN = 4;

const I32 = 0x7f;
const V128 = 0x7b;
const [A, B, OUT, B_END, B_LOW, B_HIGH, SPLAT, FIRST_SUM] = [0, 1, 2, 3, 4, 5, 6, 7];

function dotTileBody(): number[] {
  const steps = Array.from({ length: STEPS_PER_TURN }, (_, step) => oneStep(step * STEP_BYTES)).flat();
  const turn = STEPS_PER_TURN * STEP_BYTES;
  const next = [...advance(A, turn), ...advance(B, turn)];
  // loop … while B is below B_END
  const loop = [0x03, 0x40, ...steps, ...next, ...get(B), ...get(B_END), ...[0x49, 0x0d, 0, 0x0b]];
  const stores = Array.from({ length: 2 * ROWS }, (_, i) => [
    ...get(OUT),
    ...get(FIRST_SUM + i),
    ...simd(0x0b), // v128.store
    0,
    ...unsigned(16 * i),
  ]);
  return [1, 3 + 2 * ROWS, V128, ...loop, ...stores.flat(), 0x0b];
}

/** Loads eight columns, then for each of four rows: sums += broadcast(row) × columns. */
function oneStep(offset: number): number[] {
  const load = (address: number, operation: number, at: number) => [
    ...get(address),
    ...simd(operation),
    0,
    ...unsigned(at),
  ];
  const columns = [...load(B, 0x00, offset), ...set(B_LOW), ...load(B, 0x00, offset + 16), ...set(B_HIGH)];
  const rows = Array.from({ length: ROWS }, (_, row) => [
    ...load(A, 0x09, offset + 4 * row),
    ...set(SPLAT),
    ...addProduct(FIRST_SUM + 2 * row, B_LOW),
    ...addProduct(FIRST_SUM + 2 * row + 1, B_HIGH),
  ]);
  return [...columns, ...rows.flat()];
}

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const simd = (operation: number) => [0xfd, ...unsigned(operation)];
const advance = (local: number, bytes: number) => [
  ...get(local),
  0x41,
  ...signed(bytes),
  0x6a,
  ...set(local),
];
const addProduct = (sum: number, columns: number) => [
  ...get(sum),
  ...get(SPLAT),
  ...get(columns),
  ...simd(0xe6), // f32x4.mul
  ...simd(0xe4), // f32x4.add
  ...set(sum),
];

function section(id: number, content: number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function name(text: string): number[] {
  return [text.length, ...Array.from(text, (character) => character.charCodeAt(0))];
}

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** LEB128 with a sign bit, for values of 0 or more. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}
