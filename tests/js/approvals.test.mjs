// `approvals` agrees with the ledger of the sample service, whichever requests fail. Time is virtual.
import assert from "node:assert/strict";
import { test } from "node:test";
import { approvals } from "../../pkg/approvals/index.js";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { createSampleGateway, createSampleService } from "../../pkg/testing/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { TRANSIENT_FAULTS } from "./faults.mjs";
import { replacePosition } from "./resume-tokens.mjs";
import { createEditedClient, expectError, observeFetch } from "./support.mjs";
import { VirtualTime } from "./virtual-time.mjs";

/** The service fails for every request about this address. */
const FAILING = "overloaded";

const warmUp = createSampleService();
await new AddressClient({ baseUrl: "https://sample.invalid", fetch: warmUp.fetch }).addresses();
const time = new VirtualTime();

const createClient = (service, options) =>
  new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch, ...options });

/** The fields that identify an approval, and its amount. */
const simplify = ({ kind, token_hash, spender_hash, token_id, amount, source }) =>
  [kind, token_hash, spender_hash, token_id, amount, source].join(" ");

/** The approvals of the ledger in the same form. */
function getExpected(service, hash, current) {
  const isAmount = (kind) => kind === "allowance" || kind === "permit2";
  return service.getApprovals(hash).flatMap(({ kind, token, spender, token_id, amount, remaining }) => {
    const units = current ? (remaining ?? amount) : amount;
    const source = current && remaining !== null ? "chain" : "event";
    const approval = { kind, token_hash: token, spender_hash: spender, token_id, amount: isAmount(kind) ? units : null, source };
    return units === "0" ? [] : [simplify(approval)];
  });
}

const sort = (items) => [...items].sort();

test("approvals equal the ledger for every sample address, based on events and on the chain", async () => {
  for (const seed of [1, 2]) {
    const service = createSampleService({ seed });
    const client = createClient(service);
    let found = 0;
    for (const { id, hash } of service.addresses.filter(({ id }) => id !== FAILING)) {
      for (const current of [false, true]) {
        const result = await time.run(approvals(client, { address_hash: hash, current, details: false }));
        assert.deepEqual(sort(result.items.map(simplify)), sort(getExpected(service, hash, current)), `${id}, seed ${seed}`);
        assert.equal(result.allowances, current ? "chain" : "event");
        assert.equal(result.complete, true);
        found += result.items.length;
      }
    }
    assert.ok(found > 500, "there are approvals of all kinds");
  }
});

test("approvals equal the ledger despite faults, resumed at random", async (context) => {
  const kinds = new Set();
  for (let seed = 0; seed < Number(process.env.SEEDS ?? 8); seed++) {
    const random = createRandom("approvals", seed);
    const service = createSampleService({ seed: 1 + (seed % 3), faults: { seed, rate: 0.3, kinds: TRANSIENT_FAULTS } });
    const addresses = service.addresses.filter(({ id }) => ["hub", "quiet", "hostile", "proxy", "producer"].includes(id));
    const { id, hash } = seed % 4 === 0 ? addresses[0] : random.pick(addresses);
    const current = id !== "hub" || seed === 0;
    const client = createClient(service, { maxAttempts: random.pick([1, 2]), timeoutMs: 5_000 });
    const expected = getExpected(service, hash, current);
    let [resume, failures] = [undefined, 0];
    let result;
    while (!result) {
      const controller = new AbortController();
      const lives = random.nextBoolean(0.3) ? 1 + random.nextInt(4) : Number.POSITIVE_INFINITY;
      let calls = 0;
      const onProgress = () => {
        if (++calls >= lives) controller.abort("at random");
      };
      const params = { address_hash: hash, current, details: false, resume, onProgress, signal: controller.signal };
      result = await time.run(approvals(client, params)).catch((error) => {
        assert.ok(isAddressQueryError(error), error.stack);
        assert.ok(++failures < 1500, error.stack);
        kinds.add(error.code);
        resume = error.resumeToken ?? resume;
      });
    }
    context.diagnostic(`${id}: ${result.items.length} approvals after ${failures} failures`);
    assert.deepEqual(sort(result.items.map(simplify)), sort(expected), `${id}, seed ${seed}`);
  }
  assert.ok(kinds.has("aborted") && kinds.size > 2, [...kinds].join());
});

