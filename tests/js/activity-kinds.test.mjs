// The kinds of activities: equal to what the ledger of the sample service means each scripted transaction to be, for each address and
// in both orders.
//
// `make test-all` runs it with more ledgers: SEEDS=1000 node --test tests/js/activity-kinds.test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { ACTIVITY_RULES, activities, mergeHistories } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { getExpectedEvents } from "./history-model.mjs";
import { collect } from "./support.mjs";

const SEEDS = Number(process.env.SEEDS ?? 2);
const SCRIPTED = ["showcase", "treasury", "token", "collector"];
/** How many of the newest blocks are read of the addresses with long histories. */
const RECENT_BLOCKS = { hub: 2_000, deep: 20_000, producer: 1_000, distributor: 20_000, oversized: 20_000 };
/** The addresses whose lists respond with an error. */
const UNREADABLE = ["restricted", "overloaded"];

/** Lists the contracts that the service tags as a bridge. */
function listBridges(service) {
  const { hash } = service.addresses.find(({ id }) => id === "showcase");
  const records = service.getAllItems(`/addresses/${hash}/internal-transactions`);
  return records.filter(({ from }) => from.metadata?.tags.some(({ slug }) => slug === "bridge")).map(({ from }) => from.hash);
}

/** Reads the activities of an address. Only REST tags the bridge, so that an ascending history needs its address. */
async function read(service, address_hash, order, from) {
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch, maxPerSecond: 1000 });
  const bridges = order === "asc" ? listBridges(service) : [];
  return collect(activities(client, { address_hash, order, bridges, from }));
}

for (let seed = 1; seed <= SEEDS; seed++) {
  test(`the kinds are what the ledger means, seed ${seed}`, async () => {
    const service = createSampleService({ seed });
    for (const { id, hash } of service.addresses.filter(({ id }) => SCRIPTED.includes(id))) {
      const expected = service.getActivityKinds(hash);
      for (const order of ["asc", "desc"]) {
        const found = await read(service, hash, order);
        assert.equal(found.length, expected.size, `${id} ${order}`);
        for (const { transaction_hash, kind, rule, sent, received } of found) {
          const details = JSON.stringify({ id, order, transaction_hash, rule, sent, received });
          assert.equal(kind, expected.get(transaction_hash), details);
        }
      }
    }
  });
}

test("the showcase has a case of each kind, except rewards of blocks", () => {
  const service = createSampleService();
  const [{ hash }] = service.addresses;
  const kinds = new Set(ACTIVITY_RULES.map(({ kind }) => kind));
  kinds.delete("reward");
  assert.deepEqual(new Set(service.getActivityKinds(hash).values()), kinds);
});

test("what the showcase bridges from one chain arrives on the other, later and in full", async () => {
  const chains = [createSampleService(), createSampleService({ chainType: "optimism" })];
  const [{ hash: address_hash }] = chains[0].addresses;
  const accounts = chains.map(({ fetch }, i) => {
    const client = new AddressClient({ baseUrl: "https://sample.invalid", chainId: [1, 10][i], fetch, maxPerSecond: 1000 });
    return { client, address_hash };
  });
  const found = await collect(activities(mergeHistories(accounts)));
  for (const [i, service] of chains.entries()) {
    const own = found.filter(({ chain_id }) => chain_id === [1, 10][i]);
    assert.deepEqual(
      new Map(own.map(({ transaction_hash, kind }) => [transaction_hash, kind])),
      service.getActivityKinds(address_hash),
    );
  }
  const bridged = found.filter(({ kind }) => kind === "bridge").reverse();
  const listEnds = (legs) => bridged.filter((activity) => activity[legs].length === 1);
  const [sent, received] = [listEnds("sent"), listEnds("received")];
  assert.equal(sent.length + received.length, bridged.length);
  assert.deepEqual(
    received.map(({ chain_id, received: [{ amount }] }) => [chain_id, amount]),
    sent.map(({ chain_id, sent: [{ amount }] }) => [chain_id === 1 ? 10 : 1, amount]),
  );
  for (const [i, { timestamp }] of received.entries()) assert.ok(timestamp > sent[i].timestamp);
  assert.equal(new Set(sent.map(({ chain_id }) => chain_id)).size, 2);
});

test("the kinds of other addresses are what the ledger knows of them", async () => {
  const service = createSampleService();
  const [{ height }] = service.getAllItems("/blocks");
  const known = new Set();
  for (const { id, hash } of service.addresses.filter(({ id }) => ![...SCRIPTED, ...UNREADABLE].includes(id))) {
    const from = height - (RECENT_BLOCKS[id] ?? height);
    const kinds = service.getActivityKinds(hash);
    const keys = new Set(getExpectedEvents(service, hash, { from }).map(({ transaction_hash, key }) => transaction_hash ?? key));
    const expected = new Map([...kinds].filter(([key]) => keys.has(key)));
    for (const order of ["asc", "desc"]) {
      const found = (await read(service, hash, order, from)).filter(({ key }) => kinds.has(key));
      assert.deepEqual(new Map(found.map(({ key, kind }) => [key, kind])), expected, `${id} ${order}`);
      assert.equal(found.length, expected.size, `${id} ${order}`);
    }
    for (const kind of expected.values()) known.add(kind);
  }
  assert.deepEqual([...known].sort(), ["deploy", "failed", "receive", "reward", "send", "withdrawal"]);
});

test("a block reward and a withdrawal from the beacon chain are one activity each", async () => {
  const service = createSampleService();
  const { hash } = service.addresses.find(({ id }) => id === "producer");
  const events = service.getEvents(hash).filter(({ kind }) => kind === "withdrawal");
  const block = events.at(-1).block_number;
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch });
  const found = await collect(activities(client, { address_hash: hash, from: block, to: block }));
  const credits = found.filter(({ transaction_hash }) => transaction_hash === null);
  assert.deepEqual(
    new Set(credits.map(({ kind, rule }) => `${kind} ${rule}`)),
    new Set(["withdrawal beacon_withdrawal", "reward block_reward"]),
  );
  for (const { events, key, received } of credits) {
    assert.deepEqual(
      events.map(({ key }) => key),
      [key],
    );
    assert.deepEqual(received, [{ asset: events[0].asset, amount: events[0].amount }]);
  }
});
