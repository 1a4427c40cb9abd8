// Tests of the paths of the sample service around an address and the chain: shapes, cursors, counters and version differences.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSampleService } from "../pkg/testing/index.js";
import { assertSameItems, expandFiatValue, parseCursor, readAllPages, request } from "./sample-requests.mjs";

const BACKEND_VERSIONS = [8, 11, 12];
const services = Object.fromEntries(
  BACKEND_VERSIONS.map((backendVersion) => [backendVersion, createSampleService({ backendVersion })]),
);
const ids = Object.fromEntries(services[11].addresses.map(({ id, hash }) => [id, hash]));
const { hub, quiet, settlement, producer, deep, airdropped, empty, restricted, stale } = ids;
const UNKNOWN_HASH = `0x${"5a".repeat(32)}`;
const UNKNOWN_ADDRESS = `0x${"5a".repeat(20)}`;
const getBody = async (version, path, query) => {
  const { status, body, text } = await request(services[version], path, query);
  assert.equal(status, 200, text.slice(0, 300));
  return body;
};
const getStatus = async (version, path, query) => (await request(services[version], path, query)).status;
const getHash = ({ hash }) => hash;
const sum = (values) => values.reduce((total, value) => total + BigInt(value), 0n);

/** Groups items by a key. Node.js 20 has no Object.groupBy. */
function groupBy(items, getKey) {
  const groups = {};
  for (const item of items) {
    groups[getKey(item)] ??= [];
    groups[getKey(item)].push(item);
  }
  return groups;
}

const ADDRESS_KEYS = (
  "ens_domain_name hash implementations is_contract is_scam is_verified metadata name private_tags proxy_type " +
  "public_tags reputation watchlist_names"
).split(" ");
const TOKEN_KEYS = (
  "address_hash circulating_market_cap circulating_supply decimals exchange_rate holders_count icon_url name " +
  "reputation symbol total_supply type volume_24h"
).split(" ");
const TRANSACTION_KEYS = (
  "authorization_list base_fee_per_gas block_number confirmation_duration confirmations created_contract " +
  "decoded_input exchange_rate fee fhe_operations_count from gas_limit gas_price gas_used " +
  "has_error_in_internal_transactions hash historic_exchange_rate is_pending_update max_fee_per_gas " +
  "max_priority_fee_per_gas method nonce position priority_fee raw_input result revert_reason status " +
  "timestamp to token_transfers token_transfers_overflow transaction_burnt_fee transaction_tag " +
  "transaction_types type value"
).split(" ");
const BLOCK_KEYS = (
  "base_fee_per_gas beacon_deposits_count burnt_fees burnt_fees_percentage difficulty gas_limit " +
  "gas_target_percentage gas_used gas_used_percentage hash height internal_transactions_count " +
  "is_pending_update miner nonce parent_hash priority_fee rewards size timestamp total_difficulty " +
  "transaction_fees transactions_count type uncles_hashes withdrawals_count"
).split(" ");
const assertKeys = (record, keys) => assert.deepEqual(Object.keys(record).sort(), [...keys].sort());

