// Soak test over HTTP: reads every list, action and range of the sample service while 30 % of the requests fail, some of them
// on the socket. Every record must come once and in order, every error must be typed, and no call may hang.
//
// `make soak` runs it with more seeds: SEEDS=50 node --test tests/js/soak.test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { RECOVERABLE_KINDS } from "../../target/parts/testing/faults/fault-injector.js";
import { SOCKET_FAULT_KINDS, startSampleServer } from "../sample-server.mjs";
import { assertRecord } from "./assert-record.mjs";
import { assertRows, createAddressFinder } from "./account-rows.mjs";
import { LISTS, LOOKUPS, fillPath } from "./operations.mjs";

const SEEDS = Number(process.env.SEEDS ?? 1);
const RATE = 0.3;
/** A call that takes longer is considered to hang. Its own deadline is much shorter. */
const HANG_MS = 300_000;
const LIMITS = { timeoutMs: 2_500, deadlineMs: 30_000 };
/** Maximum number of pages of an action to read one by one. */
const MAX_PAGES = 8;
/** Maximum number of consecutive errors without a record in between. */
const MAX_CONSECUTIVE_ERRORS = 40;
/** The codes of temporary failures. A 403 is not retried by the client, but the next call succeeds. */
const TEMPORARY_CODES = new Set(["timeout", "network", "rate_limited", "blocked", "http_status", "decode", "cursor"]);

const sample = createSampleService({ pageSize: 300 });
const findAddress = createAddressFinder(sample);
const hub = findAddress("Busy smart account");
const settlement = findAddress("Settlement contract");
const minter = findAddress("Batch minter");
const deep = findAddress("Exchange hot wallet");
const producer = findAddress("Validator");

/** Counts reads, requests and errors. Errors are counted by code, and by whether they had a resume token. */
class Tally {
  counts = { reads: 0, records: 0, requests: 0, rejected: 0 };

  add(name, count = 1) {
    this.counts[name] = (this.counts[name] ?? 0) + count;
  }

  /** Counts an error, the n-th in a row. Fails the test if it is not typed or not temporary. */
  addError(error, errors) {
    assert.ok(isAddressQueryError(error), `untyped: ${error?.stack ?? error}`);
    assert.ok(TEMPORARY_CODES.has(error.code), `${error.code}: ${error.message}`);
    if (error.code === "blocked") assert.ok([undefined, 403].includes(error.status), error.message);
    if (error.code === "http_status") assert.ok([403, 500, 502, 503, 504].includes(error.status), error.message);
    assert.ok(errors <= MAX_CONSECUTIVE_ERRORS, `${errors} consecutive errors, the last: ${error.message}`);
    this.add(`${error.code} ${error.resumeToken ? "with token" : "without token"}`);
  }

  /** The global fetch, which counts the failures that are visible before the body. */
  fetch = async (request) => {
    this.add("requests");
    const response = await fetch(request).catch((error) => {
      this.add("rejected");
      throw error;
    });
    if (!response.ok) this.add(response.status);
    return response;
  };
}

/** Returns the result of a promise that must settle in time. */
async function withTimeout(promise, name) {
  let timer;
  const timeout = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`${name} hangs`)), HANG_MS)));
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a whole list or range, by records or by pages. After an error it resumes, or starts again if there is no token. */
async function readAll(open, byPages, tally, name) {
  let records = [];
  let errors = 0;
  for (let call = open(); ; ) {
    const iterator = byPages ? (call.pages ?? call.windows).call(call) : call[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await withTimeout(iterator.next(), name);
        if (done) return records;
        records.push(...(byPages ? (value.items ?? value) : [value]));
        errors = 0;
      }
    } catch (error) {
      tally.addError(error, ++errors);
      if (!error.resumeToken) records = [];
      call = open(error.resumeToken);
    }
  }
}

/** Repeats a call until it succeeds. Returns its result. */
async function callUntilSuccess(call, tally, name) {
  for (let errors = 1; ; errors++) {
    try {
      return await withTimeout(call(), name);
    } catch (error) {
      tally.addError(error, errors);
    }
  }
}

/** Reads the pages of an action until one is not full, at most MAX_PAGES. */
async function readPages(method, params, offset, tally) {
  const records = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { items } = await callUntilSuccess(() => method({ ...params, page, offset }), tally, "a page");
    records.push(...items);
    if (items.length < offset) break;
  }
  return records;
}

