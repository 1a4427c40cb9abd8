// Which clients share a rate limit, in virtual time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { BASE, HASH, page } from "./support.mjs";
import { VirtualTime } from "./virtual-time.mjs";

const KEY = "proapi_s3cret";
const fetchPage = async () => new Response(page([1]));

// Loads the module.
await new AddressClient({ baseUrl: BASE, fetch: fetchPage }).addressWithdrawals({ address_hash: HASH });
const time = new VirtualTime();

/** Sends a request with each of these clients. Returns how long after the first request the others were sent, in milliseconds. */
async function measureDelays(clients) {
  const sent = [];
  const fetch = () => {
    sent.push(time.now);
    return fetchPage();
  };
  const send = (options, i) =>
    new AddressClient({ fetch, ...options }).addressWithdrawals({ address_hash: `0x${String(i + 1).repeat(40)}` });
  await time.run(Promise.all(clients.map(send)));
  const [first, ...others] = sent;
  return others.map((at) => at - first);
}

/** Sends two requests, each with a separate client, and returns the delay between them in milliseconds. */
async function measureDelay(...clients) {
  const [delay] = await measureDelays(clients.map((options) => ({ maxPerSecond: 1, ...options })));
  return delay;
}

test("a rate limit is shared by all clients of an instance", async () => {
  const [, third, fourth] = await measureDelays(Array(4).fill({ baseUrl: `${BASE}/other`, maxPerSecond: 3 }));
  assert.ok(third < 900 && fourth > 1000, `${third} ${fourth}`);
});

test("a rate limit is shared by the chains of one gateway and key", async () => {
  const [one, other] = [1, 10].map((id) => `https://gateway.example/${id}`);
  const apiKey = () => KEY;
  for (const clients of [
    [
      { baseUrl: one, apiKey: KEY },
      { baseUrl: other, apiKey: KEY },
    ],
    [
      { baseUrl: one, apiKey },
      { baseUrl: other, apiKey },
    ],
    [{ baseUrl: one }, { baseUrl: other }],
  ]) {
    const delay = await measureDelay(...clients);
    assert.ok(delay > 1000, String(delay));
  }
});

test("a rate limit is not shared by other origins, keys and ports", async () => {
  const baseUrl = "https://gateway.example/2";
  for (const [one, other] of [
    [{ apiKey: KEY }, { apiKey: `${KEY}2` }],
    [{ apiKey: KEY }, {}],
    [{ apiKey: () => KEY }, { apiKey: () => KEY }],
    [{}, { baseUrl: "https://other.example/1" }],
    [{}, { baseUrl: "https://gateway.example:8443/1" }],
  ]) {
    const delay = await measureDelay({ baseUrl, ...one }, { baseUrl, ...other });
    assert.equal(delay, 0);
  }
});