describe("reading all pages gives all items once", () => {
  const lists = [
    ["/addresses/{hub}/transactions", hub, ["block_number", "fee", "hash", "index", "inserted_at", "value"]],
    ["/addresses/{hub}/tokens", hub, ["fiat_value", "id", "value"]],
    ["/addresses/{airdropped}/tokens", airdropped, ["fiat_value", "id", "value"]],
    ["/addresses/{hub}/nft/collections", hub, ["token_contract_address_hash", "token_type"], 3],
    ["/addresses/{producer}/blocks-validated", producer, ["block_number"], 6000],
    ["/addresses/{hub}/beacon/deposits", hub, ["index"]],
    ["/addresses/{hub}/celo/election-rewards", hub, ["amount", "associated_account_address_hash", "epoch_number", "type"]],
    ["/internal-transactions", "", ["block_number", "index", "transaction_index"]],
    ["/withdrawals", "", ["index"]],
    ["/blocks", "", ["block_number"], 700],
  ];
  for (const [pattern, address, cursorKeys, pageSize = 50] of lists) {
    test(pattern, async () => {
      // The versions that differ most.
      for (const backendVersion of [8, 12]) {
        if (backendVersion === 8 && /beacon|celo/.test(pattern)) continue;
        const service = pageSize === 50 ? services[backendVersion] : createSampleService({ backendVersion, pageSize });
        const path = pattern.replace(/\{\w+\}/, address);
        const { items, cursors } = await readAllPages(service, path);
        assert.ok(cursors.length > 0, "one page only");
        assertSameItems(items, service.getAllItems(path));
        assert.equal(new Set(items.map((item) => JSON.stringify(item))).size, items.length, "an item came twice");
        const expected = backendVersion === 12 ? cursorKeys : [...cursorKeys, "items_count"];
        for (const cursor of cursors) assertKeys(cursor, expected);
      }
    });
  }

  test("/addresses/{hub}/transactions in every order and direction", async () => {
    for (const query of [
      { sort: "value", order: "asc" },
      { sort: "value", order: "desc" },
      { sort: "fee", order: "asc" },
      { sort: "fee", order: "desc", filter: "from" },
      { sort: "block_number", order: "asc" },
    ]) {
      const path = `/addresses/${hub}/transactions`;
      const { items } = await readAllPages(services[12], path, { ...query, items_count: "100" });
      assertSameItems(items, services[12].getAllItems(path, query));
      if (query.filter) assert.ok(items.length > 50 && items.every((item) => item[query.filter]?.hash === hub));
      if (!query.sort || query.sort === "block_number") continue;
      const values = items.map(({ value, fee }) => BigInt(query.sort === "value" ? value : fee.value));
      assert.ok(values.every((value, i) => i === 0 || (query.order === "asc" ? values[i - 1] <= value : values[i - 1] >= value)));
    }
  });

  test("/addresses/{deep}/transactions by direction", async () => {
    const path = `/addresses/${deep}/transactions`;
    for (const filter of ["to", "from"]) {
      const { items } = await getBody(11, path, { filter });
      assert.ok(items.length === 50 && items.every((item) => item[filter].hash === deep));
    }
  });

  test("/transactions, pending or validated, by type", async () => {
    const query = { type: "contract_creation,coin_transfer" };
    const service = createSampleService({ pageSize: 2000 });
    const { items, cursors } = await readAllPages(service, "/transactions", query, undefined, 2);
    assert.ok(
      items.length === 4000 &&
        items.every(({ transaction_types }) => transaction_types.some((type) => query.type.includes(type))),
    );
    assert.equal(new Set(items.map(getHash)).size, items.length);
    assertKeys(cursors[0], ["block_number", "index", "items_count"]);
    const small = createSampleService({ pageSize: 7 });
    const pending = await readAllPages(small, "/transactions", { filter: "pending" });
    assert.equal(pending.items.length, 24);
    assert.ok(
      pending.items.every(({ block_number, status, result }) => block_number === null && status === null && result === "pending"),
    );
    assertKeys(pending.cursors[0], ["filter", "hash", "inserted_at", "items_count"]);
  });
});