/** Reverts the changes of the fault `drift` in a record. */
function revertDrift(record) {
  for (const field of ["type", "token_type", "proxy_type"]) {
    if (typeof record[field] === "string") record[field] = record[field].replace(/-next$/, "");
  }
  if (record.token) revertDrift(record.token);
  return record;
}

/** Lists of the whole chain, whose new blocks add records at the start. */
const GROWING = new Set(["/transactions", "/internal-transactions", "/blocks", "/advanced-filters"]);
/** Fields that change with every block. */
const VOLATILE = [
  "confirmations",
  "total_blocks",
  "total_transactions",
  "transactions_today",
  "total_gas_used",
  "gas_used_today",
  "gas_price_updated_at",
];
/** Orders the values of these fields: numbers, decimal strings and ISO times. */
const getOrder = (value) => (Number.isNaN(Number(value)) ? Date.parse(value) : Number(value));

/** Replaces the values that new blocks have changed with the values that the sample service sent without these blocks. */
function revertGrowth(record, sent) {
  const fields = VOLATILE.filter((field) => field in sent && getOrder(record[field]) >= getOrder(sent[field]));
  // The gas prices come from the newest block, and can be higher or lower than before.
  if ("gas_prices" in sent && record.gas_price_updated_at > sent.gas_price_updated_at) fields.push("gas_prices");
  return { ...record, ...Object.fromEntries(fields.map((field) => [field, sent[field]])) };
}

async function assertList(items, path, query) {
  const expected = await fetchItems(path, query);
  assert.ok(expected.length > 0, `${path} has no items in the sample service`);
  const added = items.length - expected.length;
  assert.ok(added === 0 || (added > 0 && GROWING.has(path)), `${path}: ${items.length} items instead of ${expected.length}`);
  items
    .slice(added)
    .forEach((item, i) => assertRecord(revertGrowth(revertDrift(item), expected[i]), expected[i], `${path}[${i}]`));
}

/** Fields that the client adds to the sent ones. */
const addedFields = {
  tokenlist: () => ({ id: null }),
  getminedblocks: ({ timeStamp }) => ({ timestamp: timeStamp.replace(" ", "T") }),
};

/** Compares rows with the rows of the sample service. The chain may have grown meanwhile. */
function assertAction(rows, action, params, limit) {
  const expected = sample
    .getAllRows(action, params)
    .slice(0, limit)
    .map((row) => ({ ...addedFields[action]?.(row), ...row }));
  const withSentConfirmations = (row, sent = {}) => {
    if (!("confirmations" in sent)) return row;
    assert.ok(Number(row.confirmations) >= Number(sent.confirmations), `${row.confirmations} confirmations`);
    return { ...row, confirmations: sent.confirmations };
  };
  assertRows(
    rows.map((row, i) => withSentConfirmations(revertDrift(row), expected[i])),
    expected,
  );
}

const RANGES = {
  txList: "txlist",
  txListInternal: "txlistinternal",
  tokenTx: "tokentx",
  tokenNftTx: "tokennfttx",
  token1155Tx: "token1155tx",
  token404Tx: "token404tx",
};
const UNRANGED = { pendingTxList: ["pendingtxlist", "Busy smart account"], getMinedBlocks: ["getminedblocks", "Validator"] };
/** The newest blocks of the longest history are few enough to be read often. */
const newestPage = await sample.fetch(`/api?module=account&action=txlist&address=${deep}&page=1&offset=600`);
const NEWEST_BLOCKS_START = (await newestPage.json()).result.at(-1).blockNumber;

