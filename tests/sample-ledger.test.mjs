// Tests of the ledger behind the sample service: its lists, balances and counters must agree to the last unit, for every sample
// address and in both interfaces. All values come from responses, none from the code of the service.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSampleService } from "../pkg/testing/index.js";
import { assertSameItems, expandFiatValue, parseCursor, request } from "./sample-requests.mjs";

// `make soak` reads three seeds.
const SEEDS = process.env.SEEDS ? [1, 2, 3] : [1];
/** Its 60,000 transactions are read by `make soak` only. The test of `auditBalance` adds up their amounts, too. */
const LARGEST = "deep";
const PAGE_SIZE = 20_000;
const WITH_SCAM = { headers: { "show-scam-tokens": "true" } };
/** Addresses that the service refuses to list. */
const REFUSED = ["restricted", "overloaded"];
/** Its newest internal transactions are missing in the account module. */
const UNPROCESSED = "lagging";
const LISTS = [
  "transactions",
  "internal-transactions",
  "token-transfers",
  "withdrawals",
  "blocks-validated",
  "coin-balance-history",
  "tokens",
  "nft",
];
const TRANSFER_ACTIONS = { tokentx: "ERC-20", tokennfttx: "ERC-721", token1155tx: "ERC-1155", token404tx: "ERC-404" };
const ZERO_ADDRESS = `0x${"0".repeat(40)}`;

const lower = (address) => address?.hash.toLowerCase() ?? null;
const toSeconds = (timestamp) => Date.parse(timestamp) / 1000;
const isMined = ({ block_number }) => block_number !== null;
/** Compares without the values, which can be BigInts. */
const createKey = (...parts) => parts.join(" ");

/** Reads all pages of a REST list. */
async function readList(service, path) {
  const items = [];
  for (let cursor = {}; cursor; ) {
    const { status, text, body } = await request(service, path, expandFiatValue(cursor), WITH_SCAM);
    assert.equal(status, 200, `${path}: ${text.slice(0, 200)}`);
    items.push(...body.items);
    cursor = parseCursor(text);
  }
  return items;
}

/** Reads all rows of an action, oldest first, in windows of blocks that begin where the previous one was cut off. */
async function readRows(service, action, query) {
  const rows = [];
  const read = async (values) => {
    const search = new URLSearchParams({ module: "account", action, sort: "asc", ...values });
    // The service rejects the first two requests for the rate-limited address.
    for (let attempt = 0; attempt < 3; attempt++) {
      const { result } = await (await service.fetch(`https://any.example/api?${search}`)).json();
      if (result !== null) return result;
    }
    throw new Error(`no result of ${search}`);
  };
  for (let startblock = 0; ; ) {
    const page = await read({ ...query, startblock });
    if (page.length < 10_000) return [...rows, ...page];
    const last = page.at(-1).blockNumber;
    const complete = page.filter(({ blockNumber }) => blockNumber !== last);
    const rest = [];
    for (let number = 1; rest.length % 10_000 === 0 && (number === 1 || rest.length > 0); number++) {
      rest.push(...(await read({ ...query, startblock: last, endblock: last, page: number })));
    }
    rows.push(...complete, ...rest);
    startblock = Number(last) + 1;
  }
}

async function readLists(service, hash) {
  const entries = [];
  for (const list of LISTS) entries.push([list, await readList(service, `/addresses/${hash}/${list}`)]);
  return Object.fromEntries(entries);
}

/** Whether an internal transaction is the creation of a contract by the transaction itself, which is listed, too. */
const isTransaction = ({ index, type }) => index === 0 && type.startsWith("create");

/** The events that change the balance of the native coin: block, position and change. */
function getCoinEvents(lists, account) {
  const events = [];
  const add = (block, delta) => events.push({ block, delta });
  const move = (block, from, to, value) => {
    if (from === account) add(block, -BigInt(value));
    if (to === account) add(block, BigInt(value));
  };
  for (const { block_number, from, to, created_contract, value, fee, status } of lists.transactions.filter(isMined)) {
    if (lower(from) === account) add(block_number, -BigInt(fee.value));
    if (status === "ok") move(block_number, lower(from), lower(to ?? created_contract), value);
  }
  for (const item of lists["internal-transactions"].filter((item) => item.success && !isTransaction(item))) {
    const { block_number, from, to, created_contract, value } = item;
    move(block_number, lower(from), lower(to ?? created_contract), value);
  }
  for (const { block_number, amount } of lists.withdrawals) add(block_number, BigInt(amount));
  for (const { height, rewards } of lists["blocks-validated"]) for (const { reward } of rewards) add(height, BigInt(reward));
  return events;
}