describe("transactions", () => {
  const path = `/addresses/${hub}/transactions`;
  const items = services[11].getAllItems(path);

  test("equal the account module's, after the pending ones", () => {
    const mined = items.filter(({ block_number }) => block_number !== null);
    const pending = items.slice(0, items.length - mined.length);
    assert.ok(
      pending.every(({ block_number, timestamp, position }) => block_number === null && timestamp === null && position === null),
    );
    assert.deepEqual(pending.map(getHash), services[11].getAllRows("pendingtxlist", { address: hub }).map(getHash));
    const rows = services[11].getAllRows("txlist", { address: hub });
    assert.deepEqual(mined.map(getHash), rows.map(getHash));
    mined.forEach((item, i) => {
      const { value, gasUsed, nonce, isError, confirmations } = rows[i];
      assert.deepEqual(
        [item.value, item.gas_used, String(item.nonce), item.status],
        [value, gasUsed, nonce, isError === "1" ? "error" : "ok"],
      );
      assert.equal(item.confirmations, Number(confirmations) + 1);
    });
  });

  test("of the deep history equal the account module's", async () => {
    const service = createSampleService();
    const { body } = await request(service, `/addresses/${deep}/transactions`);
    assert.deepEqual(
      body.items.map(getHash),
      service.getAllRows("txlist", { address: deep, startblock: "23000000" }).slice(0, 50).map(getHash),
    );
  });

  test("have the documented members, and fees that add up", () => {
    for (const item of items) {
      assertKeys(item, TRANSACTION_KEYS);
      assertKeys(item.from, ADDRESS_KEYS);
      if (item.status === null) assert.equal(item.fee.value, String(BigInt(item.gas_limit) * BigInt(item.gas_price)));
      else assert.equal(BigInt(item.fee.value), BigInt(item.transaction_burnt_fee) + BigInt(item.priority_fee));
      assert.ok(item.status === null || BigInt(item.priority_fee) > 0n);
    }
    assert.ok(items.some(({ decoded_input }) => decoded_input?.parameters.length > 0));
  });

  test("can be requested by every hash that a list has", async () => {
    const lists = ["token-transfers", "internal-transactions", "logs", "coin-balance-history", "beacon/deposits"];
    const hashes = lists.flatMap((list) =>
      services[11]
        .getAllItems(`/addresses/${hub}/${list}`)
        .slice(0, 20)
        .map(({ transaction_hash }) => transaction_hash),
    );
    const { creation_transaction_hash } = await getBody(11, `/addresses/${settlement}`);
    for (const hash of [...hashes, creation_transaction_hash].filter((hash) => hash !== null)) {
      assert.equal((await getBody(11, `/transactions/${hash}`)).hash, hash);
    }
    assert.equal((await getBody(11, `/transactions/${creation_transaction_hash}`)).created_contract.hash, settlement);
  });

  test("have their token transfers when requested by hash", async () => {
    const transfers = services[11].getAllItems(`/addresses/${hub}/token-transfers`);
    const [hash, expected] = Object.entries(groupBy(transfers, ({ transaction_hash }) => transaction_hash)).find(
      ([, { length }]) => length > 10,
    );
    const transaction = await getBody(11, `/transactions/${hash}`);
    assert.equal(transaction.token_transfers.length, 10);
    assert.equal(transaction.token_transfers_overflow, true);
    assert.ok(transaction.transaction_types.includes("token_transfer"));
    assert.ok(expected.every(({ block_number }) => block_number === transaction.block_number));
    assert.deepEqual(await request(services[11], `/transactions/${UNKNOWN_HASH}`).then(({ status, body }) => [status, body]), [
      404,
      { message: "Not found" },
    ]);
    assert.equal(await getStatus(11, "/transactions/0x12"), 422);
  });
});

describe("counters", () => {
  const countItems = (version, address, list) => services[version].getAllItems(`/addresses/${address}/${list}`).length;

  test("equal the lists", async () => {
    for (const address of [hub, quiet, airdropped, producer, settlement, empty, UNKNOWN_ADDRESS]) {
      const counters = await getBody(11, `/addresses/${address}/counters`);
      const transactions = services[11].getAllItems(`/addresses/${address}/transactions`);
      assert.deepEqual(counters, {
        transactions_count: String(transactions.length),
        token_transfers_count: String(countItems(11, address, "token-transfers")),
        gas_usage_count: String(sum(transactions.map(({ gas_used }) => gas_used ?? 0))),
        validations_count: String(countItems(11, address, "blocks-validated")),
      });
    }
  });

  test("of tabs equal the lists, up to 51", async () => {
    const lists = {
      transactions_count: "transactions",
      token_transfers_count: "token-transfers",
      internal_transactions_count: "internal-transactions",
      token_balances_count: "tokens",
      logs_count: "logs",
      withdrawals_count: "withdrawals",
      validations_count: "blocks-validated",
      beacon_deposits_count: "beacon/deposits",
      celo_election_rewards_count: "celo/election-rewards",
    };
    for (const version of BACKEND_VERSIONS) {
      for (const address of [hub, quiet, producer]) {
        const counters = await getBody(version, `/addresses/${address}/tabs-counters`);
        const omitted = { 8: /beacon|celo/, 11: /^$/, 12: /celo/ }[version];
        assertKeys(
          counters,
          Object.keys(lists).filter((name) => !omitted.test(name)),
        );
        for (const [name, count] of Object.entries(counters))
          assert.equal(count, Math.min(51, countItems(version, address, lists[name])), name);
      }
    }
    assert.equal((await getBody(11, `/addresses/${hub}/tabs-counters`)).transactions_count, 51);
    assert.ok(Object.values(await getBody(11, `/addresses/${UNKNOWN_ADDRESS}/tabs-counters`)).every((count) => count === 0));
  });
});

