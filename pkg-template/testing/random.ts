// A seeded pseudo-random number generator: the same seed always gives the same sequence of values.
//
// It is written here because all sample data depend on its exact sequence: an update of a library must never change it.

const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export type SeedPart = string | number | bigint | null;

/** Creates a generator whose seed is made of all `seedParts`. */
export function createRandom(...seedParts: readonly SeedPart[]): Random {
  return new Random(seedParts.join("/"));
}

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  constructor(seed: string) {
    let a = 0x9e3779b9;
    let b = 0x243f6a88;
    let c = 0xb7e15162;
    for (let i = 0; i < seed.length; i++) {
      const code = seed.charCodeAt(i);
      a = Math.imul(a ^ code, 0x85ebca6b);
      b = Math.imul(b ^ code, 0xc2b2ae35) ^ (a >>> 15);
      c = Math.imul(c ^ code, 0x27d4eb2f) ^ (b >>> 13);
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    for (let i = 0; i < 12; i++) this.nextUint32();
  }

  /** The next 32 bits, by the sfc32 algorithm. */
  nextUint32(): number {
    const result = (this.#a + this.#b + this.#count++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + result) | 0;
    return result >>> 0;
  }

  /** An integer from 0 up to, but not including, `limit` (at most 2^32). */
  nextInt(limit: number): number {
    return Math.floor((this.nextUint32() / 2 ** 32) * limit);
  }

  /** True with this probability, from 0 to 1. */
  nextBoolean(probability: number): boolean {
    return this.nextUint32() < probability * 2 ** 32;
  }

  pick<Element>(array: readonly Element[]): Element {
    return array[this.nextInt(array.length)] as Element;
  }

  /** A lower-case hex string of `byteLength` bytes (a multiple of four), with 0x. */
  nextHex(byteLength: number): string {
    let hex = "0x";
    for (let i = 0; i < byteLength; i += 4) {
      const word = this.nextUint32();
      hex += `${HEX_BYTES[word >>> 24]}${HEX_BYTES[(word >>> 16) & 255]}${HEX_BYTES[(word >>> 8) & 255]}${HEX_BYTES[word & 255]}`;
    }
    return hex;
  }

  /** A non-negative BigInt of at most `byteLength` bytes (a multiple of four). */
  nextBigInt(byteLength: number): bigint {
    return BigInt(this.nextHex(byteLength));
  }
}