/** Checks the balance of the native coin at every block, its history, and the current balance. */
function checkCoinBalance(name, lists, account, current) {
  const changes = new Map();
  for (const { block, delta } of getCoinEvents(lists, account)) changes.set(block, (changes.get(block) ?? 0n) + delta);
  const history = new Map(lists["coin-balance-history"].map((row) => [row.block_number, row]));
  let balance = 0n;
  for (const block of [...new Set([...changes.keys(), ...history.keys()])].sort((a, b) => a - b)) {
    const delta = changes.get(block) ?? 0n;
    balance += delta;
    assert.ok(balance >= 0n, `${name}: the balance is ${balance} in block ${block}`);
    const row = history.get(block);
    const expected = delta === 0n && row === undefined ? {} : { value: String(balance), delta: String(delta) };
    const actual = row === undefined ? {} : { value: row.value, delta: row.delta };
    assert.deepEqual(actual, expected, `${name}: the balance of the native coin differs in block ${block}`);
  }
  if (current !== undefined) assert.equal(current ?? "0", String(balance), `${name}: the current balance differs`);
}

/** Checks that the transfers of each token add up to the balances, and that no balance was negative. */
function checkTokenBalances(name, lists, account) {
  const balances = new Map();
  const blocks = new Map();
  for (const { token, total, token_type, from, to, block_number } of sortTransfers(lists["token-transfers"])) {
    if (total === null || token_type === "ERC-7984") continue;
    const amount = BigInt(total.value ?? 1);
    const key = createKey(token.address_hash, total.token_id ?? "");
    blocks.set(key, block_number);
    const before = balances.get(key) ?? 0n;
    const after = before + (lower(to) === account ? amount : 0n) - (lower(from) === account ? amount : 0n);
    balances.set(key, after);
    assert.ok(after >= 0n, `${name}: the balance of ${key} is ${after} in block ${block_number}`);
    if (token_type === "ERC-721") assert.ok(after <= 1n, `${name}: holds ${key} ${after} times in block ${block_number}`);
  }
  const held = new Map([...balances].filter(([, value]) => value > 0n));
  const expected = new Map();
  for (const { token, token_id, value } of lists.tokens)
    if (value !== null && token.type !== "ERC-721")
      expected.set(createKey(token.address_hash, token_id ?? ""), token.type === "ERC-404" ? 1n : BigInt(value));
  for (const { token, id } of lists.nft) if (token.type === "ERC-721") expected.set(createKey(token.address_hash, id), 1n);
  for (const key of new Set([...held.keys(), ...expected.keys()])) {
    const message = `${name}: the balance of token ${key} differs; its last transfer is in block ${blocks.get(key)}`;
    assert.equal(held.get(key), expected.get(key), message);
  }
}

/** Checks counters, the list of all addresses, and balances by day. */
async function checkSummaries(service, name, hash, lists, ranked) {
  const transfers = service.getAllItems(`/addresses/${hash}/token-transfers`).length;
  const tokens = service.getAllItems(`/addresses/${hash}/tokens`).length;
  const { body: counters } = await request(service, `/addresses/${hash}/counters`);
  assert.deepEqual(
    [counters.transactions_count, counters.token_transfers_count, counters.validations_count],
    [lists.transactions.length, transfers, lists["blocks-validated"].length].map(String),
    `${name}: counters`,
  );
  const { body: tabs } = await request(service, `/addresses/${hash}/tabs-counters`);
  assert.deepEqual(
    [tabs.transactions_count, tabs.internal_transactions_count, tabs.withdrawals_count, tabs.token_balances_count],
    [lists.transactions.length, lists["internal-transactions"].length, lists.withdrawals.length, tokens].map((count) =>
      Math.min(51, count),
    ),
    `${name}: counters of tabs`,
  );
  const row = ranked.find((item) => item.hash === hash);
  if (row) {
    assert.equal(row.transactions_count, String(lists.transactions.length), `${name}: transactions_count`);
    assert.equal(row.coin_balance, lists["coin-balance-history"][0].value, `${name}: coin_balance`);
  }
  const { body } = await request(service, `/addresses/${hash}/coin-balance-history-by-day`);
  for (const { date, value } of body.items.slice(0, -1)) {
    const last = lists["coin-balance-history"].find(({ block_timestamp }) => block_timestamp.slice(0, 10) <= date);
    assert.equal(value, last?.value ?? "0", `${name}: the balance on ${date}`);
  }
}