describe("addresses", () => {
  test("include what the service knows about them", async () => {
    const info = await getBody(11, `/addresses/${settlement}`);
    assertKeys(info, [
      ...ADDRESS_KEYS,
      "block_number_balance_updated_at",
      "coin_balance",
      "creation_status",
      "creation_transaction_hash",
      "creator_address_hash",
      "exchange_rate",
      "has_beacon_chain_withdrawals",
      "has_logs",
      "has_token_transfers",
      "has_tokens",
      "has_validated_blocks",
      "token",
      "watchlist_address_id",
    ]);
    assert.deepEqual([info.is_contract, info.is_verified, info.has_logs, info.creation_status], [true, true, true, "success"]);
    const [newest] = services[11].getAllItems(`/addresses/${hub}/coin-balance-history`);
    const { coin_balance, block_number_balance_updated_at, has_tokens } = await getBody(11, `/addresses/${hub}`);
    assert.deepEqual([coin_balance, has_tokens], [newest.value, true]);
    assert.ok(block_number_balance_updated_at >= newest.block_number);
  });

  test("of tokens include the token", async () => {
    const [{ token }] = services[11].getAllItems(`/addresses/${hub}/tokens`);
    assert.deepEqual((await getBody(11, `/addresses/${token.address_hash}`)).token, token);
  });

  test("that are unknown have default values, and requests refresh a stale balance", async () => {
    const service = createSampleService();
    const { body } = await request(service, `/addresses/${UNKNOWN_ADDRESS}`);
    const { hash, is_contract, is_verified, coin_balance, has_logs, token } = body;
    assert.deepEqual(
      { hash: hash.toLowerCase(), is_contract, is_verified, coin_balance, has_logs, token },
      { hash: UNKNOWN_ADDRESS, is_contract: false, is_verified: false, coin_balance: null, has_logs: false, token: null },
    );
    const balances = [];
    for (let i = 0; i < 3; i++) balances.push((await request(service, `/addresses/${stale}`)).body.coin_balance);
    assert.equal(balances[0], balances[1]);
    assert.notEqual(balances[1], balances[2]);
  });

  test("have the balance at the end of each day", async () => {
    const { days, items } = await getBody(11, `/addresses/${hub}/coin-balance-history-by-day`);
    assert.equal(days, 10);
    assert.equal(items.at(-1).value, (await getBody(11, `/addresses/${hub}`)).coin_balance);
    const history = services[11].getAllItems(`/addresses/${hub}/coin-balance-history`);
    const { date, value } = items.at(-3);
    assert.equal(value, history.find(({ block_timestamp }) => block_timestamp.startsWith(date)).value);
    assert.deepEqual(
      items.map(({ date }) => date),
      items.map(({ date }) => date).sort(),
    );
    assert.deepEqual(await getBody(8, `/addresses/${hub}/coin-balance-history-by-day`), items);
    assert.deepEqual((await getBody(11, `/addresses/${UNKNOWN_ADDRESS}/coin-balance-history-by-day`)).items, []);
  });
});

