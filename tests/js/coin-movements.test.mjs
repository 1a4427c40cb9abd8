// Movements of the native coin that the service states twice are one event, in both interfaces and orders, in files and audits.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { auditBalance, history, toCsv } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { getExpectedEvents, simplify } from "./history-model.mjs";
import { createAddress, createHash, ScriptedService } from "./service.mjs";
import { collect } from "./support.mjs";

const [A, B, C] = ["a1", "b2", "c3"].map(createAddress);
const [ONE, TWO, THREE] = ["11", "22", "33"].map(createHash);
const BASE_TOKEN = "0x000000000000000000000000000000000000800a";
const BOOTLOADER = "0x0000000000000000000000000000000000008001";
const GOLD_TOKEN = "0x471ece3750da237f93b8e339c536989b8978a438";
const BALANCES_PRECOMPILE = "0x0000000000000000000000000000000000000802";
const STABLE = createAddress("5a");

const createClient = (chain) =>
  new AddressClient({ baseUrl: "https://small.invalid", fetch: new ScriptedService(chain).fetch, maxPerSecond: 1000 });
const createEvent = (kind, block, hash, from, to, more) => ({ kind, block, hash, from, to, ...more });
const transfer = (block, hash, from, to, contract, value, index = 0) =>
  createEvent("token_transfer", block, hash, from, to, { contract, value, index });

/** Reads the history of an address in both orders, which must be the same. Returns it oldest first. */
async function readBoth(chain, address_hash) {
  const oldestFirst = await collect(history(createClient(chain), { address_hash, order: "asc" }));
  const newestFirst = await collect(history(createClient(chain), { address_hash }));
  assert.deepEqual(newestFirst.reverse().map(simplify), oldestFirst.map(simplify));
  return oldestFirst;
}

/** The lines of the accounting CSV, as objects. */
async function readCsv(chain, address_hash) {
  const csv = await new Response(toCsv(history(createClient(chain), { address_hash }), { columns: "accounting" })).text();
  const [header, ...lines] = csv
    .trimEnd()
    .replaceAll('"', "")
    .split("\r\n")
    .map((line) => line.split(","));
  return lines.map((cells) => Object.fromEntries(header.map((name, i) => [name, cells[i]])));
}

/** Audits an address. Its balance must be the sum of its events. */
async function checkAudit(chain, address_hash, balance) {
  const audit = await auditBalance(createClient(chain), { address_hash });
  assert.deepEqual([audit.native.computed, audit.balanced, audit.report.complete], [balance, true, true], JSON.stringify(audit));
  return audit;
}

const summarize = (events) => events.map(({ kind, direction, amount, fee, asset }) => [kind, direction, amount, fee, asset.type]);

describe("a payable deployment", () => {
  const chain = {
    balances: { [A]: "900", [C]: "70" },
    events: [
      createEvent("transaction", 90, ONE, B, A, { value: "1000" }),
      createEvent("transaction", 100, TWO, A, null, { created: C, value: "60", fee: "40" }),
      createEvent("internal_transaction", 100, TWO, A, null, { created: C, value: "60", type: "create", index: 0 }),
      createEvent("internal_transaction", 110, THREE, A, null, {
        created: createAddress("c4"),
        value: "0",
        type: "create2",
        index: 1,
      }),
      createEvent("transaction", 120, THREE, B, C, { value: "10" }),
    ],
  };

  test("is one event of the sender and of the contract", async () => {
    assert.deepEqual(summarize(await readBoth(chain, A)), [
      ["transaction", "in", "1000", null, "native"],
      ["transaction", "out", "60", "40", "native"],
      ["internal_transaction", "out", "0", null, "native"],
    ]);
    assert.deepEqual(summarize(await readBoth(chain, C)), [
      ["transaction", "in", "60", null, "native"],
      ["transaction", "in", "10", null, "native"],
    ]);
  });

  test("is one row of a CSV file", async () => {
    assert.equal((await readCsv(chain, A)).length, 2);
    assert.equal((await readCsv(chain, C)).length, 2);
  });

  test("is counted once by an audit", async () => {
    await checkAudit(chain, A, "900");
    await checkAudit(chain, C, "70");
  });

  for (const backendVersion of [8, 12]) {
    test(`is one event in the sample data of version ${backendVersion}`, async () => {
      const service = createSampleService({ backendVersion, pageSize: 100 });
      const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch, maxPerSecond: 1000 });
      const { hash } = service.addresses.find(({ id }) => id === "producer");
      const items = service.getAllItems(`/addresses/${hash}/internal-transactions`);
      const { block_number, created_contract } = items.find(({ index, type }) => index === 0 && type === "create");
      const range = { from: block_number, to: block_number };
      for (const address_hash of [hash, created_contract.hash]) {
        for (const order of ["asc", "desc"]) {
          const events = await collect(history(client, { address_hash, order, ...range }));
          const expected = getExpectedEvents(service, address_hash, range);
          assert.deepEqual(order === "asc" ? events.map(simplify) : events.reverse().map(simplify), expected);
          assert.ok(expected.some(({ to }) => to === created_contract.hash.toLowerCase()));
        }
      }
    });
  }
});

