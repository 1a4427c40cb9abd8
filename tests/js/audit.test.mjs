// `auditBalance`: the sample data balances to the last unit, and a divergence is located by its block.
import assert from "node:assert/strict";
import { test } from "node:test";
import { auditBalance } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { createEditedClient } from "./support.mjs";

// `make soak` reads three seeds.
const SEEDS = process.env.SEEDS ? [1, 2, 3] : [1];
/** One of each kind, or nine. */
const REMOVALS = process.env.SEEDS ? 36 : 4;
/** Addresses that cannot be read, are incomplete, or are read in another test. The longest are read by `make soak`. */
const OTHERS = ["restricted", "overloaded", "lagging", "deep", ...(process.env.SEEDS ? [] : ["distributor", "producer"])];
/** Addresses with few requests, to audit repeatedly. */
const SMALL = ["quiet", "minter", "hostile", "proxy", "settlement"];

const services = SEEDS.map((seed) => createSampleService({ seed, pageSize: 500 }));

const findHash = (service, id) => service.addresses.find((address) => address.id === id).hash;
const isAction = (url, action) => url.searchParams.get("action") === action;
const isList = (url, name) => url.pathname.endsWith(`/${name}`);

/** Returns how an event of the ledger changed the balance of its asset. */
function getChange({ amount, fee, from, to, success }, address) {
  const moved = success ? (amount ?? 0n) : 0n;
  const account = address.toLowerCase();
  return (to === account ? moved : 0n) - (from === account ? moved : 0n) - fee;
}

/** Computing the events of an address takes a while. */
function memoize(getEvents) {
  const results = new Map();
  return (service, hash) => {
    const key = `${services.indexOf(service)} ${hash}`;
    if (!results.has(key)) results.set(key, getEvents(service, hash));
    return results.get(key);
  };
}

/** Returns a function that removes the record of an event from responses. */
function createRemoval({ kind, transaction_hash, index, block_number }) {
  const [matches, isRecord] = {
    transaction: [(url) => isAction(url, "txlist"), (row) => row.hash === transaction_hash],
    internal_transaction: [
      (url) => isAction(url, "txlistinternal"),
      (row) => row.transactionHash === transaction_hash && Number(row.index) === index,
    ],
    withdrawal: [(url) => isList(url, "withdrawals"), (record) => record.index === index],
    block_reward: [(url) => isList(url, "blocks-validated"), (record) => record.height === block_number],
  }[kind];
  return (url, body) => {
    if (!matches(url)) return;
    const name = body.items ? "items" : "result";
    body[name] = body[name].filter((record) => !isRecord(record));
  };
}

for (const [i, service] of services.entries()) {
  const seed = SEEDS[i];
  test(`every sample address balances to the last unit, seed ${seed}`, async () => {
    const client = createEditedClient(service);
    // The longest histories are read once. `deep` is read below.
    const isRead = ({ id }) => !OTHERS.includes(id) && (seed === 1 || !["hub", "producer"].includes(id));
    for (const { id, hash } of service.addresses.filter(isRead)) {
      const { balanced, native, tokens, report } = await auditBalance(client, { address_hash: hash });
      const events = service.getEvents(hash);
      const sum = (filter) => events.filter(filter).reduce((total, event) => total + getChange(event, hash), 0n);
      assert.deepEqual([id, balanced, report.complete], [id, true, true]);
      assert.equal(native.computed, String(sum(({ token }) => token === null)), id);
      assert.equal(native.agrees, native.reported === null ? null : true, id);
      for (const { contract, computed, reported } of tokens) {
        assert.equal(computed, String(sum(({ token }) => token === contract)), `${id} ${contract}`);
        assert.equal(reported, computed, `${id} ${contract}`);
      }
      const others = new Set(events.filter(({ token_type }) => token_type !== "ERC-20").map(({ token }) => token));
      const expected = [...new Set(events.map(({ token }) => token))].filter((token) => token !== null && !others.has(token));
      assert.deepEqual(tokens.map(({ contract }) => contract).sort(), expected.sort(), id);
    }
  });
}

test("a removed record is located by its block", async () => {
  const kinds = ["transaction", "internal_transaction", "withdrawal", "block_reward"];
  const getChanges = memoize((service, hash) =>
    service.getEvents(hash).filter((event) => event.token === null && getChange(event, hash) !== 0n),
  );
  for (let seed = 0; seed < REMOVALS; seed++) {
    const random = createRandom("audit", seed);
    const service = services[seed % SEEDS.length];
    const kind = kinds[seed % kinds.length];
    const hashes = SMALL.map((id) => findHash(service, id)).filter((hash) =>
      getChanges(service, hash).some((event) => event.kind === kind),
    );
    const hash = hashes.length > 0 ? random.pick(hashes) : findHash(service, "producer");
    const events = getChanges(service, hash);
    const event = random.pick(events.filter((candidate) => candidate.kind === kind));
    const before = events.filter(({ block_number }) => block_number < event.block_number).at(-1)?.block_number ?? null;
    const { balanced, native } = await auditBalance(createEditedClient(service, createRemoval(event)), { address_hash: hash });
    const { divergence, computed, reported, agrees } = native;
    const name = `seed ${seed}, ${kind} in block ${event.block_number}`;
    assert.deepEqual([balanced, agrees, divergence?.block], [false, false, event.block_number], name);
    assert.ok(before === null || divergence.lastAgreeing >= before, name);
    assert.equal(BigInt(reported) - BigInt(computed), getChange(event, hash), name);
  }
});