describe("tokens", () => {
  const getTokens = (address, query) => services[11].getAllItems(`/addresses/${address}/tokens`, query);
  const getFiatValue = ({ token, value }) =>
    token.exchange_rate === null || token.decimals === null || value === null
      ? null
      : (Number(value) * Number(token.exchange_rate)) / 10 ** Number(token.decimals);

  test("are a portfolio of a plausible size, with unpriced tokens behind it", () => {
    const rows = getTokens(hub);
    const values = rows.map(getFiatValue);
    const priced = values.filter((value) => value !== null);
    const total = priced.reduce((a, b) => a + b, 0);
    assert.ok(total > 10_000 && total < 100_000, `${total} dollars`);
    assert.deepEqual(
      priced,
      [...priced].sort((a, b) => b - a),
    );
    assert.ok(values.slice(priced.length).every((value) => value === null) && values.length > priced.length + 10);
    assert.ok(rows.some(({ token, value }) => token.type === "ERC-7984" && value === null));
    assert.ok(rows.some(({ token }) => /voucher/i.test(token.name)));
  });

  test("come from the account module and the NFTs", () => {
    const rows = getTokens(hub);
    const holdings = services[11].getAllRows("tokenlist", { address: hub });
    const createKey = (contract, id, balance) => `${contract.toLowerCase()} ${id ?? ""} ${balance}`;
    const plain = rows.filter(({ token }) => token.type !== "ERC-7984");
    assert.deepEqual(
      plain.map(({ token, token_id, value }) => createKey(token.address_hash, token_id, value)).sort(),
      holdings.map(({ contractAddress, id, balance }) => createKey(contractAddress, id, balance)).sort(),
    );
    const instances = rows.filter(({ token_id }) => token_id !== null);
    assert.ok(
      instances.length > 50 &&
        instances.every(({ token_id, token_instance }) => token_instance.id === token_id && token_instance.owner.hash === hub),
    );
    for (const row of rows) {
      assertKeys(row, ["token", "token_id", "token_instance", "value"]);
      assertKeys(row.token, TOKEN_KEYS);
    }
  });

  test("have cursors with ids beyond 32 bits and fiat values that are small, zero or null", async () => {
    const { cursors } = await readAllPages(createSampleService({ pageSize: 1 }), `/addresses/${airdropped}/tokens`);
    assert.ok(cursors.every(({ id }) => Number(id) > 2 ** 32));
    const fiatValues = cursors.map(({ fiat_value }) => fiat_value);
    for (const pattern of [/^\d\.\d+E-\d+$/, /^0E-\d+$/, /^null$/])
      assert.ok(
        fiatValues.some((value) => pattern.test(value)),
        String(pattern),
      );
    assert.match(parseCursor((await request(services[11], `/addresses/${airdropped}/tokens`)).text).fiat_value, /E-/);
  });

  test("reject an exponent in the cursor, and accept its plain notation", async () => {
    const path = `/addresses/${airdropped}/tokens`;
    const { text, body } = await request(services[11], path);
    const cursor = parseCursor(text);
    assert.equal(await getStatus(11, path, { ...cursor, fiat_value: "1.2E-8" }), 422);
    const second = await getBody(11, path, expandFiatValue(cursor));
    assert.deepEqual([...body.items, ...second.items].slice(0, 100), getTokens(airdropped).slice(0, 100));
  });

  test("can be filtered by type", () => {
    const rows = getTokens(hub, { type: "erc-404,ERC-721" });
    assert.deepEqual([...new Set(rows.map(({ token }) => token.type))].sort(), ["ERC-404", "ERC-721"]);
  });

  test("are sent at once as a bare array without instances", async () => {
    const balances = await getBody(11, `/addresses/${hub}/token-balances`);
    assert.deepEqual(
      balances,
      getTokens(hub).map((row) => ({ ...row, token_instance: null })),
    );
    assert.deepEqual(await getBody(11, `/addresses/${empty}/token-balances`), []);
  });

  test("of NFTs are grouped by contract", () => {
    const nfts = services[11].getAllItems(`/addresses/${hub}/nft`);
    const collections = services[11].getAllItems(`/addresses/${hub}/nft/collections`);
    const groups = groupBy(nfts, ({ token }) => token.address_hash);
    assert.deepEqual(
      collections.map(({ token }) => token.address_hash),
      Object.keys(groups),
    );
    for (const { token, amount, token_instances } of collections) {
      const group = groups[token.address_hash];
      assert.deepEqual(
        token_instances,
        group.slice(0, 9).map((nft) => ({ ...nft, token: null })),
      );
      assert.equal(amount, token.type === "ERC-404" ? null : String(sum(group.map(({ value }) => value))));
    }
    assert.ok(
      services[11]
        .getAllItems(`/addresses/${hub}/nft/collections`, { type: "ERC-1155,ERC-20" })
        .every(({ token }) => token.type === "ERC-1155"),
    );
  });

  test("of NFTs have pictures that load without a network", () => {
    const urls = services[11]
      .getAllItems(`/addresses/${hub}/nft`)
      .flatMap(({ image_url, thumbnails }) => [image_url, ...Object.values(thumbnails ?? {})]);
    const pictures = urls.filter((url) => url?.startsWith("data:image/svg+xml,"));
    assert.ok(pictures.length > 100);
    for (const url of new Set(pictures))
      assert.match(decodeURIComponent(new URL(url).pathname), /^image\/svg\+xml,<svg xmlns='[^']+' viewBox='[\d ]+'>.*<\/svg>$/);
    assert.ok(!urls.some((url) => url?.includes("img.example")));
  });
});

