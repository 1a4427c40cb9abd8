// Movements of the native coin that the service states twice are one event, in both interfaces and orders, in files and audits.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { auditBalance, history, toCsv } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { getExpectedEvents, simplify } from "./history-model.mjs";
import { createAddress, createHash, createSmallChain } from "./small-chain.mjs";
import { collect } from "./support.mjs";

const [A, B, C] = ["a1", "b2", "c3"].map(createAddress);
const [ONE, TWO, THREE] = ["11", "22", "33"].map(createHash);

const createClient = (chain) =>
  new AddressClient({ baseUrl: "https://small.invalid", fetch: createSmallChain(chain), maxPerSecond: 1000 });
const createEvent = (kind, block, hash, from, to, more) => ({ kind, block, hash, from, to, ...more });

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

/** Audits an address. Its balance has to be the sum of its events. */
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

