// A scripted fetch, and the shortest list there is.
import assert from "node:assert/strict";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";

export const HASH = "0x00000000219ab540356cBB839Cbe05303d7705Fa";
export const BASE = "https://eth.blockscout.com";
export const WITHDRAWALS = `${BASE}/api/v2/addresses/${HASH}/withdrawals`;

/** A row of the withdrawals list. */
export const row = (index, more = {}) => ({ index, validator_index: 7, amount: "32000000000000000000", block_number: 5, timestamp: null, receiver: null, ...more });

/** The text of a page of withdrawals with these indices; `next` is the index in its cursor. */
export const page = (indices, next = null) =>
  JSON.stringify({ items: indices.map((index) => row(index)), next_page_params: next === null ? null : { index: next } });

/** A page of these rows, the last one. */
export const rows = (...items) => JSON.stringify({ items, next_page_params: null });

/**
 * A fetch that gives one answer after the other: a body, or a function that makes an answer of the request.
 * `fetch.requests` are those that were sent, `fetch.sent(n)` a promise of the n-th.
 */
export function scripted(...answers) {
  const requests = [];
  const awaited = [];
  const fetch = async (request) => {
    requests.push(request);
    awaited[requests.length - 1]?.resolve(request);
    assert.ok(answers.length > 0, `no answer is left for ${request.url}`);
    const answer = answers.shift();
    return typeof answer === "function" ? answer(request) : new Response(answer);
  };
  fetch.requests = requests;
  fetch.urls = () => requests.map(({ url }) => url);
  fetch.sent = (n) => (requests[n - 1] ? Promise.resolve(requests[n - 1]) : (awaited[n - 1] ??= deferred()).promise);
  return fetch;
}

export function deferred() {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
}

/** Never answers; rejects when the request is aborted, as the real fetch does. */
export const hang = ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

/** Never answers, whatever happens. */
export const deaf = () => new Promise(() => {});

/** Answers with the beginning of a body and then nothing. */
export const stall = (beginning = "{\"items\":[") => () =>
  new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode(beginning)) }));

/** Lets everything happen that needs no further input. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

export const withdrawals = (fetch, callOptions, clientOptions) =>
  new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1, ...clientOptions }).addressWithdrawals({ address_hash: HASH }, callOptions);

export const indices = (items) => items.map(({ index }) => index);

/** The AddressQueryError that a promise is rejected with. */
export async function failure(promise, code, details = {}) {
  const error = await Promise.resolve(promise).then(
    (value) => assert.fail(`was fulfilled with ${JSON.stringify(value)}`),
    (error) => error,
  );
  assert.ok(isAddressQueryError(error), `no AddressQueryError: ${error?.stack ?? String(error)}`);
  assert.equal(error.code, code, error.message);
  for (const [name, value] of Object.entries(details)) assert.equal(error[name], value, `${name} of ${error.message}`);
  return error;
}

/** Everything that an iterable gives. */
export async function collect(iterable) {
  const all = [];
  for await (const value of iterable) all.push(value);
  return all;
}
