// `activities`: the grouping of events, amounts, parties, options and errors. activities-random.test.mjs has the random cases, and
// activity-kinds.test.mjs the kinds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ACTIVITY_RULES, activities, history, mergeHistories } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { encodeToken } from "../../pkg/resume-token.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { cacheResponses, collect, expectError } from "./support.mjs";

const service = cacheResponses(createSampleService());
const findAddress = (id) => service.addresses.find((address) => address.id === id).hash;
const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch });
const IDS = ["showcase", "treasury", "collector", "quiet", "minter", "hostile"];
const showcase = findAddress("showcase");

const simplifyLegs = (legs) =>
  legs.map(({ asset, amount }) => [asset.type === "native" ? "" : `${asset.contract} ${asset.token_id}`, amount]);
const simplify = ({ key, sent, received, fee, counterparties }) => ({
  key,
  sent: simplifyLegs(sent),
  received: simplifyLegs(received),
  fee,
  counterparties: counterparties.map(({ hash }) => hash),
});

/** Adds up the changes of each asset. Undefined amounts make a sum NaN. */
function sumChanges(changes) {
  const sums = {};
  for (const [asset, amount] of changes) sums[asset] = (sums[asset] ?? 0n) + amount;
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0n));
}

const toName = (asset) => (asset.type === "native" ? "coin" : `${asset.contract} ${asset.token_id}`);

const summarize = ({ key, events }) => [key, events.length];
const withoutAccount = ({ transaction_hash, kind, rule, sent, received, fee, events }) => {
  return { transaction_hash, kind, rule, sent, received, fee, events: events.map(({ key }) => key) };
};

test("each event is in one activity, with the other events of its transaction", async () => {
  for (const id of IDS) {
    for (const order of ["asc", "desc"]) {
      const params = { address_hash: findAddress(id), order };
      const events = await collect(history(client, params));
      const found = await collect(activities(client, params));
      const transactions = new Set(events.map(({ transaction_hash, key }) => transaction_hash ?? key));
      assert.deepEqual(
        found.map(({ key }) => key),
        [...transactions],
        id,
      );
      const flat = found.flatMap((activity) => (order === "asc" ? activity.events : activity.events.toReversed()));
      assert.deepEqual(flat, events, id);
    }
  }
});

test("what activities sent, received and paid is the change of each balance", async () => {
  for (const id of IDS) {
    const params = { address_hash: findAddress(id), order: "asc" };
    const events = (await collect(history(client, params))).filter(({ amount }) => amount !== null);
    const known = new Set(events.map(({ asset }) => toName(asset)));
    const expected = sumChanges(
      events.flatMap(({ asset, amount, direction, fee, success }) => {
        const moved = success === false || direction === "self" ? 0n : BigInt(amount);
        return [
          [toName(asset), direction === "in" ? moved : -moved],
          ["coin", -BigInt(fee ?? 0)],
        ];
      }),
    );
    const found = await collect(activities(client, params));
    const actual = sumChanges(
      found.flatMap(({ sent, received, fee }) => [
        ...sent.filter(({ amount }) => amount !== null).map(({ asset, amount }) => [toName(asset), -BigInt(amount)]),
        ...received.filter(({ amount }) => amount !== null).map(({ asset, amount }) => [toName(asset), BigInt(amount)]),
        ["coin", -BigInt(fee ?? 0)],
      ]),
    );
    assert.ok(known.size > 0);
    assert.deepEqual(actual, expected, id);
  }
});

test("both orders give the same activities, in opposite order", async () => {
  for (const id of IDS) {
    const address_hash = findAddress(id);
    const oldestFirst = await collect(activities(client, { address_hash, order: "asc" }));
    const newestFirst = new Map(
      (await collect(activities(client, { address_hash }))).map((activity) => [activity.key, simplify(activity)]),
    );
    for (const activity of oldestFirst) {
      const other = newestFirst.get(activity.key);
      // The REST lists hide scam tokens.
      if (other) assert.deepEqual(simplify(activity), other, id);
    }
    assert.ok(newestFirst.size > 0);
  }
});

test("an activity of events is the same as an activity of a client", async () => {
  const params = { address_hash: showcase, order: "asc" };
  const [first] = await collect(activities(client, params));
  const call = activities(history(client, params));
  const [other] = await collect(call);
  assert.deepEqual({ ...other, sentence: null }, { ...first, sentence: null });
  assert.equal(call.report.complete, true);
});

test("a sentence names what moved and whom it went to, in parts", async () => {
  const found = await collect(activities(client, { address_hash: showcase }));
  const find = (rule) => found.find((activity) => activity.rule === rule);
  const swap = find("swap");
  const [party] = swap.counterparties;
  assert.equal(party.name, "TideRouter");
  assert.deepEqual(swap.sentence(), [
    { text: "Swapped " },
    { leg: swap.sent[0], more: 0 },
    { text: " for " },
    { leg: swap.received[0], more: 0 },
    { text: " at " },
    { party, more: 0 },
  ]);
  assert.deepEqual(swap.sentence({ swap: "{received} gekauft" }), [{ leg: swap.received[0], more: 0 }, { text: " gekauft" }]);
  assert.deepEqual(swap.sentence({ send: "Gesendet" }), swap.sentence());
  assert.deepEqual(find("call").sentence().slice(0, 3), [{ text: "Called " }, { method: "castVote" }, { text: " at " }]);
  const salaries = await collect(activities(client, { address_hash: findAddress("treasury") }));
  const paid = salaries.find(({ rule }) => rule === "send_by_other").sentence();
  assert.equal(paid[1].leg.asset.symbol, "SUSD");
  assert.equal(paid[3].more, 4);
});