const restKeys = {
  transactions: ({ hash, block_number, position, timestamp, fee, value, status, method }) =>
    createKey(block_number, position, hash, toSeconds(timestamp), value, status, method === null, fee.value),
  internals: (row) =>
    createKey(
      row.block_number,
      row.transaction_hash,
      row.index,
      toSeconds(row.timestamp),
      row.value,
      row.success,
      row.type,
      lower(row.from),
      lower(row.to),
      lower(row.created_contract),
    ),
};

/** Checks that the account module has the same rows as the REST lists, in the same order. */
async function checkInterfaces(service, name, account, lists) {
  const transactions = await readRows(service, "txlist", { address: account });
  const mined = lists.transactions.filter(isMined).reverse();
  // A price can be missing where the address did not pay it.
  const rows = transactions.map((row, i) => {
    const fee = row.gasPrice === "" && row.from !== account ? mined[i]?.fee.value : BigInt(row.gasUsed) * BigInt(row.gasPrice);
    const status = row.isError === "1" ? "error" : "ok";
    const { blockNumber, transactionIndex, hash, timeStamp, value, input } = row;
    return createKey(blockNumber, transactionIndex, hash, timeStamp, value, status, input === "0x", fee);
  });
  assertSame(`${name}: txlist`, rows, mined.map(restKeys.transactions));

  if (name !== UNPROCESSED) {
    const internals = await readRows(service, "txlistinternal", { address: account, include_zero_value: "true" });
    const keys = internals.map((row) =>
      createKey(
        row.blockNumber,
        row.transactionHash,
        row.index,
        row.timeStamp,
        row.value,
        row.isError === "0",
        row.callType || row.type,
        row.from,
        row.to || null,
        row.contractAddress || null,
      ),
    );
    assertSame(`${name}: txlistinternal`, keys, lists["internal-transactions"].toReversed().map(restKeys.internals));
  }

  for (const [action, type] of Object.entries(TRANSFER_ACTIONS)) {
    const transfers = (await readRows(service, action, { address: account })).map((row) => ({
      position: createKey(row.blockNumber, row.hash, row.timeStamp, row.from, row.to, row.tokenID ?? ""),
      amount: row.value ?? row.tokenValue ?? "",
      hasId: Boolean(row.tokenID),
    }));
    const items = sortTransfers(lists["token-transfers"].filter(({ token_type }) => token_type === type)).map((item) => {
      const { block_number, transaction_hash, timestamp, from, to, total } = item;
      const id = total?.token_id ?? "";
      const position = createKey(block_number, transaction_hash, toSeconds(timestamp), lower(from), lower(to), id);
      return { position, amount: total?.value ?? "", hasId: id !== "" };
    });
    assertSame(`${name}: ${action}`, sumEqualIds(transfers), sumEqualIds(items));
  }
}

/** Oldest first. The rows of a batch keep their order. */
const sortTransfers = (items) =>
  items
    .map((item, i) => ({ item, i }))
    .sort((a, b) => a.item.block_number - b.item.block_number || a.item.log_index - b.item.log_index || a.i - b.i)
    .map(({ item }) => item);

/** Sums the amounts of equal ids of one batch, as the REST API does. They follow each other in the sample data. */
function sumEqualIds(transfers) {
  const sums = [];
  for (const { position, amount, hasId } of transfers) {
    const last = sums.at(-1);
    if (hasId && last?.position === position) last.amount = BigInt(last.amount) + BigInt(amount);
    else sums.push({ position, amount });
  }
  return sums.map(({ position, amount }) => createKey(position, amount));
}

function assertSame(name, actual, expected) {
  const i = expected.findIndex((key, index) => key !== actual[index]);
  if (i >= 0) assert.equal(actual[i], expected[i], `${name}: row ${i} differs`);
  assert.equal(actual.length, expected.length, `${name}: number of rows`);
}