describe("the chain", () => {
  test("has blocks that match its transactions and producers", async () => {
    const { items } = await getBody(11, "/blocks");
    assert.equal(items[0].height, 23_705_400);
    for (const block of items) assertKeys(block, BLOCK_KEYS);
    for (const [i, block] of items.slice(1).entries())
      assert.deepEqual([block.height, block.hash], [items[i].height - 1, items[i].parent_hash]);
    const transactions = services[11]
      .getAllItems(`/addresses/${hub}/transactions`)
      .filter(({ block_number }) => block_number > items.at(-1).height);
    assert.ok(transactions.length > 0);
    for (const { block_number, gas_used, timestamp } of transactions) {
      const block = items.find(({ height }) => height === block_number);
      assert.ok(block.transactions_count > 0 && BigInt(block.gas_used) >= BigInt(gas_used));
      assert.equal(block.timestamp, timestamp);
    }
    const mined = items.filter(({ miner }) => miner.hash === producer).map(({ height }) => String(height));
    const rows = services[11].getAllRows("getminedblocks", { address: producer }).map(({ blockNumber }) => blockNumber);
    assert.deepEqual(mined, rows.slice(0, mined.length));
    assert.equal(services[11].getAllItems("/blocks", { type: "uncle" }).length, 60);
    assert.ok(services[11].getAllItems("/blocks", { type: "reorg" }).every(({ type }) => type === "reorg"));
    assert.equal(await getStatus(11, "/blocks", { type: "orphan" }), 422);
  });

  test("has statistics that match its lists", async () => {
    const stats = await getBody(11, "/stats");
    const { exchange_rate } = await getBody(11, "/addresses");
    assert.deepEqual([stats.coin_price, stats.total_blocks, stats.average_block_time], [exchange_rate, "23705401", 12_000]);
    assert.equal(stats.total_addresses, "5000");
    assert.match(stats.market_cap, /^\d+\.\d\d$/);
    assert.equal(typeof stats.gas_prices.average.price, "number");
    assert.equal(typeof (await getBody(8, "/stats")).gas_prices.average, "number");
  });

  test("has internal transactions of one transaction", async () => {
    const all = services[11].getAllItems("/internal-transactions");
    const { transaction_hash } = all[40];
    const expected = all.filter((item) => item.transaction_hash === transaction_hash);
    assert.deepEqual((await getBody(11, "/internal-transactions", { transaction_hash })).items, expected);
    const limited = await getBody(11, "/internal-transactions", { limit: "5" });
    assert.deepEqual([limited.items.length, limited.next_page_params], [5, null]);
    assert.equal(await getStatus(12, "/internal-transactions", { limit: "5" }), 422);
    assert.equal((await getBody(12, "/internal-transactions")).meta.status, 2);
    assert.ok(
      services[12].getAllItems("/internal-transactions", { include_zero_value: "false" }).every(({ value }) => value !== "0"),
    );
  });

  test("has withdrawals with receivers", () => {
    const withdrawals = services[11].getAllItems("/withdrawals");
    assert.ok(withdrawals.length === 306 && withdrawals.every(({ receiver }) => [hub, quiet, producer].includes(receiver.hash)));
  });

  test("has deposits and election rewards", () => {
    const deposits = services[11].getAllItems(`/addresses/${hub}/beacon/deposits`);
    for (const { pubkey, signature, status, withdrawal_address, block_timestamp } of deposits) {
      assert.match(pubkey, /^0x[0-9a-f]{96}$/);
      assert.match(signature, /^0x[0-9a-f]{192}$/);
      assert.match(block_timestamp, /\.000000Z$/);
      assert.equal(withdrawal_address === null, status === "invalid");
    }
    assert.deepEqual([...new Set(deposits.map(({ status }) => status))].sort(), ["completed", "invalid", "pending"]);
    const rewards = services[11].getAllItems(`/addresses/${hub}/celo/election-rewards`);
    assert.deepEqual([...new Set(rewards.map(({ type }) => type))].sort(), ["delegated_payment", "group", "validator", "voter"]);
  });

  test("has the block at a time", async () => {
    const getBlock = async (query) =>
      (await services[11].fetch(`/api?${new URLSearchParams({ module: "block", action: "getblocknobytime", ...query })}`)).json();
    const [{ height, timestamp }] = (await getBody(11, "/blocks")).items;
    const seconds = Date.parse(timestamp) / 1000;
    const ok = (number) => ({ message: "OK", result: { blockNumber: String(number) }, status: "1" });
    assert.deepEqual(await getBlock({ timestamp: seconds, closest: "before" }), ok(height));
    assert.deepEqual(await getBlock({ timestamp: seconds - 1, closest: "before" }), ok(height - 1));
    assert.deepEqual(await getBlock({ timestamp: seconds - 1, closest: "after" }), ok(height));
    assert.deepEqual(await getBlock({ timestamp: seconds + 60, closest: "before" }), ok(height));
    for (const query of [
      { timestamp: seconds + 60, closest: "after" },
      { timestamp: 1, closest: "before" },
      { closest: "after" },
      { timestamp: 1 },
      { timestamp: "x", closest: "after" },
    ]) {
      assert.deepEqual((({ result, status }) => [result, status])(await getBlock(query)), [null, "0"], JSON.stringify(query));
    }
  });
});