test("each approval has a copy of its token and spender", async () => {
  const service = createSampleService();
  const { hash } = service.addresses.find(({ id }) => id === "hostile");
  const { items } = await time.run(approvals(createClient(service), { address_hash: hash }));
  for (const member of ["token", "spender"]) {
    const records = items.flatMap((item) => item[member] ?? []);
    assert.ok(new Set(records.map((record) => JSON.stringify(record))).size < records.length, "some are equal");
    assert.equal(new Set(records).size, records.length);
  }
});

test("more events than fit in one response are read", async () => {
  const service = createSampleService();
  const fetch = observeFetch(service.fetch);
  const { urls } = fetch;
  const client = createClient({ fetch });
  const { events, block } = await time.run(
    approvals(client, { address_hash: service.addresses.find(({ id }) => id === "hub").hash, details: false }),
  );
  assert.equal(events, 1900);
  const windows = urls.filter((url) => url.includes("topic0=0x8c5be1"));
  assert.ok(windows.length > 1, "more than 1,000 of one kind");
  assert.ok(windows.every((url) => url.includes(`toBlock=${block}`)));
});

test("without eth_call, the result is based on events and says so", async () => {
  for (const backendVersion of [8, 12]) {
    const service = createSampleService({ backendVersion, hasEthCall: false });
    const { hash } = service.addresses.find(({ id }) => id === "hostile");
    const result = await time.run(approvals(createClient(service), { address_hash: hash, current: true, details: false }));
    assert.equal(result.allowances, "unavailable");
    assert.deepEqual(sort(result.items.map(simplify)), sort(getExpected(service, hash, false)));
  }
  const service = createSampleService();
  const { hash } = service.addresses.find(({ id }) => id === "hub");
  const fetch = (request) => (request.method === "POST" ? new Response("Not found", { status: 404 }) : service.fetch(request));
  const result = await time.run(approvals(createClient({ fetch }), { address_hash: hash, current: true, details: false }));
  assert.equal(result.allowances, "unavailable");
});

test("a contract's error that looks like a service error does not end the check", async () => {
  const service = createSampleService();
  const { hash } = service.addresses.find(({ id }) => id === "hostile");
  const expected = await time.run(approvals(createClient(service), { address_hash: hash, current: true, details: false }));
  let replaced = 0;
  const fetch = async (request) => {
    const response = await service.fetch(request);
    if (request.method !== "POST") return response;
    const [first, ...others] = await response.json();
    replaced += 1;
    const error = { code: 3, message: "execution reverted: Method not found." };
    return Response.json([{ jsonrpc: "2.0", id: first.id, error }, ...others]);
  };
  const result = await time.run(approvals(createClient({ fetch }), { address_hash: hash, current: true, details: false }));
  assert.ok(replaced > 5);
  assert.equal(result.allowances, "chain");
  const count = ({ items }) => items.filter(({ source }) => source === "chain").length;
  assert.ok(count(result) >= count(expected) - replaced && count(result) > 0);
});

test("approvals without a value at risk are in the order of their events, newest first", async () => {
  const service = createSampleService();
  const { hash } = service.addresses.find(({ label }) => label === "Busy smart account");
  const { items } = await time.run(approvals(createClient(service), { address_hash: hash, details: false }));
  const positions = items.map(({ event }) => event.block_number * 10_000 + event.log_index);
  assert.ok(new Set(items.map(({ kind }) => kind)).size > 2);
  assert.deepEqual(
    positions,
    positions.toSorted((a, b) => b - a),
  );
});

