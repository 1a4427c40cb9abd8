// `activitySpan`: the first and the last activity of an address in at most 12 requests.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { activitySpan } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { getExpectedEvents } from "./history-model.mjs";
import { createEditedClient, expectError, HASH } from "./support.mjs";

const MAX_REQUESTS = 12;
const IDS = ["showcase", "treasury", "collector", "hub", "quiet", "minter", "hostile", "producer", "whale", "empty"];

const { addresses } = createSampleService();
const find = (id) => addresses.find((address) => address.id === id).hash;

function createClient(fetch) {
  return new AddressClient({ baseUrl: "https://sample.invalid", maxPerSecond: 1000, fetch });
}

/** Creates a client of a service that refuses the requests whose URL contains a string. */
function createRefusingClient(part, status) {
  const service = createSampleService();
  return createClient(async (request) =>
    request.url.includes(part) ? new Response('{"message":"Forbidden"}', { status }) : service.fetch(request),
  );
}

const findSource = ({ sources }, kind) => sources.find((source) => source.kind === kind);

describe("the first and the last event of an address are the ends of its ledger, in at most 12 requests", () => {
  for (const backendVersion of [8, 9, 11, 12]) {
    test(`version ${backendVersion}`, async () => {
      const service = createSampleService({ backendVersion });
      let complete = 0;
      for (const id of IDS) {
        const hash = find(id);
        let requests = 0;
        const client = createClient((request) => {
          requests += 1;
          return service.fetch(request);
        });
        const span = await activitySpan(client, { address_hash: hash });
        assert.ok(requests <= MAX_REQUESTS, `${id}: ${requests} requests`);
        assert.equal(
          span.complete,
          span.sources.every(({ reasons }) => reasons.length === 0),
        );
        const events = getExpectedEvents(service, hash);
        for (const [found, expected, isKnown] of [
          [span.first, events[0], span.complete],
          [span.last, events.at(-1), true],
        ]) {
          const title = `${id}: ${JSON.stringify([found, expected?.key])}`;
          if (isKnown) assert.equal(found?.block_number, expected?.block_number, title);
          if (found === null) continue;
          const isSame = ({ kind, timestamp, transaction_hash }) =>
            kind === found.source && timestamp === found.timestamp && transaction_hash === found.transaction_hash;
          assert.ok(events.some(isSame), title);
        }
        complete += Number(span.complete);
      }
      assert.ok(complete >= 3, `${complete} spans are complete`);
    });
  }
});

test("a list that has only its newest records at hand is named, and its start is not claimed", async () => {
  const client = createClient(createSampleService().fetch);
  const span = await activitySpan(client, { address_hash: find("producer") });
  assert.equal(span.complete, false);
  assert.deepEqual(findSource(span, "block_reward").reasons, ["addressBlocksValidated: the first block_reward is not known"]);
  assert.deepEqual(findSource(span, "transaction").reasons, []);
});

test("an address without activity has neither a first nor a last event", async () => {
  const span = await activitySpan(createClient(createSampleService().fetch), { address_hash: find("empty") });
  assert.deepEqual([span.first, span.last, span.complete], [null, null, true]);
});

test("without the account interface, only lists of one page have a known start", async () => {
  const span = await activitySpan(createRefusingClient("module=account", 403), { address_hash: find("hub") });
  assert.equal(span.complete, false);
  const { first, last, reasons } = findSource(span, "transaction");
  assert.match(reasons.join(), /^txList: .*403/);
  assert.ok(first.block_number < last.block_number);
  const quiet = await activitySpan(createRefusingClient("module=account", 403), { address_hash: find("quiet") });
  assert.deepEqual(findSource(quiet, "token_transfer").reasons, []);
});

test("an optional list that the instance refuses is named, and a required one fails", async () => {
  const address_hash = find("quiet");
  const span = await activitySpan(createRefusingClient("/withdrawals", 404), { address_hash });
  assert.match(findSource(span, "withdrawal").reasons.join(), /^addressWithdrawals: .*404/);
  await expectError(activitySpan(createRefusingClient("/transactions", 404), { address_hash }), "http_status");
});

test("what the instance has not indexed is not claimed", async () => {
  const client = createEditedClient(createSampleService(), (url, body) => {
    if (url.pathname.endsWith("/indexing-status")) Object.assign(body, { finished_indexing_blocks: false });
  });
  const span = await activitySpan(client, { address_hash: find("quiet") });
  assert.equal(span.complete, false);
  for (const { reasons } of span.sources) assert.match(reasons.at(-1), /not state that it has indexed/);
});

test("a page of pending transactions is not taken for inactivity", async () => {
  const client = createEditedClient(createSampleService(), (url, { items }) => {
    if (!url.pathname.endsWith("/transactions")) return;
    for (const item of items) Object.assign(item, { block_number: null, timestamp: null });
  });
  const { reasons } = findSource(await activitySpan(client, { address_hash: find("hub") }), "transaction");
  assert.deepEqual(reasons, ["addressTransactions: its newest page has only pending records"]);
});

test("invalid parameters and an abort reject", async () => {
  const client = createClient(createSampleService().fetch);
  await expectError(activitySpan(client, { address_hash: "0x1" }), "invalid_parameter", { parameter: "address_hash" });
  await expectError(activitySpan(client, { address_hash: HASH, order: "asc" }), "invalid_parameter", { parameter: "order" });
  const signal = AbortSignal.abort();
  await expectError(activitySpan(client, { address_hash: HASH, signal }), "aborted");
});