/** Checks everything about these sample addresses. */
async function checkLedger(service, ids) {
  const ranked = await readList(service, "/addresses");
  for (const { id, hash } of service.addresses.filter(({ id }) => !REFUSED.includes(id) && ids.includes(id))) {
    const account = hash.toLowerCase();
    const lists = await readLists(service, hash);
    let info;
    // The service refreshes a stale balance after two requests.
    for (let i = 0; i < 3; i++) info = (await request(service, `/addresses/${hash}`)).body;
    checkCoinBalance(id, lists, account, info.coin_balance);
    checkTokenBalances(id, lists, account);
    await checkSummaries(service, id, hash, lists, ranked);
    await checkInterfaces(service, id, account, lists);
    checkEvents(service, id, account, lists);
  }
}

/** Checks that the events of an address are the rows of its lists, in order. */
function checkEvents(service, name, account, lists) {
  const events = service.getEvents(account);
  const count = (kind) => events.filter((event) => event.kind === kind).length;
  assert.deepEqual(
    ["transaction", "internal_transaction", "withdrawal", "block_reward"].map(count),
    [
      lists.transactions.filter(isMined).length,
      lists["internal-transactions"].filter((item) => !isTransaction(item)).length,
      lists.withdrawals.length,
      lists["blocks-validated"].length,
    ],
    `${name}: numbers of events`,
  );
  const keys = events
    .filter(({ kind }) => kind === "transaction")
    .map((event) => createKey(event.block_number, event.transaction_index, event.transaction_hash, event.timestamp));
  const mined = lists.transactions.filter(isMined).reverse();
  assertSame(
    `${name}: events`,
    keys,
    mined.map(({ block_number, position, hash, timestamp }) => createKey(block_number, position, hash, toSeconds(timestamp))),
  );
  const coins = events.filter(({ token }) => token === null);
  const balance = coins.reduce((sum, { amount, from, to, fee, success }) => {
    const moved = success ? amount : 0n;
    return sum + (to === account ? moved : 0n) - (from === account ? moved : 0n) - fee;
  }, 0n);
  assert.equal(String(balance), lists["coin-balance-history"][0]?.value ?? "0", `${name}: the sum of the events`);
}

describe("the ledger balances for every sample address", () => {
  for (const seed of SEEDS) {
    test(`with seed ${seed}`, async () => {
      const service = createSampleService({ seed, pageSize: PAGE_SIZE });
      await checkLedger(
        service,
        service.addresses.map(({ id }) => id).filter((id) => id !== LARGEST),
      );
    });
  }

  test("after growth and reorganisations", async () => {
    const service = createSampleService({ pageSize: PAGE_SIZE });
    // Requests between the changes fill the tables that depend on new blocks.
    const deep = service.addresses.find(({ id }) => id === LARGEST).hash;
    for (const [added, replaced] of [
      [20, 7],
      [5, 10],
      [3, 3],
    ]) {
      service.grow(added);
      for (const list of LISTS) await request(service, `/addresses/${deep}/${list}`);
      service.reorganise(replaced);
    }
    await checkLedger(service, process.env.SEEDS ? [LARGEST, "quiet"] : ["quiet"]);
  });
});

describe("a reorganisation", () => {
  test("replaces the newest blocks in both interfaces, and lists the old ones", async () => {
    const service = createSampleService({ pageSize: 1000 });
    service.grow(3);
    const deep = service.addresses.find(({ id }) => id === "deep").hash;
    const readNewest = async () => (await request(service, `/addresses/${deep}/transactions`)).body.items;
    const before = await readNewest();
    const blocks = service.getAllItems("/blocks");
    service.reorganise(2);
    const after = await readNewest();
    assertSameItems(after.slice(4), before.slice(4));
    const hashes = new Set(after.map(({ hash }) => hash));
    assert.ok(before.slice(0, 4).every(({ hash }) => !hashes.has(hash)));
    assert.deepEqual(
      service.getAllRows("txlist", { address: deep, startblock: String(blocks[1].height) }).map(({ hash }) => hash),
      after.slice(0, 4).map(({ hash }) => hash),
    );
    const replaced = service.getAllItems("/blocks", { type: "reorg" }).slice(0, 2);
    assert.deepEqual(
      replaced.map(({ hash }) => hash),
      blocks.slice(0, 2).map(({ hash }) => hash),
    );
    const canonical = service.getAllItems("/blocks");
    assert.equal(canonical[0].parent_hash, canonical[1].hash);
    assert.equal(canonical[1].parent_hash, blocks[2].hash);
  });

  test("rejects a number of blocks that was not added", () => {
    const service = createSampleService();
    service.grow(2);
    for (const blocks of [-1, 0.5, 3, "1"]) assert.throws(() => service.reorganise(blocks), RangeError);
  });
});

