// Fault runs over real HTTP: every list, every action with records and every range, read whole from the sample service while
// 30 % of the requests go wrong, on the socket too. Every record comes once and in order, every error is typed, no call hangs.
//
// SEEDS=50 node --test tests/js/soak.test.mjs is the long form (`make soak`).
import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { RECOVERABLE_KINDS } from "../../pkg/testing/faults.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { SOCKET_FAULT_KINDS, startSampleServer } from "../sample-server.mjs";
import { agree, PATHS } from "./agree.mjs";
import { assertRows, addressesOf } from "./rows.mjs";

const SEEDS = Number(process.env.SEEDS ?? 1);
const RATE = 0.3;
/** A call that takes longer hangs; its own limit is far below. */
const LONGEST_MS = 60_000;
const LIMITS = { timeoutMs: 2_500, deadlineMs: 30_000 };
/** Pages of an action that are read one by one. */
const MOST_PAGES = 8;
/** Errors in a row without a record in between that a caller takes. */
const PATIENCE = 40;
/** What may go wrong for a while; a 403 is for the caller to see, and is gone the next time. */
const CODES = new Set(["timeout", "network", "rate_limited", "http_status", "decode", "cursor"]);

const sample = createSampleService({ pageSize: 300 });
const at = addressesOf(sample);
const hub = at("Busy smart account");
const settlement = at("Settlement contract");
const minter = at("Batch minter");
const deep = at("Deep history");

/** Counts outcomes: `resumed` and `anew` by code. */
class Tally {
  counts = { reads: 0, records: 0, requests: 0, rejected: 0 };

  add(what, times = 1) {
    this.counts[what] = (this.counts[what] ?? 0) + times;
  }

  /** Takes an error; whatever is not a typed one ends the run. */
  failed(error, errors) {
    assert.ok(isAddressQueryError(error), `untyped: ${error?.stack ?? error}`);
    assert.ok(CODES.has(error.code), `${error.code}: ${error.message}`);
    if (error.code === "http_status") assert.ok([403, 500, 502, 503, 504].includes(error.status), error.message);
    assert.ok(errors <= PATIENCE, `${errors} errors in a row, the last: ${error.message}`);
    this.add(`${error.code} ${error.resumeToken ? "resumed" : "anew"}`);
  }

  /** The global fetch, watched: what of a fault shows before the body. */
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

/** A promise that must settle in time. */
async function settled(promise, what) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`${what} hangs`)), LONGEST_MS)));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Everything that `open` leads to, record by record or in pages; goes on from the token of an error, or opens anew. */
async function whole(open, inPages, tally, what) {
  let records = [];
  let errors = 0;
  for (let call = open(); ; ) {
    const iterator = inPages ? (call.pages ?? call.windows).call(call) : call[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await settled(iterator.next(), what);
        if (done) return records;
        records.push(...(inPages ? value.items ?? value : [value]));
        errors = 0;
      }
    } catch (error) {
      tally.failed(error, ++errors);
      if (!error.resumeToken) records = [];
      call = open(error.resumeToken);
    }
  }
}

/** The answer to a call that is made again until there is one. */
async function answered(call, tally, what) {
  for (let errors = 1; ; errors++) {
    try {
      return await settled(call(), what);
    } catch (error) {
      tally.failed(error, errors);
    }
  }
}

/** Pages of an action, until one is not full, or there were enough. */
async function pagesOf(method, params, offset, tally) {
  const records = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const { items } = await answered(() => method({ ...params, page, offset }), tally, "a page");
    records.push(...items);
    if (items.length < offset) break;
  }
  return records;
}

/** A record without what `drift` did to its labels. */
function undrifted(record) {
  for (const label of ["type", "token_type", "proxy_type"]) {
    if (typeof record[label] === "string") record[label] = record[label].replace(/-next$/, "");
  }
  if (record.token) undrifted(record.token);
  return record;
}

function assertList(items, path, query) {
  const truth = sample.getAllItems(path, query);
  assert.equal(items.length, truth.length, path);
  items.forEach((item, i) => agree(undrifted(item), truth[i], `${path}[${i}]`));
}

/** What is given out beside what was sent. */
const added = {
  tokenlist: () => ({ id: null }),
  getminedblocks: ({ timeStamp }) => ({ timestamp: timeStamp.replace(" ", "T") }),
};

/** Rows against those of a chain that has not grown. */
function assertAction(rows, action, params, most) {
  const truth = sample.getAllRows(action, params).slice(0, most).map((row) => ({ ...added[action]?.(row), ...row }));
  const older = (row, sent = {}) => {
    if (!("confirmations" in sent)) return row;
    assert.ok(Number(row.confirmations) >= Number(sent.confirmations), `${row.confirmations} confirmations`);
    return { ...row, confirmations: sent.confirmations };
  };
  assertRows(rows.map((row, i) => older(undrifted(row), truth[i])), truth);
}