describe("version differences:", () => {
  test("each version names itself", async () => {
    for (const version of BACKEND_VERSIONS)
      assert.match((await getBody(version, "/config/backend-version")).backend_version, new RegExp(`^v${version}\\.`));
    assert.equal((await getBody(12, "/config/backend")).chain_type, "ethereum");
    assert.equal(await getStatus(8, "/config/backend"), 400);
    assert.equal((await getBody(11, "/main-page/indexing-status")).indexed_blocks_ratio, 1);
    assert.equal((await getBody(8, "/main-page/indexing-status")).indexed_blocks_ratio, "1.00");
  });

  test("8 has old names and paths", async () => {
    const [transaction] = services[8].getAllItems(`/addresses/${quiet}/transactions`).slice(-1);
    assert.equal(transaction.tx_burnt_fee, transaction.transaction_burnt_fee);
    assert.ok("actions" in transaction && !("fhe_operations_count" in transaction));
    const [block] = (await getBody(8, "/blocks")).items;
    assert.equal(block.transaction_count, block.transactions_count);
    assert.ok(!("creation_status" in (await getBody(8, `/addresses/${hub}`))));
    const [{ token }] = await getBody(8, `/addresses/${hub}/token-balances`);
    assert.equal(token.address, token.address_hash);
    assert.equal(await getStatus(8, `/addresses/${hub}/beacon/deposits`), 400);
    assert.equal(await getStatus(8, `/addresses/${hub}/celo/election-rewards`), 400);
    assert.equal(services[8].getAllItems(`/addresses/${hub}/election-rewards`).length, 140);
    assert.equal(await getStatus(11, `/addresses/${hub}/election-rewards`), 400);
  });

  test("9 and later reject unknown parameters, 8 ignores them", async () => {
    for (const path of [
      `/addresses/${hub}`,
      `/addresses/${hub}/counters`,
      `/addresses/${hub}/token-balances`,
      "/stats",
      "/blocks",
      `/addresses/${hub}/tokens`,
    ]) {
      assert.deepEqual(
        [
          await getStatus(8, path, { page: "2" }),
          await getStatus(11, path, { page: "2" }),
          await getStatus(12, path, { page: "2" }),
        ],
        [200, 422, 422],
        path,
      );
      assert.equal(await getStatus(11, path, { apikey: "secret" }), 200);
    }
  });

  test("12 has items_count as the page size", async () => {
    const path = `/addresses/${hub}/transactions`;
    assert.equal((await getBody(12, path, { items_count: "80" })).items.length, 80);
    assert.equal(await getStatus(11, path, { items_count: "80" }), 422);
  });

  test("all have the errors of the lists", async () => {
    for (const path of [`/addresses/${restricted}`, `/addresses/${restricted}/counters`, `/addresses/${restricted}/tokens`])
      assert.equal(await getStatus(11, path), 403);
    assert.equal(await getStatus(11, `/addresses/${ids.overloaded}`), 500);
    assert.equal(await getStatus(11, "/addresses/0x12"), 422);
    assert.equal(await getStatus(11, `/addresses/${UNKNOWN_ADDRESS}/celo/election-rewards`), 404);
  });
});