describe("the native coin as a token", () => {
  test("of a zkSync chain: movements and fees are counted once", async () => {
    const chain = {
      balances: { [A]: "855", [B]: "145" },
      tokens: { [BASE_TOKEN]: "855" },
      events: [
        createEvent("transaction", 90, ONE, B, A, { value: "1000" }),
        transfer(90, ONE, B, A, BASE_TOKEN, "1000"),
        // The sender pays for all of the gas limit first, and gets the rest back.
        createEvent("transaction", 100, TWO, A, B, { value: "100", fee: "40" }),
        transfer(100, TWO, A, BOOTLOADER, BASE_TOKEN, "70", 1),
        transfer(100, TWO, A, B, BASE_TOKEN, "100", 2),
        transfer(100, TWO, BOOTLOADER, A, BASE_TOKEN, "30", 3),
        createEvent("internal_transaction", 110, THREE, A, B, { value: "5", type: "call", index: 2 }),
        transfer(110, THREE, A, B, BASE_TOKEN, "5", 4),
      ],
    };
    assert.deepEqual(summarize(await readBoth(chain, A)), [
      ["transaction", "in", "1000", null, "native"],
      ["transaction", "out", "100", "40", "native"],
      ["internal_transaction", "out", "5", null, "native"],
    ]);
    const rows = await readCsv(chain, A);
    assert.equal(rows.length, 3);
    const { tokens } = await checkAudit(chain, A, "855");
    assert.deepEqual(tokens, []);
  });

  test("a movement that only the transfer reports is an event of the coin", async () => {
    for (const contract of [GOLD_TOKEN, BALANCES_PRECOMPILE, BASE_TOKEN]) {
      const chain = {
        balances: { [A]: "750" },
        tokens: { [contract]: "750" },
        events: [
          createEvent("transaction", 90, ONE, B, A, { value: "1000" }),
          transfer(90, ONE, B, A, contract, "1000"),
          // The contract moves the coin without a call that has a value.
          createEvent("transaction", 100, TWO, A, contract, { value: "0", fee: "50" }),
          transfer(100, TWO, A, B, contract, "100", 1),
          transfer(100, TWO, A, C, contract, "100", 2),
        ],
      };
      assert.deepEqual(summarize(await readBoth(chain, A)), [
        ["transaction", "in", "1000", null, "native"],
        ["transaction", "out", "0", "50", "native"],
        ["token_transfer", "out", "100", null, "native"],
        ["token_transfer", "out", "100", null, "native"],
      ]);
      await checkAudit(chain, A, "750");
    }
  });

  test("transfers of other tokens are kept", async () => {
    const events = [createEvent("transaction", 100, ONE, B, A, { value: "7" }), transfer(100, ONE, B, A, STABLE, "7")];
    const read = await readBoth({ events }, A);
    assert.deepEqual(
      read.map(({ asset }) => asset.contract),
      [undefined, STABLE],
    );
  });
});

describe("a fee in a token, on Celo", () => {
  const chain = {
    chainType: "celo",
    balances: { [A]: "860" },
    tokens: { [STABLE]: "960" },
    events: [
      createEvent("transaction", 90, ONE, B, A, { value: "1000", gasToken: null }),
      transfer(90, ONE, B, A, STABLE, "1000", 1),
      createEvent("transaction", 100, TWO, A, B, { value: "100", fee: "40", gasToken: STABLE }),
      transfer(100, TWO, A, C, STABLE, "40", 2),
      createEvent("transaction", 110, THREE, A, B, { value: "0", fee: "40", gasToken: null }),
    ],
  };

  test("is a fee of the token, not of the coin", async () => {
    const events = await readBoth(chain, A);
    assert.deepEqual(
      events
        .filter(({ kind }) => kind === "transaction")
        .map(({ fee, token_fee }) => [fee, token_fee?.amount, token_fee?.contract]),
      [
        [null, undefined, undefined],
        [null, "40", STABLE],
        ["40", undefined, undefined],
      ],
    );
    assert.equal(events[2].token_fee.symbol, "COIN");
  });

  test("says in the report why REST is read", async () => {
    const call = history(createClient(chain), { address_hash: A, order: "asc" });
    await collect(call);
    const [{ method, replaced }] = call.report.sources;
    assert.deepEqual([method, replaced], ["addressTransactions", "txList: the rows do not say which token paid the fee"]);
    assert.equal(call.report.complete, true);
  });

  test("is not a coin fee in a CSV file and an audit", async () => {
    const rows = await readCsv(chain, A);
    assert.deepEqual(
      rows.map(({ fee }) => fee).filter((fee) => fee !== ""),
      ["0.00000000000000004"],
    );
    await checkAudit(chain, A, "860");
  });

  test("is the reason of a divergence if the instance does not state the type of its chain", async () => {
    const client = createClient({ ...chain, chainType: null });
    const { native } = await auditBalance(client, { address_hash: A });
    assert.deepEqual([native.computed, native.agrees], ["820", false]);
    assert.ok(native.reasons.includes("token_fee"), native.reasons);
  });
});