test("calls without a contract are rejected before the first batch is sent", async () => {
  const client = createClient({ fetch: () => assert.fail("a request was sent") });
  const to = Array(7).fill(`0x${"11".repeat(20)}`);
  await expectError(client.rpc.ethCall({ to, data: to.slice(0, 5).map(() => "0x") }), "invalid_parameter");
  await expectError(client.rpc.ethCall({ to: [], data: [] }), "invalid_parameter");
});

test("through the gateway, calls are sent in batches of five", async () => {
  const service = createSampleService();
  const gateway = createSampleGateway({ chains: { 1: service }, keys: { proapi_sample: {} } });
  const batches = [];
  const fetch = async (request) => {
    if (request.method === "POST") batches.push([new URL(request.url).pathname, JSON.parse(await request.clone().text()).length]);
    return gateway.fetch(request);
  };
  const client = new AddressClient({ chainId: 1, apiKey: "proapi_sample", fetch });
  const { hash } = service.addresses.find(({ id }) => id === "hostile");
  const { allowances } = await time.run(approvals(client, { address_hash: hash, current: true, details: false }));
  assert.equal(allowances, "chain");
  assert.ok(batches.length > 5 && batches.every(([path, calls]) => path === "/1/json-rpc" && calls <= 5));
});

test("spenders, tokens and balances are looked up, and the value at risk is the lesser of amount and balance", async () => {
  const service = createSampleService();
  const { hash } = service.addresses.find(({ id }) => id === "quiet");
  const stages = new Map();
  const onProgress = ({ stage, fraction }) => {
    assert.ok(fraction >= (stages.get(stage) ?? 0) && fraction <= 1, `${stage} ${fraction}`);
    stages.set(stage, fraction);
  };
  const { items } = await time.run(approvals(createClient(service), { address_hash: hash, current: true, onProgress }));
  assert.deepEqual([...stages.keys()], ["events", "allowances", "details"]);
  assert.deepEqual([...stages.values()], [1, 1, 1]);
  const valued = items.filter(({ valueAtRisk }) => valueAtRisk !== null);
  assert.ok(valued.length > 0);
  for (const { amount, balance, token, spender, spender_hash, valueAtRisk } of valued) {
    const units = BigInt(amount) < BigInt(balance) ? amount : balance;
    const value = (Number(units) / 10 ** Number(token.decimals)) * Number(token.exchange_rate);
    assert.ok(Math.abs(value - Number(valueAtRisk)) <= value * 1e-9, `${value} ${valueAtRisk}`);
    assert.equal(spender.hash.toLowerCase(), spender_hash);
  }
  const values = items.map(({ valueAtRisk }) => Number(valueAtRisk ?? -1));
  assert.deepEqual(
    values,
    [...values].sort((a, b) => b - a),
  );
});

const word = (hex) => hex.replace(/^0x/, "").padStart(64, "0");
const APPROVAL = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
const APPROVAL_FOR_ALL = "0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31";
const PERMIT2_LOCKDOWN = "0x89b1add15eff56b3dfe299ad94e01f2b52fbcb80ae1a3baea6ae8c04cb2b98a4";
const PERMIT2_APPROVAL = "0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b";
const PERMIT2 = "0x000000000022d473030f116ddee9f6b43ac78ba3";
const [OWNER, TOKEN, SPENDER, OTHER] = ["11", "22", "33", "44"].map((byte) => `0x${byte.repeat(20)}`);
const TIMES = { gasPrice: "0x1", gasUsed: "0x1", timeStamp: "0x68000000", transactionIndex: "0x" };