describe("the ledger has", () => {
  const service = createSampleService({ pageSize: PAGE_SIZE });
  const find = (id) => service.addresses.find((address) => address.id === id).hash;
  const getItems = (id, list) => service.getAllItems(`/addresses/${find(id)}/${list}`);

  test("a block with every kind of event of one address, some equal except for their position", () => {
    const events = service.getEvents(find("producer"));
    const [{ block_number }] = events.filter(({ kind }) => kind === "withdrawal");
    const inBlock = events.filter((event) => event.block_number === block_number);
    assert.equal(new Set(inBlock.map(({ kind }) => kind)).size, 5);
    assert.deepEqual([...new Set(inBlock.map(({ token_type }) => token_type).filter(Boolean))].sort(), [
      "ERC-1155",
      "ERC-20",
      "ERC-404",
      "ERC-721",
      "ERC-7984",
    ]);
    assert.ok(inBlock.some(({ success, fee }) => !success && fee > 0n));
    assert.ok(inBlock.some(({ from, to, kind }) => from === to && kind === "transaction"));
    assert.ok(inBlock.some(({ from, to, kind }) => from === to && kind === "token_transfer"));
    const omitIndex = ({ index, index_in_batch, ...event }) => JSON.stringify(event, (_, value) => String(value));
    for (const kind of ["internal_transaction", "token_transfer"]) {
      const equal = inBlock.filter((event) => event.kind === kind).map(omitIndex);
      assert.ok(new Set(equal).size < equal.length, kind);
    }
  });

  test("address poisoning: transfers of zero tokens to lookalikes of recipients, signed by others", () => {
    const transfers = getItems("hub", "token-transfers");
    const hub = find("hub");
    const recipients = new Set(
      transfers.filter(({ from, total }) => from.hash === hub && total?.value !== "0").map(({ to }) => lower(to)),
    );
    const shorten = (hash) => hash.slice(0, 7) + hash.slice(-5);
    const known = new Map([...recipients].map((hash) => [shorten(hash), hash]));
    const attacks = transfers.filter(
      ({ to, total }) => total?.value === "0" && !recipients.has(lower(to)) && known.has(shorten(lower(to))),
    );
    assert.ok(attacks.length > 3);
    const signed = new Set(getItems("hub", "transactions").map(({ hash }) => hash));
    assert.ok(attacks.every(({ from, transaction_hash }) => from.hash === hub && !signed.has(transaction_hash)));
  });

  test("approvals among the logs of their transactions, in REST as in the logs module", async () => {
    for (const id of ["showcase", "hub"]) {
      const { token, block_number, log_index } = service.getApprovals(find(id)).find(({ kind }) => kind === "allowance");
      const query = { module: "logs", action: "getLogs", fromBlock: block_number, toBlock: block_number, address: token };
      const { result } = await (await service.fetch(`https://any.example/api?${new URLSearchParams(query)}`)).json();
      const { topics, data, transactionHash } = result.find(({ logIndex }) => Number(logIndex) === log_index);
      const item = service.getAllItems(`/transactions/${transactionHash}/logs`).find(({ index }) => index === log_index);
      assert.deepEqual([item.topics, item.data, lower(item.address)], [topics, data, token]);
      assert.match(item.decoded.method_call, /^Approval\(address indexed owner, address indexed spender, /);
    }
  });

  test("the same sender, method and fee for a transaction in every list", async () => {
    const transfers = getItems("quiet", "token-transfers");
    for (const { transaction_hash, method, block_number } of transfers) {
      const { body } = await request(service, `/transactions/${transaction_hash}`);
      assert.deepEqual([body.method, body.block_number], [method, block_number]);
      assert.notEqual(lower(body.from), ZERO_ADDRESS);
    }
  });
});
