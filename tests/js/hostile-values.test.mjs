// Unreadable values in non-essential fields: history, exports, approvals, lists and `watch` equal a run without them, except for
// these fields. Time is virtual.
//
// `make soak` runs it with more seeds: SEEDS=1000 node --test tests/js/hostile-values.test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { approvals } from "../../pkg/approvals/index.js";
import { history, toCsv, watch } from "../../pkg/history/index.js";
import { AddressClient, keyOf } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { VirtualTime } from "./virtual-time.mjs";

const SEEDS = Number(process.env.SEEDS ?? 2);
const ADDRESSES = ["quiet", "settlement", "proxy", "minter", "hostile", "producer"];
/** How many of the newest blocks are read. */
const BLOCKS = 2_000;

const warmUp = createSampleService();
await new AddressClient({ baseUrl: "https://sample.invalid", fetch: warmUp.fetch }).addresses();
const time = new VirtualTime();

/** The kinds of drift that were reported. */
const drift = new Set();

const createClient = (service, options) =>
  new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch, ...options });

/** The fields that identify an event, place it, and say what moved. */
const toEssence = ({ key, kind, block_number, transaction_hash, from, to, direction, amount, success, asset }) => ({
  ...{ key, kind, block_number, transaction_hash, from, to, direction, amount, success },
  token: asset.type === "native" ? null : [asset.contract, asset.token_id],
});

for (let seed = 0; seed < SEEDS; seed++) {
  test(`hostile values affect no other values, seed ${seed}`, async () => {
    const random = createRandom("hostile", seed);
    const options = { seed: 1 + (seed % 3), pageSize: random.pick([5, 13, 50]) };
    const faults = { seed, rate: 1, kinds: ["hostile_value"] };
    const [plain, hostile] = [createSampleService(options), createSampleService({ ...options, faults })];
    const id = random.pick(ADDRESSES);
    const address_hash = plain.addresses.find((address) => address.id === id).hash;
    const [{ height }] = plain.getAllItems("/blocks");
    const clients = [createClient(plain), createClient(hostile, { onDrift: (found) => drift.add(found.kind) })];
    const compare = async (read) => {
      const [expected, found] = [await time.run(read(clients[0], plain)), await time.run(read(clients[1], hostile))];
      assert.deepEqual(found, expected, `${id}, ${JSON.stringify(options)}`);
      return found;
    };

    for (const order of ["asc", "desc"]) {
      await compare(async (client) => {
        const call = history(client, { address_hash, order, from: height - BLOCKS });
        const events = [];
        for await (const event of call) events.push(toEssence(event));
        return { events, complete: call.report.complete };
      });
    }
    await compare(async (client) => {
      const events = history(client, { address_hash, from: height - BLOCKS });
      let lines = 0;
      for await (const text of toCsv(events, { columns: ["key", "amount"] }).pipeThrough(new TextDecoderStream()))
        lines += text.split("\n").length - 1;
      return lines;
    });
    await compare(async (client) => {
      const { items, complete } = await approvals(client, { address_hash, details: false });
      const simplify = (item) => [item.kind, item.token_hash, item.spender_hash, item.token_id, item.amount].join(" ");
      return { items: items.map(simplify).sort(), complete };
    });
    for (const method of ["addressTransactions", "addressTokenTransfers", "addressNft", "addressLogs", "addressTokens"]) {
      await compare(async (client) => {
        const records = await client[method]({ address_hash }).toArray({ limit: 200 });
        return { keys: records.map(keyOf), omitted: records.omitted.count };
      });
    }
  });
}

test("the values were unreadable", () => assert.ok(drift.has("unexpected_value"), [...drift].join()));

test("watch delivers the same events while values are hostile, and reports none as removed", async () => {
  for (let seed = 0; seed < Math.min(SEEDS, 20); seed++) {
    const faults = { seed, rate: 1, kinds: ["hostile_value"] };
    const [plain, hostile] = [createSampleService(), createSampleService({ faults })];
    const { hash } = plain.addresses.find(({ id }) => id === "deep");
    const [expected, found] = [await observe(plain, hash), await observe(hostile, hash)];
    assert.ok(expected.length > 0);
    assert.deepEqual(found, expected, `seed ${seed}`);
  }
});

/** Watches an address while the chain grows. Returns what was delivered. */
const observe = (service, address_hash) =>
  time.run(
    (async () => {
      const controller = new AbortController();
      const notices = [];
      const ended = (async () => {
        for await (const notice of watch(createClient(service), { address_hash, signal: controller.signal }))
          notices.push(notice);
      })();
      ended.catch(() => {});
      for (let round = 0; round < 8; round++) {
        await time.sleep(60_000);
        service.grow(2);
      }
      await time.sleep(180_000);
      controller.abort();
      return notices.map((notice) => (notice.kind === "removed" ? notice : toEssence(notice)));
    })(),
  );