/** Returns the approvals that follow from these logs. */
async function approve(logs, params) {
  const edit = (url, body) => {
    if (url.searchParams.get("action") !== "getLogs") return;
    const topic0 = url.searchParams.get("topic0");
    const isOf = ({ topics, address }) => (topic0 ? topics[0] === topic0 : address === PERMIT2);
    const range = ["fromBlock", "toBlock"].map((name) => Number(url.searchParams.get(name)));
    const isIn = ({ blockNumber }) => Number(blockNumber) >= range[0] && Number(blockNumber) <= range[1];
    body.result = logs.filter((log) => isOf(log) && isIn(log));
  };
  const client = createEditedClient(warmUp, edit);
  return time.run(approvals(client, { address_hash: OWNER, details: false, ...params }));
}

/** A log of an ERC-20 approval, of an amount of 5 unless it is changed. */
const log = (more, block = 100, index = 0) => ({
  address: TOKEN,
  topics: [APPROVAL, `0x${word(OWNER)}`, `0x${word(SPENDER)}`, null],
  data: `0x${word("5")}`,
  blockNumber: `0x${block.toString(16)}`,
  logIndex: `0x${index.toString(16)}`,
  transactionHash: `0x${word(index.toString(16))}`,
  ...TIMES,
  ...more,
});

test("malformed and foreign events approve nothing", async () => {
  const owner = `0x${word(OWNER)}`;
  const dirty = `0x${"ff".repeat(12)}${SPENDER.slice(2)}`;
  const hostile = [
    { topics: [APPROVAL, `0x${word(OTHER)}`, `0x${word(SPENDER)}`, null] },
    { topics: [APPROVAL, dirty.replaceAll("33", "11"), `0x${word(SPENDER)}`, null] },
    { topics: [APPROVAL, owner, dirty, null] },
    { topics: [APPROVAL, owner, "0x", null] },
    { topics: [APPROVAL, owner, null, null] },
    { topics: [APPROVAL, owner, `0x${SPENDER.slice(2)}`, null] },
    { topics: [] },
    { topics: [APPROVAL, owner, `0x${word(SPENDER)}`, `0x${word("7")}`] },
    { data: "0x" },
    { data: null },
    { data: "0x05" },
    { data: `0x${word("5")}00` },
    { data: `0x${word("5")}${word("5")}` },
    { topics: [APPROVAL_FOR_ALL, owner, dirty, null] },
    { topics: [PERMIT2_APPROVAL, owner, `0x${word(TOKEN)}`, `0x${word(SPENDER)}`], data: `0x${word("5")}${word("ffffffffff")}` },
    {
      address: PERMIT2,
      topics: [PERMIT2_APPROVAL, owner, dirty, `0x${word(SPENDER)}`],
      data: `0x${word("5")}${word("ffffffffff")}`,
    },
    { address: PERMIT2, topics: [`0x${word("9")}`, owner, `0x${word(TOKEN)}`, `0x${word(SPENDER)}`], data: `0x${word("5")}` },
  ];
  for (const more of hostile) {
    const { items, complete } = await approve([log(more)]);
    assert.deepEqual(items, [], JSON.stringify(more));
    assert.equal(complete, true);
  }
  const { items } = await approve([log({})]);
  assert.equal(items.length, 1, "the same log without a fault approves");
});

test("equal events count once, and the last one of a block decides", async () => {
  const twice = await approve([log({}), log({})]);
  assert.deepEqual(
    twice.items.map(({ amount }) => amount),
    ["5"],
  );
  const unordered = await approve([log({ data: `0x${word("0")}` }, 100, 9), log({}, 100, 3)]);
  assert.deepEqual(unordered.items, []);
});

test("an approval of the zero address or of zero ends the previous one", async () => {
  const nft = (spender) => ({ topics: [APPROVAL, `0x${word(OWNER)}`, `0x${word(spender)}`, `0x${word("7")}`], data: "0x" });
  const [{ items: given }, { items: taken }] = [
    await approve([log(nft(SPENDER))]),
    await approve([log(nft(SPENDER)), log(nft("0x0"), 101)]),
  ];
  assert.deepEqual([given.map(({ kind, token_id }) => [kind, token_id]), taken], [[["token", "7"]], []]);
  const operator = (flag) => ({
    topics: [APPROVAL_FOR_ALL, `0x${word(OWNER)}`, `0x${word(SPENDER)}`, null],
    data: `0x${word(flag)}`,
  });
  assert.equal((await approve([log(operator("1"))])).items[0].isUnlimited, true);
  assert.deepEqual((await approve([log(operator("1")), log(operator("0"), 101)])).items, []);
});