test("a removed transfer changes the computed balance of its token alone", async () => {
  const service = createSampleService({ pageSize: 500 });
  const hash = findHash(service, "quiet");
  const transfers = service
    .getEvents(hash)
    .filter(({ token_type, from, to, amount }) => token_type === "ERC-20" && from !== to && amount);
  for (const transfer of transfers.slice(0, 5)) {
    let isRemoved = false;
    const client = createEditedClient(service, (url, body) => {
      if (!isAction(url, "tokentx")) return;
      body.result = body.result.filter(({ hash, contractAddress, value }) => {
        const isTransfer =
          hash === transfer.transaction_hash && contractAddress === transfer.token && BigInt(value) === transfer.amount;
        const isKept = isRemoved || !isTransfer;
        isRemoved ||= isTransfer;
        return isKept;
      });
    });
    const { balanced, native, tokens } = await auditBalance(client, { address_hash: hash });
    assert.ok(isRemoved && !balanced && native.agrees);
    const parted = tokens.filter(({ agrees }) => !agrees);
    assert.deepEqual(
      parted.map(({ contract }) => contract),
      [transfer.token],
    );
    const [{ computed, reported, reasons, divergence }] = parted;
    assert.equal(BigInt(reported) - BigInt(computed), getChange(transfer, hash));
    assert.deepEqual(reasons, ["rebasing_token"]);
    assert.ok(divergence === null || divergence.block >= transfer.block_number);
  }
});

test("the chain may grow while the audit runs", async () => {
  const service = createSampleService({ pageSize: 500, blocksPerRequest: 5 });
  // Even between the requests for the balances and the history.
  const client = createEditedClient(service, (url) => {
    if (isList(url, "tokens") || isList(url, "coin-balance-history")) service.grow(3);
  });
  const hash = findHash(service, "deep");
  const { balanced, native, tokens, block } = await auditBalance(client, { address_hash: hash });
  assert.ok(balanced && native.agrees && tokens.length === 1 && tokens[0].agrees);
  const events = service.getEvents(hash);
  const sum = (contract) =>
    events
      .filter(({ token, block_number }) => token === contract && block_number <= block)
      .reduce((total, event) => total + getChange(event, hash), 0n);
  assert.deepEqual([native.computed, tokens[0].computed], [String(sum(null)), String(sum(tokens[0].contract))]);
  assert.ok(events.at(-1).block_number > block);
});

test("known reasons are named", async () => {
  const service = createSampleService({ pageSize: 500 });
  const audit = (id, edit) => auditBalance(createEditedClient(service, edit), { address_hash: findHash(service, id) });
  const quiet = findHash(service, "quiet");
  const paid = service.getEvents(quiet).findLast(({ fee, kind }) => kind === "transaction" && fee > 0n);
  const lower = (record, name) => {
    record[name] = String(BigInt(record[name]) - 5n);
  };
  const withoutFee = (name) => (url, body) => {
    if (isList(url, "coin-balance-history")) {
      for (const record of body.items) if (record.block_number >= paid.block_number) lower(record, "value");
    }
    if (isList(url, quiet)) lower(body, "coin_balance");
    if (isList(url, paid.transaction_hash)) body[name] = "5";
  };
  for (const [name, reason] of [
    ["l1_fee", "l1_fee"],
    ["burnt_blob_fee", "blob_fee"],
  ]) {
    const { native } = await audit("quiet", withoutFee(name));
    assert.equal(native.divergence.block, paid.block_number);
    assert.ok(native.reasons.includes(reason), `${name}: ${native.reasons}`);
  }

  const genesis = await audit("whale", (url, body) => {
    if (isAction(url, "txlist")) body.result = [];
  });
  assert.equal(genesis.native.divergence.block, 0);
  assert.ok(genesis.native.reasons.includes("genesis_allocation"));

  const lagging = await audit("lagging");
  assert.deepEqual([lagging.balanced, lagging.report.complete, lagging.native.reasons], [false, false, ["pruned_traces"]]);

  const rebased = await audit("quiet", (url, body) => {
    if (isList(url, "tokens")) lower(body.items[0], "value");
  });
  assert.deepEqual(
    rebased.tokens.filter(({ agrees }) => !agrees).map(({ reasons }) => reasons),
    [["rebasing_token"]],
  );
});

test("invalid parameters throw before any request", async () => {
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: () => assert.fail("a request") });
  const address_hash = `0x${"1".repeat(40)}`;
  await assert.rejects(auditBalance(client, { address_hash: "0x1" }), { code: "invalid_parameter", parameter: "address_hash" });
  await assert.rejects(auditBalance(client, { address_hash, include: [] }), { parameter: "include" });
  await assert.rejects(auditBalance(client, undefined), { parameter: "address_hash" });
  await assert.rejects(auditBalance(client, { address_hash, signal: AbortSignal.abort() }), { code: "aborted" });
});