test("an activity whose events are all excluded is left out", async () => {
  const all = await collect(activities(client, { address_hash: showcase }));
  const marked = all.filter(({ marks }) => marks.length > 0);
  assert.ok(marked.length > 0);
  const exclude = ["lookalike_address", "zero_value", "scam_token"];
  const rest = await collect(activities(client, { address_hash: showcase, exclude }));
  assert.deepEqual(
    rest.map(({ key }) => key),
    all.filter(({ kind }) => kind !== "spam").map(({ key }) => key),
  );
});

test("a token continues after the last delivered activity", async () => {
  const params = { address_hash: showcase, order: "asc" };
  const all = await collect(activities(client, params));
  const read = [];
  let resume;
  for (let calls = 0; calls < all.length; calls++) {
    const call = activities(client, { ...params, resume });
    let count = 0;
    for await (const activity of call) {
      read.push(activity);
      if (++count === 40) break;
    }
    resume = call.resumeToken;
    if (count < 40) break;
  }
  assert.equal(resume, null);
  assert.deepEqual(read.map(summarize), all.map(summarize));
});

test("a signal that aborts between two activities loses none", async () => {
  const params = { address_hash: findAddress("treasury"), order: "asc" };
  const all = await collect(activities(client, params));
  const controller = new AbortController();
  const call = activities(client, { ...params, signal: controller.signal });
  const read = [];
  const aborted = async () => {
    for await (const activity of call) {
      read.push(activity);
      if (read.length === 5) controller.abort("enough");
    }
  };
  const { resumeToken } = await expectError(aborted(), "aborted", { cause: "enough" });
  assert.equal(call.resumeToken, resumeToken);
  const rest = await collect(activities(client, { ...params, resume: resumeToken }));
  assert.deepEqual([...read, ...rest].map(summarize), all.map(summarize));
});

test("a growing list of activities continues where it was", async () => {
  const params = { address_hash: findAddress("collector") };
  const all = await collect(activities(client, params));
  const call = activities(client, params);
  const read = [];
  for (;;) {
    const more = await call.more(30);
    read.push(...more);
    if (more.length < 30) break;
  }
  assert.deepEqual(read.map(summarize), all.map(summarize));
  assert.deepEqual(await call.more(30), []);
});

test("a merged history has the activities of each account", async () => {
  const ids = ["showcase", "collector", "treasury"];
  const accounts = ids.map((id) => ({ client, address_hash: findAddress(id) }));
  for (const order of ["asc", "desc"]) {
    const found = await collect(activities(mergeHistories(accounts, { order })));
    const keys = found.map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length);
    for (const { client, address_hash } of accounts) {
      const own = await collect(activities(client, { address_hash, order }));
      const merged = found.filter(({ account }) => account === address_hash.toLowerCase());
      assert.deepEqual(merged.map(withoutAccount), own.map(withoutAccount));
    }
  }
});

test("a token whose block was replaced continues with a whole transaction", async () => {
  const params = { address_hash: showcase, order: "asc" };
  const all = await collect(activities(client, params));
  const [swap] = all.filter(({ events }) => events.length === 3);
  const call = history(client, params);
  for await (const { key } of call) if (key === swap.events[0].key) break;
  const [, , request, , text] = call.resumeToken.split(".");
  const position = JSON.parse(decodeURIComponent(text));
  const resume = encodeToken("history", request, { ...position, key: "transaction:0x00" });
  const [first] = await collect(activities(client, { ...params, resume }));
  assert.deepEqual(summarize(first), summarize(swap));
});

test("invalid parameters reject the iteration", async () => {
  const params = { address_hash: showcase };
  const reject = (call, parameter) => expectError(collect(call), "invalid_parameter", { parameter });
  await reject(activities(client, { ...params, include: ["transaction"] }), "include");
  await reject(activities(client, { ...params, exclude: ["spam"] }), "exclude");
  await reject(activities(client, { ...params, bridges: ["0x12"] }), "bridges");
  await reject(activities(client, { ...params, limit: 3 }), "limit");
  await reject(activities(client), "address_hash");
  await reject(activities(undefined, params), "client");
  await reject(activities(history(client, params), { order: "asc" }), "order");
});

test("the guide has the table of the rules", () => {
  const page = readFileSync(new URL("../../www/guide/pages/activities.md", import.meta.url), "utf8");
  const rows = page.matchAll(/^\| `(\w+)` \| `(\w+)` \| (.+) \| (.+) \|$/gm);
  const documented = [...rows].map(([, id, kind, when, sentence]) => {
    return { id, kind, when: when === "always" ? "" : when.slice(1, -1), sentence };
  });
  assert.deepEqual(documented, [...ACTIVITY_RULES]);
  assert.equal(new Set(documented.map(({ id }) => id)).size, documented.length);
  assert.equal(documented.at(-1).when, "");
});