/** Lists without data in the sample service, which is not a Celo chain. */
const UNSERVED = ["addressCeloElectionRewards"];
/** The token with most holders, and an NFT with transfers. */
const token = sample.getAllItems("/tokens", { q: "Wrapped Sample Ether" })[0];
const nft = sample.getAllItems(`/addresses/${hub}/nft`).find(({ token_type }) => token_type === "ERC-1155");
/** Lists that are not read for the busiest address. */
const LIST_ADDRESSES = {
  addressLogs: settlement,
  addressTokenTransfers: minter,
  addressBlocksValidated: producer,
  tokenHolders: token.address_hash,
  transfersOfToken: token.address_hash,
  tokenInstances: nft.token.address_hash,
  tokenInstanceTransfers: nft.token.address_hash,
  tokenInstanceHolders: nft.token.address_hash,
};
/** Filters of the lists of the whole chain, so that they are short enough to be read often. */
const LIST_FILTERS = {
  tokenTransfers: { type: ["ERC-404", "ERC-1155"] },
  transactions: { filter: "pending" },
  blocks: { type: "uncle" },
  searchQuick: { q: "eth" },
  search: { q: "eth" },
};
const LOOKUP_QUERIES = { searchRedirect: { q: "hub.sample.eth" } };
/** A transaction with token transfers. */
const [{ hash: transaction_hash, block_number }] = sample
  .getAllItems(`/addresses/${hub}/transactions`)
  .filter(({ status, transaction_types }) => status === "ok" && transaction_types.includes("token_transfer"));
const PATH_VALUES = {
  transaction_hash,
  block_hash_or_number: block_number,
  user_operation_hash: sample.getAllItems("/proxy/account-abstraction/operations")[0].hash,
  token_id: nft.id,
};
/** Transactions and a block with records of other lists. */
const LIST_VALUES = {
  blockWithdrawals: { block_hash_or_number: sample.getAllItems("/withdrawals")[0].block_number },
  transactionInternalTransactions: {
    transaction_hash: sample.getAllItems(`/addresses/${hub}/internal-transactions`)[0].transaction_hash,
  },
  transactionLogs: { transaction_hash: sample.getAllItems(`/addresses/${settlement}/logs`)[0].transaction_hash },
};
const LOOKUP_ADDRESSES = { token: token.address_hash, tokenCounters: token.address_hash, tokenInstance: nft.token.address_hash };

/** Returns the body of a response of the sample service without faults. */
const fetchBody = async (path) => (await sample.fetch(`/api/v2${path}`)).json();

/** Returns the items of a list of the sample service. It sends lists of one page as plain arrays. */
async function fetchItems(path, query) {
  try {
    return sample.getAllItems(path, query);
  } catch {
    const body = await fetchBody(`${path}?${new URLSearchParams(query)}`);
    return body.items ?? body;
  }
}

