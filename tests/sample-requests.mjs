// Requests to the sample service in tests: parameters, cursors and whole lists.

import assert from "node:assert/strict";

/** Requests a path below /api/v2. `query` is an object, or a string to send as it is. */
export async function request(service, path, query = {}, init) {
  const search = typeof query === "string" ? query : new URLSearchParams(query);
  const response = await service.fetch(`https://any.example/prefix/api/v2${path}?${search}`, init);
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text), headers: response.headers };
}

/** Parses the cursor of a body into query parameters. Numbers are kept as strings, so that no digit is lost. */
export function parseCursor(body) {
  const json = /"next_page_params":(null|\{[^{}]*\})\}$/.exec(body)[1];
  if (json === "null") return null;
  const exact = json.replace(/:(-?\d+(?:E[+]\d+)?)([,}])/g, ':"$1"$2');
  return Object.fromEntries(Object.entries(JSON.parse(exact)).map(([name, value]) => [name, String(value)]));
}

/** Writes the fiat value of a cursor without an exponent: the service sends exponents, but does not accept them. */
export function expandFiatValue(cursor) {
  const [, digit, decimals = "", places] = /^(\d)(?:\.(\d+))?E-(\d+)$/.exec(cursor.fiat_value) ?? [];
  return places === undefined ? cursor : { ...cursor, fiat_value: `0.${"0".repeat(places - 1)}${digit}${decimals}` };
}

/** Reads a list by its cursors, from the first page to the last, or at most `maxPages` pages. */
export async function readAllPages(service, path, filters = {}, init, maxPages = Number.POSITIVE_INFINITY) {
  const pages = [];
  const cursors = [];
  for (let cursor = {}; cursor && pages.length < maxPages; ) {
    const { status, text, body } = await request(service, path, { ...filters, ...expandFiatValue(cursor) }, init);
    assert.equal(status, 200, text.slice(0, 300));
    pages.push(body.items);
    cursor = parseCursor(text);
    if (cursor) cursors.push(cursor);
    assert.ok(pages.length < 2000, "the list does not end");
  }
  return { pages, cursors, items: pages.flat() };
}

/** Like deepEqual, but fast for thousands of items; reports only the first difference. */
export function assertSameItems(actual, expected) {
  const difference = expected.findIndex((item, i) => JSON.stringify(item) !== JSON.stringify(actual[i]));
  if (difference >= 0) assert.deepEqual(actual[difference], expected[difference], `item ${difference}`);
  assert.equal(actual.length, expected.length);
}
