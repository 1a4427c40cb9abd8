// Helpers of the tests: a fake `fetch` with given responses, and the list of withdrawals, whose records are short.
import assert from "node:assert/strict";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";

export const HASH = "0x00000000219ab540356cBB839Cbe05303d7705Fa";
export const BASE = "https://eth.blockscout.com";
export const WITHDRAWALS = `${BASE}/api/v2/addresses/${HASH}/withdrawals`;

/** A record of the list of withdrawals. */
export const row = (index, more = {}) => ({
  index,
  validator_index: 7,
  amount: "32000000000000000000",
  block_number: 5,
  timestamp: null,
  receiver: null,
  ...more,
});

/** The body of a page of withdrawals with these indices, as of version 11. `next` is the index in its cursor. */
export const page = (indices, next = null) =>
  JSON.stringify({
    items: indices.map((index) => row(index)),
    next_page_params: next === null ? null : { items_count: 50, index: next },
  });

/** The body of a last page with these rows. */
export const rows = (...items) => JSON.stringify({ items, next_page_params: null });

/**
 * Creates a `fetch` function that returns these responses in order. Each is a body, or a function that creates a response from the
 * request. `fetch.requests` are the requests that were sent, and `fetch.sent(n)` is a promise of the n-th.
 */
export function createFetch(...responses) {
  const requests = [];
  const waiters = [];
  const fetch = async (request) => {
    requests.push(request);
    waiters[requests.length - 1]?.resolve(request);
    assert.ok(responses.length > 0, `no response is left for ${request.url}`);
    const response = responses.shift();
    return typeof response === "function" ? response(request) : new Response(response);
  };
  fetch.requests = requests;
  fetch.urls = () => requests.map(({ url }) => url);
  fetch.sent = (n) => {
    if (requests[n - 1]) return Promise.resolve(requests[n - 1]);
    waiters[n - 1] ??= createDeferred();
    return waiters[n - 1].promise;
  };
  return fetch;
}

/** Calls a function in what looks like a page of https://app.example: requests can be relative. */
export async function inPage(use) {
  const { Request } = globalThis;
  globalThis.location = new URL("https://app.example/wallet/");
  globalThis.Request = class extends Request {
    constructor(url, init) {
      super(new URL(url, "https://app.example/wallet/"), init);
    }
  };
  try {
    return await use();
  } finally {
    globalThis.Request = Request;
    delete globalThis.location;
  }
}

/** Creates a client of a sample service. `edit` changes the JSON of a response, by its URL. */
export function createEditedClient(service, edit = null, options = {}) {
  const fetch = async (request) => {
    const response = await service.fetch(request);
    if (!response.ok || edit === null) return response;
    const body = JSON.parse(await response.text());
    edit(new URL(request.url), body);
    return new Response(JSON.stringify(body), { status: response.status, headers: response.headers });
  };
  return new AddressClient({ baseUrl: "https://sample.invalid", fetch, maxPerSecond: 1000, ...options });
}

/** Returns a sample service that serializes the response to a URL once. Its requests must not change it. */
export function cacheResponses(service) {
  const responses = new Map();
  const fetch = async (request, options) => {
    const { url = String(request), method = "GET" } = request;
    if (options !== undefined || method !== "GET") return service.fetch(request, options);
    if (!responses.has(url)) {
      const response = await service.fetch(url);
      responses.set(url, { status: response.status, headers: response.headers, body: await response.arrayBuffer() });
    }
    const { body, ...init } = responses.get(url);
    return new Response(body, init);
  };
  return { ...service, fetch };
}

/** Wraps a `fetch` function. `urls` has the URLs of its requests, and `mostInFlight` is the maximum number of concurrent requests. */
export function observeFetch(fetch) {
  let inFlight = 0;
  const observed = async (request) => {
    observed.urls.push(request.url);
    observed.mostInFlight = Math.max(observed.mostInFlight, ++inFlight);
    try {
      return await fetch(request);
    } finally {
      inFlight--;
    }
  };
  return Object.assign(observed, { urls: [], mostInFlight: 0 });
}

/** Creates `{ promise, resolve, reject }`. */
export function createDeferred() {
  const result = {};
  result.promise = new Promise((resolve, reject) => Object.assign(result, { resolve, reject }));
  return result;
}

/** Never responds. Rejects when the request is aborted, as the real `fetch` does. */
export const neverRespond = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

/** Never responds, not even when the request is aborted. */
export const ignoreAbort = () => new Promise(() => {});

/** Responds with the beginning of a body, which then stalls. */
export const stallBody =
  (beginning = '{"items":[') =>
  () =>
    new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode(beginning)) }));

/** Runs all pending tasks that need no further input. */
export const flushTasks = () => new Promise((resolve) => setImmediate(resolve));

export const listWithdrawals = (fetch, callOptions, clientOptions) =>
  new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1, ...clientOptions }).addressWithdrawals(
    { address_hash: HASH },
    callOptions,
  );

export const indices = (items) => items.map(({ index }) => index);

/** Returns the AddressQueryError that a promise is rejected with, after comparing its code and details. */
export async function expectError(promise, code, details = {}) {
  const error = await Promise.resolve(promise).then(
    (value) => assert.fail(`fulfilled with ${JSON.stringify(value)}`),
    (error) => error,
  );
  assert.ok(isAddressQueryError(error), `not an AddressQueryError: ${error?.stack ?? String(error)}`);
  assert.equal(error.code, code, error.message);
  for (const [name, value] of Object.entries(details)) assert.equal(error[name], value, `${name} of ${error.message}`);
  return error;
}

/** Collects all values of an async iterable. */
export async function collect(iterable) {
  const all = [];
  for await (const value of iterable) all.push(value);
  return all;
}
