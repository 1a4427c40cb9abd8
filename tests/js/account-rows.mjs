// Helpers of the account module's tests: a client of the sample service that records its requests, and a comparison of rows.
import assert from "node:assert/strict";
import { AddressClient } from "../../pkg/index.js";
import { BASE, observeFetch } from "./support.mjs";

/** Fields in which an empty string is a value rather than "unknown". */
const FREE_TEXT = new Set(["callType", "errCode", "functionName", "name", "symbol", "tokenName", "tokenSymbol"]);

/** Returns the account module of a client of this service, and the URLs of its requests. `fetch` can replace the service's. */
export function createAccount(service, { fetch = service.fetch, ...options } = {}) {
  const observed = observeFetch(fetch);
  const client = new AddressClient({ baseUrl: BASE, fetch: observed, maxAttempts: 1, ...options });
  return { account: client.account, urls: observed.urls };
}

/** Returns a function that finds a sample address by its label. */
export const createAddressFinder = (service) => (label) => service.addresses.find((address) => address.label === label).hash;

/** Returns the value that the client must return for a sent one: null for unknown values, and for calls without a function. */
const getExpectedValue = (name, value) =>
  (value === "" && !FREE_TEXT.has(name)) || (name === "methodId" && value === "0x") ? null : value;

/** A field that not every service version sends. */
const isFeeOmitted = (sent) => "txreceipt_status" in sent && !("L1FeesPaid" in sent);

/** Returns the row that the client must return for a sent one. */
function getExpectedRow(sent) {
  const expected = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, getExpectedValue(name, value)]));
  return isFeeOmitted(sent) ? { L1FeesPaid: null, ...expected } : expected;
}

/** Compares a row with the expected one without creating it: tests compare a million rows. */
function isExpectedRow(row, sent) {
  const [names, isOmitted] = [Object.keys(sent), isFeeOmitted(sent)];
  if (Object.keys(row).length !== names.length + Number(isOmitted)) return false;
  if (isOmitted && row.L1FeesPaid !== null) return false;
  return names.every((name) => row[name] === getExpectedValue(name, sent[name]));
}

/** Compares all rows, in order. Only a row that differs is compared with deepEqual, which is slow. */
export function assertRows(rows, sent) {
  for (const [i, row] of rows.entries()) {
    const sentRow = sent[i] ?? {};
    if (!isExpectedRow(row, sentRow)) assert.deepEqual(row, getExpectedRow(sentRow), `row ${i}`);
  }
  assert.equal(rows.length, sent.length);
}
