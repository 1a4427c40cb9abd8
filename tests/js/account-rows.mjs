// Helpers of the account module's tests: a client of the sample service that records its requests, and a comparison of rows.
import assert from "node:assert/strict";
import { AddressClient } from "../../pkg/index.js";
import { BASE } from "./support.mjs";

/** Fields in which an empty string is a value rather than "unknown". */
const FREE_TEXT = new Set(["callType", "errCode", "functionName", "name", "symbol", "tokenName", "tokenSymbol"]);

/** Returns the account module of a client of this service, and the URLs of its requests. `fetch` can replace the service's. */
export function createAccount(service, { fetch = service.fetch, ...options } = {}) {
  const urls = [];
  const recordAndFetch = (request) => {
    urls.push(request.url);
    return fetch(request);
  };
  return { account: new AddressClient({ baseUrl: BASE, fetch: recordAndFetch, maxAttempts: 1, ...options }).account, urls };
}

/** Returns a function that finds a sample address by its label. */
export const createAddressFinder = (service) => (label) => service.addresses.find((address) => address.label === label).hash;

/** Returns the row that the client must return for a sent one: null for unknown values, and for calls without a function. */
function getExpectedRow(sent) {
  const isNull = (name, value) => (value === "" && !FREE_TEXT.has(name)) || (name === "methodId" && value === "0x");
  const convert = ([name, value]) => [name, isNull(name, value) ? null : value];
  // Not every service version sends it.
  const optional = "txreceipt_status" in sent ? { L1FeesPaid: null } : {};
  return { ...optional, ...Object.fromEntries(Object.entries(sent).map(convert)) };
}

/** Compares all rows, in order. Only a row that differs is compared with deepEqual, which is slow. */
export function assertRows(rows, sent) {
  const isSame = (row, expected) => {
    const names = Object.keys(expected);
    return Object.keys(row).length === names.length && names.every((name) => row[name] === expected[name]);
  };
  for (const [i, row] of rows.entries()) {
    const expected = getExpectedRow(sent[i] ?? {});
    if (!isSame(row, expected)) assert.deepEqual(row, expected, `row ${i}`);
  }
  assert.equal(rows.length, sent.length);
}