test("a Permit2 approval ends at its expiry, with a lockdown, or with its block", async () => {
  const owner = `0x${word(OWNER)}`;
  const given = (expires) => ({
    address: PERMIT2,
    topics: [PERMIT2_APPROVAL, owner, `0x${word(TOKEN)}`, `0x${word(SPENDER)}`],
    data: `0x${word("f".repeat(40))}${word(expires.toString(16))}`,
  });
  const [future, past] = [Math.floor(Date.now() / 1000) + 1000, 1_700_000_000];
  const { items } = await approve([log(given(future))]);
  assert.deepEqual(
    items.map(({ kind, token_hash, isUnlimited, expires }) => [kind, token_hash, isUnlimited, expires]),
    [["permit2", TOKEN, true, new Date(future * 1000).toISOString()]],
  );
  assert.deepEqual((await approve([log(given(past))])).items, []);
  assert.deepEqual((await approve([log(given(0))])).items, []);
  const lockdown = { address: PERMIT2, topics: [PERMIT2_LOCKDOWN, owner, null, null], data: `0x${word(TOKEN)}${word(SPENDER)}` };
  assert.deepEqual((await approve([log(given(future)), log(lockdown, 101)])).items, []);
  const [{ expires }] = (await approve([log(given(2 ** 48 - 1))])).items;
  assert.equal(expires, null, "a time outside the range of Date");
});

test("parameters are checked before anything is sent", async () => {
  const client = createClient({ fetch: () => assert.fail("a request") });
  const address_hash = OWNER;
  for (const [params, parameter] of [
    [{}, "address_hash"],
    [{ address_hash: "0x1" }, "address_hash"],
    [{ address_hash, current: 1 }, "current"],
    [{ address_hash, details: "no" }, "details"],
    [{ address_hash, permit2: "0x" }, "permit2"],
    [{ address_hash, onProgress: 1 }, "onProgress"],
    [{ address_hash, signal: 1 }, "signal"],
    [{ address_hash, resume: "x" }, "resume"],
    [{ address_hash, resume: 1 }, "resume"],
    [{ address_hash, adress: 1 }, "adress"],
  ]) {
    await expectError(approvals(client, params), "invalid_parameter", { parameter });
  }
  await expectError(approvals({}, { address_hash }), "invalid_parameter", { parameter: "client" });
});

test("a token of another owner, base URL or content is rejected", async () => {
  const service = createSampleService();
  const [first, second] = ["hub", "settlement"].map((wanted) => service.addresses.find(({ id }) => id === wanted).hash);
  const client = createClient(service);
  const controller = new AbortController();
  const params = { address_hash: first, details: false, onProgress: () => controller.abort(), signal: controller.signal };
  const { resumeToken: resume } = await time.run(approvals(client, params)).catch((error) => error);
  assert.ok(resume);
  await expectError(approvals(client, { address_hash: second, resume }), "invalid_parameter", { parameter: "resume" });
  const other = new AddressClient({ baseUrl: "https://other.invalid", fetch: service.fetch });
  await expectError(approvals(other, { address_hash: first, resume }), "invalid_parameter", { parameter: "resume" });
  for (const change of [{ grants: [{}] }, { grants: null }, { block: "1" }, { omitted: null }, { range: 0.5 }, { token: 1 }]) {
    const changed = replacePosition(resume, (position) => ({ ...position, ...change }));
    const call = approvals(client, { address_hash: first, resume: changed });
    await expectError(call, "invalid_parameter", { parameter: "resume" });
  }
});