/** Returns a function per list, action and range, which reads it with a client and returns the number of records. */
function createReads(tally, seed) {
  const list = async (open, path, query) => {
    const items = await readAll(open, (seed + path.length) % 2 === 0, tally, path);
    await assertList(items, path, query);
    return items.length;
  };
  const lookup = async (method, params, path) => {
    const record = await callUntilSuccess(() => method(params), tally, path);
    const sent = await fetchBody(path);
    assertRecord(revertGrowth(revertDrift(record), sent), sent, path);
    return 1;
  };
  const range = async ({ account }, method, action, params) => {
    const sort = (seed + action.length) % 2 === 0 ? "asc" : "desc";
    const rows = await readAll((resume) => account[method].all({ ...params, sort }, { resume }), seed % 2 === 0, tally, action);
    assertAction(rows, action, { ...params, sort });
    return rows.length;
  };
  const pages = async ({ account }, method, action, params) => {
    const rows = await readPages((params) => account[method](params), params, 15, tally);
    assertAction(rows, action, params, 15 * MAX_PAGES);
    return rows.length;
  };
  return [
    ...LISTS.filter(({ method }) => !UNSERVED.includes(method)).map(({ method, path }) => {
      const address_hash = LIST_ADDRESSES[method] ?? hub;
      const filters = LIST_FILTERS[method] ?? {};
      const filled = fillPath(path, { ...PATH_VALUES, ...LIST_VALUES[method], address_hash });
      const params = { ...filled.params, ...filters };
      const query = Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]));
      return (client) => list((resume) => client[method](params, { resume }), filled.path, query);
    }),
    ...LOOKUPS.map(({ method, path }) => {
      const { params, path: filled } = fillPath(path, { ...PATH_VALUES, address_hash: LOOKUP_ADDRESSES[method] ?? hub });
      const query = LOOKUP_QUERIES[method];
      const sent = query ? `${filled}?${new URLSearchParams(query)}` : filled;
      return (client) => lookup((params) => client[method](params), { ...params, ...query }, sent);
    }),
    ...Object.entries(RANGES).flatMap(([method, action]) => [
      (client) => range(client, method, action, { address: hub }),
      (client) => pages(client, method, action, { address: settlement, sort: "asc" }),
    ]),
    ...Object.entries(UNRANGED).map(
      ([method, [action, label]]) =>
        (client) =>
          pages(client, method, action, { address: findAddress(label) }),
    ),
    // Reading the accounts refreshes their balances, so only the addresses are compared.
    async ({ account }) => {
      const rows = await readPages((params) => account.listAccounts(params), {}, 50, tally);
      const expected = sample.getAllRows("listaccounts").slice(0, 50 * MAX_PAGES);
      assert.deepEqual(
        rows.map(({ address }) => address),
        expected.map(({ address }) => address),
      );
      return rows.length;
    },
    async ({ account }) => {
      const { items } = await callUntilSuccess(() => account.tokenList({ address: hub }), tally, "tokenList");
      assertAction(items, "tokenlist", { address: hub });
      return items.length;
    },
    async ({ account }) => {
      const address = sample
        .getAllItems("/addresses")
        .slice(0, 50)
        .map(({ hash }) => hash);
      const balances = await callUntilSuccess(() => account.balanceMulti({ address }), tally, "balanceMulti");
      assert.deepEqual(
        balances.map(({ account }) => account),
        address,
      );
      return balances.length;
    },
    async ({ graphql }) => {
      const params = { address: minter, sort: "asc" };
      const rows = await readAll((resume) => graphql.txList(params, { resume }), seed % 2 === 0, tally, "GraphQL transactions");
      assert.deepEqual(
        rows.map(({ hash }) => hash),
        sample.getAllRows("txlist", params).map(({ hash }) => hash),
      );
      return rows.length;
    },
    async ({ graphql }) => {
      const address = [hub, settlement, minter, deep, producer];
      const balances = await callUntilSuccess(() => graphql.balanceMulti({ address }), tally, "GraphQL balances");
      assert.deepEqual(
        balances.map(({ account }) => account),
        address,
      );
      return balances.length;
    },
    // A part whose request fails is null.
    async (client) => {
      const { backendVersion } = await callUntilSuccess(() => client.instance(), tally, "instance");
      assert.ok([null, "v11.2.7"].includes(backendVersion), backendVersion);
      return 1;
    },
    // This range grows while it is read.
    async ({ account }) => {
      const params = { address: deep, startblock: NEWEST_BLOCKS_START, sort: "asc" };
      const before = sample.getAllRows("txlist", params);
      const rows = await readAll((resume) => account.txList.all(params, { resume }), false, tally, "a growing range");
      const hashes = new Set(rows.map(({ hash }) => hash));
      assert.deepEqual(
        rows.slice(0, before.length).map(({ hash }) => hash),
        before.map(({ hash }) => hash),
      );
      assert.equal(hashes.size, rows.length, "a transaction came twice");
      return rows.length;
    },
  ];
}

test(`every record is read once although ${RATE * 100} % of the requests fail, seeds: ${SEEDS}`, async (context) => {
  const kinds = [...RECOVERABLE_KINDS, "html_forbidden_page", ...SOCKET_FAULT_KINDS];
  const tally = new Tally();
  for (let seed = 0; seed < SEEDS; seed++) {
    const service = await startSampleServer({ pageSize: 300, faults: { seed, rate: RATE, kinds } });
    try {
      // Each client has its own `fetch`, and therefore its own rate limiter: a 429 does not delay the others.
      const createClient = () => new AddressClient({ baseUrl: service.url, ...LIMITS, fetch: (request) => tally.fetch(request) });
      const run = async (read) => {
        tally.add("reads");
        tally.add("records", await read(createClient()));
      };
      await Promise.all(createReads(tally, seed).map(run));
    } finally {
      await service.close();
    }
  }
  context.diagnostic(JSON.stringify(tally.counts));
  // About half of the faults are visible before the body.
  const { requests, rejected, ...others } = tally.counts;
  const failed = rejected + [429, 500, 502, 503, 504].reduce((sum, status) => sum + (others[status] ?? 0), 0);
  assert.ok(failed > (requests * RATE) / 4, `only ${failed} of ${requests} requests failed`);
});
