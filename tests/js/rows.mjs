// The sample service's account module: a client of it that notes what is sent, and what is to be made of a row.
import assert from "node:assert/strict";
import { AddressClient } from "../../pkg/index.js";
import { BASE } from "./support.mjs";

/** Texts of others: an empty one is a text, not something unknown. */
const TEXTS = new Set(["callType", "errCode", "functionName", "name", "symbol", "tokenName", "tokenSymbol"]);

/** The account module of a client of this service, and the URLs of its requests. `fetch` may stand in between. */
export function accountOf(service, { fetch = service.fetch, ...options } = {}) {
  const urls = [];
  const noted = (request) => {
    urls.push(request.url);
    return fetch(request);
  };
  return { account: new AddressClient({ baseUrl: BASE, fetch: noted, maxAttempts: 1, ...options }).account, urls };
}

export const addressesOf = (service) => (label) => service.addresses.find((address) => address.label === label).hash;

/** What is given out for a row that was sent: null where a value is not known, and where no function was called. */
function rowOf(sent) {
  const isNull = (name, value) => (value === "" && !TEXTS.has(name)) || (name === "methodId" && value === "0x");
  const given = ([name, value]) => [name, isNull(name, value) ? null : value];
  return Object.fromEntries(Object.entries(sent).map(given));
}

/** All rows, in order. (deepEqual takes long for thousands, so it is asked only about the first that differs.) */
export function assertRows(rows, sent) {
  const isSame = (row, wanted) => {
    const names = Object.keys(wanted);
    return Object.keys(row).length === names.length && names.every((name) => row[name] === wanted[name]);
  };
  for (const [i, row] of rows.entries()) {
    const wanted = rowOf(sent[i] ?? {});
    if (!isSame(row, wanted)) assert.deepEqual(row, wanted, `row ${i}`);
  }
  assert.equal(rows.length, sent.length);
}
