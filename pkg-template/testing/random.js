// Repeatable chance: the same words always give the same stream of values.

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A stream of pseudo-random values that depends on nothing but `words`. */
export function random(...words) {
  return new Stream(words.join("/"));
}

class Stream {
  #a;
  #b;
  #c;
  #count = 1;

  constructor(text) {
    let a = 0x9e3779b9;
    let b = 0x243f6a88;
    let c = 0xb7e15162;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      a = Math.imul(a ^ code, 0x85ebca6b);
      b = Math.imul(b ^ code, 0xc2b2ae35) ^ (a >>> 15);
      c = Math.imul(c ^ code, 0x27d4eb2f) ^ (b >>> 13);
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    for (let i = 0; i < 12; i++) this.next();
  }

  /** The next 32 bits, by the sfc32 generator. */
  next() {
    const result = (this.#a + this.#b + this.#count++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + result) | 0;
    return result >>> 0;
  }

  /** An integer from 0 up to, but not including, `limit` (at most 2^32). */
  below(limit) {
    return Math.floor((this.next() / 2 ** 32) * limit);
  }

  chance(probability) {
    return this.next() < probability * 2 ** 32;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** Lower-case hexadecimal text of `bytes` bytes (a multiple of four), with 0x. */
  hex(bytes) {
    let text = "0x";
    for (let i = 0; i < bytes; i += 4) {
      const word = this.next();
      text += BYTES[word >>> 24] + BYTES[(word >>> 16) & 255] + BYTES[(word >>> 8) & 255] + BYTES[word & 255];
    }
    return text;
  }

  /** A non-negative BigInt of at most `bytes` bytes (a multiple of four). */
  big(bytes) {
    return BigInt(this.hex(bytes));
  }
}
