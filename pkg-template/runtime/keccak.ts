// Keccak-256, which checksum addresses need. `crypto.subtle` does not have it.

const ROUNDS = 24;
/** Bytes of a block. */
const RATE = 136;
/** The halves of the 25 lanes, and of one row of five. */
const HALVES = 50;
const ROW = 10;

/** Returns the hash of an ASCII string of fewer than 136 characters, in hex digits. */
export function hashKeccak256(ascii: string): string {
  const state = new Uint32Array(HALVES);
  // A view of little-endian numbers on every processor that runs JavaScript.
  const bytes = new Uint8Array(state.buffer);
  new TextEncoder().encodeInto(ascii, bytes);
  bytes[ascii.length] = 0x01;
  bytes[RATE - 1] = (bytes[RATE - 1] as number) | 0x80;
  permute(state);
  return Array.from(bytes.subarray(0, 32), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The permutation Keccak-f[1600] of FIPS 202. The lane of 64 bits at `x`, `y` has its lower half at index `2 * (x + 5 * y)`, and the upper
 * one after it.
 */
function permute(state: Uint32Array): void {
  const row = new Uint32Array(ROW);
  // A shift register yields the constants of the rounds.
  let register = 1;
  for (let round = 0; round < ROUNDS; round++) {
    theta(state, row);
    moveLanes(state);
    for (let start = 0; start < HALVES; start += ROW) {
      for (let i = 0; i < ROW; i++) row[i] = state[start + i] as number;
      for (let i = 0; i < ROW; i++)
        state[start + i] = (row[i] as number) ^ (~(row[(i + 2) % ROW] as number) & (row[(i + 4) % ROW] as number));
    }
    for (let bit = 0; bit < 7; bit++) {
      const position = (1 << bit) - 1;
      if (register & 1) state[position >> 5] = (state[position >> 5] as number) ^ (1 << position);
      register = (register << 1) ^ ((register >> 7) * 0x171);
    }
  }
}

/** Adds the parities of two neighbouring columns to each lane. */
function theta(state: Uint32Array, parities: Uint32Array): void {
  parities.fill(0);
  for (let i = 0; i < HALVES; i++) parities[i % ROW] = (parities[i % ROW] as number) ^ (state[i] as number);
  for (let column = 0; column < ROW; column++) {
    const next = parities[(column + 2) % ROW] as number;
    const otherHalf = parities[((column ^ 1) + 2) % ROW] as number;
    const added = (parities[(column + 8) % ROW] as number) ^ rotateBy(next, otherHalf, 1);
    for (let i = column; i < HALVES; i += ROW) state[i] = (state[i] as number) ^ added;
  }
}

/** Rotates the lanes and exchanges them (the steps rho and pi). */
function moveLanes(state: Uint32Array): void {
  // No destructuring: it takes most of the time before the engine has optimized the function.
  let x = 1;
  let y = 0;
  let low = state[2] as number;
  let high = state[3] as number;
  for (let step = 1; step <= 24; step++) {
    const lastX = x;
    x = y;
    y = (2 * lastX + 3 * y) % 5;
    const index = 2 * (x + 5 * y);
    const bits = (step * (step + 1)) / 2;
    const movedLow = state[index] as number;
    const movedHigh = state[index + 1] as number;
    const isSwapped = bits & 32;
    state[index] = isSwapped ? rotateBy(high, low, bits) : rotateBy(low, high, bits);
    state[index + 1] = isSwapped ? rotateBy(low, high, bits) : rotateBy(high, low, bits);
    low = movedLow;
    high = movedHigh;
  }
}

/** Rotates a half of a lane to the left. Shifts count modulo 32: a lane that is not rotated takes no bits of the other half. */
function rotateBy(half: number, otherHalf: number, bits: number): number {
  return (half << bits) | ((otherHalf >>> 1) >>> (31 - (bits & 31)));
}