const RANGES = { txList: "txlist", txListInternal: "txlistinternal", tokenTx: "tokentx", tokenNftTx: "tokennfttx", token1155Tx: "token1155tx", token404Tx: "token404tx" };
const FIXED = { pendingTxList: ["pendingtxlist", "Busy smart account"], getMinedBlocks: ["getminedblocks", "Block producer"] };
/** Few enough to be read often: the newest blocks of the longest history. */
const newest = await sample.fetch(`/api?module=account&action=txlist&address=${deep}&page=1&offset=600`);
const NEWEST = (await newest.json()).result.at(-1).blockNumber;

/** Every reading, as functions of a client. */
function readings(tally, seed) {
  const list = async (open, path, query) => {
    const items = await whole(open, (seed + path.length) % 2 === 0, tally, path);
    assertList(items, path, query);
    return items.length;
  };
  const range = async ({ account }, method, action, params) => {
    const sort = (seed + action.length) % 2 === 0 ? "asc" : "desc";
    const rows = await whole((resume) => account[method].all({ ...params, sort }, { resume }), seed % 2 === 0, tally, action);
    assertAction(rows, action, { ...params, sort });
    return rows.length;
  };
  const pages = async ({ account }, method, action, params) => {
    const rows = await pagesOf((asked) => account[method](asked), params, 15, tally);
    assertAction(rows, action, params, 15 * MOST_PAGES);
    return rows.length;
  };
  return [
    (client) => list((resume) => client.addresses({}, { resume }), "/addresses"),
    (client) => list((resume) => client.tokenTransfers({ type: ["ERC-404", "ERC-1155"] }, { resume }), "/token-transfers", { type: "ERC-404,ERC-1155" }),
    ...Object.entries(PATHS).map(([method, name]) => {
      const address_hash = { logs: settlement, "token-transfers": minter }[name] ?? hub;
      return (client) => list((resume) => client[method]({ address_hash }, { resume }), `/addresses/${address_hash}/${name}`);
    }),
    ...Object.entries(RANGES).flatMap(([method, action]) => [
      (client) => range(client, method, action, { address: hub }),
      (client) => pages(client, method, action, { address: settlement, sort: "asc" }),
    ]),
    ...Object.entries(FIXED).map(([method, [action, label]]) => (client) => pages(client, method, action, { address: at(label) })),
    // Balances get fresh by being asked for; the accounts stay.
    async ({ account }) => {
      const rows = await pagesOf((asked) => account.listAccounts(asked), {}, 50, tally);
      const truth = sample.getAllRows("listaccounts").slice(0, 50 * MOST_PAGES);
      assert.deepEqual(rows.map(({ address }) => address), truth.map(({ address }) => address));
      return rows.length;
    },
    async ({ account }) => {
      const { items } = await answered(() => account.tokenList({ address: hub }), tally, "tokenList");
      assertAction(items, "tokenlist", { address: hub });
      return items.length;
    },
    async ({ account }) => {
      const address = sample.getAllItems("/addresses").slice(0, 50).map(({ hash }) => hash);
      const balances = await answered(() => account.balanceMulti({ address }), tally, "balanceMulti");
      assert.deepEqual(balances.map(({ account }) => account), address);
      return balances.length;
    },
    // This one grows while it is read.
    async ({ account }) => {
      const params = { address: deep, startblock: NEWEST, sort: "asc" };
      const before = sample.getAllRows("txlist", params);
      const rows = await whole((resume) => account.txList.all(params, { resume }), false, tally, "a growing range");
      const hashes = new Set(rows.map(({ hash }) => hash));
      assert.deepEqual(rows.slice(0, before.length).map(({ hash }) => hash), before.map(({ hash }) => hash));
      assert.equal(hashes.size, rows.length, "no transaction comes twice");
      return rows.length;
    },
  ];
}

test(`everything is read once through ${RATE * 100} % faults, seeds: ${SEEDS}`, async (context) => {
  const kinds = [...RECOVERABLE_KINDS, "html_forbidden_page", ...SOCKET_FAULT_KINDS];
  const tally = new Tally();
  for (let seed = 0; seed < SEEDS; seed++) {
    const service = await startSampleServer({ pageSize: 300, faults: { seed, rate: RATE, kinds } });
    try {
      // Each at a base URL of its own, and so at a pace of its own: a 429 of one does not hold up the others.
      const clientOf = (number) => new AddressClient({ baseUrl: `${service.url}/${number}`, ...LIMITS, fetch: tally.fetch });
      const run = async (read, number) => {
        tally.add("reads");
        tally.add("records", await read(clientOf(number)));
      };
      await Promise.all(readings(tally, seed).map(run));
    } finally {
      await service.close();
    }
  }
  context.diagnostic(JSON.stringify(tally.counts));
  // About half of the kinds show before the body.
  const { requests, rejected, ...others } = tally.counts;
  const failed = rejected + [429, 500, 502, 503, 504].reduce((sum, status) => sum + (others[status] ?? 0), 0);
  assert.ok(failed > (requests * RATE) / 4, `only ${failed} of ${requests} requests failed`);
});
