// Parameters of the module/action interface: few are required, and an optional one that makes no sense is ignored.

import { refusedCall } from "./errors.js";

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const HASH = /^0x[0-9a-f]{64}$/i;
const LARGEST_BLOCK = 2 ** 31 - 1;
/** Times that a date can hold. */
const FIRST_SECOND = -377_705_116_800;
const LAST_SECOND = 253_402_300_799;
const WINDOW = 10_000;
const MOST_ADDRESSES = 20;

function integer(text, min, max) {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : NaN;
  return value >= min && value <= max ? value : undefined;
}

const oneOf = (text, ...choices) => (choices.includes(text) ? text : undefined);

export class AccountQuery {
  #values;

  /** `values` are the parameters by name. */
  constructor(values) {
    this.#values = values;
  }

  has(name) {
    return this.#values.has(name);
  }

  /** Number and size of the page. The window is checked only when both are given. */
  page({ size = WINDOW, windowed = true } = {}) {
    const number = integer(this.#values.get("page"), 1, Infinity);
    const chosen = integer(this.#values.get("offset"), 1, WINDOW);
    if (windowed && number * chosen > WINDOW) {
      throw refusedCall(`Result window is too large, PageNo x Offset size must be less than or equal to ${WINDOW}`);
    }
    return { number: number ?? 1, size: chosen ?? size };
  }

  get ascends() {
    return this.#values.get("sort") === "asc";
  }

  /** First and last block. */
  get blocks() {
    const block = (name) => integer(this.#values.get(name), 0, LARGEST_BLOCK);
    return { first: block("startblock") ?? 0, last: block("endblock") ?? LARGEST_BLOCK };
  }

  /** First and last time in unix seconds. */
  get times() {
    const time = (name) => integer(this.#values.get(name), FIRST_SECOND, LAST_SECOND);
    return { first: time("start_timestamp") ?? FIRST_SECOND, last: time("end_timestamp") ?? LAST_SECOND };
  }

  get direction() {
    return oneOf(this.#values.get("filter_by"), "to", "from");
  }

  get includesZeroValue() {
    return this.#values.get("include_zero_value")?.toLowerCase() === "true";
  }

  /** The block of `eth_get_balance`, a word or a number; undefined if it is neither. */
  get block() {
    const text = this.#values.get("block") ?? "latest";
    return oneOf(text, "latest", "earliest", "pending") ?? integer(text, -Infinity, Infinity);
  }

  /** Refuses a query that lacks a parameter. */
  require(name, message = `Query parameter '${name}' is required`) {
    if (!this.has(name)) throw refusedCall(message);
  }

  /** A hash in lower case, or undefined if the parameter is missing. */
  address(name = "address", refusal = refusedCall("Invalid address format")) {
    return this.#hash(name, ADDRESS, refusal);
  }

  transaction() {
    return this.#hash("txhash", HASH, refusedCall("Invalid txhash format"));
  }

  #hash(name, pattern, refusal) {
    const text = this.#values.get(name);
    if (text !== undefined && !pattern.test(text)) throw refusal;
    return text?.toLowerCase();
  }

  /** The different ones among the first twenty addresses; the others are not even looked at. */
  addresses() {
    const texts = this.#values.get("address").split(",").slice(0, MOST_ADDRESSES);
    if (!texts.every((text) => ADDRESS.test(text))) throw refusedCall("Invalid address hash");
    return [...new Set(texts.map((text) => text.toLowerCase()))];
  }
}
