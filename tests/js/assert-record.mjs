// A second implementation of the rules for records (renamed fields, formats, derived fields), to compare with the client's.
import assert from "node:assert/strict";

/** The lists of an address: methods, and the last segments of their paths. */
export const ADDRESS_LIST_PATHS = {
  addressNft: "nft",
  addressLogs: "logs",
  addressCoinBalanceHistory: "coin-balance-history",
  addressInternalTransactions: "internal-transactions",
  addressTokenTransfers: "token-transfers",
  addressWithdrawals: "withdrawals",
};

/** Documented names by the names of some versions. */
const RENAMED = { address: "address_hash", holders: "holders_count" };
/** Undocumented fields that only one version sends. */
const UNDOCUMENTED = new Set(["block_index"]);
/** Fields with free-form JSON, which is returned unchanged. */
const FREE_FORM = new Set(["meta", "abi", "metadata", "value"]);
/** Fields with free-form JSON that is null unless it is an object. */
const OBJECT_ONLY = new Set(["meta", "abi", "metadata"]);
/** Decimal strings that are empty if the value is unknown. */
const EMPTY_IS_NULL = new Set(["transactions_count"]);

/** Decimal strings that newer versions send as numbers. */
const DECIMALS = /_ratio$/;
/** Lists that are null in responses that do not load them. */
const NULL_IS_EMPTY = new Set(["token_transfers", "conflicting_implementations"]);

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isAddress = (record) => "hash" in record && "implementations" in record;
const isTags = (value) => isObject(value) && Array.isArray(value.tags);

/** Whether `address` is the documented name: of a holder, a state change or a user operation. */
const hasAddress = (record) => "is_miner" in record || "entry_point" in record || ("value" in record && "token_id" in record);

/** Returns the documented name of a field. */
function getDocumentedName(key, record) {
  if (key === "address" && hasAddress(record)) return key;
  if (key === "indexed" && "type" in record) return "indexed?";
  return RENAMED[key] ?? key;
}

/** Returns the value that the client must return for a sent value. */
function getExpectedValue(key, value) {
  if (value === "" && EMPTY_IS_NULL.has(key)) return null;
  if (typeof value === "string" && value.endsWith("Z") && /^timestamp$|_timestamp$/.test(key))
    return value.replace(/(\.\d*)?Z$/, (_, fraction = ".") => `${fraction.padEnd(7, "0")}Z`);
  if (typeof value === "number" && DECIMALS.test(key)) return String(value);
  if (NULL_IS_EMPTY.has(key) && value === null) return [];
  if (OBJECT_ONLY.has(key) && !isTags(value) && !isObject(value)) return null;
  return value;
}

/** Compares a returned value with the sent one. `path` is its place in the response, for messages. */
export function assertRecord(actual, sent, path) {
  if (Array.isArray(sent)) {
    assert.ok(Array.isArray(actual) && actual.length === sent.length, `${path}: ${sent.length} elements`);
    sent.forEach((element, i) => assertRecord(actual[i], element, `${path}[${i}]`));
  } else if (isObject(sent)) {
    assert.ok(isObject(actual), `${path}: an object`);
    assertMembers(actual, sent, path);
  } else assert.deepEqual(actual, sent, path);
}

function assertMembers(actual, sent, path) {
  const expected = new Set();
  for (const [key, value] of Object.entries(sent)) {
    const name = getDocumentedName(key, sent);
    if (UNDOCUMENTED.has(key)) {
      assert.equal(name in actual, false, `${path}.${key} is undocumented`);
      continue;
    }
    expected.add(name);
    const expectedValue = getExpectedValue(key, value);
    // Most of the millions of values are equal. For these, no path is composed.
    if (Object.is(actual[name], expectedValue)) continue;
    if (FREE_FORM.has(key) && !isTags(expectedValue)) assert.deepEqual(actual[name], expectedValue, `${path}.${name}`);
    else assertRecord(actual[name], expectedValue, `${path}.${name}`);
  }
  const derived = deriveFields(sent);
  for (const [name, value] of Object.entries(actual)) {
    if (expected.has(name)) continue;
    if (name in derived) assert.deepEqual(value, derived[name], `${path}.${name} is derived`);
    else
      assert.ok(
        value === null || (Array.isArray(value) && value.length === 0),
        `${path}.${name} was not sent, but is ${JSON.stringify(value)}`,
      );
  }
}

/** Returns the fields that are derived from others. */
function deriveFields(sent) {
  if (isAddress(sent) && sent.implementations.length > 0) {
    const [{ address_hash, name = null }] = sent.implementations;
    return { implementation_address: address_hash, implementation_name: name };
  }
  if (isTags(sent) && sent.tags.length > 0) return sent.tags[0];
  return {};
}
