// What the client is to make of a record that the service sends, written down a second time: renames, spellings, what is
// filled in.
import assert from "node:assert/strict";

/** The lists of an address: methods, and how their paths end. */
export const PATHS = {
  addressNft: "nft",
  addressLogs: "logs",
  addressCoinBalanceHistory: "coin-balance-history",
  addressInternalTransactions: "internal-transactions",
  addressTokenTransfers: "token-transfers",
  addressWithdrawals: "withdrawals",
};

/** Other names, and the documented ones. */
const RENAMED = { address: "address_hash", holders: "holders_count" };
/** Fields that only one version sends and that are not documented. */
const UNKNOWN = new Set(["block_index"]);
/** Free-form JSON: given out as it is. */
const FREE = new Set(["meta", "abi", "metadata", "value"]);
/** Free-form JSON that is given out only if it is an object. */
const OBJECT = new Set(["meta", "abi", "metadata"]);
/** Numbers as text, whose service spells "unknown" as an empty text. */
const EMPTY_IS_NULL = new Set(["transactions_count"]);

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isAddress = (record) => "hash" in record && "implementations" in record;
const isTags = (value) => isObject(value) && Array.isArray(value.tags);

/** The documented name of a field. */
function nameOf(key, record) {
  if (key === "indexed" && "type" in record) return "indexed?";
  return RENAMED[key] ?? key;
}

/** What a sent value is given out as. */
function given(key, value) {
  if (typeof value === "string") {
    if (EMPTY_IS_NULL.has(key) && value === "") return null;
    if (/^timestamp$|_timestamp$/.test(key)) return value.replace(/(\.\d*)?Z$/, (_, fraction = ".") => `${fraction.padEnd(7, "0")}Z`);
  }
  if (OBJECT.has(key) && !isTags(value) && !isObject(value)) return null;
  return value;
}

/** Compares what was given out with what was sent; `path` is the place. */
export function agree(got, sent, path) {
  if (Array.isArray(sent)) {
    assert.ok(Array.isArray(got) && got.length === sent.length, `${path}: ${sent.length} elements`);
    sent.forEach((element, i) => agree(got[i], element, `${path}[${i}]`));
  } else if (isObject(sent)) {
    assert.ok(isObject(got), `${path}: an object`);
    members(got, sent, path);
  } else {
    // Asked first: assert is slow, and there are some millions of values.
    if (!Object.is(got, sent)) assert.deepEqual(got, sent, path);
  }
}

function members(got, sent, path) {
  const expected = new Set();
  for (const [key, value] of Object.entries(sent)) {
    const name = nameOf(key, sent);
    if (UNKNOWN.has(key)) {
      assert.equal(name in got, false, `${path}.${key} is not documented`);
      continue;
    }
    expected.add(name);
    const wanted = given(key, value);
    if (FREE.has(key) && !isTags(wanted)) assert.deepEqual(got[name], wanted, `${path}.${name}`);
    else agree(got[name], wanted, `${path}.${name}`);
  }
  const filled = fillings(sent);
  for (const [name, value] of Object.entries(got)) {
    if (expected.has(name)) continue;
    if (name in filled) assert.deepEqual(value, filled[name], `${path}.${name} is filled in`);
    else assert.ok(value === null || (Array.isArray(value) && value.length === 0), `${path}.${name} was not sent, yet is ${JSON.stringify(value)}`);
  }
}

/** Fields that are filled in from others. */
function fillings(sent) {
  if (isAddress(sent) && sent.implementations.length > 0) {
    const [{ address_hash, name = null }] = sent.implementations;
    return { implementation_address: address_hash, implementation_name: name };
  }
  if (isTags(sent) && sent.tags.length > 0) return sent.tags[0];
  return {};
}