describe("growth", () => {
  test("adds rows to the REST lists and to the account module", async () => {
    const service = createSampleService({ pageSize: 1000 });
    const lists = [
      `/addresses/${deep}/token-transfers`,
      `/addresses/${deep}/internal-transactions`,
      "/token-transfers",
      "/internal-transactions",
      "/blocks",
    ];
    const readNewest = () => Promise.all(lists.map(async (path) => (await request(service, path)).body.items));
    const before = await readNewest();
    const rowsBefore = service.getAllRows("tokentx", { address: deep }).length;
    service.grow(3);
    const after = await readNewest();
    for (const [i, path] of lists.entries()) {
      assert.equal(after[i].filter(({ block_number, height = block_number }) => height > 23_705_400).length, 3, path);
      assertSameItems(after[i].slice(3), before[i].slice(0, after[i].length - 3));
    }
    assert.equal(service.getAllRows("tokentx", { address: deep }).length, rowsBefore + 3);
    const { items } = (await request(service, `/addresses/${deep}/transactions`)).body;
    assert.deepEqual(
      items.slice(0, 7).map(({ block_number }) => block_number - 23_705_400),
      [3, 3, 2, 2, 1, 1, items[6].block_number - 23_705_400],
    );
    assert.equal((await request(service, `/transactions/${items[0].hash}`)).body.token_transfers.length, 1);
    service.grow();
    assert.equal((await request(service, "/blocks")).body.items[0].height, 23_705_404);
    assert.equal((await request(service, "/stats")).body.total_blocks, "23705405");
  });

  test("adds the rows of new blocks to the combined list, and replaces them", () => {
    const service = createSampleService();
    const readNewest = () => service.getAllItems("/advanced-filters", { age_from: "2026-10-31T00:00:00Z" });
    const before = readNewest();
    assert.ok(before.length > 10);
    service.grow(2);
    const grown = readNewest();
    assertSameItems(grown.slice(-before.length), before);
    const added = grown.slice(0, -before.length);
    // Each block has two transactions, a transfer and an internal transaction.
    assert.deepEqual(
      added.map(({ block_number }) => block_number - 23_705_400),
      [2, 2, 2, 2, 1, 1, 1, 1],
    );
    service.reorganise();
    const replaced = readNewest();
    assertSameItems(replaced.slice(4), grown.slice(4));
    assert.ok(replaced.slice(0, 4).every(({ hash }) => !added.some((item) => item.hash === hash)));
  });

  test("between two pages repeats and drops nothing", async () => {
    const service = createSampleService();
    const path = `/addresses/${deep}/transactions`;
    const first = await request(service, path);
    service.grow(30);
    const second = await request(service, path, parseCursor(first.text));
    const hashes = [...first.body.items, ...second.body.items].map(getHash);
    const expected = createSampleService()
      .getAllRows("txlist", { address: deep, startblock: "23000000" })
      .slice(0, 100)
      .map(getHash);
    assert.deepEqual(hashes, expected);
  });

  test("rejects a number of blocks that is not one", () => {
    for (const blocks of [-1, 0.5, "1"]) assert.throws(() => createSampleService().grow(blocks), RangeError);
  });
});

test("sample addresses have unique ids beside their labels", () => {
  const { addresses } = services[11];
  assert.equal(new Set(addresses.map(({ id }) => id)).size, addresses.length);
  assert.equal(addresses.find(({ id }) => id === "hub").label, "Busy smart account");
});
