// The Keccak-256 hash function, for address checksums, event topics and method selectors.

// The state is 25 lanes of 64 bits. A lane is two 32-bit integers, low half first, which is far faster than a BigInt.
const ROUND_CONSTANTS = [
  0x00000001, 0, 0x00008082, 0, 0x0000808a, 0x80000000, 0x80008000, 0x80000000, 0x0000808b, 0, 0x80000001, 0,
  0x80008081, 0x80000000, 0x00008009, 0x80000000, 0x0000008a, 0, 0x00000088, 0, 0x80008009, 0, 0x8000000a, 0,
  0x8000808b, 0, 0x0000008b, 0x80000000, 0x00008089, 0x80000000, 0x00008003, 0x80000000, 0x00008002, 0x80000000,
  0x00000080, 0x80000000, 0x0000800a, 0, 0x8000000a, 0x80000000, 0x80008081, 0x80000000, 0x00008080, 0x80000000,
  0x80000001, 0, 0x80008008, 0x80000000,
];
// In each round, 24 of the 25 lanes move: each to the next place in LANES, rotated by the bits in ROTATIONS.
const ROTATIONS = [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44];
const LANES = [10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1];
/** Bytes of input per permutation. */
const RATE = 136;

/** Hashes the UTF-8 bytes of a string; returns 64 hex digits without 0x. */
export function keccak256(string) {
  const bytes = new TextEncoder().encode(string);
  const padded = new Uint8Array((Math.floor(bytes.length / RATE) + 1) * RATE);
  padded.set(bytes);
  padded[bytes.length] ^= 0x01;
  padded[padded.length - 1] ^= 0x80;
  const input = new DataView(padded.buffer);
  const state = new Int32Array(50);
  for (let block = 0; block < padded.length; block += RATE) {
    for (let i = 0; i < RATE / 4; i++) state[i] ^= input.getInt32(block + 4 * i, true);
    permute(state);
  }
  const digest = new DataView(state.buffer);
  let hex = "";
  for (let i = 0; i < 32; i++) hex += digest.getUint8(i).toString(16).padStart(2, "0");
  return hex;
}

/** The Keccak-f[1600] permutation, in place. */
function permute(s) {
  const parity = new Int32Array(10);
  for (let round = 0; round < 48; round += 2) {
    for (let x = 0; x < 10; x++) parity[x] = s[x] ^ s[x + 10] ^ s[x + 20] ^ s[x + 30] ^ s[x + 40];
    for (let x = 0; x < 10; x += 2) {
      const previous = (x + 8) % 10;
      const next = (x + 2) % 10;
      const low = parity[previous] ^ ((parity[next] << 1) | (parity[next + 1] >>> 31));
      const high = parity[previous + 1] ^ ((parity[next + 1] << 1) | (parity[next] >>> 31));
      for (let y = x; y < 50; y += 10) {
        s[y] ^= low;
        s[y + 1] ^= high;
      }
    }
    let low = s[2];
    let high = s[3];
    for (let i = 0; i < 24; i++) {
      const lane = 2 * LANES[i];
      const nextLow = s[lane];
      const nextHigh = s[lane + 1];
      const [first, second] = ROTATIONS[i] < 32 ? [low, high] : [high, low];
      const bits = ROTATIONS[i] % 32;
      s[lane] = (first << bits) | (second >>> (32 - bits));
      s[lane + 1] = (second << bits) | (first >>> (32 - bits));
      low = nextLow;
      high = nextHigh;
    }
    for (let row = 0; row < 50; row += 10) {
      const rowLanes = s.slice(row, row + 10);
      for (let x = 0; x < 10; x++) s[row + x] ^= ~rowLanes[(x + 2) % 10] & rowLanes[(x + 4) % 10];
    }
    s[0] ^= ROUND_CONSTANTS[round];
    s[1] ^= ROUND_CONSTANTS[round + 1];
  }
}
